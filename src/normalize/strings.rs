//! Normalizers that look for something: Strip, Prepend, Replace, Precompiled.
//!
//! Rule.    Strip takes white space off the ends. Prepend puts a string before a text that is not
//!          empty. Replace puts another string where a pattern matches, if only an empty match.
//!          Precompiled looks each grapheme cluster of fewer than 6 bytes up in a charsmap, whole and
//!          by the shortest key that it begins with; where there is none, character by character.
//! Cost.    Linear; a regex has a budget of steps.
//! Source.  tokenizers 0.23.3. What Precompiled takes out at the very start of a text is not counted
//!          there, so that all later characters are named as if it were still to come.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

use memchr::memmem;
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

use super::changes::{Change, push_changes};
use super::characters::Way;
use super::charsmap::Charsmap;
use crate::alignment::Aligned;
use crate::error::Result;
use crate::pre_tokenize::Regex;
use crate::spec::{blob, text};

/// A cluster of so many bytes is not looked up whole.
const LONG_CLUSTER: usize = 6;
/// Among these are all that are of one cluster with the character behind them.
const PREPENDED: [RangeInclusive<u32>; 6] = [
    0x600..=0x605,
    0x6dd..=0x70f,
    0x890..=0x891,
    0x8e2..=0x8e2,
    0xd4e..=0xd4e,
    0x1_1000..=0x1_1fff,
];

/// Takes white space off the ends.
pub fn strip<'a>(old: Aligned<'a>, left: bool, right: bool, way: Way<'a>) -> Aligned<'a> {
    let text = &*old.text;
    let begun = if left { text.trim_start() } else { text };
    let start = text.len() - begun.len();
    let end = start + if right { begun.trim_end() } else { begun }.len();
    if start == 0 && end == text.len() {
        return old;
    }
    let mut new = way.rewriting(&old);
    new.keep(start..end);
    new.finish(None)
}

/// Puts a string before a text that is not empty.
pub fn prepend<'a>(old: Aligned<'a>, string: &str, way: Way<'a>) -> Aligned<'a> {
    let Some(first) = old.text.chars().next().map(char::len_utf8) else { return old };
    let mut new = way.rewriting(&old);
    if string.is_empty() {
        // The first character is named as one that is put in, before which is nothing.
        new.push_behind(&old.text[..first], 0..first, 0);
        new.keep(first..old.text.len());
    } else {
        new.prepend(string, 0);
        new.keep(0..old.text.len());
    }
    new.finish(None)
}

/// Replace: what is looked for, and what is put in its place.
pub struct Replace {
    finder: Finder,
    content: String,
    /// Whether it looks for spaces in a row.
    joins_spaces: bool,
}

enum Finder {
    String(Box<memmem::Finder<'static>>),
    Regex(Box<Regex>),
}

impl Finder {
    fn of(string: &str) -> Self {
        Self::String(Box::new(memmem::Finder::new(string).into_owned()))
    }
}

impl Replace {
    /// Reads the component of a spec.
    pub fn new(component: &Value) -> Result<Self> {
        let pattern = &component["pattern"];
        let finder = match pattern["regex"].as_str() {
            Some(regex) if regex.is_empty() || fancy_regex::escape(regex) != regex => {
                Finder::Regex(Box::new(Regex::new(regex)?))
            }
            Some(string) => Finder::of(string),
            // An empty string matches as an empty regex does: everywhere.
            None if text(pattern, "text").is_empty() => Finder::Regex(Box::new(Regex::new("")?)),
            None => Finder::of(text(pattern, "text")),
        };
        let joins_spaces = pattern["regex"] == " {2,}";
        Ok(Self { finder, content: text(component, "content").into(), joins_spaces })
    }

    /// Rewrites a text; `stop` ends a long search.
    pub fn rewrite<'a>(
        &self,
        old: Aligned<'a>,
        stop: Option<&AtomicBool>,
        way: Way<'a>,
    ) -> Result<Aligned<'a>> {
        if old.text.is_empty() {
            return Ok(old);
        }
        let mut new = None;
        let mut done = 0;
        let mut found = |start, end| {
            let new = new.get_or_insert_with(|| way.rewriting(&old));
            new.keep(done..start);
            new.replace(start..end, &self.content);
            done = end;
        };
        match &self.finder {
            Finder::String(string) => {
                let length = string.needle().len();
                string.find_iter(old.text.as_bytes()).for_each(|at| found(at, at + length));
            }
            Finder::Regex(regex) => {
                regex.find(&old.text, stop, |range| found(range.start, range.end))?;
            }
        }
        let new = new.map(|mut new| {
            new.keep(done..old.text.len());
            new.finish(None)
        });
        Ok(new.unwrap_or(old))
    }
}

