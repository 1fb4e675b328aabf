//! Unicode's normal forms: one spelling for what is the same text.
//!
//! Rule.    That of `reference/normal_forms.py`. A character is settled in a form if it is as the form
//!          has it, whatever stands before it; between settled characters nothing changes, so only
//!          what is not is taken apart, with the one before it where that may be joined.
//! Cost.    A look-up a character where nothing changes; elsewhere sorting the marks of each.
//! Source.  Unicode Standard Annex 15, and section 3.12 of the standard for Hangul. What stands for
//!          what is counted as tokenizers 0.23.3 does.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::alone::Alone;
use super::changes::{Change, push_changes};
use super::tables::{ADDED_AFTER_9, COMBINING, DECOMPOSITIONS, Tables, character, code, rows};
use crate::alignment::{Aligned, Rewriting};
use crate::lazy::Lazy;
use crate::unicode::CodePoints;

const SYLLABLES: u32 = 0xac00;
const LEADING: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const TRAILING: u32 = 0x11a7;
const LEADING_COUNT: u32 = 19;
const VOWEL_COUNT: u32 = 21;
const TRAILING_COUNT: u32 = 28;
const SYLLABLE_COUNT: u32 = LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT;

/// One of the four forms.
#[derive(Clone, Copy)]
pub enum Form {
    /// Composed.
    Nfc,
    /// Decomposed.
    Nfd,
    /// Composed, by mappings of compatibility too.
    Nfkc,
    /// Decomposed, by mappings of compatibility too.
    Nfkd,
}

const FORMS: [Form; 4] = [Form::Nfc, Form::Nfd, Form::Nfkc, Form::Nfkd];
const ALL_FORMS: u8 = 0b1111;

impl Form {
    fn composes(self) -> bool {
        matches!(self, Self::Nfc | Self::Nfkc)
    }

