//! The vocabulary: token bytes ↔ id, over flat buffers.
//!
//! tokenizer.json writes byte-level tokens in visible characters (`Ġ` for a space).
//! [`Vocab::visible_to_bytes`] turns such a vocabulary into what it means, once, so that encoding
//! and decoding work on plain bytes.

use std::io::Read;
use std::sync::Arc;

use crate::collections::kept::{Reader, Writer};
use crate::collections::short_key::Key;
use crate::collections::strings::{RowsByString, Strings};
use crate::error::{Error, Result};
use crate::lazy::Lazy;

/// The id of no token.
pub const NO_ID: u32 = u32::MAX;

/// What a piece of a .model is for; the numbers are those of the file.
pub mod piece_type {
    /// An ordinary piece.
    pub const NORMAL: u8 = 1;
    /// What stands for all that no piece stands for.
    pub const UNKNOWN: u8 = 2;
    /// Matched only where it is allowed; stands for no text.
    pub const CONTROL: u8 = 3;
    /// Always matched, before anything else.
    pub const USER_DEFINED: u8 = 4;
    /// Helps byte-pair encoding to merge, and never comes out.
    pub const UNUSED: u8 = 5;
    /// One byte of a character that has no piece.
    pub const BYTE: u8 = 6;
}

/// Token strings in order of id.
#[derive(Clone, Default)]
pub struct Vocab {
    strings: Arc<Strings>,
    /// Row → id; ascending.
    ids: Arc<Vec<u32>>,
    /// Row → type of the piece; None where all are ordinary.
    types: Option<Vec<u8>>,
    /// String → row, of those that may be matched.
    rows: Arc<RowsByString>,
}

impl Vocab {
    /// Takes the buffers of `tables.Tokens`; `ids` is None where row i has id i.
    pub fn new(data: Vec<u8>, offsets: &[i64], ids: Option<&[u32]>) -> Result<Self> {
        let strings = Strings { data, offsets: offsets.to_vec() };
        let rows = RowsByString::of(&strings);
        Self::of(Arc::new(strings), Arc::new(rows), ids.map(<[u32]>::to_vec))
    }

    /// The same of strings whose rows can be found already.
    pub fn of(
        strings: Arc<Strings>,
        rows: Arc<RowsByString>,
        ids: Option<Vec<u32>>,
    ) -> Result<Self> {
        let count = strings.len();
        let ids = match ids {
            Some(ids) if ids.len() != count => {
                return Err(Error::Vocabulary(format!("{count} tokens but {} ids", ids.len())));
            }
            Some(ids) => ids,
            None => (0..count as u32).collect(),
        };
        if !ids.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(Error::Vocabulary("the ids of a vocabulary must ascend".into()));
        }
        Ok(Self { strings, ids: Arc::new(ids), types: None, rows })
    }

    /// Writes it; the types of pieces are not written.
    pub fn keep(&self, out: &mut Writer) {
        self.strings.keep(out);
        out.table(&self.ids);
        self.rows.keep(out);
    }

    /// The one that was written.
    pub fn kept<R: Read>(from: &mut Reader<R>) -> Option<Self> {
        let (strings, ids) = (Strings::kept(from)?, from.table()?);
        let rows = RowsByString::kept(&strings, from)?;
        Some(Self { strings: strings.into(), ids: ids.into(), types: None, rows: rows.into() })
    }

    /// Says what each piece is for: text becomes only those that are meant for text.
    pub fn with_types(mut self, types: &[u8]) -> Result<Self> {
        if types.len() != self.len() {
            let (pieces, types) = (self.len(), types.len());
            return Err(Error::Vocabulary(format!("{pieces} pieces but {types} types")));
        }
        self.types = Some(types.to_vec());
        let of_type = |wanted: u8| (0..types.len()).filter(move |&row| types[row] == wanted);
        let for_text = [piece_type::NORMAL, piece_type::USER_DEFINED, piece_type::UNUSED];
        let rows = for_text.into_iter().flat_map(of_type);
        self.rows = Arc::new(RowsByString::of_rows(&self.strings, rows));
        Ok(self)
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The bytes of a row.
    pub fn row(&self, row: usize) -> &[u8] {
        self.strings.row(row)
    }

    /// The id of a row.
    pub fn id_of_row(&self, row: usize) -> u32 {
        self.ids[row]
    }

    /// The rows that are found by their strings, in no order that means anything.
    pub fn found_rows(&self) -> impl Iterator<Item = u32> {
        self.rows.rows()
    }

    /// Whether the id of every row is its number.
    pub fn rows_are_ids(&self) -> bool {
        self.ids.iter().enumerate().all(|(row, &id)| row as u32 == id)
    }

    /// What the piece of a row is for.
    pub fn type_of_row(&self, row: usize) -> u8 {
        self.types.as_ref().map_or(piece_type::NORMAL, |types| types[row])
    }

    /// Whether pieces have types, as in a .model.
    pub fn has_types(&self) -> bool {
        self.types.is_some()
    }

    /// The rows of one type.
    pub fn rows_of_type(&self, wanted: u8) -> impl Iterator<Item = usize> {
        let are_all_others = self.types.is_none() && wanted != piece_type::NORMAL;
        let rows = if are_all_others { 0 } else { self.len() };
        (0..rows).filter(move |&row| self.type_of_row(row) == wanted)
    }

    /// The user-defined pieces with their ids.
    pub fn user_defined(&self) -> impl Iterator<Item = (&str, u32)> {
        self.rows_of_type(piece_type::USER_DEFINED)
            .filter_map(|row| Some((std::str::from_utf8(self.row(row)).ok()?, self.ids[row])))
    }

    /// The row of an id, if some token has it.
    pub fn row_of_id(&self, id: u32) -> Option<usize> {
        match self.ids.get(id as usize) {
            Some(&there) if there == id => Some(id as usize),
            _ => self.ids.binary_search(&id).ok(),
        }
    }

    /// The id of a token.
    #[inline]
    pub fn id(&self, token: &[u8]) -> Option<u32> {
        Some(self.ids[self.rows.get(&self.strings, token)? as usize])
    }

    /// The id of a token of at most 15 bytes, by its key.
    #[inline]
    pub fn id_of_short(&self, key: Key) -> Option<u32> {
        Some(self.ids[self.rows.get_short(key)? as usize])
    }

    /// The bytes of an id.
    pub fn token(&self, id: u32) -> Option<&[u8]> {
        self.row_of_id(id).map(|row| self.row(row))
    }

    /// Leaves tokens out of every look-up by string: no text is to become one of these ids.
    pub fn hide(&mut self, ids: &[u32]) {
        let rows: Vec<usize> = ids.iter().filter_map(|&id| self.row_of_id(id)).collect();
        if !rows.is_empty() {
            let found = Arc::make_mut(&mut self.rows);
            for row in rows {
                found.hide(&self.strings, row);
            }
        }
    }

    /// The id of a token that is written in visible characters, and perhaps others, after
    /// `visible_to_bytes`.
    pub fn id_of_visible(&self, token: &[u8]) -> Option<u32> {
        match bytes_of_visible(token) {
            Some(bytes) => self.id(&bytes),
            None => (0..self.len()).rfind(|&row| self.row(row) == token).map(|row| self.ids[row]),
        }
    }

    /// Turns tokens in GPT-2's visible characters into the bytes that they mean.
    ///
    /// A token with any other character keeps its bytes for decoding, and is never matched: no text
    /// can become it.
    pub fn visible_to_bytes(&mut self) {
        let mut strings = Strings::with_capacity(self.len(), self.strings.data.len());
        let mut matched = Vec::with_capacity(self.len());
        for (row, token) in self.strings.iter().enumerate() {
            let start = strings.data.len();
            if push_bytes_of_visible(token, &mut strings.data).is_some() {
                matched.push(row);
            } else {
                strings.data.truncate(start);
                strings.data.extend_from_slice(token);
            }
            strings.close();
        }
        self.rows = Arc::new(RowsByString::of_rows(&strings, matched.into_iter()));
        self.strings = Arc::new(strings);
    }
}

