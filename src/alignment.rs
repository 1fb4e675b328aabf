//! Text that remembers where it came from.
//!
//! Rule.    Each byte stands for bytes of the original text. What changes a text says what each new
//!          character stands for: one that is as it was gives each of its bytes its own place, any
//!          other its whole span; one that was put in stands for no bytes. Beside it goes what
//!          tokenizers names for the byte, which is never nothing: for a character that composes
//!          several, the first of them; for one that was put in, its neighbour.
//! Cost.    Nothing where nothing was changed, or where nobody asks for places.
//! Source.  tokenizers 0.23.3 for what it names; SentencePiece's spans follow from where characters
//!          begin (`encoding.rs`).

use std::borrow::Cow;
use std::ops::Range;

/// Where something starts and ends in the original text.
pub type Span = (usize, usize);

/// A stretch of text with the bytes of the original behind it.
pub struct Aligned<'a> {
    /// The stretch.
    pub text: Cow<'a, str>,
    places: Places,
    /// Where the stretch starts in the original, with what was dropped before it.
    start: usize,
    /// Where the stretch ends in the original, with what was dropped behind it.
    end: usize,
}

enum Places {
    /// Nothing was changed: the stretch is the original.
    Same,
    /// That of each byte.
    Each(Vec<Place>),
    /// The text was changed, and nobody asked.
    Untold,
}

/// The place of one byte.
#[derive(Clone, Copy)]
struct Place {
    /// The bytes of the original behind it.
    own: Span,
    /// Those that tokenizers names for it.
    named: Span,
}

impl<'a> Aligned<'a> {
    /// A stretch of the original itself.
    pub fn of(original: &'a str, range: Range<usize>) -> Self {
        let Range { start, end } = range;
        Self { text: Cow::Borrowed(&original[range]), places: Places::Same, start, end }
    }

    /// A part of the stretch, as a stretch of its own.
    pub fn part(&self, part: Range<usize>) -> Aligned<'_> {
        let (start, end) = if part == (0..self.text.len()) {
            (self.start, self.end)
        } else {
            (self.begin(part.start), self.begin(part.end))
        };
        let places = match &self.places {
            Places::Same => Places::Same,
            Places::Each(places) => Places::Each(places[part.clone()].to_vec()),
            Places::Untold => Places::Untold,
        };
        Aligned { text: Cow::Borrowed(&self.text[part]), places, start, end }
    }

    /// The stretch by itself.
    pub fn into_owned(self) -> Aligned<'static> {
        let Self { text, places, start, end } = self;
        Aligned { text: Cow::Owned(text.into_owned()), places, start, end }
    }

    /// The bytes of the original that a part of the stretch stands for.
    pub fn span(&self, part: Range<usize>) -> Span {
        if part.is_empty() {
            let at = self.begin(part.start);
            return (at, at);
        }
        match &self.places {
            Places::Same => (self.start + part.start, self.start + part.end),
            // Marks that were put in order may stand before what they stood behind.
            Places::Each(places) => places[part].iter().fold((usize::MAX, 0), |span, place| {
                (span.0.min(place.own.0), span.1.max(place.own.1))
            }),
            Places::Untold => (0, 0),
        }
    }

    /// The bytes of the original that tokenizers names for a part of the stretch.
    pub fn named(&self, part: Range<usize>) -> Span {
        match &self.places {
            Places::Each(places) if !part.is_empty() => {
                (places[part.start].named.0, places[part.end - 1].named.1)
            }
            _ => self.span(part),
        }
    }

    /// Where a byte of the stretch begins in the original.
    fn begin(&self, at: usize) -> usize {
        match &self.places {
            Places::Same => self.start + at,
            Places::Each(places) => places.get(at).map_or(self.end, |place| place.own.0),
            Places::Untold => 0,
        }
    }

    /// Where the stretch ends in the original.
    pub fn end(&self) -> usize {
        self.end
    }

    /// What tokenizers names for something that stands behind what comes before this byte.
    fn named_before(&self, at: usize) -> Span {
        match self.text[..at].chars().next_back() {
            Some(before) => self.named(at - before.len_utf8()..at),
            None => (self.start, self.start),
        }
    }
}

/// A new text in the making, from an old one.
pub struct Rewriting<'a, 'b> {
    old: &'b Aligned<'a>,
    original: &'a str,
    text: String,
    places: Option<Vec<Place>>,
}

