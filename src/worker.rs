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
    /// The tokens of one word, while they are found: id and bytes.
    pub taken: Vec<(u32, u32)>,
    /// The ids of a word that was not met before.
    pub new: Vec<u32>,
    /// Words that were met before.
    pub cache: WordCache,
    /// Set by another thread to end a long call.
    pub stop: Stop,
}

/// What a worker may keep, in entries, when it is given back: more than usual texts need.
const KEPT: usize = 1 << 20;

impl Worker {
    /// Gives back what one very long text has taken.
    pub fn trim(&mut self) {
        self.stop = Stop::default();
        if self.symbols.capacity() > KEPT {
            self.symbols = Symbols::default();
        }
        if self.ends.capacity() > KEPT {
            self.ends = Vec::new();
        }
        if self.taken.capacity() > KEPT {
            self.taken = Vec::new();
        }
    }
}

/// A flag that another thread sets; none where nobody will.
#[derive(Clone, Default)]
pub struct Stop(pub Option<Arc<AtomicBool>>);

impl Stop {
    /// The flag itself.
    pub fn flag(&self) -> Option<&AtomicBool> {
        self.0.as_deref()
    }

    /// Whether the call is to go on.
    #[inline]
    pub fn check(&self) -> Result<()> {
        match &self.0 {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}
