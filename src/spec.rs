//! The part of a tokenizer's description that the core runs, read from the JSON of `spec.py`.
//!
//! A component that has no engine yet is an error that names it, so that nothing is ever run as
//! something else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::pre_tokenize::Open;

/// The configuration: the JSON of a `TokenizerSpec`, its tables left out, and the regexes that have
/// a scanner (`patterns.SCANNED`).
pub struct Config {
    root: Value,
    scanned: Value,
    /// How dictionaries are opened, if there is who brings them.
    pub open: Option<Open>,
}

impl Config {
    /// Reads `{"spec": …, "scanned": {regex: name}}`.
    pub fn parse(json: &[u8]) -> Result<Self> {
        let mut whole: Value = serde_json::from_slice(json)
            .map_err(|error| Error::Option(format!("the spec is not JSON: {error}")))?;
        Ok(Self { root: whole["spec"].take(), scanned: whole["scanned"].take(), open: None })
    }

    /// The same with a way to open dictionaries.
    #[must_use]
    pub fn opening(self, open: Open) -> Self {
        Self { open: Some(open), ..self }
    }

    /// One part of the spec.
    pub fn part(&self, name: &str) -> &Value {
        &self.root[name]
    }

    /// The name of the scanner for a regex, if there is one.
    pub fn scanner_name(&self, regex: &str) -> Option<&str> {
        self.scanned[regex].as_str()
    }
}

/// The "type" of a component; "" for null.
pub fn kind(component: &Value) -> &str {
    component["type"].as_str().unwrap_or("")
}

/// A flag of a component; absent is false.
pub fn flag(component: &Value, name: &str) -> bool {
    component[name].as_bool().unwrap_or(false)
}

/// A string of a component; absent is none.
pub fn text<'a>(component: &'a Value, name: &str) -> &'a str {
    component[name].as_str().unwrap_or("")
}

/// Bytes of a component, which JSON holds in base64; absent is none.
pub fn blob(component: &Value, name: &str) -> Result<Vec<u8>> {
    STANDARD
        .decode(component[name].as_str().unwrap_or(""))
        .map_err(|error| Error::Option(format!("the {name} of the spec is not base64: {error}")))
}

/// The columns of a spec that go by token or by merge.
#[derive(Default)]
pub struct Tables {
    /// Ids of left, right and result; a merge's rank is its row.
    pub merges: Vec<(u32, u32, u32)>,
    /// A score for each token.
    pub scores: Option<Scores>,
}

/// Scores; their type says how their sums are rounded.
pub enum Scores {
    /// As in SentencePiece.
    Single(Vec<f32>),
    /// As in tokenizers.
    Double(Vec<f64>),
}

/// The error for a component that this engine does not run.
pub fn not_run(stage: &str, component: &Value) -> Error {
    Error::Option(format!(
        "the {stage} {} is described but not run by this version of kugiri; \
         use a tokenizer without it, or a newer kugiri",
        kind(component)
    ))
}
