//! The pairs of a BPE run: their exact counts, where each stands, and which comes next.
//!
//! Positions are only ever appended to one array. A place whose pair has since changed is passed
//! over when it is met, since a pair never comes back to a place that it has left.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::bpe::Merge;
use super::corpus::{Arena, BOUNDARY};
use super::options::{MergeBy, Options, Tie};
use super::symbols::Symbols;
use super::word_piece::{Likelihoods, Worth};
use crate::collections::heap::Heap;
use crate::collections::pair_map::{PairMap, pack, unpack};
use crate::error::{Error, Result};

/// What is known of one pair. All its places come at once, when its newer symbol is made.
#[derive(Clone, Copy)]
struct Pair {
    /// Both ids, packed.
    ids: u64,
    /// How often it stands in the corpus now.
    count: u64,
    /// Its places, ascending, in the positions.
    start: usize,
    end: usize,
}

/// A pair that waits to be merged, with what was true when it was put there.
#[derive(Clone, Copy)]
struct Waiting {
    count: u64,
    /// The packed ids, or for first-seen its first place.
    key: u64,
    pair: u32,
}

/// The pair whose turn it is.
pub struct Next {
    /// Its ids.
    pub left: u32,
    /// Its ids.
    pub right: u32,
    /// How often it stands in the corpus.
    pub count: u64,
    /// Its places, live and dead, ascending.
    pub places: Range<usize>,
}

/// All pairs.
pub struct Pairs {
    /// Packed ids → index + 1.
    index: PairMap<u32>,
    known: Vec<Pair>,
    positions: Vec<u32>,
    /// By count; empty where likelihood decides.
    queue: Heap<Waiting>,
    likelihoods: Option<Likelihoods>,
    tie: Tie,
    least: u64,
}

impl Pairs {
    /// Counts the pairs of the corpus; those that occur less than `least` times never wait. With 0
    /// those wait too that stand nowhere any more; "first-seen", which asks where, has no such.
    pub fn new(
        arena: &Arena,
        symbols: &Symbols,
        options: &Options,
        stop: &AtomicBool,
    ) -> Result<Self> {
        let (tie, least) = (options.tie, options.min_frequency);
        let by_likelihood = options.merge_by == MergeBy::Likelihood;
        let mut pairs = Self {
            index: PairMap::with_capacity(1 << 16),
            known: Vec::new(),
            positions: Vec::new(),
            queue: Heap::from_vec(Vec::new(), |_: &Waiting, _| false),
            likelihoods: None,
            tie,
            least: least.max(u64::from(tie == Tie::FirstSeen || by_likelihood)),
        };
        let adjacent = || {
            (1..arena.len()).filter_map(|at| {
                let (left, right) = (arena.cell(at - 1), arena.cell(at));
                (left != BOUNDARY && right != BOUNDARY).then(|| (at - 1, pack(left, right)))
            })
        };
        // Count first, then give each pair its stretch of the positions, then fill the stretches.
        for (at, ids) in adjacent() {
            check(stop, at)?;
            let pair = pairs.find_or_add(ids);
            pairs.known[pair].count += arena.count(at);
            pairs.known[pair].end += 1;
        }
        let mut start = 0;
        for pair in &mut pairs.known {
            let size = std::mem::replace(&mut pair.end, start);
            pair.start = start;
            start += size;
        }
        pairs.positions.resize(start, 0);
        for (at, ids) in adjacent() {
            check(stop, at)?;
            let pair = pairs.find_or_add(ids);
            let end = &mut pairs.known[pair].end;
            pairs.positions[*end] = at as u32;
            *end += 1;
        }
        if by_likelihood {
            pairs.likelihoods = Some(Likelihoods::new(arena, symbols.len()));
            let all: Vec<usize> = (0..pairs.known.len()).collect();
            pairs.weigh(&[], &all, arena, symbols);
            return Ok(pairs);
        }
        let waiting = (0..pairs.known.len()).filter_map(|pair| pairs.waiting(pair, symbols));
        pairs.queue = Heap::from_vec(waiting.collect(), |a, b| before(tie, symbols, a, b));
        Ok(pairs)
    }

    fn find_or_add(&mut self, ids: u64) -> usize {
        let slot = self.index.entry(ids);
        if *slot == 0 {
            self.known.push(Pair { ids, count: 0, start: 0, end: 0 });
            *slot = self.known.len() as u32;
        }
        *slot as usize - 1
    }

    /// A place of a pair.
    #[inline]
    pub fn place(&self, index: usize) -> u32 {
        self.positions[index]
    }

    /// Takes occurrences from a pair that has them.
    pub fn subtract(&mut self, left: u32, right: u32, count: u64) {
        let pair = self.find_or_add(pack(left, right));
        let there = &mut self.known[pair].count;
        debug_assert!(*there >= count, "the count of a pair never falls below zero");
        *there -= count;
    }

    /// Adds a pair that was never there before, with its ascending places.
    pub fn add(&mut self, left: u32, right: u32, count: u64, places: &[u32]) -> usize {
        let pair = self.find_or_add(pack(left, right));
        let start = self.positions.len();
        self.positions.extend_from_slice(places);
        let new = &mut self.known[pair];
        debug_assert_eq!(new.count, 0, "one string has one merge tree: a pair is new only once");
        new.count = count;
        (new.start, new.end) = (start, self.positions.len());
        pair
    }

