//! A trie over characters: all keys that begin a text, in one walk.
//!
//! Rule.    A double array. Each character that stands in a key has a code, the most frequent ones
//!          the smallest; the child of a node along a code is the slot `base ^ code`, if that slot
//!          says that the node is its parent. No key has code 0: a character of no key has it.
//! Cost.    One slot a step, and a character of three bytes is one step. Building is linear in the
//!          keys' characters, sorting aside: a node looks at few places before it takes new ones.

use std::collections::{HashMap, VecDeque};

/// The node that no character leads to.
pub const ROOT: u32 = 0;
/// The code of a character that stands in no key.
pub const STRANGER: u32 = 0;
/// The parent of a slot that is free, that of the root, and a node that is nobody's parent.
const FREE: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX - 1;
const CHILDLESS: u32 = u32::MAX - 2;
/// As sentencepiece 0.2.3 does, `longest` looks at no more keys than this at one place.
const MAX_KEYS_AT_ONE_PLACE: usize = 64;
/// How many slots a node looks at before it takes new ones.
const LOOKS: usize = 1 << 12;
/// Characters in a page of the table of codes.
const PAGE: usize = 256;

/// Keys with a value each.
pub struct Trie {
    codes: Codes,
    /// As many as a power of two above every code divides: no step leaves them.
    slots: Vec<Slot>,
    /// One a slot; apart from the slots, so that these are close together.
    values: Vec<u32>,
    is_empty: bool,
}

/// A node, and where its children are.
#[derive(Clone, Copy)]
pub struct Node {
    /// Its number.
    pub number: u32,
    base: u32,
}

impl Node {
    /// No key begins here.
    pub const NOWHERE: Self = Self { number: CHILDLESS, base: 0 };
}

/// A node of the double array.
#[derive(Clone, Copy)]
struct Slot {
    /// The base, twice, and one more if a key ends here.
    base: u32,
    parent: u32,
}

impl Slot {
    const FREE: Self = Self { base: 0, parent: FREE };

    #[inline]
    fn base(self) -> u32 {
        self.base >> 1
    }

    #[inline]
    fn has_value(self) -> bool {
        self.base & 1 == 1
    }
}

/// Character → code, in two steps: page, place in the page. Page 0 is that of strangers.
struct Codes {
    pages: Vec<u32>,
    places: Vec<u32>,
    /// The number of codes.
    len: usize,
}

impl Codes {
    /// Codes for the characters of the keys, the most frequent first.
    fn new<'a>(keys: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<char, usize> = HashMap::new();
        keys.flat_map(str::chars).for_each(|c| *counts.entry(c).or_default() += 1);
        let mut characters: Vec<(char, usize)> = counts.into_iter().collect();
        characters.sort_unstable_by_key(|&(character, count)| (usize::MAX - count, character));
        let mut codes = Self { pages: Vec::new(), places: vec![0; PAGE], len: 1 };
        for (character, _) in characters {
            codes.set(character, codes.len as u32);
            codes.len += 1;
        }
        codes
    }

    fn set(&mut self, character: char, code: u32) {
        let (page, place) = Self::place(character);
        self.pages.resize(self.pages.len().max(page + 1), 0);
        if self.pages[page] == 0 {
            self.pages[page] = self.places.len() as u32;
            self.places.resize(self.places.len() + PAGE, 0);
        }
        self.places[self.pages[page] as usize + place] = code;
    }

    #[inline]
    fn place(character: char) -> (usize, usize) {
        (character as usize / PAGE, character as usize % PAGE)
    }

    #[inline]
    fn of(&self, character: char) -> u32 {
        let (page, place) = Self::place(character);
        self.places[self.pages.get(page).map_or(0, |&page| page as usize) + place]
    }
}

