//! What becomes of characters that no token stands for.
//!
//! Rule.    With byte fallback each becomes the tokens of its bytes, if the vocabulary has them; the
//!          bytes of an unknown word all stand for the whole of it. Otherwise those in a row become
//!          one unknown token, whose text is their own. Without one it is an error.
//! Cost.    Linear.
//! Source.  sentencepiece 0.2.3; tokenizers 0.23.3 does the same for Unigram.

use serde_json::Value;

use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::piece_joiner::byte_of;
use crate::spec::flag;
use crate::vocab::{NO_ID, Vocab, piece_type};

/// From here on, rows stand for an unknown character: the last three bits say of how many bytes.
const UNKNOWN_ROWS: u32 = u32::MAX << 3;

/// The row of an unknown character.
#[inline]
pub fn unknown_row(bytes: usize) -> u32 {
    UNKNOWN_ROWS | bytes as u32
}

/// The bytes of such a row.
#[inline]
pub fn bytes_of_unknown(row: u32) -> usize {
    (row & !UNKNOWN_ROWS) as usize
}

/// What stands for the unknown.
pub struct Unknown {
    id: Option<u32>,
    /// Byte → id of the token that an unknown character falls back to.
    byte_ids: Option<Box<[u32; 256]>>,
}

impl Unknown {
    /// Reads the model of a spec: the unknown token is known by its type, by number, or by name.
    pub fn new(spec: &Value, vocab: &Vocab) -> Self {
        let by_type = vocab.rows_of_type(piece_type::UNKNOWN).next();
        let by_number = spec["unk_id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let id = match (by_type, by_number, spec["unk_token"].as_str()) {
            (Some(row), _, _) => Some(vocab.id_of_row(row)),
            (None, Some(id), _) => Some(id),
            (None, None, None) => None,
            // A name that no token has is none: only a text that needs it is refused, as in
            // tokenizers.
            (None, None, Some(token)) => (0..vocab.len())
                .rfind(|&row| vocab.row(row) == token.as_bytes())
                .map(|row| vocab.id_of_row(row)),
        };
        Self { id, byte_ids: byte_ids(vocab, flag(spec, "byte_fallback")) }
    }

    /// The id for the unknown, if there is one.
    pub fn known_id(&self) -> Option<u32> {
        self.id
    }

    /// The id to use for `part`, which has none and stands at byte `at` of the word.
    pub fn id(&self, part: &[u8], at: usize) -> Result<u32> {
        let unknown = || Error::Unknown(String::from_utf8_lossy(part).into_owned(), at);
        self.id.ok_or_else(unknown)
    }

    /// Whether an id, whose string this is, stands for something unknown or for one of its bytes.
    pub fn is_meant_by(&self, id: u32, string: &[u8]) -> bool {
        let byte_id = || Some(self.byte_ids.as_ref()?[usize::from(byte_of(string)?)]);
        self.id == Some(id) || byte_id() == Some(id)
    }

    /// Makes tokens of the rows of a word; `cut` says the id and the bytes of a row that is not
    /// unknown. Where rows are ids and nobody asks for places, most words need no look at all.
    #[inline]
    pub fn settle_rows<S: Sink>(
        &self,
        word: &[u8],
        rows: &[u32],
        are_ids: bool,
        cut: impl Fn(u32) -> (Option<u32>, usize),
        out: &mut S,
    ) -> Result<()> {
        let unknown = self.id.unwrap_or(UNKNOWN_ROWS);
        let is_known = |&row: &u32| row < UNKNOWN_ROWS && row != unknown;
        if are_ids && !S::PLACES && rows.iter().all(is_known) {
            out.tokens(rows);
            return Ok(());
        }
        let cuts = rows
            .iter()
            .map(|&row| if row < UNKNOWN_ROWS { cut(row) } else { (None, bytes_of_unknown(row)) });
        self.settle(word, cuts, out)
    }

    /// The ids of the byte tokens of a string, if bytes fall back and it has all of them.
    pub fn bytes(&self, string: &[u8]) -> Option<impl Iterator<Item = u32>> {
        let ids = self.byte_ids.as_ref()?;
        let ids = string.iter().map(|&byte| ids[usize::from(byte)]);
        ids.clone().all(|id| id != NO_ID).then_some(ids)
    }

    /// Makes tokens of the cuts of a word, each an id (or none) and the bytes that it covers.
    #[inline]
    pub fn settle<S: Sink>(
        &self,
        word: &[u8],
        cuts: impl Iterator<Item = (Option<u32>, usize)>,
        out: &mut S,
    ) -> Result<()> {
        let mut at = 0;
        let mut unknown: Vec<usize> = Vec::new(); // the bytes of each that is unknown, in a row
        for (id, bytes) in cuts {
            if let Some(id) = id {
                if !unknown.is_empty() {
                    self.settle_row(&word[..at], &mut unknown, out)?;
                }
                out.token(id, bytes);
            } else {
                unknown.push(bytes);
            }
            at += bytes;
        }
        self.settle_row(word, &mut unknown, out)
    }

    /// Makes tokens of what is unknown at the end of a text.
    fn settle_row<S: Sink>(&self, text: &[u8], cuts: &mut Vec<usize>, out: &mut S) -> Result<()> {
        if cuts.is_empty() {
            return Ok(());
        }
        let start = text.len() - cuts.iter().sum::<usize>();
        let mut rest = &text[start..];
        match &self.byte_ids {
            Some(ids) if rest.iter().all(|&byte| ids[usize::from(byte)] != NO_ID) => {
                for length in cuts.drain(..) {
                    let (cut, after) = rest.split_at(length);
                    let ids = cut.iter().map(|&byte| ids[usize::from(byte)]);
                    if is_one_character(cut) {
                        ids.for_each(|id| out.token(id, 1));
                    } else {
                        for (index, id) in ids.enumerate() {
                            let is_last = index + 1 == length;
                            if is_last { out.token(id, length) } else { out.within(id, length) }
                        }
                    }
                    rest = after;
                }
            }
            _ => {
                out.token(self.id(rest, start)?, rest.len());
                cuts.clear();
            }
        }
        Ok(())
    }
}

fn is_one_character(text: &[u8]) -> bool {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() == 1
}

/// The ids of tokens like `<0x0A>`: those of that type, or where fallback is on, of that name.
fn byte_ids(vocab: &Vocab, fallback: bool) -> Option<Box<[u32; 256]>> {
    let mut ids = Box::new([NO_ID; 256]);
    let mut fill = |wanted: u8| {
        let mut found = false;
        for row in vocab.rows_of_type(wanted) {
            if let Some(byte) = byte_of(vocab.row(row)) {
                ids[usize::from(byte)] = vocab.id_of_row(row);
                found = true;
            }
        }
        found
    };
    let found = fill(piece_type::BYTE) || fallback && fill(piece_type::NORMAL);
    found.then_some(ids)
}
