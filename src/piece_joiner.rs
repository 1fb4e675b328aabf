//! Joining the pieces of a .model: what each adds to the text, one after another.
//!
//! Rule.    ▁ is a space, but not where the text begins: there the normalizer has put it in or would
//!          have taken it away. With `remove_extra_whitespaces` all at the beginning go, otherwise,
//!          with `add_dummy_prefix`, one. Control pieces add nothing, the unknown its surface, bytes
//!          themselves, and a token that was added to the model its own text. A byte that is no part
//!          of a character becomes a replacement character where others follow; in the end the
//!          denormalizer, where there is one, rewrites the whole text.
//! Cost.    Linear.
//! Source.  sentencepiece 0.2.3.

use crate::alignment::Aligned;
use crate::error::Result;
use crate::normalize::{SPACE, SentencePiece};
use crate::spec::{Config, flag, kind};
use crate::special_tokens::AddedToken;
use crate::vocab::{Vocab, piece_type};

/// How pieces become text.
pub struct PieceJoiner {
    /// Id → type of the piece.
    types: Vec<u8>,
    /// Id → whether it was added to the model.
    added: Vec<bool>,
    unknown_surface: String,
    drops_all: bool,
    drops_one: bool,
    denormalizer: Option<SentencePiece>,
}

impl PieceJoiner {
    /// Reads the decoder of a spec; there are `size` ids.
    pub fn new(config: &Config, vocab: &Vocab, tokens: &[AddedToken], size: usize) -> Result<Self> {
        let decoder = config.part("decoder");
        let rule = config.part("normalizer");
        let is_sentencepiece = kind(rule) == "SentencePiece";
        let drops_all = is_sentencepiece && flag(rule, "remove_extra_whitespaces");
        let denormalizer = &decoder["denormalizer"];
        let rewrites =
            denormalizer["charsmap"].as_str().is_some_and(|charsmap| !charsmap.is_empty());
        let mut joiner = Self {
            types: vec![piece_type::NORMAL; size],
            added: vec![false; size],
            unknown_surface: decoder["unk_surface"].as_str().unwrap_or("").into(),
            drops_all,
            drops_one: drops_all || is_sentencepiece && flag(rule, "add_dummy_prefix"),
            denormalizer: if rewrites {
                Some(SentencePiece::new(denormalizer, std::iter::empty())?)
            } else {
                None
            },
        };
        for row in 0..vocab.len() {
            joiner.types[vocab.id_of_row(row) as usize] = vocab.type_of_row(row);
        }
        for token in tokens {
            joiner.added[token.id as usize] = true;
        }
        Ok(joiner)
    }

    /// Appends the text of pieces to `out`.
    pub fn join<'a>(
        &self,
        pieces: impl Iterator<Item = Result<(u32, &'a [u8])>>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut text = Vec::new();
        let mut row = 0; // where the last row of bytes begins
        let (mut drops_space, mut after_byte) = (self.drops_one, false);
        for piece in pieces {
            let (id, mut shown) = piece?;
            let kind = self.types[id as usize];
            if kind == piece_type::BYTE && !after_byte {
                // A character's bytes stand in a row, even where what parts them cannot be seen.
                replace_each_byte(&mut text, row);
                row = text.len();
            }
            after_byte = kind == piece_type::BYTE;
            if let (true, Some(byte)) = (after_byte, byte_of(shown)) {
                text.push(byte);
                continue;
            }
            if kind == piece_type::CONTROL {
                continue;
            }
            if text.is_empty()
                && drops_space
                && let Some(rest) = shown.strip_prefix(SPACE.as_bytes())
            {
                (shown, drops_space) = (rest, self.drops_all);
            }
            if kind == piece_type::UNKNOWN {
                text.extend_from_slice(self.unknown_surface.as_bytes());
            } else if self.added[id as usize] {
                text.extend_from_slice(shown);
            } else {
                push_spaced(shown, &mut text);
            }
        }
        if let Some(denormalizer) = &self.denormalizer {
            replace_each_byte(&mut text, 0);
            let whole = String::from_utf8_lossy(&text);
            let old = Aligned::of(&whole, 0..whole.len());
            out.extend_from_slice(
                denormalizer.normalize(&old, &whole, false, false).text.as_bytes(),
            );
        } else {
            out.append(&mut text);
        }
        Ok(())
    }
}

/// Appends a piece with each ▁ shown as a space.
fn push_spaced(piece: &[u8], text: &mut Vec<u8>) {
    let mut rest = piece;
    while let Some(at) = rest.windows(SPACE.len()).position(|part| part == SPACE.as_bytes()) {
        text.extend_from_slice(&rest[..at]);
        text.push(b' ');
        rest = &rest[at + SPACE.len()..];
    }
    text.extend_from_slice(rest);
}

/// Replaces each byte that is no part of a character, from a place on.
fn replace_each_byte(text: &mut Vec<u8>, from: usize) {
    if std::str::from_utf8(&text[from..]).is_ok() {
        return;
    }
    let mut whole = String::new();
    for chunk in text[from..].utf8_chunks() {
        whole.push_str(chunk.valid());
        whole.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text.truncate(from);
    text.extend_from_slice(whole.as_bytes());
}

/// The byte that a token like `<0x0A>` stands for.
pub fn byte_of(token: &[u8]) -> Option<u8> {
    let [b'<', b'0', b'x', high, low, b'>'] = *token else { return None };
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    };
    Some(digit(high)? << 4 | digit(low)?)
}
