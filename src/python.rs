//! Everything Python: this file and its folder alone import pyo3.
//!
//! Each call takes what it needs from Python objects, releases the GIL for the work, and hands flat
//! arrays back. Errors become the classes of `kugiri.errors`.

#![allow(clippy::needless_pass_by_value)] // pyo3 hands arguments over

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::error::{Error, Result};
use crate::models::MergeColumns;
use crate::parallel;
use crate::pipeline::{Pipeline, Worker};
use crate::pre_tokenize::PreTokenizer;
use crate::spec::Config;
use crate::train::bpe;
use crate::train::options::Options;

use crate::train::word_counts::{self, Words};
use crate::unicode::ClassTable;
use crate::vocab::Vocab;

mod tables;
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

/// Below this many bytes a call is over before anybody could press Ctrl-C.
const LONG: usize = 4 << 20;
/// Texts are handed to threads in groups of about this many bytes.
const GROUP: usize = 64 << 10;

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
        scope.spawn(move || sender.send(work(stop)));
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
                Err(RecvTimeoutError::Disconnected) => break signal.and(Err(panicked())),
            }
        }
    })
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

fn column<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    Ok(array.as_slice()?)
}

type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// A tokenizer, ready to run.
#[pyclass(frozen, module = "kugiri._core")]
struct Core {
    pipeline: Pipeline,
    workers: Mutex<Vec<Worker>>,
}

/// A worker on loan. A lock that cannot be had at once (another thread held it at a fork) is not
/// waited for: there is simply a new worker.
struct Loan<'a> {
    worker: Worker,
    core: &'a Core,
}

impl<'a> Loan<'a> {
    fn of(core: &'a Core) -> Self {
        let free = core.workers.try_lock().ok();
        let worker = free.and_then(|mut workers: MutexGuard<Vec<Worker>>| workers.pop());
        Self { worker: worker.unwrap_or_default(), core }
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.worker.set_stop(None);
        if let Ok(mut workers) = self.core.workers.try_lock() {
            workers.push(std::mem::take(&mut self.worker));
        }
    }
}

impl Core {
    /// `work` for one text, without the GIL; a long one can be interrupted.
    fn one<T: Send>(
        &self,
        string: &Bound<'_, PyAny>,
        work: impl Fn(&mut Worker, &str) -> Result<T> + Sync + Send,
    ) -> PyResult<T> {
        let (py, text) = (string.py(), text(string)?);
        if text.len() < LONG {
            return Ok(py.detach(|| work(&mut Loan::of(self).worker, text))?);
        }
        interruptible(py, |stop| {
            let mut loan = Loan::of(self);
            loan.worker.set_stop(Some(Arc::clone(stop)));
            work(&mut loan.worker, text)
        })
    }

    fn ids(&self, string: &Bound<'_, PyAny>, allowed: &[u32]) -> PyResult<Vec<u32>> {
        self.one(string, |worker, text| {
            let mut ids = Vec::new();
            self.pipeline.encode(text, allowed, worker, &mut ids)?;
            Ok(ids)
        })
    }

    /// The ids of every text, in order, on several threads; of each group of texts, what `keep`
    /// makes of its ids end to end and of where each text ends in them.
    fn batch<T: Send>(
        &self,
        py: Python<'_>,
        strings: &[Bound<'_, PyAny>],
        allowed: &[u32],
        threads: Option<usize>,
        keep: impl Fn(Vec<u32>, Vec<usize>) -> T + Sync + Send,
    ) -> PyResult<Vec<T>> {
        let texts = texts(strings)?;
        let groups = parallel::groups(texts.iter().map(|text| text.len() + 16), GROUP);
        let run = |stop: &AtomicBool| {
            let work = |loan: &mut Loan, group: usize| {
                let (mut ids, mut ends) = (Vec::new(), Vec::with_capacity(groups[group].len()));
                for index in groups[group].clone() {
                    self.pipeline
                        .encode(texts[index], allowed, &mut loan.worker, &mut ids)
                        .map_err(|error| error.in_text(index))?;
                    ends.push(ids.len());
                }
                Ok(keep(ids, ends))
            };
            parallel::map(threads, groups.len(), stop, || Loan::of(self), work)
        };
        if texts.iter().map(|text| text.len()).sum::<usize>() < LONG {
            return Ok(py.detach(|| run(&AtomicBool::new(false)))?);
        }
        interruptible(py, |stop| run(stop))
    }
}

#[pymethods]
impl Core {
    #[new]
    #[allow(clippy::too_many_arguments)] // the columns of one vocabulary
    fn new(
        py: Python<'_>,
        config: &[u8],
        data: &[u8],
        offsets: PyReadonlyArray1<'_, i64>,
        ids: Option<PyReadonlyArray1<'_, u32>>,
        left: Option<PyReadonlyArray1<'_, u32>>,
        right: Option<PyReadonlyArray1<'_, u32>>,
        result: Option<PyReadonlyArray1<'_, u32>>,
    ) -> PyResult<Self> {
        let offsets = column(&offsets)?;
        let ids = ids.as_ref().map(column).transpose()?;
        let rows = match (&left, &right, &result) {
            (Some(left), Some(right), Some(result)) => {
                let columns = column(left)?.iter().zip(column(right)?).zip(column(result)?);
                Some(columns.map(|((&l, &r), &j)| (l, r, j)).collect::<Vec<_>>())
            }
            _ => None,
        };
        let pipeline = py.detach(|| {
            let config = Config::parse(config)?;
            let vocab = Vocab::new(data.to_vec(), offsets, ids)?;
            let merges = rows.as_deref().map(|rows| MergeColumns { rows });
            Pipeline::new(&config, vocab, merges.as_ref())
        })?;
        Ok(Self { pipeline, workers: Mutex::default() })
    }

