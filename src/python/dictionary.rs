//! Dictionaries that Python brings: `kugiri.dictionaries` opens them and cuts with them.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::pre_tokenize::Dictionary;
use crate::spec::text;

/// A function from a text to the ends of its segments, in characters.
struct Function(Py<PyAny>);

impl Dictionary for Function {
    fn ends(&self, text: &str) -> Result<Vec<usize>> {
        Python::attach(|py| {
            let ends = self.0.call1(py, (text,)).and_then(|ends| ends.extract(py));
            ends.map_err(|error| told(py, &error, Error::Encoding))
        })
    }
}

/// Opens the dictionary that a component names.
pub(super) fn open(component: &Value) -> Result<Box<dyn Dictionary>> {
    Python::attach(|py| {
        let names = (text(component, "name"), text(&component["dictionary"], "package"));
        let opened = py.import("kugiri.dictionaries").and_then(|module| {
            module.call_method1("opened", names)?.getattr("ends").map(Bound::unbind)
        });
        match opened {
            Ok(function) => Ok(Box::new(Function(function)) as Box<dyn Dictionary>),
            Err(error) => Err(told(py, &error, Error::Option)),
        }
    })
}

fn told(py: Python<'_>, error: &PyErr, kind: fn(String) -> Error) -> Error {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        return Error::Interrupted;
    }
    kind(error.value(py).to_string())
}
