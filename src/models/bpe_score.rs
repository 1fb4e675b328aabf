//! SentencePiece's byte-pair encoding: merge the adjacent pair whose join has the highest score.
//!
//! Rule.    Cut a text into user-defined symbols, which are never merged, and characters. Among all
//!          adjacent pairs whose join is a piece for text, merge the one with the highest score;
//!          among equal scores the leftmost. Pieces that are unused take part in this, and are then
//!          taken apart again into the pair that last made them.
//! Cost.    That of merging, for each section between two seams by itself; a short section that was
//!          met before is one look-up. All ways to cut a piece in two are looked up once, when the
//!          model is built, so that a pair of symbols is one look-up and no string is ever joined.
//! Source.  sentencepiece 0.2.3, which compares scores by their bits, so that 0.0 goes before −0.0.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use serde_json::Value;

use super::dropout::{Dropout, Dropped};
use super::merges::{Merges, merge_of};
use super::merging::Symbols;
use super::seams::Seams;
use super::unknown::{Unknown, unknown_row};
use crate::collections::trie::Trie;
use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::Scores;
use crate::stop::Stop;
use crate::vocab::{Vocab, piece_type};
use crate::worker::Worker;

/// How often an unused piece is taken apart into unused ones before the rest stays as it is.
const DEEPEST: usize = 100;
/// The limit of what does not depend on any sum.
const ALWAYS: f32 = f32::INFINITY;
/// A character that takes part in no piece.
const STRANGER: u32 = u32::MAX - 1;

/// A BPE model in order of scores. Its symbols are the rows of pieces for text, and behind them the
/// characters that are only parts of pieces.
pub struct ScoreBpe {
    merges: Merges,
    seams: Seams,
    user_defined: Trie,
    characters: HashMap<char, u32, FixedState>,
    /// The number of rows; symbols from here on have no id.
    rows: u32,
    rows_are_ids: bool,
    ids: Vec<u32>,
    lengths: Vec<u32>,
    unused: Vec<bool>,
    has_unused: bool,
    unknown: Unknown,
}

/// Of which pair an unused piece was last seen to be made.
type MadeOf = HashMap<u32, (u32, u32)>;

impl ScoreBpe {
    /// Turns scores into ranks: the highest is 0, equal ones have the same.
    pub fn new(spec: &Value, vocab: &Vocab, scores: Option<&Scores>) -> Result<Self> {
        let ranks = ranks(vocab.len(), scores)?;
        // What is not UTF-8 no characters become.
        let text = |row: usize| {
            let is_text = vocab.row_of_id(vocab.id(vocab.row(row))?)? == row;
            is_text.then_some((row, std::str::from_utf8(vocab.row(row)).ok()?))
        };
        let texts: Vec<(usize, &str)> = (0..vocab.len()).filter_map(text).collect();
        let unused: Vec<bool> =
            (0..vocab.len()).map(|row| vocab.type_of_row(row) == piece_type::UNUSED).collect();
        let mut model = Self {
            merges: Merges::with_capacity(texts.len() * 2),
            seams: Seams::new(texts.iter().map(|&(_, piece)| piece.as_bytes())),
            user_defined: Trie::new(vocab.user_defined().filter_map(|(symbol, _)| {
                Some((symbol, vocab.row_of_id(vocab.id(symbol.as_bytes())?)? as u32))
            })),
            characters: HashMap::default(),
            rows: vocab.len() as u32,
            rows_are_ids: vocab.rows_are_ids(),
            ids: (0..vocab.len()).map(|row| vocab.id_of_row(row)).collect(),
            lengths: (0..vocab.len()).map(|row| vocab.row(row).len() as u32).collect(),
            has_unused: unused.contains(&true),
            unused,
            unknown: Unknown::new(spec, vocab),
        };
        for &(row, piece) in &texts {
            for (middle, _) in piece.char_indices().skip(1) {
                let (left, right) = piece.split_at(middle);
                if let (Some(left), Some(right)) =
                    (model.part(vocab, left), model.part(vocab, right))
                {
                    model.merges.insert(left, right, merge_of(ranks[row], row as u32));
                }
            }
        }
        for &(row, piece) in &texts {
            // A piece of one character is its own symbol, whether or not it is part of another.
            let mut characters = piece.chars();
            if let (Some(character), None) = (characters.next(), characters.next()) {
                model.characters.insert(character, row as u32);
            }
        }
        Ok(model)
    }

