//! Unigram: of all ways to cut a text into pieces, the one whose scores add up to the most.
//!
//! Rule.    From left to right each place keeps the best way to get there; a later way must be
//!          better, so among equals the one whose last piece begins first stays. A place where no
//!          piece of one character stands may also be unknown, ten below the lowest score. A
//!          user-defined symbol scores 0.1 for each byte after its first.
//! Cost.    O(n · longest piece); of the lattice nothing is kept but one entry a byte.
//! Source.  Kudo 2018; sentencepiece 0.2.3 for sums of 32 bits, whose zero is moved where they pass
//!          100,000; tokenizers 0.23.3 for those of 64.

use serde_json::Value;

use super::unknown::Unknown;
use crate::collections::trie::Trie;
use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::Scores;
use crate::vocab::{Vocab, piece_type};
use crate::worker::{Stop, Worker};

/// What an unknown character costs below the lowest score.
const UNKNOWN_PENALTY: f64 = 10.0;
/// What each byte after the first gives to a user-defined symbol.
const USER_DEFINED_BONUS: f64 = 0.1;
/// From this sum on, scores of 32 bits are counted from the present place on.
const FAR_FROM_ZERO: f32 = 100_000.0;
/// The id of an unknown character while the best way is looked for.
const UNKNOWN: u32 = u32::MAX;
/// A place that no way has reached.
const UNREACHED: u32 = u32::MAX;

/// A number that scores are added in.
pub trait Sum:
    Copy + PartialOrd + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self>
{
    /// Nothing added yet.
    const ZERO: Self;
    /// The nearest number of this type.
    fn of(score: f64) -> Self;
    /// Whether the zero is to be moved.
    fn is_far(self) -> bool;
    /// Whether unknown characters in a row are one token before they fall back to bytes.
    const FUSES: bool;
}

impl Sum for f32 {
    const FUSES: bool = false;
    const ZERO: Self = 0.0;
    fn of(score: f64) -> Self {
        score as Self
    }
    #[inline]
    fn is_far(self) -> bool {
        self.abs() > FAR_FROM_ZERO
    }
}

impl Sum for f64 {
    const FUSES: bool = true;
    const ZERO: Self = 0.0;
    fn of(score: f64) -> Self {
        score
    }
    #[inline]
    fn is_far(self) -> bool {
        false
    }
}

/// A Unigram model ready to encode.
pub struct Unigram<T> {
    /// Piece → row of `pieces`.
    trie: Trie,
    /// Id and score of each piece that can stand in a way.
    pieces: Vec<(u32, T)>,
    unknown: Unknown,
    unknown_score: T,
}

/// The best way to a place: its score, where its last piece begins, and which piece that is.
#[derive(Clone, Copy)]
struct Way<T> {
    score: T,
    start: u32,
    id: u32,
}

/// A Unigram model of either kind of sum.
pub enum AnyUnigram {
    /// Sums of 32 bits.
    Single(Unigram<f32>),
    /// Sums of 64 bits.
    Double(Unigram<f64>),
}

impl AnyUnigram {
    /// Reads the model of a spec; no text is to become one of the `hidden` ids.
    pub fn new(
        spec: &Value,
        vocab: &Vocab,
        scores: Option<&Scores>,
        hidden: &[u32],
    ) -> Result<Self> {
        match scores {
            Some(Scores::Single(scores)) => {
                Ok(Self::Single(Unigram::new(spec, vocab, scores, hidden)?))
            }
            Some(Scores::Double(scores)) => {
                Ok(Self::Double(Unigram::new(spec, vocab, scores, hidden)?))
            }
            None => Err(Error::Vocabulary("a Unigram model needs one score a token".into())),
        }
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        match self {
            Self::Single(model) => &model.unknown,
            Self::Double(model) => &model.unknown,
        }
    }

    /// Gives the tokens of a text to the sink.
    pub fn encode<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        match self {
            Self::Single(model) => model.encode(text, worker, out),
            Self::Double(model) => model.encode(text, worker, out),
        }
    }
}

