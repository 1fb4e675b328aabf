//! Pair of ids → value, the innermost look-up of byte-pair encoding.
//!
//! Open addressing in one flat array at half load: a look-up is a multiplication and, nearly
//! always, one cache line.

use std::io::Read;

use super::huge_pages;
use super::kept::{Plain, Reader, Writer};

/// Marks a free slot; no pair of ids packs to it, since `NO_ID` is no token.
const FREE: u64 = u64::MAX;

/// A pair and its value.
#[derive(Clone, Copy)]
#[repr(C)]
struct Slot<V> {
    pair: u64,
    value: V,
}

// SAFETY: two numbers of one size.
unsafe impl Plain for Slot<u64> {}

/// A map from pairs of ids to a copyable value.
pub struct PairMap<V> {
    slots: Vec<Slot<V>>,
    shift: u32,
    len: usize,
}

/// One number for a pair.
#[inline]
pub fn pack(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The pair of a number.
#[inline]
pub fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

impl<V: Copy + Default> PairMap<V> {
    /// A map that holds `capacity` pairs before it grows.
    pub fn with_capacity(capacity: usize) -> Self {
        let size = (capacity * 2).next_power_of_two().max(16);
        let mut slots = huge_pages::with_capacity(size);
        slots.resize(size, Slot { pair: FREE, value: V::default() });
        Self { slots, shift: 64 - size.trailing_zeros(), len: 0 }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn slot(&self, pair: u64) -> usize {
        // Fibonacci hashing: the multiplier is 2^64 / golden ratio, the top bits are well mixed.
        let mixed = (pair ^ (pair >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.slots.len() - 1;
        let mut slot = (mixed >> self.shift) as usize;
        while self.slots[slot].pair != pair && self.slots[slot].pair != FREE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The value of a pair.
    #[inline]
    pub fn get(&self, pair: u64) -> Option<V> {
        let slot = self.slots[self.slot(pair)];
        (slot.pair == pair && pair != FREE).then_some(slot.value)
    }

    /// The value of a pair, put there first if it is new.
    pub fn entry(&mut self, pair: u64) -> &mut V {
        if (self.len + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(pair);
        if self.slots[slot].pair == FREE {
            self.slots[slot].pair = pair;
            self.len += 1;
        }
        &mut self.slots[slot].value
    }

    /// Sets the value of a pair.
    pub fn insert(&mut self, pair: u64, value: V) {
        *self.entry(pair) = value;
    }

    fn grow(&mut self) {
        let mut larger = Self::with_capacity(self.slots.len());
        for &kept in self.slots.iter().filter(|slot| slot.pair != FREE) {
            let slot = larger.slot(kept.pair);
            larger.slots[slot] = kept;
        }
        larger.len = self.len;
        *self = larger;
    }

    /// All pairs with their values, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (u64, V)> {
        self.slots.iter().filter(|slot| slot.pair != FREE).map(|slot| (slot.pair, slot.value))
    }
}

impl PairMap<u64> {
    /// Writes it.
    pub fn keep(&self, out: &mut Writer) {
        out.number(self.len);
        out.table(&self.slots);
    }

    /// The one that was written.
    pub fn kept<R: Read>(from: &mut Reader<R>) -> Option<Self> {
        let (len, slots) = (from.number()?, from.table::<Slot<u64>>()?);
        let shift = 64 - slots.len().trailing_zeros();
        Some(Self { slots, shift, len })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_and_finds() {
        let mut map = PairMap::with_capacity(0);
        for i in 0..10_000u32 {
            map.insert(pack(i, i * 7), i);
            *map.entry(pack(i, 3)) += 1;
        }
        assert!((0..10_000u32).all(|i| map.get(pack(i, i * 7)).is_some()));
        assert_eq!(map.get(pack(10_001, 0)), None);
        assert_eq!(map.iter().count(), map.len());
        assert_eq!(unpack(pack(1, 2)), (1, 2));
    }
}
