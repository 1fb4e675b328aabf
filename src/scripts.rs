//! The script of each character, by Unicode 9.0: what SentencePiece decides by.
//!
//! Scripts are numbered in the order in which the table (tools/make_scripts.py) names them first.

use crate::lazy::Lazy;
use crate::unicode::{CodePoints, table_rows};

const TABLE: &str = include_str!("../python/kugiri/unicode/scripts-9.0.txt");

/// The script of what is not in the table.
pub const COMMON: u8 = 0;
/// The script of marks, which have that of the character before them.
pub const INHERITED: u8 = 1;
/// The script of Chinese characters.
pub const HAN: u8 = 2;
/// Two of the three scripts of Japanese.
pub const HIRAGANA: u8 = 3;
/// Two of the three scripts of Japanese.
pub const KATAKANA: u8 = 4;

const NAMED: [&str; 5] = ["Common", "Inherited", "Han", "Hiragana", "Katakana"];

static SCRIPTS: Lazy<CodePoints> = Lazy::new(|| {
    let mut names: Vec<&str> = NAMED.into();
    let mut flat = vec![COMMON; 0x11_0000];
    for (range, name) in table_rows(TABLE) {
        let known = names.iter().position(|&known| known == name);
        let script = known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        flat[range].fill(script as u8);
    }
    CodePoints::new(&flat)
});

/// The script of a character.
#[inline]
pub fn script(character: char) -> u8 {
    SCRIPTS.of(u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_known_characters() {
        let known = [
            ('a', script('Z')),
            ('。', COMMON),
            ('ー', COMMON),
            ('猫', HAN),
            ('ひ', HIRAGANA),
            ('カ', KATAKANA),
            ('\u{301}', INHERITED),
            ('\u{10ffff}', COMMON),
        ];
        for (character, expected) in known {
            assert_eq!(script(character), expected, "{character:?}");
        }
        assert!(script('a') > KATAKANA && script('a') != script('я'));
    }
}
