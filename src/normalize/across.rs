//! What a normalizer makes of the two characters beside a place where a text is cut.
//!
//! Rule.    A step is safe there if it rewrites what is left and what is right as it rewrites them
//!          together, whatever stands farther away; then it says which characters the place has
//!          beside it afterwards. A step that cannot say so is taken for unsafe.

use super::normal_forms::{Form, NormalForms};
use super::tables::kind;
use super::{Normalizer, Step};

impl Normalizer {
    /// The two characters beside a place once they are normalized; None where the two sides may not
    /// be normalized each for itself.
    pub fn across(&self, pair: (char, char)) -> Option<(char, char)> {
        self.steps.iter().try_fold(pair, |pair, step| self.step_across(step, pair))
    }

    fn step_across(&self, step: &Step, pair: (char, char)) -> Option<(char, char)> {
        let both = |keeps: &dyn Fn(char) -> bool| (keeps(pair.0) && keeps(pair.1)).then_some(pair);
        let forms = || NormalForms::of(self.tables);
        let is_none_of = |kinds: u8, c: char| self.tables.kinds().of(c as u32) & kinds == 0;
        match step {
            Step::SentencePiece(inner) => inner.across(pair),
            Step::Form(form) => both(&|c| forms().is_settled(*form, c)),
            Step::Lowercase => both(&|c| is_none_of(kind::CASED, c)),
            Step::StripAccents => both(&|c| is_none_of(kind::MARK, c)),
            Step::Nmt => both(&|c| is_none_of(kind::NMT, c)),
            Step::ByteLevel => both(&|c| c.is_ascii_graphic()),
            // What is put around an ideograph is so for each by itself.
            Step::Bert(bert) if is_none_of(kind::IDEOGRAPH, pair.1) => {
                let changed = kind::UNCLEAN | kind::CASED | kind::NONSPACING;
                let keeps = |c| is_none_of(changed, c) && forms().is_settled(Form::Nfd, c);
                let is_clean = pair.1 == ' ' || is_none_of(kind::SPACE, pair.1);
                let is_set_apart = bert.sets_apart && !is_none_of(kind::IDEOGRAPH, pair.0);
                let left = if is_set_apart { ' ' } else { pair.0 };
                both(&|c| is_clean && keeps(c)).map(|(_, right)| (left, right))
            }
            Step::Strip { .. } => (!pair.0.is_whitespace()).then_some(pair),
            Step::Prepend(_) => Some(pair),
            Step::Replace(replace) => replace.across(pair),
            Step::Precompiled(charsmap) => charsmap.keeps(pair.0, pair.1).then_some(pair),
            Step::Bert(_) => None,
        }
    }
}
