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

/// The bytes of the word with its length in the last (0: free), the ids, and their number. A row of
/// plain zeros costs nothing until it is touched.
type Slot = [u32; KEY + MAX_IDS + 1];
const KEY: usize = 4;

/// The table; it takes its memory at the first word.
#[derive(Default)]
pub struct WordCache {
    slots: Vec<Slot>,
    hasher: FixedState,
}

impl WordCache {
    fn key(word: &[u8]) -> Option<u128> {
        if word.is_empty() || word.len() > MAX_WORD {
            return None;
        }
        let mut key = [0; 16];
        key[..word.len()].copy_from_slice(word);
        key[15] = word.len() as u8;
        Some(u128::from_le_bytes(key))
    }

    /// Whether a word is short enough to be kept.
    #[inline]
    pub fn holds(&self, word: &str) -> bool {
        word.len() <= MAX_WORD
    }

    fn slot(&self, key: u128) -> usize {
        self.hasher.hash_one(key) as usize % SLOTS
    }

    /// The ids of a word that was kept.
    #[inline]
    pub fn get(&self, word: &[u8]) -> Option<&[u32]> {
        let key = Self::key(word)?;
        let slot = self.slots.get(self.slot(key))?;
        let (kept, ids) = slot.split_at(KEY);
        (*kept == parts(key)).then(|| &ids[..ids[MAX_IDS] as usize])
    }

    /// Keeps a word, if word and ids are short enough.
    pub fn put(&mut self, word: &[u8], ids: &[u32]) {
        if let (Some(key), true) = (Self::key(word), ids.len() <= MAX_IDS) {
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
        assert_eq!(cache.get(b"a"), None);
        cache.put(b"a", &[1]);
        cache.put(b"a\0", &[2, 3]);
        cache.put(b"longer than fifteen", &[4]);
        cache.put(b"many", &[1, 2, 3, 4]);
        assert_eq!(cache.get(b"a"), Some(&[1][..]));
        assert_eq!(cache.get(b"a\0"), Some(&[2, 3][..]));
        assert_eq!((cache.get(b"longer than fifteen"), cache.get(b"many")), (None, None));
    }
}
