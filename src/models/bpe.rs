//! Byte-pair encoding.
//!
//! Rule.    Merge as merging.rs says. A rank is the row in the merge list (`order` "list"), or the
//!          id of the joined token ("rank", as tiktoken; then a word that is itself a token is that
//!          token).
//! Cost.    That of merging.
//! Source.  Sennrich et al. 2016; tiktoken 0.14.0 and tokenizers 0.23.3 are the oracles.

use serde_json::Value;

use super::dropout::Dropped;
use super::merging::Merges;
use super::splits::each_split;
use super::unknown::Unknown;
use super::word_level::characters;
use crate::collections::pair_map::pack;
use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::{flag, not_run};
use crate::vocab::{NO_ID, Vocab};
use crate::worker::Worker;

/// What a word is cut into first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Byte,
    Char,
}

/// A BPE model.
pub struct Bpe {
    unit: Unit,
    byte_ids: [u32; 256],
    merges: Merges,
    /// A word that is a token is taken whole before any merging.
    whole_words: bool,
    unknown: Unknown,
    fuse_unknown: bool,
    end_of_word: Option<u32>,
    /// Each merge makes the token that its parts spell.
    merges_are_joins: bool,
}

impl Bpe {
    /// Builds the model of a spec.
    pub fn new(
        spec: &Value,
        vocab: &Vocab,
        merges: &[(u32, u32, u32)],
        byte_level: bool,
    ) -> Result<Self> {
        let text = |name: &str| spec[name].as_str().unwrap_or("");
        let affixes = ["continuing_subword_prefix", "end_of_word_suffix"];
        if flag(spec, "byte_fallback") || affixes.iter().any(|name| !text(name).is_empty()) {
            return Err(not_run("byte fallback or affixes of the model", spec));
        }
        let unit = if byte_level || text("unit") == "byte" { Unit::Byte } else { Unit::Char };
        let by_rank = text("order") == "rank";
        let merges_are_joins = by_rank || merges.iter().all(|&row| is_join(vocab, row));
        let merges = if by_rank { from_vocab(vocab) } else { from_list(merges) };
        let mut byte_ids = [NO_ID; 256];
        if unit == Unit::Byte {
            for byte in 0..=255u8 {
                byte_ids[byte as usize] = vocab.id(&[byte]).unwrap_or(NO_ID);
            }
        }
        let end_of_word = match text("end_of_word") {
            "" => None,
            mark => Some(vocab.id(mark.as_bytes()).ok_or_else(|| {
                Error::Vocabulary(format!("the end-of-word mark {mark:?} is not in the vocabulary"))
            })?),
        };
        Ok(Self {
            unit,
            byte_ids,
            merges,
            whole_words: by_rank || flag(spec, "ignore_merges"),
            unknown: Unknown::new(spec, vocab)?,
            fuse_unknown: flag(spec, "fuse_unk"),
            end_of_word,
            merges_are_joins,
        })
    }

    /// Gives the tokens of a word to the sink.
    #[inline]
    pub fn encode<S: Sink>(
        &self,
        vocab: &Vocab,
        word: &[u8],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        if self.whole_words && self.end_of_word.is_none() && worker.dropout.is_none() {
            if let Some(id) = vocab.id(word) {
                out.token(id, word.len());
                return Ok(());
            }
        }
        self.merge(vocab, word, worker, out)
    }

    /// The same for a part of a word, which is no word.
    pub fn merge<S: Sink>(
        &self,
        vocab: &Vocab,
        part: &[u8],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        self.cut(vocab, part, worker)?;
        let Worker { symbols, dropout, stop, .. } = worker;
        match dropout {
            None => symbols.merge(&self.merges, stop, |_, _, _| {})?,
            Some(dropout) => {
                dropout.merge(symbols, &self.merges, Dropped::ComesBack, stop, |_, _, _| {})?;
            }
        }
        worker.symbols.iter().for_each(|(id, bytes)| out.token(id, bytes));
        Ok(())
    }

    /// Cuts the word into its first symbols.
    #[inline]
    fn cut(&self, vocab: &Vocab, word: &[u8], worker: &mut Worker) -> Result<()> {
        let symbols = &mut worker.symbols;
        symbols.clear();
        match self.unit {
            Unit::Byte => {
                for (at, &byte) in word.iter().enumerate() {
                    let id = self.byte_ids[byte as usize];
                    symbols.push(if id == NO_ID { self.unknown.id(&[byte], at)? } else { id }, 1);
                }
            }
            Unit::Char => {
                let (mut after_unknown, mut at) = (false, 0);
                for character in characters(word) {
                    let known = vocab.id(character);
                    if known.is_none() && after_unknown && self.fuse_unknown {
                        symbols.lengthen(character.len());
                    } else {
                        let id = known.map_or_else(|| self.unknown.id(character, at), Ok)?;
                        symbols.push(id, character.len());
                    }
                    after_unknown = known.is_none();
                    at += character.len();
                }
            }
        }
        if let Some(mark) = self.end_of_word {
            symbols.push(mark, 0);
        }
        Ok(())
    }

    /// Whether what merges is always one token: every byte is one, and nothing follows a word.
    pub fn can_be_cut(&self) -> bool {
        self.end_of_word.is_none() && !self.byte_ids.contains(&NO_ID) && self.merges_are_joins
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }
}

fn is_join(vocab: &Vocab, (left, right, result): (u32, u32, u32)) -> bool {
    let [left, right, result] = [left, right, result].map(|id| vocab.token(id).unwrap_or_default());
    result.strip_prefix(left) == Some(right)
}

/// Merges by the row in the list; a pair that stands twice has its last row, as in tokenizers.
fn from_list(rows: &[(u32, u32, u32)]) -> Merges {
    let mut merges = Merges::with_capacity(rows.len());
    for (rank, &(left, right, result)) in rows.iter().enumerate() {
        merges.insert(pack(left, right), (rank as u64) << 32 | u64::from(result));
    }
    merges
}

/// Merges by rank of bytes: every way to cut a token into two tokens joins to it, ranked by its id.
fn from_vocab(vocab: &Vocab) -> Merges {
    let mut splits = Vec::with_capacity(vocab.len() * 2);
    each_split(vocab, |left, right, whole| {
        let [left, right, whole] = [left, right, whole].map(|row| vocab.id_of_row(row));
        splits.push((pack(left, right), u64::from(whole) << 32 | u64::from(whole)));
    });
    let mut merges = Merges::with_capacity(splits.len());
    for (pair, merge) in splits {
        merges.insert(pair, merge);
    }
    merges
}
