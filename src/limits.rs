//! Texts within a limit of tokens: where a beginning ends, and where parts do.
//!
//! Rule.    The beginning that the first tokens of a text cover ends where one of its tokens begins,
//!          and never inside a character: at the last such place up to which the text alone is no
//!          more tokens than the limit, else behind the first character, if that fits. Parts are
//!          beginnings of what is left, each looked for in a window: the first has `WINDOW` characters
//!          a token, each other half as many again as the part before, and twice as many while all
//!          of them fit. Of a part the tokens are its own, and the next one begins where its last
//!          `overlap` tokens do.
//! Cost.    A text is encoded in blocks that end where it may be cut (`blocks.rs`), only as far as the
//!          limit reaches, and the ids of whole blocks stay as they are. Places are asked of the last
//!          block alone, which is small: the less room is left, the smaller is the next. Where a text
//!          may not be cut, the window is one block, and encoded three times.

use std::ops::Range;

use crate::blocks::{BLOCK, Cutter};
use crate::encoding::{Sink, Spans};
use crate::error::{Error, Result};
use crate::pipeline::Pipeline;
use crate::special_tokens::Special;
use crate::worker::Worker;

/// How many characters a token the first window has.
const WINDOW: usize = 8;
/// The least number of characters of a window.
const LEAST_WINDOW: usize = 64;
/// The least number of bytes of a block.
const LEAST_BLOCK: usize = 64;

/// Looks for beginnings of texts that are no more tokens than a limit.
pub struct Limits<'a> {
    pipeline: &'a Pipeline,
    worker: &'a mut Worker,
    cutter: Cutter,
    most: usize,
}

/// The beginning of a text that fits.
pub struct Beginning {
    /// Where it ends, in bytes.
    pub end: usize,
    /// Its ids.
    pub ids: Vec<u32>,
    blocks: Vec<Block>,
}

/// A stretch of a text that is encoded for itself.
struct Block {
    at: Range<usize>,
    /// How many tokens are before it.
    before: usize,
    /// What the model carries on to it.
    carried: Option<f64>,
}

/// Parts of a text, one behind another.
#[derive(Default)]
pub struct Parts {
    /// Start and end of each, in characters of the text.
    pub spans: Vec<(usize, usize)>,
    /// The ids of all.
    pub ids: Vec<u32>,
    /// Where the ids of each end.
    pub ends: Vec<usize>,
}

impl<'a> Limits<'a> {
    /// At most `most` tokens.
    pub fn new(pipeline: &'a Pipeline, worker: &'a mut Worker, most: usize) -> Self {
        Self { pipeline, worker, cutter: Cutter::default(), most }
    }

    /// The beginning of a text that its first tokens cover.
    pub fn beginning(&mut self, text: &str) -> Result<Beginning> {
        let (mut ids, mut blocks) = (Vec::new(), Vec::new());
        let mut carried = self.pipeline.carries().then_some(0.0);
        let mut start = 0;
        while start < text.len() && ids.len() <= self.most {
            let block = Block {
                at: start..self.end_of_block(text, start, ids.len()),
                before: ids.len(),
                carried,
            };
            start = block.at.end;
            self.encode(text, &block, &mut ids)?;
            carried = self.worker.carried;
            blocks.push(block);
        }
        if ids.len() <= self.most {
            return Ok(Beginning { end: text.len(), ids, blocks });
        }
        self.shorten(text, blocks, ids)
    }

    /// Where the next block ends: about half as far as the limit reaches.
    fn end_of_block(&mut self, text: &str, start: usize, tokens: usize) -> usize {
        let size = ((self.most - tokens) * 2).clamp(LEAST_BLOCK, BLOCK);
        let cut = (text.len() - start > size)
            .then(|| self.cutter.next(self.pipeline, text, start + size));
        cut.flatten().unwrap_or(text.len())
    }

    /// Finds the last place in blocks up to which the text fits; the last of them is beyond it.
    fn shorten(&mut self, text: &str, blocks: Vec<Block>, ids: Vec<u32>) -> Result<Beginning> {
        let (mut blocks, mut ids) = (blocks, ids);
        let first_character = text.chars().next().map_or(0, char::len_utf8);
        while let Some(mut block) = blocks.pop() {
            ids.truncate(block.before);
            let room = self.most - block.before;
            let mut places = self.token_starts(text, &block)?;
            places.truncate(room + 1);
            if blocks.is_empty() {
                places.push(first_character);
                places.sort_unstable();
            }
            places.dedup();
            for end in places.into_iter().rev().take_while(|&end| end > 0) {
                block.at.end = end;
                self.encode(text, &block, &mut ids)?;
                if ids.len() <= self.most {
                    blocks.push(block);
                    return Ok(Beginning { end, ids, blocks });
                }
                ids.truncate(block.before);
            }
        }
        Ok(Beginning { end: 0, ids, blocks })
    }

