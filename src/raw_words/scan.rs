//! Where raw words begin and end.
//!
//! Rule.    A gap is in no word. A character that is a word by itself begins one and ends it; all
//!          others are in the word of their neighbours.
//! Cost.    A block of 64 bytes at a time: bits say which bytes are gaps and where words by themselves
//!          begin and end, and where all words begin and end follows from these bits at once.
//!          Characters beyond ASCII are looked up one by one.

use std::ops::Range;

use super::ascii::{BLOCK, Bytes};
use super::kinds::Kinds;
use crate::error::Result;
use crate::unicode::character_at;

/// What is known of the bytes that come next, a bit each.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// In no word.
    gaps: u64,
    /// The last byte of a character that is a word by itself.
    lasts: u64,
}

/// Calls `visit` with the bytes of each raw word of a text, in order.
#[inline]
pub fn each_word(
    text: &str,
    kinds: &Kinds,
    mut visit: impl FnMut(Range<usize>) -> Result<()>,
) -> Result<()> {
    let text = text.as_bytes();
    // The byte before the block, in the first bit, and what the last character says of the block.
    let mut before = Marks { gaps: 1, lasts: 0 };
    let mut over = Marks::default();
    let mut start = 0;
    // Behind the text is a gap, where its last word ends.
    for base in (0..=text.len()).step_by(BLOCK) {
        let Bytes { gaps, signs, mut leads } = match text[base..].first_chunk() {
            Some(block) => Bytes::of(block),
            None => Bytes::of(&with_spaces(&text[base..])),
        };
        let mut marks = Marks { gaps: gaps | over.gaps, lasts: signs | over.lasts };
        let mut firsts = signs;
        over = Marks::default();
        while leads != 0 {
            let at = leads.trailing_zeros();
            leads &= leads - 1;
            let (code_point, length) = character_at(text, base + at as usize);
            let (is_word, is_gap) = kinds.parts(code_point);
            let gap = u64::from(is_gap) * ((1 << length) - 1);
            let last = u64::from(is_word) << (length - 1);
            firsts |= u64::from(is_word) << at;
            marks.gaps |= gap << at;
            marks.lasts |= last << at;
            // Of at most four bytes, some may be in the next block.
            over.gaps |= gap >> 1 >> (63 - at);
            over.lasts |= last >> 1 >> (63 - at);
        }
        let was_gap = marks.gaps << 1 | before.gaps;
        let was_last = marks.lasts << 1 | before.lasts;
        let mut starts = !marks.gaps & (was_gap | was_last | firsts);
        let mut ends = !was_gap & (marks.gaps | was_last | firsts);
        let mut next = || {
            let at = starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
            base + at
        };
        if before.gaps == 1 {
            start = next();
        }
        while ends != 0 {
            visit(start..base + ends.trailing_zeros() as usize)?;
            ends &= ends - 1;
            start = next();
        }
        before = Marks { gaps: marks.gaps >> 63, lasts: marks.lasts >> 63 };
    }
    Ok(())
}

/// Fewer bytes than a block has, with gaps behind them.
#[inline]
fn with_spaces(bytes: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}
