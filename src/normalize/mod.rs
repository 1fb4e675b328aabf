//! Normalizing: spell what means the same in the same way, before it is cut.
//!
//! Rule.    Each step rewrites the text of the step before.
//! Cost.    That of its steps; none without a normalizer.

mod charsmap;
mod sentencepiece;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::alignment::Aligned;
use crate::collections::trie::Trie;
use crate::error::Result;
use crate::spec::{Config, kind, not_run};
use crate::vocab::Vocab;
pub use sentencepiece::{SPACE, SentencePiece};

/// All steps, in order.
pub struct Normalizer {
    steps: Vec<Step>,
}

enum Step {
    SentencePiece(Box<SentencePiece>),
}

impl Normalizer {
    /// Builds the steps of a spec.
    pub fn new(config: &Config, vocab: &Vocab) -> Result<Self> {
        let mut normalizer = Self { steps: Vec::new() };
        normalizer.add(config.part("normalizer"), vocab)?;
        Ok(normalizer)
    }

    fn add(&mut self, component: &Value, vocab: &Vocab) -> Result<()> {
        match kind(component) {
            "" => {}
            "Sequence" => {
                for inner in component["normalizers"].as_array().into_iter().flatten() {
                    self.add(inner, vocab)?;
                }
            }
            "SentencePiece" => {
                let step = SentencePiece::new(component, Trie::new(vocab.user_defined()))?;
                self.steps.push(Step::SentencePiece(Box::new(step)));
            }
            _ => return Err(not_run("normalizer", component)),
        }
        Ok(())
    }

    /// Rewrites a stretch of a text; `places` says whether anybody will ask where it came from, and
    /// `stop` ends a long call.
    #[inline]
    pub fn normalize<'a>(
        &self,
        text: &'a str,
        range: Range<usize>,
        places: bool,
        stop: Option<&AtomicBool>,
    ) -> Result<Aligned<'a>> {
        let _ = stop;
        let mut aligned = Aligned::of(text, range);
        for step in &self.steps {
            aligned = match step {
                Step::SentencePiece(step) => step.normalize(&aligned, text, places),
            };
        }
        Ok(aligned)
    }
}
