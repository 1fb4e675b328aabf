//! Techniques that can be left out, so that what each is worth can be measured.
//!
//! Rule.    A technique is a faster way to the same result, and beside it the plain way is still there.
//!          Built with the feature `without`, the core goes the plain way for each technique that
//!          `KUGIRI_WITHOUT` names (`seams,words`); the variable is read once.
//! Cost.    None in any other build: there the answer is a constant, and the compiler drops the
//!          question with the plain way.

#[cfg(feature = "without")]
use crate::lazy::Lazy;

macro_rules! techniques {
    ($($(#[$doc:meta])* $technique:ident = $name:literal,)*) => {
        /// What can be left out.
        #[derive(Clone, Copy)]
        pub enum Technique {
            $($(#[$doc])* $technique,)*
        }

        #[cfg(any(test, feature = "without"))]
        const ALL: &[(&str, Technique)] = &[$(($name, Technique::$technique),)*];
    };
}

techniques! {
    /// Beginnings of words by masks of 64 bytes (AVX2), instead of one by one.
    Masks = "masks",
    /// The table of words met before.
    Words = "words",
    /// The second one, for words that are longer or have more ids.
    LongWords = "long-words",
    /// 64 words looked up together, instead of each by itself.
    Blocks = "blocks",
    /// The line of a word asked for when the word is found.
    Prefetch = "prefetch",
    /// Long words, and lines of Unigram, cut at seams.
    Seams = "seams",
    /// Characters of several bytes taken whole, instead of merged.
    WholeCharacters = "whole-characters",
    /// Short words merged in small arrays, instead of with a heap.
    ShortMerging = "short-merging",
    /// Merges of low ids in a table of their own.
    LowMerges = "low-merges",
    /// BERT's stages left out for words met before.
    RawWords = "raw-words",
    /// A short word of WordPiece that is a token found by one look-up.
    ShortWords = "short-words",
    /// Unigram's table of sections met before.
    Sections = "sections",
    /// Scores added only where a way depends on their sum.
    Bounds = "bounds",
    /// Spaces read as what they are shown by, instead of rewritten.
    KeptSpaces = "kept-spaces",
    /// Eight bytes of ASCII normalized at a time.
    EightBytes = "eight-bytes",
    /// Large tables in large pages.
    HugePages = "huge-pages",
    /// More threads than one.
    Threads = "threads",
    /// Tables of JSON read as programs write them, instead of by serde.
    PlainJson = "plain-json",
    /// Brackets of JSON counted 64 bytes at a time.
    Nesting = "nesting",
    /// The join of a merge looked for at the next token first.
    NextToken = "next-token",
}

/// Whether a technique is left out.
#[cfg(not(feature = "without"))]
#[inline(always)]
pub const fn without(_: Technique) -> bool {
    false
}

/// Whether a technique is left out.
///
/// # Panics
///
/// If `KUGIRI_WITHOUT` names something else.
#[cfg(feature = "without")]
#[inline]
pub fn without(technique: Technique) -> bool {
    static LEFT_OUT: Lazy<u32> = Lazy::new(|| {
        let names = std::env::var("KUGIRI_WITHOUT").unwrap_or_default();
        bits(&names).unwrap_or_else(|error| panic!("{error}"))
    });
    *LEFT_OUT >> technique as u32 & 1 == 1
}

/// A bit for each technique of a list of names.
#[cfg(any(test, feature = "without"))]
fn bits(names: &str) -> Result<u32, String> {
    names.split(',').filter(|name| !name.is_empty()).try_fold(0, |bits, name| {
        let found = ALL.iter().find(|(known, _)| *known == name);
        found.map(|&(_, technique)| bits | 1 << technique as u32).ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|&(name, _)| name).collect();
            format!("KUGIRI_WITHOUT names {name:?}; write some of: {}", known.join(", "))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Technique, bits};

    #[test]
    fn names_are_those_of_techniques() {
        assert_eq!(bits(""), Ok(0));
        let both = 1 << Technique::Masks as u32 | 1 << Technique::NextToken as u32;
        assert_eq!(bits("next-token,masks"), Ok(both));
        let error = bits("masks,speed").unwrap_err();
        assert!(error.starts_with("KUGIRI_WITHOUT names \"speed\"; write some of: masks, "));
    }
}
