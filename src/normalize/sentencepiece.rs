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
use crate::without::{Technique, without};

/// How the pieces of a .model show a space.
pub const SPACE: &str = "▁";

/// The normalizer of a .model.
#[allow(clippy::struct_excessive_bools)] // the flags of the file, and one of ours
pub struct SentencePiece {
    charsmap: Charsmap,
    /// Strings that stay as they stand, and the characters that are neighbours in one.
    user_defined: Trie,
    neighbours: HashSet<(char, char)>,
    /// Characters at which a chunk can be longer than themselves, or another text.
    begins: CharSet,
    /// Characters that can belong to the chunk of the one before them.
    seconds: CharSet,
    /// All these, the space, and what shows it.
    notable: CharSet,
    /// Whether none of the printable characters of ASCII is among these, but for the space.
    keeps_ascii: bool,
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
        let mut notable = begins.union(&seconds);
        let keeps_ascii = !without(Technique::EightBytes)
            && !begins.contains(' ')
            && !seconds.contains(' ')
            && !('!'..='~').any(|character| notable.contains(character));
        notable.insert(' ');
        notable.insert('▁');
        Ok(Self {
            notable,
            keeps_ascii,
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

    /// How many bytes from the beginning on are chunks of one character each, as they are, and no
    /// space, or, if such are kept, spaces with something else behind them.
    #[inline]
    fn unchanged(&self, text: &str, keeps_spaces: bool) -> usize {
        let bytes = text.as_bytes();
        let (mut at, mut last) = (0, 0);
        while at < bytes.len() {
            while self.keeps_ascii && has_eight(&bytes[at..], keeps_spaces) {
                last = at + 7;
                at += 8;
            }
            let mut rest = text[at..].chars();
            let Some(character) = rest.next() else { break };
            if self.notable.contains(character) {
                if self.seconds.contains(character) {
                    return last;
                }
                let is_single = character == ' ' && rest.next().is_some_and(|next| next != ' ');
                if !(keeps_spaces && is_single && self.stays(&text[at..]).is_some()) {
                    return at;
                }
            }
            last = at;
            at += character.len_utf8();
        }
        bytes.len()
    }

    /// The first character, if it is known to be a chunk that stays as it is.
    #[inline]
    fn stays(&self, text: &str) -> Option<char> {
        let mut characters = text.chars();
        let first = characters.next().filter(|&first| !self.begins.contains(first))?;
        characters.next().is_none_or(|next| !self.seconds.contains(next)).then_some(first)
    }

    /// Whether no space is left in what it makes of a text.
    pub fn shows_spaces(&self) -> bool {
        self.space == SPACE
    }

    /// Rewrites a text; `continues` says that it has begun in a block before, which does not end in
    /// a space.
    #[inline]
    pub fn normalize(
        &self,
        old: &Aligned,
        original: &str,
        continues: bool,
        places: bool,
    ) -> Aligned<'static> {
        self.rewrite(old, original, continues, places, self.space)
    }

    /// The same with a space shown as is said here.
    pub fn rewrite(
        &self,
        old: &Aligned,
        original: &str,
        continues: bool,
        places: bool,
        space: &str,
    ) -> Aligned<'static> {
        let text = &*old.text;
        let mut new = Rewriting::of(old, original, places);
        let mut at = 0;
        while self.remove_extra_whitespaces && !continues && at < text.len() {
            let length = match self.stays(&text[at..]) {
                Some(' ') => 1,
                Some(_) => break,
                None => {
                    let (chunk, length) = self.chunk(text, at);
                    if chunk != " " {
                        break;
                    }
                    length
                }
            };
            at += length;
        }
        if at == text.len() {
            return new.finish(None);
        }
        if self.add_dummy_prefix && !self.space_as_suffix && !continues {
            new.push(space, at..at);
        }
        let mut after_space = self.remove_extra_whitespaces && !continues;
        while at < text.len() {
            if !places {
                let start = at;
                if !(after_space && text[at..].starts_with(' ')) {
                    at += self.unchanged(&text[at..], space == " ");
                }
                if at > start {
                    new.push(&text[start..at], start..at);
                    after_space = self.remove_extra_whitespaces && text[..at].ends_with(' ');
                }
                if self.stays(&text[at..]) == Some(' ') {
                    if !after_space {
                        new.push(space, at..at + 1);
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
            // Where spaces are kept, a ▁ of the text itself becomes one.
            let spelled = (space != self.space).then(|| shown.replace(self.space, space));
            for part in spelled.as_deref().unwrap_or(shown).split_inclusive(' ') {
                match part.strip_suffix(' ') {
                    Some(body) => {
                        new.push(body, at..at + length);
                        new.push(space, at..at + length);
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
        while self.remove_extra_whitespaces && new.text().ends_with(space) {
            end = Some(new.truncate(new.text().len() - space.len()));
        }
        if self.add_dummy_prefix && self.space_as_suffix {
            new.insert(space, end.unwrap_or(old.end()));
        }
        new.finish(end)
    }
}

/// Whether the first eight bytes, and one behind them, are printable ASCII, and none of the eight is
/// a space; or, if such are kept, no two of the nine are spaces in a row.
#[inline]
fn has_eight(text: &[u8], keeps_spaces: bool) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let Some(nine) = text.first_chunk::<9>() else { return false };
    let eight = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| nine[at + index]));
    // The high bit of each byte says so; sums stay within their bytes where there is only ASCII.
    let are_printable = |bytes: u64| {
        let at_least_space = bytes.wrapping_add(ONES * 0x60);
        at_least_space & !bytes.wrapping_add(ONES) & !bytes & HIGH == HIGH
    };
    let spaces = |bytes: u64| !((bytes ^ (ONES * 0x20)).wrapping_add(ONES * 0x7f)) & HIGH;
    let (one, next) = (eight(0), eight(1));
    let followed = if keeps_spaces { spaces(next) } else { HIGH };
    are_printable(one) && are_printable(next) && spaces(one) & followed == 0
}
