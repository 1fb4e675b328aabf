//! Pre-tokenizing: where words begin and end before the model runs.
//!
//! Rule.    Each step cuts the pieces of the step before, or rewrites each of them; no token ever
//!          crosses a cut. The pieces are places in one text: a step that rewrites makes a new text
//!          of all pieces, and new places.
//! Cost.    Linear for named patterns (`scan.rs`) and for classes of characters; other regexes have a
//!          budget of steps, which ends in an error (`regex.rs`, `budget.rs`).
//! Source.  tokenizers 0.23.3.

mod across;
mod alone;
mod backtrack;
mod boundaries;
mod budget;
mod characters;
mod cut;
mod dictionary;
mod masks;
mod regex;
mod rewrite;
mod scan;

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use memchr::memmem;
use serde_json::Value;

use crate::alignment::{Aligned, Span};
use crate::error::{Error, Result};
use crate::spec::{Config, flag, kind, not_run};
use crate::vocab::visible_of_byte;
pub use across::Start;
pub use alone::Alone;
use characters::Class;
use cut::{Behavior, Cut, Finder};
pub use dictionary::{Dictionary, Open};
pub use regex::Regex;
use rewrite::Rewrite;
pub use scan::{Scanner, scanner};

/// GPT-2's pattern is part of ByteLevel itself, wherever `use_regex` is set.
const BYTE_LEVEL_PATTERN: &str = "gpt2";

/// One step.
enum Step {
    Cut(Cut),
    Rewrite(Rewrite),
}

/// All steps, in order.
pub struct PreTokenizer {
    steps: Vec<Step>,
    /// It ends in ByteLevel, and the model reads bytes: they are never written out as characters.
    pub byte_level: bool,
}

impl PreTokenizer {
    /// Builds the steps of a spec.
    pub fn new(config: &Config) -> Result<Self> {
        let mut pre_tokenizer = Self { steps: Vec::new(), byte_level: false };
        pre_tokenizer.add(config.part("pre_tokenizer"), config, true)?;
        Ok(pre_tokenizer)
    }

    fn add(&mut self, component: &Value, config: &Config, is_last: bool) -> Result<()> {
        match kind(component) {
            "" => {}
            "Sequence" => {
                let inner = component["pre_tokenizers"].as_array().map_or(&[][..], Vec::as_slice);
                for (index, step) in inner.iter().enumerate() {
                    self.add(step, config, is_last && index + 1 == inner.len())?;
                }
            }
            "ByteLevel" => {
                if flag(component, "add_prefix_space") {
                    self.steps.push(Step::Rewrite(Rewrite::PrefixSpace));
                }
                if flag(component, "use_regex") {
                    let gpt2 = Finder::Scan(scanner(BYTE_LEVEL_PATTERN).expect("a named scanner"));
                    self.cut(gpt2, Behavior::Isolated);
                }
                if is_last && reads_bytes(config.part("model")) {
                    self.byte_level = true;
                } else {
                    self.steps.push(Step::Rewrite(Rewrite::Visible));
                }
            }
            "Metaspace" => {
                let mark = character(component, "replacement")?;
                self.steps.push(Step::Rewrite(Rewrite::metaspace(component, mark)));
                if flag(component, "split") {
                    self.cut(Finder::Class(Class::One(mark)), Behavior::MergedWithNext);
                }
            }
            "BertPreTokenizer" => {
                self.cut(Finder::Class(Class::Space), Behavior::Removed);
                self.cut(Finder::Class(Class::Punctuation), Behavior::Isolated);
            }
            "Whitespace" => self.keep(Finder::Regex(Regex::new(r"\w+|[^\w\s]+")?)),
            "WhitespaceSplit" => self.cut(Finder::Class(Class::Space), Behavior::Removed),
            "UnicodeScripts" => self.keep(Finder::Scripts),
            "Punctuation" => self.cut(Finder::Class(Class::Punctuation), Behavior::of(component)),
            "Digits" if flag(component, "individual_digits") => {
                self.cut(Finder::Class(Class::Number), Behavior::Isolated);
            }
            "Digits" => self.cut(Finder::Class(Class::Number), Behavior::Contiguous),
            "CharDelimiterSplit" => {
                let delimiter = character(component, "delimiter")?;
                self.cut(Finder::Class(Class::One(delimiter)), Behavior::Removed);
            }
            "FixedLength" => {
                let length = component["length"].as_u64().unwrap_or(0) as usize;
                self.cut(Finder::Characters(length.max(1)), Behavior::Isolated);
            }
            "Dictionary" => {
                let open = config.open.ok_or_else(|| not_run("pre-tokenizer", component))?;
                self.cut(Finder::Dictionary(open(component)?), Behavior::Isolated);
            }
            "Split" => self.steps.push(Step::Cut(split(component, config)?)),
            _ => return Err(not_run("pre-tokenizer", component)),
        }
        Ok(())
    }

    /// Adds a step that cuts at what is found.
    fn cut(&mut self, finder: Finder, behavior: Behavior) {
        self.steps.push(Step::Cut(Cut { finder, behavior, invert: false }));
    }

    /// Adds a step that keeps only what is found.
    fn keep(&mut self, finder: Finder) {
        self.steps.push(Step::Cut(Cut { finder, behavior: Behavior::Removed, invert: true }));
    }

