//! Byte-pair encoding.
//!
//! Rule.    Merge the adjacent pair of lowest rank, the leftmost among equals, until no pair has
//!          one. A rank is the row in the merge list (`order` "list"), or the id of the joined token
//!          ("rank", as tiktoken; then a word that is itself a token is that token).
//! Cost.    Short words: a scan for the minimum at each merge, over two small arrays. Long ones: a
//!          heap of (rank, position) over a linked list, O(n log n).
//! Source.  Sennrich et al. 2016; tiktoken 0.14.0 and tokenizers 0.23.3 are the oracles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::word_level::{Unknown, characters};
use super::{MergeColumns, Sink};
use crate::collections::pair_map::{PairMap, pack};
use crate::error::{Error, Result};
use crate::spec::{flag, not_run};
use crate::vocab::{NO_ID, Vocab};

/// Up to this many symbols, scanning for the minimum beats the heap.
const SHORT: usize = 48;
/// Rank and result of a pair that does not merge.
const NO_MERGE: u64 = u64::MAX;

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
    /// Pair → rank in the upper half, id of the result in the lower.
    merges: PairMap<u64>,
    /// A word that is a token is taken whole before any merging.
    whole_words: bool,
    unknown: Unknown,
    fuse_unknown: bool,
    end_of_word: Option<u32>,
}

/// Buffers that live from word to word.
#[derive(Default)]
pub struct Scratch {
    ids: Vec<u32>,
    lengths: Vec<u32>,
    ranks: Vec<u64>,
    next: Vec<u32>,
    previous: Vec<u32>,
    heap: BinaryHeap<Reverse<u64>>,
    /// Set by another thread to end a long call.
    pub(crate) stop: Option<Arc<AtomicBool>>,
}

