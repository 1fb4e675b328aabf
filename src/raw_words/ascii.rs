//! What the bytes of a block are, 64 at once.
//!
//! Rule.    The same for every form of BERT's normalizer: letters, digits and controls are parts of
//!          words, signs are words by themselves, and the white space that it keeps in any form is a
//!          gap. What other controls are is a matter of `kinds.rs`, once the word is looked at.
//! Cost.    Some twenty steps for 16 bytes, where the machine has them; else some for each byte.

/// How many bytes are looked at at once.
pub const BLOCK: usize = 64;

/// What the bytes of a block are, a bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// In no word.
    pub gaps: u64,
    /// A word by itself.
    pub signs: u64,
    /// The first byte of a character beyond ASCII.
    pub leads: u64,
}

impl Bytes {
    /// Those of a block.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn of(block: &[u8; BLOCK]) -> Self {
        let mut bytes = Self::default();
        for (index, part) in block.chunks_exact(16).enumerate() {
            let [gaps, signs, leads] = of_sixteen(part).map(|bits| u64::from(bits) << (16 * index));
            bytes.gaps |= gaps;
            bytes.signs |= signs;
            bytes.leads |= leads;
        }
        bytes
    }

    /// Those of a block.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline]
    pub fn of(block: &[u8; BLOCK]) -> Self {
        Self::one_by_one(block)
    }

    /// The same for any machine.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn one_by_one(block: &[u8; BLOCK]) -> Self {
        let bits = |is: fn(u8) -> bool| {
            let bit = |(at, &byte): (usize, &u8)| u64::from(is(byte)) << at;
            block.iter().enumerate().map(bit).sum()
        };
        Self {
            gaps: bits(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')),
            signs: bits(|byte| byte.is_ascii_punctuation()),
            leads: bits(|byte| byte >= 0xc0),
        }
    }
}

/// Gaps, signs and leads among sixteen bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
fn of_sixteen(part: &[u8]) -> [u16; 3] {
    use std::arch::x86_64::{
        _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_min_epu8,
        _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_sub_epi8,
    };
    // SAFETY: every x86-64 has these instructions, and the one that reads memory reads
    // the sixteen bytes of `part`.
    unsafe {
        let bytes = _mm_loadu_si128(part.as_ptr().cast());
        let each = |byte: u8| _mm_set1_epi8(byte as i8);
        let is = |byte| _mm_cmpeq_epi8(bytes, each(byte));
        let among = |bytes, first: u8, last: u8| {
            let above = _mm_sub_epi8(bytes, each(first));
            _mm_cmpeq_epi8(_mm_min_epu8(above, each(last - first)), above)
        };
        let lower_case = _mm_or_si128(bytes, each(0x20));
        let words = _mm_or_si128(among(lower_case, b'a', b'z'), among(bytes, b'0', b'9'));
        let signs = _mm_andnot_si128(words, among(bytes, b'!', b'~'));
        let lines = _mm_or_si128(is(b'\n'), is(b'\r'));
        let gaps = _mm_or_si128(_mm_or_si128(is(b' '), is(b'\t')), lines);
        // As signed numbers, leads are those above -65 that are below 0.
        let leads =
            _mm_andnot_si128(_mm_cmpgt_epi8(bytes, each(0xff)), _mm_cmpgt_epi8(bytes, each(0xbf)));
        [gaps, signs, leads].map(|bits| _mm_movemask_epi8(bits) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn sixteen_at_once_are_as_one_by_one() {
        for first in 0..=255u8 {
            for step in [0, 1, 7, 101] {
                let mut block = [0; 64];
                for (byte, at) in block.iter_mut().zip(0u8..) {
                    *byte = first.wrapping_add(at.wrapping_mul(step));
                }
                assert_eq!(Bytes::of(&block), Bytes::one_by_one(&block), "{block:?}");
            }
        }
    }
}
