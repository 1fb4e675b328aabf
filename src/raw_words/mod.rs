//! Raw words: a text that is cut before it is normalized, so that a word that was met before needs no
//! stage at all.
//!
//! Rule.    Where all stages but the model are BERT's, the text is cut at white space and around signs
//!          and ideographs: no stage looks across such a place (`normalize/alone.rs`). What becomes of a
//!          raw word is kept under its own bytes. A new one is rewritten character by character,
//!          where each becomes the same beside any other, and given to the model; any other goes
//!          through the stages as a text of its own. So the ids are those of the stages.
//! Cost.    A word that was met before: its bits in a block of 64 bytes, and a cache line. A new one: a
//!          look-up a character, and the model.

mod ascii;
mod kinds;
mod scan;

use crate::collections::word_cache::{self, BLOCK, Row, Unit, gathered};
use crate::encoding::{Sink, emit};
use crate::error::Result;
use crate::models::Model;
use crate::normalize::Normalizer;
use crate::pipeline::Pipeline;
use crate::pre_tokenize::PreTokenizer;
use crate::special_tokens::AddedTokens;
use crate::without::{Technique, without};
use crate::worker::Worker;
use kinds::{Kind, Kinds};

/// What cuts a text into raw words.
pub struct RawWords {
    kinds: Kinds,
}

impl RawWords {
    /// None where a stage is not BERT's, or where added tokens are looked for in normalized text.
    pub fn new(
        added_tokens: &AddedTokens,
        normalizer: &Normalizer,
        pre_tokenizer: &PreTokenizer,
        model: &Model,
    ) -> Option<Self> {
        let is_unfit = !model.is_word_piece() || added_tokens.are_normalized();
        if is_unfit || without(Technique::RawWords) {
            return None;
        }
        Some(Self { kinds: Kinds::new(normalizer, pre_tokenizer)? })
    }

    /// A raw word as the stages before the model leave it, if each character of it says so by itself.
    fn rewrite(&self, word: &str, rewritten: &mut String) -> bool {
        rewritten.clear();
        word.chars().all(|c| {
            match self.kinds.of(c) {
                Kind::Within(to) | Kind::Word(to) => rewritten.push(to),
                Kind::Nothing => {}
                Kind::Unknown | Kind::Gap => return false,
            }
            true
        })
    }
}

impl Pipeline {
    /// The tokens of a stretch of text by its raw words; never where places are asked for.
    pub(crate) fn encode_raw_words<S: Sink>(
        &self,
        raw_words: &RawWords,
        text: &str,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let mut block = std::mem::take(&mut worker.block);
        block.clear();
        let result = scan::each_word(text, &raw_words.kinds, |word| {
            let unit = Unit::new(text.as_bytes(), word, word_cache::Kind::Raw);
            worker.cache.prefetch(&unit);
            block.push(unit);
            if block.len() < gathered() {
                return Ok(());
            }
            let result = self.encode_units_of_raw(raw_words, text, &block, worker, out);
            block.clear();
            result
        });
        let rest = |()| self.encode_units_of_raw(raw_words, text, &block, worker, out);
        let result = result.and_then(rest);
        worker.block = block;
        result
    }

    #[inline(never)]
    fn encode_units_of_raw<S: Sink>(
        &self,
        raw_words: &RawWords,
        text: &str,
        block: &[Unit],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        worker.stop.check()?;
        let mut rows = [Row::default(); BLOCK];
        let there = worker.cache.find(block, &mut rows);
        emit(&rows[..block.len()], there, out, |index, out| {
            let unit = &block[index];
            self.encode_new(raw_words, &text[unit.range()], unit, worker, out)
        })
    }

    /// The tokens of a raw word that is not in the table; now it is.
    #[inline(never)]
    fn encode_new<S: Sink>(
        &self,
        raw_words: &RawWords,
        word: &str,
        unit: &Unit,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let mut ids = std::mem::take(&mut worker.new);
        let mut rewritten = std::mem::take(&mut worker.rewritten);
        ids.clear();
        let result = if !raw_words.rewrite(word, &mut rewritten) {
            self.through_stages(word, worker, &mut ids)
        } else if rewritten.is_empty() {
            Ok(())
        } else {
            self.model.encode_word(&rewritten, worker, &mut ids)
        };
        if result.is_ok() {
            worker.cache.put(unit, &ids);
            out.tokens(&ids);
        }
        (worker.new, worker.rewritten) = (ids, rewritten);
        result
    }

    /// The tokens of a raw word as if it were a text.
    fn through_stages(&self, text: &str, worker: &mut Worker, ids: &mut Vec<u32>) -> Result<()> {
        let stop = worker.stop.clone();
        let stop = stop.flag();
        let stretch = self.normalizer.normalize(text, 0..text.len(), false, false, stop)?;
        let words = self.pre_tokenizer.words(stretch, text, false, false, stop)?;
        words.each(|word| self.model.encode_word(&words.stretch.text[word], worker, ids))
    }
}
