//! From sentences to the words that a SentencePiece trainer counts.
//!
//! Rule.    A sentence is normalized, given pieces are cut out, the longest first at each place, and
//!          so is the delimiter. A word begins with each ▁, or ends with it as a suffix; together
//!          several ▁ in a row are taken as one. The rule in words is in
//!          python/kugiri/reference/train/sentences.py.
//! Cost.    One pass for each of these.
//! Source.  sentencepiece 0.2.3.

use serde::Deserialize;
use serde_json::Value;

use super::valid_pieces::CUT;
use crate::alignment::Aligned;
use crate::collections::trie::Trie;
use crate::error::{Error, Result};
use crate::normalize::{SPACE, SentencePiece};

/// How sentences become words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    /// The normalizer of a spec.
    normalizer: Value,
    /// The pieces that are cut out.
    given: Vec<String>,
    /// Stands where no piece goes across; empty is none.
    delimiter: String,
    /// Whether words are cut at all, or sentences left whole.
    split: bool,
    as_suffix: bool,
    together: bool,
}

/// Cuts sentences into words.
pub struct Sentences {
    normalizer: SentencePiece,
    given: Trie,
    options: Options,
}

impl Sentences {
    /// Reads how it is to be done.
    pub fn new(json: &[u8]) -> Result<Self> {
        let options: Options = serde_json::from_slice(json)
            .map_err(|error| Error::Option(format!("how sentences are cut: {error}")))?;
        let normalizer = SentencePiece::new(&options.normalizer, std::iter::empty())?;
        let given = Trie::new(options.given.iter().map(|piece| (piece.as_str(), 0)));
        Ok(Self { normalizer, given, options })
    }

    /// Gives each word of a sentence.
    pub fn cut(&self, text: &str, mut word: impl FnMut(&str) -> Result<()>) -> Result<()> {
        let sentence = Aligned::of(text, 0..text.len());
        let mut text = self.cut_out(&self.normalizer.normalize(&sentence, text, false, false).text);
        if !self.options.delimiter.is_empty() {
            text = text.replace(&self.options.delimiter, CUT.encode_utf8(&mut [0; 4]));
        }
        let mut start = 0;
        for (at, _) in text.match_indices(SPACE).filter(|_| self.options.split) {
            let end = if self.options.as_suffix { at + SPACE.len() } else { at };
            let (before, after) = text.split_at(end);
            let inside = before.ends_with(SPACE) && after.starts_with(SPACE);
            if end > start && !(inside && self.options.together) {
                word(&text[start..end])?;
                start = end;
            }
        }
        if start < text.len() { word(&text[start..]) } else { Ok(()) }
    }

    /// Puts the mark of a cut in the place of each given piece.
    fn cut_out(&self, sentence: &str) -> String {
        if self.given.is_empty() {
            return sentence.into();
        }
        let (mut left, mut rest) = (String::with_capacity(sentence.len()), sentence);
        while let Some(character) = rest.chars().next() {
            if let Some((length, _)) = self.given.longest(rest) {
                left.push(CUT);
                rest = &rest[length..];
            } else {
                left.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
        left
    }
}
