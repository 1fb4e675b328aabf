//! Sampling as Python asks for it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;

use super::batch::GROUP;
use super::hypotheses::{Met, met};
use super::tokenizer::{Core, LONG, Loan};
use super::{Array, array, texts};
use crate::error::Result;
use crate::parallel;
use crate::sampling::Sampling;
use crate::stop::Stop;

/// Name of the method, alpha, and among how many best ways.
type How<'a> = (&'a str, f64, Option<usize>);

/// Ids of a text, drawn at random, and where it is asked for the tokens that are shown otherwise than
/// in the vocabulary.
#[pyfunction]
pub fn sample<'py>(
    core: &Core,
    string: &Bound<'py, PyAny>,
    how: How<'_>,
    seed: u64,
    shown: bool,
) -> PyResult<(Vec<u32>, Met<'py>)> {
    let (method, alpha, nbest) = how;
    let sampling = Sampling::new(method, alpha, nbest)?;
    let drawn = core.times(string, nbest.unwrap_or(1), |worker, text| {
        core.pipeline.sample(text, &sampling, seed, shown, worker)
    })?;
    Ok((drawn.ids, met(string.py(), &drawn.met)))
}

/// The same for many texts, on several threads: all ids, and where those of each text begin and end.
/// The seed of a text is as much higher as its number.
#[pyfunction]
#[pyo3(signature = (core, strings, how, seed, threads))]
pub fn sample_batch<'py>(
    py: Python<'py>,
    core: &Core,
    strings: Vec<Bound<'py, PyAny>>,
    how: How<'_>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<(Array<'py, u32>, Array<'py, i64>)> {
    let (method, alpha, nbest) = how;
    let (sampling, texts) = (Sampling::new(method, alpha, nbest)?, texts(&strings)?);
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let run = |stop: &Stop| core.sampled(&texts, &sampling, seed, threads, stop);
    let parts = if bytes.saturating_mul(nbest.unwrap_or(1)) < LONG {
        py.detach(|| run(&Stop::default()))?
    } else {
        core.interruptible(py, |stop| run(&Stop(Some(Arc::clone(stop)))))?
    };
    let mut offsets = vec![0];
    let lengths = parts.iter().flat_map(|(_, lengths)| lengths);
    offsets.extend(lengths.scan(0, |end, &length| {
        *end += length as i64;
        Some(*end)
    }));
    let ids: Vec<u32> = parts.into_iter().flat_map(|(ids, _)| ids).collect();
    Ok((array(py, ids)?, array(py, offsets)?))
}

impl Core {
    /// Of each group of texts all ids, and how many each text has.
    fn sampled(
        &self,
        texts: &[&str],
        how: &Sampling,
        seed: u64,
        threads: Option<usize>,
        stop: &Stop,
    ) -> Result<Vec<(Vec<u32>, Vec<usize>)>> {
        let groups = parallel::groups(texts.iter().map(|text| text.len() + 16), GROUP);
        let work = |loan: &mut Loan, group: usize| {
            loan.stop = stop.clone();
            let (mut ids, mut lengths) = (Vec::new(), Vec::new());
            for index in groups[group].clone() {
                let seed = seed.wrapping_add(index as u64);
                let drawn = self
                    .pipeline
                    .sample(texts[index], how, seed, false, &mut *loan)
                    .map_err(|error| error.in_text(index))?;
                lengths.push(drawn.ids.len());
                ids.extend(drawn.ids);
            }
            Ok((ids, lengths))
        };
        let never = AtomicBool::new(false);
        let flag = stop.flag().unwrap_or(&never);
        parallel::map(self.threads(threads), groups.len(), flag, || Loan::of(self), work)
    }
}
