//! SentencePiece's normalizer: charsmap, white space and dummy prefix in one pass.
//!
//! Rule.    Chunk by chunk: a user-defined symbol stands as it is; else the longest key of the
//!          charsmap is rewritten; else one character is copied. Then spaces: with
//!          `remove_extra_whitespaces` none at the ends and one in a row, with `escape_whitespaces`
//!          shown as ▁, with `add_dummy_prefix` one put before the text (behind it as a suffix).
//! Cost.    Linear. Where nobody asks for places, what nothing changes is copied word by word.
//! Source.  sentencepiece 0.2.3.

use std::collections::HashSet;

use serde_json::Value;

use super::charsmap::Charsmap;
use crate::alignment::{Aligned, Rewriting};
use crate::collections::char_set::CharSet;
use crate::collections::trie::Trie;
use crate::error::Result;
use crate::spec::{blob, flag};

/// How the pieces of a .model show a space.
pub const SPACE: &str = "▁";

/// The normalizer of a .model.
pub struct SentencePiece {
    charsmap: Charsmap,
    /// Strings that stay as they stand, and the characters that are neighbours in one.
    user_defined: Trie,
    neighbours: HashSet<(char, char)>,
    /// Characters at which a chunk can be longer than themselves, or another text.
    begins: CharSet,
    /// Characters that can belong to the chunk of the one before them.
    seconds: CharSet,
    add_dummy_prefix: bool,
    remove_extra_whitespaces: bool,
    space: &'static str,
    space_as_suffix: bool,
}

impl SentencePiece {
    /// Reads the component of a spec, with the user-defined symbols of its vocabulary.
    pub fn new<'a>(
        component: &Value,
        symbols: impl Iterator<Item = (&'a str, u32)>,
    ) -> Result<Self> {
        let mut neighbours = HashSet::new();
        let user_defined = Trie::new(symbols.inspect(|(symbol, _)| {
            neighbours.extend(symbol.chars().zip(symbol.chars().skip(1)));
        }));
        let charsmap = Charsmap::parse(&blob(component, "charsmap")?)?;
        let (mut begins, seconds) = charsmap.notable();
        let of_symbols = ('\0'..='\u{ffff}').filter(|&c| user_defined.begins(c));
        of_symbols.for_each(|character| begins.insert(character));
        Ok(Self {
            charsmap,
            user_defined,
            neighbours,
            begins,
            seconds,
            add_dummy_prefix: flag(component, "add_dummy_prefix"),
            remove_extra_whitespaces: flag(component, "remove_extra_whitespaces"),
            space: if flag(component, "escape_whitespaces") { SPACE } else { " " },
            space_as_suffix: flag(component, "treat_whitespace_as_suffix"),
        })
    }

    /// The chunk of a text at a place: what it is rewritten to, and how many bytes of it.
    #[inline]
    fn chunk<'a>(&'a self, text: &'a str, at: usize) -> (&'a str, usize) {
        if let Some((length, _)) = self.user_defined.longest(&text[at..]) {
            return (&text[at..at + length], length);
        }
        self.charsmap.longest(text, at).unwrap_or_else(|| {
            let length = text[at..].chars().next().map_or(0, char::len_utf8);
            (&text[at..at + length], length)
        })
    }

    /// What stands on the two sides of a place once it is rewritten, as `Normalizer::across` says.
    pub fn across(&self, (left, right): (char, char)) -> Option<(char, char)> {
        let has_suffix = self.add_dummy_prefix && self.space_as_suffix;
        let is_in_symbol =
            self.user_defined.begins(right) || self.neighbours.contains(&(left, right));
        if has_suffix || left == ' ' || is_in_symbol || !self.charsmap.keeps(left, right) {
            return None;
        }
        let shown = if right == ' ' { self.space.chars().next()? } else { right };
        Some((left, shown))
    }

    /// How many bytes from a place on are chunks of one character each, as they are and no space.
    #[inline]
    fn unchanged(&self, text: &str) -> usize {
        let mut last = 0;
        for (at, character) in text.char_indices() {
            if self.seconds.contains(character) {
                return last;
            }
            if character == ' ' || self.begins.contains(character) {
                return at;
            }
            last = at;
        }
        text.len()
    }

    /// Whether the chunk at a place is a space that is there.
    #[inline]
    fn is_space(&self, text: &str, at: usize) -> bool {
        text.as_bytes().get(at) == Some(&b' ')
            && !self.begins.contains(' ')
            && text[at + 1..].chars().next().is_none_or(|next| !self.seconds.contains(next))
    }

    /// Rewrites a text; `continues` says that it has begun in a block before, which does not end in
    /// a space.
    pub fn normalize(
        &self,
        old: &Aligned,
        original: &str,
        continues: bool,
        places: bool,
    ) -> Aligned<'static> {
        let text = &*old.text;
        let mut new = Rewriting::of(old, original, places);
        let mut at = 0;
        while self.remove_extra_whitespaces && !continues && at < text.len() {
            let (chunk, length) = self.chunk(text, at);
            if chunk != " " {
                break;
            }
            at += length;
        }
        if at == text.len() {
            return new.finish(None);
        }
        if self.add_dummy_prefix && !self.space_as_suffix && !continues {
            new.push(self.space, at..at);
        }
        let mut after_space = self.remove_extra_whitespaces && !continues;
        while at < text.len() {
            if !places {
                let start = at;
                at += self.unchanged(&text[at..]);
                new.push(&text[start..at], start..at);
                after_space &= start == at;
                if self.is_space(text, at) {
                    if !after_space {
                        new.push(self.space, at..at + 1);
                    }
                    after_space = self.remove_extra_whitespaces;
                    at += 1;
                    continue;
                }
                if at == text.len() {
                    break;
                }
            }
            let (chunk, length) = self.chunk(text, at);
            let shown = if after_space { chunk.trim_start_matches(' ') } else { chunk };
            for part in shown.split_inclusive(' ') {
                match part.strip_suffix(' ') {
                    Some(body) => {
                        new.push(body, at..at + length);
                        new.push(self.space, at..at + length);
                    }
                    None => new.push(part, at..at + length),
                }
            }
            if !shown.is_empty() {
                after_space = self.remove_extra_whitespaces && shown.ends_with(' ');
            }
            at += length;
        }
        let mut end = None;
        while self.remove_extra_whitespaces && new.text().ends_with(self.space) {
            end = Some(new.truncate(new.text().len() - self.space.len()));
        }
        if self.add_dummy_prefix && self.space_as_suffix {
            new.insert(self.space, end.unwrap_or(old.end()));
        }
        new.finish(end)
    }
}
