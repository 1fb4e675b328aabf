//! The BPE trainer.
//!
//! Rule.    Merge the adjacent pair with the highest count, until the vocabulary is full or no pair
//!          occurs `min_frequency` times. Overlapping occurrences count (aaa: aa twice). Ties go by
//!          a named rule (`pairs::Tie`). Replacement runs left to right in each word.
//!          A join whose string exists already takes that string's id; its words are then settled
//!          with all merges so far, so that after k merges the corpus is exactly what encoding with
//!          the first k merges gives.
//! Cost.    O(N) replacements in all for N units of unique words, each a few array accesses; one
//!          hash look-up for each *neighbour symbol* of a merge, not for each place; the queue is
//!          lazy. A word whose pair did not change is never looked at.
//! Source.  Sennrich et al. 2016. With `like_tokenizers`, counts that tokenizers 0.23.3 leaves stale
//!          stay stale, so that the merges are the same (docs/compatibility.md).

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;

use super::corpus::{Arena, BOUNDARY, Words};
use super::pairs::{NO_SEGMENT, Pairs, Tie, Waiting};
use super::symbols::{LeftOut, Symbols};
use crate::collections::pair_map::{PairMap, pack, unpack};
use crate::error::{Error, Result};

/// What words are cut into first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// UTF-8 bytes.
    Byte,
    /// Characters.
    Char,
}

/// The options of a run, as train.py has checked them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What words are cut into first.
    pub unit: Unit,
    /// The most tokens, alphabet and special tokens included; None: no limit.
    pub vocab_size: Option<usize>,
    /// How many of them are special tokens, which are added after the run.
    pub special_tokens: usize,
    /// The most merges; None: no limit.
    pub num_merges: Option<usize>,
    /// A pair that occurs less often is never merged.
    pub min_frequency: u64,
    /// The longest symbol, in units.
    pub max_piece_length: Option<u32>,
    /// Which pair goes first among equals.
    pub tie: Tie,
    /// "value" or "gpt2": how bytes are numbered.
    pub byte_order: String,
    /// Characters that are in the alphabet whether or not they occur.
    pub initial_alphabet: Vec<String>,
    /// The most characters in the alphabet.
    pub limit_alphabet: Option<usize>,
    /// A symbol after each word.
    pub end_of_word: Option<String>,
    /// Never join a whole character to a piece of another.
    pub keep_characters: bool,
    /// Count as tokenizers 0.23.3 does.
    pub like_tokenizers: bool,
}

impl Options {
    /// An alphabet that does not fit is an error: nothing is dropped without being asked for.
    fn check_fits(&self, alphabet: usize) -> Result<()> {
        let smallest = alphabet + self.special_tokens;
        let (unit, remedy) = match self.unit {
            Unit::Byte => ("bytes", ""),
            Unit::Char => ("characters", ", unit='byte', or limit_alphabet"),
        };
        match self.vocab_size {
            Some(size) if size < smallest => Err(Error::Vocabulary(format!(
                "vocab_size={size} is below the {smallest} that this corpus needs ({alphabet} {unit} \
                 and {} special tokens); use vocab_size={smallest} or more{remedy}",
                self.special_tokens
            ))),
            _ => Ok(()),
        }
    }
}

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
    if !options.like_tokenizers {
        options.check_fits(alphabet)?;
    }
    let bytes = options.unit == Unit::Byte;
    let arena = Arena::new(words, &symbols, bytes, options.end_of_word.as_deref())?;
    let initial_tokens = arena.tokens();
    let pairs = Pairs::new(&arena, &symbols, options.tie, options.min_frequency);
    let mut run = Run {
        arena,
        pairs,
        merges: Vec::new(),
        ranks: PairMap::with_capacity(1 << 12),
        neighbours: Neighbours::default(),
        like_tokenizers: options.like_tokenizers,
        symbols,
    };
    let mut exhausted = false;
    while !run.is_full(options) && !exhausted {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        exhausted = !run.step();
    }
    if options.like_tokenizers {
        run.keep_last_of_equal_merges();
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
    /// Pair → rank in the upper half, result in the lower: settles words after a known join.
    ranks: PairMap<u64>,
    neighbours: Neighbours,
    like_tokenizers: bool,
}

impl Run {
    fn is_full(&self, options: &Options) -> bool {
        let size = self.symbols.len() + options.special_tokens;
        options.vocab_size.is_some_and(|most| size >= most)
            || options.num_merges.is_some_and(|most| self.merges.len() >= most)
    }

    /// Makes one merge; false when no pair is left.
    fn step(&mut self) -> bool {
        let whole_chain = !self.like_tokenizers;
        let Some(next) = self.pairs.next(&self.arena, &self.symbols, whole_chain) else {
            return false;
        };
        let pair = self.pairs.segment(next.segment).pair;
        let (left, right) = unpack(self.pairs.pair(pair).ids);
        let (result, is_new) = self.symbols.join(left, right);
        let rank = self.merges.len() as u64;
        self.ranks.insert(pack(left, right), rank << 32 | u64::from(result));
        let merge = Merge { left, right, result, count: next.count, applied: 0 };
        let applied = if is_new || self.like_tokenizers {
            let places = self.places(&next);
            self.replace(merge, pair, &places)
        } else {
            self.settle(next.segment, merge)
        };
        self.merges.push(Merge { applied, ..merge });
        true
    }

