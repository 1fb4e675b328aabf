//! Hand-written scanners for the named patterns of `patterns.py`.
//!
//! Rule.    Each returns where the match that starts at `at` ends; the regex it stands for is in
//!          `patterns.py`, and its alternatives are tried here in the same order. Where the text is
//!          plain and the machine has AVX2, matches are found without them, 64 bytes at a time
//!          (`boundaries.rs`).
//! Cost.    One table look-up a character, no backtracking: linear in the text.
//! Source.  Equal, for every text, to the regex as tiktoken 0.14.0 and tokenizers 0.23.3 run it.

use std::ops::Range;

use super::boundaries::{self, Boundaries, Window};
use super::masks::{Classify, classify};
use crate::unicode::{ClassTable, class};

/// A named pattern.
#[derive(Clone, Copy)]
pub struct Scanner {
    /// The end of the match that starts at a place; both are character boundaries, and the place is
    /// not the end of the text.
    end: fn(ClassTable, &[u8], usize) -> usize,
    /// Where matches begin in plain text.
    boundaries: fn(&Window) -> Boundaries,
}

/// The scanner of a named pattern.
pub fn scanner(name: &str) -> Option<Scanner> {
    Some(match name {
        "gpt2" => Scanner { end: gpt2, boundaries: boundaries::gpt2 },
        "cl100k" => Scanner { end: cl100k, boundaries: boundaries::threes },
        "llama3" => Scanner { end: llama3, boundaries: boundaries::threes },
        "qwen2" => Scanner { end: qwen2, boundaries: boundaries::ones },
        "o200k" => Scanner { end: o200k, boundaries: boundaries::o200k },
        _ => return None,
    })
}

impl Scanner {
    /// Calls `visit` with each match in a text, in order: together they cover it.
    #[inline]
    pub fn each<E>(
        self,
        text: &str,
        visit: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        match classify() {
            Some(classify) => self.many_at_once(classify, text.as_bytes(), visit),
            None => self.one_by_one(text.as_bytes(), visit),
        }
    }

    #[inline]
    fn one_by_one<E>(
        self,
        text: &[u8],
        mut visit: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        let table = ClassTable::get();
        let mut start = 0;
        while start < text.len() {
            let end = (self.end)(table, text, start);
            visit(start..end)?;
            start = end;
        }
        Ok(())
    }

    #[inline]
    fn many_at_once<E>(
        self,
        classify: Classify,
        text: &[u8],
        mut visit: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<(), E> {
        let table = ClassTable::get();
        let mut window = Window::new(text, classify);
        let mut start = 0;
        while start < text.len() {
            let Boundaries { sure, unsure } = (self.boundaries)(&window);
            let mut places = (sure | unsure) & behind(start, window.start());
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                let mut end = window.start() + place;
                places &= places - 1;
                if unsure >> place & 1 == 1 {
                    end = (self.end)(table, text, start);
                    places &= behind(end, window.start());
                    // Behind the text, too, nothing is sure: so its end is always found here.
                    places = if end < text.len() { places } else { 0 };
                }
                visit(start..end)?;
                start = end;
            }
            window.advance(start);
        }
        Ok(())
    }
}

/// The places behind one, among the 64 that begin at `first`.
#[inline]
fn behind(at: usize, first: usize) -> u64 {
    match at.checked_sub(first) {
        None => u64::MAX,
        Some(at) => u64::MAX.checked_shl(at as u32 + 1).unwrap_or(0),
    }
}

fn gpt2(table: ClassTable, text: &[u8], at: usize) -> usize {
    if text[at] == b'\'' {
        match text.get(at + 1..) {
            Some([b's' | b't' | b'm' | b'd', ..]) => return at + 2,
            Some([b'r' | b'v', b'e', ..] | [b'l', b'l', ..]) => return at + 3,
            _ => {}
        }
    }
    if let Some(end) = ascii_word(text, at) {
        return end;
    }
    let body = at + usize::from(text[at] == b' ');
    let (kind, _) = table.at(text, body);
    if body < text.len() && kind & class::SPACE == 0 {
        return match kind & (class::LETTER | class::NUMBER) {
            0 => run(table, text, body, is_sign),
            some => run(table, text, body, |k| k & some != 0),
        };
    }
    let spaces = Spaces::at(table, text, at);
    spaces.without_last_unless_at_end(text)
}

fn cl100k(table: ClassTable, text: &[u8], at: usize) -> usize {
    // `\s++$`: white space at the very end is one piece, newlines or not.
    cl100k_family(table, text, at, 3, |spaces, text| {
        if spaces.end == text.len() { Some(spaces.end) } else { spaces.after_newline }
    })
}

fn llama3(table: ClassTable, text: &[u8], at: usize) -> usize {
    cl100k_family(table, text, at, 3, |spaces, _| spaces.after_newline)
}

fn qwen2(table: ClassTable, text: &[u8], at: usize) -> usize {
    cl100k_family(table, text, at, 1, |spaces, _| spaces.after_newline)
}

