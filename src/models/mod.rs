//! Models: a pre-token becomes tokens.

pub mod bpe;
pub mod bpe_score;
mod first_symbols;
pub mod merging;
pub mod unigram;
pub mod unknown;
mod visible;
pub mod word_level;
pub mod word_piece;

use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::{Config, Tables, kind, not_run};
use crate::vocab::Vocab;
use crate::worker::Worker;
use bpe::Bpe;
use bpe_score::ScoreBpe;
use first_symbols::FirstSymbols;
use unigram::AnyUnigram;
use unknown::Unknown;
use word_level::WordLevel;
use word_piece::WordPiece;

/// Places in a word are numbers of 32 bits.
const LONGEST: usize = u32::MAX as usize;

/// A model with its vocabulary.
pub struct Model {
    kind: Kind,
    vocab: Vocab,
    /// Whether the model sees visible characters for the bytes of a word.
    shows_bytes: bool,
}

/// One of the models.
enum Kind {
    Bpe(Box<Bpe>),
    ScoreBpe(Box<ScoreBpe>),
    Unigram(Box<AnyUnigram>),
    WordLevel(Box<WordLevel>),
    WordPiece(Box<WordPiece>),
}

impl Model {
    /// Builds the model of a spec. `byte_level` says that ByteLevel has made bytes of the text;
    /// `special` are the ids that no text is to become.
    pub fn new(
        config: &Config,
        mut vocab: Vocab,
        tables: &Tables,
        byte_level: bool,
        special: &[u32],
    ) -> Result<Self> {
        let spec = config.part("model");
        let scores = tables.scores.as_ref();
        let is_bpe = kind(spec) == "BPE";
        if byte_level && is_bpe {
            vocab.visible_to_bytes();
        }
        let kind = match kind(spec) {
            "BPE" if spec["order"] == "score" && !byte_level => {
                Kind::ScoreBpe(Box::new(ScoreBpe::new(spec, &vocab, scores)?))
            }
            "BPE" if spec["order"] != "score" => {
                let drops = *config.part("origin") == "tokenizer.json";
                let first_symbols = FirstSymbols::new(spec, &vocab, byte_level, drops)?;
                Kind::Bpe(Box::new(Bpe::new(spec, &vocab, &tables.merges, first_symbols)))
            }
            "Unigram" => Kind::Unigram(Box::new(AnyUnigram::new(spec, &vocab, scores, special)?)),
            "WordLevel" => Kind::WordLevel(Box::new(WordLevel::words(spec, &vocab))),
            "CharLevel" => Kind::WordLevel(Box::new(WordLevel::characters(spec, &vocab))),
            "WordPiece" => Kind::WordPiece(Box::new(WordPiece::new(spec, &vocab, special))),
            _ => return Err(not_run("model", spec)),
        };
        // A special token in the text is one only where `added_tokens` finds it.
        vocab.hide(special);
        Ok(Self { kind, vocab, shows_bytes: byte_level && !is_bpe })
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        match &self.kind {
            Kind::Bpe(model) => model.unknown(),
            Kind::ScoreBpe(model) => model.unknown(),
            Kind::Unigram(model) => model.unknown(),
            Kind::WordLevel(model) => model.unknown(),
            Kind::WordPiece(model) => model.unknown(),
        }
    }

    /// Gives the tokens of one pre-token to the sink; from the cache where it is there and nobody
    /// asks for places.
    #[inline]
    pub fn encode<S: Sink>(&self, word: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        worker.stop.check()?;
        if word.len() >= LONGEST {
            return Err(Error::Encoding(format!(
                "a word of {} bytes is too long; words may have {LONGEST} bytes, so cut the text",
                word.len()
            )));
        }
        if S::PLACES || !worker.cache.holds(word) {
            return self.cut(word, worker, out);
        }
        if let Some(known) = worker.cache.get(word.as_bytes()) {
            out.tokens(known);
            return Ok(());
        }
        let mut ids = std::mem::take(&mut worker.new);
        ids.clear();
        let result = self.cut(word, worker, &mut ids);
        if result.is_ok() {
            worker.cache.put(word.as_bytes(), &ids);
            out.tokens(&ids);
        }
        worker.new = ids;
        result
    }

    #[inline]
    fn cut<S: Sink>(&self, word: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        if self.shows_bytes {
            let out = &mut visible::Hiding::of(word, out);
            let result = self.cut_text(&visible::show(word), worker, out);
            return result.map_err(|error| visible::hide(error, word));
        }
        self.cut_text(word, worker, out)
    }

    #[inline]
    fn cut_text<S: Sink>(&self, word: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        match &self.kind {
            Kind::Bpe(model) => model.encode(&self.vocab, word.as_bytes(), worker, out),
            Kind::ScoreBpe(model) => model.encode(word, worker, out),
            Kind::Unigram(model) => model.encode(word, worker, out),
            Kind::WordLevel(model) => model.encode(&self.vocab, word, out),
            Kind::WordPiece(model) => model.encode(word, worker, out),
        }
    }
}
