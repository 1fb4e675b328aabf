//! Blocks: one text cut so that each part can be encoded for itself, on a thread of its own.
//!
//! Rule.    A text is cut between two characters only where every stage gives for the two sides,
//!          each by itself, what it gives for the whole: no added token touches the place, the
//!          normalizer keeps both sides apart, and either a word begins there whatever stands around
//!          or no token of the model can hold both characters. Each stage answers for itself
//!          (`across`), by what stands left and right alone; where one cannot, there is no cut.
//!          Left must be a letter or a number, right one of `RIGHT`: those that end words and
//!          sentences in every script, so that Japanese is cut as often as English.
//! Cost.    A search for one of a few characters; a pair is asked about once.

use std::collections::HashMap;
use std::ops::Range;

use crate::encoding::Sink;
use crate::error::Result;
use crate::pipeline::Pipeline;
use crate::pre_tokenize::Start;
use crate::special_tokens::Special;
use crate::unicode::{ClassTable, class};
use crate::worker::Worker;

/// What may stand right of a cut. All begin a grapheme cluster, and no normal form joins one with
/// what stands before it.
const RIGHT: [char; 16] =
    [' ', '\n', '\r', '\t', ',', '.', ')', ':', ';', '、', '。', '」', '，', '．', '\u{3000}', '!'];
/// How many bytes a block has at least: enough that threads have little to say to each other.
pub const BLOCK: usize = 64 << 10;

/// What is put before and behind the tokens of a text.
#[derive(Default)]
pub struct Frame {
    /// Before the first block.
    pub before: Vec<u32>,
    /// Behind the last.
    pub behind: Vec<u32>,
}

/// Finds the places where a text may be cut.
#[derive(Default)]
pub struct Cutter {
    known: HashMap<(char, char), bool>,
}

impl Pipeline {
    /// What is put around the tokens of a text; None where they are not simply put there in order.
    pub fn frame(&self, special: Special) -> Result<Option<Frame>> {
        let (mut ids, mut texts) = (Vec::new(), Vec::new());
        self.around(1, special, &mut ids, |_, ids: &mut Vec<u32>| {
            texts.push(ids.len());
            Ok(())
        })?;
        let &[place] = &texts[..] else { return Ok(None) };
        let behind = ids.split_off(place);
        Ok((!special.reverse).then_some(Frame { before: ids, behind }))
    }

    /// The tokens of one block, without what is put around the text; `continues` says that the text
    /// has begun before.
    pub fn encode_block<S: Sink>(
        &self,
        block: &str,
        continues: bool,
        special: Special,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        self.encode_text(block, Special { continues, ..special }, worker, out)
    }

    /// Whether blocks wait for each other: what is carried on is that of the word before.
    pub fn carries(&self) -> bool {
        self.model.carries() && !self.pre_tokenizer.cuts()
    }

    /// Whether all stages treat what is left of a place and what is right of it as if the other
    /// were not there, if these two characters stand beside it.
    fn may_part(&self, left: char, right: char) -> bool {
        if self.added_tokens.touch(left, right) {
            return false;
        }
        let Some(pair) = self.normalizer.across((left, right)) else { return false };
        if self.added_tokens.touch(pair.0, pair.1) {
            return false;
        }
        match self.pre_tokenizer.across(pair) {
            Start::Word => true,
            // The sum of the scores of a word is carried on only where the text is one word.
            Start::Within(_) if self.model.carries() && self.pre_tokenizer.cuts() => false,
            Start::Within((left, right)) => self.model.may_part(left, right),
            Start::Unknown => false,
        }
    }
}

impl Cutter {
    /// The first place behind `from` where the text may be cut.
    pub fn next(&mut self, pipeline: &Pipeline, text: &str, from: usize) -> Option<usize> {
        let mut from = from;
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let mut left = text[..from].chars().next_back();
        for (at, right) in text[from..].char_indices() {
            if let Some(left) = left.filter(|_| RIGHT.contains(&right)) {
                let table = ClassTable::get();
                if table.of(left as u32) & (class::LETTER | class::NUMBER) != 0 {
                    let known = self.known.entry((left, right));
                    if *known.or_insert_with(|| pipeline.may_part(left, right)) {
                        return Some(from + at);
                    }
                }
            }
            left = Some(right);
        }
        None
    }

    /// Cuts a text into blocks of `size` bytes or a little more; the last has what is left.
    pub fn blocks(&mut self, pipeline: &Pipeline, text: &str, size: usize) -> Vec<Range<usize>> {
        let (mut blocks, mut start) = (Vec::new(), 0);
        while text.len() - start > size {
            let Some(end) = self.next(pipeline, text, start + size.max(1)) else { break };
            blocks.push(start..end);
            start = end;
        }
        blocks.push(start..text.len());
        blocks
    }
}
