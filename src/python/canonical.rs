//! Canonical ids as Python asks for them.

use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use super::tokenizer::{Core, Loan};
use super::{Array, array, column, interruptible};
use crate::canonical::{End, TextTokens};
use crate::parallel;
use crate::stop::Stop;

/// Tokens are handed to threads in groups of this many.
const GROUP: usize = 4 << 10;

/// Which tokens can come behind others; for byte-level BPE.
#[pyclass(frozen, module = "kugiri._core")]
pub struct NextTokens {
    core: Py<Core>,
    tokens: TextTokens,
}

#[pymethods]
impl NextTokens {
    /// `ids` are the tokens that text becomes, ascending.
    #[new]
    fn new(py: Python<'_>, core: Py<Core>, ids: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let ids = column(&ids)?.to_vec();
        let tokens = py.detach(|| TextTokens::new(&core.get().pipeline, ids))?;
        Ok(Self { core, tokens })
    }

    /// The ids that can stand behind one in a word, ascending.
    fn neighbours<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Array<'py, u32>> {
        let (model, tokens) = (&self.core.get().pipeline.model, &self.tokens);
        let follow = py.detach(|| {
            let stay = model.after(&tokens.neighbours, id, tokens.ids());
            let ids = tokens.ids().iter().zip(stay);
            ids.filter(|&(_, stays)| stays).map(|(&id, _)| id).collect::<Vec<u32>>()
        });
        array(py, follow)
    }

    /// The ids that can come behind others, ascending.
    fn after<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Array<'py, u32>> {
        let (core, tokens, ids) = (self.core.get(), &self.tokens, column(&ids)?);
        let next = interruptible(py, |stop| {
            let mut loan = Loan::of(core);
            let stops = Stop(Some(Arc::clone(stop)));
            loan.stop = stops.clone();
            let Some(end) = End::of(&core.pipeline, tokens, ids, &mut loan)? else {
                return Ok(Vec::new());
            };
            let stay = end.neighbours();
            let group = |end: &mut End, group: usize| {
                let numbers = group * GROUP..tokens.len().min((group + 1) * GROUP);
                let mut next = Vec::new();
                for number in numbers {
                    if end.takes(number, stay[number], &stops)? {
                        next.push(tokens.ids()[number]);
                    }
                }
                Ok(next)
            };
            parallel::map(None, tokens.len().div_ceil(GROUP), stop, || end.clone(), group)
        })?;
        array(py, next.concat())
    }
}
