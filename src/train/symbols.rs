//! The symbols of a BPE run: their strings, lengths and ids, from the alphabet upwards.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::options::{Options, Unit};
use super::valid_pieces::PieceRules;
use super::word_counts::Words;
use crate::error::{Error, Result};
use crate::vocab::is_printable;

/// How a string of bytes stands to the characters of UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Whole characters only.
    Whole,
    /// The first `have` of the `need` bytes of one character.
    Head { have: u8, need: u8 },
    /// Anything else: it may finish a character only if it is that many continuation bytes.
    Tail(u8),
}

impl Shape {
    fn of_byte(byte: u8) -> Self {
        match byte {
            0..0x80 => Self::Whole,
            0xc2..0xe0 => Self::Head { have: 1, need: 2 },
            0xe0..0xf0 => Self::Head { have: 1, need: 3 },
            0xf0..0xf5 => Self::Head { have: 1, need: 4 },
            0x80..0xc0 => Self::Tail(1),
            _ => Self::Tail(u8::MAX),
        }
    }

    /// The shape of the join, if `keep_characters` allows it: whole characters join to each other,
    /// and the bytes of one character from its first on; never a character to a piece of another.
    fn join(self, right: Self) -> Option<Self> {
        match (self, right) {
            (Self::Whole, Self::Whole) => Some(Self::Whole),
            (Self::Head { have, need }, Self::Tail(more)) if more <= need - have => {
                let have = have + more;
                Some(if have == need { Self::Whole } else { Self::Head { have, need } })
            }
            _ => None,
        }
    }
}

/// All symbols so far; a symbol's id is its place.
pub struct Symbols {
    data: Vec<u8>,
    ends: Vec<usize>,
    lengths: Vec<u32>,
    shapes: Vec<Shape>,
    index: HashTable<u32>,
    hasher: RandomState,
    max_length: u32,
    keep_characters: bool,
    rules: Option<PieceRules>,
    /// What symbols inside a word begin with; empty where they are as those at its beginning.
    prefix: Vec<u8>,
}

/// What the alphabet left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Different characters.
    pub characters: u64,
    /// Their occurrences.
    pub occurrences: u64,
}

impl Symbols {
    fn new(options: &Options) -> Self {
        Self {
            data: Vec::new(),
            ends: Vec::new(),
            lengths: Vec::new(),
            shapes: Vec::new(),
            index: HashTable::new(),
            hasher: RandomState::default(),
            max_length: options.max_piece_length.unwrap_or(u32::MAX),
            keep_characters: options.keep_characters,
            rules: options.rules.clone(),
            prefix: options.continuing_prefix.clone().unwrap_or_default().into_bytes(),
        }
    }

    /// Characters that are given, in their order.
    fn given(characters: &str, options: &Options) -> Self {
        let mut symbols = Self::new(options);
        for character in characters.chars() {
            symbols.add(character.encode_utf8(&mut [0; 4]).as_bytes(), 1, Shape::Whole);
        }
        symbols
    }

    /// The 256 bytes, in order of value or of GPT-2's visible characters.
    pub fn bytes(options: &Options) -> Self {
        let mut order: Vec<u8> = (0..=255).collect();
        if options.byte_order == "gpt2" {
            order.sort_by_key(|&byte| (!is_printable(byte), byte));
        }
        let mut symbols = Self::new(options);
        for byte in order {
            symbols.add(&[byte], 1, Shape::of_byte(byte));
        }
        symbols
    }

    /// The characters of the words, the initial alphabet and the end-of-word mark, by code point.
    pub fn characters(words: &Words, options: &Options) -> Result<(Self, LeftOut)> {
        let mut counts: HashMap<&str, u64> = HashMap::new();
        let mut buffer = [0; 4];
        for (word, count) in words.iter() {
            let word = std::str::from_utf8(word).map_err(|error| {
                Error::Training(format!(
                    "a word is not UTF-8 ({error}); train with unit=\"byte\", or on text"
                ))
            })?;
            for (start, character) in word.char_indices() {
                let character = &word[start..start + character.encode_utf8(&mut buffer).len()];
                *counts.entry(character).or_default() += count;
            }
        }
        let mut by_count: Vec<(&str, u64)> = counts.into_iter().collect();
        by_count.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let most = options.limit_alphabet.unwrap_or(usize::MAX).min(by_count.len());
        let mut left_out = by_count.split_off(most);
        for required in options.initial_alphabet.iter().chain(options.end_of_word.iter()) {
            left_out.retain(|&(character, _)| character != required);
            by_count.push((required, 0));
        }
        by_count.sort_unstable_by_key(|&(character, _)| character);
        by_count.dedup_by_key(|&mut (character, _)| character);
        let mut symbols = Self::new(options);
        for (character, _) in by_count {
            symbols.add(character.as_bytes(), 1, Shape::Whole);
        }
        if !symbols.prefix.is_empty() {
            symbols.add_continuing(words);
        }
        let left_out = LeftOut {
            characters: left_out.len() as u64,
            occurrences: left_out.iter().map(|&(_, count)| count).sum(),
        };
        Ok((symbols, left_out))
    }

