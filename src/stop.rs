//! How another thread ends a long call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// A flag that another thread sets; none where nobody will.
#[derive(Clone, Default)]
pub struct Stop(pub Option<Arc<AtomicBool>>);

impl Stop {
    /// The flag itself.
    pub fn flag(&self) -> Option<&AtomicBool> {
        self.0.as_deref()
    }

    /// Whether the call is to go on.
    #[inline]
    pub fn check(&self) -> Result<()> {
        match &self.0 {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}

/// Looks now and then whether the call is to end.
#[inline]
pub fn check(place: usize, stop: &Stop) -> Result<()> {
    if place.trailing_zeros() >= 16 { stop.check() } else { Ok(()) }
}
