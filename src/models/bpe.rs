//! Byte-pair encoding.
//!
//! Rule.    Cut a word into its first symbols (first_symbols.rs) and merge as merging.rs says. A
//!          rank is the row in the merge list (`order` "list"), or the id of the joined token
//!          ("rank", as tiktoken; then a word that is itself a token is that token).
//! Cost.    That of merging.
//! Source.  Sennrich et al. 2016; tiktoken 0.14.0 and tokenizers 0.23.3 are the oracles.

use serde_json::Value;

use super::dropout::Dropped;
use super::first_symbols::FirstSymbols;
use super::merging::Merges;
use super::splits::each_split;
use super::unknown::Unknown;
use crate::collections::pair_map::pack;
use crate::encoding::Sink;
use crate::error::Result;
use crate::spec::flag;
use crate::vocab::Vocab;
use crate::worker::Worker;

/// A BPE model.
pub struct Bpe {
    first_symbols: FirstSymbols,
    merges: Merges,
    /// A word that is a token is taken whole before any merging.
    whole_words: bool,
    /// Each merge makes the token that its parts spell.
    merges_are_joins: bool,
}

impl Bpe {
    /// Builds the model of a spec.
    pub fn new(
        spec: &Value,
        vocab: &Vocab,
        merges: &[(u32, u32, u32)],
        first_symbols: FirstSymbols,
    ) -> Self {
        let by_rank = spec["order"] == "rank";
        let merges_are_joins = by_rank || merges.iter().all(|&row| is_join(vocab, row));
        let merges = if by_rank { from_vocab(vocab) } else { from_list(merges) };
        let takes_words = by_rank || flag(spec, "ignore_merges");
        let whole_words = takes_words && !first_symbols.mark_words();
        Self { first_symbols, merges, whole_words, merges_are_joins }
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
        if self.whole_words && worker.dropout.is_none() {
            if let Some(id) = vocab.id(word) {
                out.token(id, word.len());
                return Ok(());
            }
        }
        self.merge(vocab, word, worker, out)
    }

    /// The same for a section of a word, which is no word.
    pub fn merge<S: Sink>(
        &self,
        vocab: &Vocab,
        section: &[u8],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let Worker { symbols, dropout, stop, .. } = worker;
        let has_moved = self.first_symbols.cut(vocab, section, symbols)?;
        match dropout {
            None => symbols.merge(&self.merges, stop, |_, _, _| {})?,
            Some(dropout) => {
                dropout.merge(symbols, &self.merges, Dropped::ComesBack, stop, |_, _, _| {})?;
            }
        }
        if has_moved && S::PLACES {
            let moved = self.first_symbols.moved(vocab, section, symbols)?;
            moved.for_each(|(id, own, named)| out.placed(id, own, named));
        } else {
            symbols.iter().for_each(|(id, bytes)| out.token(id, bytes));
        }
        Ok(())
    }

    /// Whether sections of a word merge for themselves: the symbols of each are those that it has in
    /// the word, if all of it is known.
    pub fn has_seams(&self) -> bool {
        self.merges_are_joins && !self.first_symbols.mark_places()
    }

    /// Whether each unit of a section is a token.
    pub fn knows(&self, vocab: &Vocab, section: &[u8]) -> bool {
        self.first_symbols.know(vocab, section)
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        self.first_symbols.unknown()
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