impl<T: Sum + Into<f64>> Unigram<T> {
    fn new(spec: &Value, vocab: &Vocab, scores: &[T], hidden: &[u32]) -> Result<Self> {
        if scores.len() != vocab.len() {
            let (tokens, scores) = (vocab.len(), scores.len());
            return Err(Error::Vocabulary(format!("{tokens} tokens but {scores} scores")));
        }
        let unknown = Unknown::new(spec, vocab);
        let mut pieces = Vec::new();
        let mut keys = Vec::new();
        for (row, &score) in scores.iter().enumerate() {
            let (id, text) = (vocab.id_of_row(row), vocab.row(row));
            let kind = vocab.type_of_row(row);
            let is_text = matches!(kind, piece_type::NORMAL | piece_type::USER_DEFINED);
            if !is_text || vocab.id(text) != Some(id) || hidden.contains(&id) {
                continue;
            }
            let Ok(text) = std::str::from_utf8(text) else { continue };
            let score = match kind {
                piece_type::USER_DEFINED => T::of(USER_DEFINED_BONUS * (text.len() as f64 - 1.0)),
                _ => score,
            };
            keys.push((text, pieces.len() as u32));
            // Text that looks like the unknown piece is unknown text, as in tokenizers.
            pieces.push((if unknown.known_id() == Some(id) { UNKNOWN } else { id }, score));
        }
        let lowest = vocab
            .rows_of_type(piece_type::NORMAL)
            .map(|row| scores[row].into())
            .fold(f64::from(f32::MAX), f64::min);
        let unknown_score = T::of(lowest - UNKNOWN_PENALTY);
        Ok(Self { trie: Trie::new(keys.into_iter()), pieces, unknown, unknown_score })
    }

    fn encode<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        let ways = self.best_ways(text, &worker.stop)?;
        worker.ends.clear();
        let mut end = text.len();
        while end > 0 {
            worker.ends.push(end);
            end = ways[end].start as usize;
        }
        let cuts = worker.ends.iter().rev().map(|&end| {
            let way = ways[end];
            ((way.id != UNKNOWN).then_some(way.id), end - way.start as usize)
        });
        if T::FUSES {
            return self.unknown.settle(text.as_bytes(), self.fused(text, cuts).into_iter(), out);
        }
        self.unknown.settle(text.as_bytes(), cuts, out)
    }

    /// One cut for all that is unknown in a row; what it covers may be a piece, as in tokenizers.
    fn fused(
        &self,
        text: &str,
        cuts: impl Iterator<Item = (Option<u32>, usize)>,
    ) -> Vec<(Option<u32>, usize)> {
        let mut fused: Vec<(Option<u32>, usize)> = Vec::new();
        for (id, length) in cuts {
            match fused.last_mut() {
                Some((None, before)) if id.is_none() => *before += length,
                _ => fused.push((id, length)),
            }
        }
        let mut at = 0;
        for (id, length) in &mut fused {
            let part = &text[at..at + *length];
            at += *length;
            if id.is_none() {
                let whole = self.trie.prefixes(part).find(|&(end, _)| end == part.len());
                *id = whole.map(|(_, row)| match self.pieces[row as usize].0 {
                    UNKNOWN => self.unknown.known_id().unwrap_or(UNKNOWN),
                    known => known,
                });
            }
        }
        fused
    }

    /// The best way to each place of a text.
    fn best_ways(&self, text: &str, stop: &Stop) -> Result<Vec<Way<T>>> {
        let nowhere = Way { score: T::ZERO, start: UNREACHED, id: UNKNOWN };
        let mut ways = vec![nowhere; text.len() + 1];
        let mut farthest = 0; // the last place that a way has reached
        for (start, character) in text.char_indices() {
            if start.trailing_zeros() >= 16 {
                stop.check()?;
            }
            if ways[start].score.is_far() {
                let offset = ways[start].score;
                for way in &mut ways[start..=farthest] {
                    way.score = way.score - offset;
                }
            }
            let here = ways[start].score;
            let width = character.len_utf8();
            let mut is_covered = false;
            let mut offer = |length: usize, id: u32, score: T| {
                let way = &mut ways[start + length];
                let score = here + score;
                let is_better = way.start == UNREACHED || score > way.score;
                if is_better {
                    *way = Way { score, start: start as u32, id };
                }
                farthest = farthest.max(start + length);
                is_better
            };
            for (length, row) in self.trie.prefixes(&text[start..]) {
                let (id, score) = self.pieces[row as usize];
                is_covered |= length == width;
                offer(length, id, score);
            }
            // Without an unknown token a text is refused even where the best way avoids it.
            if !is_covered && offer(width, UNKNOWN, self.unknown_score) {
                self.unknown.id(&text.as_bytes()[start..start + width], start)?;
            }
        }
        Ok(ways)
    }
}
