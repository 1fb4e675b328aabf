//! What byte-pair encoding starts from: the first symbols of a word.
//!
//! Rule.    A unit of the word (a byte or a character) is the token of that string; with a
//!          continuing prefix, of the prefix and that string unless it stands first; with an
//!          end-of-word suffix, of that string and the suffix where it stands last. A byte may so be
//!          a special token, for merges need all bytes; a character may not. A unit that is no
//!          token becomes the byte tokens of its string, where byte fallback is on and all of them
//!          exist, else the unknown token, one for each or (`fuse_unk`) for all in a row. An
//!          unknown symbol waits for the next unit that is none, and byte tokens overtake it.
//!          Where there is no unknown token the unit is an error, or is dropped, as files of
//!          tokenizers mean it. An end-of-word mark is a symbol of its own behind all others.
//!          A symbol stands for its unit, a byte token for its byte of it, and for nothing where the
//!          byte is one of an affix. tokenizers lays symbols one behind another instead, each as
//!          long as its unit and a byte token as one byte: where something was dropped or overtaken,
//!          what follows moves there.
//! Cost.    One look-up a unit; of bytes, one in a table. Twice that where places are asked for and
//!          may have moved.
//! Source.  tokenizers 0.23.3, the order and the moved spans included; the end-of-word mark is ours.

use std::iter::repeat_n;
use std::ops::Range;

use serde_json::Value;

use super::merging::Symbols;
use super::unknown::Unknown;
use super::visible::Places;
use super::word_level::characters;
use crate::error::{Error, Result};
use crate::spec::{flag, not_run};
use crate::vocab::{NO_ID, Vocab, visible_of_byte};

/// What a word is cut into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Bytes as they are.
    Byte,
    /// Bytes that the vocabulary shows as one character each.
    VisibleByte,
    Char,
}

/// Where a unit stands in its word.
#[derive(Clone, Copy)]
struct Place {
    is_first: bool,
    is_last: bool,
}

/// Cuts words into the symbols that merging starts from.
pub struct FirstSymbols {
    unit: Unit,
    /// Byte → id, for each place.
    byte_ids: Box<[[u32; 256]; 4]>,
    /// Whether every byte has an id, the same in each place.
    is_plain: bool,
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    unknown: Unknown,
    fuses: bool,
    drops: bool,
    end_of_word: Option<u32>,
}

impl FirstSymbols {
    /// Reads the model of a spec. `byte_level` says that ByteLevel has made bytes of the text;
    /// without an unknown token, `drops` drops what has no id.
    pub fn new(spec: &Value, vocab: &Vocab, byte_level: bool, drops: bool) -> Result<Self> {
        let text = |name: &str| spec[name].as_str().unwrap_or("");
        let (prefix, suffix) = (text("continuing_subword_prefix"), text("end_of_word_suffix"));
        let has_affixes = !prefix.is_empty() || !suffix.is_empty();
        let unit = match text("unit") {
            _ if byte_level => Unit::VisibleByte,
            "byte" if has_affixes || flag(spec, "byte_fallback") => {
                return Err(not_run("byte fallback or affixes on bytes of the model", spec));
            }
            "byte" => Unit::Byte,
            _ => Unit::Char,
        };
        let end_of_word = match text("end_of_word") {
            "" => None,
            mark => Some(vocab.id(mark.as_bytes()).ok_or_else(|| {
                Error::Vocabulary(format!("the end-of-word mark {mark:?} is not in the vocabulary"))
            })?),
        };
        let mut symbols = Self {
            unit,
            byte_ids: Box::new([[NO_ID; 256]; 4]),
            is_plain: false,
            prefix: prefix.into(),
            suffix: suffix.into(),
            unknown: Unknown::new(spec, vocab),
            fuses: flag(spec, "fuse_unk"),
            drops: drops && spec["unk_token"].is_null(),
            end_of_word,
        };
        if unit != Unit::Char {
            symbols.fill_byte_ids(vocab);
        }
        Ok(symbols)
    }

