//! Tables in a file, as they lie in memory: written once, read back without being built.
//!
//! Rule.    A table is its length, a sum and its bytes. What does not have its sum, or its length, is
//!          not read at all. The sums find damage, not malice: the folder is the user's own.
//! Cost.    One read and one sum of the bytes, straight into the memory where they stay.

use std::hash::Hasher;
use std::io::Read;

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

use super::huge_pages;

/// What lies in a file as it does in memory.
///
/// # Safety
/// There must be no padding in it, and any bits must be a value.
pub unsafe trait Plain: Copy {}

// SAFETY: numbers, and arrays of them.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for i64 {}
// SAFETY: as above.
unsafe impl Plain for usize {}
// SAFETY: as above.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// The bytes of a table.
fn bytes<T: Plain>(table: &[T]) -> &[u8] {
    // SAFETY: there is no padding, so each byte is one.
    unsafe { std::slice::from_raw_parts(table.as_ptr().cast(), size_of_val(table)) }
}

/// Tables to be written.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Appends a table.
    pub fn table<T: Plain>(&mut self, table: &[T]) {
        let bytes = bytes(table);
        for number in [table.len() as u64, sum(bytes, table.len() as u64)] {
            self.0.extend_from_slice(&number.to_ne_bytes());
        }
        self.0.extend_from_slice(bytes);
    }

    /// Appends a number.
    pub fn number(&mut self, number: usize) {
        self.table(&[number as u64]);
    }
}

/// Tables that are read in the order in which they were written.
pub struct Reader<R> {
    source: R,
    /// No table has more bytes: those of the file.
    most: u64,
}

impl<R: Read> Reader<R> {
    /// Reads from a source of at most so many bytes.
    pub fn new(source: R, most: u64) -> Self {
        Self { source, most }
    }

    /// The next table; None if it is not as it was written.
    pub fn table<T: Plain>(&mut self) -> Option<Vec<T>> {
        let (length, expected) = (self.word()?, self.word()?);
        if length.checked_mul(size_of::<T>() as u64)? > self.most {
            return None;
        }
        let mut table = huge_pages::zeros::<T>(length as usize);
        // SAFETY: these are the bytes of the table, and any of them make values.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(table.as_mut_ptr().cast::<u8>(), size_of_val(&*table))
        };
        self.source.read_exact(bytes).ok()?;
        (sum(bytes, length) == expected).then_some(table)
    }

    /// The next number.
    pub fn number(&mut self) -> Option<usize> {
        match *self.table::<u64>()? {
            [number] => usize::try_from(number).ok(),
            _ => None,
        }
    }

    fn word(&mut self) -> Option<u64> {
        let mut word = [0; 8];
        self.source.read_exact(&mut word).ok()?;
        Some(u64::from_ne_bytes(word))
    }
}

/// A sum of bytes that depends on each of them; `seed` makes others of it.
pub fn sum(bytes: &[u8], seed: u64) -> u64 {
    let mut hasher = FixedState::with_seed(seed).build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut writer = Writer::default();
        writer.table(&[1u32, 2, 3]);
        writer.table::<[u64; 2]>(&[[4, 5]]);
        writer.number(7);
        let file = writer.0;
        let read = |file: &[u8]| {
            let mut reader = Reader::new(file, file.len() as u64);
            Some((reader.table::<u32>()?, reader.table::<[u64; 2]>()?, reader.number()?))
        };
        assert_eq!(read(&file), Some((vec![1, 2, 3], vec![[4, 5]], 7)));
        for place in 0..file.len() {
            for bit in 0..8 {
                let mut damaged = file.clone();
                damaged[place] ^= 1 << bit;
                assert_eq!(read(&damaged), None, "byte {place}");
            }
            assert_eq!(read(&file[..place]), None);
        }
    }
}
