//! Added tokens: strings that are matched in the text before anything else.
//!
//! Rule.    Leftmost, and the longest among those that start there. Special ones match only when
//!          the caller allows them; the others always. Text that merely looks like one is text.
//!          Tokens of the raw text go before those of normalized text, wherever they stand.
//! Cost.    One pass of an automaton for each of the two; none where no token can match.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use aho_corasick::{AhoCorasick, MatchKind};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::spec::flag;

/// Which special tokens a call is about, and how what it gives is put together.
#[derive(Clone, Copy, Default)]
pub struct Special<'a> {
    /// The ids of those that may be found in the text.
    pub allowed: &'a [u32],
    /// Whether the template puts its own around the text.
    pub add: bool,
    /// The id that is put before everything else.
    pub begin: Option<u32>,
    /// The id that is put behind everything else.
    pub end: Option<u32>,
    /// Whether the tokens of the text come in reverse order.
    pub reverse: bool,
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Segment {
    /// Bytes to normalize, pre-tokenize and encode.
    Text(Range<usize>),
    /// An added token.
    Token(u32, Range<usize>),
}

/// One added token.
pub struct AddedToken {
    /// Its id.
    pub id: u32,
    /// The string that it matches.
    pub content: String,
    /// Whether it matches only when allowed.
    pub special: bool,
    /// Whether it is looked for in what the others left.
    normalized: bool,
}

/// All added tokens.
pub struct AddedTokens {
    tokens: Vec<AddedToken>,
    /// The automaton for no allowed token, and the one asked for last (most callers ask for one).
    always: Arc<Matchers>,
    last: Mutex<Option<(Vec<u32>, Arc<Matchers>)>>,
}

/// What is looked for in the text, and then in what is left of it.
struct Matchers {
    raw: Option<Matcher>,
    normalized: Option<Matcher>,
}

struct Matcher {
    automaton: AhoCorasick,
    ids: Vec<u32>,
}

impl AddedTokens {
    /// Reads the added tokens of a spec.
    pub fn new(component: &Value) -> Result<Self> {
        let mut tokens = Vec::new();
        for token in component.as_array().into_iter().flatten() {
            if ["single_word", "lstrip", "rstrip"].iter().any(|name| flag(token, name)) {
                let content = &token["content"];
                return Err(Error::Option(format!(
                    "the added token {content} with single_word, lstrip or rstrip is described but \
                     not run by this version of kugiri; use a tokenizer without it, or a newer kugiri"
                )));
            }
            let content = token["content"].as_str().unwrap_or("").to_owned();
            let id = token["id"].as_u64().and_then(|id| u32::try_from(id).ok());
            match id {
                Some(id) if !content.is_empty() => {
                    let (special, normalized) = (flag(token, "special"), flag(token, "normalized"));
                    tokens.push(AddedToken { id, content, special, normalized });
                }
                _ => {
                    return Err(Error::Vocabulary(format!(
                        "an added token needs an id below 2^32 and a string: {token}"
                    )));
                }
            }
        }
        let always = Arc::new(Matchers::new(&tokens, |token| !token.special)?);
        Ok(Self { tokens, always, last: Mutex::new(None) })
    }

    /// The tokens themselves.
    pub fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    /// The ids of those that match only when allowed.
    pub fn special_ids(&self) -> Vec<u32> {
        self.tokens.iter().filter(|token| token.special).map(|token| token.id).collect()
    }

    /// Cuts a text at the added tokens that may match; `allowed` are the ids of special ones.
    pub fn split<E: From<Error>>(
        &self,
        text: &str,
        allowed: &[u32],
        mut visit: impl FnMut(Segment) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let matchers = self.matchers(allowed)?;
        split_by(matchers.raw.as_ref(), text, 0..text.len(), &mut |segment| match segment {
            Segment::Text(range) => split_by(matchers.normalized.as_ref(), text, range, &mut visit),
            token @ Segment::Token(..) => visit(token),
        })
    }

    fn matchers(&self, allowed: &[u32]) -> Result<Arc<Matchers>> {
        if allowed.is_empty() {
            return Ok(Arc::clone(&self.always));
        }
        // Never wait for a lock here: one that another thread held during a fork stays locked.
        let mut last = self.last.try_lock().ok();
        if let Some(Some((ids, matchers))) = last.as_deref() {
            if ids == allowed {
                return Ok(Arc::clone(matchers));
            }
        }
        let may_match = |token: &AddedToken| !token.special || allowed.contains(&token.id);
        let matchers = Arc::new(Matchers::new(&self.tokens, may_match)?);
        if let Some(last) = last.as_deref_mut() {
            *last = Some((allowed.to_vec(), Arc::clone(&matchers)));
        }
        Ok(matchers)
    }
}

/// Cuts one stretch of a text at the tokens of a matcher.
fn split_by<E>(
    matcher: Option<&Matcher>,
    text: &str,
    range: Range<usize>,
    visit: &mut impl FnMut(Segment) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut done = range.start;
    if let Some(matcher) = matcher {
        for found in matcher.automaton.find_iter(&text[range.clone()]) {
            let (start, end) = (range.start + found.start(), range.start + found.end());
            if done < start {
                visit(Segment::Text(done..start))?;
            }
            visit(Segment::Token(matcher.ids[found.pattern().as_usize()], start..end))?;
            done = end;
        }
    }
    if done < range.end { visit(Segment::Text(done..range.end)) } else { Ok(()) }
}

impl Matchers {
    fn new(tokens: &[AddedToken], may_match: impl Fn(&AddedToken) -> bool) -> Result<Self> {
        let of = |normalized: bool| {
            let chosen = |token: &&AddedToken| token.normalized == normalized && may_match(token);
            Matcher::new(tokens.iter().filter(chosen))
        };
        Ok(Self { raw: of(false)?, normalized: of(true)? })
    }
}

impl Matcher {
    fn new<'a>(tokens: impl Iterator<Item = &'a AddedToken>) -> Result<Option<Self>> {
        let (ids, contents): (Vec<u32>, Vec<&str>) =
            tokens.map(|token| (token.id, token.content.as_str())).unzip();
        if ids.is_empty() {
            return Ok(None);
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(contents)
            .map_err(|error| Error::Vocabulary(format!("too many added tokens: {error}")))?;
        Ok(Some(Self { automaton, ids }))
    }
}

#[cfg(test)]
mod tests {
    use super::AddedTokens;
    use super::Segment::{Text, Token};
    use crate::error::Error;
    use serde_json::json;

    #[test]
    fn special_only_when_allowed_and_longest_first() {
        let tokens = AddedTokens::new(&json!([
            {"id": 7, "content": "<s>", "special": true},
            {"id": 8, "content": "<s>>", "special": true},
            {"id": 9, "content": "▁▁", "special": false},
        ]))
        .unwrap();
        let split = |allowed: &[u32]| {
            let mut segments = Vec::new();
            tokens
                .split("a<s>>▁▁", allowed, |segment| {
                    segments.push(segment);
                    Ok::<(), Error>(())
                })
                .unwrap();
            segments
        };
        assert_eq!(split(&[]), [Text(0..5), Token(9, 5..11)]);
        assert_eq!(split(&[7]), [Text(0..1), Token(7, 1..4), Text(4..5), Token(9, 5..11)]);
        assert_eq!(split(&[7, 8]), [Text(0..1), Token(8, 1..5), Token(9, 5..11)]);
    }
}
