//! What one thread needs from text to text; a tokenizer itself never changes.

use crate::collections::long_words::LongWords;
use crate::collections::section_cache::SectionCache;
use crate::collections::word_cache::{Unit, WordCache};
use crate::models::dropout::Dropout;
use crate::models::merging::Symbols;
use crate::models::sections::Sections;
use crate::models::ways::Memory;
use crate::stop::Stop;

/// Memory that is used again for each text, and the flag that ends a call.
#[derive(Default)]
pub struct Worker {
    /// The symbols of one word, while they are merged.
    pub symbols: Symbols,
    /// The ways through a text, and the rows of its pieces.
    pub memory: Memory,
    /// The characters of a text, and its sections.
    pub reading: Sections,
    /// Sections of text that were met before.
    pub sections: SectionCache,
    /// The tokens of one word, while they are found: id and bytes.
    pub taken: Vec<(u32, u32)>,
    /// The ids of a word that was not met before.
    pub new: Vec<u32>,
    /// A raw word, rewritten.
    pub rewritten: String,
    /// Words and sections that are looked for at once.
    pub block: Vec<Unit>,
    /// Words that were met before.
    pub cache: WordCache,
    /// Those that do not fit there.
    pub long_words: LongWords,
    /// How merges or tokens are dropped; none where encoding is as it should be.
    pub dropout: Option<Dropout>,
    /// The sum of the scores of a word so far, if it comes in blocks.
    pub carried: Option<f64>,
    /// Set by another thread to end a long call.
    pub stop: Stop,
}

/// What a worker may keep, in entries, when it is given back: more than usual texts need.
const KEPT: usize = 1 << 20;

impl Worker {
    /// Gives back what one very long text has taken.
    pub fn trim(&mut self) {
        self.stop = Stop::default();
        self.dropout = None;
        self.carried = None;
        if self.symbols.capacity() > KEPT {
            self.symbols = Symbols::default();
        }
        if self.memory.capacity() > KEPT {
            self.memory = Memory::default();
        }
        if self.rewritten.capacity() > KEPT {
            self.rewritten = String::new();
        }
        if self.reading.characters.capacity() > KEPT {
            self.reading = Sections::default();
        }
        if self.taken.capacity() > KEPT {
            self.taken = Vec::new();
        }
        if self.new.capacity() > KEPT {
            self.new = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Worker};

    #[test]
    fn what_a_long_text_took_is_given_back() {
        let mut worker = Worker::default();
        worker.new.reserve(KEPT + 1);
        worker.taken.reserve(KEPT + 1);
        worker.trim();
        assert_eq!((worker.new.capacity(), worker.taken.capacity()), (0, 0));
    }
}
