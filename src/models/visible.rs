//! Where the bytes of a word stand once they are shown as visible characters.
//!
//! Rule.    Each byte of a word becomes its visible character, of one or two bytes.
//! Cost.    Linear.

use std::ops::Range;

use crate::vocab::visible_of_byte;

/// Where each byte of the shown word stands in the word.
pub struct Places {
    bytes: Vec<usize>,
    end: usize,
}

impl Places {
    /// Those of a word.
    pub fn of(word: &[u8]) -> Self {
        let shown =
            |(at, &byte): (usize, &u8)| std::iter::repeat_n(at, visible_of_byte(byte).len_utf8());
        Self { bytes: word.iter().enumerate().flat_map(shown).collect(), end: word.len() }
    }

    /// Those of a word that is shown as it is.
    pub fn same(word: &[u8]) -> Self {
        Self { bytes: (0..word.len()).collect(), end: word.len() }
    }

    fn start(&self, shown: usize) -> usize {
        self.bytes.get(shown).copied().unwrap_or(self.end)
    }

    /// The bytes of the word behind those of the shown one; what lies beyond it is its end.
    pub fn range(&self, shown: Range<usize>) -> Range<usize> {
        let start = self.start(shown.start);
        let last = shown.end.checked_sub(1).filter(|_| !shown.is_empty());
        let end = last.map_or(start, |last| self.bytes.get(last).map_or(self.end, |at| at + 1));
        start..end
    }
}
