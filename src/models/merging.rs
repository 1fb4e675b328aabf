//! Merging: the loop that all byte-pair encoding shares.
//!
//! Rule.    Merge the adjacent pair of lowest rank, the leftmost among equals, until no pair has
//!          one.
//! Cost.    Short words: a scan for the minimum at each merge, over two small arrays. Long ones: a
//!          heap of (rank, position) over a linked list, O(n log n).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merges::{Merges, NO_MERGE, rank};
use crate::error::Result;
use crate::stop::Stop;
use crate::without::{Technique, without};

/// Up to this many symbols, scanning for the minimum beats the heap; at most 64.
const SHORT: usize = 48;
/// The length of a symbol that has become part of the one before it.
const GONE: u32 = u32::MAX;

/// The symbols of one word, while they are merged.
#[derive(Default)]
pub struct Symbols {
    ids: Vec<u32>,
    /// How many bytes each covers.
    lengths: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    heap: BinaryHeap<Reverse<u64>>,
    /// Whether the symbols that are left must be looked for along `next`.
    is_linked: bool,
}

impl Symbols {
    /// Begins a word.
    #[inline]
    pub fn clear(&mut self) {
        self.ids.clear();
        self.lengths.clear();
        self.is_linked = false;
    }

    /// How much of its memory is in use at most, in symbols.
    pub fn capacity(&self) -> usize {
        self.ids.capacity()
    }

    /// One more symbol.
    #[inline]
    pub fn push(&mut self, id: u32, bytes: usize) {
        self.ids.push(id);
        self.lengths.push(bytes as u32);
    }

    fn is_long(&self) -> bool {
        self.ids.len() > SHORT || without(Technique::ShortMerging)
    }

    /// The symbols, each with the bytes that it covers.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u32, usize)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let symbol = (*self.ids.get(at)?, self.lengths[at] as usize);
            at = if self.is_linked { self.next[at] as usize } else { at + 1 };
            Some(symbol)
        })
    }

    /// Merges until nothing can be; `seen(left, right, result)` hears of every pair that could.
    #[inline]
    pub fn merge(
        &mut self,
        merges: &Merges,
        stop: &Stop,
        seen: impl FnMut(u32, u32, u32),
    ) -> Result<()> {
        if self.is_long() {
            return self.merge_long(merges, stop, seen);
        }
        self.merge_short(merges, seen);
        Ok(())
    }

    #[inline]
    fn merge_short(&mut self, merges: &Merges, mut seen: impl FnMut(u32, u32, u32)) {
        let (ids, lengths) = (&mut self.ids[..], &mut self.lengths[..]);
        let count = ids.len().min(SHORT);
        if count < 2 {
            return;
        }
        let mut new = |left, right| {
            let merge = merges.get(left, right);
            if merge != NO_MERGE {
                seen(left, right, merge as u32);
            }
            merge
        };
        // What each symbol merges to with the next; what is left of them, a bit each.
        let (mut found, mut left) = ([NO_MERGE; SHORT], u64::MAX >> (64 - count));
        for at in 1..count {
            found[at - 1] = new(ids[at - 1], ids[at]);
        }
        loop {
            let (mut best, mut at) = (NO_MERGE, 0);
            for (index, &merge) in found[..count].iter().enumerate() {
                // The leftmost of one rank, whatever they become.
                if rank(merge) < rank(best) {
                    (best, at) = (merge, index);
                }
            }
            if best == NO_MERGE {
                break;
            }
            let behind = left & u64::MAX << at << 1;
            let gone = behind.trailing_zeros() as usize;
            ids[at] = best as u32;
            lengths[at] += lengths[gone];
            found[gone] = NO_MERGE;
            left ^= 1 << gone;
            let (before, behind) = (left & !(u64::MAX << at), behind & (behind - 1));
            if before != 0 {
                let previous = before.ilog2() as usize;
                found[previous] = new(ids[previous], ids[at]);
            }
            found[at] = NO_MERGE;
            if behind != 0 {
                found[at] = new(ids[at], ids[behind.trailing_zeros() as usize]);
            }
        }
        let mut kept = 0;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            (ids[kept], lengths[kept]) = (ids[at], lengths[at]);
            kept += 1;
            left &= left - 1;
        }
        self.ids.truncate(kept);
        self.lengths.truncate(kept);
    }

    /// The same over a linked list: a merge that is no longer what its place holds is passed over.
    fn merge_long(
        &mut self,
        merges: &Merges,
        stop: &Stop,
        mut seen: impl FnMut(u32, u32, u32),
    ) -> Result<()> {
        let Self { ids, lengths, next, previous, heap, is_linked, .. } = self;
        *is_linked = true;
        let end = ids.len();
        next.clear();
        next.extend(1..=end as u32);
        previous.clear();
        previous.extend((0..end as u32).map(|at| at.wrapping_sub(1)));
        let mut entries = std::mem::take(heap).into_vec();
        entries.clear();
        let mut new = |ids: &[u32], at: usize, right: usize| {
            let merge = merges.get(ids[at], ids[right]);
            (merge != NO_MERGE).then(|| {
                seen(ids[at], ids[right], merge as u32);
                Reverse(u64::from(rank(merge)) << 32 | at as u64)
            })
        };
        entries.extend((1..end).filter_map(|right| new(ids, right - 1, right)));
        *heap = BinaryHeap::from(entries);

        let mut pops = 0u32;
        while let Some(Reverse(popped)) = heap.pop() {
            pops = pops.wrapping_add(1);
            if pops.trailing_zeros() >= 16 {
                stop.check()?;
            }
            let at = popped as u32 as usize;
            let right = next[at] as usize;
            if lengths[at] == GONE || right >= end {
                continue;
            }
            let merge = merges.get(ids[at], ids[right]);
            if merge == NO_MERGE || rank(merge) != rank(popped) {
                continue;
            }
            ids[at] = merge as u32;
            lengths[at] += lengths[right];
            lengths[right] = GONE;
            let after = next[right] as usize;
            next[at] = after as u32;
            let before = previous[at] as usize;
            if before < end {
                heap.extend(new(ids, before, at));
            }
            if after < end {
                previous[after] = at as u32;
                heap.extend(new(ids, at, after));
            }
        }
        Ok(())
    }
}
