//! Classes of characters, from the pinned table that the Python side reads too.

use std::hash::Hash;
use std::ops::RangeInclusive;

use hashbrown::HashMap;

use crate::lazy::Lazy;

const TABLE: &str = include_str!("../python/kugiri/unicode/categories-16.0.txt");
const BLOCK: usize = 128;

/// The classes that split patterns speak of, one bit each.
pub mod class {
    /// `\p{L}`
    pub const LETTER: u8 = 1;
    /// `\p{N}`
    pub const NUMBER: u8 = 2;
    /// `\s`: the White_Space property.
    pub const SPACE: u8 = 4;
    /// Carriage return or line feed.
    pub const NEWLINE: u8 = 8;
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`: what may open a word of o200k.
    pub const UPPER: u8 = 16;
    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: what may follow in it.
    pub const LOWER: u8 = 32;
}

/// A value for each code point, as a two-stage table: the upper bits choose a block of 128 values, and
/// equal blocks are stored once, so that a byte for all of Unicode takes about 50 KB and stays in
/// cache.
pub struct CodePoints<T = u8> {
    blocks: Vec<u16>,
    values: Vec<T>,
}

impl<T: Copy + Eq + Hash> CodePoints<T> {
    /// Packs one value for each of the 0x110000 code points.
    pub fn new(flat: &[T]) -> Self {
        let (mut blocks, mut values, mut seen) = (Vec::new(), Vec::new(), HashMap::new());
        for block in flat.chunks(BLOCK) {
            let index = *seen.entry(block).or_insert_with(|| {
                values.extend_from_slice(block);
                (values.len() / BLOCK - 1) as u16
            });
            blocks.push(index);
        }
        Self { blocks, values }
    }

    /// The value of a code point.
    #[inline]
    pub fn of(&self, code_point: u32) -> T {
        let block = self.blocks[code_point as usize / BLOCK] as usize;
        self.values[block * BLOCK + code_point as usize % BLOCK]
    }
}

/// The code point and the byte length of the character that starts at `at`, where one does: `text` is
/// valid UTF-8 and `at` a character boundary before its end.
#[inline]
pub fn character_at(text: &[u8], at: usize) -> (u32, usize) {
    let tail = |i: usize| u32::from(text[at + i] & 0x3f);
    match u32::from(text[at]) {
        lead @ 0..0x80 => (lead, 1),
        lead @ 0x80..0xe0 => ((lead & 0x1f) << 6 | tail(1), 2),
        lead @ 0xe0..0xf0 => ((lead & 0x0f) << 12 | tail(1) << 6 | tail(2), 3),
        lead => ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
    }
}

/// Code points of at most three bytes in UTF-8.
const SHORT: usize = 0x1_0000;

struct Classes {
    all: CodePoints,
    /// The same in one step for nearly all that is ever asked for.
    short: Box<[u8; SHORT]>,
}

static CLASSES: Lazy<Classes> = Lazy::new(|| {
    let flat = flat_classes();
    let short = Box::new(std::array::from_fn(|code_point| flat[code_point]));
    Classes { all: CodePoints::new(&flat), short }
});

/// The rows of a table of runs: the code points of each, and its value.
pub fn table_rows(table: &str) -> impl Iterator<Item = (RangeInclusive<usize>, &str)> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split(' ');
        let mut code_point = || usize::from_str_radix(fields.next().unwrap_or(""), 16).unwrap_or(0);
        let range = code_point()..=code_point();
        (range, fields.next().unwrap_or(""))
    })
}

/// One class byte for each of the 0x110000 code points.
fn flat_classes() -> Vec<u8> {
    use class::{LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER};
    let mut flat = vec![0u8; 0x11_0000];
    for (range, category) in table_rows(TABLE) {
        let bits = match category {
            "Lu" | "Lt" => LETTER | UPPER,
            "Ll" => LETTER | LOWER,
            "Lm" | "Lo" => LETTER | UPPER | LOWER,
            "Mn" | "Mc" | "Me" => UPPER | LOWER,
            "Nd" | "Nl" | "No" => NUMBER,
            _ => 0,
        };
        flat[range].fill(bits);
    }
    for code_point in WHITE_SPACE {
        flat[code_point as usize] |= SPACE;
    }
    flat[usize::from(b'\n')] |= NEWLINE;
    flat[usize::from(b'\r')] |= NEWLINE;
    flat
}

/// The White_Space property: 25 characters, unchanged since Unicode 6.3.
pub const WHITE_SPACE: [char; 25] = [
    '\t', '\n', '\u{b}', '\u{c}', '\r', ' ', '\u{85}', '\u{a0}', '\u{1680}', '\u{2000}',
    '\u{2001}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}',
    '\u{2009}', '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}',
];

/// A handle on the table, so that a scanner checks only once that it is built.
#[derive(Clone, Copy)]
pub struct ClassTable(&'static Classes);

impl ClassTable {
    /// The table; built at the first call.
    pub fn get() -> Self {
        Self(&CLASSES)
    }

    /// The class bits and the byte length of the character that starts at `at`; `(0, 0)` at the end.
    ///
    /// `text` is valid UTF-8 and `at` a character boundary: both come from a `&str`.
    #[inline(always)]
    pub fn at(self, text: &[u8], at: usize) -> (u8, usize) {
        let tail = |byte: u8| usize::from(byte & 0x3f);
        match text.get(at..) {
            Some(&[byte @ 0..0x80, ..]) => (self.0.short[usize::from(byte)], 1),
            Some(&[lead @ 0xe0..0xf0, second, third, ..]) => {
                let lead = usize::from(lead & 0x0f);
                (self.0.short[lead << 12 | tail(second) << 6 | tail(third)], 3)
            }
            Some(&[lead @ 0..0xe0, second, ..]) => {
                (self.0.short[usize::from(lead & 0x1f) << 6 | tail(second)], 2)
            }
            Some(&[lead, second, third, fourth, ..]) => {
                let code_point = usize::from(lead & 0x07) << 18
                    | tail(second) << 12
                    | tail(third) << 6
                    | tail(fourth);
                (self.of(code_point as u32), 4)
            }
            _ => (0, 0),
        }
    }

    /// The class bits of a code point.
    #[inline]
    pub fn of(self, code_point: u32) -> u8 {
        self.0.all.of(code_point)
    }
}

#[cfg(test)]
mod tests {
    use super::{ClassTable, class};

    #[test]
    fn classes_of_known_characters() {
        let table = ClassTable::get();
        for (character, expected) in [
            ('a', class::LETTER | class::LOWER),
            ('A', class::LETTER | class::UPPER),
            ('猫', class::LETTER | class::UPPER | class::LOWER),
            ('ー', class::LETTER | class::UPPER | class::LOWER),
            ('\u{3099}', class::UPPER | class::LOWER),
            ('①', class::NUMBER),
            ('\u{3000}', class::SPACE),
            ('\n', class::SPACE | class::NEWLINE),
            ('。', 0),
            ('🐈', 0),
            ('\u{10ffff}', 0),
        ] {
            assert_eq!(table.of(character as u32), expected, "{character:?}");
            let mut buffer = [0; 4];
            let text = character.encode_utf8(&mut buffer).as_bytes();
            assert_eq!(table.at(text, 0), (expected, text.len()), "{character:?}");
        }
    }
}
