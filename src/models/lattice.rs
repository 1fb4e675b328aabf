//! The lattice: every way to cut a text into pieces, and what can be asked of all of them at once.
//!
//! Rule.    A node is a piece at its place in the text; a path from the beginning to the end is a
//!          way to cut the text, and its score the sum of those of its nodes. With scores that are
//!          logarithms of probabilities, a path has the probability exp(alpha · score) divided by
//!          the sum of that over all paths.
//!          `forward` sums over all ways to get to a place, `backward` over all ways from there to
//!          the end; both together say how likely a piece is. Best paths are in `best_paths.rs`.
//! Cost.    O(m) for m nodes, which are 24 bytes each; a text of n characters has at most n times
//!          the length of the longest piece, mostly three or four times n.
//! Source.  Kudo 2018.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::random_numbers::RandomNumbers;
use crate::stop::{Stop, check};

/// The id of an unknown character.
pub const UNKNOWN: u32 = u32::MAX;
/// A hostile model makes a node of every part of a text; this many are six gigabytes.
const MOST_NODES: usize = 1 << 28;

/// A piece at its place: bytes from start to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Its id, or `UNKNOWN`.
    pub id: u32,
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Its score.
    pub score: f64,
}

/// A way to cut the whole text.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its nodes, from the left.
    pub nodes: Vec<Node>,
    /// The sum of their scores.
    pub score: f64,
}

/// All pieces that stand in a text.
pub struct Lattice {
    /// All nodes in order of their ends, and of their starts where they end together.
    pub nodes: Vec<Node>,
    /// Place → how many nodes end before it.
    ending: Vec<u32>,
}

impl Lattice {
    /// Lays nodes out by their places.
    pub fn new(length: usize, mut nodes: Vec<Node>) -> Result<Self> {
        if nodes.len() > MOST_NODES || length >= u32::MAX as usize {
            return Err(Error::Encoding(format!(
                "{} pieces stand in this text of {length} bytes; {MOST_NODES} is the limit for \
                 asking about all ways to cut it, so cut it into shorter texts",
                nodes.len()
            )));
        }
        nodes.sort_by_key(|node| (node.end, node.start));
        let mut ending = vec![0; length + 2];
        for node in &nodes {
            ending[node.end as usize + 1] += 1;
        }
        for place in 0..=length {
            ending[place + 1] += ending[place];
        }
        Ok(Self { nodes, ending })
    }

    /// The length of the text, in bytes.
    pub fn length(&self) -> usize {
        self.ending.len() - 2
    }

    /// The nodes that end at a place, those that start first first.
    pub fn ending_at(&self, place: usize) -> Range<usize> {
        self.ending[place] as usize..self.ending[place + 1] as usize
    }

    /// For each place the log of the sum of exp(alpha · score) over all ways to get there.
    pub fn forward(&self, alpha: f64, stop: &Stop) -> Result<Vec<f64>> {
        let mut sums = vec![0.0; self.length() + 1];
        for place in 1..sums.len() {
            check(place, stop)?;
            let ways = self.nodes[self.ending_at(place)].iter();
            let log = |node: &Node| sums[node.start as usize] + alpha * node.score;
            let highest = ways.clone().map(log).fold(f64::NEG_INFINITY, f64::max);
            sums[place] = if highest.is_infinite() {
                highest
            } else {
                let sum: f64 = ways.map(|node| libm::exp(log(node) - highest)).sum();
                highest + libm::log(sum)
            };
        }
        Ok(sums)
    }

    /// The same over all ways from there to the end.
    fn backward(&self, alpha: f64, stop: &Stop) -> Result<Vec<f64>> {
        let mut sums = vec![f64::NEG_INFINITY; self.length() + 1];
        sums[self.length()] = 0.0;
        // What begins where a node ends comes before it, as it ends later.
        for node in self.nodes.iter().rev() {
            check(node.end as usize, stop)?;
            let log = alpha * node.score + sums[node.end as usize];
            let sum = &mut sums[node.start as usize];
            let (more, less) = if log > *sum { (log, *sum) } else { (*sum, log) };
            *sum =
                if more.is_infinite() { more } else { more + libm::log1p(libm::exp(less - more)) };
        }
        Ok(sums)
    }

    /// Each node with its probability, the share of the paths that go through it, in order of
    /// places.
    pub fn marginals(&self, alpha: f64, stop: &Stop) -> Result<Vec<(Node, f64)>> {
        let (before, after) = (self.forward(alpha, stop)?, self.backward(alpha, stop)?);
        let all = before[self.length()];
        let share = |node: &Node| {
            let through = alpha * node.score + after[node.end as usize];
            libm::exp(before[node.start as usize] + through - all)
        };
        let mut shares: Vec<_> = self.nodes.iter().map(|node| (*node, share(node))).collect();
        shares.sort_by_key(|(node, _)| (node.start, node.end));
        Ok(shares)
    }

    /// How uncertain the cut is, in nats: 0 for one path, log n for n equally likely ones.
    ///
    /// A path has the log probability alpha · score − Z, and the mean of a sum over nodes is the
    /// sum over nodes of their probabilities.
    pub fn entropy(&self, alpha: f64, stop: &Stop) -> Result<f64> {
        let shares = self.marginals(alpha, stop)?;
        let mean: f64 = shares.iter().map(|(node, share)| share * alpha * node.score).sum();
        Ok((self.forward(alpha, stop)?[self.length()] - mean).max(0.0))
    }

    /// Draws a path by its probability: from the end on, each last piece by its share. `before` is
    /// what `forward` gives for the same alpha.
    pub fn sample(&self, alpha: f64, before: &[f64], numbers: &mut RandomNumbers) -> Path {
        let mut nodes: Vec<Node> = Vec::new();
        let mut weights = Vec::new();
        let mut place = self.length();
        while place > 0 {
            let ending = &self.nodes[self.ending_at(place)];
            weights.clear();
            weights.extend(ending.iter().map(|node| {
                libm::exp(before[node.start as usize] + alpha * node.score - before[place])
            }));
            let node = ending[numbers.choose(&weights)];
            nodes.push(node);
            place = node.start as usize;
        }
        nodes.reverse();
        let score = nodes.iter().map(|node| node.score).sum();
        Path { nodes, score }
    }
}
