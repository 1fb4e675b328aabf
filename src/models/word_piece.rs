//! WordPiece: from left to right, the longest token that fits, in linear time.
//!
//! Rule.    At the beginning of a word take the longest token that it begins with; go on behind it,
//!          where a token must carry the continuing prefix (`##`). Where no token fits, or where the
//!          word has more characters than a word may have, the whole word is one unknown token.
//! Cost.    O(n) for a word of n characters. Two tries hold the strings of words: one the tokens
//!          that may begin a word, the other, without their prefix, those that may go on. A node
//!          knows what to do when the next character leads nowhere: which tokens the longest match
//!          takes of the string that led here (its pops), and the node of the second trie where the
//!          rest of that string leads (its failure link). So no character is read twice.
//! Source.  tokenizers 0.23.3 for the result; Song et al. 2021, "Fast WordPiece Tokenization", for
//!          failure links with pops. The second trie, and pops as shared lists, are ours: a word may
//!          begin with the prefix itself, and a hostile vocabulary costs no more than its size.

use std::collections::HashSet;

use serde_json::Value;

use super::unknown::Unknown;
use crate::collections::pair_map::{PairMap, pack};
use crate::collections::short_map::ShortMap;
use crate::encoding::Sink;
use crate::error::Result;
use crate::vocab::Vocab;
use crate::worker::Worker;

/// No node, no token, or the end of a list.
const NONE: u32 = u32::MAX;
/// Where a word begins, and where it goes on.
const BEGIN: u32 = 0;
const GO_ON: u32 = 1;

/// A WordPiece model.
pub struct WordPiece {
    /// Node and character → node.
    edges: PairMap<u32>,
    nodes: Vec<Node>,
    pops: Vec<Pop>,
    most_characters: usize,
    unknown: Unknown,
}

/// A place in one of the tries.
#[derive(Clone, Copy)]
struct Node {
    /// What leads here: the node before, and the character.
    parent: u32,
    character: u32,
    /// The token that ends here, and how many bytes of a word it covers.
    token: (u32, u32),
    /// Where the rest leads after a failure; `NONE` where no token fits.
    failure: u32,
    /// The last of the tokens that a failure takes; its list leads to the first.
    pops: u32,
}

/// A token that a failure takes, and the one before it.
#[derive(Clone, Copy)]
struct Pop {
    token: (u32, u32),
    before: u32,
}

impl Node {
    const fn new(parent: u32, character: u32) -> Self {
        Self { parent, character, token: (NONE, 0), failure: NONE, pops: NONE }
    }
}

