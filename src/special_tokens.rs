//! Added tokens: strings that are matched in the text before anything else.
//!
//! Rule.    Two passes: over the raw text, and over each stretch that is left, once normalized, for
//!          those that are `normalized`, in the form that the normalizer gives them. In each,
//!          leftmost and the longest among those that start there. Special ones match only when the
//!          caller allows them; the others always. One that may not match (`single_word` beside a
//!          word, or in a tokenizer.json not allowed) is text, and the search goes on behind it.
//!          `lstrip` and `rstrip` take the white space beside it, to the left as far as the token
//!          before, to the right also where the next one stands: spans then overlap.
//! Cost.    Each pass one run of an automaton; none where no token can match.
//! Source.  tokenizers 0.23.3; tiktoken 0.14.0, where tokens that are not allowed hide no other.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use aho_corasick::{AhoCorasick, MatchKind};
use foldhash::fast::RandomState;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::spec::{Config, flag};

/// Which special tokens a call is about, and how what it gives is put together.
#[derive(Clone, Copy, Default)]
pub struct Special<'a> {
    /// Those that may be found in the text.
    pub allowed: Allowed<'a>,
    /// Whether the template puts its own around the text.
    pub add: bool,
    /// The id that is put before everything else.
    pub begin: Option<u32>,
    /// The id that is put behind everything else.
    pub end: Option<u32>,
    /// Whether the tokens of the text come in reverse order.
    pub reverse: bool,
    /// Whether it is no text but a block of one, which has begun before.
    pub continues: bool,
}

/// The special tokens that may be found in a text.
#[derive(Clone, Copy)]
pub enum Allowed<'a> {
    /// Every one.
    All,
    /// Those of these ids, which ascend.
    Ids(&'a [u32]),
}

impl Default for Allowed<'_> {
    fn default() -> Self {
        Self::Ids(&[])
    }
}

impl Allowed<'_> {
    fn has(self, token: &AddedToken) -> bool {
        match self {
            Self::Ids(ids) => !token.special || ids.binary_search(&token.id).is_ok(),
            Self::All => true,
        }
    }
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Segment {
    /// Bytes to go on with.
    Text(Range<usize>),
    /// An added token.
    Token(u32, Range<usize>),
}

/// What the tokens are looked for in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// The text as it came.
    Raw,
    /// A stretch of it, normalized.
    Normalized,
}

/// One added token.
#[allow(clippy::struct_excessive_bools)] // the flags of the file
pub struct AddedToken {
    /// Its id.
    pub id: u32,
    /// The string that it stands for.
    pub content: String,
    /// The string that it matches: its content, or the normalized form of that.
    pub form: String,
    /// Whether it matches only when allowed.
    pub special: bool,
    /// Whether it is looked for in normalized text.
    normalized: bool,
    single_word: bool,
    lstrip: bool,
    rstrip: bool,
}

/// All added tokens.
pub struct AddedTokens {
    tokens: Vec<AddedToken>,
    /// Whether tokens that are not allowed are looked for too, and hide what stands in them.
    hiding: bool,
    beside: Beside,
    /// The automata for no allowed token, or with `hiding` for all, and those asked for last (most
    /// callers ask for one set).
    usual: Matchers,
    last: Mutex<Option<(Vec<u32>, Arc<Matchers>)>>,
}

/// The characters that begin and end tokens, and those that stand side by side in one.
#[derive(Default)]
struct Beside {
    first: HashSet<char, RandomState>,
    last: HashSet<char, RandomState>,
    pairs: HashSet<(char, char), RandomState>,
}

/// What is looked for in the raw text, and in what is left of it.
struct Matchers {
    raw: Option<Matcher>,
    normalized: Option<Matcher>,
}

struct Matcher {
    automaton: AhoCorasick,
    /// Pattern → number of its token.
    tokens: Vec<usize>,
}

impl AddedTokens {
    /// Reads the added tokens of a spec; `normalize` is what its normalizer does.
    pub fn new(config: &Config, normalize: impl Fn(&str) -> Result<String>) -> Result<Self> {
        let tokens = config.part("added_tokens").as_array().into_iter().flatten();
        let tokens: Vec<_> =
            tokens.map(|token| AddedToken::new(token, &normalize)).collect::<Result<_>>()?;
        let hiding = config.part("origin") == "tokenizer.json";
        let usual = Matchers::new(&tokens, |token| hiding || !token.special)?;
        let beside = Beside::new(&tokens);
        Ok(Self { tokens, hiding, beside, usual, last: Mutex::new(None) })
    }

    /// The string of a token.
    pub fn content(&self, id: u32) -> &str {
        self.tokens.iter().find(|token| token.id == id).map_or("", |token| &token.content)
    }

