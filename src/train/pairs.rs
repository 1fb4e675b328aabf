//! The pairs of a BPE run: their exact counts, where each stands, and which comes next.
//!
//! Positions are only ever appended to one array. A place whose pair has since changed is passed
//! over when it is met, since a pair never comes back to a place that it has left.

use super::corpus::{Arena, BOUNDARY};
use super::symbols::Symbols;
use crate::collections::heap::Heap;
use crate::collections::pair_map::{PairMap, pack, unpack};

/// Which of several pairs with the highest count is merged first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The smallest left id, then the smallest right id: document order does not matter.
    LowestIds,
    /// The pair that stands first in the corpus, as a count in reading order finds it.
    FirstSeen,
    /// The greatest pair of strings, as `max` over (count, pair) finds it.
    GreatestPair,
    /// The shortest join, then the smallest: SentencePiece's order.
    Sentencepiece,
}

/// What is known of one pair.
#[derive(Clone, Copy)]
pub struct Pair {
    /// Both ids, packed.
    pub ids: u64,
    /// How often it stands in the corpus now.
    pub count: u64,
    /// The segment that holds its places.
    pub segment: u32,
}

/// A stretch of the positions, all of one pair, ascending.
#[derive(Clone, Copy)]
pub struct Segment {
    /// Which pair.
    pub pair: u32,
    start: usize,
    end: usize,
    /// An older segment of the same pair, or `NO_SEGMENT`.
    pub older: u32,
}

/// The end of a chain of segments.
pub const NO_SEGMENT: u32 = u32::MAX;

/// A pair that waits to be merged, with what was true when it was put there.
#[derive(Clone, Copy)]
pub struct Waiting {
    /// Its count then.
    pub count: u64,
    /// The packed ids, or for first-seen its first place then.
    key: u64,
    /// Its segment then.
    pub segment: u32,
}

/// All pairs.
pub struct Pairs {
    index: PairMap<u32>,
    pairs: Vec<Pair>,
    segments: Vec<Segment>,
    positions: Vec<u32>,
    queue: Heap<Waiting>,
    tie: Tie,
    least: u64,
}

impl Pairs {
    /// Counts the pairs of the corpus; those that occur less than `least` times never wait.
    pub fn new(arena: &Arena, symbols: &Symbols, tie: Tie, least: u64) -> Self {
        let mut pairs = Self {
            index: PairMap::with_capacity(1 << 16),
            pairs: Vec::new(),
            segments: Vec::new(),
            positions: Vec::new(),
            queue: Heap::from_vec(Vec::new(), |_: &Waiting, _| false),
            tie,
            least: least.max(1),
        };
        let adjacent = || {
            (1..arena.len()).filter_map(|at| {
                let (left, right) = (arena.cell(at - 1), arena.cell(at));
                (left != BOUNDARY && right != BOUNDARY).then(|| (at - 1, pack(left, right)))
            })
        };
        let mut sizes: Vec<usize> = Vec::new();
        for (at, ids) in adjacent() {
            let pair = pairs.find_or_add(ids) as usize;
            pairs.pairs[pair].count += arena.count(at);
            sizes.resize(pairs.pairs.len(), 0);
            sizes[pair] += 1;
        }
        let mut start = 0;
        for (pair, &size) in sizes.iter().enumerate() {
            pairs.pairs[pair].segment = pair as u32;
            let segment = Segment { pair: pair as u32, start, end: start, older: NO_SEGMENT };
            pairs.segments.push(segment);
            start += size;
        }
        pairs.positions.resize(start, 0);
        for (at, ids) in adjacent() {
            let pair = pairs.find_or_add(ids) as usize;
            let segment = &mut pairs.segments[pair];
            pairs.positions[segment.end] = at as u32;
            segment.end += 1;
        }
        let waiting = (0..pairs.pairs.len() as u32).filter_map(|pair| pairs.waiting(pair, symbols));
        let waiting: Vec<Waiting> = waiting.collect();
        pairs.queue = Heap::from_vec(waiting, |a, b| before(tie, symbols, a, b));
        pairs
    }

    fn find_or_add(&mut self, ids: u64) -> u32 {
        // A slot of 0 is a new one: indices are stored one higher.
        let slot = self.index.entry(ids);
        if *slot == 0 {
            self.pairs.push(Pair { ids, count: 0, segment: NO_SEGMENT });
            *slot = self.pairs.len() as u32;
        }
        *slot - 1
    }

    /// The pair, if it was ever seen.
    pub fn find(&self, left: u32, right: u32) -> Option<u32> {
        self.index.get(pack(left, right)).map(|slot| slot - 1)
    }

    /// What is known of a pair.
    pub fn pair(&self, pair: u32) -> Pair {
        self.pairs[pair as usize]
    }

    /// A segment.
    pub fn segment(&self, segment: u32) -> Segment {
        self.segments[segment as usize]
    }

    /// The places of a segment, live and dead.
    pub fn places(&self, segment: u32) -> &[u32] {
        let Segment { start, end, .. } = self.segments[segment as usize];
        &self.positions[start..end]
    }

    /// Sets a count.
    pub fn set_count(&mut self, pair: u32, count: u64) {
        self.pairs[pair as usize].count = count;
    }

