//! Seams: the places of a text that no token can cross.
//!
//! Rule.    A token that lies on both sides of a place is the only thing that can join what is left
//!          and right of it. So where no token has these two characters side by side, or the ends of
//!          them that it holds, there is a seam: the text before it and the text after it are
//!          sections, cut each for itself.
//! Cost.    One bit is looked up for each two neighbours. Seams may be missed, since sections are
//!          only longer then: pairs share their bits with others, what holds a part of a character
//!          counts for all characters with these bytes, and between two small Latin letters nobody
//!          looks. None is ever seen where a token could cross.

use std::io::Read;
use std::ops::Range;

use crate::collections::kept::{Reader, Writer};
use crate::collections::section_cache::{Section, SectionCache};
use crate::error::Result;

/// The number of bits; even a vocabulary of 256,000 tokens has no more than some 50,000 pairs.
const BITS_LOG2: u32 = 20;
/// How many sections are looked for at once.
const BLOCK: usize = 32;

/// Pairs of numbers, each with a bit that it shares with others.
pub struct Pairs(Vec<u64>);

impl Default for Pairs {
    fn default() -> Self {
        Self(vec![0; 1 << (BITS_LOG2 - 6)])
    }
}

impl Pairs {
    /// One more.
    pub fn insert(&mut self, left: u32, right: u32) {
        let bit = Self::bit(left, right);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a pair may be among them; of those that are, always.
    #[inline]
    pub fn may_have(&self, left: u32, right: u32) -> bool {
        let bit = Self::bit(left, right);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn bit(left: u32, right: u32) -> usize {
        let both = u64::from(left) << 32 | u64::from(right);
        (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS_LOG2)) as usize
    }
}

/// Which characters stand side by side in a token.
pub struct Seams {
    joined: Pairs,
    /// Last byte of a character, first byte of the next → some token has only a part of one of them.
    in_parts: Vec<[u64; 4]>,
}

impl Seams {
    /// The seams of a vocabulary.
    pub fn new<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut seams = Self { joined: Pairs::default(), in_parts: vec![[0; 4]; 256] };
        for token in tokens {
            for place in (1..token.len()).filter(|&place| begins(token[place])) {
                if let (Some(left), Some(right)) = (last(&token[..place]), first(&token[place..])) {
                    seams.joined.insert(left, right);
                } else {
                    let row = &mut seams.in_parts[token[place - 1] as usize];
                    row[token[place] as usize / 64] |= 1 << (token[place] % 64);
                }
            }
        }
        seams
    }

    /// Writes them.
    pub fn keep(&self, out: &mut Writer) {
        out.table(&self.joined.0);
        out.table(&self.in_parts);
    }

    /// Those that were written.
    pub fn kept<R: Read>(from: &mut Reader<R>) -> Option<Self> {
        Some(Self { joined: Pairs(from.table()?), in_parts: from.table()? })
    }

    /// Calls `visit` with the sections of a text, looked for in a table, some at once.
    #[inline]
    pub fn blocks(
        &self,
        text: &str,
        sections: &mut SectionCache,
        mut visit: impl FnMut(&mut SectionCache, &[Section]) -> Result<()>,
    ) -> Result<()> {
        let (mut block, mut ends, mut length) = (Vec::with_capacity(BLOCK), [0; BLOCK], 0);
        let (text, mut start) = (text.as_bytes(), 0);
        self.each_section(text, 0, |section| {
            ends[length] = section.end;
            length += 1;
            if length == BLOCK || section.end == text.len() {
                sections.find(text, start, ends[..length].iter().copied(), &mut block);
                visit(sections, &block)?;
                (length, start) = (0, section.end);
            }
            Ok(())
        })
    }

    /// Calls `visit` with each section of a text in UTF-8, of which the first begins at a byte.
    #[inline]
    pub fn each_section(
        &self,
        text: &[u8],
        mut start: usize,
        mut visit: impl FnMut(Range<usize>) -> Result<()>,
    ) -> Result<()> {
        let (mut left, mut place) = (0, start);
        let mut next = |place: usize| {
            let end = place + width(text[place]);
            (std::mem::replace(&mut left, character(text, place, end)), left, end)
        };
        if place < text.len() {
            (.., place) = next(place);
        }
        while place < text.len() {
            // Many places are looked at before what is found is used, so that nothing waits.
            let (mut places, mut count, mut seams) = ([0; 32], 0, 0u32);
            while place < text.len() && count < places.len() {
                let (last, first) = (text[place - 1], text[place]);
                let (left, right, end) = next(place);
                let is_within_word = last.is_ascii_lowercase() & first.is_ascii_lowercase();
                let joined = is_within_word | self.joins(left, last, right, first);
                places[count] = place;
                seams |= u32::from(!joined) << count;
                (count, place) = (count + 1, end);
            }
            while seams != 0 {
                let end = places[seams.trailing_zeros() as usize];
                visit(start..end)?;
                start = end;
                seams &= seams - 1;
            }
        }
        if start < text.len() { visit(start..text.len()) } else { Ok(()) }
    }

