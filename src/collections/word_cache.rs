//! Words already encoded: a direct-mapped table from a short word to its few ids.
//!
//! Text repeats its words, and a hit costs one cache line. A new word simply takes the place of the
//! one before it, so the table never grows and never needs to be emptied.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

/// The longest word that is kept, in bytes: word and length fill 16 bytes.
const MAX_WORD: usize = 15;
/// The most ids that are kept for one word.
const MAX_IDS: usize = 3;
const SLOTS: usize = 1 << 15;

/// The bytes of the word with its length and kind in the last (0: free), the ids, and their number. A row of
/// plain zeros costs nothing until it is touched.
type Slot = [u32; KEY + MAX_IDS + 1];
const KEY: usize = 4;

/// What stands for itself in the table: a section of a word may have other ids than that word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole word.
    Word,
    /// A section of one.
    Section,
}

/// The table; it takes its memory at the first word.
#[derive(Default)]
pub struct WordCache {
    slots: Vec<Slot>,
    hasher: FixedState,
}

impl WordCache {
    #[inline]
    fn key(word: &[u8], kind: Kind) -> Option<u128> {
        if word.is_empty() || word.len() > MAX_WORD {
            return None;
        }
        let mut key = [0; 16];
        key[..word.len()].copy_from_slice(word);
        key[15] = word.len() as u8 | (kind as u8) << 7;
        Some(u128::from_le_bytes(key))
    }

    fn slot(&self, key: u128) -> usize {
        self.hasher.hash_one(key) as usize % SLOTS
    }

    /// The ids of a word that was kept.
    #[inline]
    pub fn get(&self, word: &[u8], kind: Kind) -> Option<&[u32]> {
        let key = Self::key(word, kind)?;
        let slot = self.slots.get(self.slot(key))?;
        let (kept, ids) = slot.split_at(KEY);
        (*kept == parts(key)).then(|| &ids[..ids[MAX_IDS] as usize])
    }

    /// Keeps a word, if word and ids are short enough.
    pub fn put(&mut self, word: &[u8], kind: Kind, ids: &[u32]) {
        if let (Some(key), true) = (Self::key(word, kind), ids.len() <= MAX_IDS) {
            if self.slots.is_empty() {
                self.slots = vec![Slot::default(); SLOTS];
            }
            let at = self.slot(key);
            let (kept, its) = self.slots[at].split_at_mut(KEY);
            kept.copy_from_slice(&parts(key));
            its[..ids.len()].copy_from_slice(ids);
            its[MAX_IDS] = ids.len() as u32;
        }
    }
}

/// A key as the slot keeps it.
fn parts(key: u128) -> [u32; KEY] {
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_fits() {
        let mut cache = WordCache::default();
        let rows: [(&[u8], Kind, &[u32]); 5] = [
            (b"a", Kind::Word, &[1]),
            (b"a", Kind::Section, &[5]),
            (b"a\0", Kind::Word, &[2, 3]),
            (b"longer than fifteen", Kind::Word, &[4]),
            (b"many", Kind::Word, &[1, 2, 3, 4]),
        ];
        for (word, kind, ids) in rows {
            assert_eq!(cache.get(word, kind), None);
            cache.put(word, kind, ids);
        }
        for (word, kind, ids) in &rows[..3] {
            assert_eq!(cache.get(word, *kind), Some(*ids));
        }
        for (word, kind, _) in &rows[3..] {
            assert_eq!(cache.get(word, *kind), None);
        }
    }
}
