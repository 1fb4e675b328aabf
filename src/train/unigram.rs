//! The Unigram trainer.
//!
//! Rule.    That of python/kugiri/reference/train/unigram.py: begin with every string that may be a
//!          piece and repeats, the most promising first ([`super::seed_pieces`]). Then in rounds:
//!          estimate how likely each piece is from all ways to cut the corpus
//!          ([`super::expectation`]), and drop those that the corpus misses least
//!          ([`super::pruning`]), until the wanted number is left.
//! Cost.    A round is three passes over the nodes of all lattices ([`super::lattices`]), which get
//!          fewer with the pieces. About forty bytes a character of unique text.
//! Source.  Kudo 2018; what differs from sentencepiece 0.2.3 is in docs/algorithms/unigram.md.

use std::sync::atomic::AtomicBool;

use serde::Deserialize;

use super::expectation::{expect, maximize};
use super::lattices::{DROPPED, Lattices};
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
}

/// Pieces as numbers: the alphabet by code point, then the pieces of several characters.
#[derive(Debug)]
pub struct Pieces {
    /// How many have one character.
    pub alphabet: usize,
    /// Probability and number of characters of each.
    pub weights: Vec<Weight>,
}

/// What a pass over the lattices needs of a piece, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The probability.
    pub probability: f64,
    /// How many characters the piece has.
    pub length: u32,
}

impl Pieces {
    /// How many there are.
    #[allow(clippy::len_without_is_empty)] // the alphabet is never empty
    pub fn len(&self) -> usize {
        self.weights.len()
    }
}

/// Trains on counted words.
pub fn train(words: &Words, options: &Options, stop: &AtomicBool) -> Result<Trained> {
    let text = Text::new(words, &options.alphabet)?;
    options.check_smallest(text.alphabet.len())?;
    let limit = options.seed_sentencepiece_size;
    let found = seed_pieces::find(&text, &options.rules, limit, options.threads, stop)?;
    let seeds = text.alphabet.len() + found.seeds.len();
    options.check_largest(seeds)?;
    let (lattices, pieces) = Lattices::new(&text, &found)?;
    let mut run = Run { options, stop, lattices, pieces, rounds: Vec::new() };
    run.begin(&text, &found);
    drop(found);
    let occurrences: u128 = text.counts.iter().map(|&count| u128::from(count)).sum();
    let words = occurrences.max(1) as f64;
    let most = (options.vocab_size as f64 * MARGIN) as usize;
    while run.estimate(words)? > most {
        run.prune(most)?;
    }
    let pieces = run.finish(&text.alphabet);
    Ok(Trained { pieces, seeds, rounds: run.rounds })
}

/// The state of a run.
struct Run<'a> {
    options: &'a Options,
    stop: &'a AtomicBool,
    lattices: Lattices,
    pieces: Pieces,
    rounds: Vec<Round>,
}

impl Run<'_> {
    /// The first probabilities: the share of each score; a character counts as often as it occurs.
    fn begin(&mut self, text: &Text, found: &Seeds) {
        let mut scores = vec![0.0; self.pieces.alphabet];
        for (run, &start) in text.starts.iter().enumerate() {
            for &symbol in
                text.symbols[start as usize..].iter().take_while(|&&s| s != seed_pieces::END)
            {
                scores[symbol as usize] += text.counts[run] as f64;
            }
        }
        scores.extend(found.seeds.iter().map(|seed| seed.score() as f64));
        let sum: f64 = scores.iter().sum();
        for (weight, score) in self.pieces.weights.iter_mut().zip(scores) {
            weight.probability = score / sum;
        }
    }

    /// Estimates the probabilities; gives how many pieces are left.
    fn estimate(&mut self, words: f64) -> Result<usize> {
        for _ in 0..self.options.num_sub_iterations {
            let expected = expect(&self.lattices, &self.pieces, self.options.threads, self.stop)?;
            let left = maximize(&mut self.pieces, &expected.counts, self.options.vocab_size);
            self.rounds.push(Round {
                pieces: left,
                objective: -expected.log_likelihood / words,
                tokens: expected.counts.iter().sum(),
            });
        }
        Ok(self.pieces.weights.iter().filter(|weight| weight.probability > 0.0).count())
    }

    /// Drops the pieces of least loss.
    fn prune(&mut self, least: usize) -> Result<()> {
        let Self { options, stop, lattices, pieces, .. } = self;
        let best = BestPaths::new(lattices, pieces);
        let counts = best.counts(options.threads, stop)?;
        let losses = best.losses(&counts, options.threads, stop)?;
        let size = (pieces.len() as f64 * options.shrinking_factor) as usize;
        let number = choose(pieces.alphabet, &losses, size.max(least));
        let weights = pieces.weights.iter().zip(&number).filter(|&(_, &new)| new != DROPPED);
        let weights = weights.map(|(weight, _)| *weight).collect();
        *pieces = Pieces { alphabet: pieces.alphabet, weights };
        *lattices = lattices.keep(&number, pieces);
        Ok(())
    }

    /// The last cut: the pieces of highest score.
    fn finish(&self, alphabet: &[char]) -> Vec<(String, f32)> {
        let string = |piece: usize| -> String {
            if piece < alphabet.len() {
                return alphabet[piece].into();
            }
            let start = self.lattices.places[piece] as usize;
            let symbols =
                &self.lattices.symbols[start..][..self.pieces.weights[piece].length as usize];
            symbols.iter().map(|&symbol| alphabet[symbol as usize]).collect()
        };
        let score = |piece: usize| libm::log(self.pieces.weights[piece].probability) as f32;
        let mut all: Vec<(String, f32)> = (alphabet.len()..self.pieces.len())
            .map(|piece| (string(piece), score(piece)))
            .collect();
        let order =
            |a: &(String, f32), b: &(String, f32)| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0));
        all.sort_unstable_by(order);
        all.truncate(self.options.vocab_size - alphabet.len());
        all.extend((0..alphabet.len()).map(|piece| (string(piece), score(piece))));
        all.sort_unstable_by(order);
        all
    }
}

impl Options {
    fn check_smallest(&self, alphabet: usize) -> Result<()> {
        if self.vocab_size >= alphabet.max(1) {
            return Ok(());
        }
        Err(Error::Vocabulary(format!(
            "{} pieces are below the {alphabet} characters of the alphabet, which are all kept; ask \
             for {alphabet} pieces or more, or for a smaller character_coverage",
            self.vocab_size
        )))
    }

    fn check_largest(&self, seeds: usize) -> Result<()> {
        if self.vocab_size <= seeds {
            return Ok(());
        }
        Err(Error::Vocabulary(format!(
            "{} pieces are more than the {seeds} that this corpus and these options give; ask for \
             {seeds} pieces or fewer, or train on more text",
            self.vocab_size
        )))
    }
}
