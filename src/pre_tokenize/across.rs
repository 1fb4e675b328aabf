//! Whether a word begins at a place where a text is cut.
//!
//! Rule.    The two characters beside the place must settle it, whatever stands farther away. Between
//!          a letter or number and what is neither that nor a mark nor an apostrophe, each named
//!          pattern begins a match: its runs of letters and of numbers end there, no other of its
//!          parts reaches over one of them, and a match is found by what comes behind its beginning
//!          alone. A class of characters cuts by two neighbours, a dictionary where a line ends. Other
//!          patterns and cuts by number of characters cannot say, unless a step before them has cut
//!          there.

use super::cut::{Behavior, Cut, Finder};
use super::rewrite::Rewrite;
use super::{PreTokenizer, Step};
use crate::unicode::{ClassTable, class};

/// What begins at a place.
pub enum Start {
    /// A word, always.
    Word,
    /// Nothing: the model is given these two characters side by side.
    Within((char, char)),
    /// Who knows.
    Unknown,
}

/// What a step makes of a place.
#[derive(PartialEq)]
enum Cuts {
    Here,
    /// And what is right of the place is dropped.
    Away,
    Not,
    Unknown,
}

impl PreTokenizer {
    /// Whether a stretch can be more than one word.
    pub fn cuts(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Cut(_)))
    }

    /// Whether a stretch is one word, as it is.
    pub fn is_none(&self) -> bool {
        self.steps.is_empty()
    }

    /// What begins between two characters.
    pub fn across(&self, (mut left, mut right): (char, char)) -> Start {
        let mut cut = Cuts::Not;
        for step in &self.steps {
            match (step, &cut) {
                (Step::Cut(step), Cuts::Not) => cut = step.across(left, right),
                (Step::Rewrite(Rewrite::Metaspace { mark, .. }), Cuts::Not) => {
                    let shown = |c| mark.chars().next().filter(|_| c == ' ').unwrap_or(c);
                    (left, right) = (shown(left), shown(right));
                }
                // The first piece of a block is taken for one that has begun before.
                (Step::Rewrite(rewrite), Cuts::Here) if rewrite.prepends() => cut = Cuts::Unknown,
                (Step::Rewrite(Rewrite::Visible), Cuts::Not) => cut = Cuts::Unknown,
                // Once pieces are put side by side, nobody sees that the first has begun here.
                (Step::Rewrite(_), Cuts::Away) => cut = Cuts::Here,
                _ => {}
            }
        }
        match cut {
            Cuts::Here | Cuts::Away => Start::Word,
            Cuts::Not => Start::Within((left, right)),
            Cuts::Unknown => Start::Unknown,
        }
    }
}

impl Cut {
    fn across(&self, left: char, right: char) -> Cuts {
        match &self.finder {
            Finder::Scan(_) if self.plain_scan().is_some() && ends_a_run(left, right) => Cuts::Here,
            Finder::Class(class) => {
                let found = (class.holds(left), class.holds(right));
                let (before, now) = (found.0 != self.invert, found.1 != self.invert);
                if now && self.behavior == Behavior::Removed {
                    Cuts::Away
                } else if found == (false, false) || self.behavior.glues(before, now) {
                    Cuts::Not
                } else {
                    Cuts::Here
                }
            }
            // It is given line by line, and no letter or number is passed over.
            Finder::Dictionary(_) if right == '\n' && is_letter_or_number(left) => Cuts::Here,
            _ => Cuts::Unknown,
        }
    }
}

/// Whether a run of letters or numbers ends between two characters, in every named pattern.
fn ends_a_run(left: char, right: char) -> bool {
    let letters = class::LETTER | class::NUMBER;
    is_letter_or_number(left)
        && ClassTable::get().of(right as u32) & (letters | class::UPPER | class::LOWER) == 0
        && right != '\''
}

fn is_letter_or_number(character: char) -> bool {
    ClassTable::get().of(character as u32) & (class::LETTER | class::NUMBER) != 0
}
