//! The BPE trainer.
//!
//! Rule.    Merge the adjacent pair with the highest count, until the vocabulary is full or no pair
//!          occurs `min_frequency` times. Overlapping occurrences count (aaa: aa twice). Ties go by
//!          a named rule (`options::Tie`). Replacement runs left to right in each word.
//!          No merge makes a string that exists already: what stands between two ends that no merge
//!          has crossed does not depend on what is beyond them, so one string has one merge tree
//!          (docs/algorithms/bpe.md).
//! Cost.    O(N) replacements in all for N units of unique words, each a few array accesses; one
//!          hash look-up for each *neighbour symbol* of a merge, not for each place; the queue is
//!          lazy. A word whose pair did not change is never looked at.
//! Source.  Sennrich et al. 2016; with "lowest-ids" the merges of tokenizers 0.23.3.

use std::sync::atomic::{AtomicBool, Ordering};

use super::corpus::{Arena, BOUNDARY};
use super::options::{Options, Unit};
use super::pairs::{Next, Pairs};
use super::symbols::{LeftOut, Symbols};
use super::word_counts::Words;
use crate::error::{Error, Result};

/// One merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Left id.
    pub left: u32,
    /// Right id.
    pub right: u32,
    /// The id of the join.
    pub result: u32,
    /// How often the pair occurred when it was chosen.
    pub count: u64,
    /// How many tokens fewer the corpus had after it.
    pub applied: u64,
}

/// What a run gives.
pub struct Trained {
    /// Alphabet and joins, in order of id.
    pub symbols: Symbols,
    /// The merges, in order of rank.
    pub merges: Vec<Merge>,
    /// Symbols of the alphabet.
    pub alphabet: usize,
    /// Characters that `limit_alphabet` left out.
    pub left_out: LeftOut,
    /// Tokens of the corpus before the first merge.
    pub initial_tokens: u64,
    /// Whether pairs ran out before the size was reached.
    pub exhausted: bool,
}

/// Trains on counted words; `stop` ends the run between two merges.
pub fn train(words: &Words, options: &Options, stop: &AtomicBool) -> Result<Trained> {
    let (symbols, left_out) = Symbols::alphabet(words, options)?;
    let alphabet = symbols.len();
    if !options.alphabet_may_exceed {
        options.check_fits(alphabet)?;
    }
    let bytes = options.unit == Unit::Byte;
    let arena = Arena::new(words, &symbols, bytes, options.end_of_word.as_deref())?;
    let initial_tokens = arena.tokens()?;
    let pairs = Pairs::new(&arena, &symbols, options, stop)?;
    let mut run = Run { symbols, arena, pairs, merges: Vec::new(), beside: Neighbours::default() };
    let mut exhausted = false;
    while !run.is_full(options) && !exhausted {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        exhausted = !run.step();
    }
    let Run { symbols, merges, .. } = run;
    Ok(Trained { symbols, merges, alphabet, left_out, initial_tokens, exhausted })
}

/// The state of a run.
struct Run {
    symbols: Symbols,
    arena: Arena,
    pairs: Pairs,
    merges: Vec<Merge>,
    beside: Neighbours,
}

impl Run {
    fn is_full(&self, options: &Options) -> bool {
        let size = self.symbols.len() + options.special_tokens;
        options.vocab_size.is_some_and(|most| size >= most)
            || options.num_merges.is_some_and(|most| self.merges.len() >= most)
    }

    /// Makes one merge; false when no pair is left.
    fn step(&mut self) -> bool {
        let Some(next) = self.pairs.next(&self.arena, &self.symbols) else { return false };
        let Next { left, right, count, .. } = next;
        let result = self.symbols.join(left, right);
        let (applied, new) = self.replace(&next, result);
        let merge = Merge { left, right, result, count, applied };
        self.pairs.settle(&merge, &new, &self.arena, &self.symbols);
        self.merges.push(merge);
        true
    }

