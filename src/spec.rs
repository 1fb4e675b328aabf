//! The part of a tokenizer's description that the core runs, read from the JSON of `spec.py`.
//!
//! A component that has no engine yet is an error that names it, so that nothing is ever run as
//! something else.

use serde_json::Value;

use crate::error::{Error, Result};

/// The configuration: the JSON of a `TokenizerSpec`, its tables left out, and the regexes that have
/// a scanner (`patterns.SCANNED`).
pub struct Config {
    root: Value,
    scanned: Value,
}

impl Config {
    /// Reads `{"spec": …, "scanned": {regex: name}}`.
    pub fn parse(json: &[u8]) -> Result<Self> {
        let mut whole: Value = serde_json::from_slice(json)
            .map_err(|error| Error::Option(format!("the spec is not JSON: {error}")))?;
        Ok(Self { root: whole["spec"].take(), scanned: whole["scanned"].take() })
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

/// The error for a component that this engine does not run.
pub fn not_run(stage: &str, component: &Value) -> Error {
    Error::Option(format!(
        "the {stage} {} is described but not run by this version of kugiri; \
         use a tokenizer without it, or a newer kugiri",
        kind(component)
    ))
}
