//! Decoding: ids back to bytes.
//!
//! Rule.    Each id stands for its string: a token of the vocabulary for its own, an added one for the
//!          one that it matches. Where special tokens are skipped, one goes if its string is that of
//!          a special token. The strings go through the decoders of the tokenizer (decoders.rs) and
//!          are joined. Where there is none, whole words and the pieces of a tokenizer.json are joined
//!          by a space. The pieces of a .model are joined as piece_joiner.rs says.
//! Cost.    One copy an id: what the first decoders make of each token by itself is worked out once.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;

use crate::collections::kept::{Reader, Writer};
pub use crate::decoders::Invalid;
use crate::decoders::{Step, Tokens, run_all};
use crate::error::{Error, Result};
use crate::piece_joiner::PieceJoiner;
use crate::spec::{Config, kind};
use crate::special_tokens::AddedToken;
use crate::vocab::Vocab;

/// The strings of all ids, in one flat buffer.
pub struct Decoder {
    data: Vec<u8>,
    offsets: Vec<usize>,
    /// What is known of each id, one bit each.
    known: Vec<u8>,
    /// The short strings once more: most ids need no more than this one look-up.
    short: Vec<Short>,
    joined: Joined,
}

/// A string of up to 15 bytes with its length behind it, or `NOT_SHORT` there: a longer string, a
/// special token, an id of no token.
type Short = [u8; 16];
const LENGTH: usize = 15;
const NOT_SHORT: u8 = u8::MAX;

/// How the strings of the ids are put together.
enum Joined {
    /// By these steps, often none.
    By(Vec<Step>),
    BySpaces,
    AsPieces(Box<PieceJoiner>),
}

/// What may be known of an id.
mod bit {
    /// Some token has it.
    pub const KNOWN: u8 = 1;
    /// It is left out where special tokens are skipped.
    pub const SPECIAL: u8 = 2;
    /// It was added to the model.
    pub const ADDED: u8 = 4;
}

impl Decoder {
    /// Lays the strings of all ids end to end.
    pub fn new(config: &Config, vocab: &Vocab, added: &[AddedToken]) -> Result<Self> {
        let size = size(vocab, added)?;
        let (steps, joined) = joined(config, vocab, added, size)?;
        let mut pieces: Vec<(Cow<[u8]>, u8)> = vec![(Cow::Borrowed(&[]), 0); size];
        for row in 0..vocab.len() {
            pieces[vocab.id_of_row(row) as usize] = (Cow::Borrowed(vocab.row(row)), bit::KNOWN);
        }
        let special: HashSet<&str> =
            added.iter().filter(|token| token.special).map(|token| &*token.content).collect();
        for token in added {
            let is_special = special.contains(&*token.form);
            let bits = bit::KNOWN | bit::ADDED | if is_special { bit::SPECIAL } else { 0 };
            pieces[token.id as usize] = (Cow::Borrowed(token.form.as_bytes()), bits);
        }
        let (mut data, mut offsets) = (Vec::new(), vec![0]);
        for (token, bits) in &mut pieces {
            for step in &steps {
                *token = Cow::Owned(step.of_one(token, *bits & bit::ADDED != 0)?);
            }
            data.extend_from_slice(token);
            offsets.push(data.len());
        }
        let short = pieces.iter().map(|(token, bits)| short(token, *bits)).collect();
        let known = pieces.iter().map(|&(_, known)| known).collect();
        Ok(Self { data, offsets, known, short, joined })
    }

    /// Writes its tables.
    pub fn keep(&self, out: &mut Writer) {
        out.table(&self.data);
        out.table(&self.offsets);
        out.table(&self.known);
        out.table(&self.short);
    }

    /// The one whose tables were written.
    pub fn kept<R: Read>(
        config: &Config,
        vocab: &Vocab,
        added: &[AddedToken],
        from: &mut Reader<R>,
    ) -> Option<Self> {
        let (_, joined) = joined(config, vocab, added, size(vocab, added).ok()?).ok()?;
        let (data, offsets) = (from.table()?, from.table()?);
        Some(Self { data, offsets, known: from.table()?, short: from.table()?, joined })
    }

    /// Whether an id was added to the model.
    pub fn is_added(&self, id: u32) -> bool {
        self.known.get(id as usize).is_some_and(|bits| bits & bit::ADDED != 0)
    }

    /// The highest id + 1.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is no id at all.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Appends the bytes of the ids to `out`.
    pub fn decode(
        &self,
        ids: &[u32],
        skip_special: bool,
        invalid: Invalid,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let pieces = self.pieces(ids, skip_special);
        match &self.joined {
            Joined::AsPieces(joiner) => return joiner.join(pieces, out),
            Joined::By(steps) if steps.is_empty() => self.join(ids, skip_special, out)?,
            Joined::By(steps) => {
                let mut tokens = Tokens::default();
                for piece in pieces {
                    let (id, token) = piece?;
                    tokens.push(token, self.known[id as usize] & bit::ADDED != 0);
                }
                out.append(&mut run_all(steps, tokens, invalid)?);
            }
            Joined::BySpaces => {
                for (index, piece) in pieces.enumerate() {
                    if index > 0 {
                        out.push(b' ');
                    }
                    out.extend_from_slice(piece?.1);
                }
            }
        }
        Ok(())
    }

