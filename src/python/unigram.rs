//! Training Unigram as Python sees it.
#![allow(clippy::needless_pass_by_value)] // pyo3 hands arguments over

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Array, array, column, interruptible};
use crate::error::Error;
use crate::train::unigram::{self, Options};
use crate::train::word_counts::Words;

/// Trains Unigram on counted words: pieces, scores, and a JSON of the rest.
#[pyfunction]
#[allow(clippy::type_complexity)] // pieces as two columns, scores, the rest
pub(super) fn train_unigram<'py>(
    py: Python<'py>,
    data: &[u8],
    offsets: PyReadonlyArray1<'py, i64>,
    counts: PyReadonlyArray1<'py, u64>,
    options: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Array<'py, i64>, Array<'py, f32>, Bound<'py, PyBytes>)> {
    let options: Options = serde_json::from_slice(options)
        .map_err(|error| Error::Option(format!("the options of the trainer: {error}")))?;
    let words = Words { data, offsets: column(&offsets)?, counts: column(&counts)? };
    let trained = interruptible(py, |stop| unigram::train(&words, &options, stop))?;
    let info = serde_json::json!({
        "seeds": trained.seeds,
        "rounds": trained.rounds,
        "seconds": trained.seconds,
    });
    let (mut data, mut offsets, mut scores) = (Vec::new(), vec![0], Vec::new());
    for (piece, score) in trained.pieces {
        data.extend_from_slice(piece.as_bytes());
        offsets.push(data.len() as i64);
        scores.push(score);
    }
    Ok((
        PyBytes::new(py, &data),
        array(py, offsets)?,
        array(py, scores)?,
        PyBytes::new(py, info.to_string().as_bytes()),
    ))
}
