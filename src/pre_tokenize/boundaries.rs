//! Where the named patterns cut plain text, 64 places at once.
//!
//! Rule.    Whether a match begins at a place is settled by the classes of the bytes beside it for
//!          nearly all places in ASCII: each of the functions below says for 64 places where one
//!          surely begins, and where it cannot say (`unsure`): near what is not ASCII, behind an
//!          apostrophe, in long numbers, in white space with newlines in its midst. Elsewhere none
//!          begins. The scanner of the pattern decides at the first place that is unsure, and what
//!          is sure holds again behind the match that it finds.
//! Cost.    Some forty instructions for 64 bytes, whatever the words.
//! Source.  The alternatives of the regexes in `patterns.py`, turned round: not what follows from a
//!          place, but which neighbours part.

use super::masks::{Classify, Masks, WIDTH};

/// Where matches begin.
#[derive(Clone, Copy)]
pub struct Boundaries {
    /// One begins here.
    pub sure: u64,
    /// One may begin here; this counts before `sure`.
    pub unsure: u64,
}

/// The classes of 64 bytes, of those before them and of those behind.
pub struct Window<'a> {
    text: &'a [u8],
    classify: Classify,
    /// Which 64 bytes.
    index: usize,
    before: Masks,
    here: Masks,
    behind: Masks,
}

impl<'a> Window<'a> {
    /// The first 64 bytes of a text.
    pub fn new(text: &'a [u8], classify: Classify) -> Self {
        let masks = Masks::default();
        let mut window =
            Self { text, classify, index: 0, before: masks, here: masks, behind: masks };
        window.here = window.masks(0);
        window.behind = window.masks(1);
        window
    }

    /// Where the 64 bytes begin in the text.
    pub fn start(&self) -> usize {
        self.index * WIDTH
    }

    /// Goes on to the 64 bytes that hold a place, or to the next if these are the same.
    pub fn advance(&mut self, at: usize) {
        let index = (at / WIDTH).max(self.index + 1);
        if index == self.index + 1 {
            (self.before, self.here) = (self.here, self.behind);
        } else {
            (self.before, self.here) = (self.masks(index - 1), self.masks(index));
        }
        self.behind = self.masks(index + 1);
        self.index = index;
    }

    /// What stands behind the text is like a character beyond ASCII: near it nothing is sure.
    fn masks(&self, index: usize) -> Masks {
        let rest = self.text.get(index * WIDTH..).unwrap_or_default();
        match rest.first_chunk() {
            Some(bytes) => (self.classify)(bytes),
            None if rest.is_empty() => Masks { others: u64::MAX, ..Masks::default() },
            None => {
                let mut bytes = [u8::MAX; WIDTH];
                bytes[..rest.len()].copy_from_slice(rest);
                (self.classify)(&bytes)
            }
        }
    }

    /// The places that have a byte of a class so many places before them.
    #[inline(always)]
    fn after(&self, class: impl Fn(&Masks) -> u64, distance: u32) -> u64 {
        class(&self.here) << distance | class(&self.before) >> (WIDTH as u32 - distance)
    }

    /// The places that have a byte of a class right behind them.
    #[inline(always)]
    fn before(&self, class: impl Fn(&Masks) -> u64) -> u64 {
        class(&self.here) >> 1 | class(&self.behind) << (WIDTH - 1)
    }

    /// The places in runs of blanks in one line behind which something else stands in that line.
    fn indents(&self) -> u64 {
        let (mut run, behind) = (blanks(&self.here), &self.behind);
        let first = (!blanks(behind)).trailing_zeros();
        let goes_on = visible(behind).checked_shr(first).unwrap_or(0) & 1;
        let mut found = run & (visible(&self.here) >> 1 | goes_on << (WIDTH - 1));
        for distance in [1, 2, 4, 8, 16, 32] {
            found |= run & found >> distance;
            run &= run >> distance;
        }
        found
    }

    /// Places near characters beyond ASCII, and those that a contraction may reach.
    #[inline(always)]
    fn unsure(&self) -> u64 {
        self.from(|m| m.others, 3) | self.before(|m| m.others) | self.from(may_contract, 3)
    }

