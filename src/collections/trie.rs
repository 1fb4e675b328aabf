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
/// The parent of a slot that is free, and that of the root.
const FREE: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX - 1;
/// As sentencepiece 0.2.3 does, `longest` looks at no more keys than this at one place.
const MAX_KEYS_AT_ONE_PLACE: usize = 64;
/// How many free slots a node with several children tries before it takes new ones.
const TRIES: usize = 32;
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
            let (page, place) = Self::place(character);
            codes.pages.resize(codes.pages.len().max(page + 1), 0);
            if codes.pages[page] == 0 {
                codes.pages[page] = codes.places.len() as u32;
                codes.places.resize(codes.places.len() + PAGE, 0);
            }
            codes.places[codes.pages[page] as usize + place] = codes.len as u32;
            codes.len += 1;
        }
        codes
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

    /// Whether any key begins with a character.
    #[inline]
    pub fn begins(&self, character: char) -> bool {
        self.step(ROOT, self.code(character)).is_some()
    }

    /// The number of nodes that there may be; every node is below.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// The value of a node, if a key ends there.
    pub fn value(&self, node: u32) -> Option<u32> {
        self.slots[node as usize].has_value().then(|| self.values[node as usize])
    }

    /// The node that a code leads to.
    #[inline]
    pub fn step(&self, node: u32, code: u32) -> Option<u32> {
        let child = self.slots[node as usize].base() ^ code;
        (self.slots[child as usize].parent == node).then_some(child)
    }

    /// The keys that a text in codes begins with, shortest first: number of codes and value.
    #[inline]
    pub fn prefixes_of_codes(
        &self,
        codes: impl Iterator<Item = u32>,
    ) -> impl Iterator<Item = (usize, u32)> {
        let (mut node, mut base, mut length) = (0, self.slots[0].base(), 0);
        let mut codes = codes;
        std::iter::from_fn(move || {
            loop {
                let child = base ^ codes.next()?;
                let slot = self.slots[child as usize];
                if slot.parent != node {
                    return None;
                }
                (node, base) = (child, slot.base());
                length += 1;
                if slot.has_value() {
                    return Some((length, self.values[child as usize]));
                }
            }
        })
    }

    /// The keys that the text begins with, shortest first: length in bytes and value.
    #[inline]
    pub fn prefixes(&self, text: &str) -> impl Iterator<Item = (usize, u32)> {
        let codes = text.chars().map(|character| self.code(character));
        let (mut rest, mut done) = (text.chars(), 0);
        self.prefixes_of_codes(codes).map(move |(length, value)| {
            rest.by_ref().take(length - done).for_each(drop);
            done = length;
            (text.len() - rest.as_str().len(), value)
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
    /// No slot before this one is free.
    first_free: usize,
    /// Where nodes with several children begin to look.
    search: usize,
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
            first_free: 1,
            search: 1,
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
        let is_free = |slots: &[Slot], at: usize| slots[at].parent == FREE;
        let first = children[0].0;
        let from = if children.len() == 1 { &mut self.first_free } else { &mut self.search };
        while *from < self.slots.len() && !is_free(&self.slots, *from) {
            *from += 1;
        }
        let from = *from;
        let free = (from..self.slots.len()).filter(|&at| is_free(&self.slots, at)).take(TRIES);
        for at in free {
            let base = at as u32 ^ first;
            if children.iter().all(|&(code, _)| is_free(&self.slots, (base ^ code) as usize)) {
                return base;
            }
            if children.len() > 1 {
                self.search = at;
            }
        }
        let base = self.slots.len();
        self.slots.resize(base + self.block, Slot::FREE);
        self.values.resize(base + self.block, 0);
        if children.len() > 1 {
            self.search = base;
        }
        base as u32
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
        assert!(trie.size() > 6 && Trie::two(&[], &[]).1 != ROOT);
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
