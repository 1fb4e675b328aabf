//! Vocabularies: arrays of tokens, objects of token and id, arrays of piece and score.
//!
//! Rule.    Tokens come out in order of id; a token or an id that stands twice is an error.
//! Cost.    That of reading; a vocabulary that does not stand in order of id is sorted.
//! Source.  The shapes are those of docs/formats/kugiri.md and of tokenizers 0.23.3.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};

use super::{Rows, Table, Text, parse, plain};
use crate::collections::strings::{RowsByString, Strings};
use crate::error::{self, Error};
use crate::vocab::NO_ID;

/// An array of tokens: each a string, or an array of byte values where it is not UTF-8.
pub fn read_tokens(json: &[u8]) -> error::Result<Strings> {
    let mut tokens = Strings::default();
    parse(json, Rows(&mut tokens))?;
    Ok(tokens)
}

/// An object `{"token": id}`: the tokens in order of id, how they are found, and their ids.
///
/// A token or an id that stands twice is an error.
pub fn read_vocab(json: &[u8]) -> error::Result<(Strings, RowsByString, Vec<u32>)> {
    let (tokens, ids) = match plain::vocab(json) {
        Some(read) => read,
        None => parse(json, Vocabulary::default())?,
    };
    let (tokens, ids) = in_order(tokens, ids);
    if let Some(twice) = ids.windows(2).position(|pair| pair[0] == pair[1]) {
        return Err(Error::Format(format!("two tokens have the id {}", ids[twice]), 0));
    }
    if ids.last() == Some(&NO_ID) {
        return Err(Error::Format(format!("the id {NO_ID} is too high"), 0));
    }
    let rows = RowsByString::of(&tokens);
    if rows.len() < tokens.len() {
        let is_later = |&(token, row): &(&[u8], u32)| rows.get(&tokens, token) != Some(row);
        let twice = tokens.iter().zip(0..).find(is_later);
        let token = String::from_utf8_lossy(twice.map_or(&[], |(token, _)| token)).into_owned();
        return Err(Error::Format(format!("the token {token:?} stands twice"), 0));
    }
    Ok((tokens, rows, ids))
}

/// An array of `[piece, score]`, as Unigram models are written.
pub fn read_pieces(json: &[u8]) -> error::Result<(Strings, Vec<f64>)> {
    let mut pieces = Pieces { pieces: Strings::default(), scores: Vec::new() };
    parse(json, Rows(&mut pieces))?;
    Ok((pieces.pieces, pieces.scores))
}

/// A token as a string, or as an array of byte values.
struct Token<'t>(&'t mut Strings);

impl Table for Strings {
    fn read_row<'de, D: Deserializer<'de>>(&mut self, row: D) -> Result<(), D::Error> {
        row.deserialize_any(Token(self))
    }
}

impl<'de> Visitor<'de> for Token<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string or an array of byte values")
    }

    fn visit_str<E>(self, token: &str) -> Result<(), E> {
        self.0.push(token.as_bytes());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<(), A::Error> {
        while let Some(byte) = bytes.next_element()? {
            self.0.data.push(byte);
        }
        self.0.close();
        Ok(())
    }
}

fn in_order(tokens: Strings, ids: Vec<u32>) -> (Strings, Vec<u32>) {
    if ids.is_sorted() {
        return (tokens, ids);
    }
    let mut rows: Vec<usize> = (0..ids.len()).collect();
    rows.sort_unstable_by_key(|&row| ids[row]);
    let mut sorted = Strings::with_capacity(tokens.len(), tokens.data.len());
    for &row in &rows {
        sorted.push(tokens.row(row));
    }
    (sorted, rows.iter().map(|&row| ids[row]).collect())
}

#[derive(Default)]
struct Vocabulary {
    tokens: Strings,
    ids: Vec<u32>,
}

impl<'de> DeserializeSeed<'de> for Vocabulary {
    type Value = (Strings, Vec<u32>);

    fn deserialize<D: Deserializer<'de>>(self, vocab: D) -> Result<Self::Value, D::Error> {
        vocab.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Vocabulary {
    type Value = (Strings, Vec<u32>);

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of token and id")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_key_seed(Text(&mut self.tokens))?.is_some() {
            self.ids.push(map.next_value()?);
        }
        Ok((self.tokens, self.ids))
    }
}

struct Pieces {
    pieces: Strings,
    scores: Vec<f64>,
}

impl Table for Pieces {
    fn read_row<'de, D: Deserializer<'de>>(&mut self, row: D) -> Result<(), D::Error> {
        row.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut Pieces {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("[piece, score]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(), A::Error> {
        let piece = row.next_element_seed(Text(&mut self.pieces))?;
        match (piece, row.next_element()?) {
            (Some(()), Some(score)) => self.scores.push(score),
            _ => return Err(A::Error::invalid_length(1, &self)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(strings: &Strings) -> Vec<&[u8]> {
        strings.iter().collect()
    }

    fn message<T>(result: error::Result<T>) -> String {
        match result.err().unwrap() {
            Error::Format(message, _) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn tokens_are_strings_or_bytes() {
        let tokens =
            read_tokens(r#" ["a", "", "猫\u0000\ud83d\ude00", [229,176], []] "#.as_bytes());
        let expected: [&[u8]; 5] = [b"a", b"", "猫\0😀".as_bytes(), &[229, 176], b""];
        assert_eq!(list(&tokens.unwrap()), expected);
        assert_eq!(list(&read_tokens(b"[]").unwrap()), [b""; 0]);
    }

    #[test]
    fn a_vocabulary_comes_in_order_of_id() {
        let (tokens, _, ids) = read_vocab(r#"{"b": 7, "a": 0, "猫": 3}"#.as_bytes()).unwrap();
        assert_eq!((list(&tokens), ids), (vec![b"a", "猫".as_bytes(), b"b"], vec![0, 3, 7]));
        assert_eq!(message(read_vocab(br#"{"a": 4294967295}"#)), "the id 4294967295 is too high");
        assert_eq!(message(read_vocab(br#"{"a": 1, "b": 1}"#)), "two tokens have the id 1");
        assert_eq!(
            message(read_vocab(br#"{"a": 1, "b": 2, "\u0061": 3}"#)),
            "the token \"a\" stands twice"
        );
    }

    #[test]
    fn pieces_have_scores() {
        let (pieces, scores) = read_pieces(r#"[["<unk>", 0], ["▁", -1.5e-3]]"#.as_bytes()).unwrap();
        assert_eq!(list(&pieces), [&b"<unk>"[..], "▁".as_bytes()]);
        assert_eq!(scores, [0.0, -0.0015]);
    }
}
