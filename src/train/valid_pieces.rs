//! Which strings a SentencePiece trainer may make a piece of.
//!
//! Rule.    That of python/kugiri/reference/train/valid_pieces.py, which has it in words.
//! Cost.    One look-up a character, nothing allocated.
//! Source.  sentencepiece 0.2.3, whose scripts are those of Unicode 9.0.

use serde::Deserialize;

use crate::scripts::{COMMON, HAN, HIRAGANA, INHERITED, KATAKANA, script};

/// How SentencePiece writes a space.
pub const SPACE: char = '▁';
/// Stands in training text for a character that is not in the alphabet.
pub const LEFT_OUT: char = '\u{2585}';
/// Stands in training text where no piece may go across.
pub const CUT: char = '\u{1f}';

/// A script that fits to every other.
const ANY: u8 = u8::MAX;

/// The options of spm_train that say what a piece may be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // one an option of spm_train
pub struct PieceRules {
    /// The most characters.
    pub max_sentencepiece_length: usize,
    /// All characters are of one script.
    pub split_by_unicode_script: bool,
    /// Digits are Common, and not of any script.
    pub split_by_number: bool,
    /// ▁ stands only at the start.
    pub split_by_whitespace: bool,
    /// A digit is a piece of its own.
    pub split_digits: bool,
    /// ▁ stands at the end, not at the start.
    pub treat_whitespace_as_suffix: bool,
    /// Pieces of nothing but ▁ are allowed.
    pub allow_whitespace_only_pieces: bool,
}

impl Default for PieceRules {
    fn default() -> Self {
        Self {
            max_sentencepiece_length: 16,
            split_by_unicode_script: true,
            split_by_number: true,
            split_by_whitespace: true,
            split_digits: false,
            treat_whitespace_as_suffix: false,
            allow_whitespace_only_pieces: false,
        }
    }
}

impl PieceRules {
    /// Whether a string may be a piece; it comes as characters, so that it need not be in one part.
    pub fn allow(&self, piece: impl Iterator<Item = char> + Clone) -> bool {
        let length = piece.clone().count();
        if length == 0 || length > self.max_sentencepiece_length {
            return false;
        }
        let only_spaces =
            self.allow_whitespace_only_pieces && piece.clone().all(|character| character == SPACE);
        let mut before = ANY;
        for (at, character) in piece.enumerate() {
            match character {
                SPACE if only_spaces || self.allows_space(at, length) => continue,
                SPACE | LEFT_OUT | CUT | '\0' | ' ' => return false,
                _ if self.split_digits && length > 1 && is_digit(character) => return false,
                _ => {}
            }
            let now = self.script(character, before);
            if self.split_by_unicode_script && now != before && now != ANY && before != ANY {
                return false;
            }
            before = now;
        }
        true
    }

    fn allows_space(&self, at: usize, length: usize) -> bool {
        let (first, last) = (at == 0, at + 1 == length);
        match (self.treat_whitespace_as_suffix, self.split_by_whitespace) {
            (false, true) => first,
            (false, false) => first || !last,
            (true, true) => last,
            (true, false) => last || !first,
        }
    }

    fn script(&self, character: char, before: u8) -> u8 {
        if !self.split_by_number && is_digit(character) {
            return ANY;
        }
        match (script(character), character) {
            (HIRAGANA | KATAKANA, _) | (COMMON, 'ー') => HAN,
            (INHERITED, _) => before,
            (other, _) => other,
        }
    }
}

fn is_digit(character: char) -> bool {
    matches!(character, '0'..='9' | '０'..='９')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Rows {
        case: Vec<Row>,
    }

    #[derive(Deserialize)]
    struct Row {
        name: String,
        options: PieceRules,
        allowed: Vec<String>,
        refused: Vec<String>,
    }

    #[test]
    fn rows_of_the_vectors() {
        let file = include_str!("../../tests/vectors/valid_pieces.toml");
        for row in toml::from_str::<Rows>(file).unwrap().case {
            for (pieces, expected) in [(&row.allowed, true), (&row.refused, false)] {
                for piece in pieces {
                    let allowed = row.options.allow(piece.chars());
                    assert_eq!(allowed, expected, "{}: {piece:?}", row.name);
                }
            }
        }
    }
}