    /// Takes occurrences from a pair that has them.
    pub fn subtract(&mut self, left: u32, right: u32, count: u64) {
        let pair = self.find(left, right).expect("a pair that stands in the corpus was counted");
        let pair = &mut self.pairs[pair as usize];
        debug_assert!(pair.count >= count, "the count of a pair never falls below zero");
        pair.count -= count;
    }

    /// Adds occurrences at ascending places, in a new segment, and says which pair it is.
    pub fn add(&mut self, left: u32, right: u32, count: u64, places: &[u32]) -> u32 {
        let pair = self.find_or_add(pack(left, right));
        let start = self.positions.len();
        self.positions.extend_from_slice(places);
        let known = &mut self.pairs[pair as usize];
        known.count += count;
        let (end, older) = (self.positions.len(), known.segment);
        known.segment = self.segments.len() as u32;
        self.segments.push(Segment { pair, start, end, older });
        pair
    }

    /// Joins the chain of segments of a pair into one, live places only.
    pub fn gather(&mut self, pair: u32, arena: &Arena, symbols: &Symbols) {
        let known = self.pairs[pair as usize];
        if self.segments[known.segment as usize].older == NO_SEGMENT {
            return;
        }
        let (left, right) = unpack(known.ids);
        let mut places = Vec::new();
        let mut segment = known.segment;
        while segment != NO_SEGMENT {
            let live = |at: &&u32| arena.holds(**at as usize, left, right, symbols);
            places.extend(self.places(segment).iter().filter(live));
            segment = self.segments[segment as usize].older;
        }
        places.sort_unstable();
        let start = self.positions.len();
        self.positions.extend_from_slice(&places);
        self.pairs[pair as usize].segment = self.segments.len() as u32;
        let end = self.positions.len();
        self.segments.push(Segment { pair, start, end, older: NO_SEGMENT });
    }

    /// Puts a pair into the queue, if it may be merged at all.
    pub fn enqueue(&mut self, pair: u32, symbols: &Symbols) {
        if let Some(waiting) = self.waiting(pair, symbols) {
            self.push(waiting, symbols);
        }
    }

    fn push(&mut self, waiting: Waiting, symbols: &Symbols) {
        let tie = self.tie;
        self.queue.push(waiting, |a, b| before(tie, symbols, a, b));
    }

    fn waiting(&self, pair: u32, symbols: &Symbols) -> Option<Waiting> {
        let Pair { ids, count, segment } = self.pairs[pair as usize];
        let (left, right) = unpack(ids);
        let key = match self.tie {
            Tie::FirstSeen => self.places(segment).first().map_or(0, |&at| u64::from(at)),
            _ => ids,
        };
        (count >= self.least && symbols.may_join(left, right)).then_some(Waiting {
            count,
            key,
            segment,
        })
    }

    /// Takes out the pair whose turn it is, as an up-to-date `Waiting`.
    ///
    /// Counts only fall and first places only rise while a pair waits, so an entry whose state is
    /// still true when it comes out is the best of all; one whose state is not goes back.
    pub fn next(&mut self, arena: &Arena, symbols: &Symbols, whole_chain: bool) -> Option<Waiting> {
        loop {
            let tie = self.tie;
            let mut waiting = self.queue.pop(|a, b| before(tie, symbols, a, b))?;
            let Segment { pair, .. } = self.segments[waiting.segment as usize];
            let known = self.pairs[pair as usize];
            if whole_chain && known.segment != waiting.segment {
                continue; // it waits again, with all its places together
            }
            let mut still_true = known.count == waiting.count;
            waiting.count = known.count;
            if self.tie == Tie::FirstSeen && known.count >= self.least {
                let first = self.first_live(waiting.segment, known.ids, arena, symbols);
                still_true &= first == waiting.key;
                waiting.key = first;
            }
            if still_true {
                return Some(waiting);
            }
            if waiting.count >= self.least {
                self.push(waiting, symbols);
            }
        }
    }

    /// The first place where the pair still stands; dead ones before it are dropped for good.
    fn first_live(&mut self, segment: u32, ids: u64, arena: &Arena, symbols: &Symbols) -> u64 {
        let (left, right) = unpack(ids);
        let live = |&at: &u32| arena.holds(at as usize, left, right, symbols);
        let dead = self.places(segment).iter().position(live).unwrap_or(0);
        self.segments[segment as usize].start += dead;
        self.places(segment).first().map_or(0, |&at| u64::from(at))
    }
}

/// Whether `a` is merged before `b`: the higher count, and among equals as the tie rule says.
fn before(tie: Tie, symbols: &Symbols, a: &Waiting, b: &Waiting) -> bool {
    if a.count != b.count {
        return a.count > b.count;
    }
    let ((a_left, a_right), (b_left, b_right)) = (unpack(a.key), unpack(b.key));
    match tie {
        Tie::LowestIds | Tie::FirstSeen => a.key < b.key,
        Tie::GreatestPair => {
            (symbols.string(a_left), symbols.string(a_right))
                > (symbols.string(b_left), symbols.string(b_right))
        }
        Tie::Sentencepiece => {
            let length = |left, right| symbols.length(left) + symbols.length(right);
            let join = |left, right| symbols.string(left).iter().chain(symbols.string(right));
            length(a_left, a_right)
                .cmp(&length(b_left, b_right))
                .then_with(|| join(a_left, a_right).cmp(join(b_left, b_right)))
                .then(a.key.cmp(&b.key))
                .is_lt()
        }
    }
}
