//! Classes of characters and runs of scripts, as tokenizers 0.23.3 has them.
//!
//! Rule.    Each table there is of an age of its own: punctuation of Unicode 8.0, scripts of 9.0,
//!          numbers of 17.0. They are the tables that the package has, without what is younger.
//! Source.  Found by comparing every code point (tests/test_pre_tokenizers.py).

use std::ops::Range;

use crate::lazy::Lazy;
use crate::scripts::{COMMON, HAN, HIRAGANA, KATAKANA, script};
use crate::unicode::{ClassTable, CodePoints, class, table_rows};

const CATEGORIES: &str = include_str!("../../python/kugiri/unicode/categories-16.0.txt");
const ADDED_AFTER_8: &str = include_str!("../../python/kugiri/unicode/added-8.0-17.0.txt");
const ADDED_AFTER_9: &str = include_str!("../../python/kugiri/unicode/added-9.0-17.0.txt");

/// Two that were punctuation in Unicode 8.0 and are not any more.
const ONCE_PUNCTUATION: [char; 2] = ['\u{166d}', '\u{111c9}'];
/// The prolonged sound mark of Japanese, which goes with kana.
const PROLONGED: char = 'ー';

/// Some characters.
#[derive(Clone, Copy, PartialEq)]
pub enum Class {
    /// White space.
    Space,
    /// Numbers of all kinds, ① and ½ too.
    Number,
    /// Punctuation, and all signs of ASCII.
    Punctuation,
    /// One character.
    One(char),
}

impl Class {
    /// Whether a character is of the class.
    #[inline]
    pub fn holds(self, character: char) -> bool {
        let bits = |wanted: u8| ClassTable::get().of(character as u32) & wanted != 0;
        match self {
            Self::Space => bits(class::SPACE),
            Self::Number => bits(class::NUMBER) || is_number_of_17(character),
            Self::Punctuation => FLAGS.of(character as u32) & PUNCTUATION != 0,
            Self::One(only) => character == only,
        }
    }
}

/// Whether it is one of the numbers that Unicode 17.0 has and 16.0 has not.
fn is_number_of_17(character: char) -> bool {
    matches!(character, '\u{11de0}'..='\u{11de9}' | '\u{16ff4}'..='\u{16ff6}')
}

const PUNCTUATION: u8 = 1;
const SCRIPTLESS: u8 = 2;

static FLAGS: Lazy<CodePoints> = Lazy::new(|| {
    let mut flat = vec![0u8; 0x11_0000];
    for (range, category) in table_rows(CATEGORIES) {
        flat[range].fill(match category {
            "Cn" | "Co" | "Cs" => SCRIPTLESS,
            _ if category.starts_with('P') => PUNCTUATION,
            _ => 0,
        });
    }
    for (range, _) in table_rows(ADDED_AFTER_8) {
        flat[range].iter_mut().for_each(|flags| *flags &= !PUNCTUATION);
    }
    for (range, _) in table_rows(ADDED_AFTER_9) {
        flat[range].iter_mut().for_each(|flags| *flags |= SCRIPTLESS);
    }
    let ascii = (0..128u8).map(char::from).filter(char::is_ascii_punctuation);
    for character in ascii.chain(ONCE_PUNCTUATION) {
        flat[character as usize] |= PUNCTUATION;
    }
    CodePoints::new(&flat)
});

/// The script of a character as UnicodeScripts has it: those of Japanese are one, and a space or a
/// character that Unicode 9.0 does not have is of none.
fn script_of(character: char) -> Option<u8> {
    match script(character) {
        _ if character == ' ' => None,
        _ if character == PROLONGED => Some(HAN),
        HIRAGANA | KATAKANA => Some(HAN),
        COMMON if FLAGS.of(character as u32) & SCRIPTLESS != 0 => None,
        other => Some(other),
    }
}

/// Visits the runs of one script; what is of none stays with the run before, and before the first
/// run it is in none.
pub fn script_runs(text: &str, mut found: impl FnMut(Range<usize>)) {
    let mut run: Option<(usize, u8)> = None;
    for (at, character) in text.char_indices() {
        let Some(script) = script_of(character) else { continue };
        match run {
            Some((_, same)) if same == script => {}
            Some((start, _)) => {
                found(start..at);
                run = Some((at, script));
            }
            None => run = Some((at, script)),
        }
    }
    if let Some((start, _)) = run {
        found(start..text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, script_runs};

    #[test]
    fn each_table_is_of_its_own_age() {
        for (class, inside, outside) in [
            (Class::Punctuation, "!$^`~。・「\u{166d}\u{2e42}", "～£¥\u{2e43}a"),
            (Class::Number, "1①½Ⅷ٣\u{11de0}", "一a"),
            (Class::Space, " \t\u{85}\u{3000}", "\u{200b}\u{1c}"),
            (Class::One('▁'), "▁", "_"),
        ] {
            assert!(inside.chars().all(|c| class.holds(c)), "{inside}");
            assert!(!outside.chars().any(|c| class.holds(c)), "{outside}");
        }
    }

    #[test]
    fn spaces_stay_with_the_run_before() {
        let mut runs = Vec::new();
        let text = "  a b猫ひカーx";
        script_runs(text, |run| runs.push(&text[run]));
        assert_eq!(runs, ["a b", "猫ひカー", "x"]);
    }
}
