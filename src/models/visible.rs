//! Words whose bytes a model sees as visible characters: ByteLevel before a model that is no BPE.
//!
//! Rule.    Each byte of a word becomes its visible character; what the model says of the bytes of
//!          these becomes what it says of the bytes of the word.
//! Cost.    Linear. BPE has bytes in its own tables instead (first_symbols.rs).

use std::ops::Range;

use crate::encoding::Sink;
use crate::error::Error;
use crate::vocab::visible_of_byte;

/// The word as the model sees it.
pub fn show(word: &str) -> String {
    word.bytes().map(visible_of_byte).collect()
}

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

/// An error with the place in the word itself.
pub fn hide(error: Error, word: &str) -> Error {
    match error {
        Error::Unknown(part, at) => Error::Unknown(part, Places::of(word.as_bytes()).start(at)),
        other => other,
    }
}

/// Takes tokens of the shown word, and hands them on as tokens of the word.
pub struct Hiding<'a, S> {
    /// None where nobody asks.
    places: Option<Places>,
    /// Where the next token begins in the shown word.
    at: usize,
    out: &'a mut S,
}

impl<'a, S: Sink> Hiding<'a, S> {
    /// Begins a word.
    pub fn of(word: &str, out: &'a mut S) -> Self {
        let places = S::PLACES.then(|| Places::of(word.as_bytes()));
        Self { places, at: 0, out }
    }
}

impl<S: Sink> Sink for Hiding<'_, S> {
    const PLACES: bool = S::PLACES;

    fn token(&mut self, id: u32, bytes: usize) {
        self.within(id, bytes);
        self.at += bytes;
    }

    fn within(&mut self, id: u32, bytes: usize) {
        match &self.places {
            Some(places) => self.out.placed(id, places.range(self.at..self.at + bytes)),
            None => self.out.token(id, 0),
        }
    }

    fn so_far(&self) -> usize {
        self.out.so_far()
    }

    fn reverse(&mut self, from: usize) {
        self.out.reverse(from);
    }
}
