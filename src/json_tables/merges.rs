//! Merge lists, and what their parts are in a vocabulary.
//!
//! Rule.    A merge is `[left, right]` or, as it once was, `"left right"`, and a list has one form;
//!          in the old one, lines that begin with `#version` are none.
//! Cost.    That of reading; then three look-ups a merge.
//! Source.  tokenizers 0.23.3.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error as _, SeqAccess, Visitor};

use super::{Rows, RowsByString, Strings, Table, Text, parse, strings};
use crate::error;
use crate::vocab::NO_ID;

/// An array of merges, each `[left, right]` or, as it once was, `"left right"`: all parts in turn,
/// and whether they were written in the old way.
pub fn read_merges(json: &[u8]) -> error::Result<(Strings, bool)> {
    let mut merges = MergeList { parts: Strings::new(), form: None };
    parse(json, Rows(&mut merges))?;
    Ok((merges.parts, merges.form == Some(Form::Joined)))
}

/// The rows of the left part, the right part and their join in a vocabulary, for each merge;
/// [`NO_ID`] for what is not in it.
///
/// `parts` holds left and right in turn. The join is the left part and what follows the first
/// `prefix` bytes of the right one; there is none where that is shorter.
pub fn resolve_merges(
    parts: (&[u8], &[i64]),
    vocab: (&[u8], &[i64]),
    prefix: usize,
) -> [Vec<u32>; 3] {
    let rows = RowsByString::of(vocab.0, vocab.1);
    let row = |string: &[u8]| rows.get(string).unwrap_or(NO_ID);
    let mut columns = [(); 3].map(|()| Vec::with_capacity(parts.1.len() / 2));
    let mut join = Vec::new();
    let mut parts = strings(parts.0, parts.1);
    while let (Some(left), Some(right)) = (parts.next(), parts.next()) {
        join.clear();
        join.extend_from_slice(left);
        let joined = right.get(prefix..).map_or(NO_ID, |rest| {
            join.extend_from_slice(rest);
            row(&join)
        });
        let found = [row(left), row(right), joined];
        for (column, row) in columns.iter_mut().zip(found) {
            column.push(row);
        }
    }
    columns
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
    use super::super::vocabulary::{find_rows, read_tokens};
    use super::*;

    fn list(strings: &Strings) -> Vec<&[u8]> {
        super::strings(&strings.data, &strings.offsets).collect()
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
        let resolve = |prefix| {
            resolve_merges((&parts.data, &parts.offsets), (&vocab.data, &vocab.offsets), prefix)
        };
        assert_eq!(resolve(2), [vec![0, 0, 2], vec![1, NO_ID, NO_ID], vec![2, NO_ID, NO_ID]]);
        assert_eq!(resolve(0)[2], [NO_ID; 3]);
        let found = find_rows((&parts.data, &parts.offsets), (&vocab.data, &vocab.offsets));
        assert_eq!(found, [0, 1, 0, NO_ID, 2, NO_ID]);
    }
}
