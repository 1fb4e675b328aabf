//! Canonical ids: which ids can come next.
//!
//! Rule.    Ids are canonical if they are what encoding their text gives. An id can come next if the
//!          ids with it are canonical; if they end inside a character, if some character that goes on
//!          so has them as the beginning of what it is encoded to.
//!          Every token is tried behind the end of the text, which is cut into words anew each time: of
//!          each word the ids must be its tokens, and that neighbours decide (`models/neighbours.rs`).
//! Cost.    The ids are encoded once. Then the end of the text, from the last place on where it may be
//!          cut (`blocks.rs`), is cut into words once for each token, and nothing is merged. A token
//!          that ends inside a character costs that for each way to go on, until one is canonical.

use std::collections::HashMap;
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
    /// Number of a token that may end inside a character → those that can go on inside of it.
    inside: HashMap<usize, Vec<usize>>,
    /// Which tokens can stand side by side in a word.
    pub neighbours: Neighbours,
}

/// The end of a text, and what comes behind it.
#[derive(Clone)]
pub struct End<'a> {
    pipeline: &'a Pipeline,
    tokens: &'a TextTokens,
    /// What is cut into words, and the ids that should be its tokens.
    bytes: Vec<u8>,
    ids: Vec<u32>,
    /// Whether each id can stand behind the one before it.
    stay: Vec<bool>,
    /// Whether a text has begun before.
    continues: bool,
}

impl TextTokens {
    /// Takes the tokens of these ids, which ascend.
    pub fn new(pipeline: &Pipeline, ids: Vec<u32>) -> Result<Self> {
        let (mut data, mut ends) = (Vec::new(), Vec::with_capacity(ids.len()));
        for &id in &ids {
            pipeline.decode(&[id], false, Invalid::Kept, &mut data)?;
            ends.push(data.len());
        }
        let (inside, neighbours) = (HashMap::new(), pipeline.model.neighbours()?);
        let mut tokens = Self { ids, data, ends, inside, neighbours };
        let goes_on = |number: &usize| tokens.bytes(*number).iter().all(|&byte| is_inside(byte));
        let going_on: Vec<usize> = (0..tokens.len()).filter(goes_on).collect();
        let open = (0..tokens.len()).filter(|&number| may_be_open(tokens.bytes(number)));
        let behind = |number: usize| {
            let stays = |&next: &usize| {
                let (left, right) = (tokens.ids[number], tokens.ids[next]);
                pipeline.model.stay(&tokens.neighbours, left, right)
            };
            (number, going_on.iter().copied().filter(stays).collect())
        };
        tokens.inside = open.map(behind).collect();
        Ok(tokens)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Their ids.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    fn bytes(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.data[start..self.ends[number]]
    }
}

/// Whether a byte is one of a character, but not its first.
fn is_inside(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Whether a text can end in these bytes inside a character.
fn may_be_open(bytes: &[u8]) -> bool {
    let Some(first) = bytes.iter().rposition(|&byte| !is_inside(byte)) else { return true };
    matches!(from_utf8(&bytes[first..]), Err(error) if error.error_len().is_none())
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
        let Some(ids) = ids.strip_prefix(&before[..]) else { return Ok(None) };
        let pairs =
            ids.windows(2).map(|ids| pipeline.model.stay(&tokens.neighbours, ids[0], ids[1]));
        Ok(Some(Self {
            pipeline,
            tokens,
            bytes: bytes[cut..].to_vec(),
            ids: ids.to_vec(),
            stay: std::iter::repeat_n(true, ids.len().min(1)).chain(pairs).collect(),
            continues: cut > 0,
        }))
    }

    /// Of each token whether it can stand behind the last id in a word.
    pub fn neighbours(&self) -> Vec<bool> {
        match self.ids.last() {
            Some(&last) => {
                self.pipeline.model.after(&self.tokens.neighbours, last, &self.tokens.ids)
            }
            None => vec![true; self.tokens.len()],
        }
    }

    /// Whether a token, by its number, can come next; `stays` says whether it can in a word.
    pub fn takes(&mut self, number: usize, stays: bool, stop: &Stop) -> Result<bool> {
        let (bytes, ids) = (self.bytes.len(), self.ids.len());
        self.bytes.extend_from_slice(self.tokens.bytes(number));
        self.ids.push(self.tokens.ids[number]);
        self.stay.push(stays);
        let takes = self.bytes.len() > bytes && self.are_canonical(number, stop)?;
        self.bytes.truncate(bytes);
        self.ids.truncate(ids);
        self.stay.truncate(ids);
        Ok(takes)
    }

    fn are_canonical(&mut self, last: usize, stop: &Stop) -> Result<bool> {
        match from_utf8(&self.bytes) {
            Ok(text) => self.are_those_of(text, stop),
            Err(error) if error.error_len().is_none() => self.can_go_on(last, stop),
            Err(_) => Ok(false),
        }
    }

    /// Whether what ends inside a character, by its last token, can come from some character.
    fn can_go_on(&mut self, last: usize, stop: &Stop) -> Result<bool> {
        for &next in self.tokens.inside.get(&last).into_iter().flatten() {
            if self.takes(next, true, stop)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the ids are the tokens of a text: those of each word must fill it.
    fn are_those_of(&self, text: &str, stop: &Stop) -> Result<bool> {
        let Self { pipeline, tokens, ids, stay, continues, .. } = self;
        let special = Special { continues: *continues, ..Special::default() };
        let mut done = Some(0);
        let mut worker = Worker { stop: stop.clone(), ..Worker::default() };
        pipeline.parts(text, special, false, &mut worker, |part, _| {
            match part {
                Part::Token(id, _) => {
                    done = done.filter(|&done| ids.get(done) == Some(&id)).map(|done| done + 1);
                }
                Part::Words(words) => words.each(|word| {
                    let word = &words.stretch.text.as_bytes()[word];
                    done = done.and_then(|done| {
                        let stays = |number: usize| stay[done + number];
                        let rest = &ids[done..];
                        Some(done + pipeline.model.fill(&tokens.neighbours, word, rest, stays)?)
                    });
                    Ok::<(), Error>(())
                })?,
            }
            Ok(())
        })?;
        Ok(done == Some(ids.len()))
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