fn push_bytes_of_visible(token: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    for character in std::str::from_utf8(token).ok()?.chars() {
        bytes.push(byte_of_visible(character)?);
    }
    Some(())
}

/// The bytes that a token in visible characters stands for; None if a character is not one of them.
pub fn bytes_of_visible(token: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    push_bytes_of_visible(token, &mut bytes).map(|()| bytes)
}

/// GPT-2 shows the printable bytes as themselves and the other 68, ascending, as U+0100 onwards.
pub fn byte_of_visible(character: char) -> Option<u8> {
    static HIDDEN: Lazy<Vec<u8>> =
        Lazy::new(|| (0..=255).filter(|&byte| !is_printable(byte)).collect());
    match character as u32 {
        code_point @ 0x100.. => HIDDEN.get(code_point as usize - 0x100).copied(),
        byte if is_printable(byte as u8) => Some(byte as u8),
        _ => None,
    }
}

/// The character that shows a byte.
#[inline]
pub fn visible_of_byte(byte: u8) -> char {
    static SHOWN: Lazy<Vec<char>> = Lazy::new(|| {
        let mut hidden = '\u{100}'..;
        let show = |byte: u8| if is_printable(byte) { Some(byte.into()) } else { hidden.next() };
        (0..=255).filter_map(show).collect()
    });
    SHOWN[usize::from(byte)]
}

/// The bytes that GPT-2's alphabet shows as themselves.
pub fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_characters_are_a_bijection() {
        let all: Vec<u8> = ('\0'..'\u{400}').filter_map(byte_of_visible).collect();
        assert_eq!(all.len(), 256);
        assert_eq!(byte_of_visible('Ġ'), Some(b' '));
        assert_eq!(byte_of_visible('Ċ'), Some(b'\n'));
        assert_eq!(byte_of_visible(' '), None);
        assert!((0..=255).all(|byte| byte_of_visible(visible_of_byte(byte)) == Some(byte)));
    }

    #[test]
    fn look_ups() {
        let mut vocab = Vocab::new("aĠb猫".into(), &[0, 1, 4, 7], Some(&[0, 5, 9])).unwrap();
        assert_eq!((vocab.id(b"a"), vocab.id("Ġb".as_bytes())), (Some(0), Some(5)));
        vocab.visible_to_bytes();
        assert_eq!((vocab.id(b" b"), vocab.id("猫".as_bytes())), (Some(5), None));
        assert_eq!((vocab.token(9), vocab.token(7)), (Some("猫".as_bytes()), None));
    }
}