    fn fill_byte_ids(&mut self, vocab: &Vocab) {
        for place in Place::ALL {
            for byte in 0..=255u8 {
                let string = self.string(&[byte], place);
                let id = match self.unit {
                    Unit::VisibleByte => vocab.id_of_visible(&string),
                    _ => vocab.id(&string),
                };
                self.byte_ids[place.index()][byte as usize] = id.unwrap_or(NO_ID);
            }
        }
        let [ids, others @ ..] = &*self.byte_ids;
        self.is_plain = !ids.contains(&NO_ID) && others.iter().all(|other| other == ids);
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// Whether a mark follows each word.
    pub fn mark_words(&self) -> bool {
        self.end_of_word.is_some()
    }

    /// Whether the symbols of a unit depend on where it stands in its word.
    pub fn mark_places(&self) -> bool {
        self.mark_words() || !self.prefix.is_empty() || !self.suffix.is_empty()
    }

    /// Byte → id, where units are bytes and each is a token wherever it stands.
    pub fn ids_of_bytes(&self) -> Option<&[u32; 256]> {
        self.is_plain.then_some(&self.byte_ids[0])
    }

    /// The ids of bytes, where units are bytes and each is the same wherever it stands.
    pub fn bytes(&self) -> Option<Vec<u32>> {
        let are_bytes = self.unit != Unit::Char && !self.mark_places();
        let ids = self.byte_ids[0].iter().copied();
        are_bytes.then(|| ids.filter(|&id| id != NO_ID).collect())
    }

    /// Cuts a word of such units; `whole` says which symbol stands for more than the byte at a
    /// place, and for how many.
    #[inline]
    pub fn cut_bytes(
        &self,
        word: &[u8],
        symbols: &mut Symbols,
        whole: impl Fn(usize) -> Option<(u32, usize)>,
    ) {
        symbols.clear();
        let mut at = 0;
        while at < word.len() {
            let byte = (self.byte_ids[0][usize::from(word[at])], 1);
            let (id, length) = whole(at).unwrap_or(byte);
            symbols.push(id, length);
            at += length;
        }
    }

    /// Whether each unit of a section is a token, where places do not count.
    pub fn know(&self, vocab: &Vocab, section: &[u8]) -> bool {
        match self.unit {
            Unit::Char => characters(section).all(|unit| vocab.id(unit).is_some()),
            Unit::Byte | Unit::VisibleByte => {
                section.iter().all(|&byte| self.byte_ids[0][byte as usize] != NO_ID)
            }
        }
    }

    /// Cuts a word; says whether symbols may no longer lie where their bytes do.
    #[inline]
    pub fn cut(&self, vocab: &Vocab, word: &[u8], symbols: &mut Symbols) -> Result<bool> {
        symbols.clear();
        let push = |id, length, _| symbols.push(id, length);
        let has_moved = self.each(vocab, word, push)?;
        if let Some(mark) = self.end_of_word {
            symbols.push(mark, 0);
        }
        Ok(has_moved)
    }

    /// Gives each symbol of a word, how long it is and the bytes of the word that it stands for.
    #[inline]
    fn each(
        &self,
        vocab: &Vocab,
        word: &[u8],
        mut push: impl FnMut(u32, usize, Range<usize>),
    ) -> Result<bool> {
        match self.unit {
            Unit::Byte | Unit::VisibleByte if self.is_plain => {
                let ids = &self.byte_ids[0];
                for (at, &byte) in word.iter().enumerate() {
                    push(ids[byte as usize], 1, at..at + 1);
                }
                Ok(false)
            }
            Unit::Byte | Unit::VisibleByte => {
                let id = |unit: &[u8], place: Place| {
                    Some(self.byte_ids[place.index()][unit[0] as usize]).filter(|&id| id != NO_ID)
                };
                // Lengths are those of the visible characters.
                self.each_unit(word, word.chunks(1), id, push)?;
                Ok(true)
            }
            Unit::Char if self.prefix.is_empty() && self.suffix.is_empty() => {
                let id = |unit: &[u8], _| vocab.id(unit);
                self.each_unit(word, characters(word), id, push)
            }
            Unit::Char => {
                let id = |unit: &[u8], place| vocab.id(&self.string(unit, place));
                self.each_unit(word, characters(word), id, push)
            }
        }
    }

    #[inline]
    fn each_unit<'w>(
        &self,
        word: &[u8],
        units: impl Iterator<Item = &'w [u8]>,
        id: impl Fn(&[u8], Place) -> Option<u32>,
        mut push: impl FnMut(u32, usize, Range<usize>),
    ) -> Result<bool> {
        let (mut at, mut has_moved) = (0, false);
        let mut waiting: Option<(u32, usize, Range<usize>)> = None; // an unknown symbol
        for unit in units {
            let end = at + unit.len();
            let place = Place { is_first: at == 0, is_last: end == word.len() };
            if let Some(id) = id(unit, place) {
                if let Some((id, length, range)) = waiting.take() {
                    push(id, length, range);
                }
                push(id, self.length(unit), at..end);
            } else if let Some(ids) = self.unknown.bytes(&self.string(unit, place)) {
                has_moved = true;
                let prefix = if place.is_first { 0 } else { self.prefix.len() };
                for (byte, id) in ids.enumerate() {
                    push(id, 1, self.range_of_byte(byte, prefix, unit, at));
                }
            } else if self.drops {
                has_moved = true;
            } else if let Some((_, length, range)) = waiting.as_mut().filter(|_| self.fuses) {
                (*length, range.end) = (*length + self.length(unit), end);
            } else {
                let new = (self.unknown.id(unit, at)?, self.length(unit), at..end);
                if let Some((id, length, range)) = waiting.replace(new) {
                    push(id, length, range);
                }
            }
            at = end;
        }
        if let Some((id, length, range)) = waiting {
            push(id, length, range);
        }
        Ok(has_moved)
    }

