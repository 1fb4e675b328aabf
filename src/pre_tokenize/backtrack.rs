//! Regexes that look around, by trying.
//!
//! Rule.    A regex becomes a program. From one place, a choice takes its first way and remembers the
//!          second; what fails goes back to the last choice. The first way that gets through is the
//!          match. What looks around runs a program of its own and keeps nothing of it.
//! Cost.    Without a bound, as for every such engine. Every step is counted, and the steps for one
//!          text are limited (`regex.rs`).

use std::collections::HashMap;
use std::result::Result as StdResult;

use fancy_regex::{Assertion, Expr, LookAround};
use regex_syntax::hir::{Class, ClassBytesRange, HirKind};

use super::budget::{Budget, too_costly};
use crate::error::Result;

/// A regex whose program would be longer is refused.
const LONGEST_PROGRAM: usize = 100_000;

/// How many ways may wait to be tried: so many for each byte of a text, and some more.
const UNTRIED_A_BYTE: usize = 4;
const MORE_UNTRIED: usize = 10_000;

/// One step of a program.
enum Step {
    /// A character of a class, by its number.
    Character(usize),
    /// Try the first; if that fails, the second.
    Choice(usize, usize),
    Jump(usize),
    /// Whether the program at `start` gets through here.
    Look {
        start: usize,
        negative: bool,
        behind: Option<(usize, usize)>,
    },
    /// The first way of the program at `start`, and no other.
    Atomic(usize),
    Assert(Assertion),
    /// What looks behind must end where it was asked.
    Arrive,
    Done,
}

/// Some characters: a bit for each of ASCII, ranges for the others.
struct CharacterClass {
    ascii: u128,
    ranges: Vec<(char, char)>,
}

impl CharacterClass {
    fn of(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let ranges: Vec<(char, char)> = ranges.into_iter().collect();
        let holds = |byte: u8| ranges.iter().any(|&(a, b)| (a..=b).contains(&char::from(byte)));
        let ascii = (0..128).filter(|&byte| holds(byte)).fold(0, |bits, byte| bits | 1 << byte);
        Self { ascii, ranges }
    }

    fn holds(&self, character: char) -> bool {
        if character.is_ascii() {
            return self.ascii >> (character as u32) & 1 == 1;
        }
        let at = self.ranges.partition_point(|&(_, last)| last < character);
        self.ranges.get(at).is_some_and(|&(first, _)| first <= character)
    }
}

/// A regex ready to run.
pub struct Backtracker {
    program: Vec<Step>,
    classes: Vec<CharacterClass>,
    /// The number of each class, by the regex that it is written as.
    numbers: HashMap<String, usize>,
    word: CharacterClass,
}

impl Backtracker {
    /// Compiles a regex; what it may not hold is an error that names it.
    pub fn new(expr: &Expr) -> StdResult<Self, String> {
        let word = class_of(r"\w")?;
        let mut backtracker =
            Self { program: Vec::new(), classes: Vec::new(), numbers: HashMap::new(), word };
        backtracker.compile(expr)?;
        backtracker.push(Step::Done)?;
        Ok(backtracker)
    }

    fn push(&mut self, step: Step) -> StdResult<usize, String> {
        if self.program.len() == LONGEST_PROGRAM {
            return Err("it repeats too much".into());
        }
        self.program.push(step);
        Ok(self.program.len() - 1)
    }

    fn compile(&mut self, expr: &Expr) -> StdResult<(), String> {
        match expr {
            Expr::Empty => {}
            Expr::Any { newline, crlf } => {
                let dots = match (newline, crlf) {
                    (true, _) => "(?s:.)",
                    (false, true) => "(?R-s:.)",
                    (false, false) => ".",
                };
                self.character(dots)?;
            }
            Expr::Literal { val, casei } => {
                for character in val.chars() {
                    let escaped =
                        fancy_regex::escape(character.encode_utf8(&mut [0; 4])).into_owned();
                    self.character(&in_case(&escaped, *casei))?;
                }
            }
            Expr::Delegate { inner, casei } => self.character(&in_case(inner, *casei))?,
            Expr::Concat(parts) => parts.iter().try_for_each(|part| self.compile(part))?,
            Expr::Group(inner) => self.compile(inner)?,
            Expr::Alt(ways) => self.alternatives(ways)?,
            Expr::Repeat { child, lo, hi, greedy } => self.repeat(child, *lo, *hi, *greedy)?,
            Expr::AtomicGroup(inner) => {
                let start = self.aside(inner, false)?;
                self.push(Step::Atomic(start))?;
            }
            Expr::LookAround(inner, look) => {
                let is_behind = matches!(look, LookAround::LookBehind | LookAround::LookBehindNeg);
                let behind = if is_behind { Some(lengths(inner)?) } else { None };
                let start = self.aside(inner, is_behind)?;
                let negative = matches!(look, LookAround::LookAheadNeg | LookAround::LookBehindNeg);
                self.push(Step::Look { start, negative, behind })?;
            }
            Expr::Assertion(Assertion::LeftWordHalfBoundary | Assertion::RightWordHalfBoundary) => {
                return Err("half of a word boundary is not run".into());
            }
            Expr::Assertion(assertion) => {
                self.push(Step::Assert(*assertion))?;
            }
            _ => return Err("only look-around, atomic groups and assertions are run".into()),
        }
        Ok(())
    }