    /// Whether some token holds only a part of one of the characters that these bytes end and begin,
    /// and a part of the other or all of it.
    #[inline]
    pub fn splits(&self, last: u8, first: u8) -> bool {
        self.in_parts[usize::from(last)][usize::from(first / 64)] >> (first % 64) & 1 == 1
    }

    /// Whether a token may hold two characters side by side.
    pub fn join(&self, left: char, right: char) -> bool {
        let mut text = [0; 8];
        let end = left.encode_utf8(&mut text).len();
        let length = end + right.encode_utf8(&mut text[end..]).len();
        let (first, second) = (character(&text, 0, end), character(&text, end, length));
        self.joins(first, text[end - 1], second, text[end])
    }

    #[inline]
    fn joins(&self, left: u32, last: u8, right: u32, first: u8) -> bool {
        self.joined.may_have(left, right) | self.splits(last, first)
    }
}

/// Whether a byte begins a character.
#[inline]
fn begins(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// How many bytes a character has by its first one.
#[inline]
fn width(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

/// The bytes of a character, at most four, as one number.
#[inline]
fn character(word: &[u8], start: usize, end: usize) -> u32 {
    let mut bytes = [0; 4];
    if let Some(&with_more) = word[start..].first_chunk() {
        bytes = with_more;
    } else {
        bytes[..end - start].copy_from_slice(&word[start..end]);
    }
    u32::from_le_bytes(bytes) & u32::MAX >> (32 - 8 * (end - start) as u32)
}

/// The whole character at the end, if it is there.
fn last(bytes: &[u8]) -> Option<u32> {
    let start = bytes.iter().rposition(|&byte| begins(byte))?;
    (start + width(bytes[start]) == bytes.len()).then(|| character(bytes, start, bytes.len()))
}

/// The whole character at the start, if it is there.
fn first(bytes: &[u8]) -> Option<u32> {
    let end = width(bytes[0]);
    let rest = bytes.get(1..end)?;
    (!rest.iter().any(|&byte| begins(byte))).then(|| character(bytes, 0, end))
}

#[cfg(test)]
mod tests {
    use super::Seams;
    use proptest::prelude::*;

    #[test]
    fn no_token_crosses_a_seam() {
        let tokens = ["東京".as_bytes(), "京都".as_bytes(), "です".as_bytes(), b"e\xe3"];
        let seams = Seams::new(tokens.into_iter());
        let word = "東京都です。eです";
        let mut parts = Vec::new();
        let each = seams.each_section(word.as_bytes(), 0, |section| {
            parts.push(&word[section]);
            Ok(())
        });
        assert_eq!(each, Ok(()));
        assert_eq!(parts, ["東京都", "です", "。", "eです"]);
    }

    proptest! {
        #[test]
        fn none_is_seen_where_a_token_could_cross(
            word in "[aé東京😀🎉]{1,40}",
            slices in prop::collection::vec((0usize..60, 1usize..9), 0..12),
        ) {
            let text = "aé東京😀🎉東a京京é🎉a東".as_bytes();
            let slice = |&(start, length): &(usize, usize)| {
                let start = start.min(text.len() - 1);
                text[start..(start + length).min(text.len())].to_vec()
            };
            let tokens: Vec<Vec<u8>> = slices.iter().map(slice).collect();
            let seams = Seams::new(tokens.iter().map(Vec::as_slice));
            let word = word.as_bytes();
            let (mut cuts, mut cut) = (Vec::new(), 0);
            let each = seams.each_section(word, 0, |section| {
                cuts.push(section);
                Ok(())
            });
            prop_assert_eq!(each, Ok(()));
            for section in cuts {
                prop_assert!(section.start == cut && section.end > cut);
                prop_assert!(std::str::from_utf8(&word[section.clone()]).is_ok());
                cut = section.end;
                for token in &tokens {
                    let crosses = (0..cut).any(|start| {
                        start + token.len() > cut && word[start..].starts_with(token)
                    });
                    prop_assert!(cut == word.len() || !crosses);
                }
            }
            prop_assert_eq!(cut, word.len());
        }
    }
}
