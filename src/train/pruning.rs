//! Which pieces the corpus misses least.
//!
//! Rule.    Cut the corpus in its best way and count the pieces. Without a piece, each of its
//!          occurrences would become the best way to cut its string into other pieces; the loss is
//!          how much less likely the corpus is then, per token. A piece that is not the best way
//!          to cut its own string, or that is not used at all, goes first.
//! Cost.    A pass over the nodes for the counts; for each piece the nodes inside it, at one of its
//!          places in the corpus.
//! Source.  Kudo 2018; the loss is that of sentencepiece 0.2.3.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lattices::{DROPPED, Lattices};
use super::pieces::{Pieces, Weight};
use crate::error::Result;
use crate::parallel;

/// What each token more costs beside what it takes from the likelihood, in nats. Fewer tokens are
/// worth something in themselves; and the loss, which leaves all else as it is, makes too much of
/// long pieces that are rare.
const TOKEN_COST: f64 = 3.0;

/// Scores are multiples of it, so that sums are exact and a tie between two ways is a tie, wherever
/// a word is cut.
const SCORE_STEP: f64 = 1.0 / (1 << 24) as f64;

/// Pieces to a task of a thread.
const GROUP: usize = 4096;

/// Scores of pieces, and the best paths by them.
pub struct BestPaths<'a> {
    lattices: &'a Lattices,
    pieces: &'a Pieces,
    scores: Vec<f64>,
}

/// The best way to each place: its score, and its last piece.
type Way = (f64, u32);

impl<'a> BestPaths<'a> {
    /// Takes the probabilities of the pieces as they are now.
    pub fn new(lattices: &'a Lattices, pieces: &'a Pieces) -> Self {
        let score = |weight: &Weight| {
            (libm::log(weight.probability) / SCORE_STEP).round_ties_even() * SCORE_STEP
        };
        let scores = pieces.weights.iter().map(score).collect();
        Self { lattices, pieces, scores }
    }

    /// How often each piece stands in the best cuts of the corpus.
    pub fn counts(&self, threads: Option<usize>, stop: &AtomicBool) -> Result<Vec<u64>> {
        let parts = self.lattices.parts();
        let sums = parallel::map(threads, parts.len(), stop, Vec::new, |ways, part| {
            let mut counts = vec![0_u64; self.pieces.len()];
            for segment in parts[part].clone() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                self.walk(self.lattices.places_of(segment), DROPPED, ways);
                let count = self.lattices.counts[segment];
                self.trace(ways, |piece| counts[piece as usize] += count);
            }
            Ok(counts)
        })?;
        let mut all = vec![0; self.pieces.len()];
        for part in sums {
            all.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
        }
        Ok(all)
    }

    /// The best way to cut the string of a piece without that piece: its score and its pieces.
    fn without(&self, piece: u32, ways: &mut Vec<Way>, parts: &mut Vec<u32>) -> f64 {
        let start = self.lattices.places[piece as usize] as usize;
        let length = self.pieces.weights[piece as usize].length as usize;
        self.walk(start..start + length, piece, ways);
        parts.clear();
        self.trace(ways, |part| parts.push(part));
        ways[length].0
    }

    /// Finds the best way to every place of a range, pieces that go beyond it and `except` left
    /// out. Of equal ways the one whose last piece starts first is taken, as in encoding.
    fn walk(&self, places: Range<usize>, except: u32, ways: &mut Vec<Way>) {
        ways.clear();
        ways.resize(places.len() + 1, (f64::NEG_INFINITY, DROPPED));
        ways[0].0 = 0.0;
        for place in places.clone() {
            let at = place - places.start;
            let here = ways[at].0;
            let mut step = |piece: u32, end: usize| {
                let score = here + self.scores[piece as usize];
                if score > ways[end].0 {
                    ways[end] = (score, piece);
                }
            };
            step(self.lattices.symbols[place], at + 1);
            for &piece in self.lattices.nodes_at(place) {
                let end = at + self.pieces.weights[piece as usize].length as usize;
                if end > places.len() {
                    break;
                }
                if piece != except {
                    step(piece, end);
                }
            }
        }
    }

    /// The pieces of the best way, the last one first.
    fn trace(&self, ways: &[Way], mut visit: impl FnMut(u32)) {
        let mut at = ways.len() - 1;
        while at > 0 {
            let piece = ways[at].1;
            visit(piece);
            at -= self.pieces.weights[piece as usize].length as usize;
        }
    }

    /// The loss of each piece of several characters; none for those that go first.
    pub fn losses(
        &self,
        counts: &[u64],
        threads: Option<usize>,
        stop: &AtomicBool,
    ) -> Result<Vec<Option<f64>>> {
        let (first, all) = (self.pieces.alphabet, self.pieces.len());
        let total: u64 = counts.iter().sum();
        let groups = (all - first).div_ceil(GROUP);
        let losses = parallel::map(
            threads,
            groups,
            stop,
            || (Vec::new(), Vec::new()),
            |(ways, parts), group| {
                let start = first + group * GROUP;
                let loss = |piece: usize| {
                    let count = counts[piece];
                    if count == 0 {
                        return None;
                    }
                    let split = self.without(piece as u32, ways, parts);
                    let other = parts.iter().map(|&part| counts[part as usize]);
                    (split <= self.scores[piece]).then(|| loss(count, total, other))
                };
                Ok((start..(start + GROUP).min(all)).map(loss).collect::<Vec<_>>())
            },
        )?;
        Ok(losses.concat())
    }
}