    /// What a byte of the string of a unit stands for: its byte of the unit, all of a byte that is
    /// shown as two, or nothing where it is one of an affix. `prefix` is the length of that.
    fn range_of_byte(&self, byte: usize, prefix: usize, unit: &[u8], at: usize) -> Range<usize> {
        let (end, shown) = (at + unit.len(), self.length(unit));
        match byte.checked_sub(prefix) {
            None => at..at,
            Some(byte) if byte >= shown => end..end,
            Some(byte) if shown == unit.len() => at + byte..at + byte + 1,
            Some(_) => at..end,
        }
    }

    /// The string that a unit is looked up by.
    fn string(&self, unit: &[u8], place: Place) -> Vec<u8> {
        let mut string = Vec::new();
        if !place.is_first {
            string.extend_from_slice(&self.prefix);
        }
        match self.unit {
            Unit::VisibleByte => {
                let mut buffer = [0; 4];
                let visible = visible_of_byte(unit[0]).encode_utf8(&mut buffer);
                string.extend_from_slice(visible.as_bytes());
            }
            _ => string.extend_from_slice(unit),
        }
        if place.is_last {
            string.extend_from_slice(&self.suffix);
        }
        string
    }

    /// How many bytes of its string a unit takes, affixes left out.
    fn length(&self, unit: &[u8]) -> usize {
        match self.unit {
            Unit::VisibleByte => visible_of_byte(unit[0]).len_utf8(),
            _ => unit.len(),
        }
    }

    /// Symbols that may have moved: the bytes of the word that each stands for, and those where
    /// tokenizers lays it, to which its length leads.
    pub fn moved<'a>(
        &self,
        vocab: &Vocab,
        word: &[u8],
        symbols: &'a Symbols,
    ) -> Result<impl Iterator<Item = (u32, Range<usize>, Range<usize>)> + use<'a>> {
        let mut own = Vec::new(); // one for each byte of the length of a first symbol
        self.each(vocab, word, |_, length, range| own.extend(repeat_n(range, length)))?;
        let laid = match self.unit {
            Unit::VisibleByte => Places::of(word),
            _ => Places::same(word),
        };
        let (mut at, end) = (0, word.len());
        Ok(symbols.iter().map(move |(id, length)| {
            let part = at..at + length;
            at += length;
            (id, all_of(&own[part.clone()]).unwrap_or(end..end), laid.range(part))
        }))
    }
}

/// The least range that holds all of some.
fn all_of(ranges: &[Range<usize>]) -> Option<Range<usize>> {
    let ranges = ranges.iter().cloned();
    ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end))
}

impl Place {
    const ALL: [Self; 4] = [
        Self { is_first: false, is_last: false },
        Self { is_first: true, is_last: false },
        Self { is_first: false, is_last: true },
        Self { is_first: true, is_last: true },
    ];

    #[inline]
    fn index(self) -> usize {
        usize::from(self.is_first) | usize::from(self.is_last) << 1
    }
}
