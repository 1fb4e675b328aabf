//! The large tables of JSON formats, read straight into flat buffers.
//!
//! Rule.    A vocabulary, a merge list or a column of numbers is read in one pass and never becomes
//!          an object an entry. What is not of the expected shape is an error with its byte.
//! Cost.    O(n) for n bytes of JSON, and the bytes of the tables in memory; a vocabulary that does
//!          not stand in order of id is sorted.
//! Source.  The shapes are those of docs/formats.md and of tokenizers 0.23.3.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{self, Error};
use crate::vocab::NO_ID;

/// Byte strings end to end: string i is `data[offsets[i]..offsets[i + 1]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strings {
    /// All strings, concatenated.
    pub data: Vec<u8>,
    /// One more than there are strings; starts with 0, ascends.
    pub offsets: Vec<i64>,
}

impl Strings {
    fn new() -> Self {
        Self { data: Vec::new(), offsets: vec![0] }
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn push(&mut self, string: &[u8]) {
        self.data.extend_from_slice(string);
        self.close();
    }

    /// Ends the string whose bytes were appended to the data.
    fn close(&mut self) {
        self.offsets.push(self.data.len() as i64);
    }
}

/// Where the value of each key of an object stands: key, first byte, byte after the last.
///
/// The values are checked for syntax and not read. A key that stands twice is an error.
pub fn split_object(json: &[u8]) -> error::Result<Vec<(String, usize, usize)>> {
    parse(json, Places { json })
}

/// An array of tokens: each a string, or an array of byte values where it is not UTF-8.
pub fn read_tokens(json: &[u8]) -> error::Result<Strings> {
    let mut tokens = Strings::new();
    parse(json, Rows(&mut tokens))?;
    Ok(tokens)
}

/// An object `{"token": id}`: the tokens in order of id, and their ids.
///
/// A token or an id that stands twice is an error.
pub fn read_vocab(json: &[u8]) -> error::Result<(Strings, Vec<u32>)> {
    let mut vocab = Vocabulary { tokens: Strings::new(), ids: Vec::new() };
    parse(json, &mut vocab)?;
    let Vocabulary { tokens, ids } = vocab.in_order();
    if let Some(twice) = ids.windows(2).position(|pair| pair[0] == pair[1]) {
        return Err(Error::Format(format!("two tokens have the id {}", ids[twice]), 0));
    }
    if ids.last() == Some(&NO_ID) {
        return Err(Error::Format(format!("the id {NO_ID} is too high"), 0));
    }
    let rows = rows_by_string(&tokens.data, &tokens.offsets);
    if rows.len() < tokens.len() {
        let twice = strings(&tokens.data, &tokens.offsets)
            .enumerate()
            .find_map(|(row, token)| (rows[token] as usize != row).then_some(token));
        let token = String::from_utf8_lossy(twice.unwrap_or_default());
        return Err(Error::Format(format!("the token {token:?} stands twice"), 0));
    }
    Ok((tokens, ids))
}

/// An array of `[piece, score]`, as Unigram models are written.
pub fn read_pieces(json: &[u8]) -> error::Result<(Strings, Vec<f64>)> {
    let mut pieces = Pieces { pieces: Strings::new(), scores: Vec::new() };
    parse(json, Rows(&mut pieces))?;
    Ok((pieces.pieces, pieces.scores))
}

/// An array of merges, each `[left, right]` or, as it once was, `"left right"`: all parts in turn,
/// and whether they were written in the old way.
pub fn read_merges(json: &[u8]) -> error::Result<(Strings, bool)> {
    let mut merges = MergeList { parts: Strings::new(), form: None };
    parse(json, Rows(&mut merges))?;
    Ok((merges.parts, merges.form == Some(Form::Joined)))
}

/// An array of numbers; one that does not fit the type is an error, an infinite one too.
pub fn read_numbers<T: DeserializeOwned>(json: &[u8]) -> error::Result<Vec<T>> {
    serde_json::from_slice(json).map_err(|error| placed(json, &error))
}

/// The row of each string in a vocabulary; [`NO_ID`] for what is not in it.
pub fn find_rows(wanted: (&[u8], &[i64]), vocab: (&[u8], &[i64])) -> Vec<u32> {
    let rows = rows_by_string(vocab.0, vocab.1);
    strings(wanted.0, wanted.1).map(|string| rows.get(string).copied().unwrap_or(NO_ID)).collect()
}

/// The rows of the left part, the right part and their join in a vocabulary, for each merge;
/// [`NO_ID`] for what is not in it.
///
/// `parts` holds left and right in turn. The join is the left part and what follows the first
/// `prefix` bytes of the right one.
pub fn resolve_merges(
    parts: (&[u8], &[i64]),
    vocab: (&[u8], &[i64]),
    prefix: usize,
) -> [Vec<u32>; 3] {
    let rows = rows_by_string(vocab.0, vocab.1);
    let row = |string: &[u8]| rows.get(string).copied().unwrap_or(NO_ID);
    let mut columns = [const { Vec::new() }; 3];
    let mut join = Vec::new();
    let mut parts = strings(parts.0, parts.1);
    while let (Some(left), Some(right)) = (parts.next(), parts.next()) {
        join.clear();
        join.extend_from_slice(left);
        join.extend_from_slice(right.get(prefix..).unwrap_or_default());
        let found = [row(left), row(right), row(&join)];
        for (column, row) in columns.iter_mut().zip(found) {
            column.push(row);
        }
    }
    columns
}

fn strings<'a>(data: &'a [u8], offsets: &'a [i64]) -> impl Iterator<Item = &'a [u8]> {
    offsets.windows(2).map(|ends| &data[ends[0] as usize..ends[1] as usize])
}

/// String → its last row.
fn rows_by_string<'a>(data: &'a [u8], offsets: &'a [i64]) -> HashMap<&'a [u8], u32> {
    strings(data, offsets).zip(0..).collect()
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

struct Vocabulary {
    tokens: Strings,
    ids: Vec<u32>,
}

impl Vocabulary {
    fn in_order(self) -> Self {
        if self.ids.is_sorted() {
            return self;
        }
        let mut rows: Vec<usize> = (0..self.ids.len()).collect();
        rows.sort_unstable_by_key(|&row| self.ids[row]);
        let unsorted: Vec<&[u8]> = strings(&self.tokens.data, &self.tokens.offsets).collect();
        let mut tokens = Strings::new();
        for &row in &rows {
            tokens.push(unsorted[row]);
        }
        Self { tokens, ids: rows.iter().map(|&row| self.ids[row]).collect() }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Vocabulary {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, vocab: D) -> Result<(), D::Error> {
        vocab.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Vocabulary {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of token and id")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key_seed(Text(&mut self.tokens))?.is_some() {
            self.ids.push(map.next_value()?);
        }
        Ok(())
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
    use super::*;

    fn list(strings: &Strings) -> Vec<&[u8]> {
        super::strings(&strings.data, &strings.offsets).collect()
    }

    fn error<T: fmt::Debug>(result: error::Result<T>) -> (String, usize) {
        match result.unwrap_err() {
            Error::Format(message, offset) => (message, offset),
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
        let (tokens, ids) = read_vocab(r#"{"b": 7, "a": 0, "猫": 3}"#.as_bytes()).unwrap();
        assert_eq!((list(&tokens), ids), (vec![b"a", "猫".as_bytes(), b"b"], vec![0, 3, 7]));
        assert_eq!(error(read_vocab(br#"{"a": 4294967295}"#)).0, "the id 4294967295 is too high");
        assert_eq!(error(read_vocab(br#"{"a": 1, "b": 1}"#)).0, "two tokens have the id 1");
        assert_eq!(
            error(read_vocab(br#"{"a": 1, "b": 2, "\u0061": 3}"#)).0,
            "the token \"a\" stands twice"
        );
    }

    #[test]
    fn pieces_have_scores() {
        let (pieces, scores) = read_pieces(r#"[["<unk>", 0], ["▁", -1.5e-3]]"#.as_bytes()).unwrap();
        assert_eq!(list(&pieces), [&b"<unk>"[..], "▁".as_bytes()]);
        assert_eq!(scores, [0.0, -0.0015]);
    }

    #[test]
    fn merges_have_two_forms() {
        let (pairs, joined) = read_merges(br#"[["a", "b c"], ["", "d"]]"#).unwrap();
        assert_eq!((list(&pairs), joined), (vec![&b"a"[..], b"b c", b"", b"d"], false));
        let (pairs, joined) = read_merges(br#"["a b", "b c"]"#).unwrap();
        assert_eq!((list(&pairs), joined), (vec![&b"a"[..], b"b", b"b", b"c"], true));
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
        assert_eq!(resolve(2), [vec![0, 0, 2], vec![1, NO_ID, NO_ID], vec![2, 0, 2]]);
        assert_eq!(resolve(0)[2], [NO_ID; 3]);
        let found = find_rows((&parts.data, &parts.offsets), (&vocab.data, &vocab.offsets));
        assert_eq!(found, [0, 1, 0, NO_ID, 2, NO_ID]);
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
