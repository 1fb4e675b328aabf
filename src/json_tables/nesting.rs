//! Where a JSON array or object ends.
//!
//! Rule.    It ends at the bracket that closes the one it begins with. A bracket in a string is none;
//!          whether the others fit one another is for those to see who read it.
//! Cost.    64 bytes at a time, where no backslash is among them: a mask says which bytes are
//!          quotes, and its parities which stand in strings; brackets outside are counted, and looked
//!          at one by one only where the last may be among them.

use crate::without::{Technique, without};

const BLOCK: usize = 64;

/// The byte after the bracket that closes the one at `start`; None if nothing does.
pub fn end(json: &[u8], start: usize) -> Option<usize> {
    let mut state = State::default();
    for (index, block) in json[start..].chunks(BLOCK).enumerate() {
        let found = match block.try_into() {
            Ok(block) if !state.is_escaped && !without(Technique::Nesting) => state.whole(block),
            _ => state.each(block),
        };
        if let Some(place) = found {
            return Some(start + index * BLOCK + place + 1);
        }
    }
    None
}

/// What is known before a block.
#[derive(Default)]
struct State {
    /// How many brackets are open.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl State {
    /// Goes through a block: where in it the last bracket is closed.
    fn whole(&mut self, block: &[u8; BLOCK]) -> Option<usize> {
        if mask(block, b'\\', 0) != 0 {
            return self.each(block);
        }
        let mut inside = mask(block, b'"', 0);
        for step in [1, 2, 4, 8, 16, 32] {
            inside ^= inside << step;
        }
        inside ^= u64::from(self.in_string).wrapping_neg();
        let outside = !inside;
        // `[` and `{` differ in one bit alone, and so do `]` and `}`.
        let opened = mask(block, b'{', 0x20) & outside;
        let closed = mask(block, b'}', 0x20) & outside;
        self.in_string = inside >> (BLOCK - 1) == 1;
        if closed.count_ones() as usize >= self.depth {
            return self.brackets(opened, closed);
        }
        self.depth += opened.count_ones() as usize;
        self.depth -= closed.count_ones() as usize;
        None
    }

    /// Goes through the brackets of a block.
    fn brackets(&mut self, opened: u64, closed: u64) -> Option<usize> {
        let mut both = opened | closed;
        while both != 0 {
            let place = both.trailing_zeros();
            if opened >> place & 1 == 1 {
                self.depth += 1;
            } else {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return Some(place as usize);
                }
            }
            both &= both - 1;
        }
        None
    }

    /// The same byte by byte.
    fn each(&mut self, block: &[u8]) -> Option<usize> {
        for (place, &byte) in block.iter().enumerate() {
            if std::mem::take(&mut self.is_escaped) {
                continue;
            }
            match byte {
                b'\\' => self.is_escaped = self.in_string,
                b'"' => self.in_string = !self.in_string,
                b'[' | b'{' if !self.in_string => self.depth += 1,
                b']' | b'}' if !self.in_string => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(place);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Which bytes are this one, once the bits of `set` are set.
#[cfg(target_arch = "x86_64")]
#[inline]
fn mask(block: &[u8; BLOCK], byte: u8, set: u8) -> u64 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };
    let parts = block.chunks_exact(16).zip((0..BLOCK).step_by(16));
    parts.fold(0, |mask, (part, place)| {
        // SAFETY: every x86-64 has SSE2, and a part has sixteen bytes.
        let equal = unsafe {
            let part =
                _mm_or_si128(_mm_loadu_si128(part.as_ptr().cast()), _mm_set1_epi8(set as i8));
            _mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8(byte as i8)))
        };
        mask | u64::from(equal as u16) << place
    })
}

/// The same where there is no such instruction.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline]
fn mask_by_words(block: &[u8; BLOCK], byte: u8, set: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOW: u64 = ONES * 0x7f;
    /// Brings the lowest bit of each byte together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (wanted, set) = (ONES * u64::from(byte), ONES * u64::from(set));
    let words = block.chunks_exact(8).zip((0..BLOCK).step_by(8));
    words.fold(0, |mask, (word, place)| {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default()) | set;
        let differs = word ^ wanted;
        let is_zero = !(((differs & LOW) + LOW) | differs | LOW) >> 7;
        mask | (is_zero.wrapping_mul(GATHER) >> 56) << place
    })
}

#[cfg(not(target_arch = "x86_64"))]
use mask_by_words as mask;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_serde_has_it(
            parts in prop::collection::vec(r#"\[|\]|\{|\}|"a"|"[\]\[}{]"|"\\\\"|"\\"\["| |é|"あ{60}""#, 0..80),
        ) {
            let json = format!("[[{}", parts.join(","));
            let mut state = super::State::default();
            let expected = state.each(json.as_bytes()).map(|place| place + 1);
            prop_assert_eq!(super::end(json.as_bytes(), 0), expected);
        }

        #[test]
        fn a_mask_marks_the_byte(block in prop::collection::vec(any::<u8>(), 64)) {
            let block: [u8; 64] = block.try_into().unwrap();
            for (byte, set) in [(b'"', 0), (b'{', 0x20), (b'}', 0x20), (0, 0), (255, 0)] {
                let expected = (0..64).fold(0u64, |mask, place| {
                    mask | u64::from(block[place] | set == byte) << place
                });
                prop_assert_eq!(super::mask(&block, byte, set), expected);
                prop_assert_eq!(super::mask_by_words(&block, byte, set), expected);
            }
        }
    }

    #[test]
    fn the_last_bracket_counts() {
        let long = format!("{{\"a\": [{}\"]}}\\\"\"]}} ]", "\"x\", ".repeat(100));
        assert_eq!(super::end(long.as_bytes(), 0), Some(long.len() - 2));
        assert_eq!(super::end(b"[[]", 0), None);
        assert_eq!(super::end(b"x[1] ", 1), Some(4));
    }
}