    fn character(&mut self, regex: &str) -> StdResult<(), String> {
        if !self.numbers.contains_key(regex) {
            self.numbers.insert(regex.to_owned(), self.classes.len());
            self.classes.push(class_of(regex)?);
        }
        let number = self.numbers[regex];
        self.push(Step::Character(number)).map(|_| ())
    }

    fn alternatives(&mut self, ways: &[Expr]) -> StdResult<(), String> {
        let mut ends = Vec::new();
        for (index, way) in ways.iter().enumerate() {
            if index + 1 == ways.len() {
                self.compile(way)?;
                break;
            }
            let choice = self.push(Step::Choice(0, 0))?;
            self.compile(way)?;
            ends.push(self.push(Step::Jump(0))?);
            self.program[choice] = Step::Choice(choice + 1, self.program.len());
        }
        let end = self.program.len();
        for jump in ends {
            self.program[jump] = Step::Jump(end);
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        child: &Expr,
        lo: usize,
        hi: usize,
        greedy: bool,
    ) -> StdResult<(), String> {
        let choice = |once: usize, end: usize| {
            if greedy { Step::Choice(once, end) } else { Step::Choice(end, once) }
        };
        for _ in 0..lo {
            self.compile(child)?;
        }
        if hi == usize::MAX {
            let again = self.push(Step::Choice(0, 0))?;
            self.compile(child)?;
            self.push(Step::Jump(again))?;
            self.program[again] = choice(again + 1, self.program.len());
            return Ok(());
        }
        let mut choices = Vec::new();
        for _ in lo..hi {
            choices.push(self.push(Step::Choice(0, 0))?);
            self.compile(child)?;
        }
        let end = self.program.len();
        for at in choices {
            self.program[at] = choice(at + 1, end);
        }
        Ok(())
    }

    /// A program of its own, which the one around it jumps over.
    fn aside(&mut self, inner: &Expr, arrives: bool) -> StdResult<usize, String> {
        let jump = self.push(Step::Jump(0))?;
        self.compile(inner)?;
        if arrives {
            self.push(Step::Arrive)?;
        }
        self.push(Step::Done)?;
        self.program[jump] = Step::Jump(self.program.len());
        Ok(jump + 1)
    }

    /// Where the match that begins at a place ends; each step costs one of `budget`.
    pub fn longest(&self, text: &str, start: usize, budget: &mut Budget) -> Result<Option<usize>> {
        Run { backtracker: self, text, budget }.from(0, start, None)
    }
}

/// One search.
struct Run<'a, 'b> {
    backtracker: &'a Backtracker,
    text: &'a str,
    budget: &'a mut Budget<'b>,
}

impl Run<'_, '_> {
    /// Where the program at a step gets through, from a place on; `end` is where it must arrive.
    fn from(&mut self, first: usize, start: usize, end: Option<usize>) -> Result<Option<usize>> {
        let (mut at, mut place) = (first, start);
        let mut untried: Vec<(usize, usize)> = Vec::new(); // second ways, each with its place
        let most_untried = UNTRIED_A_BYTE * self.text.len() + MORE_UNTRIED;
        loop {
            self.budget.spend(1)?;
            let mut goes_on = true;
            match &self.backtracker.program[at] {
                Step::Done => return Ok(Some(place)),
                Step::Jump(to) => at = *to,
                Step::Choice(one, other) => {
                    if untried.len() >= most_untried {
                        return Err(too_costly());
                    }
                    untried.push((*other, place));
                    at = *one;
                }
                Step::Character(class) => match self.text[place..].chars().next() {
                    Some(character) if self.backtracker.classes[*class].holds(character) => {
                        place += character.len_utf8();
                        at += 1;
                    }
                    _ => goes_on = false,
                },
                Step::Atomic(inner) => match self.from(*inner, place, end)? {
                    Some(there) => (at, place) = (at + 1, there),
                    None => goes_on = false,
                },
                Step::Look { start, negative, behind } => {
                    goes_on = self.looks(*start, *behind, place)? != *negative;
                    at += 1;
                }
                Step::Assert(assertion) => {
                    goes_on = self.holds(*assertion, place)?;
                    at += 1;
                }
                Step::Arrive => {
                    goes_on = end == Some(place);
                    at += 1;
                }
            }
            if !goes_on {
                match untried.pop() {
                    Some(way) => (at, place) = way,
                    None => return Ok(None),
                }
            }
        }
    }