    /// Replaces the pair wherever it stands; gives the tokens saved, and the pairs that are new.
    fn replace(&mut self, next: &Next, result: u32) -> (u64, Vec<usize>) {
        let &Next { left, right, .. } = next;
        let (left_length, length) = (self.symbols.length(left), self.symbols.length(result));
        let mut applied = 0;
        self.beside.clear(self.symbols.len());
        for index in next.places.clone() {
            let place = self.pairs.place(index);
            let at = place as usize;
            if !self.arena.holds(at, left, right, &self.symbols) {
                continue;
            }
            let count = self.arena.count(at);
            let (before, after) = (self.arena.cell(at - 1), self.arena.cell(at + length));
            self.arena.merge(at, left_length, length, result);
            applied += count;
            if before != BOUNDARY {
                let at = place - self.symbols.length(before) as u32;
                self.beside.left.add(before, count, at);
            }
            if after != BOUNDARY {
                self.beside.right.add(after, count, place);
            }
        }
        self.pairs.subtract(left, right, applied);
        (applied, self.recount(left, right, result))
    }

    /// Counts what a merge has changed around it: additions first, since what it made beside one
    /// place it may have taken away again at the next (aaaa). Gives the pairs that are new.
    fn recount(&mut self, left: u32, right: u32, result: u32) -> Vec<usize> {
        let Self { pairs, beside, .. } = self;
        beside.left.sort();
        beside.right.sort();
        let mut added = Vec::new();
        for (before, count, places) in beside.left.groups() {
            added.push(pairs.add(before, result, count, places));
        }
        for (after, count, places) in beside.right.groups() {
            added.push(pairs.add(result, after, count, places));
        }
        for (before, count, _) in beside.left.groups() {
            pairs.subtract(before, left, count);
        }
        for (after, count, _) in beside.right.groups() {
            pairs.subtract(right, after, count);
        }
        added
    }
}

/// The symbols beside the places of one merge, on both sides.
#[derive(Default)]
struct Neighbours {
    left: Side,
    right: Side,
}

impl Neighbours {
    fn clear(&mut self, symbols: usize) {
        self.left.clear(symbols);
        self.right.clear(symbols);
    }
}

/// The places of one side, grouped by the symbol beside them: a counting sort over ids.
#[derive(Default)]
struct Side {
    /// By symbol: occurrences, number of places, where its places start.
    counts: Vec<u64>,
    sizes: Vec<u32>,
    starts: Vec<u32>,
    /// Symbols met, and all (symbol, place) in order.
    met: Vec<u32>,
    events: Vec<(u32, u32)>,
    places: Vec<u32>,
}

impl Side {
    fn clear(&mut self, symbols: usize) {
        for &symbol in &self.met {
            self.counts[symbol as usize] = 0;
            self.sizes[symbol as usize] = 0;
        }
        self.met.clear();
        self.events.clear();
        self.counts.resize(symbols, 0);
        self.sizes.resize(symbols, 0);
        self.starts.resize(symbols, 0);
    }

    #[inline]
    fn add(&mut self, symbol: u32, count: u64, place: u32) {
        let index = symbol as usize;
        if self.sizes[index] == 0 {
            self.met.push(symbol);
        }
        self.counts[index] += count;
        self.sizes[index] += 1;
        self.events.push((symbol, place));
    }

    fn sort(&mut self) {
        let mut start = 0;
        for &symbol in &self.met {
            self.starts[symbol as usize] = start;
            start += self.sizes[symbol as usize];
        }
        self.places.resize(start as usize, 0);
        for &(symbol, place) in &self.events {
            let next = &mut self.starts[symbol as usize];
            self.places[*next as usize] = place;
            *next += 1;
        }
    }

    /// Each symbol with its occurrences and its places, in the order met.
    fn groups(&self) -> impl Iterator<Item = (u32, u64, &[u32])> {
        self.met.iter().map(|&symbol| {
            let index = symbol as usize;
            let end = self.starts[index] as usize;
            (symbol, self.counts[index], &self.places[end - self.sizes[index] as usize..end])
        })
    }
}
