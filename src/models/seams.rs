//! Seams: the places of a text that no piece can cross.
//!
//! Rule.    Two characters that never stand side by side in a piece have a seam between them: the
//!          text before it and the text after it are sections, cut each for itself.
//! Cost.    One bit is looked up for each two neighbours. Seams may be missed, since sections are
//!          only longer then: pairs share their bits with others, and between two small Latin
//!          letters nobody looks. None is ever seen where a piece could cross.

use crate::collections::section_cache::{Section, SectionCache};
use crate::error::Result;

/// The number of bits; even a vocabulary of 256,000 pieces has no more than some 50,000 pairs.
const BITS_LOG2: u32 = 20;
/// How many sections are looked for at once.
const BLOCK: usize = 32;

/// Which characters stand side by side in a piece.
pub struct Seams {
    joined: Vec<u64>,
}

impl Seams {
    /// The seams of a vocabulary.
    pub fn new<'a>(pieces: impl Iterator<Item = &'a str>) -> Self {
        let mut seams = Self { joined: vec![0; 1 << (BITS_LOG2 - 6)] };
        for piece in pieces {
            for (left, right) in piece.chars().zip(piece.chars().skip(1)) {
                let (word, bit) = Self::place(left, right);
                seams.joined[word] |= 1 << bit;
            }
        }
        seams
    }

    #[inline]
    fn place(left: char, right: char) -> (usize, u32) {
        let pair = u64::from(left as u32) << 32 | u64::from(right as u32);
        let mixed = pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS_LOG2);
        ((mixed >> 6) as usize, mixed as u32 & 63)
    }

    #[inline]
    fn is_seam(&self, left: char, right: char) -> bool {
        let (word, bit) = Self::place(left, right);
        self.joined[word] >> bit & 1 == 0
    }

    /// Calls `visit` with the sections of a text, looked for in a table, some at once.
    #[inline]
    pub fn blocks(
        &self,
        text: &str,
        sections: &mut SectionCache,
        mut visit: impl FnMut(&mut SectionCache, &[Section]) -> Result<()>,
    ) -> Result<()> {
        let (mut block, mut ends, mut start) = (Vec::with_capacity(BLOCK), [0; BLOCK], 0);
        while start < text.len() {
            let (mut length, mut end) = (0, start);
            while length < BLOCK && end < text.len() {
                end = self.end_of_section(text, end);
                ends[length] = end;
                length += 1;
            }
            sections.find(text.as_bytes(), start, &ends[..length], &mut block);
            visit(sections, &block)?;
            start = end;
        }
        Ok(())
    }

    /// The end of the section that begins at a byte of the text.
    #[inline]
    fn end_of_section(&self, text: &str, start: usize) -> usize {
        let mut characters = text[start..].char_indices();
        let Some((_, mut before)) = characters.next() else { return start };
        for (at, character) in characters {
            let is_within_word = before.is_ascii_lowercase() && character.is_ascii_lowercase();
            if !is_within_word && self.is_seam(before, character) {
                return start + at;
            }
            before = character;
        }
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Seams;

    #[test]
    fn no_piece_crosses_a_seam() {
        let seams = Seams::new(["AB", "東京都"].into_iter());
        let sections = |text: &str| {
            let mut ends = vec![0];
            while ends[ends.len() - 1] < text.len() {
                ends.push(seams.end_of_section(text, ends[ends.len() - 1]));
            }
            ends
        };
        assert_eq!(sections("ABBA東京都京"), [0, 2, 3, 4, 13, 16]);
        assert_eq!(sections(""), [0]);
    }
}
