//! Models: a pre-token becomes tokens.

pub mod best_paths;
pub mod bpe;
pub mod bpe_score;
pub mod dropout;
mod first_symbols;
pub mod lattice;
pub mod merging;
pub mod seams;
pub mod splits;
pub mod unigram;
pub mod unknown;
mod visible;
pub mod ways;
pub mod word_level;
pub mod word_piece;

use crate::collections::word_cache::Kind;
use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::{Config, Tables, kind, not_run};
use crate::vocab::Vocab;
use crate::worker::Worker;
use bpe::Bpe;
use bpe_score::ScoreBpe;
use first_symbols::FirstSymbols;
use seams::Seams;
use unigram::AnyUnigram;
use unknown::Unknown;
use word_level::WordLevel;
use word_piece::WordPiece;

/// Places in a word are numbers of 32 bits.
const LONGEST: usize = u32::MAX as usize;

/// A model with its vocabulary.
pub struct Model {
    /// What it is called.
    name: String,
    algorithm: Algorithm,
    vocab: Vocab,
    /// Where words of BPE by rank fall into sections, if they do.
    seams: Option<Seams>,
}

/// One of the models.
enum Algorithm {
    Bpe(Box<Bpe>),
    ScoreBpe(Box<ScoreBpe>),
    Unigram(Box<AnyUnigram>),
    WordLevel(Box<WordLevel>),
    WordPiece(Box<WordPiece>),
}

impl Model {
    /// Builds the model of a spec. `byte_level` says that the vocabulary shows the bytes that it is given;
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
        let name = kind(spec).to_owned();
        if byte_level {
            vocab.visible_to_bytes();
        }
        let algorithm = match &*name {
            "BPE" if spec["order"] == "score" => {
                Algorithm::ScoreBpe(Box::new(ScoreBpe::new(spec, &vocab, scores)?))
            }
            "BPE" => {
                let drops = *config.part("origin") == "tokenizer.json";
                let first_symbols = FirstSymbols::new(spec, &vocab, byte_level, drops)?;
                Algorithm::Bpe(Box::new(Bpe::new(spec, &vocab, &tables.merges, first_symbols)))
            }
            "Unigram" => {
                Algorithm::Unigram(Box::new(AnyUnigram::new(spec, &vocab, scores, special)?))
            }
            "WordLevel" => Algorithm::WordLevel(Box::new(WordLevel::words(spec, &vocab))),
            "CharLevel" => Algorithm::WordLevel(Box::new(WordLevel::characters(spec, &vocab))),
            "WordPiece" => Algorithm::WordPiece(Box::new(WordPiece::new(spec, &vocab, special))),
            _ => return Err(not_run("model", spec)),
        };
        // A special token in the text is one only where `added_tokens` finds it.
        vocab.hide(special);
        let seams = match &algorithm {
            Algorithm::Bpe(model) if model.has_seams() => {
                Some(Seams::new((0..vocab.len()).map(|row| vocab.row(row))))
            }
            _ => None,
        };
        Ok(Self { name, algorithm, vocab, seams })
    }

    /// Whether a text may be cut between two characters of one word: no token holds both, and
    /// nothing unknown lies on both sides.
    pub fn may_part(&self, left: char, right: char) -> bool {
        match &self.algorithm {
            Algorithm::Bpe(model) => {
                let pair = String::from_iter([left, right]);
                self.seams.as_ref().is_some_and(|seams| !seams.join(left, right))
                    && !model.takes_words()
                    && model.knows(&self.vocab, pair.as_bytes())
            }
            Algorithm::ScoreBpe(model) => model.may_part(left, right),
            Algorithm::Unigram(model) => model.may_part(left, right),
            Algorithm::WordLevel(_) | Algorithm::WordPiece(_) => false,
        }
    }

    /// Whether what becomes of a part of a word can depend on all that comes before it.
    pub fn carries(&self) -> bool {
        matches!(self.algorithm, Algorithm::Unigram(_))
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        match &self.algorithm {
            Algorithm::Bpe(model) => model.unknown(),
            Algorithm::ScoreBpe(model) => model.unknown(),
            Algorithm::Unigram(model) => model.unknown(),
            Algorithm::WordLevel(model) => model.unknown(),
            Algorithm::WordPiece(model) => model.unknown(),
        }
    }

    /// The model, if it is one in which all ways to cut a text have a probability.
    pub fn unigram(&self) -> Result<&AnyUnigram> {
        match &self.algorithm {
            Algorithm::Unigram(model) => Ok(model),
            _ => Err(Error::Option(format!(
                "the ways to cut a text have probabilities in a Unigram model, not in {}",
                self.name
            ))),
        }
    }

    /// That merges can be dropped.
    pub fn require_merges(&self) -> Result<()> {
        match &self.algorithm {
            Algorithm::Bpe(_) | Algorithm::ScoreBpe(_) => Ok(()),
            _ => Err(Error::Option(format!("dropout is for BPE, not for {}", self.name))),
        }
    }

    /// Gives the tokens of one pre-token to the sink; from the cache where it is there, nobody asks
    /// for places and nothing is random.
    #[inline]
    pub fn encode<S: Sink>(&self, word: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        worker.stop.check()?;
        if word.len() >= LONGEST {
            return Err(Error::Encoding(format!(
                "a word of {} bytes is too long; words may have {LONGEST} bytes, so cut the text",
                word.len()
            )));
        }
        if S::PLACES || worker.dropout.is_some() || worker.carried.is_some() {
            return self.cut(word, worker, out);
        }
        if let Some(known) = worker.cache.get(word.as_bytes(), Kind::Word) {
            out.tokens(known);
            return Ok(());
        }
        let mut ids = std::mem::take(&mut worker.new);
        ids.clear();
        let result = self.sections(word, worker, &mut ids);
        if result.is_ok() {
            worker.cache.put(word.as_bytes(), Kind::Word, &ids);
            out.tokens(&ids);
        }
        worker.new = ids;
        result
    }

    /// The ids of a word that is not in the cache, from those of its sections.
    fn sections(&self, word: &str, worker: &mut Worker, ids: &mut Vec<u32>) -> Result<()> {
        let (Algorithm::Bpe(model), Some(seams)) = (&self.algorithm, &self.seams) else {
            return self.cut(word, worker, ids);
        };
        let (word, mut start) = (word.as_bytes(), 0);
        while start < word.len() {
            let end = seams.end_of_section(word, start);
            if end - start == word.len() {
                return model.encode(&self.vocab, word, worker, ids);
            }
            let section = &word[start..end];
            if let Some(known) = worker.cache.get(section, Kind::Section) {
                ids.extend_from_slice(known);
            } else if !model.knows(&self.vocab, section) {
                // What becomes of the unknown can be a matter of the whole word.
                ids.clear();
                return model.encode(&self.vocab, word, worker, ids);
            } else {
                let before = ids.len();
                model.merge(&self.vocab, section, worker, ids)?;
                worker.cache.put(section, Kind::Section, &ids[before..]);
            }
            start = end;
        }
        Ok(())
    }

    #[inline]
    fn cut<S: Sink>(&self, word: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        match &self.algorithm {
            Algorithm::Bpe(model) => model.encode(&self.vocab, word.as_bytes(), worker, out),
            Algorithm::ScoreBpe(model) => model.encode(word, worker, out),
            Algorithm::Unigram(model) => model.encode(word, worker, out),
            Algorithm::WordLevel(model) => model.encode(&self.vocab, word, out),
            Algorithm::WordPiece(model) => model.encode(word, worker, out),
        }
    }
}
