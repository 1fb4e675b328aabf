//! What flows out of the pipeline: ids, their number, or ids with their places.

use std::ops::Range;

use crate::alignment::Aligned;
use crate::collections::word_cache::Row;

/// Where tokens go.
pub trait Sink {
    /// Whether anybody will ask where a token stands in the text.
    const PLACES: bool = false;

    /// One more token, which covers this many bytes of the word.
    fn token(&mut self, id: u32, bytes: usize);

    /// One more token, which covers this many bytes together with those that come next.
    fn within(&mut self, id: u32, bytes: usize) {
        self.token(id, bytes);
    }

    /// One more token, which covers these bytes of the word whatever the ones before covered, and
    /// for which tokenizers names others; then all tokens of the word come so.
    fn placed(&mut self, id: u32, _own: Range<usize>, _named: Range<usize>) {
        self.token(id, 0);
    }

    /// The tokens of a word that was met before; never where places are asked for.
    fn tokens(&mut self, ids: &[u32]) {
        for &id in ids {
            self.token(id, 0);
        }
    }

    /// The same for several such words.
    #[inline]
    fn rows(&mut self, rows: &[Row]) {
        for row in rows {
            self.tokens(&row.ids[..row.count as usize]);
        }
    }

    /// An added token that stands in the stretch at these bytes.
    fn added(&mut self, id: u32, _at: Range<usize>) {
        self.token(id, 0);
    }

    /// A token that the template puts in; it stands nowhere.
    fn inserted(&mut self, id: u32, _string: &str) {
        self.token(id, 0);
    }

    /// The tokens since the last part of the template are of this text (or of none), and have this
    /// type.
    fn part(&mut self, _text: Option<usize>, _type_id: u32) {}

    /// A word of the stretch begins at this byte.
    fn word(&mut self, _start: usize) {}

    /// The words of a stretch are done.
    fn stretch(&mut self, _stretch: &Aligned) {}

    /// How many tokens there are so far.
    fn so_far(&self) -> usize;

    /// Turns the tokens from a number on round.
    fn reverse(&mut self, from: usize);
}

/// Gives the rows of some words in order, and in their place asks for the words that have none
/// (`there` has a bit for each that has).
#[inline]
pub fn emit<S: Sink, E>(
    rows: &[Row],
    there: u64,
    out: &mut S,
    mut missing: impl FnMut(usize, &mut S) -> Result<(), E>,
) -> Result<(), E> {
    let mut done = 0;
    while done < rows.len() {
        let next = (!there & u64::MAX << done).trailing_zeros() as usize;
        out.rows(&rows[done..next.min(rows.len())]);
        if next < rows.len() {
            missing(next, out)?;
        }
        done = next + 1;
    }
    Ok(())
}

impl Sink for Vec<u32> {
    #[inline]
    fn token(&mut self, id: u32, _bytes: usize) {
        self.push(id);
    }

    #[inline]
    fn tokens(&mut self, ids: &[u32]) {
        self.extend_from_slice(ids);
    }

    #[inline]
    fn rows(&mut self, rows: &[Row]) {
        const WIDTH: usize = size_of::<Row>() / size_of::<u32>();
        self.reserve(rows.len() * WIDTH);
        let mut end = self.len();
        for row in rows {
            // All of the row, with what is not its ids: a copy of a fixed size is the fastest.
            // SAFETY: there is room for as many whole rows as there are, and a row is `WIDTH` u32.
            unsafe { self.as_mut_ptr().add(end).cast::<Row>().write_unaligned(*row) };
            end += row.count as usize;
        }
        // SAFETY: each row begins behind the ids of the one before, so all up to here are written.
        unsafe { self.set_len(end) };
    }

    fn so_far(&self) -> usize {
        self.len()
    }

    fn reverse(&mut self, from: usize) {
        self[from..].reverse();
    }
}

/// The number of tokens.
#[derive(Default)]
pub struct Count(pub usize);

impl Sink for Count {
    #[inline]
    fn token(&mut self, _id: u32, _bytes: usize) {
        self.0 += 1;
    }

    #[inline]
    fn tokens(&mut self, ids: &[u32]) {
        self.0 += ids.len();
    }

    #[inline]
    fn rows(&mut self, rows: &[Row]) {
        self.0 += rows.iter().map(|row| row.count as usize).sum::<usize>();
    }

    fn so_far(&self) -> usize {
        self.0
    }

