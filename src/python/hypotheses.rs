//! The ways to cut a text, as Python is told them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Array, array, flat_pairs};
use crate::hypotheses::{Hypothesis, Marginal};

/// The tokens that are not shown by their string in the vocabulary, by number, with another.
pub type Met<'py> = Vec<(usize, Bound<'py, PyBytes>)>;
/// Ids, unknown tokens, log probability and posterior.
pub type Way<'py> = (Vec<u32>, Met<'py>, f64, f64);
/// Id (or none), text, and of all together the spans in bytes and the probabilities.
pub type Marginals<'py> = (Vec<(Option<u32>, String)>, Array<'py, i64>, Array<'py, f64>);

/// Strings of tokens.
pub fn met<'py>(py: Python<'py>, texts: &[(usize, Vec<u8>)]) -> Met<'py> {
    texts.iter().map(|(index, text)| (*index, PyBytes::new(py, text))).collect()
}

/// A hypothesis.
pub fn way(py: Python<'_>, way: Hypothesis) -> Way<'_> {
    let surfaces = met(py, &way.met);
    (way.ids, surfaces, way.log_prob, way.posterior)
}

/// All marginals of a text.
pub fn marginals(py: Python<'_>, marginals: Vec<Marginal>) -> PyResult<Marginals<'_>> {
    let spans = marginals.iter().map(|marginal| marginal.span).collect();
    let shares: Vec<f64> = marginals.iter().map(|marginal| marginal.probability).collect();
    let pieces = marginals.into_iter().map(|marginal| (marginal.id, marginal.text)).collect();
    Ok((pieces, array(py, flat_pairs(spans))?, array(py, shares)?))
}