    /// Where the last `count` tokens of a beginning begin.
    fn last_tokens(&mut self, text: &str, part: &Beginning, count: usize) -> Result<usize> {
        let first = part.ids.len().saturating_sub(count);
        match part.blocks.iter().rfind(|block| block.before <= first) {
            Some(block) if first < part.ids.len() => {
                Ok(self.token_starts(text, block)?[first - block.before])
            }
            _ => Ok(part.end),
        }
    }

    /// The character that each token of a block begins in, ascending.
    fn token_starts(&mut self, text: &str, block: &Block) -> Result<Vec<usize>> {
        let mut spans = Spans::default();
        self.encode(text, block, &mut spans)?;
        let (mut starts, mut last) = (Vec::with_capacity(spans.spans.len()), 0);
        for (start, end) in spans.spans {
            let mut at = block.at.start + start;
            while !text.is_char_boundary(at) {
                // A token that touches nothing begins where the next character does.
                at = if start < end { at - 1 } else { at + 1 };
            }
            last = at.max(last);
            starts.push(last);
        }
        Ok(starts)
    }

    fn encode<S: Sink>(&mut self, text: &str, block: &Block, out: &mut S) -> Result<()> {
        self.worker.carried = block.carried;
        let (part, continues) = (&text[block.at.clone()], block.at.start > 0);
        let special = Special::default();
        match self.pipeline.encode_block(part, continues, special, self.worker, out) {
            // Where the unknown stands is known to those alone who ask for places.
            Err(Error::Unknown(..)) if !S::PLACES => {
                self.encode(text, block, &mut Spans::default())
            }
            encoded => encoded.map_err(|error| error.moved(characters(&text[..block.at.start]))),
        }
    }

    /// Parts of a text, together all of it; each begins about `overlap` tokens before the end of the
    /// one before.
    pub fn parts(&mut self, text: &str, overlap: usize) -> Result<Parts> {
        let mut parts = Parts::default();
        let mut window = self.most.saturating_mul(WINDOW);
        // In bytes, and the same in characters.
        let (mut start, mut done) = ((0, 0), 0);
        while start.0 < text.len() {
            let rest = &text[start.0..];
            let part = self.next_part(rest, window).map_err(|error| error.moved(start.1))?;
            if part.end == 0 {
                return Err(self.no_room(rest, start.1));
            }
            let length = characters(&rest[..part.end]);
            let end = (start.0 + part.end, start.1 + length);
            window = length + length / 2;
            if end.0 <= done {
                // The overlap left no room for anything new.
                start = (done, start.1 + characters(&text[start.0..done]));
                continue;
            }
            let back = self.last_tokens(rest, &part, overlap)?;
            parts.spans.push((start.1, end.1));
            parts.ids.extend_from_slice(&part.ids);
            parts.ends.push(parts.ids.len());
            if end.0 == text.len() {
                break;
            }
            done = end.0;
            // An overlap that reached back to the beginning would never end.
            start = if 0 < back && back < part.end {
                (start.0 + back, start.1 + characters(&rest[..back]))
            } else {
                end
            };
        }
        Ok(parts)
    }

    /// The beginning of a text that fits, within the first window that is more.
    fn next_part(&mut self, text: &str, window: usize) -> Result<Beginning> {
        let mut reach = LEAST_WINDOW.max(window);
        loop {
            let end = text.char_indices().nth(reach).map_or(text.len(), |(end, _)| end);
            let part = self.beginning(&text[..end])?;
            if part.end < end || end == text.len() {
                return Ok(part);
            }
            reach *= 2;
        }
    }

    fn no_room(&mut self, text: &str, at: usize) -> Error {
        let first = text.chars().next().unwrap_or_default();
        let mut ids: Vec<u32> = Vec::new();
        let whole = Block { at: 0..first.len_utf8(), before: 0, carried: None };
        match self.encode(text, &whole, &mut ids) {
            Err(error) => error,
            Ok(()) => Error::Encoding(format!(
                "the character {first:?} at {at} is {} tokens; max_tokens={} has no room for it",
                ids.len(),
                self.most
            )),
        }
    }
}

fn characters(text: &str) -> usize {
    text.bytes().filter(|byte| byte & 0xc0 != 0x80).count()
}
