//! What a split pattern may cost on one text.
//!
//! A pattern can be made so that it is slow on texts made for it. So steps are counted, the same on
//! every machine, and too many are an error; Ctrl-C is looked for on the way.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// So many steps for each byte of a text, and some more.
const STEPS_A_BYTE: usize = 500;
const MORE_STEPS: usize = 1_000_000;
/// After about this many steps Ctrl-C is looked for.
const LOOK: usize = 1 << 20;

/// The steps that are left.
pub struct Budget<'a> {
    left: usize,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Budget<'a> {
    /// For one text; `stop` is set by another thread to end the call.
    pub fn of(text: &str, stop: Option<&'a AtomicBool>) -> Self {
        Self { left: text.len().saturating_mul(STEPS_A_BYTE) + MORE_STEPS, stop }
    }

    /// Takes some steps.
    #[inline]
    pub fn spend(&mut self, steps: usize) -> Result<()> {
        let before = self.left;
        self.left = before.checked_sub(steps).ok_or_else(too_costly)?;
        if before / LOOK != self.left / LOOK && self.stop.is_some_and(is_set) {
            return Err(Error::Interrupted);
        }
        Ok(())
    }
}

fn is_set(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}

/// The error for a pattern that takes too long on a text.
pub fn too_costly() -> Error {
    Error::Encoding(
        "the split pattern goes back too often on this text; use a pattern without look-around \
         and with fewer ways to match the same, or shorter texts"
            .into(),
    )
}