impl WordPiece {
    /// Builds the model of a spec; no text is to become one of the `hidden` ids.
    pub fn new(spec: &Value, vocab: &Vocab, hidden: &[u32]) -> Self {
        let prefix = spec["continuing_subword_prefix"].as_str().unwrap_or("");
        let most_characters = spec["max_input_chars_per_word"].as_u64();
        let most_characters = most_characters.and_then(|most| usize::try_from(most).ok());
        let hidden: HashSet<u32> = hidden.iter().copied().collect();
        let mut model = Self {
            edges: PairMap::with_capacity(vocab.len() * 2),
            nodes: vec![Node::new(NONE, 0), Node::new(NONE, 0)],
            pops: Vec::new(),
            most_characters: most_characters.unwrap_or(usize::MAX),
            unknown: Unknown::new(spec, vocab),
        };
        for row in 0..vocab.len() {
            let (id, token) = (vocab.id_of_row(row), vocab.row(row));
            let Ok(token) = std::str::from_utf8(token) else { continue };
            if hidden.contains(&id) || vocab.id(token.as_bytes()) != Some(id) {
                continue;
            }
            model.insert(BEGIN, token, id);
            if let Some(rest) = token.strip_prefix(prefix) {
                model.insert(GO_ON, rest, id);
            }
        }
        model.link();
        model
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    fn insert(&mut self, root: u32, string: &str, id: u32) {
        let mut node = root;
        for character in string.chars() {
            let next = self.nodes.len() as u32;
            let edge = self.edges.entry(pack(node, character as u32));
            if *edge == 0 {
                *edge = next;
                self.nodes.push(Node::new(node, character as u32));
            }
            node = *edge;
        }
        if node != root {
            self.nodes[node as usize].token = (id, string.len() as u32);
        }
    }

    fn next(&self, node: u32, character: u32) -> Option<u32> {
        self.edges.get(pack(node, character))
    }

    /// Finds pops and failure link of each node, those of short strings first.
    fn link(&mut self) {
        let mut depths = vec![0u32; self.nodes.len()];
        for at in GO_ON as usize + 1..self.nodes.len() {
            depths[at] = depths[self.nodes[at].parent as usize] + 1; // parents come first
        }
        let mut order: Vec<usize> = (GO_ON as usize + 1..self.nodes.len()).collect();
        order.sort_by_key(|&at| depths[at]);
        for at in order {
            let Node { parent, character, token, .. } = self.nodes[at];
            if token.0 != NONE {
                self.nodes[at].pops = self.pop(token, NONE);
                self.nodes[at].failure = GO_ON;
                continue;
            }
            // What a failure takes at the parent, and then all that it takes on the way to a node
            // from which the character leads on.
            let Node { failure: mut node, mut pops, .. } = self.nodes[parent as usize];
            while node != NONE {
                if let Some(next) = self.next(node, character) {
                    self.nodes[at].pops = pops;
                    self.nodes[at].failure = next;
                    break;
                }
                for token in self.list(self.nodes[node as usize].pops) {
                    pops = self.pop(token, pops);
                }
                node = self.nodes[node as usize].failure;
            }
        }
    }

    fn pop(&mut self, token: (u32, u32), before: u32) -> u32 {
        self.pops.push(Pop { token, before });
        self.pops.len() as u32 - 1
    }

    /// The tokens of a list, the first one first.
    fn list(&self, last: u32) -> Vec<(u32, u32)> {
        let mut tokens = Vec::new();
        self.append(last, &mut tokens);
        tokens
    }

    fn append(&self, last: u32, tokens: &mut Vec<(u32, u32)>) {
        let (start, mut at) = (tokens.len(), last);
        while at != NONE {
            let Pop { token, before } = self.pops[at as usize];
            tokens.push(token);
            at = before;
        }
        tokens[start..].reverse();
    }

    /// Gives the tokens of a word to the sink.
    pub fn encode<S: Sink>(
        &self,
        vocab: &Vocab,
        word: &str,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let tokens = &mut worker.taken;
        tokens.clear();
        let is_short =
            word.len() <= self.most_characters || word.chars().nth(self.most_characters).is_none();
        // A word that is a token is the longest that it begins with; a short one is found at once.
        if is_short && ShortMap::takes(word.as_bytes()) {
            if let Some(id) = vocab.id(word.as_bytes()) {
                out.token(id, word.len());
                return Ok(());
            }
        }
        if is_short && self.take(word, tokens) {
            for &(id, bytes) in tokens.iter() {
                out.token(id, bytes as usize);
            }
            return Ok(());
        }
        out.token(self.unknown.id(word.as_bytes(), 0)?, word.len());
        Ok(())
    }

    /// Takes the tokens of a word; false where no token fits.
    fn take(&self, word: &str, tokens: &mut Vec<(u32, u32)>) -> bool {
        let mut node = BEGIN;
        for character in word.chars() {
            node = loop {
                if let Some(next) = self.next(node, character as u32) {
                    break next;
                }
                let Some(next) = self.fail(node, tokens) else { return false };
                node = next;
            };
        }
        while node != GO_ON {
            let Some(next) = self.fail(node, tokens) else { return false };
            node = next;
        }
        true
    }

    fn fail(&self, node: u32, tokens: &mut Vec<(u32, u32)>) -> Option<u32> {
        let Node { failure, pops, .. } = self.nodes[node as usize];
        self.append(pops, tokens);
        (failure != NONE).then_some(failure)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The tokens of a word as the rule says it, every end tried.
    fn obvious(ids: &HashMap<String, u32>, prefix: &str, word: &str, most: usize) -> Vec<u32> {
        let unknown = vec![0];
        if word.chars().count() > most {
            return unknown;
        }
        let (mut found, mut start) = (Vec::new(), 0);
        while start < word.len() {
            let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]);
            let ends: Vec<usize> = ends.filter(|&end| end > start).collect();
            let string =
                |end| format!("{}{}", if start > 0 { prefix } else { "" }, &word[start..end]);
            let longest = ends.into_iter().rev().find(|&end| ids.contains_key(&string(end)));
            let Some(end) = longest else { return unknown };
            found.push(ids[&string(end)]);
            start = end;
        }
        found
    }

    fn model(tokens: &[String], prefix: &str, most: usize) -> (WordPiece, Vocab) {
        let ends = tokens.iter().scan(0, |end, token| {
            *end += token.len() as i64;
            Some(*end)
        });
        let offsets: Vec<i64> = std::iter::once(0).chain(ends).collect();
        let vocab = Vocab::new(tokens.concat().into(), &offsets, None).unwrap();
        let spec = json!({"unk_token": "[UNK]", "continuing_subword_prefix": prefix,
                          "max_input_chars_per_word": most});
        (WordPiece::new(&spec, &vocab, &[]), vocab)
    }

    fn taken((model, vocab): &(WordPiece, Vocab), word: &str) -> Vec<u32> {
        let mut found = Vec::new();
        model.encode(vocab, word, &mut Worker::default(), &mut found).unwrap();
        found
    }

    proptest! {
        #[test]
        fn the_longest_match_in_linear_time(
            strings in prop::collection::btree_set("[a猫#]{1,6}", 0..14),
            prefix in "#{0,2}|a|猫",
            most in prop_oneof![Just(100usize), 0usize..6],
            word in "[a猫#b]{1,14}",
            rest in prop::collection::btree_set("[a猫#]{1,4}", 0..14),
        ) {
            let prefixed = rest.iter().map(|string| format!("{prefix}{string}"));
            let mut tokens = vec!["[UNK]".to_owned()];
            tokens.extend(strings.iter().cloned().chain(prefixed));
            let ids = tokens.iter().cloned().zip(0..).collect();
            let found = taken(&model(&tokens, &prefix, most), &word);
            prop_assert_eq!(found, obvious(&ids, &prefix, &word, most));
        }
    }

    #[test]
    fn a_long_token_costs_its_length() {
        let tokens = ["[UNK]".into(), "a".into(), "##a".into(), "a".repeat(50_000) + "b"];
        let model = model(&tokens, "##", 1 << 20);
        let found = taken(&model, &"a".repeat(60_000));
        assert_eq!((found.len(), found[0], found[59_999]), (60_000, 1, 2));
        assert!(model.0.pops.len() < 4 * model.0.nodes.len());
    }
}
