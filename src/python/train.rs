//! Counting words and training, as Python calls them.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Array, array, column, dictionary, interruptible, interruptible_unless, texts};
use crate::error::Error;
use crate::spec::Config;
use crate::train::bpe;
use crate::train::options::Options;
use crate::train::sentences::Sentences;
use crate::train::word_counts::{self, Cutter, Words};

/// Counts the words of a corpus.
#[pyclass(module = "kugiri._core")]
pub struct WordCounter {
    counter: word_counts::WordCounter,
    /// Whether Python cuts words: all is done on the thread that asks.
    is_pythons: bool,
}

impl WordCounter {
    fn of(cutter: Cutter, threads: Option<usize>) -> Self {
        let is_pythons = cutter.has_dictionary();
        let threads = if is_pythons { Some(1) } else { threads };
        Self { counter: word_counts::WordCounter::new(cutter, threads), is_pythons }
    }
}

#[pymethods]
impl WordCounter {
    #[new]
    #[pyo3(signature = (config, threads))]
    fn new(config: &[u8], threads: Option<usize>) -> PyResult<Self> {
        let config = Config::parse(config)?.opening(dictionary::open);
        Ok(Self::of(Cutter::pre_tokens(&config)?, threads))
    }

    /// A counter of the words of SentencePiece's sentences.
    #[staticmethod]
    #[pyo3(signature = (how, threads))]
    fn of_sentences(how: &[u8], threads: Option<usize>) -> PyResult<Self> {
        Ok(Self::of(Cutter::Sentences(Box::new(Sentences::new(how)?)), threads))
    }

    fn feed_counted(
        &mut self,
        py: Python<'_>,
        strings: Vec<Bound<'_, PyAny>>,
        counts: PyReadonlyArray1<'_, u64>,
    ) -> PyResult<()> {
        let (texts, counts) = (texts(&strings)?, column(&counts)?);
        if texts.len() != counts.len() {
            let message = format!("{} texts but {} counts", texts.len(), counts.len());
            return Err(Error::Training(message).into());
        }
        interruptible_unless(self.is_pythons, py, |stop| {
            self.counter.feed_counted(&texts, counts, stop)
        })
    }

    fn feed_texts(&mut self, py: Python<'_>, strings: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let texts = texts(&strings)?;
        interruptible_unless(self.is_pythons, py, |stop| self.counter.feed(&texts, stop))
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
        interruptible_unless(self.is_pythons, py, |stop| {
            self.counter.feed_lines(&text, keep_newline, stop)
        })?;
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
        Ok((PyBytes::new(py, &words.data), array(py, words.offsets)?, array(py, words.counts)?))
    }
}

/// Trains BPE on counted words.
#[pyfunction]
#[allow(clippy::type_complexity)] // tokens, merge columns, and a JSON of the rest
pub fn train_bpe<'py>(
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
    let ids =
        |of: fn(&bpe::Merge) -> u32| array(py, trained.merges.iter().map(of).collect::<Vec<u32>>());
    let numbers =
        |of: fn(&bpe::Merge) -> u64| array(py, trained.merges.iter().map(of).collect::<Vec<u64>>());
    let columns = (
        ids(|merge| merge.left)?,
        ids(|merge| merge.right)?,
        ids(|merge| merge.result)?,
        numbers(|merge| merge.count)?,
        numbers(|merge| merge.applied)?,
    );
    let (data, offsets) = trained.symbols.into_tokens();
    Ok((
        PyBytes::new(py, &data),
        array(py, offsets)?,
        columns.0,
        columns.1,
        columns.2,
        columns.3,
        columns.4,
        PyBytes::new(py, info.to_string().as_bytes()),
    ))
}
