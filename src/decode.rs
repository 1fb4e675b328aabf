//! Decoding: ids back to bytes.
//!
//! Rule.    Each id stands for its bytes; they are joined. A special token stands for its string, or
//!          for nothing where special tokens are skipped. An end-of-word mark is a space, except at
//!          the end. ByteLevel turns visible characters back into bytes, whether or not the text
//!          was split into them. Where there is no decoder, whole words and the pieces of a
//!          tokenizer.json are joined by a space.
//! Cost.    One copy an id.

use std::borrow::Cow;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::spec::{Config, kind, not_run};
use crate::special_tokens::AddedToken;
use crate::vocab::{Vocab, bytes_of_visible};

/// The bytes of every id, in one flat buffer.
pub struct Decoder {
    data: Vec<u8>,
    offsets: Vec<usize>,
    known: Vec<u8>,
    /// A space follows each word and is taken back at the end.
    spaced: bool,
    joined_by_space: bool,
}

const HOLE: u8 = 0;
const PLAIN: u8 = 1;
const SPECIAL: u8 = 2;

impl Decoder {
    /// Lays the bytes of all ids end to end.
    pub fn new(
        config: &Config,
        vocab: &Vocab,
        added: &[AddedToken],
        byte_level: bool,
    ) -> Result<Self> {
        let mark = match config.part("decoder") {
            Value::Null => None,
            decoder if matches!(kind(decoder), "ByteLevel" | "Fuse") => None,
            decoder if kind(decoder) == "BPEDecoder" => decoder["suffix"].as_str(),
            decoder => return Err(not_run("decoder", decoder)),
        };
        // The pipeline has turned a byte-level vocabulary into bytes already.
        let visible = kind(config.part("decoder")) == "ByteLevel" && !byte_level;
        let model = config.part("model");
        let highest_model = vocab.len().checked_sub(1).map(|row| vocab.id_of_row(row));
        let highest = added.iter().map(|token| token.id).chain(highest_model).max();
        let size = highest.map_or(0, |id| id as usize + 1);
        if size > vocab.len() + added.len() + MOST_HOLES {
            return Err(Error::Vocabulary(format!(
                "{} tokens have ids up to {}; at most {MOST_HOLES} ids may be unused",
                vocab.len() + added.len(),
                size - 1
            )));
        }
        let mut pieces: Vec<(&[u8], u8)> = vec![(&[], HOLE); size];
        let bytes_of_row = |row| {
            let bytes = visible.then(|| bytes_of_visible(vocab.row(row))).flatten();
            bytes.map_or(Cow::Borrowed(vocab.row(row)), Cow::Owned)
        };
        let rows: Vec<_> = (0..vocab.len()).map(bytes_of_row).collect();
        for (row, bytes) in rows.iter().enumerate() {
            pieces[vocab.id_of_row(row) as usize] = (bytes, PLAIN);
        }
        for token in added {
            let kind = if token.special { SPECIAL } else { PLAIN };
            pieces[token.id as usize] = (token.content.as_bytes(), kind);
        }
        let mut decoder = Self {
            data: Vec::new(),
            offsets: vec![0],
            known: Vec::with_capacity(size),
            spaced: mark.is_some(),
            joined_by_space: config.part("decoder").is_null()
                && (kind(model) == "WordLevel" || config.part("origin") == "tokenizer.json"),
        };
        for (bytes, known) in pieces {
            match mark.and_then(|mark| bytes.strip_suffix(mark.as_bytes())) {
                Some(word) => {
                    decoder.data.extend_from_slice(word);
                    decoder.data.push(b' ');
                }
                None => decoder.data.extend_from_slice(bytes),
            }
            decoder.offsets.push(decoder.data.len());
            decoder.known.push(known);
        }
        Ok(decoder)
    }

    /// The highest id + 1.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is no id at all.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Appends the bytes of the ids to `out`.
    pub fn decode(&self, ids: &[u32], skip_special: bool, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        for &id in ids {
            match self.known.get(id as usize) {
                Some(&SPECIAL) if skip_special => continue,
                Some(&(PLAIN | SPECIAL)) => {}
                _ => return Err(self.unknown_id(id)),
            }
            if self.joined_by_space && out.len() > start {
                out.push(b' ');
            }
            let id = id as usize;
            out.extend_from_slice(&self.data[self.offsets[id]..self.offsets[id + 1]]);
        }
        if self.spaced && out.len() > start && out.last() == Some(&b' ') {
            out.pop();
        }
        Ok(())
    }

    fn unknown_id(&self, id: u32) -> Error {
        Error::Vocabulary(match self.len() {
            0 => format!("id {id} is not in the vocabulary, which is empty"),
            size if (id as usize) < size => {
                format!(
                    "id {id} is one of the unused ids of this vocabulary; it stands for nothing"
                )
            }
            size => format!("id {id} is not in the vocabulary; ids go from 0 to {}", size - 1),
        })
    }
}

/// How many ids may stand for nothing: a hostile file must not make a table of 2^32 rows.
const MOST_HOLES: usize = 1 << 22;
