//! One cut: what is looked for, and what becomes of it.
//!
//! Rule.    Matches and what lies between them cover a piece; a behavior says which of them are glued
//!          to the one before, and which are dropped. `invert` swaps the two.
//! Cost.    That of the search.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use memchr::memmem;
use serde_json::Value;

use super::characters::{Class, script_runs};
use super::dictionary::{self, Dictionary};
use super::regex::Regex;
use super::scan::Scanner;
use crate::error::Result;

/// What happens to the matches of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behavior {
    /// They are dropped.
    Removed,
    /// Each is a piece.
    Isolated,
    /// Each is glued to what lies before it.
    MergedWithPrevious,
    /// What lies behind it is glued to each.
    MergedWithNext,
    /// Those in a row are one piece.
    Contiguous,
}

impl Behavior {
    /// That of a component.
    pub fn of(component: &Value) -> Self {
        match component["behavior"].as_str().unwrap_or("isolated") {
            "removed" => Self::Removed,
            "merged_with_previous" => Self::MergedWithPrevious,
            "merged_with_next" => Self::MergedWithNext,
            "contiguous" => Self::Contiguous,
            _ => Self::Isolated,
        }
    }

    /// Whether something is glued to what is before it, where they are matches or not.
    pub fn glues(self, before: bool, now: bool) -> bool {
        match self {
            Self::Removed | Self::Isolated => false,
            Self::MergedWithPrevious => now && !before,
            Self::MergedWithNext => before && !now,
            Self::Contiguous => before == now,
        }
    }
}

/// What is looked for.
pub enum Finder {
    /// Matches of a scanner, which cover the text.
    Scan(Scanner),
    /// Matches of a regex.
    Regex(Regex),
    /// Each time that a string stands there; it has some bytes.
    String(Box<memmem::Finder<'static>>),
    /// Each character of a class.
    Class(Class),
    /// So many characters each.
    Characters(usize),
    /// Runs of one script.
    Scripts,
    /// Words of a dictionary.
    Dictionary(Box<dyn Dictionary>),
}

/// One cut of a piece into smaller ones.
pub struct Cut {
    /// What is looked for.
    pub finder: Finder,
    /// What becomes of it.
    pub behavior: Behavior,
    /// Whether that happens to what lies between instead.
    pub invert: bool,
}

impl Cut {
    /// The scanner, if keeping its matches is all there is to do.
    pub fn plain_scan(&self) -> Option<Scanner> {
        let keeps = match self.behavior {
            Behavior::Isolated => true,
            Behavior::Removed => self.invert,
            _ => false,
        };
        match self.finder {
            Finder::Scan(scanner) if keeps => Some(scanner),
            _ => None,
        }
    }

    /// Cuts one piece of a text and appends what it becomes, which may be empty.
    pub fn pieces(
        &self,
        text: &str,
        piece: Range<usize>,
        stop: Option<&AtomicBool>,
        pieces: &mut Vec<Range<usize>>,
    ) -> Result<()> {
        let mut before = None;
        self.finder.find(&text[piece.clone()], stop, |inner, is_match| {
            let is_match = is_match != self.invert;
            let outer = piece.start + inner.start..piece.start + inner.end;
            match pieces.last_mut() {
                Some(last)
                    if before.is_some_and(|before| self.behavior.glues(before, is_match)) =>
                {
                    last.end = outer.end;
                }
                _ if is_match && self.behavior == Behavior::Removed => {}
                _ => pieces.push(outer),
            }
            before = Some(is_match);
        })
    }
}

impl Finder {
    /// Visits matches and what lies between them, in order, covering the text.
    fn find(
        &self,
        text: &str,
        stop: Option<&AtomicBool>,
        mut visit: impl FnMut(Range<usize>, bool),
    ) -> Result<()> {
        let mut done = 0;
        let mut found = |range: Range<usize>| {
            if done < range.start {
                visit(done..range.start, false);
            }
            // An empty match takes nothing, and still parts what is on its two sides.
            visit(range.clone(), true);
            done = range.end;
        };
        match self {
            Self::Scan(scanner) => {
                let each = scanner.each(text, |range| {
                    found(range);
                    Ok(())
                });
                each.unwrap_or_else(|never: Infallible| match never {});
            }
            Self::Class(Class::One(character)) => {
                let mut bytes = [0; 4];
                let bytes = character.encode_utf8(&mut bytes).as_bytes();
                let places = memmem::find_iter(text.as_bytes(), bytes);
                places.for_each(|at| found(at..at + bytes.len()));
            }
            Self::Class(class) => {
                for (start, character) in text.char_indices() {
                    if class.holds(character) {
                        found(start..start + character.len_utf8());
                    }
                }
            }
            Self::Characters(length) => {
                let mut starts = text.char_indices().map(|(at, _)| at).step_by(*length).peekable();
                while let Some(start) = starts.next() {
                    found(start..starts.peek().copied().unwrap_or(text.len()));
                }
            }
            Self::Scripts => script_runs(text, found),
            Self::Dictionary(words) => dictionary::each(words.as_ref(), text, found)?,
            Self::Regex(regex) => regex.find(text, stop, found)?,
            Self::String(string) => {
                let length = string.needle().len();
                string.find_iter(text.as_bytes()).for_each(|at| found(at..at + length));
            }
        }
        if done < text.len() {
            visit(done..text.len(), false);
        }
        Ok(())
    }
}
