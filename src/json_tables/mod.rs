//! The large tables of JSON formats, read straight into flat buffers.
//!
//! Rule.    A vocabulary, a merge list or a column of numbers is read in one pass and never becomes
//!          an object an entry. What is not of the expected shape is an error with its byte.
//!          vocabulary.rs and merges.rs have the shapes of tokenizers; here is what they share, and
//!          how an object is cut into its values. What is written as programs write it is read by
//!          plain.rs; serde reads the rest, and says what is wrong.
//! Cost.    O(n) for n bytes of JSON, and the bytes of the tables in memory.
//! Source.  The shapes are those of docs/formats/kugiri.md and of tokenizers 0.23.3.

pub mod merges;
mod nesting;
mod plain;
pub mod promises;
pub mod repeated;
pub mod vocabulary;

use std::collections::HashSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::collections::strings::Strings;
use crate::error::{self, Error};

/// Where the value of each key of an object stands: key, first byte, byte after the last.
///
/// The values are not read, and checked no further than to find where they end: whoever reads them
/// checks the rest. A key that stands twice is an error.
pub fn split_object(json: &[u8]) -> error::Result<Vec<(String, usize, usize)>> {
    plain::places(json).map_or_else(|| parse(json, Places { json }), Ok)
}

/// An array of numbers; one that does not fit the type is an error, an infinite one too.
pub fn read_numbers<T: DeserializeOwned>(json: &[u8]) -> error::Result<Vec<T>> {
    serde_json::from_slice(json).map_err(|error| placed(json, &error))
}

fn parse<'de, S: DeserializeSeed<'de>>(json: &'de [u8], seed: S) -> error::Result<S::Value> {
    let mut source = serde_json::Deserializer::from_slice(json);
    let value = seed.deserialize(&mut source);
    let value = value.and_then(|value| source.end().map(|()| value));
    value.map_err(|error| placed(json, &error))
}

/// The error with its place as a byte instead of a line and a column.
fn placed(json: &[u8], error: &serde_json::Error) -> Error {
    let lines_before = json.split_inclusive(|&byte| byte == b'\n').take(error.line().max(1) - 1);
    let offset = lines_before.map(<[u8]>::len).sum::<usize>() + error.column().max(1) - 1;
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    Error::Format(message.to_owned(), offset)
}

// ── the shapes ────────────────────────────────────────────────────────────────────────────────

/// Something that is read row by row.
trait Table {
    fn read_row<'de, D: Deserializer<'de>>(&mut self, row: D) -> Result<(), D::Error>;
}

/// One row of a table.
struct Row<'t, T>(&'t mut T);

impl<'de, T: Table> DeserializeSeed<'de> for Row<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, row: D) -> Result<(), D::Error> {
        self.0.read_row(row)
    }
}

/// A whole table: an array of rows.
struct Rows<'t, T>(&'t mut T);

impl<'de, T: Table> DeserializeSeed<'de> for Rows<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, rows: D) -> Result<(), D::Error> {
        rows.deserialize_seq(self)
    }
}

impl<'de, T: Table> Visitor<'de> for Rows<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(Row(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

/// A string and nothing else.
struct Text<'t>(&'t mut Strings);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<(), D::Error> {
        text.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.push(text.as_bytes());
        Ok(())
    }
}

/// The keys of an object with the place of their values in `json`.
struct Places<'de> {
    json: &'de [u8],
}