    fn is_compatible(self) -> bool {
        matches!(self, Self::Nfkc | Self::Nfkd)
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The normal forms of one version of Unicode.
pub struct NormalForms {
    classes: CodePoints,
    /// One bit for each form in which a character is not settled.
    unsettled: CodePoints,
    /// How far each character goes apart: by canonical mappings, and by all.
    apart: [HashMap<char, Box<[char]>>; 2],
    joined: HashMap<(char, char), char>,
}

static FROZEN: Lazy<NormalForms> = Lazy::new(|| NormalForms::new(Tables::Frozen));
static NEWEST: Lazy<NormalForms> = Lazy::new(|| NormalForms::new(Tables::Newest));

impl NormalForms {
    /// Those of tokenizers, or of the newest version; made when first asked for.
    pub fn of(tables: Tables) -> &'static Self {
        match tables {
            Tables::Frozen => &FROZEN,
            Tables::Newest => &NEWEST,
        }
    }

    fn new(tables: Tables) -> Self {
        let mut newer = HashSet::new();
        if tables == Tables::Frozen {
            newer.extend(rows(ADDED_AFTER_9).flat_map(|row| code(row[0])..=code(row[1])));
        }
        let mut classes = vec![0; 0x11_0000];
        for row in rows(COMBINING) {
            for one in (code(row[0])..=code(row[1])).filter(|one| !newer.contains(one)) {
                classes[one] = code(row[2]) as u8;
            }
        }
        let mut steps = HashMap::new();
        let mut joined = HashMap::new();
        for row in rows(DECOMPOSITIONS).filter(|row| !newer.contains(&code(row[0]))) {
            let (own, parts) = (character(row[0]), row[2..].iter().copied().map(character));
            let parts: Vec<char> = parts.collect();
            if row[1] == "=" {
                joined.insert((parts[0], parts[1]), own);
            }
            steps.insert(own, (row[1] == "~", parts));
        }
        let apart = [false, true].map(|compatibly| {
            let owns = steps.iter().filter(|(_, step)| compatibly || !step.0);
            owns.map(|(&own, _)| (own, apart(own, &steps, compatibly).into())).collect()
        });
        let classes = CodePoints::new(&classes);
        let mut forms = Self { unsettled: CodePoints::new(&[]), classes, apart, joined };
        forms.unsettled = CodePoints::new(&forms.flat_unsettled());
        forms
    }

    fn flat_unsettled(&self) -> Vec<u8> {
        let seconds: HashSet<char> = self.joined.keys().map(|pair| pair.1).collect();
        let joins = |c: char| {
            let number = c as u32;
            seconds.contains(&c)
                || (VOWELS..VOWELS + VOWEL_COUNT).contains(&number)
                || (TRAILING + 1..TRAILING + TRAILING_COUNT).contains(&number)
        };
        let is_settled = |c: char, form: Form| {
            let mut changes = Vec::new();
            self.decompose(form, c, 0..0, &mut changes);
            let first = changes[0].character;
            if self.class(first) != 0 || form.composes() && joins(first) {
                return false;
            }
            self.order(&mut changes);
            if form.composes() {
                self.compose(&mut changes);
            }
            changes.len() == 1 && changes[0].character == c
        };
        let of_one = |c: char| {
            let bits = FORMS.iter().filter(|&&form| !is_settled(c, form)).map(|form| form.bit());
            bits.sum::<u8>()
        };
        let mut flat = vec![0; 0x11_0000];
        let last = char::from_u32(TRAILING + TRAILING_COUNT).expect("a letter");
        let changed = self.apart[1].keys().copied().chain(seconds.iter().copied());
        for c in changed.chain('\u{1100}'..=last) {
            flat[c as usize] = of_one(c);
        }
        for row in rows(COMBINING) {
            let run = code(row[0])..=code(row[1]);
            for (one, bits) in run.clone().zip(&mut flat[run]) {
                *bits |= if self.classes.of(one as u32) == 0 { 0 } else { ALL_FORMS };
            }
        }
        let syllables = SYLLABLES as usize..(SYLLABLES + SYLLABLE_COUNT) as usize;
        flat[syllables].fill(Form::Nfd.bit() | Form::Nfkd.bit());
        flat
    }

    /// Whether a character is settled in a form.
    pub fn is_settled(&self, form: Form, c: char) -> bool {
        self.unsettled.of(c as u32) & form.bit() == 0
    }

    /// What becomes of a character that is taken apart, some of its parts being taken out: one that no
    /// mark can come before, nothing, or who knows.
    pub fn alone(&self, c: char, is_taken_out: impl Fn(char) -> bool) -> Alone {
        let mut parts = Vec::new();
        if self.is_settled(Form::Nfd, c) {
            return if is_taken_out(c) { Alone::Nothing } else { Alone::One(c) };
        }
        self.decompose(Form::Nfd, c, 0..0, &mut parts);
        let stays = |part: &Change| !is_taken_out(part.character);
        match parts.iter().position(stays) {
            None => Alone::Nothing,
            Some(0) if self.class(parts[0].character) == 0 && !parts[1..].iter().any(stays) => {
                Alone::One(parts[0].character)
            }
            Some(_) => Alone::Unknown,
        }
    }

    /// A text in a form.
    pub fn rewrite<'a>(
        &self,
        form: Form,
        old: Aligned<'a>,
        original: &str,
        places: bool,
    ) -> Aligned<'a> {
        let Some(mut part) = self.next_unsettled(form, &old.text, 0) else { return old };
        let mut new = Rewriting::of(&old, original, places);
        let mut changes = Vec::new();
        let mut done = 0;
        loop {
            new.keep(done..part.start);
            changes.clear();
            for (at, c) in old.text[part.clone()].char_indices() {
                let at = part.start + at;
                self.decompose(form, c, at..at + c.len_utf8(), &mut changes);
            }
            self.order(&mut changes);
            if form.composes() {
                self.compose(&mut changes);
            }
            push_changes(&mut new, &changes, part.start);
            done = part.end;
            match self.next_unsettled(form, &old.text, done) {
                Some(next) => part = next,
                None => break,
            }
        }
        new.keep(done..old.text.len());
        new.finish(None)
    }

    /// The next part of a text that may change, from a place on.
    fn next_unsettled(&self, form: Form, text: &str, from: usize) -> Option<Range<usize>> {
        let unsettled = |c: char| !c.is_ascii() && self.unsettled.of(c as u32) & form.bit() != 0;
        let mut before = from;
        for (at, c) in text[from..].char_indices() {
            if unsettled(c) {
                let start = if form.composes() { before } else { from + at };
                let rest = &text[from + at..];
                let length = rest.find(|c| !unsettled(c)).unwrap_or(rest.len());
                return Some(start..from + at + length);
            }
            before = from + at;
        }
        None
    }

    /// Appends a character as far apart as it goes.
    fn decompose(&self, form: Form, c: char, from: Range<usize>, changes: &mut Vec<Change>) {
        let mut push = |character, more| {
            changes.push(Change { character, more, from: from.clone() });
        };
        let syllable = (c as u32).wrapping_sub(SYLLABLES);
        if syllable < SYLLABLE_COUNT {
            let (rest, trailing) = (syllable / TRAILING_COUNT, syllable % TRAILING_COUNT);
            let letter = |number| char::from_u32(number).expect("a letter of Hangul");
            push(letter(LEADING + rest / VOWEL_COUNT), 0);
            push(letter(VOWELS + rest % VOWEL_COUNT), 1);
            if trailing > 0 {
                push(letter(TRAILING + trailing), 1);
            }
            return;
        }
        match self.apart[usize::from(form.is_compatible())].get(&c) {
            Some(parts) => {
                parts.iter().enumerate().for_each(|(i, &part)| push(part, isize::from(i > 0)));
            }
            None => push(c, 0),
        }
    }

    /// Marks in a row in order of their classes; marks of one class stay as they stand.
    fn order(&self, changes: &mut [Change]) {
        for marks in changes.split_mut(|change| self.class(change.character) == 0) {
            if marks.len() > 1 {
                marks.sort_by_key(|mark| self.class(mark.character));
            }
        }
    }

    /// Joins what is one character.
    fn compose(&self, changes: &mut Vec<Change>) {
        let mut kept = 0;
        let mut starter: Option<usize> = None; // where the last character of class 0 stands
        let mut before = 0; // the class of the character before
        for at in 0..changes.len() {
            let class = self.class(changes[at].character);
            if let Some(first) = starter.filter(|&first| first + 1 == kept || before < class)
                && let Some(joined) = self.join(changes[first].character, changes[at].character)
            {
                let (more, from) = (changes[at].more, changes[at].from.clone());
                let first = &mut changes[first];
                first.character = joined;
                first.more += more - 1;
                first.from = first.from.start.min(from.start)..first.from.end.max(from.end);
                continue;
            }
            if class == 0 {
                starter = Some(kept);
            }
            before = class;
            changes.swap(kept, at);
            kept += 1;
        }
        changes.truncate(kept);
    }

    /// The character that two are together.
    fn join(&self, first: char, second: char) -> Option<char> {
        let leading = (first as u32).wrapping_sub(LEADING);
        let vowel = (second as u32).wrapping_sub(VOWELS);
        if leading < LEADING_COUNT && vowel < VOWEL_COUNT {
            return char::from_u32(SYLLABLES + (leading * VOWEL_COUNT + vowel) * TRAILING_COUNT);
        }
        let syllable = (first as u32).wrapping_sub(SYLLABLES);
        let trailing = (second as u32).wrapping_sub(TRAILING);
        if syllable < SYLLABLE_COUNT && (1..TRAILING_COUNT).contains(&trailing) {
            let is_open = syllable.is_multiple_of(TRAILING_COUNT);
            return char::from_u32(first as u32 + trailing).filter(|_| is_open);
        }
        self.joined.get(&(first, second)).copied()
    }

    fn class(&self, c: char) -> u8 {
        self.classes.of(c as u32)
    }
}

