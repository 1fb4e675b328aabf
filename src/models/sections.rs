//! Sections: a text read as codes, and cut where no piece can cross.
//!
//! Rule.    As in `seams.rs`, with codes of a trie for characters: a seam lies between two codes that
//!          stand side by side in no key. A character of no key has code 0, and seams on both sides.
//! Cost.    One bit a character, and no branch that depends on it.

use super::seams::Pairs;
use crate::collections::trie::Trie;
use crate::without::{Technique, without};

/// How many characters are read at once: few enough to stay close at hand.
pub const MOST_CHARACTERS: usize = 1 << 10;

/// A character: its code, and how many bytes it has.
#[derive(Clone, Copy, Default)]
pub struct Character {
    /// Its code; 0 if it stands in no key.
    pub code: u32,
    /// The bytes.
    pub bytes: u32,
}

/// Where a section ends.
#[derive(Clone, Copy, Default)]
pub struct End {
    /// In characters.
    pub character: usize,
    /// In bytes.
    pub byte: usize,
}

/// The sections at the beginning of a text.
#[derive(Default)]
pub struct Sections {
    /// The characters, and more behind them that nobody has asked for.
    pub characters: Vec<Character>,
    ends: Vec<End>,
    /// How many ends there are.
    count: usize,
}

impl Sections {
    /// The ends of the sections.
    pub fn ends(&self) -> &[End] {
        &self.ends[..self.count]
    }

    /// Reads some sections from the beginning of a text that is not empty; one that is too long to
    /// be read with others comes alone.
    #[inline]
    pub fn read(&mut self, text: &str, trie: &Trie, pairs: &Pairs) {
        self.characters.resize(MOST_CHARACTERS, Character::default());
        self.ends.resize(MOST_CHARACTERS + 1, End::default());
        let (mut at, mut left) = (End::default(), 0);
        self.count = 0;
        for (character, into) in text.chars().zip(&mut self.characters) {
            let code = trie.code(character);
            self.ends[self.count] = at;
            // Nobody has read anything before the first.
            #[allow(clippy::needless_bitwise_bool)] // no branch
            let is_seam = is_seam(pairs, left, code) & (at.character > 0);
            self.count += usize::from(is_seam);
            let bytes = character.len_utf8() as u32;
            *into = Character { code, bytes };
            at = End { character: at.character + 1, byte: at.byte + bytes as usize };
            left = code;
        }
        if self.count == 0 {
            self.read_on(&text[at.byte..], trie, pairs, at, left);
        } else if at.byte == text.len() {
            self.add(at);
        }
    }

    fn add(&mut self, end: End) {
        self.ends[self.count] = end;
        self.count += 1;
    }

    /// Reads one section on to its end.
    #[inline(never)]
    fn read_on(&mut self, rest: &str, trie: &Trie, pairs: &Pairs, mut at: End, mut left: u32) {
        self.characters.truncate(at.character);
        for character in rest.chars() {
            let (code, bytes) = (trie.code(character), character.len_utf8() as u32);
            if is_seam(pairs, left, code) {
                break;
            }
            self.characters.push(Character { code, bytes });
            at = End { character: at.character + 1, byte: at.byte + bytes as usize };
            left = code;
        }
        self.add(at);
    }
}

/// Whether no key can hold two codes side by side.
#[inline]
fn is_seam(pairs: &Pairs, left: u32, right: u32) -> bool {
    !pairs.may_have(left, right) && !without(Technique::Seams)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_key_crosses_a_seam(
            keys in vec("[ab京都😀]{1,3}", 1..8),
            text in "[abé京都😀]{1,9}",
            times in prop_oneof![Just(1usize), 300..1500usize],
        ) {
            let trie = Trie::new(keys.iter().map(|key| (key.as_str(), 0)));
            let mut pairs = Pairs::default();
            for key in &keys {
                let codes: Vec<u32> = key.chars().map(|c| trie.code(c)).collect();
                codes.windows(2).for_each(|pair| pairs.insert(pair[0], pair[1]));
            }
            let text = text.repeat(times);
            let (mut sections, mut from) = (Sections::default(), 0);
            while from < text.len() {
                sections.read(&text[from..], &trie, &pairs);
                let (mut before, mut next) = (0, from);
                for &End { character, byte } in sections.ends() {
                    let end = from + byte;
                    let expected = text[next..end].chars().map(|c| (trie.code(c), c.len_utf8()));
                    let read = sections.characters[before..character].iter();
                    prop_assert!(expected.eq(read.map(|c| (c.code, c.bytes as usize))));
                    let crosses = |key: &&String| {
                        let first = next.max(end.saturating_sub(key.len() - 1));
                        (first..end).any(|at| {
                            let found = text.get(at..).is_some_and(|rest| rest.starts_with(*key));
                            found && at + key.len() > end
                        })
                    };
                    prop_assert_eq!(keys.iter().find(crosses), None);
                    (before, next) = (character, end);
                }
                prop_assert!(next > from);
                from = next;
            }
        }
    }
}
