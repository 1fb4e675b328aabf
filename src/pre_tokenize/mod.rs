//! Pre-tokenizing: where words begin and end before the model runs.
//!
//! Rule.    Each step cuts the pieces of the step before; no token ever crosses a cut.
//! Cost.    Linear for named patterns (`scan.rs`); other regexes have a budget of steps, which ends in
//!          an error (`regex.rs`, `budget.rs`).

mod backtrack;
mod budget;
mod regex;
mod scan;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::spec::{Config, flag, kind, not_run};
use crate::unicode::{ClassTable, class};
pub use regex::Regex;
pub use scan::{Scanner, scanner};

/// GPT-2's pattern is part of ByteLevel itself, wherever `use_regex` is set.
const BYTE_LEVEL_PATTERN: &str = "gpt2";

/// What happens to the matches of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behavior {
    Removed,
    Isolated,
    MergedWithPrevious,
    MergedWithNext,
    Contiguous,
}

/// What is looked for.
enum Finder {
    Scan(Scanner),
    Regex(Regex),
    WhiteSpace,
}

/// One cut of a text into pieces.
struct Step {
    finder: Finder,
    behavior: Behavior,
    invert: bool,
}

/// All cuts, in order.
pub struct PreTokenizer {
    steps: Vec<Step>,
    table: ClassTable,
    /// The spec ends in ByteLevel: the vocabulary is written in its visible characters.
    pub byte_level: bool,
    /// ByteLevel puts a space before a text that has none.
    pub add_prefix_space: bool,
}

impl PreTokenizer {
    /// Builds the steps of a spec.
    pub fn new(config: &Config) -> Result<Self> {
        let mut pre_tokenizer = Self {
            steps: Vec::new(),
            table: ClassTable::get(),
            byte_level: false,
            add_prefix_space: false,
        };
        pre_tokenizer.add(config.part("pre_tokenizer"), config)?;
        Ok(pre_tokenizer)
    }

    fn add(&mut self, component: &Value, config: &Config) -> Result<()> {
        if self.byte_level && !component.is_null() {
            // After ByteLevel the text is in visible characters; only the readable engine does that.
            return Err(not_run("pre-tokenizer after ByteLevel", component));
        }
        match kind(component) {
            "" => {}
            "Sequence" => {
                for inner in component["pre_tokenizers"].as_array().into_iter().flatten() {
                    self.add(inner, config)?;
                }
            }
            "Split" => self.steps.push(Step::split(component, config)?),
            "WhitespaceSplit" => self.steps.push(Step {
                finder: Finder::WhiteSpace,
                behavior: Behavior::Removed,
                invert: false,
            }),
            "Whitespace" => self.steps.push(Step {
                finder: Finder::Regex(Regex::new(r"\w+|[^\w\s]+")?),
                behavior: Behavior::Removed,
                invert: true,
            }),
            "ByteLevel" => {
                self.add_prefix_space = flag(component, "add_prefix_space");
                if self.add_prefix_space && !self.steps.is_empty() {
                    return Err(not_run("pre-tokenizer step before a prefix space of", component));
                }
                if flag(component, "use_regex") {
                    let finder =
                        Finder::Scan(scanner(BYTE_LEVEL_PATTERN).expect("a named scanner"));
                    self.steps.push(Step { finder, behavior: Behavior::Isolated, invert: false });
                }
                self.byte_level = true;
            }
            _ => return Err(not_run("pre-tokenizer", component)),
        }
        Ok(())
    }