    /// The places of a class, and so many behind each.
    #[inline(always)]
    fn from(&self, class: fn(&Masks) -> u64, distance: u32) -> u64 {
        (1..=distance).fold(class(&self.here), |found, at| found | self.after(class, at))
    }
}

/// Apostrophes with something like a letter behind them; or nobody knows what.
#[inline(always)]
fn may_contract(masks: &Masks) -> u64 {
    masks.apostrophes & ((masks.letters | masks.others) >> 1 | 1 << (WIDTH - 1))
}

/// Slashes that may belong to the line before: those behind newlines or slashes.
#[inline(always)]
fn slashes_in_a_row(masks: &Masks) -> u64 {
    masks.slashes & ((masks.newlines | masks.slashes) << 1 | 1)
}

/// Blanks within a line.
#[inline(always)]
fn blanks(masks: &Masks) -> u64 {
    masks.spaces | masks.tabs
}

/// What is surely no white space.
#[inline(always)]
fn visible(masks: &Masks) -> u64 {
    masks.letters | masks.digits | masks.signs
}

/// ` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
pub fn gpt2(window: &Window) -> Boundaries {
    let Masks { letters, digits, signs, .. } = window.here;
    let white = |m: &Masks| blanks(m) | m.newlines;
    let space = window.after(|m| m.spaces, 1);
    let sure = letters & !window.after(|m| m.letters, 1) & !space
        | digits & !window.after(|m| m.digits, 1) & !space
        | signs & !window.after(|m| m.signs, 1) & !space
        | white(&window.here) & (!window.after(white, 1) | window.before(visible));
    Boundaries { sure, unsure: window.unsure() }
}

/// cl100k, llama3: numbers in groups of three.
pub fn threes(window: &Window) -> Boundaries {
    let (sure, unsure) = (common(window), window.unsure() | fourth_digits(window));
    Boundaries { sure, unsure: unsure | lines_of_blanks(window) }
}

/// qwen2: each digit for itself.
pub fn ones(window: &Window) -> Boundaries {
    let sure = common(window) | window.here.digits & window.after(|m| m.digits, 1);
    Boundaries { sure, unsure: window.unsure() | lines_of_blanks(window) }
}

/// o200k: a capital behind a small letter, and slashes that belong to the line before.
pub fn o200k(window: &Window) -> Boundaries {
    let Boundaries { sure, unsure } = threes(window);
    let small = window.after(|m| m.letters & !m.capitals, 1);
    let slashes = window.from(slashes_in_a_row, 2);
    Boundaries { sure: sure | window.here.capitals & small, unsure: unsure | slashes }
}

/// What the patterns after GPT-2's share:
/// `[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}…| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`.
#[inline(always)]
fn common(window: &Window) -> u64 {
    let Masks { letters, digits, newlines, signs, .. } = window.here;
    let after = |class: fn(&Masks) -> u64| window.after(class, 1);
    let (number, sign, newline) = (after(|m| m.digits), after(|m| m.signs), after(|m| m.newlines));
    let word = after(|m| m.letters) | number;
    // A sign goes with the letter behind it where it does not go with what is before it.
    let signs_before = sign & window.after(|m| m.signs | m.spaces, 2);
    let blank = after(blanks);
    letters & (number | newline | signs_before)
        | digits & !number
        | newlines & word
        | signs & (word | newline | after(|m| m.tabs))
        // The last blank of some goes with what is behind them.
        | blanks(&window.here) & (word | sign | newline | blank & window.before(visible))
}

/// Digits that have three before them.
#[inline(always)]
fn fourth_digits(window: &Window) -> u64 {
    let before = |distance| window.after(|m| m.digits, distance);
    window.here.digits & before(1) & before(2) & before(3)
}

/// Blanks that begin a line, if nothing else is known to follow in it.
#[inline(always)]
fn lines_of_blanks(window: &Window) -> u64 {
    let begin = blanks(&window.here) & window.after(|m| m.newlines, 1);
    if begin == 0 { 0 } else { begin & !window.indents() }
}
