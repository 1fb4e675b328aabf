//! Merge lists, and what their parts are in a vocabulary.
//!
//! Rule.    A merge is `[left, right]` or, as it once was, `"left right"`, and a list has one form;
//!          in the old one, lines that begin with `#version` are none.
//! Cost.    That of reading; then three look-ups a merge.
//! Source.  tokenizers 0.23.3.

use std::fmt;
use std::sync::atomic::AtomicBool;

use serde::Deserializer;
use serde::de::{Error as _, SeqAccess, Visitor};

use super::{Rows, Table, Text, parse, plain};
use crate::collections::strings::{RowsByString, Strings};
use crate::error;
use crate::parallel;
use crate::vocab::NO_ID;
use crate::without::{Technique, without};

/// An array of merges, each `[left, right]` or, as it once was, `"left right"`: all parts in turn,
/// and whether they were written in the old way.
pub fn read_merges(json: &[u8]) -> error::Result<(Strings, bool)> {
    // No vocabulary has a part that is not UTF-8, so whoever looks for it asks `require_text`.
    if let Some(pairs) = plain::pairs(json).filter(|pairs| !pairs.is_empty()) {
        return Ok((pairs, false));
    }
    if let Some(joined) = plain::joined(json).filter(|joined| !joined.is_empty()) {
        return Ok((joined, true));
    }
    let mut merges = MergeList { parts: Strings::default(), form: None };
    parse(json, Rows(&mut merges))?;
    Ok((merges.parts, merges.form == Some(Form::Joined)))
}

/// That all of an array of merges is UTF-8.
pub fn require_text(json: &[u8]) -> error::Result<()> {
    let mut merges = MergeList { parts: Strings::default(), form: None };
    parse(json, Rows(&mut merges))
}

/// Merges that a thread resolves at a time.
const GROUP: usize = 1 << 15;

/// The rows of left part, right part and join of some merges.
pub type Resolved = [Vec<u32>; 3];

/// The rows of the left part, the right part and their join in a vocabulary, for each merge;
/// [`NO_ID`] for what is not in it.
///
/// `parts` holds left and right in turn. The join is the left part and what follows the first
/// `prefix` bytes of the right one; there is none where that is shorter.
pub fn resolve_merges(
    parts: &Strings,
    vocab: &Strings,
    rows: &RowsByString,
    prefix: usize,
) -> error::Result<Resolved> {
    let merges = parts.len() / 2;
    let work = |(): &mut (), group: usize| {
        let of_group = group * GROUP..merges.min((group + 1) * GROUP);
        let mut columns: Resolved = [(); 3].map(|()| Vec::with_capacity(GROUP));
        let mut last = 0; // a list that was made by training has its joins in order
        for merge in of_group {
            let (left, right) = (parts.row(2 * merge), parts.row(2 * merge + 1));
            let joined = right.get(prefix..).and_then(|rest| {
                let near = [last + 1, last]
                    .into_iter()
                    .find(|&row| !without(Technique::NextToken) && is_join(vocab, row, left, rest));
                near.map(|row| row as u32).or_else(|| rows.get(vocab, &[left, rest].concat()))
            });
            last = joined.map_or(last, |row| row as usize);
            let found = [rows.get(vocab, left), rows.get(vocab, right), joined];
            for (column, row) in columns.iter_mut().zip(found) {
                column.push(row.unwrap_or(NO_ID));
            }
        }
        Ok(columns)
    };
    let never = AtomicBool::new(false);
    let groups = parallel::map(None, merges.div_ceil(GROUP), &never, || (), work)?;
    let mut whole = Resolved::default();
    for group in groups {
        for (column, part) in whole.iter_mut().zip(group) {
            column.extend(part);
        }
    }
    Ok(whole)
}

/// Whether a row is two strings, one behind the other.
fn is_join(vocab: &Strings, row: usize, left: &[u8], rest: &[u8]) -> bool {
    row < vocab.len() && vocab.row(row).strip_prefix(left) == Some(rest)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Pair,
    Joined,
}

struct MergeList {
    parts: Strings,
    form: Option<Form>,
}

impl MergeList {
    fn require<E: serde::de::Error>(&mut self, form: Form) -> Result<(), E> {
        if *self.form.get_or_insert(form) != form {
            return Err(E::custom("merges are written in two ways in one list"));
        }
        Ok(())
    }
}

impl Table for MergeList {
    fn read_row<'de, D: Deserializer<'de>>(&mut self, row: D) -> Result<(), D::Error> {
        row.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut MergeList {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("[left, right] or \"left right\"")
    }

    fn visit_str<E: serde::de::Error>(self, merge: &str) -> Result<(), E> {
        self.require(Form::Joined)?;
        if merge.starts_with("#version") {
            return Ok(());
        }
        match merge.split_once(' ') {
            Some((left, right)) if !right.contains(' ') => {
                self.parts.push(left.as_bytes());
                self.parts.push(right.as_bytes());
                Ok(())
            }
            _ => Err(E::custom(format!("the merge {merge:?} is not two parts with one space"))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(), A::Error> {
        self.require(Form::Pair)?;
        for part in 0..2 {
            if row.next_element_seed(Text(&mut self.parts))?.is_none() {
                return Err(A::Error::invalid_length(part, &self));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::read_tokens;
    use super::*;

    fn list(strings: &Strings) -> Vec<&[u8]> {
        strings.iter().collect()
    }

    #[test]
    fn merges_have_two_forms() {
        let (pairs, joined) = read_merges(br#"[["a", "b c"], ["", "d"]]"#).unwrap();
        assert_eq!((list(&pairs), joined), (vec![&b"a"[..], b"b c", b"", b"d"], false));
        let (pairs, joined) = read_merges(br#"["a b", "b c"]"#).unwrap();
        assert_eq!((list(&pairs), joined), (vec![&b"a"[..], b"b", b"b", b"c"], true));
        let (pairs, joined) = read_merges(br##"["#version: 0.2", "a b"]"##).unwrap();
        assert_eq!((list(&pairs), joined), (vec![&b"a"[..], b"b"], true));
        for bad in [
            r#"["ab"]"#,
            r#"["a b c"]"#,
            r#"[["a"]]"#,
            r#"[["a","b","c"]]"#,
            r#"["a b", ["a","b"]]"#,
        ] {
            assert!(read_merges(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn merges_are_resolved() {
        let vocab = read_tokens(br###"["a", "##b", "ab", "##"]"###).unwrap();
        let (parts, _) = read_merges(br###"[["a", "##b"], ["a", "x"], ["ab", "#"]]"###).unwrap();
        let rows = RowsByString::of(&vocab);
        let resolve = |prefix| resolve_merges(&parts, &vocab, &rows, prefix).unwrap();
        assert_eq!(resolve(2), [vec![0, 0, 2], vec![1, NO_ID, NO_ID], vec![2, NO_ID, NO_ID]]);
        assert_eq!(resolve(0)[2], [NO_ID; 3]);
    }
}
