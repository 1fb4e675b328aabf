//! Words already encoded: a table of fixed size from a short word to its few ids.
//!
//! Text repeats its words, and a hit costs one cache line, which has two slots. A new word takes the
//! first, what was there the second, and what was there goes: the table never grows and never needs
//! to be emptied. Words are looked for a block at a time, so that their lines come at once, and not
//! one after another.

use std::ops::Range;

use super::huge_pages;
use super::short_key::{self, Key, LONGEST};
use crate::without::{Technique, without};

/// How many words are looked for at once: one bit each says whether they are there.
pub const BLOCK: usize = 64;
/// The most ids that are kept for one word.
pub const MOST_IDS: usize = 3;
const LINES_LOG2: u32 = 16;
/// The bits of a key that say that it is that of a section or of a raw word; the length below them has
/// four bits.
const SECTION: u64 = 1 << 63;
const RAW: u64 = 1 << 62;

/// The ids of a word in a row of a fixed size, which is copied in one step.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Row {
    /// The ids, with zeros behind them.
    pub ids: [u32; MOST_IDS],
    /// How many there are.
    pub count: u32,
}

impl Row {
    /// The row of a few ids.
    #[inline]
    pub fn new(given: &[u32]) -> Self {
        let mut ids = [0; MOST_IDS];
        ids[..given.len()].copy_from_slice(given);
        Self { ids, count: given.len() as u32 }
    }
}

/// How many words are gathered before they are looked for.
#[inline(always)]
pub fn gathered() -> usize {
    if without(Technique::Blocks) { 1 } else { BLOCK }
}

/// A word with its ids. All zeros are a free slot, which costs nothing until it is touched.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    row: Row,
}

/// The two slots that a hash leads to.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Line([Slot; 2]);

/// What stands for itself in the table: a section of a word may have other ids than that word, and so
/// may a word that is not normalized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole word.
    Word,
    /// A section of one.
    Section,
    /// A word that is not normalized.
    Raw,
}

/// A word or section of a text, and where the table keeps it.
pub struct Unit {
    start: usize,
    length: u32,
    line: u32,
    key: Key,
}

impl Unit {
    /// The unit at these bytes of a text, which are some.
    #[inline]
    pub fn new(text: &[u8], range: Range<usize>, kind: Kind) -> Self {
        let (start, length) = (range.start, range.len());
        let mut key = short_key::key(text, start, length.min(LONGEST));
        key[1] |= match kind {
            Kind::Word => 0,
            Kind::Section => SECTION,
            Kind::Raw => RAW,
        };
        let line = (short_key::hash(key) >> (64 - LINES_LOG2)) as u32;
        Self { start, length: length as u32, line, key }
    }

    /// The bytes of the text.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.length as usize
    }

    /// What it, or its beginning, is compared by.
    #[inline]
    pub(super) fn key(&self) -> Key {
        self.key
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        match self.key[1] & (SECTION | RAW) {
            0 => Kind::Word,
            SECTION => Kind::Section,
            _ => Kind::Raw,
        }
    }

    /// The key of a short word.
    #[inline]
    pub fn key_of_word(&self) -> Option<Key> {
        (self.is_short() && self.kind() == Kind::Word).then_some(self.key)
    }

    fn is_short(&self) -> bool {
        self.length as usize <= LONGEST
    }
}

/// The table; it takes its memory at the first word.
#[derive(Default)]
pub struct WordCache {
    lines: Vec<Line>,
}

impl WordCache {
    fn take_memory(&mut self) {
        if self.lines.is_empty() {
            self.lines = huge_pages::with_capacity(1 << LINES_LOG2);
            self.lines.resize(1 << LINES_LOG2, Line::default());
        }
    }

    /// Lets the line of a unit come while others are prepared.
    #[inline]
    pub fn prefetch(&self, unit: &Unit) {
        if without(Technique::Prefetch) {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(line) = self.lines.get(unit.line as usize) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every such machine has it, and it only hints at memory that is there.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = unit;
    }

    /// Copies the rows of those of a block of units that are there, and says which, a bit each.
    #[inline]
    pub fn find(&mut self, block: &[Unit], rows: &mut [Row; BLOCK]) -> u64 {
        if without(Technique::Words) {
            return 0;
        }
        self.take_memory();
        // No branch in here waits for the table, so that many of its lines are under way at once.
        block.iter().zip(rows).enumerate().fold(0, |found, (index, (unit, row))| {
            let Line([first, second]) = &self.lines[unit.line as usize];
            let is_first = is_same(first.key, unit.key);
            *row = if is_first { first.row } else { second.row };
            let is_there = is_first | is_same(second.key, unit.key);
            found | u64::from(is_there & unit.is_short()) << index
        })
    }

    /// Keeps the ids of a unit, if it and they are short enough, and says whether they are.
    pub fn put(&mut self, unit: &Unit, ids: &[u32]) -> bool {
        let fits = unit.is_short() && ids.len() <= MOST_IDS;
        if fits && !without(Technique::Words) {
            self.take_memory();
            let new = Slot { key: unit.key, row: Row::new(ids) };
            let Line([first, second]) = &mut self.lines[unit.line as usize];
            *second = std::mem::replace(first, new);
        }
        fits
    }
}

/// Whether two keys are equal, without a branch.
#[inline]
fn is_same(one: Key, other: Key) -> bool {
    (one[0] ^ other[0]) | (one[1] ^ other[1]) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_fits() {
        let text = b"aa\0many longer than fifteen";
        let mut cache = WordCache::default();
        let rows: [(Range<usize>, Kind, &[u32]); 5] = [
            (0..1, Kind::Word, &[1]),
            (0..1, Kind::Section, &[5]),
            (1..3, Kind::Word, &[2, 3]),
            (8..27, Kind::Word, &[4]),
            (3..7, Kind::Word, &[1, 2, 3, 4]),
        ];
        let units = rows.clone().map(|(range, kind, _)| Unit::new(text, range, kind));
        let mut found = [Row::default(); BLOCK];
        assert_eq!(cache.find(&units, &mut found), 0);
        for (unit, (range, kind, ids)) in units.iter().zip(&rows) {
            assert_eq!((unit.range(), unit.kind()), (range.clone(), *kind));
            cache.put(unit, ids);
        }
        assert_eq!(cache.find(&units, &mut found), 0b00111);
        for (row, (_, _, ids)) in found[..3].iter().zip(&rows) {
            assert_eq!(*row, Row::new(ids));
        }
    }
}
