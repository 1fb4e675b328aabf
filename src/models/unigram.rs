//! Unigram: of all ways to cut a text into pieces, the one whose scores add up to the most.
//!
//! Rule.    From left to right each place keeps the best way to get there; a later way must be
//!          better, so among equals the one whose last piece begins first stays. A place where no
//!          piece of one character stands may also be unknown, ten below the lowest score. A
//!          user-defined symbol scores 0.1 for each byte after its first.
//! Cost.    O(n · longest piece). Text is cut at its seams, and a short section that was met before
//!          is one look-up where rounding cannot matter (`best_two` says when).
//! Source.  Kudo 2018; sentencepiece 0.2.3 for sums of 32 bits, whose zero is moved where they pass
//!          100,000; tokenizers 0.23.3 for those of 64.

use serde_json::Value;

use super::lattice::UNKNOWN;
use super::seams::Seams;
use super::unknown::{Unknown, bytes_of_unknown, unknown_row};
use super::ways::{BestTwo, Memory, Sum, UNREACHED, Way};
use crate::collections::section_cache::{Section, SectionCache};
use crate::collections::trie::Trie;
use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::Scores;
use crate::stop::Stop;
use crate::vocab::{Vocab, piece_type};
use crate::worker::Worker;

/// What an unknown character costs below the lowest score.
const UNKNOWN_PENALTY: f64 = 10.0;
/// What each byte after the first gives to a user-defined symbol.
const USER_DEFINED_BONUS: f64 = 0.1;
/// How many rows may come before their scores are added: so few that rounding stays far below the
/// distance between `SAME_ZERO` and where the zero is moved.
const MOST_UNADDED: usize = 1 << 16;

/// A piece that can stand in a way.
struct Piece {
    /// None for text that looks like the unknown piece: it is unknown text, as in tokenizers.
    id: Option<u32>,
    bytes: u32,
}

/// A Unigram model ready to encode.
pub struct Unigram<T> {
    /// Piece → its row.
    trie: Trie,
    /// One a row of the vocabulary, also for rows that the trie does not have; scores apart from the
    /// rest, so that they are close together.
    pieces: Vec<Piece>,
    scores: Vec<T>,
    rows_are_ids: bool,
    seams: Seams,
    unknown: Unknown,
    unknown_score: T,
    /// The magnitude that no score exceeds.
    largest: f64,
}

/// The sum of the first rows of a text. Only where the way of a section depends on it are scores
/// added up to there.
struct Known<T> {
    sum: T,
    rows: usize,
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

    /// The pieces that stand at a place, the shortest first, and the unknown where no piece of one
    /// character does: length, id and score of each.
    pub fn nodes_at(&self, text: &str, start: usize, node: impl FnMut(usize, u32, f64)) {
        match self {
            Self::Single(model) => model.nodes_at(text, start, node),
            Self::Double(model) => model.nodes_at(text, start, node),
        }
    }

    /// Makes tokens of the cuts of a text, each an id (or none) and the bytes that it covers.
    pub fn settle<S: Sink>(
        &self,
        text: &str,
        cuts: impl Iterator<Item = (Option<u32>, usize)>,
        out: &mut S,
    ) -> Result<()> {
        match self {
            Self::Single(model) => model.settle(text, cuts, out),
            Self::Double(model) => model.settle(text, cuts, out),
        }
    }

    /// Whether a text may be cut between two characters.
    pub fn may_part(&self, left: char, right: char) -> bool {
        match self {
            Self::Single(model) => model.may_part(left, right),
            Self::Double(model) => model.may_part(left, right),
        }
    }

    /// Whether sums are rounded to 32 bits.
    pub fn is_float32(&self) -> bool {
        matches!(self, Self::Single(_))
    }

    /// Gives the tokens of a text to the sink.
    pub fn encode<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        match self {
            Self::Single(model) => model.encode(text, worker, out),
            Self::Double(model) => model.encode(text, worker, out),
        }
    }
}

