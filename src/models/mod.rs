//! Models: a pre-token becomes tokens.

pub mod best_paths;
mod best_way;
pub mod bpe;
pub mod bpe_score;
pub mod dropout;
pub mod first_symbols;
pub mod lattice;
pub mod merges;
pub mod merging;
pub mod neighbours;
pub mod seams;
pub mod sections;
pub mod splits;
pub mod unigram;
pub mod unknown;
mod visible;
pub mod ways;
mod whole_characters;
pub mod word_level;
pub mod word_piece;

use std::ops::Range;

use crate::collections::short_key;
use crate::collections::word_cache::{BLOCK, Kind, Row, Unit, WordCache, gathered};
use crate::encoding::{Sink, emit};
use crate::error::{Error, Result};
use crate::pre_tokenize::Words;
use crate::spec::{Config, Tables, kind, not_run};
use crate::vocab::Vocab;
use crate::worker::Worker;
use bpe::Bpe;
use bpe_score::ScoreBpe;
use first_symbols::FirstSymbols;
use neighbours::Neighbours;
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
        Ok(Self { name, algorithm, vocab })
    }

    /// The model of tables that were read from a file.
    pub fn of_bpe(bpe: Bpe, mut vocab: Vocab, special: &[u32]) -> Self {
        vocab.hide(special);
        Self { name: "BPE".to_owned(), algorithm: Algorithm::Bpe(Box::new(bpe)), vocab }
    }

    /// Whether a text may be cut between two characters of one word: no token holds both, and
    /// nothing unknown lies on both sides.
    pub fn may_part(&self, left: char, right: char) -> bool {
        match &self.algorithm {
            Algorithm::Bpe(model) => model.may_part(&self.vocab, left, right),
            Algorithm::ScoreBpe(model) => model.may_part(left, right),
            Algorithm::Unigram(model) => model.may_part(left, right),
            Algorithm::WordLevel(_) | Algorithm::WordPiece(_) => false,
        }
    }

    /// From now on a space is read as ▁, if that changes nothing for texts without spaces, and the
    /// tokens of a text are the same whichever of the two it has; else false.
    pub fn read_spaces(&mut self) -> bool {
        match &mut self.algorithm {
            Algorithm::Unigram(model) => model.read_spaces(),
            _ => false,
        }
    }

    /// Whether what becomes of a part of a word can depend on all that comes before it.
    pub fn carries(&self) -> bool {
        matches!(self.algorithm, Algorithm::Unigram(_))
    }

    /// Whether it is WordPiece.
    pub fn is_word_piece(&self) -> bool {
        matches!(self.algorithm, Algorithm::WordPiece(_))
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

    /// Which tokens can stand side by side in a word.
    pub fn neighbours(&self) -> Result<Neighbours> {
        match &self.algorithm {
            Algorithm::Bpe(model) => Neighbours::new(model, &self.vocab),
            _ => Err(Error::Option(format!("neighbours are those of BPE, not of {}", self.name))),
        }
    }

    /// Of each of some ids, whether it can stand behind another one in a word.
    pub fn after(&self, neighbours: &Neighbours, id: u32, ids: &[u32]) -> Vec<bool> {
        let Algorithm::Bpe(model) = &self.algorithm else { return vec![false; ids.len()] };
        let rows = neighbours.after(model, &self.vocab, id);
        ids.iter().map(|&id| self.vocab.row_of_id(id).is_some_and(|row| rows[row])).collect()
    }

    /// Whether two tokens can stand side by side in a word.
    pub fn stay(&self, neighbours: &Neighbours, left: u32, right: u32) -> bool {
        match &self.algorithm {
            Algorithm::Bpe(model) => neighbours.stay(model, &self.vocab, left, right),
            _ => false,
        }
    }

    /// How many of the first ids are the tokens of a word; None if they are not.
    /// `stay` says of the id of a number whether it can stand behind the one before it.
    pub fn fill(
        &self,
        neighbours: &Neighbours,
        word: &[u8],
        ids: &[u32],
        stay: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        match &self.algorithm {
            Algorithm::Bpe(model) => neighbours.fill(model, &self.vocab, word, ids, stay),
            _ => None,
        }
    }

    /// Its tokens, but for those that no text is to become.
    pub fn vocab(&self) -> &Vocab {
        &self.vocab
    }

    /// Gives the tokens of the words of a stretch to the sink.
    pub fn encode<S: Sink>(&self, words: &Words, worker: &mut Worker, out: &mut S) -> Result<()> {
        let is_section_by_section = words.is_one() && self.carries();
        let is_plain = worker.dropout.is_none() && worker.carried.is_none();
        if S::PLACES || is_section_by_section || !is_plain {
            return words.each(|word| {
                worker.stop.check()?;
                out.word(word.start);
                let start = word.start;
                let result = self.encode_word(&words.stretch.text[word], worker, out);
                result.map_err(|error| error.moved(start))
            });
        }
        let text = &*words.stretch.text;
        let mut block = std::mem::take(&mut worker.block);
        block.clear();
        let result = words.each(|word| {
            self.each_unit(text.as_bytes(), word, |unit| {
                worker.cache.prefetch(&unit);
                block.push(unit);
                if block.len() < gathered() {
                    return Ok(());
                }
                let result = self.encode_block(text, &block, worker, out);
                block.clear();
                result
            })
        });
        let result = result.and_then(|()| self.encode_block(text, &block, worker, out));
        worker.block = block;
        result
    }

    /// What of a word is looked for in the table: its sections if it is long, else itself.
    #[inline]
    fn each_unit(
        &self,
        text: &[u8],
        word: Range<usize>,
        mut visit: impl FnMut(Unit) -> Result<()>,
    ) -> Result<()> {
        if word.len() <= short_key::LONGEST {
            return visit(Unit::new(text, word, Kind::Word));
        }
        if word.len() >= LONGEST {
            return Err(too_long(word.len()));
        }
        let up_to_end = &text[..word.end];
        let seams = match &self.algorithm {
            Algorithm::Bpe(model) => model.seams_of(&self.vocab, &up_to_end[word.start..]),
            _ => None,
        };
        let Some(seams) = seams else {
            return visit(Unit::new(text, word, Kind::Word));
        };
        seams.each_section(up_to_end, word.start, |section| {
            let kind = if section == word { Kind::Word } else { Kind::Section };
            visit(Unit::new(text, section, kind))
        })
    }

    /// The tokens of some units; of those that are in the table, from there.
    #[inline]
    fn encode_block<S: Sink>(
        &self,
        text: &str,
        block: &[Unit],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        worker.stop.check()?;
        let mut rows = [Row::default(); BLOCK];
        let mut there = worker.cache.find(block, &mut rows);
        self.find_tokens(block, &mut worker.cache, &mut rows, &mut there);
        emit(&rows[..block.len()], there, out, |index, out| {
            self.encode_unit(text, &block[index], worker, out)
        })
    }

    /// Finds those words of a block that are tokens, and taken whole. All are looked for before one
    /// of them is needed, for the sake of their cache lines.
    #[inline]
    fn find_tokens(
        &self,
        block: &[Unit],
        cache: &mut WordCache,
        rows: &mut [Row; BLOCK],
        there: &mut u64,
    ) {
        let Algorithm::Bpe(model) = &self.algorithm else { return };
        if !model.takes_whole_words {
            return;
        }
        let mut missing = !*there;
        while let Some(unit) = block.get(missing.trailing_zeros() as usize) {
            let index = missing.trailing_zeros() as usize;
            missing &= missing - 1;
            if let Some(id) = unit.key_of_word().and_then(|key| self.vocab.id_of_short(key)) {
                rows[index] = Row::new(&[id]);
                *there |= 1 << index;
                cache.put(unit, &[id]);
            }
        }
    }

    /// The tokens of a unit that is not in the table of short words; now it is there, or in the other.
    #[inline(never)]
    fn encode_unit<S: Sink>(
        &self,
        text: &str,
        unit: &Unit,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        if let Some(ids) = worker.long_words.get(text.as_bytes(), unit) {
            out.tokens(ids);
            return Ok(());
        }
        let mut ids = std::mem::take(&mut worker.new);
        ids.clear();
        let part = &text[unit.range()];
        let result = match (unit.kind(), &self.algorithm) {
            (Kind::Section, Algorithm::Bpe(model)) => {
                model.merge(&self.vocab, part.as_bytes(), worker, &mut ids)
            }
            _ => self.encode_word(part, worker, &mut ids),
        };
        if result.is_ok() {
            if !worker.cache.put(unit, &ids) {
                worker.long_words.put(text.as_bytes(), unit, &ids);
            }
            out.tokens(&ids);
        }
        worker.new = ids;
        result.map_err(|error| error.moved(unit.range().start))
    }

    /// Gives the tokens of a word to the sink.
    #[inline]
    pub fn encode_word<S: Sink>(&self, word: &str, worker: &mut Worker, out: &mut S) -> Result<()> {
        if word.len() >= LONGEST {
            return Err(too_long(word.len()));
        }
        match &self.algorithm {
            Algorithm::Bpe(model) => model.encode(&self.vocab, word.as_bytes(), worker, out),
            Algorithm::ScoreBpe(model) => model.encode(word, worker, out),
            Algorithm::Unigram(model) => model.encode(word, worker, out),
            Algorithm::WordLevel(model) => model.encode(&self.vocab, word, out),
            Algorithm::WordPiece(model) => model.encode(&self.vocab, word, worker, out),
        }
    }
}

#[cold]
fn too_long(length: usize) -> Error {
    Error::Encoding(format!(
        "a word of {length} bytes is too long; words may have {LONGEST} bytes, so cut the text"
    ))
}
