//! The two baselines: a token is a whole pre-token, or one character.
//!
//! Rule.    What is not in the vocabulary is the unknown token; without one it is an error.
//! Cost.    One look-up a word or character.

use serde_json::Value;

use super::Sink;
use crate::error::{Error, Result};
use crate::vocab::Vocab;

/// What stands for a word or character that has no id.
pub(super) struct Unknown(pub(super) Option<u32>);

impl Unknown {
    /// The unknown token of a model.
    pub(super) fn new(spec: &Value, vocab: &Vocab) -> Result<Self> {
        let Some(token) = spec["unk_token"].as_str() else { return Ok(Self(None)) };
        match vocab.id(token.as_bytes()) {
            Some(id) => Ok(Self(Some(id))),
            None => Err(Error::Vocabulary(format!(
                "the unknown token {token:?} is not in the vocabulary; \
                 add it, or set unk_token to null"
            ))),
        }
    }

    /// The id to use for `part`, which has none and stands at byte `at` of the word.
    pub(super) fn id(&self, part: &[u8], at: usize) -> Result<u32> {
        let unknown = || Error::Unknown(String::from_utf8_lossy(part).into_owned(), at);
        self.0.ok_or_else(unknown)
    }
}

/// A pre-token is a token.
pub struct WordLevel {
    unknown: Unknown,
}

impl WordLevel {
    /// Reads the unknown token.
    pub fn new(spec: &Value, vocab: &Vocab) -> Result<Self> {
        Ok(Self { unknown: Unknown::new(spec, vocab)? })
    }

    /// One token.
    pub fn encode(&self, vocab: &Vocab, word: &[u8], sink: &mut impl Sink) -> Result<()> {
        let id = vocab.id(word).map_or_else(|| self.unknown.id(word, 0), Ok)?;
        sink.token(id, word.len());
        Ok(())
    }
}

/// A character is a token.
pub struct CharLevel {
    unknown: Unknown,
}

impl CharLevel {
    /// Reads the unknown token.
    pub fn new(spec: &Value, vocab: &Vocab) -> Result<Self> {
        Ok(Self { unknown: Unknown::new(spec, vocab)? })
    }

    /// One token a character.
    pub fn encode(&self, vocab: &Vocab, word: &[u8], sink: &mut impl Sink) -> Result<()> {
        let mut at = 0;
        for character in characters(word) {
            let id = vocab.id(character).map_or_else(|| self.unknown.id(character, at), Ok)?;
            sink.token(id, character.len());
            at += character.len();
        }
        Ok(())
    }
}

/// The characters of valid UTF-8, as bytes.
pub(super) fn characters(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let length = match rest.first()? {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        let (character, tail) = rest.split_at(length.min(rest.len()));
        rest = tail;
        Some(character)
    })
}