    /// The places of a pair whose turn it is.
    ///
    /// tokenizers remembers words, not places, and those of one queue entry only. So a pair that
    /// waits more than once is replaced in the words of this entry, wherever in them it stands.
    fn places(&self, next: &Waiting) -> Vec<u32> {
        let mut segment = next.segment;
        let mut places = self.pairs.places(segment).to_vec();
        if self.pairs.segment(segment).older == NO_SEGMENT {
            return places;
        }
        let mut words: Vec<u32> = places.iter().map(|&at| self.arena.word(at as usize)).collect();
        words.dedup();
        loop {
            segment = self.pairs.segment(segment).older;
            if segment == NO_SEGMENT {
                break;
            }
            let of_words = |at: &&u32| words.binary_search(&self.arena.word(**at as usize)).is_ok();
            places.extend(self.pairs.places(segment).iter().filter(of_words));
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Replaces the pair wherever it stands; gives the tokens saved.
    fn replace(&mut self, merge: Merge, pair: u32, places: &[u32]) -> u64 {
        let Merge { left, right, result, .. } = merge;
        let (left_length, length) = (self.symbols.length(left), self.symbols.length(result));
        let mut applied = 0;
        self.neighbours.clear(self.symbols.len());
        for &place in places {
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
                self.neighbours.left.add(before, count, at);
            }
            if after != BOUNDARY {
                self.neighbours.right.add(after, count, place);
            }
        }
        if !self.like_tokenizers {
            let rest = self.pairs.pair(pair).count - applied;
            self.pairs.set_count(pair, rest);
        }
        self.renew_neighbours(merge);
        applied
    }

    /// Counts what a merge has changed around it: additions first, since what it made beside one
    /// place it may have taken away again at the next (aaaa).
    fn renew_neighbours(&mut self, merge: Merge) {
        let Merge { left, right, result, .. } = merge;
        let mut neighbours = std::mem::take(&mut self.neighbours);
        neighbours.sort();
        let mut renewed = Vec::new();
        for (before, count, places) in neighbours.left.groups() {
            renewed.push(self.pairs.add(before, result, count, places));
        }
        for (after, count, places) in neighbours.right.groups() {
            renewed.push(self.pairs.add(result, after, count, places));
        }
        renewed.sort_unstable();
        renewed.dedup();
        for (before, count, _) in neighbours.left.groups() {
            self.pairs.subtract(before, left, count);
        }
        for (after, count, _) in neighbours.right.groups() {
            self.pairs.subtract(right, after, count);
        }
        self.neighbours = neighbours;
        for pair in renewed {
            self.pairs.enqueue(pair, &self.symbols);
        }
    }

    /// The slow way, for a join that existed: settles each word with all merges so far.
    fn settle(&mut self, segment: u32, merge: Merge) -> u64 {
        let mut applied = 0;
        let mut changed: Vec<(u64, u32, u64)> = Vec::new();
        for place in self.pairs.places(segment).to_vec() {
            let at = place as usize;
            if !self.arena.holds(at, merge.left, merge.right, &self.symbols) {
                continue; // already settled with its word, or gone before
            }
            let count = self.arena.count(at);
            let (start, run) = self.arena.run(at, &self.symbols);
            let settled = self.encode(run.clone());
            applied += count * (run.len() - settled.len()) as u64;
            let (old, new) = (self.places_of(start, &run), self.places_of(start, &settled));
            for &(ids, _) in old.iter().filter(|pair| new.binary_search(pair).is_err()) {
                let (left, right) = unpack(ids);
                self.pairs.subtract(left, right, count);
            }
            let added = new.iter().filter(|pair| old.binary_search(pair).is_err());
            changed.extend(added.map(|&(ids, at)| (ids, at, count)));
            self.arena.set_run(start, &settled, &self.symbols);
        }
        changed.sort_unstable();
        for of_pair in changed.chunk_by(|a, b| a.0 == b.0) {
            let (left, right) = unpack(of_pair[0].0);
            let places: Vec<u32> = of_pair.iter().map(|&(_, at, _)| at).collect();
            let count = of_pair.iter().map(|&(_, _, count)| count).sum();
            let pair = self.pairs.add(left, right, count, &places);
            self.pairs.gather(pair, &self.arena, &self.symbols);
            self.pairs.enqueue(pair, &self.symbols);
        }
        applied
    }

    /// The lowest rank first, the leftmost among equals: the rule of encoding.
    fn encode(&self, mut run: Vec<u32>) -> Vec<u32> {
        loop {
            let merges = run.windows(2).enumerate().filter_map(|(at, pair)| {
                self.ranks.get(pack(pair[0], pair[1])).map(|merge| (merge, at))
            });
            let Some((merge, at)) = merges.min() else { return run };
            run[at] = merge as u32;
            run.remove(at + 1);
        }
    }

    /// Every pair of a run with its place, sorted.
    fn places_of(&self, mut at: usize, run: &[u32]) -> Vec<(u64, u32)> {
        let mut places: Vec<(u64, u32)> = Vec::with_capacity(run.len());
        for pair in run.windows(2) {
            places.push((pack(pair[0], pair[1]), at as u32));
            at += self.symbols.length(pair[0]);
        }
        places.sort_unstable();
        places
    }

    /// tokenizers lists a pair again when it merges again, and the last row is the one that counts.
    fn keep_last_of_equal_merges(&mut self) {
        let mut rank = 0;
        let ranks = &self.ranks;
        self.merges.retain(|merge| {
            rank += 1;
            ranks.get(pack(merge.left, merge.right)).is_some_and(|last| last >> 32 == rank - 1)
        });
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

    fn sort(&mut self) {
        self.left.sort();
        self.right.sort();
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