/// A character as far apart as it goes, by the steps that take it there.
fn apart(c: char, steps: &HashMap<char, (bool, Vec<char>)>, compatibly: bool) -> Vec<char> {
    match steps.get(&c) {
        Some((by_compatibility, parts)) if compatibly || !by_compatibility => {
            parts.iter().flat_map(|&part| apart(part, steps, compatibly)).collect()
        }
        _ => vec![c],
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, NormalForms};
    use crate::alignment::Aligned;
    use crate::normalize::tables::Tables;

    #[test]
    fn what_becomes_of_it() {
        let forms = NormalForms::of(Tables::Frozen);
        for (form, text, expected) in [
            (Form::Nfc, "xe\u{301}y", "xéy"),
            (Form::Nfc, "か\u{3099}か", "がか"),
            (Form::Nfc, "\u{1100}\u{1161}\u{11a8}b", "각b"),
            (Form::Nfd, "각がé", "\u{1100}\u{1161}\u{11a8}か\u{3099}e\u{301}"),
            (Form::Nfd, "é\u{323}", "e\u{323}\u{301}"),
            (Form::Nfc, "e\u{301}\u{323}", "ẹ\u{301}"),
            (Form::Nfkc, "ｶﾞ㍿①㋿", "ガ株式会社1㋿"),
            (Form::Nfkd, "ﾊﾟ", "ハ\u{309a}"),
        ] {
            let old = Aligned::of(text, 0..text.len());
            assert_eq!(forms.rewrite(form, old, text, true).text, expected, "{text}");
        }
        let newest = NormalForms::of(Tables::Newest);
        let old = Aligned::of("㋿", 0..3);
        assert_eq!(newest.rewrite(Form::Nfkc, old, "㋿", false).text, "令和");
    }
}