    /// Brings the queue up to date after a merge, which made new pairs.
    pub fn settle(&mut self, merge: &Merge, new: &[usize], arena: &Arena, symbols: &Symbols) {
        if let Some(likelihoods) = &mut self.likelihoods {
            likelihoods.count(merge);
            return self.weigh(&[merge.left, merge.right], new, arena, symbols);
        }
        for &pair in new {
            if let Some(waiting) = self.waiting(pair, symbols) {
                self.push(waiting, symbols);
            }
        }
    }

    /// Weighs all pairs of the symbols whose count has changed, and the new ones, of which those
    /// are left out that may never be merged.
    fn weigh(&mut self, changed: &[u32], new: &[usize], arena: &Arena, symbols: &Symbols) {
        let Some(mut likelihoods) = self.likelihoods.take() else { return };
        let tie = self.tie;
        let order = |a: u64, b: u64| tied(tie, symbols, a, b);
        for &pair in new {
            if self.waiting(pair, symbols).is_some() {
                let worth = self.worth(pair, arena, symbols);
                likelihoods.add(pair as u32, unpack(self.known[pair].ids), worth, order);
            }
        }
        for &symbol in changed {
            likelihoods.reweigh(symbol, order, |pair| {
                let there = self.known[pair as usize].count >= self.least;
                let ids = unpack(self.known[pair as usize].ids);
                there.then(|| (ids, self.worth(pair as usize, arena, symbols)))
            });
        }
        self.likelihoods = Some(likelihoods);
    }

    /// What decides over a pair beside the counts of its parts.
    fn worth(&mut self, pair: usize, arena: &Arena, symbols: &Symbols) -> Worth {
        let Pair { ids, count, .. } = self.known[pair];
        let key = match self.tie {
            Tie::FirstSeen => self.first_live(pair as u32, arena, symbols),
            _ => ids,
        };
        Worth { count, key }
    }

    fn push(&mut self, waiting: Waiting, symbols: &Symbols) {
        let tie = self.tie;
        self.queue.push(waiting, |a, b| before(tie, symbols, a, b));
    }

    fn waiting(&self, pair: usize, symbols: &Symbols) -> Option<Waiting> {
        let Pair { ids, count, start, end } = self.known[pair];
        let (left, right) = unpack(ids);
        let key = match self.tie {
            Tie::FirstSeen if start < end => u64::from(self.positions[start]),
            _ => ids,
        };
        (count >= self.least && symbols.may_join(left, right)).then_some(Waiting {
            count,
            key,
            pair: pair as u32,
        })
    }

    /// Takes out the pair whose turn it is.
    ///
    /// Counts only fall and first places only rise while a pair waits, so an entry whose state is
    /// still true when it comes out is the best of all; one whose state is not goes back.
    pub fn next(&mut self, arena: &Arena, symbols: &Symbols) -> Option<Next> {
        let tie = self.tie;
        if let Some(likelihoods) = &self.likelihoods {
            let Pair { ids, count, start, end } = self.known[likelihoods.first()? as usize];
            let (left, right) = unpack(ids);
            return Some(Next { left, right, count, places: start..end });
        }
        loop {
            let mut waiting = self.queue.pop(|a, b| before(tie, symbols, a, b))?;
            let Pair { ids, count, .. } = self.known[waiting.pair as usize];
            if count < self.least {
                continue;
            }
            let mut still_true = count == waiting.count;
            waiting.count = count;
            if tie == Tie::FirstSeen {
                let first = self.first_live(waiting.pair, arena, symbols);
                still_true &= first == waiting.key;
                waiting.key = first;
            }
            if !still_true {
                self.push(waiting, symbols);
                continue;
            }
            let Pair { start, end, .. } = self.known[waiting.pair as usize];
            let (left, right) = unpack(ids);
            return Some(Next { left, right, count, places: start..end });
        }
    }

    /// The first place where the pair still stands; dead ones before it are dropped for good.
    fn first_live(&mut self, pair: u32, arena: &Arena, symbols: &Symbols) -> u64 {
        let pair = &mut self.known[pair as usize];
        let (left, right) = unpack(pair.ids);
        while !arena.holds(self.positions[pair.start] as usize, left, right, symbols) {
            pair.start += 1;
        }
        u64::from(self.positions[pair.start])
    }
}

/// Looks now and then whether the run is to go on.
#[inline]
fn check(stop: &AtomicBool, at: usize) -> Result<()> {
    let is_asked = at.is_multiple_of(1 << 20);
    if is_asked && stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Whether `a` is merged before `b`: the higher count, and among equals as the tie rule says.
fn before(tie: Tie, symbols: &Symbols, a: &Waiting, b: &Waiting) -> bool {
    if a.count != b.count {
        return a.count > b.count;
    }
    tied(tie, symbols, a.key, b.key)
}

/// The tie rule, over the keys of two pairs.
fn tied(tie: Tie, symbols: &Symbols, a: u64, b: u64) -> bool {
    let ((a_left, a_right), (b_left, b_right)) = (unpack(a), unpack(b));
    match tie {
        Tie::LowestIds | Tie::FirstSeen => a < b,
        Tie::GreatestPair => {
            (symbols.string(a_left), symbols.string(a_right))
                > (symbols.string(b_left), symbols.string(b_right))
        }
        Tie::Sentencepiece => {
            let length = |left, right| symbols.length(left) + symbols.length(right);
            let join = |left, right| symbols.string(left).iter().chain(symbols.added_by(right));
            length(a_left, a_right)
                .cmp(&length(b_left, b_right))
                .then_with(|| join(a_left, a_right).cmp(join(b_left, b_right)))
                .then(a.cmp(&b))
                .is_lt()
        }
    }
}
