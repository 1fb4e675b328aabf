//! How likely each piece is, estimated from all ways to cut the corpus.
//!
//! Rule.    Expectation: each way to cut a segment is taken as often as its share of the
//!          probability of all ways says, so a piece gets an expected count
//!          (before it · the piece · after it / all). Maximization: a piece of several characters
//!          that is expected less than half a time is dropped; the others get the probability
//!          exp(ψ(count) − ψ(sum of counts)), which is a little less than their share, the less
//!          the rarer they are.
//! Cost.    Two passes over the nodes with a few multiplications each: probabilities are multiplied
//!          as they are, and moved by a power of two, which is exact, when they get too small.
//! Source.  Kudo 2018; the digamma function ψ, as in variational Bayes, is sentencepiece's choice.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lattices::Lattices;
use super::pieces::{Pieces, Weight};
use crate::error::Result;
use crate::parallel;

/// The expected count below which a piece is dropped.
pub const LEAST: f64 = 0.5;

/// Probabilities are kept between these bounds.
const SMALL: f64 = 1.0 / LARGE;
const LARGE: f64 = (1_u128 << 127) as f64;

/// What a pass over the corpus gives.
#[derive(Debug)]
pub struct Expected {
    /// The expected count of each piece.
    pub counts: Vec<f64>,
    /// The log probability of the corpus.
    pub log_likelihood: f64,
}

