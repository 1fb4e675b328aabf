//! Byte-pair encoding.
//!
//! Rule.    Cut a word into its first symbols (first_symbols.rs) and merge as merging.rs says. A
//!          rank is the row in the merge list (`order` "list"), or the id of the joined token
//!          ("rank", as tiktoken; then a word that is itself a token is that token).
//! Cost.    That of merging.
//! Source.  Sennrich et al. 2016; tiktoken 0.14.0 and tokenizers 0.23.3 are the oracles.

use std::collections::HashSet;

use serde_json::Value;

use super::first_symbols::FirstSymbols;
use super::merging::Merges;
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
        let merges = if by_rank { from_vocab(vocab) } else { from_list(merges) };
        let takes_words = by_rank || flag(spec, "ignore_merges");
        let whole_words = takes_words && !first_symbols.mark_words();
        Self { first_symbols, merges, whole_words }
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
        if self.whole_words {
            if let Some(id) = vocab.id(word) {
                out.token(id, word.len());
                return Ok(());
            }
        }
        let Worker { symbols, stop, .. } = worker;
        let has_moved = self.first_symbols.cut(vocab, word, symbols)?;
        symbols.merge(&self.merges, stop, |_, _, _| {})?;
        if has_moved && S::PLACES {
            let moved = self.first_symbols.moved(word, symbols);
            moved.for_each(|(id, place)| out.placed(id, place));
        } else {
            symbols.iter().for_each(|(id, bytes)| out.token(id, bytes));
        }
        Ok(())
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        self.first_symbols.unknown()
    }
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
    let mut merges = Merges::with_capacity(vocab.len() * 2);
    // Parts of a length that no token has need no look-up: a very long token has few others.
    let lengths: HashSet<usize> = (0..vocab.len()).map(|row| vocab.row(row).len()).collect();
    let may_be_tokens = |left: usize, right| lengths.contains(&left) && lengths.contains(&right);
    for row in 0..vocab.len() {
        let token = vocab.row(row);
        let id = u64::from(vocab.id_of_row(row));
        for middle in (1..token.len()).filter(|&at| may_be_tokens(at, token.len() - at)) {
            if let Some(left) = vocab.id(&token[..middle]) {
                if let Some(right) = vocab.id(&token[middle..]) {
                    merges.insert(pack(left, right), id << 32 | id);
                }
            }
        }
    }
    merges
}