impl Trie {
    /// A trie of the keys; of equal keys the last one counts.
    pub fn new<'a>(keys: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let keys: Vec<(&str, u32)> = keys.filter(|(key, _)| !key.is_empty()).collect();
        Self::build(&keys, &[])
    }

    /// Two tries in one array, and the root of the second: the node where the code of a stranger
    /// leads. Such a one is not to be looked for.
    pub fn two(first: &[(&str, u32)], second: &[(&str, u32)]) -> (Self, u32) {
        let root = [&[("", 0)], second].concat();
        let trie = Self::build(first, &root);
        let root = trie.slots[ROOT as usize].base() ^ STRANGER;
        (trie, root)
    }

    fn build(keys: &[(&str, u32)], second: &[(&str, u32)]) -> Self {
        let codes = Codes::new(keys.iter().chain(second).map(|&(key, _)| key));
        let mut building = Building::new(&codes, keys, second);
        building.run();
        let (slots, values) = (building.slots, building.values);
        Self { codes, slots, values, is_empty: keys.is_empty() }
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The code of a character; a walk over many places asks only once for each.
    #[inline]
    pub fn code(&self, character: char) -> u32 {
        self.codes.of(character)
    }

    /// Reads one character, which stands in no key, as another one.
    pub fn read_as(&mut self, character: char, other: char) {
        let code = self.codes.of(other);
        self.codes.set(character, code);
    }

    /// Where codes end.
    pub fn codes(&self) -> u32 {
        self.codes.len as u32
    }

    /// Where nodes end.
    pub fn nodes(&self) -> usize {
        self.slots.len()
    }

    /// The value of the key that ends at the node of a number.
    #[inline]
    pub fn value(&self, node: u32) -> Option<u32> {
        let slot = self.slots.get(node as usize)?;
        slot.has_value().then(|| self.values[node as usize])
    }

    /// The root.
    #[inline]
    pub fn root(&self) -> Node {
        self.node(ROOT)
    }

    /// The node of a number.
    #[inline]
    pub fn node(&self, number: u32) -> Node {
        Node { number, base: self.slots[number as usize].base() }
    }

    /// The node that a code leads to.
    #[inline]
    pub fn child(&self, node: Node, code: u32) -> Option<Node> {
        let number = node.base ^ code;
        let slot = self.slots.get(number as usize)?;
        (slot.parent == node.number).then(|| Node { number, base: slot.base() })
    }

    /// The number of the node that a code leads to from the node of a number.
    #[inline]
    pub fn step(&self, node: u32, code: u32) -> Option<u32> {
        Some(self.child(self.node(node), code)?.number)
    }

    /// Whether any key begins with a character.
    #[inline]
    pub fn begins(&self, character: char) -> bool {
        self.child(self.root(), self.code(character)).is_some()
    }

    /// The keys that the text begins with, shortest first: length in bytes and value.
    #[inline]
    pub fn prefixes(&self, text: &str) -> impl Iterator<Item = (usize, u32)> {
        let (mut node, mut rest) = (self.root(), text.chars());
        std::iter::from_fn(move || {
            loop {
                node = self.child(node, self.code(rest.next()?))?;
                if let Some(value) = self.value(node.number) {
                    return Some((text.len() - rest.as_str().len(), value));
                }
            }
        })
    }

    /// The longest key that the text begins with.
    #[inline]
    pub fn longest(&self, text: &str) -> Option<(usize, u32)> {
        if self.is_empty {
            return None;
        }
        self.prefixes(text).take(MAX_KEYS_AT_ONE_PLACE).last()
    }
}

/// A double array in the making.
struct Building {
    /// The codes of all keys, end to end.
    codes: Vec<u32>,
    /// Where the codes of each key stand, and its value; in order of codes.
    keys: Vec<(usize, usize, u32)>,
    slots: Vec<Slot>,
    values: Vec<u32>,
    /// The slots come in blocks of this size: a power of two above every code.
    block: usize,
    /// Where nodes with 1, 2 to 3, 4 to 7 … children begin to look: the small ones fill the holes
    /// that the large ones have left.
    searches: [usize; 32],
}

impl Building {
    fn new(codes: &Codes, keys: &[(&str, u32)], second: &[(&str, u32)]) -> Self {
        let block = codes.len.next_power_of_two();
        let mut building = Self {
            codes: Vec::with_capacity(keys.iter().map(|(key, _)| key.len()).sum()),
            keys: Vec::with_capacity(keys.len()),
            slots: vec![Slot::FREE; block],
            values: vec![0; block],
            block,
            searches: [1; 32],
        };
        building.slots[0].parent = NOBODY;
        let firsts = keys.iter().map(|key| (None, key));
        for (mark, &(key, value)) in firsts.chain(second.iter().map(|key| (Some(STRANGER), key))) {
            let start = building.codes.len();
            building.codes.extend(mark);
            building.codes.extend(key.chars().map(|character| codes.of(character)));
            building.keys.push((start, building.codes.len(), value));
        }
        let codes = &building.codes;
        // Stable: of equal keys the last one stays the last.
        building.keys.sort_by_key(|&(start, end, _)| &codes[start..end]);
        building
    }

