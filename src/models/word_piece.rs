//! WordPiece: from left to right, the longest token that fits, in linear time.
//!
//! Rule.    At the beginning of a word take the longest token that it begins with; go on behind it,
//!          where a token must carry the continuing prefix (`##`). Where no token fits, or where the
//!          word has more characters than a word may have, the whole word is one unknown token.
//!          With dropout, each token that fits and is longer than a character may be dropped, the
//!          short ones drawn first, and the longest that is left is taken. A word in which nothing is
//!          left somewhere is cut without dropout.
//! Cost.    O(n) for a word of n characters. Two tries in one double array hold the strings of words: one
//!          the tokens that may begin a word, the other, without their prefix, those that may go on.
//!          A node knows what to do when the next character leads nowhere: which tokens the longest
//!          match takes of the string that led here (its pops), and the node of the second trie where
//!          the rest of that string leads (its failure link). So no character is read twice. A short
//!          word that is a token is one look-up. With dropout the trie is walked anew behind each
//!          token.
//! Source.  tokenizers 0.23.3 for the result; Song et al. 2021, "Fast WordPiece Tokenization", for
//!          failure links with pops. The second trie, and pops as shared lists, are ours: a word may
//!          begin with the prefix itself, and a hostile vocabulary costs no more than its size.
//!          Dropout: Hiraoka 2022 (MaxMatch-Dropout), where a word in which nothing is left is unknown.

use std::collections::HashSet;

use serde_json::Value;

use super::dropout::Dropout;
use super::unknown::Unknown;
use crate::collections::short_map::ShortMap;
use crate::collections::trie::{ROOT, STRANGER, Trie};
use crate::encoding::Sink;
use crate::error::Result;
use crate::stop::{Stop, check};
use crate::vocab::Vocab;
use crate::without::{Technique, without};
use crate::worker::Worker;

/// No node, or the end of a list.
const NONE: u32 = u32::MAX;

/// A WordPiece model.
pub struct WordPiece {
    /// Where a word begins is its root.
    trie: Trie,
    /// Where a word goes on.
    go_on: u32,
    /// One a node.
    failures: Vec<Failure>,
    pops: Vec<Pop>,
    most_characters: usize,
    unknown: Unknown,
}

/// What to do where the next character leads nowhere.
#[derive(Clone, Copy)]
struct Failure {
    /// Where the rest leads; `NONE` where no token fits.
    to: u32,
    /// The last of the tokens that are taken; its list leads to the first.
    pops: u32,
}

impl Failure {
    const NONE: Self = Self { to: NONE, pops: NONE };
}

/// A token that a failure takes, with the bytes of a word that it covers, and the one before it.
#[derive(Clone, Copy)]
struct Pop {
    token: (u32, u32),
    before: u32,
}

impl WordPiece {
    /// Builds the model of a spec; no text is to become one of the `hidden` ids.
    pub fn new(spec: &Value, vocab: &Vocab, hidden: &[u32]) -> Self {
        let prefix = spec["continuing_subword_prefix"].as_str().unwrap_or("");
        let hidden: HashSet<u32> = hidden.iter().copied().collect();
        let rows = (0..vocab.len()).filter_map(|row| {
            let (id, token) = (vocab.id_of_row(row), vocab.row(row));
            let is_found = !hidden.contains(&id) && vocab.id(token) == Some(id);
            Some((std::str::from_utf8(token).ok().filter(|_| is_found)?, id))
        });
        let begin: Vec<(&str, u32)> = rows.collect();
        let go_on = begin.iter().filter_map(|&(token, id)| Some((token.strip_prefix(prefix)?, id)));
        let go_on: Vec<(&str, u32)> = go_on.collect();
        let most_characters = spec["max_input_chars_per_word"].as_u64();
        let most_characters = most_characters.and_then(|most| usize::try_from(most).ok());
        let (trie, root) = Trie::two(&begin, &go_on);
        let mut model = Self {
            failures: vec![Failure::NONE; trie.nodes()],
            trie,
            go_on: root,
            pops: Vec::new(),
            most_characters: most_characters.unwrap_or(usize::MAX),
            unknown: Unknown::new(spec, vocab),
        };
        model.link(&begin, &go_on);
        model
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        &self.unknown
    }

