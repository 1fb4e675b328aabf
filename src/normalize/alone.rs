//! What BertNormalizer makes of a character, whatever stands beside it.
//!
//! Rule.    Cleaning, spaces and cases look at one character at a time. Taking a text apart puts marks
//!          in order, but a mark never passes a character of class 0; and marks that are taken out
//!          leave the others in their order. So a character that becomes one of class 0 and marks
//!          that are taken out becomes that in every text, and one that becomes only such marks
//!          becomes nothing.
//! Source.  `characters.rs` is what this repeats; `tests/test_raw_words.py` compares each character.

use super::normal_forms::NormalForms;
use super::tables::{kind, lower_case};
use super::{Normalizer, Step};

/// What becomes of a character, whatever stands beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alone {
    /// This character.
    One(char),
    /// This character, with a space on each side.
    Spaced(char),
    /// Nothing.
    Nothing,
    /// What stands beside it matters, or it is several characters.
    Unknown,
}

impl Normalizer {
    /// What becomes of each character, if BertNormalizer is all there is.
    pub fn of_single(&self) -> Option<impl Fn(char) -> Alone + '_> {
        let [Step::Bert(bert)] = &self.steps[..] else { return None };
        let (kinds, forms) = (self.tables.kinds(), NormalForms::of(self.tables));
        Some(move |original: char| {
            let of = |c: char, wanted: u8| kinds.of(c as u32) & wanted != 0;
            let mut c = original;
            if bert.clean_text && of(c, kind::UNCLEAN) {
                return Alone::Nothing;
            }
            if bert.clean_text && of(c, kind::SPACE) {
                c = ' ';
            }
            if bert.strip_accents {
                match forms.alone(c, |c| of(c, kind::NONSPACING)) {
                    Alone::One(first) => c = first,
                    other => return other,
                }
            }
            if bert.lowercase && c == 'İ' {
                return Alone::Unknown;
            }
            if bert.lowercase && of(c, kind::CASED) {
                c = lower_case(c);
            }
            let is_spaced = bert.sets_apart && of(original, kind::IDEOGRAPH);
            if is_spaced { Alone::Spaced(c) } else { Alone::One(c) }
        })
    }
}