/// The shared form of cl100k, llama3 and qwen2; they differ in digits and in trailing white space.
#[inline(always)]
fn cl100k_family(
    table: ClassTable,
    text: &[u8],
    at: usize,
    digits: usize,
    newlines: impl Fn(&Spaces, &[u8]) -> Option<usize>,
) -> usize {
    if let Some(end) = contraction(text, at).or_else(|| ascii_word(text, at)) {
        return end;
    }
    let (kind, length) = table.at(text, at);
    if kind & class::LETTER != 0 {
        return run(table, text, at + length, is_letter);
    }
    if kind & class::NUMBER != 0 {
        return numbers(table, text, at, digits);
    }
    let (next_kind, next_length) = table.at(text, at + length);
    if kind & class::NEWLINE == 0 && next_kind & class::LETTER != 0 {
        return run(table, text, at + length + next_length, is_letter);
    }
    if let Some(end) = signs(table, text, at) {
        return run(table, text, end, |k| k & class::NEWLINE != 0);
    }
    let spaces = Spaces::at(table, text, at);
    newlines(&spaces, text).unwrap_or_else(|| spaces.without_last_unless_at_end(text))
}

fn o200k(table: ClassTable, text: &[u8], at: usize) -> usize {
    if let Some(end) = ascii_cased_word(text, at) {
        return end;
    }
    let (kind, length) = table.at(text, at);
    let may_lead = kind & (class::LETTER | class::NUMBER | class::NEWLINE) == 0;
    let word = if may_lead {
        cased_word(table, text, at + length)
            .or_else(|| cased_word(table, text, at))
            .or_else(|| upper_word(table, text, at + length))
    } else {
        cased_word(table, text, at).or_else(|| upper_word(table, text, at))
    };
    if let Some(end) = word {
        return contraction(text, end).unwrap_or(end);
    }
    if kind & class::NUMBER != 0 {
        return numbers(table, text, at, 3);
    }
    if let Some(mut end) = signs(table, text, at) {
        while matches!(text.get(end), Some(b'\r' | b'\n' | b'/')) {
            end += 1;
        }
        return end;
    }
    let spaces = Spaces::at(table, text, at);
    spaces.after_newline.unwrap_or_else(|| spaces.without_last_unless_at_end(text))
}

/// ` ?\p{L}+` from `at`, if all of it is ASCII and what follows too: what most of English is.
#[inline]
fn ascii_word(text: &[u8], at: usize) -> Option<usize> {
    let body = at + usize::from(text[at] == b' ');
    let end = ascii_letters(text, body, CAPITALS);
    (end > body && text.get(end).is_none_or(u8::is_ascii)).then_some(end)
}

/// The same as a word of o200k, where at most the first letter is a capital and none must be looked
/// for behind an apostrophe.
#[inline]
fn ascii_cased_word(text: &[u8], at: usize) -> Option<usize> {
    let body = at + usize::from(text[at] == b' ');
    let is_capital = text.get(body).is_some_and(u8::is_ascii_uppercase);
    let small = body + usize::from(is_capital);
    let end = ascii_letters(text, small, 0);
    let ends = text.get(end).is_none_or(|&byte| byte.is_ascii() && byte != b'\'');
    (end > small && ends).then_some(end)
}

/// The bit that makes a small letter of a capital.
const CAPITALS: u8 = 0x20;

/// The end of the run of small ASCII letters from `at`, eight at a time; capitals count too where
/// their bit is given.
#[inline]
fn ascii_letters(text: &[u8], mut at: usize, capitals: u8) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = EACH << 7;
    while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let bytes = u64::from_le_bytes(*eight);
        let low = (bytes | (EACH * u64::from(capitals))) & !TOPS;
        let from_a = low + EACH * u64::from(0x80 - b'a');
        let after_z = low + EACH * u64::from(0x80 - b'z' - 1);
        let others = TOPS & !(from_a & !after_z & !bytes);
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_letter = |byte: &&u8| (**byte | capitals).is_ascii_lowercase();
    at + text.get(at..).unwrap_or_default().iter().take_while(is_letter).count()
}

/// `UPPER*LOWER+` from `at`, as a backtracking regex finds it.
///
/// Letters without case and marks belong to both classes. If a lower-case letter follows the run of
/// UPPER, all of it matches; if not, the regex gives back characters until one can be the LOWER+.
fn cased_word(table: ClassTable, text: &[u8], at: usize) -> Option<usize> {
    let (mut end, mut after_last_lower) = (at, None);
    loop {
        let (kind, length) = table.at(text, end);
        if kind & class::UPPER == 0 {
            if kind & class::LOWER != 0 {
                return Some(run(table, text, end + length, is_lower));
            }
            return after_last_lower;
        }
        end += length;
        if kind & class::LOWER != 0 {
            after_last_lower = Some(end);
        }
    }
}

/// `UPPER+` from `at`; asked only where `cased_word` found nothing, so nothing lower can follow.
fn upper_word(table: ClassTable, text: &[u8], at: usize) -> Option<usize> {
    let end = run(table, text, at, |k| k & class::UPPER != 0);
    (end > at).then_some(end)
}

