//! Words and grapheme clusters of plain text, whatever its language.
//!
//! **Rule.** A text is cut at the word boundaries of UAX #29. In runs of Chinese and Japanese a
//! dictionary says where these are, in Thai, Khmer, Lao and Burmese a small neural model. A segment
//! is a word if it holds letters or a number; spaces, punctuation and emoji are segments that are
//! none. Grapheme clusters are the extended ones of UAX #29: what a reader takes for one character.
//! No locale is asked for, so the same text is cut alike everywhere.
//!
//! **Cost.** Linear in the text.
//!
//! **Source.** UAX #29 of Unicode 18.0, as ICU4X 2.4 has it, with its compiled data.

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{
    GraphemeClusterSegmenter, GraphemeClusterSegmenterBorrowed, WordSegmenter,
    WordSegmenterBorrowed,
};

/// What cuts, as a report names it; a test compares it with Cargo.toml.
pub const VERSION: &str = "ICU4X 2.4.0, Unicode 18.0";

/// Where the segments of texts end, in bytes of the text.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Segments {
    /// The ends; each segment begins where the one before ends.
    pub ends: Vec<i64>,
    /// Whether each is a word.
    pub is_word: Vec<bool>,
}

/// What cuts texts into words; making one costs nothing.
pub struct Words(WordSegmenterBorrowed<'static>);

impl Default for Words {
    fn default() -> Self {
        Self(WordSegmenter::new_auto(WordBreakInvariantOptions::default()))
    }
}

impl Words {
    /// Appends the segments of a text.
    pub fn cut(&self, text: &str, out: &mut Segments) {
        // The first boundary is the beginning of the text.
        for (end, kind) in self.0.segment_str(text).iter_with_word_type() {
            if end > 0 {
                out.ends.push(end as i64);
                out.is_word.push(kind.is_word_like());
            }
        }
    }
}

/// What cuts texts into grapheme clusters; making one costs nothing.
pub struct Graphemes(GraphemeClusterSegmenterBorrowed<'static>);

impl Default for Graphemes {
    fn default() -> Self {
        Self(GraphemeClusterSegmenter::new())
    }
}

impl Graphemes {
    /// Where each grapheme cluster of a text ends, in bytes.
    pub fn ends<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.0.segment_str(text).filter(|&end| end > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words in brackets, other segments bare, with bars between.
    fn words(text: &str) -> String {
        let mut segments = Segments::default();
        Words::default().cut(text, &mut segments);
        let (mut start, mut shown) = (0, Vec::new());
        for (&end, &is_word) in segments.ends.iter().zip(&segments.is_word) {
            let part = &text[start..end as usize];
            shown.push(if is_word { format!("[{part}]") } else { part.to_owned() });
            start = end as usize;
        }
        assert_eq!(start, text.len());
        shown.join("|")
    }

    fn graphemes(text: &str) -> Vec<usize> {
        Graphemes::default().ends(text).collect()
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(words(""), "");
        assert_eq!(words("can't stop, 3.14!"), "[can't]| |[stop]|,| |[3.14]|!");
        assert_eq!(words("こんにちは世界。"), "[こんにちは]|[世界]|。");
        assert_eq!(words("ทุกสองสัปดาห์"), "[ทุก]|[สอง]|[สัปดาห์]");
        assert_eq!(words("\0\0 \u{301}"), "\0|\0| \u{301}");
    }

    #[test]
    fn graphemes_are_what_a_reader_sees() {
        assert!(graphemes("").is_empty());
        assert_eq!(graphemes("e\u{301}x"), [3, 4]);
        assert_eq!(graphemes("👨‍👩‍👧🇯🇵"), [18, 26]);
        assert_eq!(graphemes("\r\n\0"), [2, 3]);
    }
}
