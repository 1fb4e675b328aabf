//! What a call asks for beside the text.

use pyo3::prelude::*;

use crate::special_tokens::{Allowed, Special};

/// What a call asks for beside the text, as Python says it.
#[derive(FromPyObject)]
pub(super) struct Asked(Option<Requests>);

/// The ids of the special tokens that may
/// be found, in order (None is all), whether the template adds its own, the ids for begin and end,
/// and whether the order is reversed.
#[derive(FromPyObject)]
struct Requests(Option<Vec<u32>>, bool, Option<u32>, Option<u32>, bool);

impl Asked {
    pub(super) fn as_special(&self) -> Special<'_> {
        let Some(requests) = &self.0 else { return Special::default() };
        let &Requests(ref allowed, add, begin, end, reverse) = requests;
        let allowed = allowed.as_deref().map_or(Allowed::All, Allowed::Ids);
        Special { allowed, add, begin, end, reverse, continues: false }
    }
}
