//! The columnar JSON readers as Python sees them.
#![allow(clippy::needless_pass_by_value)] // pyo3 hands arguments over

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::collections::strings::{RowsByString, Strings};
use crate::error::{Error, Result};
use crate::json_tables::promises::Promised;
use crate::json_tables::{self, merges, repeated, vocabulary};
use crate::keep;
use crate::ranks;
use crate::vocab::NO_ID;

/// A number of a column, which Python holds as the bytes of all of them.
pub(super) trait Number: Copy {
    /// The type as numpy calls it.
    const NAME: &str;
    /// The numbers whose bytes these are.
    fn all(bytes: &[u8]) -> Vec<Self>;
    /// Writes the bytes of numbers into room for as many.
    fn write(all: &[Self], bytes: &mut [u8]);
}

macro_rules! number {
    ($($type:ty: $name:literal),*) => {$(
        impl Number for $type {
            const NAME: &str = $name;

            fn all(bytes: &[u8]) -> Vec<Self> {
                let numbers = bytes.chunks_exact(size_of::<Self>());
                numbers.map(|bytes| Self::from_ne_bytes(bytes.try_into().unwrap_or_default())).collect()
            }

            fn write(all: &[Self], bytes: &mut [u8]) {
                for (number, bytes) in all.iter().zip(bytes.chunks_exact_mut(size_of::<Self>())) {
                    bytes.copy_from_slice(&number.to_ne_bytes());
                }
            }
        }
    )*};
}
number!(
    u8: "uint8", u32: "uint32", u64: "uint64", i64: "int64", f32: "float32", f64: "float64"
);

/// Numbers as Python holds them.
fn numbers<'py, T: Number>(py: Python<'py>, numbers: &[T]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(numbers), |bytes| {
        T::write(numbers, bytes);
        Ok(())
    })
}

/// Tokens, and how their rows are found: what the core makes of a vocabulary once.
#[pyclass(frozen, module = "kugiri._core")]
pub(super) struct Vocabulary {
    pub(super) strings: Arc<Strings>,
    pub(super) rows: Arc<RowsByString>,
}

impl Vocabulary {
    pub(super) fn of(strings: Strings, rows: RowsByString) -> Self {
        Self { strings: Arc::new(strings), rows: Arc::new(rows) }
    }
}

#[pymethods]
impl Vocabulary {
    #[new]
    fn new(data: Vec<u8>, offsets: &[u8]) -> Self {
        let strings = Strings { data, offsets: Number::all(offsets) };
        let rows = RowsByString::of(&strings);
        Self::of(strings, rows)
    }

    /// The row of each of some strings; None for one that is not there.
    fn find(&self, strings: Vec<Vec<u8>>) -> Vec<Option<u32>> {
        strings.iter().map(|string| self.rows.get(&self.strings, string)).collect()
    }
}

type Tokens<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn tokens<'py>(py: Python<'py>, strings: &Strings) -> PyResult<Tokens<'py>> {
    Ok((PyBytes::new(py, &strings.data), numbers(py, &strings.offsets)?))
}

/// Tokens, their ids or None where they are the rows, and how they are found.
type Found<'py> =
    (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>, Vocabulary);

fn found<'py>(
    py: Python<'py>,
    strings: Strings,
    rows: RowsByString,
    ids: &[u32],
) -> PyResult<Found<'py>> {
    let are_rows = ids.iter().zip(0..).all(|(&id, row)| id == row);
    let (data, offsets) = tokens(py, &strings)?;
    let ids = (!are_rows).then(|| numbers(py, ids)).transpose()?;
    Ok((data, offsets, ids, Vocabulary::of(strings, rows)))
}

/// The ids of left part, right part and join of each merge; the first that has something missing,
/// by number, with its parts and which of the three that is.
type Merges<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Option<(usize, Vec<u8>, Vec<u8>, usize)>,
);

fn resolved<'py>(
    py: Python<'py>,
    parts: &Strings,
    vocab: &Vocabulary,
    ids: Option<&[u8]>,
    prefix: usize,
) -> PyResult<Merges<'py>> {
    let columns = py.detach(|| -> Result<_> {
        let mut columns = merges::resolve_merges(parts, &vocab.strings, &vocab.rows, prefix)?;
        if let Some(ids) = ids.map(u32::all) {
            for row in columns.iter_mut().flatten().filter(|row| **row != NO_ID) {
                *row = ids[*row as usize];
            }
        }
        Ok(columns)
    })?;
    let missing = columns.iter().zip(0..).find_map(|(column, which)| {
        let merge = column.iter().position(|&id| id == NO_ID)?;
        Some((merge, parts.row(2 * merge).to_vec(), parts.row(2 * merge + 1).to_vec(), which))
    });
    let [left, right, join] = &columns;
    Ok((numbers(py, left)?, numbers(py, right)?, numbers(py, join)?, missing))
}

