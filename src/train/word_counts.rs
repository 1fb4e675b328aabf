//! Counting words: the only step that sees the whole corpus.
//!
//! Rule.    A word is a pre-token of a normalized document. Words stand in order of their first occurrence in
//!          the corpus, whatever the number of threads. Counts are 64-bit.
//! Cost.    One pass of the pre-tokenizer and one hash look-up a word; memory for unique words only.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::sentences::Sentences;
use crate::error::{Error, Result};
use crate::normalize::Normalizer;
use crate::parallel;
use crate::pre_tokenize::PreTokenizer;
use crate::spec::Config;
use crate::vocab::Vocab;

/// Text is handed to threads in parts of about this many bytes.
const PART: usize = 1 << 20;

/// Unique words with their counts, in flat buffers.
#[derive(Default)]
pub struct Table {
    data: Vec<u8>,
    ends: Vec<usize>,
    counts: Vec<u64>,
    /// Where each word was first seen: the part of the corpus in the upper half, the word in the
    /// part in the lower.
    firsts: Vec<u64>,
    index: HashTable<u32>,
    hasher: RandomState,
}

impl Table {
    fn word(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.data[start..self.ends[index]]
    }

    /// Adds a count to a word that was seen at `first`.
    fn add(&mut self, word: &[u8], count: u64, first: u64) -> Result<()> {
        let hash = self.hasher.hash_one(word);
        if let Some(&there) = self.index.find(hash, |&there| self.word(there as usize) == word) {
            let there = there as usize;
            self.counts[there] = self.counts[there].checked_add(count).ok_or_else(too_many)?;
            self.firsts[there] = self.firsts[there].min(first);
            return Ok(());
        }
        let index = u32::try_from(self.counts.len()).map_err(|_| {
            Error::Training("more than 2^32 different words; use a pattern that cuts more".into())
        })?;
        self.data.extend_from_slice(word);
        self.ends.push(self.data.len());
        self.counts.push(count);
        self.firsts.push(first);
        let Self { data, ends, hasher, .. } = self;
        self.index.insert_unique(hash, index, |&other| {
            let end = ends[other as usize];
            let start = if other == 0 { 0 } else { ends[other as usize - 1] };
            hasher.hash_one(&data[start..end])
        });
        Ok(())
    }
}

fn too_many() -> Error {
    Error::Training("a word occurs more than 2^64 times".into())
}

/// Words as flat buffers: word i is `data[offsets[i]..offsets[i + 1]]`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// All words, end to end.
    pub data: Vec<u8>,
    /// Where each starts; one more than there are words.
    pub offsets: Vec<i64>,
    /// How often each occurs.
    pub counts: Vec<u64>,
}

/// Words with counts, as they came.
pub struct Words<'a> {
    /// All words, end to end.
    pub data: &'a [u8],
    /// Where each starts; one more than there are words.
    pub offsets: &'a [i64],
    /// How often each occurs.
    pub counts: &'a [u64],
}

impl<'a> Words<'a> {
    /// Each word with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'a [u8], u64)> {
        let (data, counts) = (self.data, self.counts);
        self.offsets
            .windows(2)
            .zip(counts)
            .map(move |(pair, &count)| (&data[pair[0] as usize..pair[1] as usize], count))
    }
}

/// What cuts texts into words.
pub enum Cutter {
    /// Words are pre-tokens of the normalized text.
    PreTokens(Normalizer, PreTokenizer),
    /// Words of a SentencePiece training.
    Sentences(Box<Sentences>),
}

impl Cutter {
    /// What cuts texts as a tokenizer of this spec does.
    pub fn pre_tokens(config: &Config) -> Result<Self> {
        let nothing = Vocab::new(Vec::new(), &[0], None)?; // for symbols of a `.model`
        Ok(Self::PreTokens(Normalizer::new(config, &nothing)?, PreTokenizer::new(config)?))
    }

    /// Whether texts are cut by a dictionary, which the caller brings.
    pub fn has_dictionary(&self) -> bool {
        matches!(self, Self::PreTokens(_, cutter) if cutter.has_dictionary())
    }

    #[inline]
    fn cut(
        &self,
        text: &str,
        stop: &AtomicBool,
        mut word: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        match self {
            Self::PreTokens(normalizer, cutter) => {
                let (stop, places) = (Some(stop), cutter.asks_places());
                let stretch = normalizer.normalize(text, 0..text.len(), false, places, stop)?;
                let words = cutter.words(stretch, text, false, places, stop)?;
                words.each(|part| word(words.stretch.text[part].as_bytes()))
            }
            Self::Sentences(cutter) => cutter.cut(text, |part| word(part.as_bytes())),
        }
    }
}

/// Counts the words of texts that are fed to it.
pub struct WordCounter {
    cutter: Cutter,
    threads: Option<usize>,
    parts: u64,
    /// One table a thread, lent out while it works.
    tables: Mutex<Vec<Table>>,
}

/// A table on loan; it goes back when the thread is done with it.
struct Loan<'a> {
    table: Table,
    home: &'a Mutex<Vec<Table>>,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let table = std::mem::take(&mut self.table);
        self.home.lock().unwrap_or_else(PoisonError::into_inner).push(table);
    }
}

