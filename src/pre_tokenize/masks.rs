//! The classes of 64 bytes at once: one number a class, one bit a byte.
//!
//! Cost.    Some forty instructions for 64 bytes, with AVX2. Without it there are none: a few
//!          instructions for each byte are more than the scanner needs that the masks spare.

#[cfg(target_arch = "x86_64")]
use crate::without::{Technique, without};

/// How many bytes are looked at together.
pub const WIDTH: usize = 64;

/// Which of 64 bytes are of a class. Each byte is a letter, a digit, a space, another blank, a
/// newline, a sign or not ASCII.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Masks {
    /// ASCII letters.
    pub letters: u64,
    /// Those of them that are capitals.
    pub capitals: u64,
    /// ASCII digits.
    pub digits: u64,
    /// U+0020.
    pub spaces: u64,
    /// Tab, vertical tab and form feed.
    pub tabs: u64,
    /// Carriage return and line feed.
    pub newlines: u64,
    /// All other ASCII, and those of it that have a meaning of their own:
    pub signs: u64,
    /// `'`
    pub apostrophes: u64,
    /// `/`
    pub slashes: u64,
    /// Bytes of characters beyond ASCII.
    pub others: u64,
}

impl Masks {
    /// What is left is signs.
    fn with_signs(mut self) -> Self {
        let blanks = self.spaces | self.tabs | self.newlines;
        self.signs = !(self.letters | self.digits | blanks | self.others);
        self
    }
}

/// Finds the classes of 64 bytes.
pub type Classify = fn(&[u8; WIDTH]) -> Masks;

/// What this machine can run fast, if anything.
pub fn classify() -> Option<Classify> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && !without(Technique::Masks) {
        // SAFETY: AVX2 is there.
        return Some(|bytes| unsafe { with_avx2(bytes) });
    }
    None
}

/// The plain twin, for tests.
#[cfg(test)]
pub fn byte_by_byte(bytes: &[u8; WIDTH]) -> Masks {
    let mask = |fits: fn(u8) -> bool| {
        let bits = bytes.iter().enumerate().map(|(at, &byte)| u64::from(fits(byte)) << at);
        bits.fold(0, |mask, bit| mask | bit)
    };
    let masks = Masks {
        letters: mask(|byte| byte.is_ascii_alphabetic()),
        capitals: mask(|byte| byte.is_ascii_uppercase()),
        digits: mask(|byte| byte.is_ascii_digit()),
        spaces: mask(|byte| byte == b' '),
        tabs: mask(|byte| matches!(byte, b'\t' | b'\x0b' | b'\x0c')),
        newlines: mask(|byte| matches!(byte, b'\r' | b'\n')),
        signs: 0,
        apostrophes: mask(|byte| byte == b'\''),
        slashes: mask(|byte| byte == b'/'),
        others: mask(|byte| !byte.is_ascii()),
    };
    masks.with_signs()
}

/// The classes by AVX2, which must be there.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
// Bytes as the intrinsics take them.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, clippy::cast_ptr_alignment)]
unsafe fn with_avx2(bytes: &[u8; WIDTH]) -> Masks {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8, _mm256_slli_epi16, _mm256_sub_epi8,
    };
    // SAFETY: both halves lie in `bytes`, and a load may be unaligned; all else is arithmetic that
    // AVX2 has.
    unsafe {
        let half = |at: usize| _mm256_loadu_si256(bytes.as_ptr().add(at).cast::<__m256i>());
        let halves = [half(0), half(WIDTH / 2)];
        let all = |byte: u8| _mm256_set1_epi8(byte as i8);
        let is = |part, byte| _mm256_cmpeq_epi8(part, all(byte));
        let from_to = |part, from: u8, to: u8| {
            let above = _mm256_sub_epi8(part, all(from));
            _mm256_cmpeq_epi8(above, _mm256_min_epu8(above, all(to - from)))
        };
        let top_bits = |low: __m256i, high: __m256i| {
            let mask = |part| u64::from(_mm256_movemask_epi8(part) as u32);
            mask(low) | mask(high) << (WIDTH / 2)
        };
        macro_rules! mask {
            (|$part:ident| $test:expr) => {{
                let test = |$part: __m256i| $test;
                top_bits(test(halves[0]), test(halves[1]))
            }};
        }
        let letters = mask!(|part| from_to(_mm256_or_si256(part, all(0x20)), b'a', b'z'));
        let masks = Masks {
            letters,
            // The bit that makes a small letter of a capital, moved to the top.
            capitals: letters & !mask!(|part| _mm256_slli_epi16::<2>(part)),
            digits: mask!(|part| from_to(part, b'0', b'9')),
            spaces: mask!(|part| is(part, b' ')),
            tabs: mask!(|part| _mm256_or_si256(is(part, b'\t'), from_to(part, 0x0b, 0x0c))),
            newlines: mask!(|part| _mm256_or_si256(is(part, b'\r'), is(part, b'\n'))),
            signs: 0,
            apostrophes: mask!(|part| is(part, b'\'')),
            slashes: mask!(|part| is(part, b'/')),
            others: top_bits(halves[0], halves[1]),
        };
        masks.with_signs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_class_at_every_place() {
        for shift in 0..=u8::MAX {
            let bytes: [u8; WIDTH] =
                std::array::from_fn(|at| (at as u8).wrapping_mul(37).wrapping_add(shift));
            let masks = byte_by_byte(&bytes);
            if let Some(classify) = classify() {
                assert_eq!(classify(&bytes), masks);
            }
            for (at, byte) in bytes.iter().enumerate() {
                let of = |mask: u64| mask >> at & 1 == 1;
                let blank = of(masks.spaces | masks.tabs | masks.newlines);
                assert_eq!(blank, matches!(byte, 9..=13 | 32));
                assert_eq!(
                    of(masks.signs),
                    byte.is_ascii_punctuation() || byte.is_ascii_control() && !blank
                );
            }
        }
    }
}
