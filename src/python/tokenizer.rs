//! `Core`: a tokenizer as Python holds it.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyBytesMethods, PyDict, PyList};

use super::asked::Asked;
use super::dictionary;
use super::hypotheses::{self, Marginals, Met, Way, met};
use super::numbers::Numbers;
use super::tables::{Number, Vocabulary};
use super::{Array, array, column, flat_pairs, ids, interruptible_unless, text, texts};
use crate::alignment::Span;
use crate::decode::Invalid;
use crate::encoding::{Count, Sink, Spans};
use crate::error::{Error, Result};
use crate::hypotheses::Hypotheses;
use crate::keep::{self, Key};
use crate::parallel;
use crate::pipeline::Pipeline;
use crate::spec::{Config, Scores, Tables};
use crate::stop::Stop;
use crate::vocab::Vocab;
use crate::worker::Worker;

/// Below this many bytes a call is over before anybody could press Ctrl-C.
pub(super) const LONG: usize = 256 << 10;
/// Below this many bytes, giving the GIL away and taking it back would be a part of the time.
const SHORT: usize = 1 << 10;
/// How many workers are kept: more threads than these seldom encode at once, and each has some megabytes.
const MOST_WORKERS: usize = 16;
const ON_LOAN: &str = "a loan has its worker until it is over";

/// A tokenizer, ready to run.
#[pyclass(frozen, module = "kugiri._core")]
pub struct Core {
    pub(super) pipeline: Pipeline,
    workers: Workers,
    numbers: Numbers,
    /// What was kept in a file beside its tables.
    parts: Vec<Vec<u8>>,
}

/// Workers that are not on loan, so many at most. They are lent by their pointers: to move one takes as
/// long as a short text.
#[derive(Default)]
struct Workers([Mutex<Option<Box<Worker>>>; MOST_WORKERS]);

impl Workers {
    /// One of them. A lock that cannot be had at once (another thread held it at a fork) is not waited
    /// for: there are other places.
    fn take(&self) -> Option<Box<Worker>> {
        self.0.iter().find_map(|place| place.try_lock().ok()?.take())
    }

    /// Takes one back, or lets it go if there is no place for it.
    fn put(&self, worker: Option<Box<Worker>>) {
        let mut free = self.0.iter().filter_map(|place| place.try_lock().ok());
        if let Some(mut place) = free.find(|place| place.is_none()) {
            *place = worker;
        }
    }
}

/// A worker on loan.
pub(super) struct Loan<'a> {
    /// Gone only when the loan is over.
    worker: Option<Box<Worker>>,
    core: &'a Core,
}

impl<'a> Loan<'a> {
    pub(super) fn of(core: &'a Core) -> Self {
        Self { worker: Some(core.workers.take().unwrap_or_default()), core }
    }
}

impl Deref for Loan<'_> {
    type Target = Worker;

    fn deref(&self) -> &Worker {
        self.worker.as_ref().expect(ON_LOAN)
    }
}

impl DerefMut for Loan<'_> {
    fn deref_mut(&mut self) -> &mut Worker {
        self.worker.as_mut().expect(ON_LOAN)
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.trim();
        self.core.workers.put(self.worker.take());
    }
}

impl Core {
    /// Whether Python cuts words: all is done on the thread that asks, since it alone has the GIL.
    fn is_pythons(&self) -> bool {
        self.pipeline.pre_tokenizer.has_dictionary()
    }

    /// How many threads work, of so many that may.
    pub(super) fn threads(&self, threads: Option<usize>) -> Option<usize> {
        if self.is_pythons() { Some(1) } else { threads }
    }

