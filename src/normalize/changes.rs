//! Changed characters, as tokenizers counts them.
//!
//! Rule.    Each character of the new text says how many more there are than were: 0 takes the next
//!          character of the old text, −n takes n more with it, 1 takes none and is named as the one
//!          before the next is.
//! Cost.    Linear.
//! Source.  tokenizers 0.23.3.

use std::ops::Range;

use crate::alignment::Rewriting;

/// A character of the new text.
pub struct Change {
    /// The character.
    pub character: char,
    /// How many more there are than were.
    pub more: isize,
    /// The bytes of the old text that it really comes from.
    pub from: Range<usize>,
}

/// Adds characters that take up those of the old text from a place on.
pub fn push_changes(new: &mut Rewriting, changes: &[Change], mut taken: usize) {
    let old = new.old();
    let mut buffer = [0; 4];
    for Change { character, more, from } in changes {
        let character: &str = character.encode_utf8(&mut buffer);
        if *more > 0 {
            new.push_behind(character, from.clone(), taken);
            continue;
        }
        let mut lengths = old[taken..].chars().map(char::len_utf8);
        let first = lengths.next().unwrap_or(0);
        let others: usize = lengths.take(more.unsigned_abs()).sum();
        new.push_named(character, from.clone(), taken..taken + first);
        taken += first + others;
    }
}