impl Replace {
    /// What stands on the two sides of a place once it is rewritten, as `Normalizer::across` says.
    pub fn across(&self, (left, right): (char, char)) -> Option<(char, char)> {
        let mut content = self.content.chars();
        let only = content.next().filter(|_| content.next().is_none());
        match &self.finder {
            // A run of spaces begins behind the left one, and becomes one.
            Finder::Regex(_) => {
                let is_run = self.joins_spaces && left != ' ';
                (is_run && (right != ' ' || only == Some(' '))).then_some((left, right))
            }
            Finder::String(string) => {
                let rewritten = |c: char| {
                    let character = String::from(c);
                    match memmem::find(string.needle(), character.as_bytes()) {
                        None => Some(c),
                        Some(_) if string.needle() == character.as_bytes() => only,
                        Some(_) => None,
                    }
                };
                rewritten(left).zip(rewritten(right))
            }
        }
    }
}

/// A charsmap as tokenizer.json carries it.
pub struct Precompiled(Charsmap);

impl Precompiled {
    /// Reads the component of a spec.
    pub fn new(component: &Value) -> Result<Self> {
        Ok(Self(Charsmap::parse(&blob(component, "charsmap")?)?))
    }

    /// Rewrites a text.
    pub fn rewrite<'a>(&self, old: Aligned<'a>, way: Way<'a>) -> Aligned<'a> {
        let mut changes = Vec::new();
        let mut new = way.rewriting(&old);
        let mut is_same = true;
        self.each_part(&old.text, |start, part, found| {
            is_same &= found.is_none();
            let replacement = found.unwrap_or(part);
            if way.places {
                push_part(&mut changes, start, part, replacement);
            } else {
                new.push(replacement, start..start + part.len());
            }
        });
        if is_same {
            drop(new);
            return old;
        }
        push_changes(&mut new, &changes, 0);
        new.finish(None)
    }

    /// Whether two characters stand as they are beside each other, in clusters of their own,
    /// whatever stands around them.
    pub fn keeps(&self, left: char, right: char) -> bool {
        let is_as_it_is = |c: char| self.0.shortest(c.encode_utf8(&mut [0; 4])).is_none();
        let parts = |text: &str| text.graphemes(true).count() == text.chars().count();
        // Some characters are of one cluster with what comes behind them.
        let mut leading = PREPENDED.into_iter().flatten().filter_map(char::from_u32);
        parts(&String::from_iter(['か', left, right]))
            && self.0.keeps(left, right)
            && leading.all(is_as_it_is)
    }

    /// The parts of a text that are looked up, each with what it is rewritten to.
    fn each_part(&self, text: &str, mut visit: impl FnMut(usize, &str, Option<&str>)) {
        for (start, cluster) in text.grapheme_indices(true) {
            let whole = if cluster.len() < LONG_CLUSTER { self.0.shortest(cluster) } else { None };
            if whole.is_some() {
                visit(start, cluster, whole);
                continue;
            }
            for (at, character) in cluster.char_indices() {
                let part = &cluster[at..at + character.len_utf8()];
                visit(start + at, part, self.0.shortest(part));
            }
        }
    }
}

/// Adds the characters of a part that was rewritten, and counts them as tokenizers does.
fn push_part(changes: &mut Vec<Change>, start: usize, part: &str, replacement: &str) {
    let from = start..start + part.len();
    let (olds, news) = (part.chars().count(), replacement.chars().count());
    changes.extend(replacement.chars().enumerate().map(|(place, character)| {
        let more = isize::from(place >= olds);
        Change { character, more, from: from.clone() }
    }));
    // What is left over is taken up with the character before it, if there is one.
    if let Some(last) = changes.last_mut() {
        last.more -= olds.saturating_sub(news) as isize;
    }
}