    /// `work` without the GIL, which Ctrl-C ends.
    pub(super) fn interruptible<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result<T> + Send,
    ) -> PyResult<T> {
        interruptible_unless(self.is_pythons(), py, work)
    }

    /// `work` without the GIL, unless it is done before others would have taken it; if it is about
    /// many bytes, it can be interrupted.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        work: impl FnOnce(&mut Worker) -> Result<T> + Send,
    ) -> PyResult<T> {
        if bytes < SHORT {
            return Ok(work(&mut Loan::of(self))?);
        }
        if bytes < LONG {
            return Ok(py.detach(|| work(&mut Loan::of(self)))?);
        }
        self.interruptible(py, |stop| {
            let mut loan = Loan::of(self);
            loan.stop = Stop(Some(Arc::clone(stop)));
            work(&mut loan)
        })
    }

    /// `work` for one text.
    pub(super) fn one<T: Send>(
        &self,
        string: &Bound<'_, PyAny>,
        work: impl FnOnce(&mut Worker, &str) -> Result<T> + Send,
    ) -> PyResult<T> {
        self.times(string, 1, work)
    }

    /// The same for work that looks at the text several times.
    pub(super) fn times<T: Send>(
        &self,
        string: &Bound<'_, PyAny>,
        times: usize,
        work: impl FnOnce(&mut Worker, &str) -> Result<T> + Send,
    ) -> PyResult<T> {
        let text = text(string)?;
        let bytes = text.len().saturating_mul(times);
        self.run(string.py(), bytes, |worker| work(worker, text))
    }

    /// What all ways to cut a text are asked for.
    fn ways<T: Send>(
        &self,
        string: &Bound<'_, PyAny>,
        times: usize,
        ask: impl FnOnce(&Hypotheses<'_>) -> Result<T> + Send,
    ) -> PyResult<T> {
        self.times(string, times, |worker, text| {
            ask(&Hypotheses::new(&self.pipeline, text, &worker.stop)?)
        })
    }

    /// One text or a pair, encoded.
    fn encoded<S: Sink + Send>(
        &self,
        string: &Bound<'_, PyAny>,
        special: &Asked,
        pair: Option<&Bound<'_, PyAny>>,
        mut out: S,
    ) -> PyResult<S> {
        let first = text(string)?;
        let pair = pair.map(text).transpose()?;
        let texts = [first, pair.unwrap_or_default()];
        let texts = &texts[..=usize::from(pair.is_some())];
        let bytes = texts.iter().map(|text| text.len()).sum();
        self.run(string.py(), bytes, |worker| {
            self.pipeline.encode(texts, special.as_special(), worker, &mut out)?;
            Ok(out)
        })
    }

    /// The tokens of one text, in parts; those of a long one on all threads.
    fn tokens<S: Sink + Default + Send>(
        &self,
        string: &Bound<'_, PyAny>,
        special: &Asked,
    ) -> PyResult<Vec<S>> {
        let text = text(string)?;
        if text.len() < LONG {
            return Ok(vec![self.encoded(string, special, None, S::default())?]);
        }
        let parts = self.interruptible(string.py(), |stop| {
            let stop = Stop(Some(Arc::clone(stop)));
            self.texts(&[text], special.as_special(), None, &stop, |_| 0, |error, _| error)
        })?;
        Ok(parts.into_iter().map(|(part, _)| part).collect())
    }

    /// The ids of one text.
    fn ids(&self, string: &Bound<'_, PyAny>, special: &Asked) -> PyResult<Vec<u32>> {
        let mut parts: Vec<Vec<u32>> = self.tokens(string, special)?;
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { parts.concat() })
    }

    /// Every text in order, on several threads: for each piece of the work what came out, and how
    /// much that was (`size`) at the end of each text.
    fn batch<S: Sink + Default + Send>(
        &self,
        py: Python<'_>,
        strings: &[Bound<'_, PyAny>],
        special: &Asked,
        threads: Option<usize>,
        size: impl Fn(&S) -> usize + Sync + Send,
    ) -> PyResult<Vec<(S, Vec<usize>)>> {
        let texts = texts(strings)?;
        let run = |stop: &Stop| {
            self.texts(&texts, special.as_special(), threads, stop, size, Error::in_text)
        };
        if texts.iter().map(|text| text.len()).sum::<usize>() < LONG {
            return Ok(py.detach(|| run(&Stop::default()))?);
        }
        self.interruptible(py, |stop| run(&Stop(Some(Arc::clone(stop)))))
    }
}

