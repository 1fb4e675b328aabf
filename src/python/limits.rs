//! Texts within a limit of tokens.

use pyo3::prelude::*;

use super::tokenizer::Core;
use super::{Array, array, flat_pairs};
use crate::limits::Limits;

/// How many characters of a text its first tokens cover, at most `max_tokens` of them.
#[pyfunction]
pub fn truncate(core: &Core, string: &Bound<'_, PyAny>, max_tokens: usize) -> PyResult<usize> {
    core.one(string, |worker, text| {
        let part = Limits::new(&core.pipeline, worker, max_tokens).beginning(text)?;
        Ok(text[..part.end].chars().count())
    })
}

/// Parts of a text: start and end of each in characters, the ids of all, and where those of each
/// begin and end.
#[pyfunction]
#[allow(clippy::type_complexity)] // spans, ids and offsets
pub fn chunks<'py>(
    core: &Core,
    string: &Bound<'py, PyAny>,
    max_tokens: usize,
    overlap: usize,
) -> PyResult<(Array<'py, i64>, Array<'py, u32>, Array<'py, i64>)> {
    let parts = core.one(string, |worker, text| {
        Limits::new(&core.pipeline, worker, max_tokens).parts(text, overlap)
    })?;
    let py = string.py();
    let ends = parts.ends.into_iter().map(|end| end as i64);
    let offsets: Vec<i64> = std::iter::once(0).chain(ends).collect();
    Ok((array(py, flat_pairs(parts.spans))?, array(py, parts.ids)?, array(py, offsets)?))
}