    /// Appends the strings of the ids, one behind another.
    fn join(&self, ids: &[u32], skip_special: bool, out: &mut Vec<u8>) -> Result<()> {
        for (index, &id) in ids.iter().enumerate() {
            match self.short.get(id as usize) {
                Some(short) if short[LENGTH] != NOT_SHORT => {
                    // Always all, and back: a copy of a fixed size is the fastest.
                    let end = out.len() + usize::from(short[LENGTH]);
                    out.extend_from_slice(short);
                    out.truncate(end);
                }
                _ => {
                    for piece in self.pieces(&ids[index..=index], skip_special) {
                        out.extend_from_slice(piece?.1);
                    }
                }
            }
        }
        Ok(())
    }

    /// Each id with its bytes.
    #[inline]
    fn pieces<'a>(
        &'a self,
        ids: &'a [u32],
        skip_special: bool,
    ) -> impl Iterator<Item = Result<(u32, &'a [u8])>> {
        ids.iter().filter_map(move |&id| match self.known.get(id as usize) {
            None | Some(0) => Some(Err(self.unknown_id(id))),
            Some(bits) if skip_special && bits & bit::SPECIAL != 0 => None,
            Some(_) => {
                let (start, end) = (self.offsets[id as usize], self.offsets[id as usize + 1]);
                Some(Ok((id, &self.data[start..end])))
            }
        })
    }

    fn unknown_id(&self, id: u32) -> Error {
        Error::Vocabulary(match self.len() {
            0 => format!("id {id} is not in the vocabulary, which is empty"),
            size if (id as usize) < size => {
                format!(
                    "id {id} is one of the unused ids of this vocabulary; it stands for nothing"
                )
            }
            size => format!("id {id} is not in the vocabulary; ids go from 0 to {}", size - 1),
        })
    }
}

fn short(token: &[u8], bits: u8) -> Short {
    let mut short = [0; 16];
    let is_short = bits & bit::KNOWN != 0 && bits & bit::SPECIAL == 0 && token.len() <= LENGTH;
    if is_short {
        short[..token.len()].copy_from_slice(token);
    }
    short[LENGTH] = if is_short { token.len() as u8 } else { NOT_SHORT };
    short
}

/// Whether tokens that go through no decoder are joined by spaces.
fn has_spaces(config: &Config) -> bool {
    kind(config.part("model")) == "WordLevel" || config.part("origin") == "tokenizer.json"
}

/// The steps for each token by itself, and how what they make is put together.
fn joined(
    config: &Config,
    vocab: &Vocab,
    added: &[AddedToken],
    size: usize,
) -> Result<(Vec<Step>, Joined)> {
    let decoder = config.part("decoder");
    let mut steps = Vec::new();
    let joined = if kind(decoder) == "SentencePiece" {
        Joined::AsPieces(Box::new(PieceJoiner::new(config, vocab, added, size)?))
    } else if decoder.is_null() && has_spaces(config) {
        Joined::BySpaces
    } else {
        Step::read(decoder, &mut steps)?;
        Joined::By(split_off_the_rest(&mut steps))
    };
    Ok((steps, joined))
}

/// Leaves the steps that are done token by token once and for all, and returns those behind them.
fn split_off_the_rest(steps: &mut Vec<Step>) -> Vec<Step> {
    let at = steps.iter().take_while(|step| step.is_of_one_token()).count();
    let mut rest = steps.split_off(at);
    // What is joined anyway needs no step that joins it; the text that comes of it is made lossy.
    if matches!(rest.as_slice(), [Step::Fuse { .. }]) {
        rest.clear();
    }
    rest
}

/// How many ids may stand for nothing: a hostile file must not make a table of 2^32 rows.
const MOST_HOLES: usize = 1 << 22;

/// The highest id + 1.
fn size(vocab: &Vocab, added: &[AddedToken]) -> Result<usize> {
    let highest_model = vocab.len().checked_sub(1).map(|row| vocab.id_of_row(row));
    let highest = added.iter().map(|token| token.id).chain(highest_model).max();
    let size = highest.map_or(0, |id| id as usize + 1);
    if size > vocab.len() + added.len() + MOST_HOLES {
        return Err(Error::Vocabulary(format!(
            "{} tokens have ids up to {}; at most {MOST_HOLES} ids may be unused",
            vocab.len() + added.len(),
            size - 1
        )));
    }
    Ok(size)
}
