//! Ids as Python's numbers.
//!
//! Python makes a new object of each number above 256. Here each id has one, made at its first use:
//! lists of ids are built faster, and many of them take less memory.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

/// Ids from here on, which no usual vocabulary has, have no object of their own.
const MOST: usize = 1 << 20;

/// The numbers that were needed so far, by id.
#[derive(Default)]
pub(super) struct Numbers(Mutex<Vec<Option<Py<PyInt>>>>);

impl Numbers {
    /// A list of ids.
    pub(super) fn list<'py>(&self, py: Python<'py>, ids: &[u32]) -> PyResult<Bound<'py, PyList>> {
        // A lock that cannot be had at once (another thread held it at a fork) is not waited for.
        let Ok(mut kept) = self.0.try_lock() else { return PyList::new(py, ids) };
        PyList::new(py, ids.iter().map(|&id| number(py, &mut kept, id)))
    }
}

fn number<'py>(py: Python<'py>, kept: &mut Vec<Option<Py<PyInt>>>, id: u32) -> Bound<'py, PyInt> {
    let index = id as usize;
    if index >= MOST {
        return PyInt::new(py, id);
    }
    if index >= kept.len() {
        kept.resize_with(index + 1, || None);
    }
    kept[index].get_or_insert_with(|| PyInt::new(py, id).unbind()).bind(py).clone()
}
