//! The vocabulary: token bytes ↔ id, over flat buffers.
//!
//! tokenizer.json writes byte-level tokens in visible characters (`Ġ` for a space).
//! [`Vocab::visible_to_bytes`] turns such a vocabulary into what it means, once, so that encoding
//! and decoding work on plain bytes.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use crate::collections::short_key::{self, Key};
use crate::collections::short_map::ShortMap;
use crate::error::{Error, Result};

/// The id of no token.
pub const NO_ID: u32 = u32::MAX;
/// The row of no token.
const NO_ROW: u32 = u32::MAX;

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
pub struct Vocab {
    data: Vec<u8>,
    offsets: Vec<usize>,
    /// Row → id; ascending.
    ids: Vec<u32>,
    /// Row → type of the piece; None where all are ordinary.
    types: Option<Vec<u8>>,
    /// String → row, of those that may be matched: the short ones, and the others by their hash.
    short: ShortMap,
    long: HashTable<u32>,
    hasher: RandomState,
}

impl Vocab {
    /// Takes the buffers of `tables.Tokens`; `ids` is None where row i has id i.
    pub fn new(data: Vec<u8>, offsets: &[i64], ids: Option<&[u32]>) -> Result<Self> {
        let rows = offsets.len().saturating_sub(1);
        let ids: Vec<u32> = match ids {
            Some(ids) if ids.len() != rows => {
                return Err(Error::Vocabulary(format!("{rows} tokens but {} ids", ids.len())));
            }
            Some(ids) => ids.to_vec(),
            None => (0..rows as u32).collect(),
        };
        if !ids.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(Error::Vocabulary("the ids of a vocabulary must ascend".into()));
        }
        let offsets = offsets.iter().map(|&offset| offset as usize).collect();
        let (short, long) = (ShortMap::default(), HashTable::new());
        let mut vocab =
            Self { data, offsets, ids, types: None, short, long, hasher: RandomState::default() };
        vocab.build_index(0..rows);
        Ok(vocab)
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
        self.build_index(for_text.into_iter().flat_map(of_type));
        Ok(self)
    }

    /// Makes the rows those that are found by their strings.
    fn build_index(&mut self, rows: impl Iterator<Item = usize>) {
        let mut short = ShortMap::with_capacity(self.len());
        let mut long = HashTable::new();
        // A string that stands twice means its last row, as in a JSON object.
        for row in rows {
            let token = self.row(row);
            if ShortMap::takes(token) {
                short
                    .insert(short_key::key(&self.data, self.offsets[row], token.len()), row as u32);
                continue;
            }
            let hash = self.hasher.hash_one(token);
            let same = |&other: &u32| self.row(other as usize) == token;
            if let Some(slot) = long.find_mut(hash, same) {
                *slot = row as u32;
            } else {
                let rehash = |&other: &u32| self.hasher.hash_one(self.row(other as usize));
                long.insert_unique(hash, row as u32, rehash);
            }
        }
        (self.short, self.long) = (short, long);
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
        &self.data[self.offsets[row]..self.offsets[row + 1]]
    }

    /// The id of a row.
    pub fn id_of_row(&self, row: usize) -> u32 {
        self.ids[row]
    }

    /// The rows that are found by their strings, in no order that means anything.
    pub fn found_rows(&self) -> impl Iterator<Item = u32> {
        let short = self.short.numbers().filter(|&row| row != NO_ROW);
        short.chain(self.long.iter().copied())
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
        (0..self.len()).filter(move |&row| self.type_of_row(row) == wanted)
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
        if ShortMap::takes(token) {
            return self.id_of_short(short_key::key(token, 0, token.len()));
        }
        let hash = self.hasher.hash_one(token);
        let row = self.long.find(hash, |&row| self.row(row as usize) == token)?;
        Some(self.ids[*row as usize])
    }

    /// The id of a token of at most 15 bytes, by its key.
    #[inline]
    pub fn id_of_short(&self, key: Key) -> Option<u32> {
        let row = self.short.get(key)?;
        // No row has the number of a token that is hidden.
        self.ids.get(row as usize).copied()
    }

    /// The bytes of an id.
    pub fn token(&self, id: u32) -> Option<&[u8]> {
        self.row_of_id(id).map(|row| self.row(row))
    }

    /// Leaves tokens out of every look-up by string: no text is to become one of these ids.
    pub fn hide(&mut self, ids: &[u32]) {
        for &id in ids {
            let Some(row) = self.row_of_id(id) else { continue };
            let token = self.row(row);
            if ShortMap::takes(token) {
                let key = short_key::key(&self.data, self.offsets[row], token.len());
                if self.short.get(key) == Some(row as u32) {
                    self.short.insert(key, NO_ROW);
                }
                continue;
            }
            let hash = self.hasher.hash_one(token);
            if let Ok(entry) = self.long.find_entry(hash, |&other| other as usize == row) {
                entry.remove();
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
        let mut data = Vec::with_capacity(self.data.len());
        let mut offsets = vec![0];
        let mut matched = vec![true; self.len()];
        for (row, matched) in matched.iter_mut().enumerate() {
            let token = self.row(row);
            if let Some(bytes) = bytes_of_visible(token) {
                data.extend_from_slice(&bytes);
            } else {
                *matched = false;
                data.extend_from_slice(token);
            }
            offsets.push(data.len());
        }
        (self.data, self.offsets) = (data, offsets);
        self.build_index((0..matched.len()).filter(|&row| matched[row]));
    }
}

/// The bytes that a token in visible characters stands for; None if a character is not one of them.
pub fn bytes_of_visible(token: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(token).ok()?.chars().map(byte_of_visible).collect()
}

/// GPT-2 shows the printable bytes as themselves and the other 68, ascending, as U+0100 onwards.
pub fn byte_of_visible(character: char) -> Option<u8> {
    static HIDDEN: LazyLock<Vec<u8>> =
        LazyLock::new(|| (0..=255).filter(|&byte| !is_printable(byte)).collect());
    match character as u32 {
        code_point @ 0x100.. => HIDDEN.get(code_point as usize - 0x100).copied(),
        byte if is_printable(byte as u8) => Some(byte as u8),
        _ => None,
    }
}

/// The character that shows a byte.
#[inline]
pub fn visible_of_byte(byte: u8) -> char {
    static SHOWN: LazyLock<Vec<char>> = LazyLock::new(|| {
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
