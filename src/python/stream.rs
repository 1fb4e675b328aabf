//! One text in blocks: encoded on several threads, whole or as it comes.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::asked::Asked;
use super::tokenizer::{Core, Loan};
use super::{Array, array};
use crate::blocks::{BLOCK, Cutter, Frame};
use crate::encoding::{Count, Sink};
use crate::error::{Error, Result};
use crate::parallel;
use crate::special_tokens::Special;
use crate::stop::Stop;

impl Core {
    /// The tokens of blocks of one text, block by block; `carried` is what the model carries from
    /// one to the next, and `continues` says that the text has begun before the first.
    fn blocks<S: Sink + Default + Send>(
        &self,
        blocks: &[&str],
        continues: bool,
        special: Special,
        threads: Option<usize>,
        carried: &mut f64,
        stop: &Stop,
    ) -> Result<Vec<S>> {
        let in_order = self.pipeline.carries();
        let sum = Mutex::new(*carried);
        let never = AtomicBool::new(false);
        let one = |loan: &mut Loan, index: usize| {
            let mut out = S::default();
            loan.stop = stop.clone();
            // With one thread, the blocks come in order.
            let mut sum = sum.try_lock().ok().filter(|_| in_order);
            loan.carried = sum.as_deref().copied();
            let continues = continues || index > 0;
            let worker = &mut *loan;
            self.pipeline.encode_block(blocks[index], continues, special, worker, &mut out)?;
            if let (Some(sum), Some(carried)) = (sum.as_deref_mut(), loan.carried) {
                *sum = carried;
            }
            Ok(out)
        };
        let threads = if in_order { Some(1) } else { self.threads(threads) };
        let flag = stop.flag().unwrap_or(&never);
        let encoded = parallel::map(threads, blocks.len(), flag, || Loan::of(self), one)?;
        *carried = sum.into_inner().unwrap_or(*carried);
        Ok(encoded)
    }
}

fn of_frame<S: Sink + Default>(ids: &[u32]) -> S {
    let mut out = S::default();
    out.tokens(ids);
    out
}

/// A text that comes in parts, of which only what cannot be encoded yet is kept.
#[pyclass(module = "kugiri._core")]
pub struct Stream {
    core: Py<Core>,
    special: Asked,
    threads: Option<usize>,
    size: usize,
    /// None where the text must be encoded as a whole.
    frame: Option<Frame>,
    cutter: Cutter,
    pending: String,
    /// How much of `pending` has been searched for a place to cut, in vain.
    searched: usize,
    /// The characters before `pending`.
    characters: usize,
    has_begun: bool,
    carried: f64,
}

#[pymethods]
impl Stream {
    #[new]
    fn new(
        core: Py<Core>,
        special: Asked,
        threads: Option<usize>,
        size: Option<usize>,
    ) -> PyResult<Self> {
        let frame = core.get().pipeline.frame(special.as_special())?;
        Ok(Self {
            core,
            special,
            threads,
            size: size.unwrap_or(BLOCK),
            frame,
            cutter: Cutter::default(),
            pending: String::new(),
            searched: 0,
            characters: 0,
            has_begun: false,
            carried: 0.0,
        })
    }

    /// Takes the next part of the text, whole characters in UTF-8, and gives the ids that are
    /// certain by now; after the last part, all others.
    fn feed<'py>(
        &mut self,
        part: &Bound<'py, PyBytes>,
        is_last: bool,
    ) -> PyResult<Array<'py, u32>> {
        let parts: Vec<Vec<u32>> = self.fed(part, is_last)?;
        array(part.py(), parts.concat())
    }

    /// The same for the number of ids.
    fn count(&mut self, part: &Bound<'_, PyBytes>, is_last: bool) -> PyResult<usize> {
        let parts: Vec<Count> = self.fed(part, is_last)?;
        Ok(parts.iter().map(|part| part.0).sum())
    }
}

impl Stream {
    fn fed<S: Sink + Default + Send>(
        &mut self,
        part: &Bound<'_, PyBytes>,
        is_last: bool,
    ) -> PyResult<Vec<S>> {
        match simdutf8::basic::from_utf8(part.as_bytes()) {
            Ok(text) => self.pending.push_str(text),
            Err(_) => {
                return Err(part.call_method0("decode").err().unwrap_or_else(super::panicked));
            }
        }
        let core = self.core.clone_ref(part.py());
        core.get()
            .interruptible(part.py(), |stop| self.encode(is_last, &Stop(Some(Arc::clone(stop)))))
    }

    /// The tokens that are certain by now, in parts.
    fn encode<S: Sink + Default + Send>(&mut self, is_last: bool, stop: &Stop) -> Result<Vec<S>> {
        let core = self.core.get();
        let pipeline = &core.pipeline;
        let special = self.special.as_special();
        let Some(frame) = &self.frame else {
            let mut out = S::default();
            if is_last {
                let mut loan = Loan::of(core);
                loan.stop = stop.clone();
                pipeline.encode(&[&self.pending], special, &mut loan, &mut out)?;
            }
            return Ok(vec![out]);
        };
        let (mut ends, mut start) = (Vec::new(), 0);
        while self.pending.len() - start > self.size {
            let from = (start + self.size.max(1)).max(self.searched);
            let Some(end) = self.cutter.next(pipeline, &self.pending, from) else {
                self.searched = self.pending.len();
                break;
            };
            ends.push(end);
            start = end;
        }
        if is_last {
            ends.push(self.pending.len());
        }
        let Some(&done) = ends.last() else { return Ok(Vec::new()) };
        let starts = std::iter::once(&0).chain(&ends);
        let blocks: Vec<&str> =
            starts.zip(&ends).map(|(&start, &end)| &self.pending[start..end]).collect();
        let (threads, begun, carried) = (self.threads, self.has_begun, &mut self.carried);
        let mut parts: Vec<S> = core
            .blocks(&blocks, begun, special, threads, carried, stop)
            .map_err(|error| self.placed(error, &blocks, stop))?;
        if !begun {
            parts.insert(0, of_frame(&frame.before));
        }
        if is_last {
            parts.push(of_frame(&frame.behind));
        }
        self.characters += characters(&self.pending[..done]);
        self.pending.drain(..done);
        self.searched = self.searched.saturating_sub(done);
        self.has_begun = true;
        Ok(parts)
    }

    /// An unknown part of a block, told by its character in the text.
    fn placed(&self, error: Error, blocks: &[&str], stop: &Stop) -> Error {
        if !matches!(error, Error::Unknown(..)) {
            return error;
        }
        let core = self.core.get();
        let mut before = self.characters;
        for (index, block) in blocks.iter().enumerate() {
            let mut loan = Loan::of(core);
            loan.stop = stop.clone();
            let mut spans = crate::encoding::Spans::default();
            let special = self.special.as_special();
            let continues = self.has_begun || index > 0;
            let worker = &mut *loan;
            match core.pipeline.encode_block(block, continues, special, worker, &mut spans) {
                Ok(()) => before += characters(block),
                Err(error) => return error.moved(before),
            }
        }
        error
    }
}

fn characters(text: &str) -> usize {
    text.bytes().filter(|byte| byte & 0xc0 != 0x80).count()
}