    /// Whether a step cuts by a dictionary, which the caller brings.
    pub fn has_dictionary(&self) -> bool {
        let by_dictionary = |step: &Step| matches!(step, Step::Cut(cut) if matches!(cut.finder, Finder::Dictionary(_)));
        self.steps.iter().any(by_dictionary)
    }

    /// Whether a step decides by where a piece stands in the original.
    pub fn asks_places(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step, Step::Rewrite(rewrite) if rewrite.asks_places()))
    }

    /// The words of a stretch of a text; `continues` says that the stretch has begun in a block
    /// before; `places` says whether anybody will ask where they came
    /// from (which must be so if `asks_places`), and `stop` ends a long call.
    #[inline]
    pub fn words<'a>(
        &self,
        stretch: Aligned<'a>,
        original: &str,
        continues: bool,
        places: bool,
        stop: Option<&AtomicBool>,
    ) -> Result<Words<'a>> {
        match self.steps.as_slice() {
            [] => Ok(Words { stretch, places: Places::Whole }),
            [Step::Cut(only)] => match only.plain_scan() {
                Some(scanner) => Ok(Words { stretch, places: Places::Scan(scanner) }),
                None => self.run(stretch, original, continues, places, stop),
            },
            _ => self.run(stretch, original, continues, places, stop),
        }
    }

    fn run<'a>(
        &self,
        mut stretch: Aligned<'a>,
        original: &str,
        continues: bool,
        places: bool,
        stop: Option<&AtomicBool>,
    ) -> Result<Words<'a>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        pieces.extend((!stretch.text.is_empty()).then_some(0..stretch.text.len()));
        for step in &self.steps {
            match step {
                Step::Cut(cut) => {
                    let mut smaller = Vec::with_capacity(pieces.len());
                    for piece in pieces {
                        cut.pieces(&stretch.text, piece, stop, &mut smaller)?;
                    }
                    smaller.retain(|piece| !piece.is_empty());
                    pieces = smaller;
                }
                Step::Rewrite(rewrite) => {
                    stretch = rewrite.run(stretch, original, continues, places, &mut pieces);
                }
            }
        }
        Ok(Words { stretch, places: Places::Listed(pieces) })
    }
}

/// The words of a stretch.
pub struct Words<'a> {
    /// The stretch as the model is given it.
    pub stretch: Aligned<'a>,
    places: Places,
}

/// Where the words are.
enum Places {
    /// The stretch is one.
    Whole,
    /// Where this scanner finds them, one after another.
    Scan(Scanner),
    Listed(Vec<Range<usize>>),
}

impl Words<'_> {
    /// Calls `visit` with the bytes of each word, in order.
    #[inline]
    pub fn each<E>(
        &self,
        mut visit: impl FnMut(Range<usize>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let text = &self.stretch.text;
        match &self.places {
            Places::Whole if text.is_empty() => Ok(()),
            Places::Whole => visit(0..text.len()),
            Places::Scan(scanner) => scanner.each(&self.stretch.text, visit),
            Places::Listed(pieces) => pieces.iter().cloned().try_for_each(visit),
        }
    }

    /// Whether the stretch is one word.
    pub fn is_one(&self) -> bool {
        matches!(self.places, Places::Whole)
    }

    /// The words as they are shown, with the bytes of the original that tokenizers names for each;
    /// `visible` shows bytes as visible characters.
    pub fn shown(&self, visible: bool) -> Vec<(String, Span)> {
        let mut shown = Vec::new();
        let visit = |word: Range<usize>| {
            let text = &self.stretch.text[word.clone()];
            let text =
                if visible { text.bytes().map(visible_of_byte).collect() } else { text.to_owned() };
            shown.push((text, self.stretch.named(word)));
            Ok::<(), Infallible>(())
        };
        self.each(visit).unwrap_or_else(|never| match never {});
        shown
    }
}

/// The step of a Split.
fn split(component: &Value, config: &Config) -> Result<Cut> {
    let pattern = &component["pattern"];
    let finder = match (pattern["regex"].as_str(), pattern["text"].as_str()) {
        (Some(regex), _) => match config.scanner_name(regex).and_then(scanner) {
            Some(scanner) => Finder::Scan(scanner),
            None => Finder::Regex(Regex::new(regex)?),
        },
        // Nothing is found everywhere, as by a regex.
        (None, Some("")) => Finder::Regex(Regex::new("")?),
        (None, Some(text)) => match character(pattern, "text") {
            Ok(only) => Finder::Class(Class::One(only)),
            Err(_) => Finder::String(Box::new(memmem::Finder::new(text).into_owned())),
        },
        (None, None) => return Err(not_run("pattern", pattern)),
    };
    let invert = flag(component, "invert");
    Ok(Cut { finder, behavior: Behavior::of(component), invert })
}

/// Whether a model reads bytes where ByteLevel would show it their visible characters.
fn reads_bytes(model: &Value) -> bool {
    model["order"] != "score" && matches!(kind(model), "" | "BPE")
}

/// The one character of a field.
fn character(component: &Value, name: &str) -> Result<char> {
    let mut characters = component[name].as_str().unwrap_or("").chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(Error::Option(format!(
            "the {name} of {} is {}; it must be one character",
            kind(component),
            component[name]
        ))),
    }
}