impl<T: Sum> Unigram<T> {
    fn new(spec: &Value, vocab: &Vocab, scores: &[T], hidden: &[u32]) -> Result<Self> {
        if scores.len() != vocab.len() {
            let (tokens, scores) = (vocab.len(), scores.len());
            return Err(Error::Vocabulary(format!("{tokens} tokens but {scores} scores")));
        }
        let unknown = Unknown::new(spec, vocab);
        let lowest = vocab
            .rows_of_type(piece_type::NORMAL)
            .map(|row| scores[row].into())
            .fold(f64::from(f32::MAX), f64::min);
        let mut pieces = Vec::with_capacity(vocab.len());
        let mut keys = Vec::with_capacity(vocab.len());
        let mut scores = scores.to_vec();
        for (row, score) in scores.iter_mut().enumerate() {
            let (id, text) = (vocab.id_of_row(row), vocab.row(row));
            let kind = vocab.type_of_row(row);
            if kind == piece_type::USER_DEFINED {
                *score = T::of(USER_DEFINED_BONUS * (text.len() as f64 - 1.0));
            }
            let known = (unknown.known_id() != Some(id)).then_some(id);
            pieces.push(Piece { id: known, bytes: text.len() as u32 });
            let is_text = matches!(kind, piece_type::NORMAL | piece_type::USER_DEFINED);
            if is_text && vocab.id(text) == Some(id) && !hidden.contains(&id) {
                keys.extend(std::str::from_utf8(text).ok().map(|text| (text, row as u32)));
            }
        }
        let unknown_score = T::of(lowest - UNKNOWN_PENALTY);
        let of_text = keys.iter().map(|&(_, row)| scores[row as usize]);
        let magnitudes = of_text.chain([unknown_score]);
        let magnitudes = magnitudes.map(|score| score.into().abs());
        // Not a number is larger than any.
        let largest = magnitudes.map(|m| if m.is_nan() { f64::INFINITY } else { m });
        Ok(Self {
            trie: Trie::new(keys.iter().copied()),
            seams: Seams::new(keys.iter().map(|&(text, _)| text.as_bytes())),
            largest: largest.fold(0.0, f64::max),
            rows_are_ids: vocab.rows_are_ids(),
            pieces,
            scores,
            unknown,
            unknown_score,
        })
    }

    fn may_part(&self, left: char, right: char) -> bool {
        let is_known = |c: char| {
            let mut buffer = [0; 4];
            let offered = self.trie.longest(c.encode_utf8(&mut buffer));
            offered.is_some_and(|(_, row)| self.pieces[row as usize].id.is_some())
        };
        !self.seams.join(left, right) && (is_known(left) || is_known(right))
    }

