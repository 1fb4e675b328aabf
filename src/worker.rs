//! What one thread needs from text to text; a tokenizer itself never changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::collections::word_cache::WordCache;
use crate::error::{Error, Result};
use crate::models::merging::Symbols;

/// Memory that is used again for each text, and the flag that ends a call.
#[derive(Default)]
pub struct Worker {
    /// The symbols of one word, while they are merged.
    pub symbols: Symbols,
    /// Where the pieces of one text end.
    pub ends: Vec<usize>,
    /// The ids of a word that was not met before.
    pub new: Vec<u32>,
    /// Words that were met before.
    pub cache: WordCache,
    /// Set by another thread to end a long call.
    pub stop: Stop,
}

/// A flag that another thread sets; none where nobody will.
#[derive(Clone, Default)]
pub struct Stop(pub Option<Arc<AtomicBool>>);

impl Stop {
    /// Whether the call is to go on.
    #[inline]
    pub fn check(&self) -> Result<()> {
        match &self.0 {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}
