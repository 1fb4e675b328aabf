//! The Unigram trainer.
//!
//! Rule.    That of python/kugiri/reference/train/unigram.py: begin with every string that may be a
//!          piece and repeats, the most promising first ([`super::seed_pieces`]). Then in rounds:
//!          estimate how likely each piece is from all ways to cut the corpus
//!          ([`super::expectation`]), and drop those that the corpus misses least
//!          ([`super::pruning`]), until the wanted number is left.
//! Cost.    A round is three passes over the nodes of all lattices ([`super::lattices`]), which get
//!          fewer with the pieces. About fifty bytes a character of unique text, and 130 a seed.
//! Source.  Kudo 2018; what differs from sentencepiece 0.2.3 is in docs/algorithms/unigram.md.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::Deserialize;

use super::expectation::{expect, maximize};
use super::lattices::{DROPPED, Lattices};
use super::pieces::{Pieces, Weight};
use super::pruning::{BestPaths, choose};
use super::seed_pieces::{self, Seeds, Text};
use super::valid_pieces::PieceRules;
use super::word_counts::Words;
use crate::error::{Error, Result};

/// A round prunes to this much more than was asked for; the last cut takes the rest.
const MARGIN: f64 = 1.1;

/// The options of a run, as the caller has checked them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// How many pieces are wanted, without meta pieces.
    pub vocab_size: usize,
    /// How many meta pieces the caller adds: errors speak of the size with them.
    #[serde(default)]
    pub given_pieces: usize,
    /// Fewer pieces are an error, and pieces of little use are kept where they are needed.
    #[serde(default = "yes")]
    pub hard_vocab_limit: bool,
    /// The characters that are pieces in any case; others are unknown and end a word.
    pub alphabet: String,
    /// What may be a piece.
    pub rules: PieceRules,
    /// The most strings to begin with.
    pub seed_sentencepiece_size: usize,
    /// The share of the pieces that a round keeps.
    pub shrinking_factor: f64,
    /// How often a round estimates anew.
    pub num_sub_iterations: usize,
    /// The most threads; None: all. The result is the same.
    pub threads: Option<usize>,
}

fn yes() -> bool {
    true
}

/// What one estimate saw.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Round {
    /// How many pieces there were.
    pub pieces: usize,
    /// The mean of −log probability of a word, in nats.
    pub objective: f64,
    /// The expected number of tokens of the corpus.
    pub tokens: f64,
}

/// The pieces of a run.
#[derive(Debug)]
pub struct Trained {
    /// Pieces with scores: those of high score first, among equals by their bytes.
    pub pieces: Vec<(String, f32)>,
    /// How many strings the run began with, the alphabet included.
    pub seeds: usize,
    /// All estimates in order.
    pub rounds: Vec<Round>,
    /// How long each took; apart, since the rest is the same in every run.
    pub seconds: Vec<f64>,
}

/// Trains on counted words; `stop` ends the run early.
pub fn train(words: &Words, options: &Options, stop: &AtomicBool) -> Result<Trained> {
    let text = Text::new(words, &options.alphabet)?;
    options.check_smallest(text.alphabet.len())?;
    let limit = options.seed_sentencepiece_size;
    let found = seed_pieces::find(&text, &options.rules, limit, options.threads, stop)?;
    let seeds = text.alphabet.len() + found.seeds.len();
    options.check_largest(seeds)?;
    let mut run = Run::new(&text, &found, words, options, stop)?;
    drop(found);
    let nearly = (options.vocab_size as f64 * MARGIN) as usize;
    while run.estimate()? > nearly {
        let shrunk = (run.pieces.len() as f64 * options.shrinking_factor) as usize;
        run.prune(shrunk.clamp(nearly, run.pieces.len() - 1))?;
    }
    if run.pieces.len() > options.vocab_size {
        run.prune(options.vocab_size)?;
        run.estimate()?;
    }
    let pieces = run.pieces(&text.alphabet);
    Ok(Trained { pieces, seeds, rounds: run.rounds, seconds: run.seconds })
}

/// The state of a run.
struct Run<'a> {
    options: &'a Options,
    stop: &'a AtomicBool,
    words: f64,
    lattices: Lattices,
    pieces: Pieces,
    rounds: Vec<Round>,
    seconds: Vec<f64>,
}

