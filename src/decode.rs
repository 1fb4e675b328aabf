//! Decoding: ids back to bytes.
//!
//! Rule.    Each id stands for its bytes; they are joined. A special token stands for its string, or
//!          for nothing where special tokens are skipped. ByteLevel turns visible characters back
//!          into bytes. An end-of-word mark is a space, except at the end. Where there is no
//!          decoder, whole words and the pieces of a tokenizer.json are joined by a space. The
//!          pieces of a .model are joined as piece_joiner.rs says.
//! Cost.    One copy an id.

use std::borrow::Cow;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::piece_joiner::PieceJoiner;
use crate::spec::{Config, kind, not_run};
use crate::special_tokens::AddedToken;
use crate::vocab::{Vocab, bytes_of_visible};

/// The bytes of every id, in one flat buffer.
pub struct Decoder {
    data: Vec<u8>,
    offsets: Vec<usize>,
    known: Vec<u8>,
    joined: Joined,
}

/// How the bytes of the ids are put together.
enum Joined {
    Directly,
    BySpaces,
    /// A space follows each word and is taken back at the end.
    SpaceAfterWords,
    AsPieces(Box<PieceJoiner>),
}

const HOLE: u8 = 0;
const PLAIN: u8 = 1;
const SPECIAL: u8 = 2;

impl Decoder {
    /// Lays the bytes of all ids end to end.
    pub fn new(config: &Config, vocab: &Vocab, added: &[AddedToken]) -> Result<Self> {
        let decoder = config.part("decoder");
        let size = size(vocab, added)?;
        let joined = match kind(decoder) {
            "" if kind(config.part("model")) == "WordLevel" => Joined::BySpaces,
            "" if config.part("origin") == "tokenizer.json" => Joined::BySpaces,
            "" | "ByteLevel" | "Fuse" => Joined::Directly,
            "BPEDecoder" => Joined::SpaceAfterWords,
            "SentencePiece" => {
                Joined::AsPieces(Box::new(PieceJoiner::new(config, vocab, added, size)?))
            }
            _ => return Err(not_run("decoder", decoder)),
        };
        let mut pieces: Vec<(Cow<[u8]>, u8)> = vec![(Cow::Borrowed(&[]), HOLE); size];
        for row in 0..vocab.len() {
            pieces[vocab.id_of_row(row) as usize] = (meaning(decoder, vocab.row(row)), PLAIN);
        }
        for token in added {
            let kind = if token.special { SPECIAL } else { PLAIN };
            pieces[token.id as usize] = (Cow::Borrowed(token.content.as_bytes()), kind);
        }
        let (mut data, mut offsets) = (Vec::new(), vec![0]);
        for (bytes, _) in &pieces {
            data.extend_from_slice(bytes);
            offsets.push(data.len());
        }
        let known = pieces.iter().map(|&(_, known)| known).collect();
        Ok(Self { data, offsets, known, joined })
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
        if let Joined::AsPieces(joiner) = &self.joined {
            return joiner.join(self.pieces(ids, skip_special), out);
        }
        let start = out.len();
        for piece in self.pieces(ids, skip_special) {
            let (_, bytes) = piece?;
            if matches!(self.joined, Joined::BySpaces) && out.len() > start {
                out.push(b' ');
            }
            out.extend_from_slice(bytes);
        }
        if matches!(self.joined, Joined::SpaceAfterWords) && out[start..].last() == Some(&b' ') {
            out.pop();
        }
        Ok(())
    }

    /// Each id with its bytes.
    #[inline]
    fn pieces<'a>(
        &'a self,
        ids: &'a [u32],
        skip_special: bool,
    ) -> impl Iterator<Item = Result<(u32, &'a [u8])>> {
        ids.iter().filter_map(move |&id| match self.known.get(id as usize) {
            Some(&SPECIAL) if skip_special => None,
            Some(&(PLAIN | SPECIAL)) => {
                let (start, end) = (self.offsets[id as usize], self.offsets[id as usize + 1]);
                Some(Ok((id, &self.data[start..end])))
            }
            _ => Some(Err(self.unknown_id(id))),
        })
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

/// The highest id + 1.
fn size(vocab: &Vocab, added: &[AddedToken]) -> Result<usize> {
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
    Ok(size)
}

/// What a token of the vocabulary stands for in text.
fn meaning<'a>(decoder: &Value, token: &'a [u8]) -> Cow<'a, [u8]> {
    match kind(decoder) {
        "ByteLevel" => bytes_of_visible(token).map_or(Cow::Borrowed(token), Cow::Owned),
        "BPEDecoder" => {
            let mark = decoder["suffix"].as_str().unwrap_or("");
            match token.strip_suffix(mark.as_bytes()) {
                Some(word) => [word, b" "].concat().into(),
                None => Cow::Borrowed(token),
            }
        }
        _ => Cow::Borrowed(token),
    }
}
