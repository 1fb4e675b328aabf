//! Cutting by a dictionary of words. It is no part of the core: the caller brings it.
//!
//! Rule.    A dictionary says where its segments end; they lie without a gap. It is given a line at a
//!          time by who brings it (`dictionaries.py`), so that what stands before the end of a line is
//!          cut alike whatever follows.
//! Cost.    That of the dictionary, and one pass over the characters.

use std::ops::Range;

use serde_json::Value;

use crate::error::{Error, Result};

/// What cuts texts into the words of a dictionary.
pub trait Dictionary: Send + Sync {
    /// Where the segments of a text end, in characters, ascending; the last ends with the text.
    fn ends(&self, text: &str) -> Result<Vec<usize>>;
}

/// How the dictionary that a component names is opened.
pub type Open = fn(&Value) -> Result<Box<dyn Dictionary>>;

/// Visits the segments of a text, in bytes.
pub fn each(
    dictionary: &dyn Dictionary,
    text: &str,
    mut visit: impl FnMut(Range<usize>),
) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let mut bytes = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let (mut start, mut passed) = (0, 0);
    for end in dictionary.ends(text)? {
        let skipped = end.checked_sub(passed).ok_or_else(broken)?;
        let at = bytes.nth(skipped).filter(|&at| at > start).ok_or_else(broken)?;
        visit(start..at);
        (start, passed) = (at, end + 1);
    }
    if start == text.len() { Ok(()) } else { Err(broken()) }
}

fn broken() -> Error {
    Error::Encoding("the dictionary gave segments that do not cover the text: a bug there".into())
}

#[cfg(test)]
mod tests {
    use super::{Dictionary, each};
    use crate::error::Result;

    struct Says(Vec<usize>);

    impl Dictionary for Says {
        fn ends(&self, _: &str) -> Result<Vec<usize>> {
            Ok(self.0.clone())
        }
    }

    fn cut(text: &str, ends: &[usize]) -> Option<Vec<String>> {
        let mut found = Vec::new();
        let each = each(&Says(ends.to_vec()), text, |at| found.push(text[at].to_owned()));
        each.ok().map(|()| found)
    }

    #[test]
    fn ends_are_characters() {
        assert_eq!(cut("猫がa😀", &[1, 3, 4]).unwrap(), ["猫", "がa", "😀"]);
        assert_eq!(cut("", &[]), Some(Vec::new()));
    }

    #[test]
    fn what_covers_no_text_is_an_error() {
        for ends in [&[][..], &[1], &[0, 2], &[2, 2], &[2, 1], &[3], &[1, 2, 3]] {
            assert_eq!(cut("猫が", ends), None, "{ends:?}");
        }
    }
}
