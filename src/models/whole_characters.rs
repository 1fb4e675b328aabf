//! Characters that merging may take whole, instead of from their bytes.
//!
//! Rule.    A character whose bytes merge to one symbol is that symbol from the start where no token
//!          holds only a part of it and crosses one of its ends, and where each merge that takes the
//!          symbol comes after those that make it.
//! Why.     The first merge across an end of the character makes a token that holds all of it, so it
//!          takes the symbol; until then its bytes merge among themselves, and other merges neither
//!          see nor change them. As long as the symbol is not made, one of the merges that make it is
//!          there, and is of lower rank than any that takes the symbol; so to have the symbol already
//!          changes no choice of the lowest.
//! Cost.    One look-up a character instead of one merge a byte.

use std::collections::HashMap;

use super::merges::{Merges, NO_MERGE, rank};
use super::seams::Seams;
use crate::vocab::NO_ID;

/// Code points below this are looked up; all that Japanese needs, and nearly all else.
const CODE_POINTS: usize = 0x1_0000;

/// Character → symbol.
pub struct WholeCharacters {
    symbols: Vec<u32>,
}

impl WholeCharacters {
    /// Finds them among the tokens; `rows` are all merges: left, right, rank, result.
    pub fn new<'a>(
        tokens: impl Iterator<Item = &'a [u8]>,
        byte_ids: &[u32; 256],
        merges: &Merges,
        rows: &[(u32, u32, u32, u32)],
    ) -> Self {
        let mut symbols = vec![NO_ID; CODE_POINTS];
        // The rank of the last merge that makes a symbol.
        let mut made_at = HashMap::new();
        for token in tokens {
            // More bytes than a character needs are no character.
            let is_valid = |_: &usize| std::str::from_utf8(token).is_ok();
            let Some(code_point) = code_point(token).filter(is_valid) else { continue };
            let bytes = token.iter().map(|&byte| byte_ids[usize::from(byte)]);
            if let Some((symbol, last)) = merged(bytes.collect(), merges) {
                symbols[code_point] = symbol;
                made_at.insert(symbol, (last, code_point));
            }
        }
        for &(left, right, merge_rank, _) in rows {
            for part in [left, right] {
                match made_at.get(&part) {
                    Some(&(last, code_point)) if merge_rank <= last => symbols[code_point] = NO_ID,
                    _ => {}
                }
            }
        }
        Self { symbols }
    }

    /// The symbol of the character that begins at a byte of a word, and its length.
    #[inline]
    pub fn at(&self, word: &[u8], start: usize, seams: &Seams) -> Option<(u32, usize)> {
        let length = match word[start] {
            0xc2..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => return None,
        };
        let end = start + length;
        let code_point = code_point(word.get(start..end)?)?;
        let symbol = self.symbols[code_point];
        let is_whole = symbol != NO_ID
            && (start == 0 || !seams.splits(word[start - 1], word[start]))
            && (end == word.len() || !seams.splits(word[end - 1], word[end]));
        is_whole.then_some((symbol, length))
    }
}

/// The code point of a character of two or three bytes, if it is valid.
#[inline]
fn code_point(character: &[u8]) -> Option<usize> {
    let tail = |byte: u8| usize::from(byte & 0x3f);
    match *character {
        [first @ 0xc2..0xe0, second @ 0x80..0xc0] => {
            Some((usize::from(first) & 0x1f) << 6 | tail(second))
        }
        [first @ 0xe0..0xf0, second @ 0x80..0xc0, third @ 0x80..0xc0] => {
            Some((usize::from(first) & 0x0f) << 12 | tail(second) << 6 | tail(third))
        }
        _ => None,
    }
}

/// The one symbol that these merge to, if it is one, and the highest rank on the way.
fn merged(mut symbols: Vec<u32>, merges: &Merges) -> Option<(u32, u32)> {
    let mut last = 0;
    while symbols.len() > 1 {
        let pairs = symbols.windows(2).map(|pair| merges.get(pair[0], pair[1]));
        let (at, merge) = pairs.enumerate().min_by_key(|&(_, merge)| rank(merge))?;
        if merge == NO_MERGE {
            return None;
        }
        last = last.max(rank(merge));
        symbols.splice(at..at + 2, [merge as u32]);
    }
    Some((symbols[0], last))
}