    /// Finds pops and failure link of each node, those of short strings first.
    fn link(&mut self, begin: &[(&str, u32)], go_on: &[(&str, u32)]) {
        let of = |root: u32| move |&(string, _): &(_, u32)| (root, str::chars(string), 0);
        let begin = begin.iter().map(of(ROOT));
        let mut walks: Vec<_> = begin.chain(go_on.iter().map(of(self.go_on))).collect();
        let mut is_linked = vec![false; self.trie.nodes()];
        while !walks.is_empty() {
            walks.retain_mut(|(node, rest, bytes)| {
                let Some(character) = rest.next() else { return false };
                let (parent, code) = (*node, self.trie.code(character));
                *node = self.trie.step(parent, code).expect("a character of a key");
                *bytes += character.len_utf8() as u32;
                if !std::mem::replace(&mut is_linked[*node as usize], true) {
                    self.link_one(*node, parent, code, *bytes);
                }
                true
            });
        }
    }

    fn link_one(&mut self, node: u32, parent: u32, code: u32, bytes: u32) {
        if let Some(id) = self.trie.value(node) {
            let pops = self.pop((id, bytes), NONE);
            self.failures[node as usize] = Failure { to: self.go_on, pops };
            return;
        }
        // What a failure takes at the parent, and then all that it takes on the way to a node from
        // which the character leads on.
        let Failure { to: mut from, mut pops } = self.failures[parent as usize];
        while from != NONE {
            if let Some(to) = self.trie.step(from, code) {
                self.failures[node as usize] = Failure { to, pops };
                break;
            }
            let failure = self.failures[from as usize];
            for token in self.list(failure.pops) {
                pops = self.pop(token, pops);
            }
            from = failure.to;
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

    #[inline]
    fn append(&self, last: u32, tokens: &mut Vec<(u32, u32)>) {
        let (start, mut at) = (tokens.len(), last);
        while at != NONE {
            let Pop { token, before } = self.pops[at as usize];
            tokens.push(token);
            at = before;
        }
        if tokens.len() > start + 1 {
            tokens[start..].reverse();
        }
    }

    /// Gives the tokens of a word to the sink.
    pub fn encode<S: Sink>(
        &self,
        vocab: &Vocab,
        word: &str,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let Worker { taken: tokens, dropout, stop, .. } = worker;
        tokens.clear();
        let is_short =
            word.len() <= self.most_characters || word.chars().nth(self.most_characters).is_none();
        // A word that is a token is the longest that it begins with; a short one is found at once.
        if is_short
            && dropout.is_none()
            && ShortMap::takes(word.as_bytes())
            && !without(Technique::ShortWords)
            && let Some(id) = vocab.id(word.as_bytes())
        {
            out.token(id, word.len());
            return Ok(());
        }
        let is_drawn = match dropout {
            Some(dropout) if is_short => self.draw(word, dropout, stop, tokens)?,
            _ => false,
        };
        if is_drawn || is_short && self.take(word, tokens) {
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
        let mut node = ROOT;
        for character in word.chars() {
            let code = self.trie.code(character);
            if code == STRANGER {
                return false;
            }
            node = loop {
                if let Some(next) = self.trie.step(node, code) {
                    break next;
                }
                let Some(next) = self.fail(node, tokens) else { return false };
                node = next;
            };
        }
        while node != self.go_on {
            let Some(next) = self.fail(node, tokens) else { return false };
            node = next;
        }
        true
    }

    /// Takes the tokens of a word where some are dropped; none and false where nothing is left
    /// somewhere.
    fn draw(
        &self,
        word: &str,
        dropout: &mut Dropout,
        stop: &Stop,
        tokens: &mut Vec<(u32, u32)>,
    ) -> Result<bool> {
        let (mut start, mut root, mut steps) = (0, ROOT, 0);
        while start < word.len() {
            let (mut node, mut left) = (root, None);
            for (at, character) in word[start..].char_indices() {
                steps += 1;
                check(steps, stop)?;
                let code = self.trie.code(character);
                let next = self.trie.step(node, code).filter(|_| code != STRANGER);
                let Some(next) = next else { break };
                node = next;
                if let Some(id) = self.trie.value(node)
                    && (at == 0 || !dropout.drops())
                {
                    left = Some((id, (at + character.len_utf8()) as u32));
                }
            }
            let Some(token) = left else {
                tokens.clear();
                return Ok(false);
            };
            tokens.push(token);
            (start, root) = (start + token.1 as usize, self.go_on);
        }
        Ok(true)
    }

    #[inline]
    fn fail(&self, node: u32, tokens: &mut Vec<(u32, u32)>) -> Option<u32> {
        let Failure { to, pops } = self.failures[node as usize];
        self.append(pops, tokens);
        (to != NONE).then_some(to)
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
        assert!(model.0.pops.len() < 4 * model.0.failures.len());
    }
}