    /// Calls `visit` with the bytes of each pre-token, in order; `stop` ends a long call.
    #[inline]
    pub fn cut<E: From<Error>>(
        &self,
        text: &str,
        stop: Option<&AtomicBool>,
        mut visit: impl FnMut(Range<usize>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        match self.steps.as_slice() {
            [] if text.is_empty() => Ok(()),
            [] => visit(0..text.len()),
            [only] if only.is_plain_scan() => {
                let Finder::Scan(next) = only.finder else { unreachable!("is_plain_scan") };
                let bytes = text.as_bytes();
                let mut start = 0;
                while start < bytes.len() {
                    let end = next(self.table, bytes, start);
                    visit(start..end)?;
                    start = end;
                }
                Ok(())
            }
            steps => {
                let mut pieces: Vec<Range<usize>> = std::iter::once(0..text.len()).collect();
                for step in steps {
                    let mut cut = Vec::with_capacity(pieces.len());
                    for piece in pieces {
                        step.cut(self.table, text, piece, stop, &mut cut)?;
                    }
                    cut.retain(|piece| !piece.is_empty());
                    pieces = cut;
                }
                pieces.into_iter().try_for_each(visit)
            }
        }
    }
}

impl Step {
    fn split(component: &Value, config: &Config) -> Result<Self> {
        let behavior = match component["behavior"].as_str().unwrap_or("isolated") {
            "removed" => Behavior::Removed,
            "merged_with_previous" => Behavior::MergedWithPrevious,
            "merged_with_next" => Behavior::MergedWithNext,
            "contiguous" => Behavior::Contiguous,
            _ => Behavior::Isolated,
        };
        let pattern = &component["pattern"];
        let finder = match (pattern["regex"].as_str(), pattern["text"].as_str()) {
            (Some(regex), _) => match config.scanner_name(regex).and_then(scanner) {
                Some(scanner) => Finder::Scan(scanner),
                None => Finder::Regex(Regex::new(regex)?),
            },
            (None, Some(text)) => Finder::Regex(Regex::literal(text)?),
            (None, None) => return Err(not_run("pattern", pattern)),
        };
        Ok(Self { finder, behavior, invert: flag(component, "invert") })
    }

    /// A scanner covers all of the text with matches, so keeping them is the whole of the step.
    fn is_plain_scan(&self) -> bool {
        matches!(self.finder, Finder::Scan(_))
            && match self.behavior {
                Behavior::Isolated => true,
                Behavior::Removed => self.invert,
                _ => false,
            }
    }

    /// Cuts one piece and appends what it becomes.
    fn cut(
        &self,
        table: ClassTable,
        text: &str,
        piece: Range<usize>,
        stop: Option<&AtomicBool>,
        pieces: &mut Vec<Range<usize>>,
    ) -> Result<()> {
        let mut found = Vec::new();
        self.finder.find(table, &text[piece.clone()], stop, |inner, is_match| {
            let outer = piece.start + inner.start..piece.start + inner.end;
            found.push((outer, is_match != self.invert));
        })?;
        match self.behavior {
            Behavior::Removed => pieces.extend(found.into_iter().filter(|f| !f.1).map(|f| f.0)),
            Behavior::Isolated => pieces.extend(found.into_iter().map(|f| f.0)),
            Behavior::Contiguous => join(found, pieces, |before, now| before == now),
            Behavior::MergedWithPrevious => join(found, pieces, |before, now| now && !before),
            Behavior::MergedWithNext => join(found, pieces, |before, now| before && !now),
        }
        Ok(())
    }
}

/// Appends the pieces, gluing one to the piece before it where `glue(that one's flag, its flag)`.
fn join(
    found: Vec<(Range<usize>, bool)>,
    pieces: &mut Vec<Range<usize>>,
    glue: impl Fn(bool, bool) -> bool,
) {
    let mut before = None;
    for (range, is_match) in found {
        match pieces.last_mut() {
            Some(last) if before.is_some_and(|before| glue(before, is_match)) => {
                last.end = range.end;
            }
            _ => pieces.push(range),
        }
        before = Some(is_match);
    }
}

impl Finder {
    /// Visits matches and what lies between them, in order, covering the text.
    fn find(
        &self,
        table: ClassTable,
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
            Self::Scan(next) => {
                let mut start = 0;
                while start < text.len() {
                    let end = next(table, text.as_bytes(), start);
                    found(start..end);
                    start = end;
                }
            }
            Self::WhiteSpace => {
                for (start, c) in text.char_indices() {
                    if table.of(c as u32) & class::SPACE != 0 {
                        found(start..start + c.len_utf8());
                    }
                }
            }
            Self::Regex(regex) => regex.find(text, stop, found)?,
        }
        if done < text.len() {
            visit(done..text.len(), false);
        }
        Ok(())
    }
}
