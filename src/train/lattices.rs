//! The lattices of a corpus, all in flat arrays.
//!
//! Rule.    Words are cut wherever no piece goes across, and equal segments are kept once, with
//!          their counts together: the ways to cut a word are those of its segments, each with
//!          each. So when pieces are dropped, segments get shorter and fewer.
//!          A node is a piece of several characters at its place; that every character is a piece
//!          goes without saying.
//! Cost.    One pass over the nodes; four bytes a node and eight a character.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::pieces::{Pieces, Weight};
use super::seed_pieces::{END, Seeds, Text};
use crate::error::{Error, Result};
use crate::parallel;

/// The number of a piece that is dropped.
pub const DROPPED: u32 = u32::MAX;

/// Segments, each with its lattice.
#[derive(Default)]
pub struct Lattices {
    /// The characters of all segments, end to end, as symbols; a symbol is the number of its piece.
    pub symbols: Vec<u32>,
    /// Where the nodes of each place start; one more than there are places.
    pub starts: Vec<u32>,
    /// The pieces at each place, the shortest first.
    pub nodes: Vec<u32>,
    /// Where each segment starts; one more than there are.
    pub segments: Vec<u32>,
    /// How often each segment occurs.
    pub counts: Vec<u64>,
    /// A place of each piece; `DROPPED` where it has none.
    pub places: Vec<u32>,
}

