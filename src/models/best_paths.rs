//! The best paths through a lattice: exact, all different, best first.
//!
//! Rule.    Each place has its ways in order. A way is a node that ends there behind a way to where
//!          the node starts; the better one goes first, and among equal ones that whose last piece
//!          begins first (the longest). Sums are rounded to 32 bits where the model has such scores;
//!          when one passes 100,000, scores are counted from that place on.
//!          The best way to each place is found from left to right. Any other is looked for when it
//!          is asked for: the next way to a place is the best of those that wait, one for each node
//!          that ends there, and in place of one that is taken the next way to its start waits.
//! Cost.    O(m) for the best of m nodes. Each further path takes at most one more way to each place
//!          of the one before, mostly to a few; a way is 24 bytes.
//! Source.  Huang and Chiang 2005, "Better k-best Parsing", algorithm 3; sentencepiece 0.2.3 for
//!          rounding and ties.

use super::lattice::{Lattice, Path};
use crate::error::Result;
use crate::stop::{Stop, check};

/// No way.
const NONE: u32 = u32::MAX;
/// From this sum on, scores of 32 bits are counted from the present place on.
const FAR_FROM_ZERO: f64 = 100_000.0;

/// A way to get to a place.
struct Way {
    score: f64,
    /// Its last node.
    node: u32,
    /// The way to where that starts.
    before: u32,
    /// The next best way to the same place, if it has been looked for.
    next: u32,
}

/// The paths of highest score, best first; fewer than `count` if there are. `float32` says whether
/// sums are rounded to 32 bits.
pub fn best_paths(
    lattice: &Lattice,
    count: usize,
    float32: bool,
    stop: &Stop,
) -> Result<Vec<Path>> {
    let mut ways = Ways::to_all_places(lattice, float32, stop)?;
    let mut paths = Vec::new();
    let mut way = ways.first[lattice.length()];
    while way != NONE && paths.len() < count {
        stop.check()?;
        paths.push(ways.path(way));
        if paths.len() < count {
            ways.more(lattice.length());
            way = ways.made[way as usize].next;
        }
    }
    Ok(paths)
}

struct Ways<'a> {
    lattice: &'a Lattice,
    float32: bool,
    /// All that were made so far.
    made: Vec<Way>,
    /// Place → its first way, and the last one so far.
    first: Vec<u32>,
    last: Vec<u32>,
    /// Place → whether it has all its ways.
    complete: Vec<bool>,
    /// Node → the way to its start that waits to be gone on with.
    waiting: Vec<u32>,
    /// Where the zero was moved, and by how much.
    moves: Vec<(u32, f64)>,
}

impl<'a> Ways<'a> {
    /// The best way to each place.
    fn to_all_places(lattice: &'a Lattice, float32: bool, stop: &Stop) -> Result<Self> {
        let places = lattice.length() + 1;
        let mut ways = Self {
            lattice,
            float32,
            made: vec![Way { score: 0.0, node: NONE, before: NONE, next: NONE }],
            first: vec![NONE; places],
            last: vec![NONE; places],
            complete: vec![false; places],
            waiting: vec![NONE; lattice.nodes.len()],
            moves: Vec::new(),
        };
        (ways.first[0], ways.last[0], ways.complete[0]) = (0, 0, true);
        for place in 1..places {
            check(place, stop)?;
            for node in lattice.ending_at(place) {
                ways.waiting[node] = ways.first[lattice.nodes[node].start as usize];
            }
            ways.take(place);
            if place + 1 < places {
                ways.move_zero(place);
            }
        }
        Ok(ways)
    }

    /// One more way to a place, where there is one. Before it may be taken, the way that was taken
    /// last must have its successor, and that may need one more way to another place, and so on.
    fn more(&mut self, place: usize) {
        let mut chain = vec![place];
        let mut at = place;
        while !self.complete[at] {
            let way = &self.made[self.last[at] as usize];
            if self.made[way.before as usize].next != NONE {
                break;
            }
            at = self.lattice.nodes[way.node as usize].start as usize;
            chain.push(at);
        }
        for at in chain.into_iter().rev() {
            if !self.complete[at] {
                let way = &self.made[self.last[at] as usize];
                self.waiting[way.node as usize] = self.made[way.before as usize].next;
                self.take(at);
            }
        }
    }

