//! The options of a BPE run; their meaning is that of `kugiri.training.options.Options`.

use serde::Deserialize;

use super::valid_pieces::PieceRules;
use crate::error::{Error, Result};

/// Which of several pairs with the highest count is merged first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The smallest left id, then the smallest right id: document order does not matter.
    LowestIds,
    /// The pair that stands first in the corpus, as a count in reading order finds it.
    FirstSeen,
    /// The greatest pair of strings, as `max` over (count, pair) finds it.
    GreatestPair,
    /// The shortest join, then the smallest: SentencePiece's order.
    Sentencepiece,
}

/// What says which pair goes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MergeBy {
    /// The count of the pair.
    #[default]
    Frequency,
    /// The count of the pair over the counts of its parts.
    Likelihood,
}

/// What words are cut into first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// UTF-8 bytes.
    Byte,
    /// Characters.
    Char,
}

/// The options of a run, as train.py has checked them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// What words are cut into first.
    pub unit: Unit,
    /// The most tokens, alphabet and special tokens included; None: no limit.
    pub vocab_size: Option<usize>,
    /// How many of them are special tokens, which are added after the run.
    pub special_tokens: usize,
    /// The most merges; None: no limit.
    pub num_merges: Option<usize>,
    /// A pair that occurs less often is never merged. With 0, those are merged too in the end that
    /// stand nowhere any more, as SentencePiece does.
    pub min_frequency: u64,
    /// The longest symbol, in units.
    pub max_piece_length: Option<u32>,
    /// Which pair goes first among equals.
    pub tie: Tie,
    /// "value" or "gpt2": how bytes are numbered.
    pub byte_order: String,
    /// Characters that are in the alphabet whether or not they occur.
    pub initial_alphabet: Vec<String>,
    /// The most characters in the alphabet.
    pub limit_alphabet: Option<usize>,
    /// A symbol after each word.
    pub end_of_word: Option<String>,
    /// Never join a whole character to a piece of another.
    pub keep_characters: bool,
    /// An alphabet that does not fit is kept whole, without merges, as in tokenizers 0.23.3.
    pub alphabet_may_exceed: bool,
    /// The characters of the alphabet, these and no others; None: those of the words.
    #[serde(default)]
    pub alphabet: Option<String>,
    /// What may be a piece in a SentencePiece vocabulary.
    #[serde(default)]
    pub rules: Option<PieceRules>,
    /// What every character of a word but the first is marked with, in a WordPiece vocabulary.
    #[serde(default)]
    pub continuing_prefix: Option<String>,
    /// What says which pair goes next.
    #[serde(default)]
    pub merge_by: MergeBy,
}

impl Options {
    /// An alphabet that does not fit is an error: nothing is dropped without being asked for.
    pub(super) fn check_fits(&self, alphabet: usize) -> Result<()> {
        let smallest = alphabet + self.special_tokens;
        let (unit, remedy) = match self.unit {
            Unit::Byte => ("bytes", ""),
            Unit::Char if self.continuing_prefix.is_some() => ("characters", ", or limit_alphabet"),
            Unit::Char => ("characters", ", unit='byte', or limit_alphabet"),
        };
        match self.vocab_size {
            Some(size) if size < smallest => Err(Error::Vocabulary(format!(
                "vocab_size={size} is below the {smallest} that this corpus needs ({alphabet} {unit} \
                 and {} special tokens); use vocab_size={smallest} or more{remedy}",
                self.special_tokens
            ))),
            _ => Ok(()),
        }
    }
}