/// Counts the pieces in all ways to cut the corpus.
///
/// The corpus is cut into parts in a fixed way and their sums are added in order, so that the
/// result does not depend on the threads.
pub fn expect(
    lattices: &Lattices,
    pieces: &Pieces,
    threads: Option<usize>,
    stop: &AtomicBool,
) -> Result<Expected> {
    let parts = lattices.parts();
    let longest = pieces.weights.iter().map(|weight| weight.length).max().unwrap_or(0) as usize;
    let sums = parallel::map(threads, parts.len(), stop, Sweep::default, |sweep, part| {
        let mut counts = vec![0.0; pieces.len()];
        let mut log_likelihood = 0.0;
        for segment in parts[part].clone() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let places = lattices.places_of(segment);
            let count = lattices.counts[segment] as f64;
            sweep.forward(lattices, places.clone(), &pieces.weights, longest);
            sweep.backward(lattices, places, &pieces.weights, longest, count, &mut counts);
            log_likelihood += count * sweep.log_sum();
        }
        Ok(Expected { counts, log_likelihood })
    })?;
    let mut all = Expected { counts: vec![0.0; pieces.len()], log_likelihood: 0.0 };
    for part in sums {
        all.log_likelihood += part.log_likelihood;
        all.counts.iter_mut().zip(part.counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(all)
}

/// The sums of one segment, place by place.
#[derive(Default)]
struct Sweep {
    /// The probability of all ways to get to a place, times a power of two.
    before: Vec<f64>,
    /// The probability of all ways from a place to the end, likewise.
    after: Vec<f64>,
    /// Where the power changes, and by which factor.
    moves: Vec<(usize, f64)>,
}

impl Sweep {
    fn forward(
        &mut self,
        lattices: &Lattices,
        places: Range<usize>,
        weights: &[Weight],
        longest: usize,
    ) {
        let Self { before, moves, .. } = self;
        moves.clear();
        before.clear();
        before.resize(places.len() + 1, 0.0);
        before[0] = 1.0;
        for (at, place) in places.clone().enumerate() {
            if !(SMALL..LARGE).contains(&before[at]) {
                let factor = if before[at] < SMALL { LARGE } else { SMALL };
                let reach = (at + longest).min(places.len());
                before[at..=reach].iter_mut().for_each(|sum| *sum *= factor);
                moves.push((at, factor));
            }
            let here = before[at];
            before[at + 1] += here * weights[lattices.symbols[place] as usize].probability;
            for &piece in lattices.nodes_at(place) {
                let weight = weights[piece as usize];
                before[at + weight.length as usize] += here * weight.probability;
            }
        }
    }

    fn backward(
        &mut self,
        lattices: &Lattices,
        places: Range<usize>,
        weights: &[Weight],
        longest: usize,
        count: f64,
        counts: &mut [f64],
    ) {
        let Self { before, after, moves } = self;
        let length = places.len();
        after.clear();
        after.resize(length + 1, 0.0);
        after[length] = 1.0;
        let share = count / before[length];
        let mut moves = moves.iter().rev().peekable();
        for (at, place) in places.enumerate().rev() {
            let here = before[at] * share;
            let symbol = lattices.symbols[place] as usize;
            let mut sum = weights[symbol].probability * after[at + 1];
            counts[symbol] += here * sum;
            for &piece in lattices.nodes_at(place) {
                let weight = weights[piece as usize];
                let rest = weight.probability * after[at + weight.length as usize];
                counts[piece as usize] += here * rest;
                sum += rest;
            }
            after[at] = sum;
            if let Some(&(_, factor)) = moves.next_if(|&&(moved, _)| moved == at) {
                let reach = (at + longest).min(length);
                after[at..=reach].iter_mut().for_each(|sum| *sum *= factor);
            }
        }
    }

    /// The log probability of all ways together.
    fn log_sum(&self) -> f64 {
        let moved: f64 = self.moves.iter().map(|&(_, factor)| libm::log(factor)).sum();
        libm::log(self.before[self.before.len() - 1]) - moved
    }
}

/// Gives the pieces their probabilities from their expected counts, 0 to those that are dropped;
/// gives how many are left, `size` at least if there are as many.
pub fn maximize(pieces: &mut Pieces, counts: &[f64], size: usize) -> usize {
    let least = least_count(&counts[pieces.alphabet..], size.saturating_sub(pieces.alphabet));
    let kept = |piece: usize| piece < pieces.alphabet || counts[piece] as f32 >= least;
    let kept: Vec<bool> = (0..counts.len()).map(kept).collect();
    let of = |piece: usize| if kept[piece] { counts[piece].max(LEAST) } else { 0.0 };
    let sum = digamma((0..counts.len()).map(of).sum());
    for (piece, weight) in pieces.weights.iter_mut().enumerate() {
        let count = of(piece);
        weight.probability = if count > 0.0 { libm::exp(digamma(count) - sum) } else { 0.0 };
    }
    kept.into_iter().filter(|&kept| kept).count()
}

/// The count below which pieces are dropped: `LEAST`, or less if fewer than `size` have as much.
/// Counts are compared in single precision, where the last bits of a sum make no difference.
fn least_count(counts: &[f64], size: usize) -> f32 {
    let mut counts: Vec<f32> = counts.iter().map(|&count| count as f32).collect();
    let size = size.min(counts.len());
    if size == 0 {
        return LEAST as f32;
    }
    let (_, least, _) = counts.select_nth_unstable_by(size - 1, |a, b| b.total_cmp(a));
    least.min(LEAST as f32)
}

/// The derivative of the log of the gamma function: about log(x − 1/2). Small numbers are moved up by
/// ψ(x) = ψ(x + 1) − 1/x, to where the series is exact to 10⁻¹³.
pub fn digamma(mut x: f64) -> f64 {
    let mut result = 0.0;
    while x < 16.0 {
        result -= 1.0 / x;
        x += 1.0;
    }
    x -= 0.5;
    let (square, fourth) = (1.0 / (x * x), 1.0 / (x * x * x * x));
    result + libm::log(x) + square / 24.0 - fourth * 7.0 / 960.0 + fourth * square * 31.0 / 8064.0
        - fourth * fourth * 127.0 / 30720.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ψ(n) is the sum of 1/k for k below n, less Euler's number.
    #[test]
    fn digamma_of_whole_numbers() {
        let mut sum = -0.577_215_664_901_532_9;
        for n in 1..40 {
            assert!((digamma(f64::from(n)) - sum).abs() < 1e-12, "{n}");
            sum += 1.0 / f64::from(n);
        }
    }

    #[test]
    fn the_least_count() {
        let counts = [3.0, 0.4, 0.5, 0.1];
        for (size, least) in [(0, 0.5), (2, 0.5), (3, 0.4), (4, 0.1), (9, 0.1)] {
            assert!((least_count(&counts, size) - least).abs() < 1e-6, "{size}");
        }
    }
}