    /// Makes the best of those that wait the next way to a place.
    fn take(&mut self, place: usize) {
        let mut best: Option<(usize, f64)> = None;
        for node in self.lattice.ending_at(place) {
            if self.waiting[node] != NONE {
                let score = self.extended(self.waiting[node], node);
                if best.is_none_or(|(_, highest)| score > highest) {
                    best = Some((node, score));
                }
            }
        }
        let Some((node, score)) = best else {
            self.complete[place] = true;
            return;
        };
        let (before, new) = (self.waiting[node], self.made.len() as u32);
        self.waiting[node] = self.made[before as usize].next;
        self.made.push(Way { score, node: node as u32, before, next: NONE });
        match self.last[place] {
            NONE => self.first[place] = new,
            last => self.made[last as usize].next = new,
        }
        self.last[place] = new;
    }

    /// The score of a way with a node behind it, counted as at the node's end.
    fn extended(&self, way: u32, node: usize) -> f64 {
        let node = &self.lattice.nodes[node];
        let score = self.rounded(self.made[way as usize].score + node.score);
        let passed = self.moves.partition_point(|&(place, _)| place <= node.start);
        let moves = self.moves[passed..].iter().take_while(|&&(place, _)| place <= node.end);
        moves.fold(score, |score, &(_, offset)| self.rounded(score - offset))
    }

    /// Counts scores from a place on from the best way to there, if that is far from zero.
    fn move_zero(&mut self, place: usize) {
        if let Some(way) = self.made.get_mut(self.first[place] as usize)
            && self.float32
            && way.score.abs() > FAR_FROM_ZERO
        {
            self.moves.push((place as u32, way.score));
            way.score = 0.0;
        }
    }

    /// The nearest number of 32 bits, if sums are such; adding two of these in 64 bits and rounding
    /// is the same as adding them in 32.
    fn rounded(&self, score: f64) -> f64 {
        if self.float32 { f64::from(score as f32) } else { score }
    }

    /// A way to the end with all its nodes.
    fn path(&self, way: u32) -> Path {
        let zero: f64 = self.moves.iter().map(|&(_, offset)| offset).sum();
        let score = zero + self.made[way as usize].score;
        let mut nodes = Vec::new();
        let mut way = &self.made[way as usize];
        while way.node != NONE {
            nodes.push(self.lattice.nodes[way.node as usize]);
            way = &self.made[way.before as usize];
        }
        nodes.reverse();
        Path { nodes, score }
    }
}

#[cfg(test)]
mod tests {
    use super::best_paths;
    use crate::models::lattice::{Lattice, Node};
    use crate::stop::Stop;

    /// Ten characters cut in all 512 ways; how good a way is depends on its number of pieces alone.
    #[test]
    fn all_paths_in_order() {
        let spans = (0..10).flat_map(|start| (start + 1..=10).map(move |end| (start, end)));
        let node = |(start, end)| Node { id: 0, start, end, score: -1.0 };
        let lattice = Lattice::new(10, spans.map(node).collect()).unwrap();
        for float32 in [false, true] {
            let paths = best_paths(&lattice, 1000, float32, &Stop::default()).unwrap();
            assert_eq!(paths.len(), 512);
            assert!(paths.windows(2).all(|two| two[0].score >= two[1].score));
            assert_eq!((paths[0].nodes.len(), paths[511].nodes.len()), (1, 10));
            let mut cuts: Vec<Vec<u32>> =
                paths.iter().map(|path| path.nodes.iter().map(|node| node.end).collect()).collect();
            cuts.sort();
            cuts.dedup();
            assert_eq!(cuts.len(), 512);
        }
    }

    #[test]
    fn an_empty_text_has_one_way() {
        let lattice = Lattice::new(0, Vec::new()).unwrap();
        let paths = best_paths(&lattice, 3, false, &Stop::default()).unwrap();
        assert_eq!((paths.len(), paths[0].nodes.len()), (1, 0));
    }
}