    fn reverse(&mut self, _from: usize) {}
}

/// Ids, and where each token stands.
#[derive(Default)]
pub struct Spans {
    /// One id a token.
    pub ids: Vec<u32>,
    /// Start and end of each token, in bytes of the original text.
    pub spans: Vec<(usize, usize)>,
    /// The same as tokenizers names them.
    pub named: Vec<(usize, usize)>,
    /// Where the next token begins; behind the last of a stretch, where the stretch ends.
    pub reaches: Vec<usize>,
    /// The tokens that are unknown, added or put in by a template, by number, with their string
    /// there.
    pub met: Vec<(usize, Vec<u8>)>,
    /// The type of each token.
    pub type_ids: Vec<u32>,
    /// The text of each token, -1 for one that the template put in.
    pub texts: Vec<i8>,
    /// The pre-token of its text that each token is part of, by number; an added token is one, too.
    /// -1 for one that the template put in.
    pub words: Vec<i64>,
    unknown_id: Option<u32>,
    /// The added tokens of this stretch, by number.
    added: Vec<usize>,
    /// Where the next token begins in its stretch.
    at: usize,
    /// How many pre-tokens of this text have begun.
    begun: i64,
}

impl Spans {
    /// None yet; the text of each token of this id will be kept.
    pub fn new(unknown_id: Option<u32>) -> Self {
        Self { unknown_id, ..Self::default() }
    }

    fn settled(&mut self, id: u32, span: (usize, usize)) {
        self.ids.push(id);
        self.spans.push(span);
        self.named.push(span);
        self.reaches.push(span.1);
        self.words.push(-1);
    }
}

impl Sink for Spans {
    const PLACES: bool = true;

    fn token(&mut self, id: u32, bytes: usize) {
        self.within(id, bytes);
        self.at += bytes;
    }

    fn within(&mut self, id: u32, bytes: usize) {
        self.placed(id, 0..bytes, 0..bytes);
    }

    fn placed(&mut self, id: u32, own: Range<usize>, named: Range<usize>) {
        self.ids.push(id);
        self.spans.push((self.at + own.start, self.at + own.end));
        self.named.push((self.at + named.start, self.at + named.end));
        self.words.push(self.begun - 1);
    }

    fn added(&mut self, id: u32, at: Range<usize>) {
        self.added.push(self.ids.len());
        self.ids.push(id);
        self.spans.push((at.start, at.end));
        self.named.push((at.start, at.end));
        self.words.push(self.begun);
        self.begun += 1;
    }

    fn inserted(&mut self, id: u32, string: &str) {
        self.met.push((self.ids.len(), string.as_bytes().to_vec()));
        self.settled(id, (0, 0));
    }

    fn part(&mut self, text: Option<usize>, type_id: u32) {
        self.type_ids.resize(self.ids.len(), type_id);
        self.texts.resize(self.ids.len(), text.map_or(-1, |text| text as i8));
        self.begun = 0;
    }

    fn word(&mut self, start: usize) {
        self.at = start;
        self.begun += 1;
    }

    /// Turns places in the stretch into places in the original.
    fn stretch(&mut self, stretch: &Aligned) {
        let mut next_added = 0;
        for index in self.reaches.len()..self.ids.len() {
            let (start, end) = self.spans[index];
            let is_added = self.added.get(next_added) == Some(&index);
            next_added += usize::from(is_added);
            if is_added || self.unknown_id == Some(self.ids[index]) {
                self.met.push((index, stretch.text.as_bytes()[start..end].to_vec()));
            }
            self.spans[index] = stretch.span(start..end);
            let (start, end) = self.named[index];
            self.named[index] = stretch.named(start..end);
        }
        let next = self.spans.iter().skip(self.reaches.len() + 1).map(|&(start, _)| start);
        self.reaches.extend(next);
        self.reaches.resize(self.ids.len(), stretch.end());
        self.added.clear();
    }

    fn so_far(&self) -> usize {
        self.ids.len()
    }

    fn reverse(&mut self, from: usize) {
        self.ids[from..].reverse();
        self.spans[from..].reverse();
        self.named[from..].reverse();
        self.reaches[from..].reverse();
        self.words[from..].reverse();
        let end = from + self.ids.len();
        for (index, _) in self.met.iter_mut().filter(|(index, _)| *index >= from) {
            *index = end - 1 - *index;
        }
    }
}