    fn encode<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        let Worker { memory, sections, stop, carried, .. } = worker;
        memory.rows.clear();
        let mut sum = Known { sum: carried.map_or(T::ZERO, T::of), rows: 0 };
        self.seams.blocks(text, sections, |sections, block| {
            stop.check()?;
            block.iter().try_for_each(|section| {
                self.encode_section(text, section, &mut sum, memory, sections, stop)
            })
        })?;
        if let Some(carried) = carried {
            self.catch_up(&mut sum, &memory.rows);
            *carried = sum.sum.into();
        }
        let cut = |row: u32| {
            let piece = &self.pieces[row as usize];
            (piece.id, piece.bytes as usize)
        };
        if T::FUSES && memory.rows.iter().any(|&row| self.is_unknown(row)) {
            let cuts = memory.rows.iter().map(|&row| match self.pieces.get(row as usize) {
                Some(piece) => (piece.id, piece.bytes as usize),
                None => (None, bytes_of_unknown(row)),
            });
            return self.settle(text, cuts, out);
        }
        self.unknown.settle_rows(text.as_bytes(), &memory.rows, self.rows_are_ids, cut, out)
    }

    /// Without an unknown token tokenizers refuses a text even where the best way avoids it.
    fn refuses_unknown(&self) -> bool {
        T::FUSES && self.unknown.known_id().is_none()
    }

    fn is_unknown(&self, row: u32) -> bool {
        self.pieces.get(row as usize).is_none_or(|piece| piece.id.is_none())
    }

    /// Makes tokens of the cuts of a text, each an id (or none) and the bytes that it covers.
    fn settle<S: Sink>(
        &self,
        text: &str,
        cuts: impl Iterator<Item = (Option<u32>, usize)>,
        out: &mut S,
    ) -> Result<()> {
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
                *id = whole.and_then(|(_, row)| {
                    self.pieces[row as usize].id.or_else(|| self.unknown.known_id())
                });
            }
        }
        fused
    }

    fn nodes_at(&self, text: &str, start: usize, mut node: impl FnMut(usize, u32, f64)) {
        let width = text[start..].chars().next().map_or(0, char::len_utf8);
        let mut is_covered = false;
        for (length, row) in self.trie.prefixes(&text[start..]) {
            is_covered |= length == width;
            let id = self.pieces[row as usize].id.unwrap_or(UNKNOWN);
            node(length, id, self.scores[row as usize].into());
        }
        if !is_covered {
            node(width, UNKNOWN, self.unknown_score.into());
        }
    }

    /// Adds the rows of one section.
    #[inline]
    fn encode_section(
        &self,
        text: &str,
        section: &Section,
        before: &mut Known<T>,
        memory: &mut Memory,
        sections: &mut SectionCache,
        stop: &Stop,
    ) -> Result<()> {
        let done = memory.rows.len();
        if section.is_short && !self.refuses_unknown() {
            let limit = sections.get(section, &mut memory.rows).unwrap_or_else(|| {
                let limit = self.best_two(&text[section.range.clone()], memory);
                sections.put(section, limit, &memory.rows[done..]);
                limit
            });
            let limit = f64::from(limit);
            if self.at_most(before, done) < limit || {
                self.catch_up(before, &memory.rows[..done]);
                before.sum.into().abs() < limit
            } {
                return Ok(());
            }
            memory.rows.truncate(done);
        }
        self.catch_up(before, &memory.rows);
        let part = &text[section.range.clone()];
        before.sum = self
            .best_way(part, before.sum, memory, stop)
            .map_err(|error| error.moved(section.range.start))?;
        before.rows = memory.rows.len();
        Ok(())
    }

    /// What the magnitude of the sum of so many rows cannot exceed.
    #[inline]
    fn at_most(&self, known: &Known<T>, rows: usize) -> f64 {
        let more = rows - known.rows;
        if more > MOST_UNADDED {
            return f64::INFINITY;
        }
        known.sum.into().abs() + more as f64 * self.largest
    }

    /// Adds the scores of the rows that have come since.
    fn catch_up(&self, known: &mut Known<T>, rows: &[u32]) {
        let since = rows[known.rows..].iter();
        known.sum = since.fold(known.sum, |sum, &row| sum + self.score(row));
        known.rows = rows.len();
    }

    #[inline]
    fn score(&self, row: u32) -> T {
        self.scores.get(row as usize).map_or(self.unknown_score, |&score| score)
    }

    /// Looks up the characters of a section, and says how many there are.
    fn read(&self, section: &str, memory: &mut Memory) -> usize {
        memory.characters.clear();
        let characters = section.chars().map(|c| (self.trie.code(c), c.len_utf8() as u32));
        memory.characters.extend(characters);
        memory.characters.len()
    }

    /// Offers each piece that begins with the first character: how many characters, its row and
    /// score.
    #[inline]
    fn offers(&self, characters: &[(u32, u32)], mut offer: impl FnMut(usize, u32, T)) {
        let mut is_covered = false;
        let codes = characters.iter().map(|&(code, _)| code);
        for (length, row) in self.trie.prefixes_of_codes(codes) {
            is_covered |= length == 1;
            offer(length, row, self.scores[row as usize]);
        }
        if !is_covered {
            offer(1, unknown_row(characters[0].1 as usize), self.unknown_score);
        }
    }

    /// Adds the rows of the best way through a section, which begins with a sum, and gives the sum
    /// that it ends with.
    #[inline(never)]
    fn best_way(&self, section: &str, score: T, memory: &mut Memory, stop: &Stop) -> Result<T> {
        let end = self.read(section, memory);
        let mut ways = std::mem::take(T::ways(memory));
        ways.clear();
        ways.resize(end + 1, Way::NOWHERE);
        ways[0] = Way::from(score);
        let mut farthest = 0; // the last place that a way has reached
        let mut refused = None; // the first character that is missed
        for start in 0..end {
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
            self.offers(&memory.characters[start..], |length, row, score| {
                let way = &mut ways[start + length];
                let score = here + score;
                let is_better = way.start == UNREACHED || score > way.score;
                if is_better {
                    *way = Way { score, start: start as u32, row };
                }
                if is_better && self.refuses_unknown() && self.is_unknown(row) {
                    refused.get_or_insert(start);
                }
                farthest = farthest.max(start + length);
            });
        }
        if let Some(character) = refused {
            let widths = memory.characters.iter().map(|&(_, bytes)| bytes as usize);
            let at = widths.take(character).sum();
            let width = memory.characters[character].1 as usize;
            self.unknown.id(&section.as_bytes()[at..at + width], at)?;
        }
        memory.add_backwards(walk_back(end, |place| ways[place]));
        let score = ways[end].score;
        *T::ways(memory) = ways;
        Ok(score)
    }

    /// Adds the rows of the best way through a section, and gives the limit: it is the best way for
    /// every sum before the section whose magnitude is below that.
    ///
    /// Why. Let n be the characters of the section, m the largest magnitude of a score, s the sum
    /// before the section. A way has at most n pieces, so no sum on it has a magnitude above |s| +
    /// n·m (rounding aside), and each of its additions is wrong by at most half a unit in the last
    /// place. So the rounded sum of a way is within n · (|s| + n·m) · ROUNDING/2 of s plus its true
    /// score, and two ways whose true scores are farther apart than n · (|s| + n·m) · ROUNDING come
    /// in their true order. Rounding never turns the order of two sums around when the same score
    /// is added to both; so `best_way` finds the way with the greatest rounded sum of all, and that
    /// is the one with the greatest true score if the second is so far below it. The constants of
    /// `Sum` leave a factor of two for what is rounded here. Where a sum could come near to where
    /// the zero is moved, the limit is lower.
    #[inline(never)]
    fn best_two(&self, section: &str, memory: &mut Memory) -> f32 {
        let end = self.read(section, memory);
        let reach = end as f64 * self.largest;
        if reach >= T::SAME_ZERO {
            return f32::NEG_INFINITY;
        }
        let nowhere = Way { score: f64::NEG_INFINITY, ..Way::NOWHERE };
        let mut two = std::mem::take(&mut memory.two);
        two.clear();
        two.resize(end + 1, BestTwo { best: nowhere, second: f64::NEG_INFINITY });
        two[0].best = Way::from(0.0);
        for start in 0..end {
            let BestTwo { best: here, second } = two[start];
            self.offers(&memory.characters[start..], |length, row, score| {
                let score: f64 = score.into();
                let there = &mut two[start + length];
                if here.score + score > there.best.score {
                    there.second = there.best.score.max(second + score);
                    there.best = Way { score: here.score + score, start: start as u32, row };
                } else {
                    there.second = there.second.max(here.score + score);
                }
            });
        }
        memory.add_backwards(walk_back(end, |place| two[place].best));
        let margin = two[end].best.score - two[end].second;
        memory.two = two;
        let sums = (margin / (end as f64 * T::ROUNDING)).min(T::SAME_ZERO);
        (sums - reach) as f32
    }
}

/// The rows of the way to a place, the last one first.
fn walk_back<T>(end: usize, way_to: impl Fn(usize) -> Way<T>) -> impl Iterator<Item = u32> {
    let mut place = end;
    std::iter::from_fn(move || {
        (place > 0).then(|| {
            let way = way_to(place);
            place = way.start as usize;
            way.row
        })
    })
}
