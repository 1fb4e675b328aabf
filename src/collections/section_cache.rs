//! Sections of text already encoded: a direct-mapped table from a short section to its few rows,
//! and up to which magnitude of the sum before it they hold.
//!
//! As `word_cache.rs`, and small enough to stay in a core's own cache: with twice or four times the
//! slots more sections are found, each of them later. Sections are looked for a block at a time, so
//! that their cache lines come at once, and not one after another.

use std::ops::Range;

use super::short_key::{self, Key, LONGEST};
use crate::without::{Technique, without};

/// The most rows that are kept for one section.
const MAX_ROWS: usize = 3;
/// Where there is no further row.
const NO_ROW: u32 = u32::MAX;
const SLOTS_LOG2: u32 = 15;

/// The bytes of the section with their number in the last (0: free), then two rows, then the third
/// row and the limit as bits. A slot of plain zeros costs nothing until it is touched.
type Slot = [u64; 4];

/// A section of a text, and where the table keeps it.
pub struct Section {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// Whether it is short enough to be kept.
    pub is_short: bool,
    /// Whether it was there when it was looked for.
    was_there: bool,
    slot: u32,
    key: Key,
}

/// The table; it takes its memory at the first section.
#[derive(Default)]
pub struct SectionCache {
    slots: Vec<Slot>,
}

impl SectionCache {
    /// Looks for the sections of a text that end at each of these bytes, the first from `start` on.
    #[inline]
    pub fn find(
        &mut self,
        text: &[u8],
        start: usize,
        ends: impl Iterator<Item = usize>,
        found: &mut Vec<Section>,
    ) {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); 1 << SLOTS_LOG2];
        }
        let mut next = start;
        found.clear();
        // No branch in here waits for the table, so that many of its lines are under way at once.
        found.extend(ends.map(|end| {
            let start = std::mem::replace(&mut next, end);
            let is_short = end - start <= LONGEST && !without(Technique::Sections);
            let key = short_key::key(text, start, (end - start).min(LONGEST));
            let slot = (short_key::hash(key) >> (64 - SLOTS_LOG2)) as u32;
            let was_there = is_of(&self.slots[slot as usize], key);
            Section { range: start..end, is_short, was_there: was_there & is_short, slot, key }
        }));
    }

    /// Adds the rows of a section that was kept, and gives its limit.
    #[inline]
    pub fn get(&self, section: &Section, rows: &mut Vec<u32>) -> Option<f32> {
        if !section.was_there {
            return None;
        }
        let slot = &self.slots[section.slot as usize];
        if !is_of(slot, section.key) {
            return None; // another one has taken its place since
        }
        let [first, second, third] = [slot[2] as u32, (slot[2] >> 32) as u32, slot[3] as u32];
        let more = usize::from(second != NO_ROW) + usize::from(third != NO_ROW);
        // Always three, and back: a copy of a fixed size is the fastest.
        let end = rows.len() + 1 + more;
        rows.extend_from_slice(&[first, second, third]);
        rows.truncate(end);
        Some(f32::from_bits((slot[3] >> 32) as u32))
    }

    /// Keeps a section in the place of another one, if section and rows are short enough.
    pub fn put(&mut self, section: &Section, limit: f32, rows: &[u32]) {
        if section.is_short && (1..=MAX_ROWS).contains(&rows.len()) {
            let row = |at: usize| u64::from(rows.get(at).copied().unwrap_or(NO_ROW));
            let limit = u64::from(limit.to_bits());
            let [low, high] = section.key;
            self.slots[section.slot as usize] =
                [low, high, row(0) | row(1) << 32, row(2) | limit << 32];
        }
    }
}

#[inline]
fn is_of(slot: &Slot, key: Key) -> bool {
    (slot[0] ^ key[0]) | (slot[1] ^ key[1]) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_fits() {
        let text = "aab\0a longer text than fifteen bytes".as_bytes();
        let mut cache = SectionCache::default();
        let find = |cache: &mut SectionCache, text: &[u8], range: Range<usize>| {
            let mut found = Vec::new();
            cache.find(text, range.start, [range.end].into_iter(), &mut found);
            found.remove(0)
        };
        assert!(!find(&mut cache, text, 0..16).is_short && find(&mut cache, text, 3..18).is_short);
        let get = |cache: &mut SectionCache, text: &[u8], range| {
            let (section, mut rows) = (find(cache, text, range), vec![0]);
            cache.get(&section, &mut rows).map(|limit| (limit, rows))
        };
        assert_eq!(get(&mut cache, text, 0..1), None);
        for (range, limit, rows) in
            [(0..1, 1.5, &[1][..]), (1..3, 0.0, &[1, 2, 3]), (1..4, 2.0, &[1, 2, 3, 4])]
        {
            let section = find(&mut cache, text, range);
            cache.put(&section, limit, rows);
        }
        assert_eq!(get(&mut cache, text, 1..2), Some((1.5, vec![0, 1])));
        assert_eq!(get(&mut cache, b"a", 0..1), Some((1.5, vec![0, 1])));
        assert_eq!(get(&mut cache, text, 1..3), Some((0.0, vec![0, 1, 2, 3])));
        assert_eq!(get(&mut cache, text, 1..4), None);
    }
}