    fn encode<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        allowed: Vec<u32>,
    ) -> PyResult<Bound<'py, PyList>> {
        PyList::new(string.py(), self.ids(string, &allowed)?)
    }

    fn encode_array<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        allowed: Vec<u32>,
    ) -> PyResult<Array<'py, u32>> {
        Ok(self.ids(string, &allowed)?.into_pyarray(string.py()))
    }

    fn count(&self, string: &Bound<'_, PyAny>, allowed: Vec<u32>) -> PyResult<usize> {
        Ok(self.ids(string, &allowed)?.len())
    }

    #[allow(clippy::type_complexity)] // ids, starts and ends
    fn encode_spans<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        allowed: Vec<u32>,
    ) -> PyResult<(Array<'py, u32>, Array<'py, i64>)> {
        let py = string.py();
        let spans =
            self.one(string, |worker, text| self.pipeline.encode_spans(text, &allowed, worker))?;
        Ok((spans.ids.into_pyarray(py), flat_pairs(spans.spans).into_pyarray(py)))
    }

    #[pyo3(signature = (strings, allowed, threads))]
    #[allow(clippy::type_complexity)] // ids and offsets
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        strings: Vec<Bound<'py, PyAny>>,
        allowed: Vec<u32>,
        threads: Option<usize>,
    ) -> PyResult<(Array<'py, u32>, Array<'py, i64>)> {
        let parts = self.batch(py, &strings, &allowed, threads, |ids, ends| (ids, ends))?;
        let total = parts.iter().map(|(ids, _)| ids.len()).sum();
        let (mut ids, mut offsets) = (Vec::with_capacity(total), vec![0]);
        for (part, ends) in parts {
            offsets.extend(ends.into_iter().map(|end| (ids.len() + end) as i64));
            ids.extend_from_slice(&part);
        }
        Ok((ids.into_pyarray(py), offsets.into_pyarray(py)))
    }

    #[pyo3(signature = (strings, allowed, threads))]
    fn count_batch<'py>(
        &self,
        py: Python<'py>,
        strings: Vec<Bound<'py, PyAny>>,
        allowed: Vec<u32>,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, i64>> {
        let ends = self.batch(py, &strings, &allowed, threads, |_, ends| ends)?;
        let mut counts = Vec::with_capacity(strings.len());
        for ends in ends {
            let starts = std::iter::once(&0).chain(&ends);
            counts.extend(ends.iter().zip(starts).map(|(end, start)| (end - start) as i64));
        }
        Ok(counts.into_pyarray(py))
    }

    fn decode_bytes<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'py, u32>,
        skip_special_tokens: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let ids = column(&ids)?;
        let mut bytes = Vec::new();
        py.detach(|| self.pipeline.decode(ids, skip_special_tokens, &mut bytes))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (ids, offsets, skip_special_tokens, threads))]
    fn decode_batch_bytes<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'py, u32>,
        offsets: PyReadonlyArray1<'py, i64>,
        skip_special_tokens: bool,
        threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (ids, offsets) = (column(&ids)?, column(&offsets)?);
        let count = offsets.len().saturating_sub(1);
        let decoded = py.detach(|| {
            let one = |(): &mut (), index: usize| {
                let mut bytes = Vec::new();
                let part = &ids[offsets[index] as usize..offsets[index + 1] as usize];
                self.pipeline
                    .decode(part, skip_special_tokens, &mut bytes)
                    .map_err(|error| error.in_row(index))?;
                Ok(bytes)
            };
            parallel::map(threads, count, &AtomicBool::new(false), || (), one)
        })?;
        Ok(decoded.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    fn pre_tokenize<'py>(&self, string: &Bound<'py, PyAny>) -> PyResult<Array<'py, i64>> {
        let words = self.pipeline.pre_tokenize(text(string)?)?;
        Ok(flat_pairs(words).into_pyarray(string.py()))
    }
}

