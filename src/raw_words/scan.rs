//! Where raw words begin and end.
//!
//! Rule.    A gap is in no word. A character that is a word by itself begins one and ends it; all
//!          others are in the word of their neighbours.
//! Cost.    64 bytes at a time: a bit for each byte says whether it is a gap and whether a word by
//!          itself begins or ends there, and where words begin and end follows from these bits at once.
//!          Characters beyond ASCII are looked up one by one.

use std::ops::Range;

use super::kinds::Kinds;
use crate::error::Result;
use crate::unicode::character_at;

/// How many bytes are looked at at once.
const BLOCK: usize = 64;

/// What the bytes of a block are, a bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Marks {
    /// In no word.
    gap: u64,
    /// The first byte of a character that is a word by itself.
    first: u64,
    /// The last byte of such a one.
    last: u64,
    /// The first byte of a character beyond ASCII.
    wide: u64,
}

/// Calls `visit` with the bytes of each raw word of a text, in order.
#[inline]
pub fn each_word(
    text: &str,
    kinds: &Kinds,
    mut visit: impl FnMut(Range<usize>) -> Result<()>,
) -> Result<()> {
    let text = text.as_bytes();
    // What the last byte of the block before is, and what its last character says of this block.
    let mut before = Marks { gap: 1, ..Marks::default() };
    let mut over = Marks::default();
    let mut start = 0;
    for base in (0..text.len()).step_by(BLOCK) {
        let marks = match text[base..].first_chunk() {
            Some(block) => of_ascii(block),
            None => of_ascii(&with_spaces(&text[base..])),
        };
        let Marks { mut gap, mut first, mut last, mut wide } = marks;
        (gap, last) = (gap | over.gap, last | over.last);
        over = Marks::default();
        while wide != 0 {
            let at = wide.trailing_zeros();
            wide &= wide - 1;
            let (code_point, length) = character_at(text, base + at as usize);
            let (is_word, is_gap) = kinds.parts(code_point);
            let gaps = if is_gap { (1 << length) - 1 } else { 0 };
            let end = u64::from(is_word) << (length - 1);
            gap |= gaps << at;
            first |= u64::from(is_word) << at;
            last |= end << at;
            // Of at most four bytes, some may be in the next block.
            over.gap |= gaps >> 1 >> (63 - at);
            over.last |= end >> 1 >> (63 - at);
        }
        let (gap_before, last_before) = (gap << 1 | before.gap, last << 1 | before.last);
        let mut starts = !gap & (gap_before | last_before | first);
        let mut ends = !gap_before & (gap | last_before | first);
        let mut next = || {
            let at = starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
            base + at
        };
        if before.gap == 1 {
            start = next();
        }
        while ends != 0 {
            visit(start..base + ends.trailing_zeros() as usize)?;
            ends &= ends - 1;
            start = next();
        }
        before = Marks { gap: gap >> 63, last: last >> 63, ..Marks::default() };
    }
    if before.gap == 0 { visit(start..text.len()) } else { Ok(()) }
}

/// Fewer bytes than a block has, with gaps behind them.
fn with_spaces(bytes: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// What the bytes of ASCII are. The same for every form of BERT's normalizer: signs are words by
/// themselves, and the white space that it knows are gaps.
fn of_ascii(block: &[u8; BLOCK]) -> Marks {
    let mut marks = Marks::default();
    for (at, byte) in block.iter().enumerate() {
        let bit = |is: bool| u64::from(is) << at;
        let is_sign = byte.is_ascii_punctuation();
        marks.gap |= bit(matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        marks.first |= bit(is_sign);
        marks.last |= bit(is_sign);
        marks.wide |= bit(*byte >= 0xc0);
    }
    marks
}