    /// Places the children of every node, level by level.
    fn run(&mut self) {
        let mut nodes = VecDeque::from([(0u32, 0..self.keys.len(), 0)]);
        let mut children: Vec<(u32, usize)> = Vec::new();
        while let Some((node, mut keys, depth)) = nodes.pop_front() {
            while let Some(&(start, end, value)) = self.keys[keys.clone()].first() {
                if end - start > depth {
                    break;
                }
                self.slots[node as usize].base = 1;
                self.values[node as usize] = value;
                keys.start += 1;
            }
            children.clear();
            for index in keys.clone() {
                let code = self.codes[self.keys[index].0 + depth];
                if children.last().is_none_or(|&(last, _)| last != code) {
                    children.push((code, index));
                }
            }
            if children.is_empty() {
                continue;
            }
            let base = self.place(&children);
            self.slots[node as usize].base |= base << 1;
            let ends = children.iter().skip(1).map(|&(_, first)| first).chain([keys.end]);
            for (&(code, first), end) in children.iter().zip(ends) {
                self.slots[(base ^ code) as usize].parent = node;
                nodes.push_back((base ^ code, first..end, depth + 1));
            }
        }
    }

    /// A base that puts all children of a node into free slots.
    fn place(&mut self, children: &[(u32, usize)]) -> u32 {
        let is_free = |at: usize| self.slots[at].parent == FREE;
        let first = children[0].0;
        let search = &mut self.searches[children.len().ilog2() as usize];
        let end = self.slots.len();
        while *search < end && !is_free(*search) {
            *search += 1;
        }
        let last = end.min(*search + LOOKS);
        for at in (*search..last).filter(|&at| is_free(at)) {
            let base = at as u32 ^ first;
            if children.iter().all(|&(code, _)| is_free((base ^ code) as usize)) {
                return base;
            }
        }
        if last < end {
            *search += LOOKS / 4;
        }
        self.slots.resize(end + self.block, Slot::FREE);
        self.values.resize(end + self.block, 0);
        end as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{ROOT, Trie};
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn finds_all_prefixes() {
        let trie = Trie::new([("東", 0), ("東京", 1), ("東京都", 2), ("京", 3)].into_iter());
        let found: Vec<_> = trie.prefixes("東京都に").collect();
        assert_eq!(found, [(3, 0), (6, 1), (9, 2)]);
        assert_eq!((trie.longest("京都"), trie.longest("に")), (Some((3, 3)), None));
        assert!(trie.begins('京') && !trie.begins('都'));
    }

    #[test]
    fn two_in_one() {
        let (trie, other) = Trie::two(&[("a", 1), ("ab", 2)], &[("", 7), ("a", 3), ("c", 4)]);
        let step = |node, character| trie.step(node, trie.code(character));
        let (here, there) = (step(ROOT, 'a').unwrap(), step(other, 'a').unwrap());
        assert_eq!((trie.value(here), trie.value(there)), (Some(1), Some(3)));
        assert_eq!((step(ROOT, 'c'), step(there, 'b')), (None, None));
        assert_eq!(trie.longest("ab"), Some((2, 2)));
        assert!(trie.nodes() > 6 && Trie::two(&[], &[]).1 != ROOT);
    }

    #[test]
    fn without_keys() {
        for keys in [&[][..], &[("", 0)]] {
            let trie = Trie::new(keys.iter().copied());
            assert!(trie.is_empty() && trie.prefixes("a").next().is_none());
        }
    }

    proptest! {
        #[test]
        fn prefixes_are_those_of_a_scan(
            keys in vec("[a-dあ-え𠀀]{0,5}", 0..60),
            text in "[a-fあ-お𠀀]{0,8}",
        ) {
            let trie = Trie::new(keys.iter().enumerate().map(|(i, key)| (&**key, i as u32)));
            let last = |prefix: &str| keys.iter().rposition(|key| key == prefix);
            let expected: Vec<_> = (1..=text.len())
                .filter(|&end| text.is_char_boundary(end))
                .filter_map(|end| Some((end, last(&text[..end])? as u32)))
                .collect();
            prop_assert_eq!(trie.prefixes(&text).collect::<Vec<_>>(), expected);
        }
    }
}
