//! The columnar JSON readers as Python sees them.
#![allow(clippy::needless_pass_by_value)] // pyo3 hands arguments over

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Array, column};
use crate::error::Error;
use crate::json_tables::{self, Strings, merges, vocabulary};
use crate::ranks;
use numpy::PyReadonlyArray1;

type Tokens<'py> = (Bound<'py, PyBytes>, Array<'py, i64>);

fn tokens(py: Python<'_>, strings: Strings) -> Tokens<'_> {
    (PyBytes::new(py, &strings.data), strings.offsets.into_pyarray(py))
}

/// The keys of an object with the place of each value.
#[pyfunction]
pub(super) fn split_object(json: &[u8]) -> PyResult<Vec<(String, usize, usize)>> {
    Ok(json_tables::split_object(json)?)
}

/// An array of tokens.
#[pyfunction]
pub(super) fn read_tokens<'py>(py: Python<'py>, json: &[u8]) -> PyResult<Tokens<'py>> {
    Ok(tokens(py, py.detach(|| vocabulary::read_tokens(json))?))
}

/// An object `{"token": id}`.
#[pyfunction]
pub(super) fn read_vocab<'py>(
    py: Python<'py>,
    json: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Array<'py, i64>, Array<'py, u32>)> {
    let (strings, ids) = py.detach(|| vocabulary::read_vocab(json))?;
    let (data, offsets) = tokens(py, strings);
    Ok((data, offsets, ids.into_pyarray(py)))
}

/// The tokens of a .tiktoken file with their ranks; None where the file is not as it usually is.
#[pyfunction]
#[allow(clippy::type_complexity)] // tokens and ranks
pub(super) fn read_ranks<'py>(
    py: Python<'py>,
    data: &[u8],
) -> Option<(Bound<'py, PyBytes>, Array<'py, i64>, Array<'py, u32>)> {
    let (strings, ranks) = py.detach(|| ranks::read_ranks(data))?;
    let (data, offsets) = tokens(py, strings);
    Some((data, offsets, ranks.into_pyarray(py)))
}

/// An array of `[piece, score]`.
#[pyfunction]
pub(super) fn read_pieces<'py>(
    py: Python<'py>,
    json: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Array<'py, i64>, Array<'py, f64>)> {
    let (strings, scores) = py.detach(|| vocabulary::read_pieces(json))?;
    let (data, offsets) = tokens(py, strings);
    Ok((data, offsets, scores.into_pyarray(py)))
}

/// An array of merges, and whether they are written in the old way.
#[pyfunction]
pub(super) fn read_merges<'py>(
    py: Python<'py>,
    json: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Array<'py, i64>, bool)> {
    let (strings, joined) = py.detach(|| merges::read_merges(json))?;
    let (data, offsets) = tokens(py, strings);
    Ok((data, offsets, joined))
}

/// An array of numbers of one type.
#[pyfunction]
pub(super) fn read_numbers<'py>(
    py: Python<'py>,
    json: &[u8],
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! read {
        ($type:ty) => {
            json_tables::read_numbers::<$type>(json)?.into_pyarray(py).into_any()
        };
    }
    Ok(match dtype {
        "uint8" => read!(u8),
        "uint32" => read!(u32),
        "uint64" => read!(u64),
        "float32" => read!(f32),
        "float64" => read!(f64),
        _ => return Err(Error::Option(format!("no column holds {dtype}")).into()),
    })
}

/// The row of each string in a vocabulary.
#[pyfunction]
pub(super) fn find_rows<'py>(
    py: Python<'py>,
    wanted: &[u8],
    wanted_offsets: PyReadonlyArray1<'py, i64>,
    vocab: &[u8],
    vocab_offsets: PyReadonlyArray1<'py, i64>,
) -> PyResult<Array<'py, u32>> {
    let (wanted, vocab) = ((wanted, column(&wanted_offsets)?), (vocab, column(&vocab_offsets)?));
    Ok(py.detach(|| vocabulary::find_rows(wanted, vocab)).into_pyarray(py))
}

/// The rows of left part, right part and join of each merge.
#[pyfunction]
#[allow(clippy::type_complexity)] // three columns
pub(super) fn resolve_merges<'py>(
    py: Python<'py>,
    parts: &[u8],
    part_offsets: PyReadonlyArray1<'py, i64>,
    vocab: &[u8],
    vocab_offsets: PyReadonlyArray1<'py, i64>,
    prefix: usize,
) -> PyResult<(Array<'py, u32>, Array<'py, u32>, Array<'py, u32>)> {
    let (parts, vocab) = ((parts, column(&part_offsets)?), (vocab, column(&vocab_offsets)?));
    let columns = py.detach(|| merges::resolve_merges(parts, vocab, prefix));
    let [left, right, join] = columns.map(|rows| rows.into_pyarray(py));
    Ok((left, right, join))
}
