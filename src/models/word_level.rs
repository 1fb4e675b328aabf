//! Words or characters as they are: the two baselines that subwords are measured against.
//!
//! Rule.    A pre-token (word level) or each of its characters (character level) is a token of the
//!          vocabulary, or unknown. SentencePiece's word model has no pre-tokens: it begins a word at
//!          each ▁ itself, so that unknown words in a row are one token. Its character model takes
//!          user-defined symbols for characters.
//! Cost.    One look-up a word or character.
//! Source.  WordLevel of tokenizers 0.23.3; the word and char models of sentencepiece 0.2.3.

use serde_json::Value;

use super::unknown::Unknown;
use crate::collections::trie::Trie;
use crate::encoding::Sink;
use crate::error::Result;
use crate::normalize::SPACE;
use crate::vocab::{Vocab, piece_type};

/// What is looked up.
enum Stretch {
    Word,
    Character,
}

/// A model that looks up and never cuts or joins.
pub struct WordLevel {
    stretch: Stretch,
    unknown: Unknown,
    user_defined: Trie,
}

impl WordLevel {
    /// A pre-token is a token.
    pub fn words(spec: &Value, vocab: &Vocab) -> Self {
        Self::new(Stretch::Word, spec, vocab)
    }

    /// A character is a token.
    pub fn characters(spec: &Value, vocab: &Vocab) -> Self {
        Self::new(Stretch::Character, spec, vocab)
    }

    fn new(stretch: Stretch, spec: &Value, vocab: &Vocab) -> Self {
        let user_defined = Trie::new(vocab.user_defined());
        Self { stretch, unknown: Unknown::new(spec, vocab), user_defined }
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// Gives the tokens of a word to the sink.
    pub fn encode<S: Sink>(&self, vocab: &Vocab, word: &str, out: &mut S) -> Result<()> {
        if vocab.has_types() {
            let cuts = self.stretches(word, true).map(|stretch| {
                let id = vocab.id(stretch.as_bytes()).filter(|&id| is_for_text(vocab, id));
                (id, stretch.len())
            });
            return self.unknown.settle(word.as_bytes(), cuts, out);
        }
        let mut at = 0;
        for stretch in self.stretches(word, false) {
            let stretch = stretch.as_bytes();
            let id = vocab.id(stretch).map_or_else(|| self.unknown.id(stretch, at), Ok)?;
            out.token(id, stretch.len());
            at += stretch.len();
        }
        Ok(())
    }

    /// What is looked up of a word, one after another.
    fn stretches<'a>(&'a self, word: &'a str, at_spaces: bool) -> impl Iterator<Item = &'a str> {
        let mut rest = word;
        std::iter::from_fn(move || {
            let first = rest.chars().next()?.len_utf8();
            let length = match self.stretch {
                Stretch::Word if at_spaces => {
                    rest[first..].find(SPACE).map_or(rest.len(), |length| first + length)
                }
                Stretch::Word => rest.len(),
                Stretch::Character => {
                    self.user_defined.longest(rest).map_or(first, |(length, _)| length)
                }
            };
            let (stretch, after) = rest.split_at(length);
            rest = after;
            Some(stretch)
        })
    }
}

/// Unused pieces are there for byte-pair encoding only.
fn is_for_text(vocab: &Vocab, id: u32) -> bool {
    vocab.row_of_id(id).is_some_and(|row| vocab.type_of_row(row) != piece_type::UNUSED)
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
