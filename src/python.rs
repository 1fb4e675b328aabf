//! Everything Python: this file and its folder alone import pyo3.
//!
//! Each call takes what it needs from Python objects, releases the GIL for the work, and hands flat
//! arrays back. Errors become the classes of `kugiri.errors`.

#![allow(clippy::needless_pass_by_value)] // pyo3 hands arguments over

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyString};

use crate::error::{Error, Result};
use crate::unicode::ClassTable;

mod asked;
mod batch;
mod canonical;
mod dictionary;
mod hypotheses;
mod limits;
mod ngram;
mod numbers;
mod sampling;
mod segment;
mod stream;
mod tables;
mod tokenizer;
mod train;
mod unigram;

mod errors {
    pyo3::import_exception!(kugiri.errors, EncodingError);
    pyo3::import_exception!(kugiri.errors, FormatError);
    pyo3::import_exception!(kugiri.errors, TrainingError);
    pyo3::import_exception!(kugiri.errors, VocabularyError);
    pyo3::import_exception!(kugiri.errors, OptionError);
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Encoding(_) | Error::Unknown(..) => errors::EncodingError::new_err(message),
            Error::Format(message, offset) => {
                errors::FormatError::new_err((message, None::<String>, offset))
            }
            Error::Training(_) => errors::TrainingError::new_err(message),
            Error::Vocabulary(_) => errors::VocabularyError::new_err(message),
            Error::Option(_) => errors::OptionError::new_err(message),
            Error::Interrupted => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
        }
    }
}

/// Runs `work` without the GIL and looks for Ctrl-C meanwhile: `stop` is set when it comes.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> Result<T> + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver); // only to say that waiting may happen without the GIL
    std::thread::scope(|scope| {
        let stop = &stop;
        let spawned =
            std::thread::Builder::new().spawn_scoped(scope, move || sender.send(work(stop)));
        let thread = spawned.map_err(|error| {
            PyErr::from(Error::Option(format!("no thread can be started: {error}")))
        })?;
        let mut signal = Ok(());
        loop {
            let wait = || match receiver.lock() {
                Ok(receiver) => receiver.recv_timeout(Duration::from_millis(50)),
                Err(_) => Err(RecvTimeoutError::Disconnected),
            };
            match py.detach(wait) {
                Ok(result) => break signal.and(result.map_err(PyErr::from)),
                Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                    signal = py.check_signals();
                    stop.store(signal.is_err(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                // A panic that is taken here is not passed on where the scope ends.
                Err(RecvTimeoutError::Disconnected) => {
                    let _ = thread.join();
                    break signal.and(Err(panicked()));
                }
            }
        }
    })
}

/// The same for work that may be Python's in part (`dictionary.rs`): that is done on this thread, which
/// need not wait for the lock of Python longer than others do, and ends with Ctrl-C by itself.
fn interruptible_unless<T: Send>(
    is_pythons: bool,
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> Result<T> + Send,
) -> PyResult<T> {
    if is_pythons {
        return Ok(py.detach(|| work(&Arc::default()))?);
    }
    interruptible(py, work)
}

fn panicked() -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err("a thread of the core ended early: a bug in kugiri")
}

/// The UTF-8 of a str; a lone surrogate has none.
fn text<'a>(string: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    utf8(string).ok_or_else(|| refused(string, "the text"))
}

fn texts<'a>(strings: &'a [Bound<'_, PyAny>]) -> PyResult<Vec<&'a str>> {
    let of =
        |(index, string)| utf8(string).ok_or_else(|| refused(string, &format!("text {index}")));
    strings.iter().enumerate().map(of).collect()
}

fn utf8<'a>(string: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    string.cast::<PyString>().ok()?.to_str().ok()
}

/// Why something is no text: said in one place, `kugiri.inputs`, and asked for only then.
#[cold]
fn refused(string: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let inputs = string.py().import("kugiri.inputs");
    match inputs.and_then(|inputs| inputs.call_method1("as_text", (string, name))) {
        Ok(_) => panicked(),
        Err(error) => error,
    }
}

/// Ids from a list of int; whatever else may hold ids is read in one place, `kugiri.inputs`.
fn ids(given: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Some(ids) = given.cast::<PyList>().ok().and_then(|list| listed(list)) {
        return Ok(ids);
    }
    let array = given.py().import("kugiri.inputs")?.call_method1("as_ids", (given,))?;
    Ok(column(&array.extract::<PyReadonlyArray1<'_, u32>>()?)?.to_vec())
}

/// The numbers of a list; None if one is no plain int of 32 bits.
fn listed(list: &Bound<'_, PyList>) -> Option<Vec<u32>> {
    list.iter().map(|item| item.cast_exact::<PyInt>().ok()?.extract().ok()).collect()
}

fn column<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    Ok(array.as_slice()?)
}

type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// Hands an array over. The first one imports numpy, and Ctrl-C may come meanwhile: the crate would
/// panic.
fn array<T: numpy::Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Array<'_, T>> {
    static IMPORTED: PyOnceLock<()> = PyOnceLock::new();
    IMPORTED.get_or_try_init(py, || numpy::get_array_module(py).map(drop))?;
    Ok(values.into_pyarray(py))
}

/// Starts and ends in turn.
fn flat_pairs(pairs: Vec<(usize, usize)>) -> Vec<i64> {
    pairs.into_iter().flat_map(|(start, end)| [start as i64, end as i64]).collect()
}

/// The module.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Built here, where no other thread runs: a fork at its first use elsewhere would leave the child
    // waiting for it.
    ClassTable::get();
    module.add_class::<tokenizer::Core>()?;
    module.add_class::<stream::Stream>()?;
    module.add_class::<canonical::NextTokens>()?;
    module.add_class::<tables::Vocabulary>()?;
    module.add_class::<train::WordCounter>()?;
    module.add_function(wrap_pyfunction!(train::train_bpe, module)?)?;
    module.add_function(wrap_pyfunction!(unigram::train_unigram, module)?)?;
    module.add_function(wrap_pyfunction!(limits::truncate, module)?)?;
    module.add_function(wrap_pyfunction!(limits::chunks, module)?)?;
    module.add_function(wrap_pyfunction!(sampling::sample, module)?)?;
    module.add_function(wrap_pyfunction!(sampling::sample_batch, module)?)?;
    module.add("ICU", crate::segment::VERSION)?;
    module.add_function(wrap_pyfunction!(segment::segment_words, module)?)?;
    module.add_function(wrap_pyfunction!(segment::count_graphemes, module)?)?;
    module.add_function(wrap_pyfunction!(ngram::held_out_bits, module)?)?;
    module.add_function(wrap_pyfunction!(tables::content_key, module)?)?;
    module.add_function(wrap_pyfunction!(tables::split_object, module)?)?;
    module.add_function(wrap_pyfunction!(tables::repeated_key, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_vocab, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_ranks, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_pieces, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_merges, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(tables::check_tables, module)?)?;
    module.add_function(wrap_pyfunction!(tables::resolve_merges, module)?)
}