    /// The symbol that a part of a piece can be; None where merging never gets there.
    fn part(&mut self, vocab: &Vocab, part: &str) -> Option<u32> {
        if let Some(row) = vocab.id(part.as_bytes()).and_then(|id| vocab.row_of_id(id)) {
            let is_merged = vocab.type_of_row(row) != piece_type::USER_DEFINED;
            return is_merged.then_some(row as u32);
        }
        let mut characters = part.chars();
        let (Some(character), None) = (characters.next(), characters.next()) else { return None };
        let next = self.rows + self.characters.len() as u32;
        Some(*self.characters.entry(character).or_insert(next))
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// Whether a text may be cut between two characters.
    pub fn may_part(&self, left: char, right: char) -> bool {
        let is_known = |c| {
            self.characters
                .get(&c)
                .is_some_and(|&row| row < self.rows && self.id(row) != self.unknown.known_id())
        };
        !self.has_unused && !self.seams.join(left, right) && (is_known(left) || is_known(right))
    }

    /// Gives the tokens of a text to the sink.
    pub fn encode<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        if self.has_unused || worker.dropout.is_some() {
            return self.encode_whole(text, worker, out);
        }
        let Worker { symbols, memory, sections, stop, .. } = worker;
        let rows = &mut memory.rows;
        rows.clear();
        self.seams.blocks(text, sections, |sections, block| {
            stop.check()?;
            block.iter().try_for_each(|section| {
                if sections.get(section, rows) == Some(ALWAYS) {
                    return Ok(());
                }
                self.cut(&text[section.range.clone()], symbols);
                symbols.merge(&self.merges, stop, |_, _, _| {})?;
                let before = rows.len();
                rows.extend(symbols.iter().map(|(symbol, bytes)| {
                    if symbol < self.rows { symbol } else { unknown_row(bytes) }
                }));
                sections.put(section, ALWAYS, &rows[before..]);
                Ok(())
            })
        })?;
        let cut = |row: u32| (self.id(row), self.lengths[row as usize] as usize);
        self.unknown.settle_rows(text.as_bytes(), rows, self.rows_are_ids, cut, out)
    }

    /// Cuts a text into its first symbols.
    fn cut(&self, text: &str, symbols: &mut Symbols) {
        symbols.clear();
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let (symbol, length) = match self.user_defined.longest(&text[at..]) {
                Some((length, row)) => (row, length),
                None => (
                    self.characters.get(&character).copied().unwrap_or(STRANGER),
                    character.len_utf8(),
                ),
            };
            symbols.push(symbol, length);
            at += length;
        }
    }

    /// Gives the tokens of a text to the sink where pieces are unused, or merges are dropped: of
    /// which pair an unused piece was last seen to be made is a matter of the whole text, and so is
    /// the order of the draws.
    fn encode_whole<S: Sink>(&self, text: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        let Worker { symbols, dropout, stop, .. } = worker;
        self.cut(text, symbols);
        let mut made_of = MadeOf::new();
        self.merge(symbols, dropout.as_mut(), stop, |left, right, result| {
            if self.unused[result as usize] {
                made_of.insert(result, (left, right));
            }
        })?;
        let mut cuts = Vec::new();
        let mut at = 0;
        for (symbol, bytes) in symbols.iter() {
            self.take_apart(symbol, &text[at..at + bytes], &made_of, 0, &mut cuts);
            at += bytes;
        }
        self.unknown.settle(text.as_bytes(), cuts.into_iter(), out)
    }

    /// Merges what there is to merge, or what is not dropped of it.
    fn merge(
        &self,
        symbols: &mut Symbols,
        dropout: Option<&mut Dropout>,
        stop: &Stop,
        seen: impl FnMut(u32, u32, u32),
    ) -> Result<()> {
        match dropout {
            None => symbols.merge(&self.merges, stop, seen),
            Some(dropout) => dropout.merge(symbols, &self.merges, Dropped::Stays, stop, seen),
        }
    }

    fn id(&self, symbol: u32) -> Option<u32> {
        self.ids.get(symbol as usize).copied()
    }

    /// The pieces of a symbol: itself, unless it is unused.
    fn take_apart(
        &self,
        symbol: u32,
        text: &str,
        made_of: &MadeOf,
        depth: usize,
        cuts: &mut Vec<(Option<u32>, usize)>,
    ) {
        let is_unused = self.unused.get(symbol as usize).is_some_and(|&unused| unused);
        if !is_unused || depth > DEEPEST {
            cuts.push((self.id(symbol), text.len()));
        } else if let Some(&(left, right)) = made_of.get(&symbol) {
            let one = text.chars().next().map_or(0, char::len_utf8);
            let length = self.lengths.get(left as usize).map_or(one, |&length| length as usize);
            let (first, second) = text.split_at(length);
            self.take_apart(left, first, made_of, depth + 1, cuts);
            self.take_apart(right, second, made_of, depth + 1, cuts);
        } else {
            cuts.push((None, text.len()));
        }
    }
}

/// The rank of each row: its score in order, as the bits of a score are ordered.
fn ranks(rows: usize, scores: Option<&Scores>) -> Result<Vec<u32>> {
    let bits = |score: f32| {
        let bits = score.to_bits() as i32;
        if bits >= 0 { bits } else { -(bits & i32::MAX) - 1 }
    };
    let bits: Vec<i32> = match scores {
        Some(Scores::Single(scores)) => scores.iter().map(|&score| bits(score)).collect(),
        Some(Scores::Double(scores)) => scores.iter().map(|&score| bits(score as f32)).collect(),
        None => Vec::new(),
    };
    if bits.len() != rows {
        return Err(Error::Vocabulary(format!(
            "a BPE with order='score' needs one score a token; {} came for {rows}",
            bits.len()
        )));
    }
    let mut highest_first = bits.clone();
    highest_first.sort_unstable_by(|a, b| b.cmp(a));
    highest_first.dedup();
    let rank = |score: &i32| highest_first.partition_point(|other| other > score) as u32;
    Ok(bits.iter().map(rank).collect())
}
