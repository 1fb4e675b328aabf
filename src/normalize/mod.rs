//! Normalizing: spell what means the same in the same way, before it is cut.
//!
//! Rule.    Each step rewrites the text of the step before.
//! Cost.    That of its steps; none without a normalizer.

mod across;
mod alone;
mod changes;
mod characters;
mod charsmap;
mod normal_forms;
mod sentencepiece;
mod strings;
mod tables;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::alignment::Aligned;
use crate::error::Result;
use crate::spec::{Config, flag, kind, not_run, text};
use crate::vocab::Vocab;
pub use alone::Alone;
use characters::{Bert, Way};
use normal_forms::{Form, NormalForms};
pub use sentencepiece::{SPACE, SentencePiece};
use strings::{Precompiled, Replace, prepend, strip};
use tables::Tables;

/// The `unicode_version` of a spec whose normalizers follow the newest tables.
const NEWEST: &str = "17.0";

/// All steps, in order.
pub struct Normalizer {
    steps: Vec<Step>,
    tables: Tables,
}

enum Step {
    SentencePiece(Box<SentencePiece>),
    Form(Form),
    Lowercase,
    StripAccents,
    Nmt,
    ByteLevel,
    Bert(Bert),
    Strip { left: bool, right: bool },
    Prepend(String),
    Replace(Replace),
    Precompiled(Precompiled),
}

impl Normalizer {
    /// Builds the steps of a spec.
    pub fn new(config: &Config, vocab: &Vocab) -> Result<Self> {
        let version = config.part("unicode_version").as_str();
        let tables = if version == Some(NEWEST) { Tables::Newest } else { Tables::Frozen };
        let mut normalizer = Self { steps: Vec::new(), tables };
        normalizer.add(config.part("normalizer"), vocab)?;
        Ok(normalizer)
    }

    fn add(&mut self, component: &Value, vocab: &Vocab) -> Result<()> {
        let step = match kind(component) {
            "" => return Ok(()),
            "Sequence" => {
                let inner = component["normalizers"].as_array();
                return inner.into_iter().flatten().try_for_each(|inner| self.add(inner, vocab));
            }
            "SentencePiece" => {
                Step::SentencePiece(Box::new(SentencePiece::new(component, vocab.user_defined())?))
            }
            "NFC" => Step::Form(Form::Nfc),
            "NFD" => Step::Form(Form::Nfd),
            "NFKC" => Step::Form(Form::Nfkc),
            "NFKD" => Step::Form(Form::Nfkd),
            "Lowercase" => Step::Lowercase,
            "StripAccents" => Step::StripAccents,
            "Nmt" => Step::Nmt,
            "ByteLevel" => Step::ByteLevel,
            "BertNormalizer" => Step::Bert(Bert::new(component)),
            "Strip" => Step::Strip {
                left: flag(component, "strip_left"),
                right: flag(component, "strip_right"),
            },
            "Prepend" => Step::Prepend(text(component, "prepend").into()),
            "Replace" => Step::Replace(Replace::new(component)?),
            "Precompiled" => Step::Precompiled(Precompiled::new(component)?),
            _ => return Err(not_run("normalizer", component)),
        };
        self.steps.push(step);
        Ok(())
    }

    /// Whether it is SentencePiece's alone, and shows every space as ▁.
    pub fn only_shows_spaces(&self) -> bool {
        matches!(&self.steps[..], [Step::SentencePiece(only)] if only.shows_spaces())
    }

    /// As `normalize`, for one that only shows spaces: these stay what they are, and nobody will ask
    /// for places.
    #[inline]
    pub fn keep_spaces<'a>(
        &self,
        text: &'a str,
        range: Range<usize>,
        continues: bool,
    ) -> Aligned<'a> {
        let [Step::SentencePiece(only)] = &self.steps[..] else { unreachable!("asked before") };
        only.rewrite(&Aligned::of(text, range), text, continues, false, " ")
    }

    /// Rewrites a stretch of a text; `continues` says that it has begun in a block before, `places`
    /// whether anybody will ask where it came from, and `stop` ends a long call.
    #[inline]
    pub fn normalize<'a>(
        &self,
        text: &'a str,
        range: Range<usize>,
        continues: bool,
        places: bool,
        stop: Option<&AtomicBool>,
    ) -> Result<Aligned<'a>> {
        let way = Way { original: text, places, tables: self.tables };
        let mut aligned = Aligned::of(text, range);
        for step in &self.steps {
            aligned = match step {
                Step::SentencePiece(inner) => inner.normalize(&aligned, text, continues, places),
                Step::Form(form) => {
                    NormalForms::of(self.tables).rewrite(*form, aligned, text, places)
                }
                Step::Lowercase => way.lowercase(aligned),
                Step::StripAccents => way.strip_accents(aligned),
                Step::Nmt => way.nmt(aligned),
                Step::ByteLevel => way.byte_level(aligned),
                Step::Bert(bert) => bert.rewrite(aligned, way),
                Step::Strip { left, right } => strip(aligned, *left && !continues, *right, way),
                Step::Prepend(_) if continues => aligned,
                Step::Prepend(string) => prepend(aligned, string, way),
                Step::Replace(replace) => replace.rewrite(aligned, stop, way)?,
                Step::Precompiled(charsmap) => charsmap.rewrite(aligned, way),
            };
        }
        Ok(aligned)
    }
}
