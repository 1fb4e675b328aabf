//! Byte strings end to end, and how to find the row of one.
//!
//! Rule.    A string that stands twice means its last row, as a key does in JSON objects.
//! Cost.    A look-up is one of `short_map.rs` for strings of up to 15 bytes, else one of a table of
//!          hashes, where the strings that share one are compared.

use std::hash::BuildHasher;
use std::io::Read;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::kept::{Reader, Writer};
use super::short_key::{self, Key};
use super::short_map::ShortMap;

/// String i is `data[offsets[i]..offsets[i + 1]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strings {
    /// All strings, concatenated.
    pub data: Vec<u8>,
    /// One more than there are strings; starts with 0, ascends.
    pub offsets: Vec<i64>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { data: Vec::new(), offsets: vec![0] }
    }
}

impl Strings {
    /// None, with room for some of some bytes in all.
    pub fn with_capacity(strings: usize, bytes: usize) -> Self {
        let mut offsets = Vec::with_capacity(strings + 1);
        offsets.push(0);
        Self { data: Vec::with_capacity(bytes), offsets }
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The string of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u8] {
        &self.data[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.offsets.windows(2).map(|ends| &self.data[ends[0] as usize..ends[1] as usize])
    }

    /// Appends a string.
    pub fn push(&mut self, string: &[u8]) {
        self.data.extend_from_slice(string);
        self.close();
    }

    /// Ends the string whose bytes were appended to the data.
    pub fn close(&mut self) {
        self.offsets.push(self.data.len() as i64);
    }

    /// Writes them.
    pub fn keep(&self, out: &mut Writer) {
        out.table(&self.data);
        out.table(&self.offsets);
    }

    /// Those that were written.
    pub fn kept<R: Read>(from: &mut Reader<R>) -> Option<Self> {
        Some(Self { data: from.table()?, offsets: from.table()? })
    }

    fn key(&self, row: usize) -> Key {
        short_key::key(&self.data, self.offsets[row] as usize, self.row(row).len())
    }
}

/// String → row of it.
#[derive(Clone, Default)]
pub struct RowsByString {
    short: ShortMap,
    long: HashTable<u32>,
    hasher: RandomState,
}

/// The row of no string.
const NO_ROW: u32 = u32::MAX;

impl RowsByString {
    /// Those of all strings.
    pub fn of(strings: &Strings) -> Self {
        Self::of_rows(strings, 0..strings.len())
    }

    /// Those of some rows.
    pub fn of_rows(strings: &Strings, rows: impl Iterator<Item = usize>) -> Self {
        let (short, long) = (ShortMap::with_capacity(strings.len()), HashTable::new());
        let mut index = Self { short, long, hasher: RandomState::default() };
        for row in rows {
            index.insert(strings, row);
        }
        index
    }

    fn insert(&mut self, strings: &Strings, row: usize) {
        let string = strings.row(row);
        if ShortMap::takes(string) {
            self.short.insert(strings.key(row), row as u32);
            return;
        }
        let hash = self.hasher.hash_one(string);
        let same = |&other: &u32| strings.row(other as usize) == string;
        if let Some(slot) = self.long.find_mut(hash, same) {
            *slot = row as u32;
        } else {
            let rehash = |&other: &u32| self.hasher.hash_one(strings.row(other as usize));
            self.long.insert_unique(hash, row as u32, rehash);
        }
    }

    /// The row of a string; `strings` are those that it was made of.
    #[inline]
    pub fn get(&self, strings: &Strings, string: &[u8]) -> Option<u32> {
        if ShortMap::takes(string) {
            return self.get_short(short_key::key(string, 0, string.len()));
        }
        let hash = self.hasher.hash_one(string);
        self.long.find(hash, |&row| strings.row(row as usize) == string).copied()
    }

    /// The row of a string of at most 15 bytes, by its key.
    #[inline]
    pub fn get_short(&self, key: Key) -> Option<u32> {
        self.short.get(key).filter(|&row| row != NO_ROW)
    }

    /// Leaves a row out, so that nothing finds it.
    pub fn hide(&mut self, strings: &Strings, row: usize) {
        let string = strings.row(row);
        if ShortMap::takes(string) {
            let key = strings.key(row);
            if self.short.get(key) == Some(row as u32) {
                self.short.insert(key, NO_ROW);
            }
            return;
        }
        let hash = self.hasher.hash_one(string);
        if let Ok(entry) = self.long.find_entry(hash, |&other| other as usize == row) {
            entry.remove();
        }
    }

    /// Writes it.
    pub fn keep(&self, out: &mut Writer) {
        self.short.keep(out);
        out.table(&self.long.iter().copied().collect::<Vec<u32>>());
    }

    /// The one that was written for these strings.
    pub fn kept<R: Read>(strings: &Strings, from: &mut Reader<R>) -> Option<Self> {
        let (short, long) = (ShortMap::kept(from)?, from.table::<u32>()?);
        let mut index = Self { short, ..Self::default() };
        index.long.reserve(long.len(), |_| 0);
        for &row in &long {
            index.insert(strings, row as usize);
        }
        Some(index)
    }

    /// The number of different strings.
    pub fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows that are found, in no order that means anything.
    pub fn rows(&self) -> impl Iterator<Item = u32> {
        let short = self.short.numbers().filter(|&row| row != NO_ROW);
        short.chain(self.long.iter().copied())
    }
}
