//! Where a word can be cut before it is merged, and nothing changes.
//!
//! Rule.    A token that lies on both sides of a place is the only thing that can join what is left
//!          and right of it. So where no token of the vocabulary has these two characters (or the
//!          ends of them that it holds) side by side, both parts merge for themselves.
//! Cost.    A look-up a character, in a table that fits the nearest memory. It may take two
//!          characters for two others and not cut, which costs time and is never wrong.

use crate::vocab::Vocab;

/// The places where nothing can join.
pub struct Cuts {
    /// Bit of two neighbouring characters → some token has them so.
    joined: Vec<u64>,
    /// Last byte of a character, first byte of the next → some token has a part of one of them.
    in_parts: Vec<[u64; 4]>,
}

const BITS: u32 = 19;

impl Cuts {
    /// Of all tokens that merges can make.
    pub fn new(vocab: &Vocab) -> Self {
        let mut cuts = Self { joined: vec![0; 1 << (BITS - 6)], in_parts: vec![[0; 4]; 256] };
        for token in (0..vocab.len()).map(|row| vocab.row(row)) {
            for place in (1..token.len()).filter(|&place| begins(token[place])) {
                match (last(&token[..place]), first(&token[place..])) {
                    (Some(left), Some(right)) => {
                        let bit = bit(left, right);
                        cuts.joined[bit / 64] |= 1 << (bit % 64);
                    }
                    _ => set(&mut cuts.in_parts[token[place - 1] as usize], token[place]),
                }
            }
        }
        cuts
    }

    /// Where the next part of a word ends that begins at `start`.
    #[inline]
    pub fn next(&self, word: &[u8], start: usize) -> usize {
        let mut place = start + width(word[start]);
        let mut left = character(word, start, place);
        while place < word.len() {
            let end = place + width(word[place]);
            let right = character(word, place, end);
            if !self.joins(left, word[place - 1], right, word[place]) {
                return place;
            }
            (left, place) = (right, end);
        }
        word.len()
    }

    #[inline]
    fn joins(&self, left: u32, last: u8, right: u32, first: u8) -> bool {
        let bit = bit(left, right);
        let parts = &self.in_parts[last as usize];
        (self.joined[bit / 64] >> (bit % 64) | parts[first as usize / 64] >> (first % 64)) & 1 == 1
    }
}

fn set(row: &mut [u64; 4], byte: u8) {
    row[byte as usize / 64] |= 1 << (byte % 64);
}

/// The bit of two characters.
#[inline]
fn bit(left: u32, right: u32) -> usize {
    let both = u64::from(left) << 32 | u64::from(right);
    (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
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

/// The bytes of a character as one number.
#[inline]
fn character(word: &[u8], start: usize, end: usize) -> u32 {
    word[start..end].iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
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
    use super::Cuts;
    use crate::vocab::Vocab;
    use proptest::prelude::*;

    fn vocab(tokens: &[Vec<u8>]) -> Vocab {
        let ends = tokens.iter().scan(0, |end, token| {
            *end += token.len() as i64;
            Some(*end)
        });
        let offsets: Vec<i64> = std::iter::once(0).chain(ends).collect();
        Vocab::new(tokens.concat(), &offsets, None).unwrap()
    }

    #[test]
    fn cuts_where_no_token_lies() {
        let vocab = vocab(&["東京".into(), "京都".into(), "です".into(), b"e\xe3".into()]);
        let cuts = Cuts::new(&vocab);
        let word = "東京都です。eです";
        let (mut parts, mut start) = (Vec::new(), 0);
        while start < word.len() {
            let end = cuts.next(word.as_bytes(), start);
            parts.push(&word[start..end]);
            start = end;
        }
        assert_eq!(parts, ["東京都", "です", "。", "eです"]);
    }

    proptest! {
        #[test]
        fn no_token_lies_on_both_sides_of_a_cut(
            word in "[aé東京😀🎉]{1,12}",
            slices in prop::collection::vec((0usize..60, 1usize..9), 0..12),
        ) {
            let text = "aé東京😀🎉東a京京é🎉a東".as_bytes();
            let slice = |&(start, length): &(usize, usize)| {
                let start = start.min(text.len() - 1);
                text[start..(start + length).min(text.len())].to_vec()
            };
            let tokens: Vec<Vec<u8>> = slices.iter().map(slice).collect();
            let cuts = Cuts::new(&vocab(&tokens));
            let word = word.as_bytes();
            let mut cut = 0;
            while cut < word.len() {
                let next = cuts.next(word, cut);
                prop_assert!(next > cut && std::str::from_utf8(&word[cut..next]).is_ok());
                cut = next;
                for token in &tokens {
                    let crosses = (0..cut).any(|start| {
                        start + token.len() > cut && word[start..].starts_with(token)
                    });
                    prop_assert!(cut == word.len() || !crosses);
                }
            }
        }
    }
}