    /// The characters that stand inside of words, with the prefix, by code point.
    fn add_continuing(&mut self, words: &Words) {
        let mut inside = HashSet::new();
        for (word, _) in words.iter() {
            inside.extend(std::str::from_utf8(word).unwrap_or_default().chars().skip(1));
        }
        let mut inside: Vec<char> = inside.into_iter().collect();
        inside.retain(|&character| self.unit(character, true).is_some());
        inside.sort_unstable();
        for character in inside {
            let character = character.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
            self.add(&[&self.prefix[..], &character].concat(), 1, Shape::Whole);
        }
    }

    /// The alphabet that the options ask for.
    pub fn alphabet(words: &Words, options: &Options) -> Result<(Self, LeftOut)> {
        match (&options.alphabet, options.unit) {
            (Some(characters), _) => Ok((Self::given(characters, options), LeftOut::default())),
            (None, Unit::Byte) => Ok((Self::bytes(options), LeftOut::default())),
            (None, Unit::Char) => Self::characters(words, options),
        }
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The string of a symbol.
    pub fn string(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.data[start..self.ends[id]]
    }

    /// The characters of a symbol whose units are characters.
    fn characters_of(&self, id: u32) -> impl Iterator<Item = char> + Clone {
        std::str::from_utf8(self.string(id)).unwrap_or_default().chars()
    }

    /// The length of a symbol in units.
    #[inline]
    pub fn length(&self, id: u32) -> usize {
        self.lengths[id as usize] as usize
    }

    /// The symbol of a string.
    pub fn id(&self, string: &[u8]) -> Option<u32> {
        let hash = self.hasher.hash_one(string);
        self.index.find(hash, |&id| self.string(id) == string).copied()
    }

    /// The symbol of a character, by whether it is the first of its word.
    pub fn unit(&self, character: char, is_first: bool) -> Option<u32> {
        let mut buffer = [0; 4];
        let character = character.encode_utf8(&mut buffer).as_bytes();
        if is_first || self.prefix.is_empty() {
            return self.id(character);
        }
        self.id(&[&self.prefix, character].concat())
    }

    /// What a symbol adds to one before it: its string without the prefix.
    pub fn added_by(&self, right: u32) -> &[u8] {
        &self.string(right)[self.prefix.len()..]
    }

    /// Whether a join at the beginning of a word would be spelled like one inside.
    fn looks_inside(&self, left: u32, right: u32) -> bool {
        let (left, prefix) = (self.string(left), &self.prefix[..]);
        let is_inside = left.len() > prefix.len() && left.starts_with(prefix);
        let length = left.len() + self.added_by(right).len();
        let mut join = left.iter().chain(self.added_by(right));
        !is_inside && length > prefix.len() && prefix.iter().all(|byte| join.next() == Some(byte))
    }

    fn add(&mut self, string: &[u8], length: u32, shape: Shape) -> u32 {
        let id = self.len() as u32;
        self.data.extend_from_slice(string);
        self.ends.push(self.data.len());
        self.lengths.push(length);
        self.shapes.push(shape);
        let mut index = std::mem::take(&mut self.index);
        let hash = self.hasher.hash_one(string);
        index.insert_unique(hash, id, |&other| self.hasher.hash_one(self.string(other)));
        self.index = index;
        id
    }

    /// Whether two symbols may ever become one.
    pub fn may_join(&self, left: u32, right: u32) -> bool {
        if let Some(rules) = &self.rules {
            return rules.allow(self.characters_of(left).chain(self.characters_of(right)));
        }
        if !self.prefix.is_empty() && self.looks_inside(left, right) {
            return false;
        }
        let (left, right) = (left as usize, right as usize);
        let length = u64::from(self.lengths[left]) + u64::from(self.lengths[right]);
        length <= u64::from(self.max_length)
            && (!self.keep_characters || self.shapes[left].join(self.shapes[right]).is_some())
    }

    /// The new symbol of two joined.
    pub fn join(&mut self, left: u32, right: u32) -> u32 {
        let string = [self.string(left), self.added_by(right)].concat();
        debug_assert_eq!(self.id(&string), None, "one string has one merge tree");
        let (left, right) = (left as usize, right as usize);
        let length = self.lengths[left] + self.lengths[right];
        let shape = self.shapes[left].join(self.shapes[right]).unwrap_or(Shape::Tail(u8::MAX));
        self.add(&string, length, shape)
    }

    /// All strings as flat buffers.
    pub fn into_tokens(self) -> (Vec<u8>, Vec<i64>) {
        let ends = self.ends.iter().map(|&end| end as i64);
        (self.data, std::iter::once(0).chain(ends).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn characters_stay_whole() {
        let shape = |bytes: &[u8]| {
            let mut shapes = bytes.iter().map(|&byte| Shape::of_byte(byte));
            let first = shapes.next();
            shapes.fold(first, |joined, next| joined.and_then(|joined| joined.join(next)))
        };
        assert_eq!(shape("猫".as_bytes()), Some(Shape::Whole));
        assert_eq!(shape("猫a".as_bytes()), Some(Shape::Whole));
        assert_eq!(shape(&"猫".as_bytes()[..2]), Some(Shape::Head { have: 2, need: 3 }));
        for broken in [&[0x8c, 0xab][..], &[b'a', 0xe7], &[0xab, b'a'], &[0xc3, 0xa9, 0x80]] {
            assert_eq!(shape(broken), None, "{broken:x?}");
        }
    }
}