/// Starts and ends in turn.
fn flat_pairs(pairs: Vec<(usize, usize)>) -> Vec<i64> {
    pairs.into_iter().flat_map(|(start, end)| [start as i64, end as i64]).collect()
}

/// Counts the words of a corpus.
#[pyclass(module = "kugiri._core")]
struct WordCounter {
    counter: word_counts::WordCounter,
}

#[pymethods]
impl WordCounter {
    #[new]
    #[pyo3(signature = (config, threads))]
    fn new(config: &[u8], threads: Option<usize>) -> PyResult<Self> {
        let pre_tokenizer = PreTokenizer::new(&Config::parse(config)?)?;
        Ok(Self { counter: word_counts::WordCounter::new(pre_tokenizer, threads) })
    }

    fn feed_texts(&mut self, py: Python<'_>, strings: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let texts = texts(&strings)?;
        interruptible(py, |stop| self.counter.feed(&texts, stop))
    }

    /// The byte at which the block stops being UTF-8 (-1: nowhere; nothing is counted otherwise),
    /// and with `replace` the number of replaced sequences.
    fn feed_lines(
        &mut self,
        py: Python<'_>,
        block: &[u8],
        keep_newline: bool,
        replace: bool,
    ) -> PyResult<(i64, u64)> {
        let (text, replaced) = match std::str::from_utf8(block) {
            Ok(text) => (text.into(), 0),
            Err(error) if !replace => return Ok((error.valid_up_to() as i64, 0)),
            Err(_) => {
                let broken = block.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty());
                (String::from_utf8_lossy(block), broken.count() as u64)
            }
        };
        interruptible(py, |stop| self.counter.feed_lines(&text, keep_newline, stop))?;
        Ok((-1, replaced))
    }

    fn add_word(&mut self, word: &[u8], count: u64) -> PyResult<()> {
        Ok(self.counter.add_word(word, count)?)
    }

    #[allow(clippy::type_complexity)] // words, offsets, counts
    fn finish<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Array<'py, i64>, Array<'py, u64>)> {
        let words = py.detach(|| self.counter.take())?;
        Ok((
            PyBytes::new(py, &words.data),
            words.offsets.into_pyarray(py),
            words.counts.into_pyarray(py),
        ))
    }
}

/// Trains BPE on counted words.
#[pyfunction]
#[allow(clippy::type_complexity)] // tokens, merge columns, and a JSON of the rest
fn train_bpe<'py>(
    py: Python<'py>,
    data: &[u8],
    offsets: PyReadonlyArray1<'py, i64>,
    counts: PyReadonlyArray1<'py, u64>,
    options: &[u8],
) -> PyResult<(
    Bound<'py, PyBytes>,
    Array<'py, i64>,
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, u32>,
    Array<'py, u64>,
    Array<'py, u64>,
    Bound<'py, PyBytes>,
)> {
    let options: Options = serde_json::from_slice(options)
        .map_err(|error| Error::Option(format!("the options of the trainer: {error}")))?;
    let words = Words { data, offsets: column(&offsets)?, counts: column(&counts)? };
    let trained = interruptible(py, |stop| bpe::train(&words, &options, stop))?;
    let info = serde_json::json!({
        "alphabet": trained.alphabet,
        "left_out_characters": trained.left_out.characters,
        "left_out_occurrences": trained.left_out.occurrences,
        "initial_tokens": trained.initial_tokens,
        "exhausted": trained.exhausted,
    });
    let ids = |of: fn(&bpe::Merge) -> u32| {
        trained.merges.iter().map(of).collect::<Vec<u32>>().into_pyarray(py)
    };
    let numbers = |of: fn(&bpe::Merge) -> u64| {
        trained.merges.iter().map(of).collect::<Vec<u64>>().into_pyarray(py)
    };
    let columns = (
        ids(|merge| merge.left),
        ids(|merge| merge.right),
        ids(|merge| merge.result),
        numbers(|merge| merge.count),
        numbers(|merge| merge.applied),
    );
    let (data, offsets) = trained.symbols.into_tokens();
    Ok((
        PyBytes::new(py, &data),
        offsets.into_pyarray(py),
        columns.0,
        columns.1,
        columns.2,
        columns.3,
        columns.4,
        PyBytes::new(py, info.to_string().as_bytes()),
    ))
}

/// The module.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Built here, where no other thread runs: a fork at its first use elsewhere would leave the child
    // waiting for it.
    ClassTable::get();
    module.add_class::<Core>()?;
    module.add_class::<WordCounter>()?;
    module.add_function(wrap_pyfunction!(train_bpe, module)?)?;
    module.add_function(wrap_pyfunction!(unigram::train_unigram, module)?)?;
    module.add_function(wrap_pyfunction!(tables::split_object, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_vocab, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_pieces, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_merges, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(tables::find_rows, module)?)?;
    module.add_function(wrap_pyfunction!(tables::resolve_merges, module)?)
}
