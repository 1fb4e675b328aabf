//! Words and grapheme clusters of many texts, on several threads.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;

use super::{Array, array, interruptible, texts};
use crate::error::Result;
use crate::parallel;
use crate::segment::{Graphemes, Segments, Words};

/// Texts are handed to threads in groups of about this many bytes.
const GROUP: usize = 64 << 10;

/// Where the segments of each text end, in its bytes; whether each is a word; and which are of
/// which text.
#[pyfunction]
#[allow(clippy::type_complexity)] // ends, words and offsets
pub fn segment_words<'py>(
    py: Python<'py>,
    strings: Vec<Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> PyResult<(Array<'py, i64>, Array<'py, bool>, Array<'py, i64>)> {
    let parts = each(py, &strings, threads, |text, words: &Words| {
        let mut segments = Segments::default();
        words.cut(text, &mut segments);
        segments
    })?;
    let (mut ends, mut is_word, mut offsets) = (Vec::new(), Vec::new(), vec![0]);
    for part in parts {
        ends.extend(part.ends);
        is_word.extend(part.is_word);
        offsets.push(ends.len() as i64);
    }
    Ok((array(py, ends)?, array(py, is_word)?, array(py, offsets)?))
}

/// The number of grapheme clusters of each text.
#[pyfunction]
pub fn count_graphemes<'py>(
    py: Python<'py>,
    strings: Vec<Bound<'py, PyAny>>,
    threads: Option<usize>,
) -> PyResult<Array<'py, i64>> {
    let counts = each(py, &strings, threads, |text, graphemes: &Graphemes| {
        graphemes.ends(text).count() as i64
    })?;
    array(py, counts)
}

/// What `work` makes of each text, in order.
fn each<S: Default + Send, T: Send>(
    py: Python<'_>,
    strings: &[Bound<'_, PyAny>],
    threads: Option<usize>,
    work: impl Fn(&str, &S) -> T + Sync + Send,
) -> PyResult<Vec<T>> {
    let texts = texts(strings)?;
    let run = |stop: &Arc<AtomicBool>| -> Result<Vec<T>> {
        let groups = parallel::groups(texts.iter().map(|text| text.len() + 16), GROUP);
        let one = |segmenter: &mut S, group: usize| {
            let group = &texts[groups[group].clone()];
            Ok(group.iter().map(|text| work(text, segmenter)).collect::<Vec<T>>())
        };
        let parts = parallel::map(threads, groups.len(), stop, S::default, one)?;
        Ok(parts.into_iter().flatten().collect())
    };
    interruptible(py, run)
}
