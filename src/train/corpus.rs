//! The corpus of a BPE run: unique words as one flat row of symbols.
//!
//! A symbol of several units holds its id in its first and its last cell, so that both neighbours
//! of any symbol are found without links: the cell before its first, and the cell after its last.
//! Words stand between boundary cells. Four bytes a unit, and four that say which word it is in.

use super::symbols::Symbols;
use super::word_counts::Words;
use crate::error::{Error, Result};

/// A cell between words.
pub const BOUNDARY: u32 = u32::MAX;
/// A cell inside a symbol.
const INSIDE: u32 = u32::MAX - 1;

/// The row of symbols.
pub struct Arena {
    cells: Vec<u32>,
    words: Vec<u32>,
    counts: Vec<u64>,
}

impl Arena {
    /// Cuts every word into the symbols of the alphabet; a character that is not in it ends the
    /// word there and starts another after it.
    pub fn new(words: &Words, symbols: &Symbols, bytes: bool, mark: Option<&str>) -> Result<Self> {
        let mark = mark.and_then(|mark| symbols.id(mark.as_bytes()));
        let units = words.data.len() + 2 * words.counts.len() + 1;
        if units >= INSIDE as usize {
            return Err(Error::Training(format!(
                "{units} units of unique words; at most {INSIDE} fit in one run: use a pattern that \
                 cuts more, or a sample of the corpus"
            )));
        }
        let mut arena = Self { cells: vec![BOUNDARY], words: vec![0], counts: words.counts.into() };
        let of_byte: Vec<u32> =
            (0..=255).map(|byte| symbols.id(&[byte]).unwrap_or(BOUNDARY)).collect();
        for (word, (text, _)) in words.iter().enumerate() {
            if bytes {
                arena.cells.extend(text.iter().map(|&byte| of_byte[byte as usize]));
            } else {
                let text = std::str::from_utf8(text).unwrap_or_default();
                arena.cells.extend(
                    text.char_indices().map(|(at, character)| {
                        symbols.unit(character, at == 0).unwrap_or(BOUNDARY)
                    }),
                );
            }
            arena.cells.extend(mark);
            arena.cells.push(BOUNDARY);
            arena.words.resize(arena.cells.len(), word as u32);
        }
        Ok(arena)
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no symbol at all.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(|&cell| cell == BOUNDARY)
    }

    /// The symbols that are there, each as often as its word occurs; no count is ever higher.
    pub fn tokens(&self) -> Result<u64> {
        let of_word = |(&cell, &word): (&u32, &u32)| match cell {
            BOUNDARY => 0,
            _ => u128::from(self.counts[word as usize]),
        };
        let tokens: u128 = self.cells.iter().zip(&self.words).map(of_word).sum();
        u64::try_from(tokens).map_err(|_| {
            Error::Training(format!(
                "the corpus has {tokens} units; counts are 64-bit: divide the counts of the words"
            ))
        })
    }

    /// What a cell holds.
    #[inline]
    pub fn cell(&self, at: usize) -> u32 {
        self.cells[at]
    }

    /// How often the word of a cell occurs.
    #[inline]
    pub fn count(&self, at: usize) -> u64 {
        self.counts[self.words[at] as usize]
    }

    /// Whether the pair stands at this place now. A symbol only ever grows, so an id that is found
    /// where it once started still starts there.
    #[inline]
    pub fn holds(&self, at: usize, left: u32, right: u32, symbols: &Symbols) -> bool {
        self.cells[at] == left && self.cells[at + symbols.length(left)] == right
    }

    /// Puts a symbol over the two that stand at `at`.
    #[inline]
    pub fn merge(&mut self, at: usize, left_length: usize, length: usize, id: u32) {
        self.cells[at + left_length - 1] = INSIDE;
        self.cells[at + left_length] = INSIDE;
        self.cells[at] = id;
        self.cells[at + length - 1] = id;
    }
}
