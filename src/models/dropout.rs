//! BPE-dropout: merging in which each merge is now and then dropped.
//!
//! Rule.    As merging.rs: the pair of lowest rank, the leftmost among equals. But before it is
//!          merged, it is dropped with a probability, one draw each time. In a merge list a pair that
//!          was dropped may be drawn again after the next merge, as long as it stands there; in
//!          SentencePiece's order of scores it is out for good.
//! Cost.    O(n log n) for n symbols where what is dropped stays so; otherwise O(n log n / (1 − p)),
//!          since a merge takes 1 / (1 − p) draws on average.
//! Source.  Provilkov et al. 2020; sentencepiece 0.2.3 for scores.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merges::{Merges, NO_MERGE, rank};
use super::merging::Symbols;
use crate::error::Result;
use crate::random_numbers::RandomNumbers;
use crate::stop::{Stop, check};

/// How merges, or tokens, are dropped.
pub struct Dropout {
    numbers: RandomNumbers,
    probability: f64,
}

/// What becomes of a pair that was dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    /// It is drawn again after the next merge.
    ComesBack,
    /// It is never merged, as long as it stands there.
    Stays,
}

/// A symbol, and where its neighbours are.
struct Linked {
    id: u32,
    length: u32,
    /// How many first symbols it was made of; none if it is now part of the one before it.
    units: u32,
    previous: u32,
    next: u32,
}

/// A pair that can be merged: rank, place, and how many first symbols it is made of, by which one that
/// is no longer what it was is known, since symbols only grow. (Their bytes need not: a mark has none.)
type Pair = Reverse<(u32, u32, u32)>;

impl Dropout {
    /// Drops each with a probability.
    pub fn new(probability: f64, seed: u64) -> Self {
        Self { numbers: RandomNumbers::new(seed), probability }
    }

    /// Whether the next step is dropped.
    pub fn drops(&mut self) -> bool {
        self.numbers.fraction() < self.probability
    }

    /// Merges what is not dropped; `seen(left, right, result)` hears of every pair that could.
    pub fn merge(
        &mut self,
        symbols: &mut Symbols,
        merges: &Merges,
        dropped: Dropped,
        stop: &Stop,
        mut seen: impl FnMut(u32, u32, u32),
    ) -> Result<()> {
        let mut word = linked(symbols, stop)?;
        let end = word.len();
        let mut heap: BinaryHeap<Pair> = BinaryHeap::new();
        let mut away: Vec<Pair> = Vec::new();
        let mut push = |heap: &mut BinaryHeap<Pair>, word: &[Linked], left: usize, right: usize| {
            if left < end && right < end {
                let merge = merges.get(word[left].id, word[right].id);
                if merge != NO_MERGE {
                    seen(word[left].id, word[right].id, merge as u32);
                    let units = word[left].units + word[right].units;
                    heap.push(Reverse((rank(merge), left as u32, units)));
                }
            }
        };
        for right in 1..end {
            check(right, stop)?;
            push(&mut heap, &word, right - 1, right);
        }
        let mut pops = 0;
        while let Some(pair) = heap.pop() {
            pops += 1;
            check(pops, stop)?;
            let Reverse((_, left, units)) = pair;
            let (left, right) = (left as usize, word[left as usize].next as usize);
            let is_gone = word[left].units == 0 || right >= end;
            if is_gone || word[left].units + word[right].units != units {
                continue;
            }
            if self.drops() {
                if dropped == Dropped::ComesBack {
                    away.push(pair);
                }
                continue;
            }
            let merge = merges.get(word[left].id, word[right].id);
            let (after, length) = (word[right].next, word[left].length + word[right].length);
            word[right].units = 0;
            let symbol = &mut word[left];
            (symbol.id, symbol.length, symbol.next) = (merge as u32, length, after);
            symbol.units = units;
            let after = after as usize;
            let before = symbol.previous as usize;
            if after < end {
                word[after].previous = left as u32;
            }
            heap.extend(away.drain(..));
            push(&mut heap, &word, before, left);
            push(&mut heap, &word, left, after);
        }
        symbols.clear();
        for symbol in word.iter().filter(|symbol| symbol.units > 0) {
            symbols.push(symbol.id, symbol.length as usize);
        }
        Ok(())
    }
}

/// The symbols of a word, each with its neighbours; none is beyond the end.
fn linked(symbols: &Symbols, stop: &Stop) -> Result<Vec<Linked>> {
    let mut word = Vec::new();
    for (at, (id, length)) in symbols.iter().enumerate() {
        check(at, stop)?;
        let (previous, next) = ((at as u32).wrapping_sub(1), at as u32 + 1);
        word.push(Linked { id, length: length as u32, units: 1, previous, next });
    }
    Ok(word)
}
