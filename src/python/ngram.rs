//! Bits of held-out documents, as Python asks for them.

use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use super::{Array, array, column, interruptible};
use crate::ngram::{self, Documents};
use crate::stop::Stop;

/// The bits of each document that is held out, under a model of the others; 0 for these.
#[pyfunction]
pub fn held_out_bits<'py>(
    py: Python<'py>,
    ids: PyReadonlyArray1<'py, u32>,
    offsets: PyReadonlyArray1<'py, i64>,
    held_out: PyReadonlyArray1<'py, bool>,
    order: usize,
    below: PyReadonlyArray1<'py, f64>,
    threads: Option<usize>,
) -> PyResult<Array<'py, f64>> {
    let documents =
        Documents { ids: column(&ids)?, offsets: column(&offsets)?, held_out: column(&held_out)? };
    let below = column(&below)?;
    let bits = interruptible(py, |stop| {
        let stop = Stop(Some(Arc::clone(stop)));
        ngram::held_out_bits(documents, order, below, threads, &stop)
    })?;
    array(py, bits)
}
