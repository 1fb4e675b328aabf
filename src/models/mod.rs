//! Models: a pre-token becomes tokens.

pub mod bpe;
pub mod word_level;

use crate::error::Result;
use crate::spec::{Config, kind, not_run};
use crate::vocab::Vocab;
use bpe::{Bpe, Scratch};
use word_level::{CharLevel, WordLevel};

/// Where tokens go: ids, ids with their lengths, or only their number.
pub trait Sink {
    /// One more token, which covers this many bytes of the word.
    fn token(&mut self, id: u32, bytes: usize);
}

impl Sink for Vec<u32> {
    #[inline]
    fn token(&mut self, id: u32, _bytes: usize) {
        self.push(id);
    }
}

/// Ids, and where each token ends in the text.
#[derive(Default)]
pub struct Spans {
    /// One id a token.
    pub ids: Vec<u32>,
    /// Start and end of each token, in bytes.
    pub spans: Vec<(usize, usize)>,
    /// Where the next token starts; set at each new word.
    pub at: usize,
}

impl Sink for Spans {
    fn token(&mut self, id: u32, bytes: usize) {
        self.ids.push(id);
        self.spans.push((self.at, self.at + bytes));
        self.at += bytes;
    }
}

/// The merges of a spec as columns of ids.
pub struct MergeColumns<'a> {
    /// Ids of left, right and result; a merge's rank is its row.
    pub rows: &'a [(u32, u32, u32)],
}

/// One of the models.
pub enum Model {
    /// Byte-pair encoding.
    Bpe(Box<Bpe>),
    /// Whole pre-tokens.
    WordLevel(WordLevel),
    /// Single characters.
    CharLevel(CharLevel),
}

impl Model {
    /// Builds the model of a spec; `byte_level` says that ByteLevel has made bytes of the text.
    pub fn new(
        config: &Config,
        vocab: &Vocab,
        merges: Option<&MergeColumns>,
        byte_level: bool,
    ) -> Result<Self> {
        let spec = config.part("model");
        Ok(match kind(spec) {
            "BPE" => Self::Bpe(Box::new(Bpe::new(spec, vocab, merges, byte_level)?)),
            "WordLevel" if !byte_level => Self::WordLevel(WordLevel::new(spec, vocab)?),
            "CharLevel" if !byte_level => Self::CharLevel(CharLevel::new(spec, vocab)?),
            _ => return Err(not_run("model", spec)),
        })
    }

    /// Gives the tokens of one pre-token to the sink.
    #[inline]
    pub fn encode(
        &self,
        vocab: &Vocab,
        word: &[u8],
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Result<()> {
        match self {
            Self::Bpe(bpe) => bpe.encode(vocab, word, scratch, sink),
            Self::WordLevel(model) => model.encode(vocab, word, sink),
            Self::CharLevel(model) => model.encode(vocab, word, sink),
        }
    }
}
