//! Short strings → number: a look-up is a multiplication and, nearly always, one cache line.
//!
//! Open addressing at half load, like `pair_map.rs`. Where a string lies is drawn anew for each map, so
//! that no file can name strings that all lie in one place.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use super::huge_pages;
use super::short_key::{self, Key, LONGEST};

/// The key of a free slot; no string has it, since the empty one is not kept.
const FREE: Key = [0, 0];

/// A map from strings of 1 to 15 bytes to numbers.
#[derive(Default)]
pub struct ShortMap {
    slots: Vec<(Key, u32)>,
    len: usize,
    /// Drawn at random.
    seed: u64,
}

impl ShortMap {
    /// Whether a string is one that can be kept.
    #[inline]
    pub fn takes(string: &[u8]) -> bool {
        (1..=LONGEST).contains(&string.len())
    }

    /// A map with room for so many strings.
    pub fn with_capacity(capacity: usize) -> Self {
        let size = (capacity * 2).next_power_of_two().max(16);
        let mut slots = huge_pages::with_capacity(size);
        slots.resize(size, (FREE, 0));
        Self { slots, len: 0, seed: RandomState::default().hash_one(size) }
    }

    #[inline]
    fn slot(&self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let hash = short_key::hash([key[0] ^ self.seed, key[1] ^ self.seed]);
        let mut slot = (hash >> 32) as usize & mask;
        while self.slots[slot].0 != key && self.slots[slot].0 != FREE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of a string, by its key.
    #[inline]
    pub fn get(&self, key: Key) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (there, number) = self.slots[self.slot(key)];
        (there == key).then_some(number)
    }

    /// Sets the number of a string, by its key.
    pub fn insert(&mut self, key: Key, number: u32) {
        if (self.len + 1) * 2 > self.slots.len() {
            let mut larger = Self::with_capacity((self.len + 1) * 2);
            for &(key, number) in self.slots.iter().filter(|slot| slot.0 != FREE) {
                larger.insert(key, number);
            }
            *self = larger;
        }
        let slot = self.slot(key);
        self.len += usize::from(self.slots[slot].0 == FREE);
        self.slots[slot] = (key, number);
    }

    /// All numbers, in no order that means anything.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().filter(|slot| slot.0 != FREE).map(|slot| slot.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_and_finds() {
        let mut map = ShortMap::default();
        let key = |number: u32| {
            let string = number.to_string();
            short_key::key(string.as_bytes(), 0, string.len())
        };
        assert_eq!(map.get(key(1)), None);
        for number in (0..10_000).chain(0..10) {
            map.insert(key(number), number + number % 10);
        }
        assert!((0..10_000).all(|number| map.get(key(number)) == Some(number + number % 10)));
        assert_eq!((map.get(key(10_001)), map.numbers().count()), (None, 10_000));
        // All these have the same hash where the seed is 0.
        let of_one_place = |number| [0x9e37_79b9_7f4a_7c15, number];
        (0..100_000).for_each(|number| map.insert(of_one_place(number), 1));
        assert!(!ShortMap::takes(b"") && ShortMap::takes(b"fifteen bytes !"));
    }
}