#[pymethods]
impl Core {
    #[new]
    fn new(
        py: Python<'_>,
        config: &[u8],
        vocab: &Vocabulary,
        columns: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let (strings, rows) = (Arc::clone(&vocab.strings), Arc::clone(&vocab.rows));
        let ids: Option<Vec<u32>> = named(columns, "ids")?;
        let types: Option<Vec<u8>> = named(columns, "piece_types")?;
        let tables = tables(columns)?;
        let pipeline = py.detach(|| {
            let mut vocab = Vocab::of(strings, rows, ids)?;
            if let Some(types) = types {
                vocab = vocab.with_types(&types)?;
            }
            Pipeline::new(&Config::parse(config)?.opening(dictionary::open), vocab, &tables)
        })?;
        let (workers, numbers) = (Workers::default(), Numbers::default());
        Ok(Self { pipeline, workers, numbers, parts: Vec::new() })
    }

    /// The file that `kept` reads; None where the model is none that is kept.
    #[staticmethod]
    fn keep<'py>(
        py: Python<'py>,
        key: Key,
        config: &[u8],
        vocab: &Vocabulary,
        columns: &Bound<'py, PyDict>,
        parts: Vec<Bound<'py, PyBytes>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let (strings, rows) = (Arc::clone(&vocab.strings), Arc::clone(&vocab.rows));
        let vocab = Vocab::of(strings, rows, named(columns, "ids")?)?;
        let tables = tables(columns)?;
        let parts: Vec<&[u8]> = parts.iter().map(PyBytesMethods::as_bytes).collect();
        let file = py.detach(|| keep::write(key, config, vocab, &tables, &parts))?;
        Ok(file.map(|file| PyBytes::new(py, &file)))
    }

    /// The tokenizer that was kept in a file for a key; None if it is not there, or not whole.
    #[staticmethod]
    fn kept(py: Python<'_>, path: PathBuf, key: Key) -> Option<Self> {
        let (pipeline, parts) = py.detach(|| keep::read(&path, key))?;
        Some(Self { pipeline, workers: Workers::default(), numbers: Numbers::default(), parts })
    }

    /// What was kept with it.
    fn part<'py>(&self, py: Python<'py>, index: usize) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parts.get(index).map_or(&[], Vec::as_slice))
    }

    #[pyo3(signature = (string, special, pair=None))]
    fn encode<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        special: Asked,
        pair: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let ids = match pair {
            Some(_) => self.encoded(string, &special, pair.as_ref(), Vec::new())?,
            None => self.ids(string, &special)?,
        };
        self.numbers.list(string.py(), &ids)
    }

    fn encode_array<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        special: Asked,
    ) -> PyResult<Array<'py, u32>> {
        array(string.py(), self.ids(string, &special)?)
    }

    fn count(&self, string: &Bound<'_, PyAny>, special: Asked) -> PyResult<usize> {
        let parts: Vec<Count> = self.tokens(string, &special)?;
        Ok(parts.iter().map(|part| part.0).sum())
    }

    /// Ids, their spans in bytes, those that tokenizers names, where each token reaches, the strings
    /// of those that were met otherwise than in the vocabulary, types, and the text and the pre-token
    /// that each is of.
    #[pyo3(signature = (string, special, pair=None))]
    #[allow(clippy::type_complexity)] // one tuple a token would be slower and no clearer
    fn encode_spans<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        special: Asked,
        pair: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(
        Array<'py, u32>,
        Array<'py, i64>,
        Array<'py, i64>,
        Array<'py, i64>,
        Met<'py>,
        Array<'py, u32>,
        Array<'py, i8>,
        Array<'py, i64>,
    )> {
        let py = string.py();
        let spans = Spans::new(self.pipeline.shown_as_met);
        let spans = self.encoded(string, &special, pair.as_ref(), spans)?;
        let reaches: Vec<i64> = spans.reaches.into_iter().map(|reach| reach as i64).collect();
        let met = met(py, &spans.met);
        Ok((
            array(py, spans.ids)?,
            array(py, flat_pairs(spans.spans))?,
            array(py, flat_pairs(spans.named))?,
            array(py, reaches)?,
            met,
            array(py, spans.type_ids)?,
            array(py, spans.texts)?,
            array(py, spans.words)?,
        ))
    }

    #[pyo3(signature = (strings, special, threads))]
    #[allow(clippy::type_complexity)] // ids and offsets
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        strings: Vec<Bound<'py, PyAny>>,
        special: Asked,
        threads: Option<usize>,
    ) -> PyResult<(Array<'py, u32>, Array<'py, i64>)> {
        let parts = self.batch(py, &strings, &special, threads, Vec::len)?;
        let total = parts.iter().map(|(ids, _)| ids.len()).sum();
        let (mut ids, mut offsets) = (Vec::with_capacity(total), vec![0]);
        for (part, ends) in parts {
            offsets.extend(ends.into_iter().map(|end| (ids.len() + end) as i64));
            ids.extend_from_slice(&part);
        }
        Ok((array(py, ids)?, array(py, offsets)?))
    }

    #[pyo3(signature = (strings, special, threads))]
    fn count_batch<'py>(
        &self,
        py: Python<'py>,
        strings: Vec<Bound<'py, PyAny>>,
        special: Asked,
        threads: Option<usize>,
    ) -> PyResult<Array<'py, i64>> {
        let parts = self.batch(py, &strings, &special, threads, |count: &Count| count.0)?;
        let (mut counts, mut open) = (Vec::with_capacity(strings.len()), 0);
        for (part, ends) in parts {
            let mut start = 0;
            for end in ends {
                counts.push((open + end - start) as i64);
                (start, open) = (end, 0);
            }
            open += part.0 - start;
        }
        array(py, counts)
    }

    fn decode_bytes<'py>(
        &self,
        given: &Bound<'py, PyAny>,
        skip_special_tokens: bool,
        replace: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (py, ids, mut bytes) = (given.py(), ids(given)?, Vec::new());
        let invalid = if replace { Invalid::Replaced } else { Invalid::Kept };
        py.detach(|| self.pipeline.decode(&ids, skip_special_tokens, invalid, &mut bytes))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (ids, offsets, skip_special_tokens, replace, threads))]
    fn decode_batch_bytes<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'py, u32>,
        offsets: PyReadonlyArray1<'py, i64>,
        skip_special_tokens: bool,
        replace: bool,
        threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (ids, offsets) = (column(&ids)?, column(&offsets)?);
        let count = offsets.len().saturating_sub(1);
        let invalid = if replace { Invalid::Replaced } else { Invalid::Kept };
        let decoded = py.detach(|| {
            let one = |(): &mut (), index: usize| {
                let mut bytes = Vec::new();
                let part = &ids[offsets[index] as usize..offsets[index + 1] as usize];
                self.pipeline
                    .decode(part, skip_special_tokens, invalid, &mut bytes)
                    .map_err(|error| error.in_row(index))?;
                Ok(bytes)
            };
            parallel::map(threads, count, &AtomicBool::new(false), || (), one)
        })?;
        Ok(decoded.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    /// The best ways to cut a text, at most `count`.
    fn nbest<'py>(&self, string: &Bound<'py, PyAny>, count: usize) -> PyResult<Vec<Way<'py>>> {
        let best = self.ways(string, count, |ways| ways.best(count))?;
        Ok(best.into_iter().map(|way| hypotheses::way(string.py(), way)).collect())
    }

    /// One way to cut a text, drawn at random.
    #[pyo3(signature = (string, alpha, seed, nbest))]
    fn sample<'py>(
        &self,
        string: &Bound<'py, PyAny>,
        alpha: f64,
        seed: u64,
        nbest: Option<usize>,
    ) -> PyResult<Way<'py>> {
        let drawn =
            self.ways(string, nbest.unwrap_or(1), |ways| ways.sample(alpha, seed, nbest))?;
        Ok(hypotheses::way(string.py(), drawn))
    }

    /// How uncertain the cut of a text is.
    fn entropy(&self, string: &Bound<'_, PyAny>, alpha: f64) -> PyResult<f64> {
        self.ways(string, 1, |ways| ways.entropy(alpha))
    }

    /// Each piece that stands in a text, and how likely it is part of the cut.
    fn marginals<'py>(&self, string: &Bound<'py, PyAny>, alpha: f64) -> PyResult<Marginals<'py>> {
        let marginals = self.ways(string, 1, |ways| ways.marginals(alpha))?;
        hypotheses::marginals(string.py(), marginals)
    }

    /// What the normalizer makes of a text.
    fn normalize(&self, string: &Bound<'_, PyAny>) -> PyResult<String> {
        self.one(string, |worker, text| {
            let stop = worker.stop.flag();
            let normalized =
                self.pipeline.normalizer.normalize(text, 0..text.len(), false, false, stop);
            Ok(normalized?.text.into_owned())
        })
    }

    /// The pre-tokens of a text, in visible characters where the model reads bytes; and the bytes
    /// of the text that tokenizers names for each.
    fn pre_tokenize<'py>(
        &self,
        string: &Bound<'py, PyAny>,
    ) -> PyResult<(Vec<String>, Array<'py, i64>)> {
        let Pipeline { normalizer, pre_tokenizer, .. } = &self.pipeline;
        let (words, spans): (Vec<String>, Vec<Span>) = self.one(string, |worker, text| {
            let stop = worker.stop.flag();
            let stretch = normalizer.normalize(text, 0..text.len(), false, true, stop)?;
            let words = pre_tokenizer.words(stretch, text, false, true, stop)?;
            Ok(words.shown(pre_tokenizer.byte_level).into_iter().unzip())
        })?;
        Ok((words, array(string.py(), flat_pairs(spans))?))
    }
}

