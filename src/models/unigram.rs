//! Unigram: of all ways to cut a text into pieces, the one whose scores add up to the most.
//!
//! Rule.    From left to right each place keeps the best way to get there; a later way must be
//!          better, so among equals the one whose last piece begins first stays. A place where no
//!          piece of one character stands may also be unknown, ten below the lowest score. A
//!          user-defined symbol scores 0.1 for each byte after its first.
//! Cost.    O(n · longest piece). Text is cut at its seams (`sections.rs`), and a short section that
//!          was met before is one look-up where rounding cannot matter (`best_two` says when); the
//!          others are searched (`best_way.rs`).
//! Source.  Kudo 2018; sentencepiece 0.2.3 for sums of 32 bits, whose zero is moved where they pass
//!          100,000; tokenizers 0.23.3 for those of 64.

use serde_json::Value;

use memchr::memmem;

use super::best_way::Search;
use super::lattice::UNKNOWN;
use super::seams::Pairs;
use super::sections::Character;
use super::unknown::{Unknown, bytes_of_unknown};
use super::ways::{Memory, Sum};
use crate::collections::section_cache::{Section, SectionCache};
use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::normalize::SPACE;
use crate::spec::Scores;
use crate::stop::Stop;
use crate::vocab::{Vocab, piece_type};
use crate::without::{Technique, without};
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
    /// The same where a space is one byte, and not shown as ▁.
    bytes_with_spaces: u32,
}

/// A Unigram model ready to encode.
pub struct Unigram<T> {
    search: Search<T>,
    /// The codes that stand side by side in a piece.
    pairs: Pairs,
    /// One a row of the vocabulary, also for rows that the trie does not have; scores apart from the
    /// rest, so that they are close together.
    pieces: Vec<Piece>,
    scores: Vec<T>,
    rows_are_ids: bool,
    unknown: Unknown,
    unknown_score: T,
    reads_spaces: bool,
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

    /// As `Model::read_spaces` says.
    pub fn read_spaces(&mut self) -> bool {
        match self {
            Self::Single(model) => model.read_spaces(),
            Self::Double(_) => false,
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
            let shown = memmem::find_iter(text, SPACE).count();
            pieces.push(Piece {
                id: known,
                bytes: text.len() as u32,
                bytes_with_spaces: (text.len() - shown * (SPACE.len() - 1)) as u32,
            });
            let is_text = matches!(kind, piece_type::NORMAL | piece_type::USER_DEFINED);
            if is_text && vocab.id(text) == Some(id) && !hidden.contains(&id) {
                keys.extend(std::str::from_utf8(text).ok().map(|text| (text, row as u32)));
            }
        }
        let unknown_score = T::of(lowest - UNKNOWN_PENALTY);
        let search = Search::new(&keys, &scores, unknown_score);
        let mut pairs = Pairs::default();
        for &(key, _) in &keys {
            let codes = key.chars().map(|character| search.trie.code(character));
            codes.clone().zip(codes.skip(1)).for_each(|(left, right)| pairs.insert(left, right));
        }
        Ok(Self {
            search,
            pairs,
            rows_are_ids: vocab.rows_are_ids(),
            pieces,
            scores,
            unknown,
            unknown_score,
            reads_spaces: false,
        })
    }

    fn read_spaces(&mut self) -> bool {
        let trie = &mut self.search.trie;
        // A ▁ that no piece stands for would fall back to its bytes.
        let shown = trie.longest(SPACE).and_then(|(_, row)| self.pieces[row as usize].id);
        self.reads_spaces = shown.is_some() && trie.code(' ') == 0;
        if self.reads_spaces {
            trie.read_as(' ', '▁');
        }
        self.reads_spaces
    }

    fn may_part(&self, left: char, right: char) -> bool {
        let trie = &self.search.trie;
        let is_known = |c: char| {
            let mut buffer = [0; 4];
            let offered = trie.longest(c.encode_utf8(&mut buffer));
            offered.is_some_and(|(_, row)| self.pieces[row as usize].id.is_some())
        };
        let may_join = self.pairs.may_have(trie.code(left), trie.code(right));
        !may_join && (is_known(left) || is_known(right))
    }

    fn encode<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        let Worker { memory, reading, sections, stop, carried, .. } = worker;
        memory.rows.clear();
        let mut sum = Known { sum: carried.map_or(T::ZERO, T::of), rows: 0 };
        let (mut found, mut from) = (std::mem::take(&mut memory.found), 0);
        while from < text.len() {
            stop.check()?;
            reading.read(&text[from..], &self.search.trie, &self.pairs);
            let ends = reading.ends();
            let places = ends.iter().map(|end| from + end.byte);
            sections.find(text.as_bytes(), from, places, &mut found);
            let mut start = 0;
            for (section, end) in found.iter().zip(ends) {
                let characters = &reading.characters[start..end.character];
                start = end.character;
                self.encode_section(section, characters, &mut sum, memory, sections, stop)?;
                if self.refuses_unknown() {
                    self.refuse(text, section, characters, memory)?;
                }
            }
            from = found.last().map_or(text.len(), |section| section.range.end);
        }
        memory.found = found;
        if let Some(carried) = carried {
            self.catch_up(&mut sum, &memory.rows);
            *carried = sum.sum.into();
        }
        let cut = |row: u32| {
            let piece = &self.pieces[row as usize];
            let has_spaces = self.reads_spaces && !S::PLACES;
            let bytes = if has_spaces { piece.bytes_with_spaces } else { piece.bytes };
            (piece.id, bytes as usize)
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
                let whole = self.search.trie.prefixes(part).find(|&(end, _)| end == part.len());
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
        for (length, row) in self.search.trie.prefixes(&text[start..]) {
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
        section: &Section,
        characters: &[Character],
        before: &mut Known<T>,
        memory: &mut Memory,
        sections: &mut SectionCache,
        stop: &Stop,
    ) -> Result<()> {
        let done = memory.rows.len();
        if section.is_short && !self.refuses_unknown() {
            let limit = sections.get(section, &mut memory.rows).unwrap_or_else(|| {
                let limit = self.search.best_two(characters, memory);
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
        before.sum = self.search.best_way(characters, before.sum, memory, stop)?;
        before.rows = memory.rows.len();
        Ok(())
    }

    /// Refuses a section if some way through it has to leave a character unknown.
    fn refuse(
        &self,
        text: &str,
        section: &Section,
        characters: &[Character],
        memory: &mut Memory,
    ) -> Result<()> {
        let Some(missed) = self.search.missed(characters, memory) else { return Ok(()) };
        let bytes = |character: &Character| character.bytes as usize;
        let at = section.range.start + characters[..missed].iter().map(bytes).sum::<usize>();
        self.unknown.id(&text.as_bytes()[at..at + bytes(&characters[missed])], at).map(drop)
    }

    /// What the magnitude of the sum of so many rows cannot exceed.
    #[inline]
    fn at_most(&self, known: &Known<T>, rows: usize) -> f64 {
        let more = rows - known.rows;
        if more > MOST_UNADDED || without(Technique::Bounds) {
            return f64::INFINITY;
        }
        known.sum.into().abs() + more as f64 * self.search.largest
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
}