    /// The tokens themselves.
    pub fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    /// The ids of those that match only when allowed.
    pub fn special_ids(&self) -> Vec<u32> {
        self.tokens.iter().filter(|token| token.special).map(|token| token.id).collect()
    }

    /// Whether some are looked for in normalized text.
    pub fn are_normalized(&self) -> bool {
        self.tokens.iter().any(|token| token.normalized)
    }

    /// Whether one can begin, end or stand at a place between two characters.
    pub fn touch(&self, left: char, right: char) -> bool {
        let Beside { first, last, pairs } = &self.beside;
        first.contains(&right) || last.contains(&left) || pairs.contains(&(left, right))
    }

    /// Cuts a text at the tokens that may match in a pass over it.
    pub fn split<E: From<Error>>(
        &self,
        pass: Pass,
        text: &str,
        allowed: Allowed,
        visit: impl FnMut(Segment) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        if self.hiding || matches!(allowed, Allowed::Ids([])) {
            return self.split_at(&self.usual, pass, text, allowed, visit);
        }
        self.split_at(&*self.matchers(allowed)?, pass, text, allowed, visit)
    }

    fn split_at<E>(
        &self,
        matchers: &Matchers,
        pass: Pass,
        text: &str,
        allowed: Allowed,
        mut visit: impl FnMut(Segment) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let matcher = if pass == Pass::Raw { &matchers.raw } else { &matchers.normalized };
        let Some(matcher) = matcher else { return visit_text(0..text.len(), visit) };
        // Where the token before ends, and where the white space that was last looked at does.
        let (mut done, mut space_end) = (0, 0);
        for found in matcher.automaton.find_iter(text) {
            let token = &self.tokens[matcher.tokens[found.pattern().as_usize()]];
            let (mut start, mut end) = (found.start(), found.end());
            if !allowed.has(token) || token.single_word && touches_a_word(text, start..end) {
                continue;
            }
            if token.lstrip {
                let before = text.get(done..start).unwrap_or("");
                start = done.max(start - (before.len() - before.trim_end().len()));
            }
            if token.rstrip {
                if end >= space_end {
                    space_end = text.len() - text[end..].trim_start().len();
                }
                end = space_end;
            }
            visit_text(done.min(start)..start, &mut visit)?;
            // Nothing is left of one that stands in the white space of the token before. (Where it
            // ends before that does, tokenizers panics.)
            done = end.max(start);
            if start < end {
                visit(Segment::Token(token.id, start..end))?;
            }
        }
        visit_text(done..text.len(), visit)
    }

    /// The automata for tokens that only some callers allow.
    fn matchers(&self, allowed: Allowed) -> Result<Arc<Matchers>> {
        let ids = match allowed {
            Allowed::Ids(ids) => ids.to_vec(),
            Allowed::All => {
                let mut ids = self.special_ids();
                ids.sort_unstable();
                ids
            }
        };
        // Never wait for a lock here: one that another thread held during a fork stays locked.
        let mut last = self.last.try_lock().ok();
        if let Some(Some((known, matchers))) = last.as_deref()
            && *known == ids
        {
            return Ok(Arc::clone(matchers));
        }
        let matchers = Arc::new(Matchers::new(&self.tokens, |token| allowed.has(token))?);
        if let Some(last) = last.as_deref_mut() {
            *last = Some((ids, Arc::clone(&matchers)));
        }
        Ok(matchers)
    }
}

fn visit_text<E>(
    range: Range<usize>,
    mut visit: impl FnMut(Segment) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    if range.is_empty() { Ok(()) } else { visit(Segment::Text(range)) }
}

/// Whether a letter, or whatever else is part of a word, stands directly beside.
fn touches_a_word(text: &str, at: Range<usize>) -> bool {
    let is_word = |c: char| {
        regex_syntax::try_is_word_character(c).expect("the tables of this crate's features")
    };
    text[..at.start].chars().next_back().is_some_and(is_word)
        || text[at.end..].chars().next().is_some_and(is_word)
}

impl AddedToken {
    fn new(token: &Value, normalize: impl Fn(&str) -> Result<String>) -> Result<Self> {
        let content = token["content"].as_str().unwrap_or("").to_owned();
        let id = token["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let Some(id) = id.filter(|_| !content.is_empty()) else {
            return Err(Error::Vocabulary(format!(
                "an added token needs an id below 2^32 and a string: {token}"
            )));
        };
        let normalized = flag(token, "normalized");
        let form = if normalized { normalize(&content)? } else { content.clone() };
        Ok(Self {
            id,
            content,
            form,
            special: flag(token, "special"),
            normalized,
            single_word: flag(token, "single_word"),
            lstrip: flag(token, "lstrip"),
            rstrip: flag(token, "rstrip"),
        })
    }
}

