//! The precompiled charsmap: SentencePiece's table of what each string is rewritten to.
//!
//! Rule.    At a place in the text the longest key that fits counts; a key that would end inside a
//!          character does not fit.
//! Cost.    One step of a double array a byte; none for a byte that begins no key.
//! Source.  The layout is told in `reference/charsmap.py`; sentencepiece 0.2.3 looks at no more than
//!          32 keys at one place.

use std::collections::HashSet;

use crate::collections::char_set::CharSet;
use crate::error::{Error, Result};
use crate::lazy::Once;

const MAX_KEYS_AT_ONE_PLACE: usize = 32;
/// How many bytes are tried at most to find the later characters of keys; real tables need a fifth
/// of it.
const MAX_STEPS: usize = 1 << 25;

/// A charsmap; the empty one rewrites nothing.
#[derive(Default)]
pub struct Charsmap {
    units: Vec<u32>,
    replacements: String,
    /// Whether a byte begins any key.
    first_bytes: Vec<bool>,
    /// The characters that stand in a key behind its first one, once somebody has asked.
    inner: Once<CharSet>,
}

/// The distance from a node to its children.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 0x200) >> 6)) as usize
}

impl Charsmap {
    /// Takes a table apart: the size of the trie, the trie, the replacements.
    pub fn parse(blob: &[u8]) -> Result<Self> {
        if blob.is_empty() {
            return Ok(Self::default());
        }
        let size = blob.first_chunk().map_or(0, |&size| u32::from_le_bytes(size) as usize);
        if size == 0 || size % 4 != 0 || size + 4 >= blob.len() {
            return Err(Error::Format(
                format!("a charsmap of {} bytes cannot hold a trie of {size}", blob.len()),
                0,
            ));
        }
        let (trie, replacements) = blob[4..].split_at(size);
        if replacements.last() != Some(&0) {
            let message = "the charsmap does not end in a zero byte".into();
            return Err(Error::Format(message, blob.len() - 1));
        }
        let replacements = std::str::from_utf8(replacements).map_err(|error| {
            let at = 4 + size + error.valid_up_to();
            Error::Format("the replacements of the charsmap are not UTF-8".into(), at)
        })?;
        let unit = |unit: &[u8]| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]);
        let mut map = Self {
            units: trie.chunks_exact(4).map(unit).collect(),
            replacements: replacements.into(),
            first_bytes: Vec::new(),
            inner: Once::new(),
        };
        map.first_bytes = (0..=255).map(|byte| map.step(0, byte).is_some()).collect();
        Ok(map)
    }

    /// Follows one byte from a node.
    #[inline]
    fn step(&self, node: usize, byte: u8) -> Option<usize> {
        let child = node ^ offset(*self.units.get(node)?) ^ usize::from(byte);
        let &unit = self.units.get(child)?;
        (unit & 0x8000_00ff == u32::from(byte)).then_some(child)
    }

    /// The value of the key that ends at a node.
    #[inline]
    fn value(&self, node: usize) -> Option<usize> {
        let unit = self.units[node];
        let leaf = (unit >> 8 & 1 == 1).then(|| self.units.get(node ^ offset(unit)));
        leaf.flatten().map(|&leaf| (leaf & 0x7fff_ffff) as usize)
    }

    /// The characters that are keys, and those that are the second in one. Where a character is
    /// not among the first, and the one behind it not among the second, no key fits.
    pub fn notable(&self) -> (CharSet, CharSet) {
        let (mut keys, mut seconds) = (CharSet::new(), CharSet::new());
        let (mut seen, mut steps) = (HashSet::new(), 0);
        for first in '\0'..='\u{ffff}' {
            let mut bytes = [0; 4];
            let bytes = first.encode_utf8(&mut bytes);
            let Some(node) = self.node(bytes) else { continue };
            if self.value(node).is_some() {
                keys.insert(first);
            }
            if seen.insert(node) {
                self.each_character(node, &mut steps, |second, _| seconds.insert(second));
            }
        }
        (keys, if steps > MAX_STEPS { CharSet::all() } else { seconds })
    }

    /// Whether no key reaches over the place between two characters, whatever stands around them,
    /// and both stay as they are.
    pub fn keeps(&self, left: char, right: char) -> bool {
        let inner = self.inner.get_or_make(|| self.inner());
        let is_as_it_is = |c: char| {
            let alone = String::from(c);
            self.longest(&alone, 0).is_none_or(|(shown, _)| shown == alone)
        };
        let begins_key = self.node(right.encode_utf8(&mut [0; 4])).is_some();
        is_as_it_is(left) && !begins_key && ![left, right].iter().any(|&c| inner.contains(c))
    }

    /// The characters that stand in a key behind its first one.
    fn inner(&self) -> CharSet {
        let (mut seen, mut steps, mut inner) = (HashSet::new(), 0, CharSet::new());
        let mut open = Vec::new();
        self.each_character(0, &mut steps, |_, node| open.push(node));
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                self.each_character(node, &mut steps, |character, node| {
                    inner.insert(character);
                    open.push(node);
                });
            }
        }
        if steps > MAX_STEPS { CharSet::all() } else { inner }
    }

    /// The node that a string leads to.
    fn node(&self, string: &str) -> Option<usize> {
        string.bytes().try_fold(0, |node, byte| self.step(node, byte))
    }

    /// Visits the characters that follow a node, each with the node behind it.
    fn each_character(&self, node: usize, steps: &mut usize, mut visit: impl FnMut(char, usize)) {
        let mut partial = vec![(node, Vec::new())];
        while let Some((node, bytes)) = partial.pop() {
            let next = if bytes.is_empty() { 0..=0xf4 } else { 0x80..=0xbf };
            *steps += next.len();
            if *steps > MAX_STEPS {
                return;
            }
            for byte in next {
                let Some(child) = self.step(node, byte) else { continue };
                let bytes = [&bytes[..], &[byte]].concat();
                match std::str::from_utf8(&bytes) {
                    Ok(character) => character.chars().for_each(|c| visit(c, child)),
                    Err(error) if error.error_len().is_none() => partial.push((child, bytes)),
                    Err(_) => {}
                }
            }
        }
    }

    /// What the shortest key that a string begins with is rewritten to.
    pub fn shortest(&self, text: &str) -> Option<&str> {
        let mut node = 0;
        for &byte in text.as_bytes() {
            if byte == 0 || self.units.is_empty() {
                return None;
            }
            node = self.step(node, byte)?;
            if let Some(value) = self.value(node) {
                return self.replacement(value);
            }
        }
        None
    }

    /// What the text at a place is rewritten to, and how many bytes of it.
    #[inline]
    pub fn longest(&self, text: &str, at: usize) -> Option<(&str, usize)> {
        let bytes = &text.as_bytes()[at..];
        if !self.first_bytes.get(usize::from(*bytes.first()?)).is_some_and(|&begins| begins) {
            return None;
        }
        let (mut node, mut keys, mut found) = (0, 0, None);
        for (index, &byte) in bytes.iter().enumerate() {
            let Some(child) = self.step(node, byte) else { break };
            node = child;
            if let Some(value) = self.value(node) {
                keys += 1;
                if keys > MAX_KEYS_AT_ONE_PLACE {
                    break;
                }
                if text.is_char_boundary(at + index + 1) {
                    found = Some((value, index + 1));
                }
            }
        }
        let (value, length) = found?;
        self.replacement(value).map(|replacement| (replacement, length))
    }

    fn replacement(&self, value: usize) -> Option<&str> {
        self.replacements.get(value..)?.split('\0').next()
    }
}

#[cfg(test)]
mod tests {
    use super::Charsmap;

    #[test]
    fn hostile_blobs_are_errors() {
        let blobs: [&[u8]; 6] = [
            &[1],
            &[0; 4],
            &[255; 64],
            &[4, 0, 0, 0, 1, 2, 3, 4],
            &[3, 0, 0, 0, 1, 2, 3, 0],
            &[4, 0, 0, 0, 1, 2, 3, 4, 0xff, 0],
        ];
        for blob in blobs {
            assert!(Charsmap::parse(blob).is_err(), "{blob:?}");
        }
    }

    #[test]
    fn a_trie_of_noise_is_never_left() {
        let noise = (0..4096u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes());
        let blob: Vec<u8> = (4096u32 * 4).to_le_bytes().into_iter().chain(noise).collect();
        let map = Charsmap::parse(&[&blob[..], b"values\0"].concat()).unwrap();
        for text in ["", "a", "日本語", "\u{10ffff}", "\0"] {
            let _ = map.longest(text, 0);
        }
    }
}