impl Scratch {
    /// Whether the call is to go on.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}

impl Bpe {
    /// Builds the model of a spec.
    pub fn new(
        spec: &Value,
        vocab: &Vocab,
        merges: Option<&MergeColumns>,
        byte_level: bool,
    ) -> Result<Self> {
        let text = |name: &str| spec[name].as_str().unwrap_or("");
        let affixes = ["continuing_subword_prefix", "end_of_word_suffix"];
        if flag(spec, "byte_fallback")
            || affixes.iter().any(|name| !text(name).is_empty())
            || text("order") == "score"
        {
            return Err(not_run("byte fallback, affixes or scores of the model", spec));
        }
        let unit = if byte_level || text("unit") == "byte" { Unit::Byte } else { Unit::Char };
        let by_rank = text("order") == "rank";
        let merges = match merges {
            _ if by_rank => from_vocab(vocab),
            Some(columns) => from_list(columns),
            None => PairMap::with_capacity(0),
        };
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
        })
    }

    /// Gives the tokens of a word to the sink.
    #[inline]
    pub fn encode(
        &self,
        vocab: &Vocab,
        word: &[u8],
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Result<()> {
        if self.whole_words && self.end_of_word.is_none() {
            if let Some(id) = vocab.id(word) {
                sink.token(id, word.len());
                return Ok(());
            }
        }
        self.cut(vocab, word, scratch)?;
        if scratch.ids.len() <= SHORT {
            self.merge_short(scratch);
            for (&id, &length) in scratch.ids.iter().zip(&scratch.lengths) {
                sink.token(id, length as usize);
            }
        } else {
            self.merge_long(scratch)?;
            let mut at = 0;
            while at < scratch.ids.len() {
                sink.token(scratch.ids[at], scratch.lengths[at] as usize);
                at = scratch.next[at] as usize;
            }
        }
        Ok(())
    }

    /// Cuts the word into its first symbols.
    fn cut(&self, vocab: &Vocab, word: &[u8], scratch: &mut Scratch) -> Result<()> {
        let Scratch { ids, lengths, .. } = scratch;
        ids.clear();
        lengths.clear();
        match self.unit {
            Unit::Byte => {
                for (at, &byte) in word.iter().enumerate() {
                    let id = self.byte_ids[byte as usize];
                    ids.push(if id == NO_ID { self.unknown.id(&[byte], at)? } else { id });
                }
                lengths.resize(word.len(), 1);
            }
            Unit::Char => {
                let (mut after_unknown, mut at) = (false, 0);
                for character in characters(word) {
                    let known = vocab.id(character);
                    match lengths.last_mut() {
                        Some(last) if known.is_none() && after_unknown && self.fuse_unknown => {
                            *last += character.len() as u32;
                        }
                        _ => {
                            ids.push(known.map_or_else(|| self.unknown.id(character, at), Ok)?);
                            lengths.push(character.len() as u32);
                        }
                    }
                    after_unknown = known.is_none();
                    at += character.len();
                }
            }
        }
        if let Some(mark) = self.end_of_word {
            ids.push(mark);
            lengths.push(0);
        }
        Ok(())
    }

    /// Rank and result of a pair, as one number that orders by rank.
    #[inline]
    fn merge(&self, left: u32, right: u32) -> u64 {
        self.merges.get(pack(left, right)).unwrap_or(NO_MERGE)
    }

    fn merge_short(&self, scratch: &mut Scratch) {
        let Scratch { ids, lengths, ranks, .. } = scratch;
        ranks.clear();
        ranks.extend(ids.windows(2).map(|pair| self.merge(pair[0], pair[1])));
        loop {
            let mut best = NO_MERGE;
            let mut at = 0;
            for (index, &rank) in ranks.iter().enumerate() {
                if rank < best {
                    (best, at) = (rank, index);
                }
            }
            if best == NO_MERGE {
                return;
            }
            ids[at] = best as u32;
            lengths[at] += lengths[at + 1];
            ids.remove(at + 1);
            lengths.remove(at + 1);
            ranks.remove(at);
            if at > 0 {
                ranks[at - 1] = self.merge(ids[at - 1], ids[at]);
            }
            if at < ranks.len() {
                ranks[at] = self.merge(ids[at], ids[at + 1]);
            }
        }
    }

    /// The same over a linked list: a merge that is no longer what its place holds is passed over.
    fn merge_long(&self, scratch: &mut Scratch) -> Result<()> {
        let Scratch { ids, lengths, next, previous, heap, stop, .. } = scratch;
        let end = ids.len();
        next.clear();
        next.extend(1..=end as u32);
        previous.clear();
        previous.extend((0..end as u32).map(|at| at.wrapping_sub(1)));
        let rank_at = |ids: &[u32], left: usize, right: usize| {
            let merge = self.merge(ids[left], ids[right]);
            (merge != NO_MERGE).then_some(merge)
        };
        let entry = |merge: u64, at: usize| Reverse(merge & !0xffff_ffff | at as u64);
        let mut entries = std::mem::take(heap).into_vec();
        entries.clear();
        entries.extend(
            (1..end).filter_map(|at| rank_at(ids, at - 1, at).map(|merge| entry(merge, at - 1))),
        );
        *heap = BinaryHeap::from(entries);

        let mut pops = 0u32;
        while let Some(Reverse(popped)) = heap.pop() {
            pops = pops.wrapping_add(1);
            if pops.trailing_zeros() >= 16
                && stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            {
                return Err(Error::Interrupted);
            }
            let at = popped as u32 as usize;
            let right = next[at] as usize;
            if lengths[at] == u32::MAX || right >= end {
                continue;
            }
            let Some(merge) = rank_at(ids, at, right) else { continue };
            if merge >> 32 != popped >> 32 {
                continue;
            }
            ids[at] = merge as u32;
            lengths[at] += lengths[right];
            lengths[right] = u32::MAX; // gone
            let after = next[right] as usize;
            next[at] = after as u32;
            if after < end {
                previous[after] = at as u32;
                if let Some(merge) = rank_at(ids, at, after) {
                    heap.push(entry(merge, at));
                }
            }
            let before = previous[at] as usize;
            if before < end {
                if let Some(merge) = rank_at(ids, before, at) {
                    heap.push(entry(merge, before));
                }
            }
        }
        Ok(())
    }
}

/// Merges by the row in the list; a pair that stands twice has its last row, as in tokenizers.
fn from_list(columns: &MergeColumns) -> PairMap<u64> {
    let mut merges = PairMap::with_capacity(columns.rows.len());
    for (rank, &(left, right, result)) in columns.rows.iter().enumerate() {
        merges.insert(pack(left, right), (rank as u64) << 32 | u64::from(result));
    }
    merges
}

/// Merges by rank of bytes: every way to cut a token into two tokens joins to it, ranked by its id.
fn from_vocab(vocab: &Vocab) -> PairMap<u64> {
    let mut merges = PairMap::with_capacity(vocab.len() * 2);
    for row in 0..vocab.len() {
        let token = vocab.row(row);
        let id = u64::from(vocab.id_of_row(row));
        for middle in 1..token.len() {
            if let Some(left) = vocab.id(&token[..middle]) {
                if let Some(right) = vocab.id(&token[middle..]) {
                    merges.insert(pack(left, right), id << 32 | id);
                }
            }
        }
    }
    merges
}
