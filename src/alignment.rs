//! Text that remembers where it came from.
//!
//! Rule.    Each byte stands for bytes of the original text. What changes a text says what each new
//!          character stands for: one that is as it was gives each of its bytes its own place, any
//!          other its whole span; one that was put in stands for no bytes.
//! Cost.    Nothing where nothing was changed, or where nobody asks for places.

use std::borrow::Cow;
use std::ops::Range;

/// A stretch of text with the bytes of the original behind it.
pub struct Aligned<'a> {
    /// The stretch.
    pub text: Cow<'a, str>,
    places: Places,
    /// Where the stretch ends in the original, with what was dropped behind it.
    end: usize,
}

enum Places {
    /// Nothing was changed: the stretch is the original from this byte on.
    Same(usize),
    /// The bytes of the original behind each byte.
    Each(Vec<(usize, usize)>),
    /// The text was changed, and nobody asked.
    Untold,
}

impl<'a> Aligned<'a> {
    /// A stretch of the original itself.
    pub fn of(original: &'a str, range: Range<usize>) -> Self {
        let places = Places::Same(range.start);
        Self { end: range.end, text: Cow::Borrowed(&original[range]), places }
    }

    /// The bytes of the original that a part of the stretch stands for.
    pub fn span(&self, part: Range<usize>) -> (usize, usize) {
        if part.is_empty() {
            let at = self.start(part.start);
            return (at, at);
        }
        let end = match &self.places {
            Places::Same(start) => start + part.end,
            Places::Each(places) => places[part.end - 1].1,
            Places::Untold => 0,
        };
        (self.start(part.start), end)
    }

    /// Where a byte of the stretch begins in the original.
    fn start(&self, at: usize) -> usize {
        match &self.places {
            Places::Same(start) => start + at,
            Places::Each(places) => places.get(at).map_or(self.end, |place| place.0),
            Places::Untold => 0,
        }
    }

    /// Where the stretch ends in the original.
    pub fn end(&self) -> usize {
        self.end
    }
}

/// A new text in the making, from an old one.
pub struct Rewriting<'a, 'b> {
    old: &'b Aligned<'a>,
    original: &'a str,
    text: String,
    places: Option<Vec<(usize, usize)>>,
}

impl<'a, 'b> Rewriting<'a, 'b> {
    /// Begins with nothing; `places` says whether anybody will ask for them.
    pub fn of(old: &'b Aligned<'a>, original: &'a str, places: bool) -> Self {
        let text = String::with_capacity(old.text.len() + old.text.len() / 2 + 8);
        Self { old, original, text, places: places.then(Vec::new) }
    }

    /// What there is so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a text that stands for some bytes of the old one.
    #[inline]
    pub fn push(&mut self, text: &str, from: Range<usize>) {
        self.text.push_str(text);
        let Some(places) = &mut self.places else { return };
        let (start, end) = self.old.span(from);
        for character in text.split_inclusive(|_| true) {
            let as_it_was = self.original.as_bytes()[start..end] == *character.as_bytes();
            places.extend((0..character.len()).map(|byte| {
                if as_it_was { (start + byte, start + byte + 1) } else { (start, end) }
            }));
        }
    }

    /// Adds all of the old text.
    pub fn push_old(&mut self) {
        let old = self.old;
        self.text.push_str(&old.text);
        if let Some(places) = &mut self.places {
            places.extend((0..old.text.len()).map(|byte| old.span(byte..byte + 1)));
        }
    }

    /// Adds a text that stands for nothing, at a byte of the original.
    pub fn insert(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        if let Some(places) = &mut self.places {
            places.resize(self.text.len(), (at, at));
        }
    }

    /// Takes the end back, from a byte of the new text on, and gives where that began in the old.
    pub fn truncate(&mut self, length: usize) -> usize {
        self.text.truncate(length);
        let Some(places) = &mut self.places else { return 0 };
        let start = places[length].0;
        places.truncate(length);
        start
    }

    /// The new text; it ends where the old one does, or where something was taken back.
    pub fn finish(self, end: Option<usize>) -> Aligned<'static> {
        Aligned {
            text: Cow::Owned(self.text),
            end: end.unwrap_or(self.old.end),
            places: self.places.map_or(Places::Untold, Places::Each),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aligned, Rewriting};

    #[test]
    fn places_follow_what_was_changed() {
        let original = "ab株c";
        let old = Aligned::of(original, 1..6);
        assert_eq!((old.span(0..4), old.span(2..2), old.end()), ((1, 5), (3, 3), 6));
        let mut new = Rewriting::of(&old, original, true);
        new.push("▁", 0..0);
        new.push("b", 0..1);
        new.push("(株)", 1..4);
        new.push(" ", 4..5);
        let end = new.truncate(9);
        let new = new.finish(Some(end));
        assert_eq!(new.text, "▁b(株)");
        assert_eq!((new.span(0..3), new.span(0..4), new.span(4..5)), ((1, 1), (1, 2), (2, 5)));
        assert_eq!((new.span(5..6), new.end()), ((2, 3), 5));
    }
}
