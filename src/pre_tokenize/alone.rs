//! What BertPreTokenizer makes of a character, whatever stands beside it.

use super::characters::Class;
use super::cut::{Behavior, Cut, Finder};
use super::{PreTokenizer, Step};

/// What becomes of a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alone {
    /// It belongs to the word of its neighbours.
    Within,
    /// It is a word by itself.
    Word,
    /// It is dropped, and parts words.
    Dropped,
}

impl PreTokenizer {
    /// What becomes of each character, if BertPreTokenizer is all there is.
    pub fn of_single(&self) -> Option<impl Fn(char) -> Alone + '_> {
        let cuts = |step: &Step, wanted: Class, how: Behavior| match step {
            Step::Cut(Cut { finder: Finder::Class(class), behavior, invert: false }) => {
                *class == wanted && *behavior == how
            }
            _ => false,
        };
        let [first, second] = &self.steps[..] else { return None };
        let is_berts = cuts(first, Class::Space, Behavior::Removed)
            && cuts(second, Class::Punctuation, Behavior::Isolated);
        is_berts.then_some(|c| match (Class::Space.holds(c), Class::Punctuation.holds(c)) {
            (true, _) => Alone::Dropped,
            (false, true) => Alone::Word,
            (false, false) => Alone::Within,
        })
    }
}