impl WordCounter {
    /// A counter that cuts texts as said, on up to `threads` threads.
    pub fn new(cutter: Cutter, threads: Option<usize>) -> Self {
        Self { cutter, threads, parts: 0, tables: Mutex::default() }
    }

    /// Counts the words of documents, in order.
    pub fn feed(&mut self, documents: &[&str], stop: &AtomicBool) -> Result<()> {
        let groups = parallel::groups(documents.iter().map(|text| text.len() + 1), PART);
        self.feed_parts(&groups, stop, |group, count| {
            documents[group].iter().try_for_each(|document| count(document, 1))
        })
    }

    /// Counts the words of documents, each as often as its document occurs.
    pub fn feed_counted(
        &mut self,
        documents: &[&str],
        counts: &[u64],
        stop: &AtomicBool,
    ) -> Result<()> {
        let groups = parallel::groups(documents.iter().map(|text| text.len() + 1), PART);
        self.feed_parts(&groups, stop, |group, count| {
            let mut pairs = documents[group.clone()].iter().zip(&counts[group]);
            pairs.try_for_each(|(document, &times)| count(document, times))
        })
    }

    /// Counts the words of lines, each a document: blank lines are skipped and line ends removed,
    /// or with `keep_newline` neither.
    pub fn feed_lines(&mut self, text: &str, keep_newline: bool, stop: &AtomicBool) -> Result<()> {
        self.feed_parts(&whole_lines(text), stop, |part, count| {
            text[part].split_inclusive('\n').try_for_each(|line| {
                let body = line.strip_suffix('\n').unwrap_or(line);
                match body.strip_suffix('\r').unwrap_or(body) {
                    _ if keep_newline => count(line, 1),
                    blank if blank.trim().is_empty() => Ok(()),
                    body => count(body, 1),
                }
            })
        })
    }

    fn feed_parts(
        &mut self,
        parts: &[Range<usize>],
        stop: &AtomicBool,
        documents: impl Fn(Range<usize>, &mut dyn FnMut(&str, u64) -> Result<()>) -> Result<()> + Sync,
    ) -> Result<()> {
        let (before, home) = (self.parts, &self.tables);
        let borrow = || {
            let table = home.lock().unwrap_or_else(PoisonError::into_inner).pop();
            Loan { table: table.unwrap_or_default(), home }
        };
        parallel::map(self.threads, parts.len(), stop, borrow, |loan: &mut Loan, part| {
            let mut place = (before + part as u64) << 32;
            documents(parts[part].clone(), &mut |document, times| {
                self.cutter.cut(document, stop, |word| {
                    place += 1;
                    loan.table.add(word, times, place)
                })
            })
        })?;
        self.parts += parts.len() as u64;
        Ok(())
    }

    /// Adds a word with its count; it is not cut.
    pub fn add_word(&mut self, word: &[u8], count: u64) -> Result<()> {
        let place = self.parts << 32;
        self.parts += 1;
        let tables = self.tables.get_mut().unwrap_or_else(PoisonError::into_inner);
        if tables.is_empty() {
            tables.push(Table::default());
        }
        tables[0].add(word, count, place)
    }

    /// The words of all threads together, in order of first occurrence; the counter is empty then.
    pub fn take(&mut self) -> Result<WordCounts> {
        let tables = self.tables.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut tables = std::mem::take(tables);
        tables.sort_by_key(|table| table.counts.len());
        let mut all = tables.pop().unwrap_or_default();
        for table in tables {
            for index in 0..table.counts.len() {
                all.add(table.word(index), table.counts[index], table.firsts[index])?;
            }
        }
        let mut order: Vec<u32> = (0..all.counts.len() as u32).collect();
        order.sort_unstable_by_key(|&index| all.firsts[index as usize]);
        let mut words = WordCounts {
            data: Vec::with_capacity(all.data.len()),
            offsets: vec![0],
            counts: Vec::with_capacity(order.len()),
        };
        for index in order {
            words.data.extend_from_slice(all.word(index as usize));
            words.offsets.push(words.data.len() as i64);
            words.counts.push(all.counts[index as usize]);
        }
        Ok(words)
    }
}

/// Parts of whole lines.
fn whole_lines(text: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    while start < text.len() {
        let enough = text.as_bytes().get(start + PART..).unwrap_or_default();
        let newline = enough.iter().position(|&byte| byte == b'\n');
        let end = newline.map_or(text.len(), |at| start + PART + at + 1);
        parts.push(start..end);
        start = end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str, threads: usize) -> WordCounts {
        let json = br#"{"spec": {"pre_tokenizer": {"type": "WhitespaceSplit"}}, "scanned": {}}"#;
        let cutter = Cutter::pre_tokens(&Config::parse(json).unwrap()).unwrap();
        let mut counter = WordCounter::new(cutter, Some(threads));
        counter.feed_lines(text, false, &AtomicBool::new(false)).unwrap();
        counter.take().unwrap()
    }

    #[test]
    fn order_is_that_of_the_corpus_for_any_number_of_threads() {
        let line = |i: usize| format!("w{} w{}\r\n\n", i % 1000, i % 7);
        let text: String = (0..300_000).map(line).collect();
        let words = count(&text, 1);
        assert_eq!(words, count(&text, 4));
        assert!(words.data.starts_with(b"w0w1w2"));
        assert_eq!(words.counts.iter().sum::<u64>(), 600_000);
    }
}
