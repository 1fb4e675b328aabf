//! A trie over characters: all keys that begin a text, in one walk.
//!
//! Nodes are numbers, edges (node, character) → node in one flat hash table: a step is one look-up,
//! and a character of three bytes is one step.

use super::pair_map::{PairMap, pack};

/// No value ends at a node.
const NONE: u32 = u32::MAX;
/// As sentencepiece 0.2.3 does, `longest` looks at no more keys than this at one place.
const MAX_KEYS_AT_ONE_PLACE: usize = 64;

/// Keys with a value each.
pub struct Trie {
    edges: PairMap<u32>,
    /// Node → its value, or `NONE`. Node 0 is the root.
    values: Vec<u32>,
}

impl Trie {
    /// A trie of the keys; of equal keys the last one counts.
    pub fn new<'a>(keys: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let mut trie = Self { edges: PairMap::with_capacity(1 << 4), values: vec![NONE] };
        for (key, value) in keys {
            let mut node = 0;
            for character in key.chars() {
                let next = trie.values.len() as u32;
                let edge = trie.edges.entry(pack(node, character as u32));
                if *edge == 0 {
                    *edge = next;
                    trie.values.push(NONE);
                }
                node = *edge;
            }
            trie.values[node as usize] = value;
        }
        trie
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.values.len() <= 1
    }

    /// The keys that the text begins with, shortest first: length in bytes and value.
    #[inline]
    pub fn prefixes(&self, text: &str) -> impl Iterator<Item = (usize, u32)> {
        let (mut node, mut length) = (0, 0);
        let mut characters = text.chars();
        std::iter::from_fn(move || {
            loop {
                let character = characters.next()?;
                node = self.edges.get(pack(node, character as u32))?;
                length += character.len_utf8();
                let value = self.values[node as usize];
                if value != NONE {
                    return Some((length, value));
                }
            }
        })
    }

    /// The longest key that the text begins with.
    #[inline]
    pub fn longest(&self, text: &str) -> Option<(usize, u32)> {
        if self.is_empty() {
            return None;
        }
        self.prefixes(text).take(MAX_KEYS_AT_ONE_PLACE).last()
    }
}

#[cfg(test)]
mod tests {
    use super::Trie;

    #[test]
    fn finds_all_prefixes() {
        let trie = Trie::new([("東", 0), ("東京", 1), ("東京都", 2), ("京", 3)].into_iter());
        let found: Vec<_> = trie.prefixes("東京都に").collect();
        assert_eq!(found, [(3, 0), (6, 1), (9, 2)]);
        assert_eq!((trie.longest("京都"), trie.longest("に")), (Some((3, 3)), None));
    }
}
