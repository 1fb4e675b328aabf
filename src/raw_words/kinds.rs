//! What each character is in a text that is not normalized yet.

use crate::normalize::{self, Normalizer};
use crate::pre_tokenize::{self, PreTokenizer};
use crate::unicode::CodePoints;

/// What a character is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Part of a word, in which this character stands for it.
    Within(char),
    /// A word by itself, which is this character.
    Word(char),
    /// Part of a word, from which it is taken out.
    Nothing,
    /// Part of what only the stages can say more of.
    Unknown,
    /// No part of any word.
    Gap,
}

/// A number for each kind, above those of characters.
const WITHIN: u32 = 0;
const WORD: u32 = 1 << 21;
const GAP: u32 = 2 << 21;
const NOTHING: u32 = 3 << 21;
const UNKNOWN: u32 = 4 << 21;
const CHARACTER: u32 = (1 << 21) - 1;

/// The kind of every character.
pub struct Kinds {
    /// The number of the kind, and how far it is to the character that it becomes: nearly always 0,
    /// so that most blocks of the table are the same.
    table: CodePoints<u32>,
}

impl Kinds {
    /// Those of BERT's normalizer and pre-tokenizer; None where the stages are not these.
    pub fn new(normalizer: &Normalizer, pre_tokenizer: &PreTokenizer) -> Option<Self> {
        let (rewritten, cut) = (normalizer.of_single()?, pre_tokenizer.of_single()?);
        let kind = |c: char| match rewritten(c) {
            normalize::Alone::Unknown => Kind::Unknown,
            normalize::Alone::Nothing => Kind::Nothing,
            normalize::Alone::Spaced(to) => Kind::Word(to),
            normalize::Alone::One(to) => match cut(to) {
                pre_tokenize::Alone::Within => Kind::Within(to),
                pre_tokenize::Alone::Word => Kind::Word(to),
                pre_tokenize::Alone::Dropped => Kind::Gap,
            },
        };
        let entry = |number: u32| char::from_u32(number).map_or(UNKNOWN, |c| packed(c, kind(c)));
        Some(Self { table: CodePoints::new(&(0..0x11_0000).map(entry).collect::<Vec<_>>()) })
    }

    /// What parts words at a character: whether it is one by itself, and whether it is a gap.
    #[inline]
    pub fn parts(&self, code_point: u32) -> (bool, bool) {
        let kind = self.table.of(code_point) & !CHARACTER;
        (kind == WORD, kind == GAP)
    }

    /// The kind of a character.
    #[inline]
    pub fn of(&self, c: char) -> Kind {
        let entry = self.table.of(c as u32);
        let to = || char::from_u32((c as u32 + entry) & CHARACTER);
        match entry & !CHARACTER {
            GAP => Kind::Gap,
            NOTHING => Kind::Nothing,
            WITHIN => to().map_or(Kind::Unknown, Kind::Within),
            WORD => to().map_or(Kind::Unknown, Kind::Word),
            _ => Kind::Unknown,
        }
    }
}

fn packed(c: char, kind: Kind) -> u32 {
    let way = |to: char| (to as u32).wrapping_sub(c as u32) & CHARACTER;
    match kind {
        Kind::Within(to) => WITHIN | way(to),
        Kind::Word(to) => WORD | way(to),
        Kind::Nothing => NOTHING,
        Kind::Unknown => UNKNOWN,
        Kind::Gap => GAP,
    }
}
