//! Units of text already encoded: a direct-mapped table from a short unit to its rows, and up to
//! which magnitude of the sum before it they hold.
//!
//! As `word_cache.rs`, for units of up to 23 bytes and seven rows: a slot is one cache line.

use std::ops::Range;

/// The longest unit that is kept, in bytes.
pub const MAX_UNIT: usize = KEY * 4 - 1;
/// The most rows that are kept for one unit.
pub const MAX_ROWS: usize = SLOT - ROWS;
const SLOTS_LOG2: u32 = 15;

/// The key, the limit as bits, the number of rows, the rows. Plain zeros cost nothing until they are
/// touched.
type Slot = [u32; SLOT];
const SLOT: usize = 16;
const KEY: usize = 6;
const LIMIT: usize = 6;
const LENGTH: usize = 7;
const ROWS: usize = 8;

/// The bytes of a unit with their number in the last, which is never zero.
pub type Key = [u32; KEY];

/// The table; it takes its memory at the first unit.
#[derive(Default)]
pub struct UnitCache {
    slots: Vec<Slot>,
}

/// The key of a unit of a text, if it is short enough.
#[inline]
pub fn key(text: &[u8], unit: Range<usize>) -> Option<Key> {
    let length = unit.len();
    if length == 0 || length > MAX_UNIT {
        return None;
    }
    let mut bytes = [0; KEY * 4];
    if let Some(more) = text[unit.start..].first_chunk() {
        bytes = *more;
    } else {
        bytes[..length].copy_from_slice(&text[unit]);
    }
    let mut key = [0; KEY];
    for (index, four) in bytes.chunks_exact(4).enumerate() {
        let kept = length.saturating_sub(index * 4).min(4) as u32;
        let mask = u32::MAX.checked_shr(32 - kept * 8).unwrap_or(0);
        key[index] = u32::from_le_bytes([four[0], four[1], four[2], four[3]]) & mask;
    }
    key[KEY - 1] |= (length as u32) << 24;
    Some(key)
}

impl UnitCache {
    #[inline]
    fn slot(key: &Key) -> usize {
        let wide = |at: usize| u64::from(key[at]) | u64::from(key[at + 1]) << 32;
        let fold = |left: u64, right: u64| {
            let product = u128::from(left) * u128::from(right);
            product as u64 ^ (product >> 64) as u64
        };
        // Odd constants without a pattern, so that zeros do not stay zeros.
        let both = fold(wide(0) ^ 0x9e37_79b9_7f4a_7c15, wide(2) ^ 0xc2b2_ae3d_27d4_eb4f);
        let mixed = fold(both ^ wide(4), 0x1656_67b1_9e37_79f9);
        (mixed >> (64 - SLOTS_LOG2)) as usize
    }

    /// The limit and the rows of a unit that was kept.
    #[inline]
    pub fn get(&self, key: &Key) -> Option<(f32, &[u32])> {
        let slot = self.slots.get(Self::slot(key))?;
        let length = slot[LENGTH] as usize;
        (slot[..KEY] == *key).then(|| (f32::from_bits(slot[LIMIT]), &slot[ROWS..ROWS + length]))
    }

    /// Keeps a unit in the place of another one; too many rows are none, and hold nowhere.
    pub fn put(&mut self, key: &Key, limit: f32, rows: &[u32]) {
        if self.slots.is_empty() {
            self.slots = vec![[0; SLOT]; 1 << SLOTS_LOG2];
        }
        let (limit, rows) =
            if rows.len() > MAX_ROWS { (f32::NEG_INFINITY, &[][..]) } else { (limit, rows) };
        let slot = &mut self.slots[Self::slot(key)];
        slot[..KEY].copy_from_slice(key);
        slot[LIMIT] = limit.to_bits();
        slot[LENGTH] = rows.len() as u32;
        slot[ROWS..ROWS + rows.len()].copy_from_slice(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_what_fits() {
        let text = "aab\0a longer text than twenty-three bytes".as_bytes();
        let key = |range| key(text, range);
        assert!(key(0..0).is_none() && key(0..24).is_none() && key(3..26).is_some());
        assert_eq!(key(0..1), key(1..2));
        assert_eq!(key(0..1), super::key(b"a", 0..1));
        let mut cache = UnitCache::default();
        let (a, ab, zero) = (key(0..1).unwrap(), key(1..3).unwrap(), key(1..4).unwrap());
        assert_eq!(cache.get(&a), None);
        cache.put(&a, 1.5, &[1]);
        cache.put(&ab, 0.0, &[1, 2, 3, 4, 5, 6, 7, 8]);
        cache.put(&zero, 2.0, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(cache.get(&a), Some((1.5, &[1][..])));
        assert_eq!(cache.get(&ab), Some((0.0, &[1, 2, 3, 4, 5, 6, 7, 8][..])));
        assert_eq!(cache.get(&zero), Some((f32::NEG_INFINITY, &[][..])));
    }
}
