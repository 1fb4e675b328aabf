//! What the normalizers of tokenizer.json know of characters.
//!
//! Rule.    Ids follow the tables that tokenizers 0.23.3 was made with, each of its own age
//!          (`reference/normalizers.py` tells which); or all follow the newest version.
//! Cost.    A look-up a character; a table is made when it is first asked for.

use hashbrown::HashMap;

use crate::lazy::Lazy;
use crate::unicode::{CodePoints, WHITE_SPACE};

/// Decompositions, one step each.
pub const DECOMPOSITIONS: &str =
    include_str!("../../python/kugiri/unicode/decompositions-17.0.txt");
/// Combining classes.
pub const COMBINING: &str = include_str!("../../python/kugiri/unicode/combining-17.0.txt");
/// The characters that Unicode 9.0 did not have.
pub const ADDED_AFTER_9: &str = include_str!("../../python/kugiri/unicode/added-9.0-17.0.txt");
const ADDED_AFTER_8: &str = include_str!("../../python/kugiri/unicode/added-8.0-17.0.txt");
const CASES: &str = include_str!("../../python/kugiri/unicode/cases-17.0.txt");
const CATEGORIES: &str = include_str!("../../python/kugiri/unicode/categories-17.0.txt");

/// Whose tables are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// Those of tokenizers 0.23.3.
    Frozen,
    /// Those of the newest version of Unicode.
    Newest,
}

/// The kinds of characters that a step looks for, one bit each.
pub mod kind {
    /// It has another lower case.
    pub const CASED: u8 = 1;
    /// StripAccents takes it out.
    pub const MARK: u8 = 2;
    /// BertNormalizer takes it out, with accents.
    pub const NONSPACING: u8 = 4;
    /// BertNormalizer takes it out, to clean.
    pub const UNCLEAN: u8 = 8;
    /// White space other than a space.
    pub const SPACE: u8 = 16;
    /// BertNormalizer puts spaces around it.
    pub const IDEOGRAPH: u8 = 32;
    /// Nmt takes it out, or makes it a space.
    pub const NMT: u8 = 64;
}

/// Marks of the newest version that were others in 9.0, and the other way round.
const MARKS_SINCE: &str = "\u{111c9}";
const MARKS_ONCE: &str = "\u{1cf2}\u{1cf3}";
/// The same for nonspacing marks and 8.0.
const NONSPACING_SINCE: &str = "\u{1885}\u{1886}\u{a9bd}\u{111c9}";
const NONSPACING_ONCE: &str = "\u{1734}\u{1171e}";

/// Where BertNormalizer sees ideographs; those from U+2B820 to U+2B91F are left out there.
const IDEOGRAPHS: [(u32, u32); 7] = [
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0xf900, 0xfaff),
    (0x2_0000, 0x2_a6df),
    (0x2_a700, 0x2_b81f),
    (0x2_b920, 0x2_ceaf),
    (0x2_f800, 0x2_fa1f),
];

/// What Nmt makes a space.
pub const NMT_SPACES: &str = "\t\n\u{c}\r\u{1680}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\
                              \u{2028}\u{2029}\u{2581}\u{feff}\u{fffd}";
/// What Nmt takes out.
const NMT_DELETED: [(u32, u32); 6] =
    [(0x01, 0x08), (0x0b, 0x0b), (0x0e, 0x1f), (0x7f, 0x7f), (0x8f, 0x8f), (0x9f, 0x9f)];

static FROZEN: Lazy<CodePoints> = Lazy::new(|| kinds(Tables::Frozen));
static NEWEST: Lazy<CodePoints> = Lazy::new(|| kinds(Tables::Newest));
static LOWER_CASE: Lazy<HashMap<char, char>> = Lazy::new(|| {
    let pairs = rows(CASES).map(|row| (character(row[0]), character(row[1])));
    pairs.filter(|(own, lower)| own != lower).collect()
});

impl Tables {
    /// The kinds of each character.
    pub fn kinds(self) -> &'static CodePoints {
        match self {
            Self::Frozen => &FROZEN,
            Self::Newest => &NEWEST,
        }
    }
}

/// The simple lower case of a character.
pub fn lower_case(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    LOWER_CASE.get(&character).copied().unwrap_or(character)
}

fn kinds(tables: Tables) -> CodePoints {
    use kind::{CASED, IDEOGRAPH, MARK, NMT, NONSPACING, SPACE, UNCLEAN};
    let mut flat = vec![0; 0x11_0000];
    for row in rows(CATEGORIES) {
        let bits = match row[2] {
            "Mn" => MARK | NONSPACING,
            "Mc" | "Me" => MARK,
            "Cc" | "Cf" | "Co" => UNCLEAN,
            _ => continue,
        };
        flat[code(row[0])..=code(row[1])].fill(bits);
    }
    if tables == Tables::Frozen {
        for (table, bits) in [(ADDED_AFTER_9, MARK), (ADDED_AFTER_8, NONSPACING | UNCLEAN)] {
            for row in rows(table) {
                flat[code(row[0])..=code(row[1])].iter_mut().for_each(|kind| *kind &= !bits);
            }
        }
        let moved =
            [(MARKS_SINCE, MARKS_ONCE, MARK), (NONSPACING_SINCE, NONSPACING_ONCE, NONSPACING)];
        for (since, once, bit) in moved {
            since.chars().for_each(|c| flat[c as usize] &= !bit);
            once.chars().for_each(|c| flat[c as usize] |= bit);
        }
    }
    "\t\n\r".chars().for_each(|c| flat[c as usize] &= !UNCLEAN);
    "\0\u{fffd}".chars().for_each(|c| flat[c as usize] |= UNCLEAN);
    WHITE_SPACE.iter().filter(|&&c| c != ' ').for_each(|&c| flat[c as usize] |= SPACE);
    NMT_SPACES.chars().for_each(|c| flat[c as usize] |= NMT);
    for (ranges, bit) in [(&IDEOGRAPHS[..], IDEOGRAPH), (&NMT_DELETED[..], NMT)] {
        for &(first, last) in ranges {
            flat[first as usize..=last as usize].iter_mut().for_each(|kind| *kind |= bit);
        }
    }
    for row in rows(CASES).filter(|row| row[0] != row[1]) {
        flat[code(row[0])] |= CASED;
    }
    flat['İ' as usize] |= CASED;
    CodePoints::new(&flat)
}

/// The rows of a table, each cut into its columns.
pub fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

/// The code point that a column says.
pub fn code(column: &str) -> usize {
    usize::from_str_radix(column, 16).expect("our own table")
}

/// The character that a column says.
pub fn character(column: &str) -> char {
    char::from_u32(code(column) as u32).expect("our own table")
}