/// A value of a JSON file: the file, and where in it the value begins and ends.
#[derive(FromPyObject)]
pub(super) struct Json<'py>(Bound<'py, PyBytes>, usize, Option<usize>);

impl Json<'_> {
    fn bytes(&self) -> &[u8] {
        let whole = self.0.as_bytes();
        whole.get(self.1..self.2.unwrap_or(whole.len())).unwrap_or_default()
    }
}

/// Size and sums of a content.
#[pyfunction]
pub(super) fn content_key(py: Python<'_>, content: &[u8]) -> (u64, u64, u64) {
    let [size, one, two] = py.detach(|| keep::key(content));
    (size, one, two)
}

/// The keys of an object with the place of each value.
#[pyfunction]
pub(super) fn split_object(json: Json<'_>) -> PyResult<Vec<(String, usize, usize)>> {
    Ok(json_tables::split_object(json.bytes())?)
}

/// A key that stands twice in one object of a document.
#[pyfunction]
pub(super) fn repeated_key(json: Json<'_>) -> Option<String> {
    repeated::repeated_key(json.bytes())
}

/// An array of tokens.
#[pyfunction]
pub(super) fn read_tokens<'py>(py: Python<'py>, json: Json<'_>) -> PyResult<Tokens<'py>> {
    let bytes = json.bytes();
    tokens(py, &py.detach(|| vocabulary::read_tokens(bytes))?)
}

/// An object `{"token": id}`.
#[pyfunction]
pub(super) fn read_vocab<'py>(py: Python<'py>, json: Json<'_>) -> PyResult<Found<'py>> {
    let bytes = json.bytes();
    let (strings, rows, ids) = py.detach(|| vocabulary::read_vocab(bytes))?;
    found(py, strings, rows, &ids)
}

/// The tokens of a .tiktoken file with their ranks; None where the file is not as it usually is.
#[pyfunction]
pub(super) fn read_ranks<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Option<Found<'py>>> {
    let usual = py.detach(|| ranks::read_ranks(data));
    usual.map(|(strings, rows, ranks)| found(py, strings, rows, &ranks)).transpose()
}

/// An array of `[piece, score]`.
#[pyfunction]
pub(super) fn read_pieces<'py>(
    py: Python<'py>,
    json: Json<'_>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let bytes = json.bytes();
    let (strings, scores) = py.detach(|| vocabulary::read_pieces(bytes))?;
    let (data, offsets) = tokens(py, &strings)?;
    Ok((data, offsets, numbers(py, &scores)?))
}

/// An array of merges, and whether they are written in the old way.
#[pyfunction]
#[pyo3(signature = (json, vocab, ids, prefix))]
pub(super) fn read_merges<'py>(
    py: Python<'py>,
    json: Json<'_>,
    vocab: &Vocabulary,
    ids: Option<&[u8]>,
    prefix: usize,
) -> PyResult<(Merges<'py>, bool)> {
    let bytes = json.bytes();
    let (parts, joined) = py.detach(|| merges::read_merges(bytes))?;
    let resolved = resolved(py, &parts, vocab, ids, prefix)?;
    if resolved.3.is_some() {
        merges::require_text(bytes)?;
    }
    Ok((resolved, joined))
}

/// An array of numbers of one type.
#[pyfunction]
pub(super) fn read_numbers<'py>(
    py: Python<'py>,
    json: Json<'_>,
    dtype: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    macro_rules! read {
        ($type:ty) => {
            numbers(py, &json_tables::read_numbers::<$type>(json.bytes())?)?
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

/// Merges whose parts are listed, left and right in turn.
#[pyfunction]
#[pyo3(signature = (data, offsets, vocab, ids, prefix))]
pub(super) fn resolve_merges<'py>(
    py: Python<'py>,
    data: Vec<u8>,
    offsets: &[u8],
    vocab: &Vocabulary,
    ids: Option<&[u8]>,
    prefix: usize,
) -> PyResult<Merges<'py>> {
    resolved(py, &Strings { data, offsets: Number::all(offsets) }, vocab, ids, prefix)
}

/// What the tables of a model promise each other and do not keep, in words.
#[pyfunction]
#[pyo3(signature = (offsets, ids, highest, merges, prefix))]
pub(super) fn check_tables(
    py: Python<'_>,
    offsets: &[u8],
    ids: Option<&[u8]>,
    highest: u32,
    merges: Option<[Bound<'_, PyBytes>; 3]>,
    prefix: i64,
) -> Option<String> {
    let offsets: Vec<i64> = Number::all(offsets);
    let ids = ids.map(u32::all);
    let merges = merges.map(|columns| columns.map(|column| u32::all(column.as_bytes())));
    py.detach(|| {
        let merges = merges.as_ref().map(|columns| columns.each_ref().map(Vec::as_slice));
        Promised { offsets: &offsets, ids: ids.as_deref(), highest, merges, prefix }.broken()
    })
}