impl<'a> Run<'a> {
    /// The start: the probability of a piece is its share of all scores; that of a character is how
    /// often it occurs.
    fn new(
        text: &Text,
        found: &Seeds,
        words: &Words,
        options: &'a Options,
        stop: &'a AtomicBool,
    ) -> Result<Self> {
        let mut scores = text.occurrences();
        scores.extend(found.seeds.iter().map(|seed| seed.score() as f64));
        let sum: f64 = scores.iter().sum();
        let (lattices, mut pieces) = Lattices::new(text, found, stop)?;
        for (weight, score) in pieces.weights.iter_mut().zip(scores) {
            weight.probability = score / sum;
        }
        let words = words.counts.iter().map(|&count| count as f64).sum();
        Ok(Self { options, stop, words, lattices, pieces, rounds: Vec::new(), seconds: Vec::new() })
    }

    /// Estimates the probabilities; gives how many pieces have one that is not 0.
    fn estimate(&mut self) -> Result<usize> {
        let Self { options, stop, lattices, pieces, .. } = self;
        let mut left = 0;
        for _ in 0..options.num_sub_iterations {
            let start = Instant::now();
            let expected = expect(lattices, pieces, options.threads, stop)?;
            left = maximize(pieces, &expected.counts, options.least(pieces.alphabet));
            self.rounds.push(Round {
                pieces: left,
                objective: -expected.log_likelihood / self.words,
                tokens: expected.counts.iter().sum(),
            });
            self.seconds.push(start.elapsed().as_secs_f64());
        }
        Ok(left)
    }

    /// Keeps `size` pieces, or fewer if the rest is of no use, but as many as are wanted.
    fn prune(&mut self, size: usize) -> Result<()> {
        let Self { options, stop, lattices, pieces, .. } = self;
        let best = BestPaths::new(lattices, pieces);
        let counts = best.counts(options.threads, stop)?;
        let losses = best.losses(&counts, options.threads, stop)?;
        let alphabet = pieces.alphabet;
        let number = choose(alphabet, &losses, size, options.least(alphabet));
        let kept = pieces.weights.iter().zip(&number).filter(|&(_, &new)| new != DROPPED);
        *pieces = Pieces { alphabet, weights: kept.map(|(weight, _)| *weight).collect() };
        *lattices = lattices.keep(&number, pieces, stop)?;
        Ok(())
    }

    /// The strings and scores of the pieces, the highest score first.
    fn pieces(&self, alphabet: &[char]) -> Vec<(String, f32)> {
        let is_left = |(_, weight): &(usize, &Weight)| weight.probability > 0.0;
        let piece = |(number, weight): (usize, &Weight)| {
            let symbols = match self.pieces.alphabet {
                characters if number < characters => &[number as u32],
                _ => self.lattices.string(number, weight.length),
            };
            let string = symbols.iter().map(|&symbol| alphabet[symbol as usize]).collect();
            (string, libm::log(weight.probability) as f32)
        };
        let mut pieces: Vec<(String, f32)> =
            self.pieces.weights.iter().enumerate().filter(is_left).map(piece).collect();
        pieces.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        pieces
    }
}

impl Options {
    /// How many pieces are kept even if some are of no use.
    fn least(&self, alphabet: usize) -> usize {
        if self.hard_vocab_limit { self.vocab_size } else { alphabet }
    }

    fn check_smallest(&self, alphabet: usize) -> Result<()> {
        let (asked, smallest) = self.with_given(alphabet);
        if asked >= smallest {
            return Ok(());
        }
        Err(Error::Vocabulary(format!(
            "vocab_size={asked} is below the {smallest} that this corpus needs ({alphabet} \
             characters and {} given pieces); use vocab_size={smallest} or more, or a lower \
             character_coverage",
            self.given_pieces
        )))
    }

    fn check_largest(&self, seeds: usize) -> Result<()> {
        let (asked, largest) = self.with_given(seeds);
        if asked <= largest || !self.hard_vocab_limit {
            return Ok(());
        }
        Err(Error::Vocabulary(format!(
            "vocab_size={asked} cannot be reached: this corpus gives {largest} pieces, given ones \
             included; use vocab_size={largest} or less, more text, or hard_vocab_limit=False"
        )))
    }

    /// The wanted size and another one, as the caller counts them.
    fn with_given(&self, pieces: usize) -> (usize, usize) {
        (self.vocab_size + self.given_pieces, pieces + self.given_pieces)
    }
}
