//! Normalizers that look at one character at a time.
//!
//! Rule.    Lowercase, StripAccents and Nmt rewrite the characters of their kind. BertNormalizer does
//!          so in turn, as far as it is asked to: it cleans, puts spaces around ideographs, takes
//!          accents out, and puts in lower case. ByteLevel shows each byte as its visible character.
//! Cost.    A look-up a character; nothing is copied where no character changes.
//! Source.  tokenizers 0.23.3; `tables.rs` has the kinds of characters.

use std::ops::Range;

use serde_json::Value;

use super::normal_forms::{Form, NormalForms};
use super::tables::{NMT_SPACES, Tables, kind, lower_case};
use crate::alignment::{Aligned, Rewriting};
use crate::spec::flag;
use crate::vocab::{is_printable, visible_of_byte};

/// How one text is rewritten.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    /// The text that all places are about.
    pub original: &'a str,
    /// Whether anybody will ask for places.
    pub places: bool,
    /// Which tables are followed.
    pub tables: Tables,
}

impl<'a> Way<'a> {
    /// Begins a new text.
    pub fn rewriting<'b>(&self, old: &'b Aligned<'a>) -> Rewriting<'a, 'b> {
        Rewriting::of(old, self.original, self.places)
    }

    /// Rewrites the characters of some kinds, and keeps the others.
    fn each(
        &self,
        old: Aligned<'a>,
        kinds: u8,
        change: impl Fn(&mut Rewriting, char, Range<usize>),
    ) -> Aligned<'a> {
        let table = self.tables.kinds();
        let mut new = None;
        let mut done = 0;
        for (at, character) in old.text.char_indices() {
            if table.of(character as u32) & kinds != 0 {
                let new = new.get_or_insert_with(|| self.rewriting(&old));
                let end = at + character.len_utf8();
                new.keep(done..at);
                change(new, character, at..end);
                done = end;
            }
        }
        let new = new.map(|mut new| {
            new.keep(done..old.text.len());
            new.finish(None)
        });
        new.unwrap_or(old)
    }

    /// Puts every character in lower case, for itself; that of İ is two.
    pub fn lowercase(&self, old: Aligned<'a>) -> Aligned<'a> {
        self.each(old, kind::CASED, |new, character, from| match character {
            'İ' => new.push("i\u{307}", from),
            _ => new.push(lower_case(character).encode_utf8(&mut [0; 4]), from),
        })
    }

    /// Takes marks out.
    pub fn strip_accents(&self, old: Aligned<'a>) -> Aligned<'a> {
        self.each(old, kind::MARK, |_, _, _| {})
    }

    /// Does as the normalizer of Nmt.
    pub fn nmt(&self, old: Aligned<'a>) -> Aligned<'a> {
        self.each(old, kind::NMT, |new, character, from| {
            if NMT_SPACES.contains(character) {
                new.push(" ", from);
            }
        })
    }

    /// Shows each byte as its visible character.
    pub fn byte_level(&self, old: Aligned<'a>) -> Aligned<'a> {
        if old.text.bytes().all(|byte| byte.is_ascii() && is_printable(byte)) {
            return old;
        }
        let mut new = self.rewriting(&old);
        for (at, character) in old.text.char_indices() {
            let named = at..at + character.len_utf8();
            for at in named.clone() {
                let shown = visible_of_byte(old.text.as_bytes()[at]);
                new.push_named(shown.encode_utf8(&mut [0; 4]), at..at + 1, named.clone());
            }
        }
        new.finish(None)
    }
}

/// BertNormalizer, with what is asked of it.
#[allow(clippy::struct_excessive_bools)] // the four options of the file
pub struct Bert {
    pub(super) clean_text: bool,
    /// `handle_chinese_chars`: whether spaces are put around ideographs.
    pub sets_apart: bool,
    pub(super) strip_accents: bool,
    pub(super) lowercase: bool,
}

impl Bert {
    /// Reads the component of a spec; accents are taken out as cases are, unless it says otherwise.
    pub fn new(component: &Value) -> Self {
        let lowercase = flag(component, "lowercase");
        Self {
            clean_text: flag(component, "clean_text"),
            sets_apart: flag(component, "handle_chinese_chars"),
            strip_accents: component["strip_accents"].as_bool().unwrap_or(lowercase),
            lowercase,
        }
    }

    /// Rewrites a text.
    pub fn rewrite<'a>(&self, mut text: Aligned<'a>, way: Way<'a>) -> Aligned<'a> {
        if self.clean_text {
            text = way.each(text, kind::UNCLEAN | kind::SPACE, |new, character, from| {
                if way.tables.kinds().of(character as u32) & kind::UNCLEAN == 0 {
                    new.push(" ", from);
                }
            });
        }
        if self.sets_apart {
            text = way.each(text, kind::IDEOGRAPH, |new, _, from| {
                new.push_named(" ", from.start..from.start, from.clone());
                new.keep(from.clone());
                new.push_named(" ", from.end..from.end, from);
            });
        }
        if self.strip_accents {
            let forms = NormalForms::of(way.tables);
            text = forms.rewrite(Form::Nfd, text, way.original, way.places);
            text = way.each(text, kind::NONSPACING, |_, _, _| {});
        }
        if self.lowercase { way.lowercase(text) } else { text }
    }
}
