//! Every error of the core; `python.rs` raises the class of the same name in `kugiri.errors`.

use std::fmt;

use crate::alignment::Aligned;
use crate::unicode::{ClassTable, class};

/// What can go wrong. The text says what came, what is allowed and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A text that cannot become ids, or ids that cannot become text.
    Encoding(String),
    /// A part of a text that has no id, and the character of the text (at first the byte of its
    /// word, then of its stretch) where it stands.
    Unknown(String, usize),
    /// A malformed file, with the byte at which reading stopped.
    Format(String, usize),
    /// Nothing can be trained from this.
    Training(String),
    /// A size, token or id that does not fit the vocabulary.
    Vocabulary(String),
    /// Options that this engine cannot honour.
    Option(String),
    /// The caller asked to stop (Ctrl-C).
    Interrupted,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(m) | Self::Training(m) | Self::Vocabulary(m) | Self::Option(m) => {
                f.write_str(m)
            }
            Self::Unknown(part, place) => write!(
                f,
                "'{}' at character {place} is not in the vocabulary, and there is no token for \
                 the unknown; train with special_tokens=['<unk>'] or unit='byte'",
                part.chars().map(shown).collect::<String>()
            ),
            Self::Format(m, offset) => write!(f, "byte {offset}: {m}"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// An unknown part of a part of a word, told by its byte in the word.
    #[must_use]
    pub fn moved(self, start: usize) -> Self {
        match self {
            Self::Unknown(part, at) => Self::Unknown(part, start + at),
            other => other,
        }
    }

    /// An unknown part of a stretch, told by its character in the original text.
    #[must_use]
    pub fn of_stretch(self, stretch: &Aligned, text: &str) -> Self {
        match self {
            Self::Unknown(part, at) => {
                let (byte, _) = stretch.span(at..stretch.text.len());
                // The byte may be one within its character.
                let begun = text.bytes().take(byte + 1).filter(|byte| byte & 0xc0 != 0x80).count();
                Self::Unknown(part, begun.saturating_sub(1))
            }
            other => other,
        }
    }

    /// What is wrong with one of several texts, told by its number from 0.
    #[must_use]
    pub fn in_text(self, index: usize) -> Self {
        match self {
            Self::Encoding(_) | Self::Unknown(..) => {
                Self::Encoding(format!("text {index}: {self}"))
            }
            other => other,
        }
    }

    /// What is wrong with one of several rows of ids, told by its number from 0.
    #[must_use]
    pub fn in_row(self, index: usize) -> Self {
        match self {
            Self::Vocabulary(message) => Self::Vocabulary(format!("row {index}: {message}")),
            other => other,
        }
    }
}

/// A character as it is shown: a mark that sits on another as it is, what cannot be seen escaped.
fn shown(character: char) -> String {
    let marks = class::UPPER | class::LOWER;
    match ClassTable::get().of(character as u32) & (marks | class::LETTER) {
        bits if bits == marks => character.into(),
        _ => character.escape_debug().collect(),
    }
}

/// The result of anything that can fail here.
pub type Result<T> = std::result::Result<T, Error>;