impl Beside {
    fn new(tokens: &[AddedToken]) -> Self {
        let mut beside = Self::default();
        let strings = tokens.iter().flat_map(|token| {
            let form = Some(&token.form).filter(|&form| *form != token.content);
            form.into_iter().chain([&token.content])
        });
        for string in strings {
            beside.first.extend(string.chars().next());
            beside.last.extend(string.chars().next_back());
            beside.pairs.extend(string.chars().zip(string.chars().skip(1)));
        }
        beside
    }
}

impl Matchers {
    fn new(tokens: &[AddedToken], may_match: impl Fn(&AddedToken) -> bool) -> Result<Self> {
        let of = |normalized: bool| {
            let chosen = |token: &AddedToken| {
                token.normalized == normalized && !token.form.is_empty() && may_match(token)
            };
            Matcher::new(tokens, (0..tokens.len()).filter(|&i| chosen(&tokens[i])).collect())
        };
        Ok(Self { raw: of(false)?, normalized: of(true)? })
    }
}

impl Matcher {
    fn new(tokens: &[AddedToken], chosen: Vec<usize>) -> Result<Option<Self>> {
        if chosen.is_empty() {
            return Ok(None);
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(chosen.iter().map(|&i| &tokens[i].form))
            .map_err(|error| Error::Vocabulary(format!("too many added tokens: {error}")))?;
        Ok(Some(Self { automaton, tokens: chosen }))
    }
}

#[cfg(test)]
mod tests {
    use super::Segment::{Text, Token};
    use super::{AddedTokens, Allowed, Pass, Segment};
    use crate::error::Error;
    use crate::spec::Config;
    use serde_json::{Value, json};

    fn added(origin: &str, tokens: &Value) -> AddedTokens {
        let spec = json!({"spec": {"origin": origin, "added_tokens": tokens}});
        let config = Config::parse(spec.to_string().as_bytes()).unwrap();
        AddedTokens::new(&config, |content| Ok(content.into())).unwrap()
    }

    fn split(tokens: &AddedTokens, text: &str, allowed: Allowed) -> Vec<Segment> {
        let mut segments = Vec::new();
        let visit = |segment| {
            segments.push(segment);
            Ok::<(), Error>(())
        };
        tokens.split(Pass::Raw, text, allowed, visit).unwrap();
        segments
    }

    #[test]
    fn special_only_when_allowed_and_longest_first() {
        let tokens = json!([
            {"id": 7, "content": "<s>", "special": true},
            {"id": 8, "content": "<s>>", "special": true},
            {"id": 9, "content": "▁▁", "special": false},
        ]);
        let (ours, theirs) = (added("kugiri", &tokens), added("tokenizer.json", &tokens));
        let cut = |tokens, ids: &[u32]| split(tokens, "a<s>>▁▁", Allowed::Ids(ids));
        assert_eq!(cut(&ours, &[]), [Text(0..5), Token(9, 5..11)]);
        assert_eq!(cut(&ours, &[7]), [Text(0..1), Token(7, 1..4), Text(4..5), Token(9, 5..11)]);
        assert_eq!(cut(&ours, &[7, 8]), [Text(0..1), Token(8, 1..5), Token(9, 5..11)]);
        assert_eq!(cut(&theirs, &[7]), [Text(0..5), Token(9, 5..11)]);
        for tokens in [&ours, &theirs] {
            assert_eq!(split(tokens, "a<s>>▁▁", Allowed::All), cut(tokens, &[7, 8]));
        }
    }

    #[test]
    fn white_space_beside_a_token() {
        let tokens = added(
            "tokenizer.json",
            &json!([
                {"id": 1, "content": "<r>", "rstrip": true},
                {"id": 2, "content": "  "},
                {"id": 3, "content": "<l>", "lstrip": true},
                {"id": 4, "content": "w", "single_word": true},
            ]),
        );
        let cut = |text| split(&tokens, text, Allowed::All);
        assert_eq!(cut("<r>   b"), [Token(1, 0..6), Token(2, 3..5), Text(5..7)]);
        assert_eq!(cut("a\u{3000}<l>"), [Text(0..1), Token(3, 1..7)]);
        assert_eq!(cut("<r>  <l>"), [Token(1, 0..5), Token(2, 3..5), Token(3, 5..8)]);
        assert_eq!(cut("w aw w"), [Token(4, 0..1), Text(1..5), Token(4, 5..6)]);
    }
}
