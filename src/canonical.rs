//! Canonical ids: which ids can come next.
//!
//! Rule.    Ids are canonical if they are what encoding their text gives. An id can come next if the
//!          ids with it are canonical; if they end inside a character, if some character that goes on
//!          so has them as the beginning of what it is encoded to.
//! How.     Every token is tried behind the end of the text, from the last place on where the text may
//!          be cut (`blocks.rs`). Inside a character no word ends, and there neighbours
//!          (`models/neighbours.rs`) say what is worth a try.
//! Cost.    The ids are encoded once, and then the end of their text once for each token.

use std::str::from_utf8;

use crate::blocks::Cutter;
use crate::decode::Invalid;
use crate::error::{Error, Result};
use crate::models::neighbours::Neighbours;
use crate::pipeline::{Part, Pipeline};
use crate::special_tokens::Special;
use crate::stop::Stop;
use crate::worker::Worker;

/// The last place where a text may be cut is first looked for in so many bytes.
const END: usize = 64;

/// The tokens that text becomes, and which of them can stand side by side.
pub struct TextTokens {
    ids: Vec<u32>,
    data: Vec<u8>,
    ends: Vec<usize>,
    /// The numbers of those that go on inside a character.
    inside: Vec<usize>,
    /// Which tokens can stand side by side in a word.
    pub neighbours: Neighbours,
}

/// The end of a text, and what comes behind it.
pub struct End<'a> {
    pipeline: &'a Pipeline,
    tokens: &'a TextTokens,
    /// What is encoded, and what that should be.
    bytes: Vec<u8>,
    ids: Vec<u32>,
    /// Whether a text has begun before.
    continues: bool,
}

impl TextTokens {
    /// Takes the tokens of these ids.
    pub fn new(pipeline: &Pipeline, ids: Vec<u32>) -> Result<Self> {
        let (mut data, mut ends, mut inside) = (Vec::new(), Vec::with_capacity(ids.len()), Vec::new());
        for (number, &id) in ids.iter().enumerate() {
            let start = data.len();
            pipeline.decode(&[id], false, Invalid::Kept, &mut data)?;
            if data.len() > start && data[start..].iter().all(|byte| byte & 0xc0 == 0x80) {
                inside.push(number);
            }
            ends.push(data.len());
        }
        Ok(Self { ids, data, ends, inside, neighbours: pipeline.model.neighbours()? })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The id of a token by its number.
    pub fn id(&self, number: usize) -> u32 {
        self.ids[number]
    }

    fn bytes(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.data[start..self.ends[number]]
    }
}

impl<'a> End<'a> {
    /// The end of the text of some ids; None where nothing can come behind them.
    pub fn of(
        pipeline: &'a Pipeline,
        tokens: &'a TextTokens,
        ids: &[u32],
        worker: &mut Worker,
    ) -> Result<Option<Self>> {
        let mut bytes = Vec::new();
        pipeline.decode(ids, false, Invalid::Kept, &mut bytes)?;
        let text = match from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => {
                from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return Ok(None),
        };
        let cut = last_cut(pipeline, text);
        let mut before = Vec::new();
        pipeline.encode_block(&text[..cut], false, Special::default(), worker, &mut before)?;
        Ok(ids.strip_prefix(&before[..]).map(|ids| Self {
            pipeline,
            tokens,
            bytes: bytes[cut..].to_vec(),
            ids: ids.to_vec(),
            continues: cut > 0,
        }))
    }

    /// A copy for another thread.
    #[must_use]
    pub fn copy(&self) -> Self {
        let (bytes, ids) = (self.bytes.clone(), self.ids.clone());
        Self { bytes, ids, ..*self }
    }

    /// Whether a token, by its number, can come next.
    pub fn takes(&mut self, number: usize, stop: &Stop) -> Result<bool> {
        let (bytes, ids) = (self.bytes.len(), self.ids.len());
        self.bytes.extend_from_slice(self.tokens.bytes(number));
        self.ids.push(self.tokens.ids[number]);
        let takes = self.bytes.len() > bytes && self.is_canonical(stop)?;
        self.bytes.truncate(bytes);
        self.ids.truncate(ids);
        Ok(takes)
    }

    fn is_canonical(&mut self, stop: &Stop) -> Result<bool> {
        match from_utf8(&self.bytes) {
            Ok(text) => self.are_those_of(text, stop),
            Err(error) if error.error_len().is_none() => self.can_go_on(stop),
            Err(_) => Ok(false),
        }
    }

    /// Whether the ids are what a text is encoded to: those of each word must fill it.
    fn are_those_of(&self, text: &str, stop: &Stop) -> Result<bool> {
        let Self { pipeline, tokens, ids, continues, .. } = self;
        let special = Special { continues: *continues, ..Special::default() };
        let mut rest = Some(&ids[..]);
        pipeline.parts(text, special, false, stop, |part| {
            match part {
                Part::Token(id, _) => rest = rest.and_then(|ids| ids.strip_prefix(&[id])),
                Part::Words(words) => words.each(|word| {
                    let word = &words.stretch.text.as_bytes()[word];
                    rest = rest.and_then(|ids| {
                        let count = pipeline.model.fill(&tokens.neighbours, word, ids)?;
                        Some(&ids[count..])
                    });
                    Ok::<(), Error>(())
                })?,
            }
            Ok(())
        })?;
        Ok(rest.is_some_and(<[u32]>::is_empty))
    }

    /// Whether what ends inside a character can come from some character.
    fn can_go_on(&mut self, stop: &Stop) -> Result<bool> {
        let Some(&last) = self.ids.last() else { return Ok(false) };
        let (tokens, model) = (self.tokens, &self.pipeline.model);
        for &number in &tokens.inside {
            let stay = model.stay(&tokens.neighbours, last, tokens.ids[number]);
            if stay && self.takes(number, stop)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The last place where a text may be cut; 0 if there is none.
fn last_cut(pipeline: &Pipeline, text: &str) -> usize {
    let (mut cutter, mut end) = (Cutter::default(), END);
    while !text.is_empty() {
        let from = text.len().saturating_sub(end).max(1);
        if let Some(mut cut) = cutter.next(pipeline, text, from) {
            while let Some(next) = cutter.next(pipeline, text, cut + 1) {
                cut = next;
            }
            return cut;
        }
        if from == 1 {
            break;
        }
        end *= 2;
    }
    0
}