impl Lattices {
    /// Lays out the lattices of a text; the seeds get the numbers behind the alphabet, in order.
    pub fn new(text: &Text, seeds: &Seeds, stop: &AtomicBool) -> Result<(Self, Pieces)> {
        let alphabet = text.alphabet.len();
        let lengths = seeds.seeds.iter().map(|seed| seed.length);
        let weights = (0..alphabet).map(|_| 1).chain(lengths);
        let weights = weights.map(|length| Weight { probability: 0.0, length }).collect();
        let pieces = Pieces { alphabet, weights };
        let (starts, nodes) = nodes_of(text, seeds)?;
        let whole = Self {
            symbols: text.symbols.clone(),
            starts,
            nodes,
            segments: text.starts.iter().copied().chain([text.symbols.len() as u32]).collect(),
            counts: text.counts.clone(),
            places: Vec::new(),
        };
        let all: Vec<u32> = (0..pieces.len() as u32).collect();
        Ok((whole.keep(&all, &pieces, stop)?, pieces))
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The pieces at a place, the shortest first, without that of one character.
    #[inline]
    pub fn nodes_at(&self, place: usize) -> &[u32] {
        &self.nodes[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The places of a segment.
    #[inline]
    pub fn places_of(&self, segment: usize) -> Range<usize> {
        self.segments[segment] as usize..self.segments[segment + 1] as usize
    }

    /// The symbols of a piece of several characters.
    pub fn string(&self, piece: usize, length: u32) -> &[u32] {
        &self.symbols[self.places[piece] as usize..][..length as usize]
    }

    /// The lattices that are left of these: `number` gives each piece its new number, and `pieces`
    /// are those that have one.
    pub fn keep(&self, number: &[u32], pieces: &Pieces, stop: &AtomicBool) -> Result<Self> {
        let mut kept = Builder {
            lattices: Self::default(),
            known: HashTable::new(),
            hasher: FixedState::default(),
        };
        kept.lattices.places = vec![DROPPED; pieces.len()];
        kept.lattices.segments.push(0);
        for segment in 0..self.len() {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let mut reach = self.segments[segment] as usize;
            for place in self.places_of(segment) {
                if place >= reach {
                    kept.end_segment(self.counts[segment]);
                }
                if self.symbols[place] == END {
                    break;
                }
                reach = reach.max(place + 1);
                let lattices = &mut kept.lattices;
                lattices.symbols.push(self.symbols[place]);
                lattices.starts.push(lattices.nodes.len() as u32);
                for &piece in self.nodes_at(place) {
                    let piece = number[piece as usize];
                    if piece != DROPPED {
                        lattices.nodes.push(piece);
                        let length = pieces.weights[piece as usize].length as usize;
                        reach = reach.max(place + length);
                    }
                }
            }
            kept.end_segment(self.counts[segment]);
        }
        Ok(kept.finish())
    }

    /// Cuts the segments into parts of about the same work, for threads; how does not depend on
    /// the number of threads, so that sums over parts do not either.
    pub fn parts(&self) -> Vec<Range<usize>> {
        /// A part has sums of its own for all pieces, so there are not many.
        const PARTS: usize = 16;
        let work = |segment: usize| {
            let Range { start, end } = self.places_of(segment);
            (self.starts[end] - self.starts[start]) as usize + end - start
        };
        let all = self.symbols.len() + self.nodes.len();
        parallel::groups((0..self.len()).map(work), all / PARTS + 1)
    }
}

/// The nodes of each place of a text.
fn nodes_of(text: &Text, seeds: &Seeds) -> Result<(Vec<u32>, Vec<u32>)> {
    let places = |seed: usize| {
        let seed = &seeds.seeds[seed];
        &seeds.order[seed.first as usize..][..seed.places as usize]
    };
    let total: usize = seeds.seeds.iter().map(|seed| seed.places as usize).sum();
    if total >= u32::MAX as usize {
        return Err(Error::Training(format!(
            "{total} places of possible pieces; at most {} fit in one run: use a smaller \
             seed_sentencepiece_size, or train on a sample",
            u32::MAX
        )));
    }
    let mut starts = vec![0_u32; text.symbols.len() + 1];
    for seed in 0..seeds.seeds.len() {
        for &place in places(seed) {
            starts[place as usize + 1] += 1;
        }
    }
    for place in 0..text.symbols.len() {
        starts[place + 1] += starts[place];
    }
    let mut by_length: Vec<u32> = (0..seeds.seeds.len() as u32).collect();
    by_length.sort_by_key(|&seed| seeds.seeds[seed as usize].length);
    let (mut nodes, mut next) = (vec![0; total], starts.clone());
    for seed in by_length {
        for &place in places(seed as usize) {
            let next = &mut next[place as usize];
            nodes[*next as usize] = text.alphabet.len() as u32 + seed;
            *next += 1;
        }
    }
    Ok((starts, nodes))
}

/// Lattices as they grow; the last segment is not ended yet.
struct Builder {
    lattices: Lattices,
    /// The segments so far, by their symbols.
    known: HashTable<u32>,
    hasher: FixedState,
}

impl Builder {
    /// Ends the last segment, unless it is empty; one that is there already is counted there.
    fn end_segment(&mut self, count: u64) {
        let Self { lattices, known, hasher } = self;
        let start = lattices.segments[lattices.len()] as usize;
        let symbols = &lattices.symbols[start..];
        if symbols.is_empty() {
            return;
        }
        let of = |segment: u32| {
            let segment = segment as usize;
            &lattices.symbols
                [lattices.segments[segment] as usize..lattices.segments[segment + 1] as usize]
        };
        let hash = hasher.hash_one(symbols);
        if let Some(&segment) = known.find(hash, |&segment| of(segment) == symbols) {
            lattices.counts[segment as usize] += count;
            lattices.symbols.truncate(start);
            lattices.nodes.truncate(lattices.starts[start] as usize);
            lattices.starts.truncate(start);
            return;
        }
        known.insert_unique(hash, lattices.len() as u32, |&segment| hasher.hash_one(of(segment)));
        lattices.counts.push(count);
        lattices.segments.push(lattices.symbols.len() as u32);
    }

    fn finish(mut self) -> Lattices {
        let lattices = &mut self.lattices;
        lattices.starts.push(lattices.nodes.len() as u32);
        for place in (0..lattices.symbols.len()).rev() {
            lattices.places[lattices.symbols[place] as usize] = place as u32;
            for node in lattices.starts[place]..lattices.starts[place + 1] {
                lattices.places[lattices.nodes[node as usize] as usize] = place as u32;
            }
        }
        self.lattices
    }
}
