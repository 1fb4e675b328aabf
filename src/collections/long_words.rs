//! Words already encoded that `word_cache.rs` has no room for: longer ones, and those of more ids.
//!
//! The first fifteen bytes and the last fifteen are all of a word of up to thirty. A slot is one cache
//! line; a new word takes the place of what was there, so the table never grows. One word is looked
//! for at a time: those that come here are few, and the search that each spares takes longer.

use super::short_key::{self, Key, LONGEST};
use super::word_cache::Unit;
use crate::without::{Technique, without};

/// The longest word that is kept, in bytes.
const LONGEST_KEPT: usize = 2 * LONGEST;
/// The most ids that are kept for one word.
const MOST_IDS: usize = 7;
const SLOTS_LOG2: u32 = 14;

/// A word with its ids. All zeros are a free slot, which costs nothing until it is touched.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Slot {
    first: Key,
    last: Key,
    ids: [u32; MOST_IDS],
    length: u16,
    count: u16,
}

/// Where a word is kept, and what tells it from others.
struct Place {
    slot: usize,
    first: Key,
    last: Key,
    length: u16,
}

/// The table; it takes its memory at the first word.
#[derive(Default)]
pub struct LongWords {
    slots: Vec<Slot>,
    /// A bit for each slot that is taken: most words that are looked for are new.
    taken: Vec<u64>,
}

impl LongWords {
    /// The ids of a unit of a text, if they were kept.
    #[inline]
    pub fn get(&self, text: &[u8], unit: &Unit) -> Option<&[u32]> {
        let place = Place::of(text, unit)?;
        if self.taken.get(place.slot / 64)? & 1 << (place.slot % 64) == 0 {
            return None;
        }
        let slot = &self.slots[place.slot];
        let is_it =
            slot.length == place.length && slot.first == place.first && slot.last == place.last;
        is_it.then(|| &slot.ids[..usize::from(slot.count)])
    }

    /// Keeps the ids of a unit, if it and they are short enough.
    pub fn put(&mut self, text: &[u8], unit: &Unit, given: &[u32]) {
        let Some(Place { slot, first, last, length }) = Place::of(text, unit) else { return };
        if given.len() > MOST_IDS {
            return;
        }
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); 1 << SLOTS_LOG2];
            self.taken = vec![0; (1 << SLOTS_LOG2) / 64];
        }
        self.taken[slot / 64] |= 1 << (slot % 64);
        let mut ids = [0; MOST_IDS];
        ids[..given.len()].copy_from_slice(given);
        self.slots[slot] = Slot { first, last, ids, length, count: given.len() as u16 };
    }
}

impl Place {
    #[inline]
    fn of(text: &[u8], unit: &Unit) -> Option<Self> {
        let range = unit.range();
        if range.len() > LONGEST_KEPT || without(Technique::LongWords) {
            return None;
        }
        let length = range.len().min(LONGEST);
        let (first, last) = (unit.key(), short_key::key(text, range.end - length, length));
        // The length too, or all long runs of one character would share a slot.
        let mixed = [first[0] ^ last[1].rotate_left(32), first[1] ^ last[0] ^ range.len() as u64];
        let slot = (short_key::hash(mixed) >> (64 - SLOTS_LOG2)) as usize;
        Some(Self { slot, first, last, length: range.len() as u16 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::word_cache::Kind;
    use super::*;

    #[test]
    fn keeps_only_what_fits() {
        let text = [b'a'; 40];
        let mut words = LongWords::default();
        let unit = |length, kind| Unit::new(&text, 3..3 + length, kind);
        let rows: [(usize, Kind, &[u32]); 6] = [
            (1, Kind::Word, &[1, 2, 3, 4]),
            (16, Kind::Word, &[5]),
            (16, Kind::Section, &[6, 7]),
            (17, Kind::Word, &[]),
            (30, Kind::Word, &[8; 7]),
            (29, Kind::Section, &[9; 2]),
        ];
        for (length, kind, ids) in rows {
            assert_eq!(words.get(&text, &unit(length, kind)), None);
            words.put(&text, &unit(length, kind), ids);
        }
        for (length, kind, ids) in rows {
            assert_eq!(words.get(&text, &unit(length, kind)), Some(ids));
        }
        for (length, ids) in [(31, &[1][..]), (15, &[1; 8])] {
            words.put(&text, &unit(length, Kind::Word), ids);
            assert_eq!(words.get(&text, &unit(length, Kind::Word)), None);
        }
    }

    #[test]
    fn all_of_a_word_is_compared() {
        let mut words = LongWords::default();
        // More words than slots, which differ at the beginning, or at the end alone.
        let number = |number: u32| number.to_le_bytes();
        let text =
            |n: u32| if n.is_multiple_of(2) { [number(n), [7; 4]] } else { [[7; 4], number(n)] };
        let texts: Vec<Vec<u8>> =
            (0..50_000).map(|n| [&text(n)[0][..], &[b'a'; 22], &text(n)[1]].concat()).collect();
        let unit = |text: &[u8]| Unit::new(text, 0..text.len(), Kind::Word);
        for (text, n) in texts.iter().zip(0..) {
            words.put(text, &unit(text), &[n]);
        }
        let found = texts.iter().zip(0..).filter_map(|(text, n)| {
            let ids = words.get(text, &unit(text))?;
            assert_eq!(ids, [n]);
            Some(n)
        });
        assert!(found.count() > 5_000);
    }
}