impl<'de> DeserializeSeed<'de> for Places<'de> {
    type Value = Vec<(String, usize, usize)>;

    fn deserialize<D: Deserializer<'de>>(self, object: D) -> Result<Self::Value, D::Error> {
        object.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Places<'de> {
    type Value = Vec<(String, usize, usize)>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut seen = HashSet::new();
        let mut places = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key {key:?} stands twice")));
            }
            let value: &'de RawValue = map.next_value()?;
            let start = value.get().as_ptr().addr() - self.json.as_ptr().addr();
            places.push((key, start, start + value.get().len()));
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::merges::read_merges;
    use super::vocabulary::read_tokens;
    use super::*;

    fn error<T: fmt::Debug>(result: error::Result<T>) -> (String, usize) {
        match result.unwrap_err() {
            Error::Format(message, offset) => (message, offset),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_are_exact() {
        assert_eq!(read_numbers::<u64>(b"[18446744073709551615]").unwrap(), [u64::MAX]);
        assert_eq!(read_numbers::<f32>(b"[0.1, -3, 1e-45]").unwrap(), [0.1f32, -3.0, 1e-45]);
        let doubles = read_numbers::<f64>(b"[0.30000000000000004, 9007199254740993.0, 5e-324]");
        assert_eq!(doubles.unwrap(), [0.1 + 0.2, 9_007_199_254_740_992.0, 5e-324]);
        for bad in ["[4294967296]", "[-1]", "[1.5]", "[null]", "[1", "{}", "[1]]", "[1e9999]"] {
            assert!(read_numbers::<u32>(bad.as_bytes()).is_err(), "{bad}");
        }
        for bad in ["[1e999]", "[-1e999]", "[NaN]", "[Infinity]", "[\"1\"]"] {
            assert!(read_numbers::<f64>(bad.as_bytes()).is_err(), "{bad}");
        }
        for bad in ["[1e39]", "[-3.5e38]"] {
            assert!(read_numbers::<f32>(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn shortest_floats_come_back() {
        // Neighbours of powers of two and ten, where reading through another width goes wrong first.
        let mut numbers = Vec::new();
        for power in -45..39 {
            let near = format!("1e{power}").parse::<f32>().unwrap().to_bits();
            numbers.extend((near.saturating_sub(3)..near + 3).map(f32::from_bits));
        }
        for exponent in 0..254u32 {
            let near = exponent << 23;
            numbers.extend((near.saturating_sub(3)..near + 3).map(f32::from_bits));
        }
        let json = serde_json::to_vec(&numbers).unwrap();
        assert_eq!(read_numbers::<f32>(&json).unwrap(), numbers);
    }

    #[test]
    fn an_object_is_split() {
        let json = "{ \"a\" : [1, {\"a\": 2}] ,\n\"猫\":null}".as_bytes();
        let places = split_object(json).unwrap();
        let values: Vec<_> = places
            .iter()
            .map(|(key, start, end)| {
                (key.as_str(), std::str::from_utf8(&json[*start..*end]).unwrap())
            })
            .collect();
        assert_eq!(values, [("a", "[1, {\"a\": 2}]"), ("猫", "null")]);
        assert_eq!(
            error(split_object(br#"{"a": 1, "\u0061": 2}"#)).0,
            "the key \"a\" stands twice"
        );
    }

    #[test]
    fn errors_say_where() {
        let rows: [(&[u8], &str, usize); 5] = [
            (
                b"[\"a\",\n \"b\",\n 7]",
                "invalid type: integer `7`, expected a string or an array of byte values",
                13,
            ),
            (b"[\"a\", [256]]", "invalid value: integer `256`, expected u8", 9),
            (b"[\"a\"", "EOF while parsing a list", 3),
            (b"[\"\xff\"]", "invalid unicode code point", 2),
            (b"[\"\\ud800\"]", "unexpected end of hex escape", 8),
        ];
        for (json, message, offset) in rows {
            assert_eq!(error(read_tokens(json)), (message.to_owned(), offset));
        }
    }

    #[test]
    fn depth_and_length_are_harmless() {
        let deep = "[".repeat(1 << 20);
        assert!(read_tokens(deep.as_bytes()).is_err());
        assert!(read_merges(deep.as_bytes()).is_err());
        assert!(split_object(format!("{{\"a\": {deep}").as_bytes()).is_err());
        assert!(read_numbers::<f64>(format!("[{}]", "9".repeat(1 << 20)).as_bytes()).is_err());
    }
}