/// A column: its type, and the bytes of its numbers.
type Column<'py> = (String, Bound<'py, PyBytes>);

/// A column by its name; absent or None is none.
fn find<'py>(columns: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<Column<'py>>> {
    let column = columns.get_item(name)?.filter(|column| !column.is_none());
    column.map(|column| column.extract()).transpose()
}

/// The same, of the one type that it may have.
fn named<T: Number>(columns: &Bound<'_, PyDict>, name: &str) -> PyResult<Option<Vec<T>>> {
    match find(columns, name)? {
        Some((dtype, bytes)) if dtype == T::NAME => Ok(Some(T::all(bytes.as_bytes()))),
        Some((dtype, _)) => Err(wrong_type(name, &dtype, T::NAME)),
        None => Ok(None),
    }
}

fn wrong_type(name: &str, dtype: &str, allowed: &str) -> PyErr {
    Error::Vocabulary(format!("{name} are {dtype}; they must be {allowed}")).into()
}

/// Merges and scores of a spec.
fn tables(columns: &Bound<'_, PyDict>) -> PyResult<Tables> {
    let mut tables = Tables::default();
    let merge = |name| named::<u32>(columns, name);
    if let (Some(left), Some(right), Some(result)) =
        (merge("left")?, merge("right")?, merge("result")?)
    {
        let rows = left.into_iter().zip(right).zip(result);
        tables.merges = rows.map(|((left, right), result)| (left, right, result)).collect();
    }
    tables.scores = match find(columns, "scores")? {
        Some((dtype, bytes)) => Some(match &*dtype {
            f32::NAME => Scores::Single(Number::all(bytes.as_bytes())),
            f64::NAME => Scores::Double(Number::all(bytes.as_bytes())),
            _ => return Err(wrong_type("scores", &dtype, "float32 or float64")),
        }),
        None => None,
    };
    Ok(tables)
}
