//! Up to fifteen bytes as one number: what tables of short strings compare in one step.

/// The longest string that has a key, in bytes: string and length fill sixteen.
pub const LONGEST: usize = 15;

/// The bytes of a string, with zeros behind them and their number in the last.
pub type Key = [u64; 2];

/// What a key keeps of sixteen bytes, by length.
const KEPT: [Key; LONGEST + 1] = {
    let mut kept = [[0; 2]; LONGEST + 1];
    let mut length = 1;
    while length <= LONGEST {
        let bytes = u128::MAX >> (128 - 8 * length);
        kept[length] = [bytes as u64, (bytes >> 64) as u64];
        length += 1;
    }
    kept
};

/// The key of the `length` bytes of a text from `start` on, at most `LONGEST`.
#[inline]
pub fn key(text: &[u8], start: usize, length: usize) -> Key {
    let bytes = if let Some(with_more) = text[start..].first_chunk() {
        u128::from_le_bytes(*with_more)
    } else {
        near_the_end(text, start)
    };
    let [low, high] = KEPT[length];
    [bytes as u64 & low, (bytes >> 64) as u64 & high | (length as u64) << 56]
}

/// The last bytes of a text, fewer than sixteen, with zeros behind them.
#[cold]
#[inline(never)]
fn near_the_end(text: &[u8], start: usize) -> u128 {
    if let Some(end) = text.last_chunk() {
        let before = (16 + start - text.len()) as u32;
        return u128::from_le_bytes(*end).checked_shr(8 * before).unwrap_or(0);
    }
    let mut bytes = [0; 16];
    bytes[..text.len() - start].copy_from_slice(&text[start..]);
    u128::from_le_bytes(bytes)
}

/// Well-mixed bits of a key; the upper ones are the best.
#[inline]
pub fn hash([low, high]: Key) -> u64 {
    // Odd constants without a pattern, so that zeros do not stay zeros.
    let (low, high) = (low ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xc2b2_ae3d_27d4_eb4f);
    let product = u128::from(low) * u128::from(high);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x1656_67b1_9e37_79f9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_key_is_the_string_and_its_length() {
        let text = b"abc\0\0 and a good deal more";
        assert_eq!(key(text, 0, 3), key(b"abc", 0, 3));
        let keys: HashSet<Key> = (0..=5).map(|length| key(text, 0, length)).collect();
        assert_eq!(keys.len(), 6);
        assert_eq!(key(text, 11, 15), key(&text[11..], 0, 15));
        for start in 0..=text.len() {
            let length = (text.len() - start).min(LONGEST);
            assert_eq!(key(text, start, length), key(&text[start..][..length], 0, length));
        }
    }
}