/// `'(?i:[sdmt]|ll|ve|re)`; ignoring case, s is also ſ (U+017F).
#[inline]
fn contraction(text: &[u8], at: usize) -> Option<usize> {
    if *text.get(at)? != b'\'' {
        return None;
    }
    let low = |i: usize| text.get(at + i).map_or(0, |byte| byte | 0x20);
    match (low(1), low(2)) {
        (b's' | b'd' | b'm' | b't', _) => Some(at + 2),
        (b'l', b'l') | (b'v' | b'r', b'e') => Some(at + 3),
        _ if text[at + 1..].starts_with("ſ".as_bytes()) => Some(at + 3),
        _ => None,
    }
}

/// ` ?[^\s\p{L}\p{N}]+`
#[inline]
fn signs(table: ClassTable, text: &[u8], at: usize) -> Option<usize> {
    let body = at + usize::from(text[at] == b' ');
    let end = run(table, text, body, is_sign);
    (end > body).then_some(end)
}

/// `\p{N}{1,most}`
#[inline]
fn numbers(table: ClassTable, text: &[u8], mut at: usize, most: usize) -> usize {
    for _ in 0..most {
        match table.at(text, at) {
            (kind, length) if kind & class::NUMBER != 0 => at += length,
            _ => break,
        }
    }
    at
}

/// A run of white space, measured once for all the alternatives that speak of it.
struct Spaces {
    end: usize,
    last: usize,
    start: usize,
    after_newline: Option<usize>,
}

impl Spaces {
    fn at(table: ClassTable, text: &[u8], start: usize) -> Self {
        let mut spaces = Self { start, end: start, last: start, after_newline: None };
        loop {
            let (kind, length) = table.at(text, spaces.end);
            if kind & class::SPACE == 0 {
                return spaces;
            }
            spaces.last = spaces.end;
            spaces.end += length;
            if kind & class::NEWLINE != 0 {
                spaces.after_newline = Some(spaces.end);
            }
        }
    }

    /// `\s+(?!\S)|\s+`: the last character is left to what follows, if anything does.
    fn without_last_unless_at_end(&self, text: &[u8]) -> usize {
        if self.end < text.len() && self.last > self.start { self.last } else { self.end }
    }
}

/// The end of the longest run of characters from `at` whose class fits.
#[inline(always)]
fn run(table: ClassTable, text: &[u8], mut at: usize, fits: impl Fn(u8) -> bool) -> usize {
    loop {
        let (kind, length) = table.at(text, at);
        if length == 0 || !fits(kind) {
            return at;
        }
        at += length;
    }
}

#[inline]
fn is_letter(kind: u8) -> bool {
    kind & class::LETTER != 0
}

#[inline]
fn is_lower(kind: u8) -> bool {
    kind & class::LOWER != 0
}

/// `[^\s\p{L}\p{N}]`
#[inline]
fn is_sign(kind: u8) -> bool {
    kind & (class::SPACE | class::LETTER | class::NUMBER) == 0
}

#[cfg(test)]
mod tests {
    use super::super::masks::byte_by_byte;
    use super::*;
    use proptest::prelude::*;

    /// What patterns treat in different ways.
    const PARTS: [&str; 34] = [
        "a", "word", "A", "CAP", "1", "23", "4567", " ", "  ", "      ", "\t", "\x0b", "\n",
        "\r\n", "\n\n", ".", "-", "//", "/", "'", "'s", "'LL", "'ve", "'ſ", "\u{1c}", "é", "É",
        "猫", "²", "\u{301}", "\u{a0}", "\u{3000}", "、", "🐈",
    ];

    fn texts() -> impl Strategy<Value = String> {
        let plain = prop::collection::vec(prop::sample::select(&PARTS[..25]), 0..150);
        let any = prop::collection::vec(prop::sample::select(&PARTS[..]), 0..60);
        let mixed = (plain.clone(), any, plain.clone()).prop_map(|(a, b, c)| [a, b, c].concat());
        prop_oneof![plain, mixed].prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]
        #[test]
        fn many_places_at_once_are_those_one_by_one(text in texts()) {
            for name in ["gpt2", "cl100k", "llama3", "qwen2", "o200k"] {
                let scanner = scanner(name).expect("a scanner");
                let mut expected = Vec::new();
                let one_by_one = scanner.one_by_one(text.as_bytes(), |range| {
                    expected.push(range);
                    Ok::<(), ()>(())
                });
                prop_assert_eq!(one_by_one, Ok(()));
                for classify in classify().into_iter().chain([byte_by_byte as Classify]) {
                    let mut found = Vec::new();
                    let at_once = scanner.many_at_once(classify, text.as_bytes(), |range| {
                        found.push(range);
                        Ok::<(), ()>(())
                    });
                    prop_assert_eq!(at_once, Ok(()));
                    prop_assert_eq!(&found, &expected, "{} in {:?}", name, text);
                }
            }
        }
    }
}