impl<'a, 'b> Rewriting<'a, 'b> {
    /// Begins with nothing; `places` says whether anybody will ask for them.
    pub fn of(old: &'b Aligned<'a>, original: &'a str, places: bool) -> Self {
        let text = String::with_capacity(old.text.len() + old.text.len() / 2 + 8);
        Self { old, original, text, places: places.then(Vec::new) }
    }

    /// The text that is rewritten.
    pub fn old(&self) -> &'b str {
        &self.old.text
    }

    /// What there is so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a text that stands for some bytes of the old one.
    #[inline]
    pub fn push(&mut self, text: &str, from: Range<usize>) {
        self.push_named(text, from.clone(), from);
    }

    /// Adds a text that stands for some bytes of the old one, and for which tokenizers names others.
    #[inline]
    pub fn push_named(&mut self, text: &str, from: Range<usize>, named: Range<usize>) {
        if self.places.is_some() {
            self.place(text, self.old.span(from), self.old.named(named));
        }
        self.text.push_str(text);
    }

    /// Adds a part of the old text as it is.
    #[inline]
    pub fn keep(&mut self, part: Range<usize>) {
        let old = self.old;
        self.text.push_str(&old.text[part.clone()]);
        let Some(places) = &mut self.places else { return };
        match &old.places {
            Places::Each(old) => places.extend_from_slice(&old[part]),
            _ => places.extend(part.map(|byte| {
                let own = old.span(byte..byte + 1);
                Place { own, named: own }
            })),
        }
    }

    /// Adds a text in place of some bytes of the old one, or of none; tokenizers names the last
    /// character of those, or the one before the place.
    pub fn replace(&mut self, from: Range<usize>, text: &str) {
        let end = from.end;
        self.push_behind(text, from, end);
    }

    /// Adds a text that stands for some bytes of the old one, and for which tokenizers names the
    /// character before a place; where there is none, the place itself.
    pub fn push_behind(&mut self, text: &str, from: Range<usize>, at: usize) {
        if self.places.is_some() {
            self.place(text, self.old.span(from), self.old.named_before(at));
        }
        self.text.push_str(text);
    }

    /// Adds a text that is put in before a character of the old one, which tokenizers names for it.
    pub fn prepend(&mut self, text: &str, at: usize) {
        let length = self.old.text[at..].chars().next().map_or(0, char::len_utf8);
        self.push_named(text, at..at, at..at + length);
    }

    /// Adds a text that stands for nothing, at a byte of the original.
    pub fn insert(&mut self, text: &str, at: usize) {
        self.place(text, (at, at), (at, at));
        self.text.push_str(text);
    }

    /// Says what the characters of a text stand for.
    fn place(&mut self, text: &str, own: Span, named: Span) {
        let Some(places) = &mut self.places else { return };
        for character in text.split_inclusive(|_| true) {
            let as_it_was = self.original.as_bytes()[own.0..own.1] == *character.as_bytes();
            places.extend((0..character.len()).map(|byte| {
                let one = (own.0 + byte, own.0 + byte + 1);
                Place { own: if as_it_was { one } else { own }, named }
            }));
        }
    }

    /// Takes the end back, from a byte of the new text on, and gives where that began in the old.
    pub fn truncate(&mut self, length: usize) -> usize {
        self.text.truncate(length);
        let Some(places) = &mut self.places else { return 0 };
        let start = places[length].own.0;
        places.truncate(length);
        start
    }

    /// The new text; it ends where the old one does, or where something was taken back.
    pub fn finish(self, end: Option<usize>) -> Aligned<'static> {
        Aligned {
            text: Cow::Owned(self.text),
            start: self.old.start,
            end: end.unwrap_or(self.old.end),
            places: self.places.map_or(Places::Untold, Places::Each),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aligned, Rewriting};
    use std::ops::Range;

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

    #[test]
    fn what_tokenizers_names_is_kept_beside() {
        let original = "xe\u{301} y";
        let old = Aligned::of(original, 1..6);
        let mut new = Rewriting::of(&old, original, true);
        new.replace(0..0, "^");
        new.prepend("▁", 0);
        new.push_named("é", 0..3, 0..1);
        new.replace(3..4, "__");
        new.keep(4..5);
        let new = new.finish(None);
        assert_eq!(new.text, "^▁é__y");
        let both = |part: Range<usize>| (new.span(part.clone()), new.named(part));
        assert_eq!(both(0..1), ((1, 1), (1, 1)));
        assert_eq!(both(1..4), ((1, 1), (1, 2)));
        assert_eq!(both(4..6), ((1, 4), (1, 2)));
        assert_eq!(both(6..8), ((4, 5), (4, 5)));
        assert_eq!(both(6..9), ((4, 6), (4, 6)));
    }
}