/// What a token of the corpus loses in log probability, in the mean, when a piece that occurs
/// `count` times of `total` is replaced by pieces that occur `parts` times.
fn loss(count: u64, total: u64, parts: impl ExactSizeIterator<Item = u64>) -> f64 {
    let (count, total) = (count as f64, total as f64);
    let more = parts.len() as f64 - 1.0;
    let log_total = libm::log(total + count * more);
    let after: f64 = parts.map(|part| libm::log(part as f64 + count) - log_total).sum();
    count / total * (TOKEN_COST * more + libm::log(count) - libm::log(total) - after)
}

/// The new number of each piece when only those of greatest loss are kept: `size` in all, or fewer
/// if the others have none, but no fewer than `least`. What is tied in single precision, where the
/// last bits do not count, goes by its number.
pub fn choose(alphabet: usize, losses: &[Option<f64>], size: usize, least: usize) -> Vec<u32> {
    let of_use = alphabet + losses.iter().flatten().count();
    let room = size.min(of_use).max(least) - alphabet;
    let rank = |&piece: &usize| (Reverse(losses[piece].map(|loss| ordered(loss as f32))), piece);
    let mut kept: Vec<usize> = (0..losses.len()).collect();
    if kept.len() > room {
        kept.select_nth_unstable_by_key(room, rank);
        kept.truncate(room);
        kept.sort_unstable();
    }
    let mut number: Vec<u32> = (0..alphabet as u32).collect();
    number.resize(alphabet + losses.len(), DROPPED);
    for (new, piece) in kept.into_iter().enumerate() {
        number[alphabet + piece] = (alphabet + new) as u32;
    }
    number
}

/// A number that orders like the float.
fn ordered(float: f32) -> u32 {
    let bits = float.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_20_becomes_two_that_are_70_and_50_of_120() {
        let likelihood = (0.2_f64).ln() - (70.0_f64 / 120.0).ln() - (50.0_f64 / 120.0).ln();
        let found = loss(20, 100, [50, 30].into_iter());
        assert!((found - 0.2 * (3.0 + likelihood)).abs() < 1e-12);
    }

    #[test]
    fn ties_stay_in_order_and_what_is_of_no_use_goes_first() {
        let losses = [Some(0.5), None, Some(0.1), Some(0.5 + 1e-12), Some(-1.0)];
        let kept = |size, least| {
            let number = choose(2, &losses, size, least);
            (0..7).filter(|&piece| number[piece] != DROPPED).collect::<Vec<_>>()
        };
        assert_eq!(kept(3, 2), [0, 1, 2]);
        assert_eq!(kept(4, 2), [0, 1, 2, 5]);
        assert_eq!(kept(7, 2), [0, 1, 2, 4, 5, 6]);
        assert_eq!(kept(7, 7), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(choose(2, &losses, 4, 2)[5], 3);
    }
}