    /// Whether a program gets through from a place on, or from before it exactly to it.
    fn looks(
        &mut self,
        start: usize,
        behind: Option<(usize, usize)>,
        place: usize,
    ) -> Result<bool> {
        let Some((shortest, longest)) = behind else {
            return Ok(self.from(start, place, None)?.is_some());
        };
        let text = self.text;
        self.budget.spend(shortest)?;
        let earlier = text[..place].char_indices().rev().map(|(at, _)| at);
        let starts = std::iter::once(place).chain(earlier).take(longest + 1).skip(shortest);
        for from in starts {
            if self.from(start, from, Some(place))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an assertion is true of a place.
    fn holds(&mut self, assertion: Assertion, place: usize) -> Result<bool> {
        let (before, after) = self.text.split_at(place);
        let is_word = |c: Option<char>| c.is_some_and(|c| self.backtracker.word.holds(c));
        let word = (is_word(before.chars().next_back()), is_word(after.chars().next()));
        Ok(match assertion {
            Assertion::StartText => before.is_empty(),
            Assertion::EndText => after.is_empty(),
            Assertion::EndTextIgnoreTrailingNewlines { crlf } => {
                let is_end = |c: &char| *c == '\n' || crlf && *c == '\r';
                let ends = after.chars().take_while(is_end).count();
                self.budget.spend(ends)?;
                ends == after.len()
            }
            Assertion::StartLine { crlf } => {
                before.is_empty()
                    || before.ends_with('\n')
                    || crlf && before.ends_with('\r') && !after.starts_with('\n')
            }
            Assertion::EndLine { crlf } => {
                after.is_empty()
                    || after.starts_with('\n') && !(crlf && before.ends_with('\r'))
                    || crlf && after.starts_with('\r')
            }
            Assertion::WordBoundary => word.0 != word.1,
            Assertion::NotWordBoundary => word.0 == word.1,
            Assertion::LeftWordBoundary => word == (false, true),
            Assertion::RightWordBoundary => word == (true, false),
            // Refused when the program is made.
            Assertion::LeftWordHalfBoundary | Assertion::RightWordHalfBoundary => false,
        })
    }
}

/// The characters that a regex of one character stands for.
fn class_of(regex: &str) -> StdResult<CharacterClass, String> {
    let hir = regex_syntax::parse(regex).map_err(|error| error.to_string())?;
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Ok(CharacterClass::of(class.ranges().iter().map(|range| (range.start(), range.end()))))
        }
        HirKind::Class(Class::Bytes(class)) => {
            let range = |range: &ClassBytesRange| (range.start().into(), range.end().into());
            Ok(CharacterClass::of(class.ranges().iter().map(range)))
        }
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).map_err(|error| error.to_string())?;
            Ok(CharacterClass::of(text.chars().map(|character| (character, character))))
        }
        _ => Err(format!("{regex} is not one character")),
    }
}

/// A regex that heeds case or does not.
fn in_case(regex: &str, ignored: bool) -> String {
    if ignored { format!("(?i:{regex})") } else { regex.to_owned() }
}

/// The fewest and the most characters that an expression takes.
fn lengths(expr: &Expr) -> StdResult<(usize, usize), String> {
    Ok(match expr {
        Expr::Empty | Expr::LookAround(..) | Expr::Assertion(_) => (0, 0),
        Expr::Any { .. } | Expr::Delegate { .. } => (1, 1),
        Expr::Literal { val, .. } => (val.chars().count(), val.chars().count()),
        Expr::Group(inner) => lengths(inner)?,
        Expr::AtomicGroup(inner) => lengths(inner)?,
        Expr::Concat(parts) => parts.iter().try_fold((0, 0), |sum, part| {
            let more = lengths(part)?;
            Ok::<_, String>((sum.0 + more.0, sum.1 + more.1))
        })?,
        Expr::Alt(ways) => ways.iter().try_fold((usize::MAX, 0), |all: (usize, usize), way| {
            let its = lengths(way)?;
            Ok::<_, String>((all.0.min(its.0), all.1.max(its.1)))
        })?,
        Expr::Repeat { child, lo, hi, .. } if *hi <= LONGEST_PROGRAM => {
            let (fewest, most) = lengths(child)?;
            (fewest * lo, most * hi)
        }
        _ => return Err("what looks behind must be of bounded length".into()),
    })
}
