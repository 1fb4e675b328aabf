//! The strings that Unigram training begins with.
//!
//! Rule.    Every string of two characters or more that may be a piece and occurs twice or more.
//!          Where a longer one begins so and occurs just as often, only that is taken. The score
//!          is count × length; of the highest scores `limit` are kept, among equals the longer,
//!          then the lower by code points. A count is that of the whole corpus: a word that occurs
//!          a thousand times counts a thousand.
//! Cost.    A suffix tree from the top down, which is never stored: places are sorted by their next
//!          character until they are alone or as long as a piece may be. About twenty bytes a
//!          character, and 24 a string.
//! Source.  The choice by count × length is that of sentencepiece, which looks for strings in whole
//!          sentences and loses those that always have the same neighbour, valid or not.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::valid_pieces::PieceRules;
use super::word_counts::Words;
use crate::error::{Error, Result};
use crate::parallel;

/// Stands behind every run of a text.
pub const END: u32 = u32::MAX;

/// The corpus as symbols: the runs of characters of the alphabet, each with `END` behind it.
pub struct Text {
    /// The characters, by code point; a symbol is a row of this.
    pub alphabet: Vec<char>,
    /// All runs, end to end.
    pub symbols: Vec<u32>,
    /// Where each run starts.
    pub starts: Vec<u32>,
    /// How often each occurs.
    pub counts: Vec<u64>,
}

impl Text {
    /// Cuts words at characters that are not in the alphabet.
    pub fn new(words: &Words, alphabet: &str) -> Result<Self> {
        let mut characters: Vec<char> = alphabet.chars().collect();
        characters.sort_unstable();
        characters.dedup();
        let symbol_of: HashMap<char, u32> =
            characters.iter().enumerate().map(|(symbol, &c)| (c, symbol as u32)).collect();
        let mut text = Self {
            alphabet: characters,
            symbols: Vec::new(),
            starts: Vec::new(),
            counts: Vec::new(),
        };
        for (word, count) in words.iter().filter(|&(_, count)| count > 0) {
            let word = std::str::from_utf8(word).map_err(|_| {
                Error::Training(format!("a word is not UTF-8: {}", word.escape_ascii()))
            })?;
            let mut inside = false;
            for character in word.chars() {
                match symbol_of.get(&character) {
                    Some(&symbol) => {
                        if !inside {
                            text.starts.push(text.symbols.len() as u32);
                            text.counts.push(count);
                        }
                        text.symbols.push(symbol);
                        inside = true;
                    }
                    None if inside => {
                        text.symbols.push(END);
                        inside = false;
                    }
                    None => {}
                }
            }
            if inside {
                text.symbols.push(END);
            }
            if text.symbols.len() >= END as usize {
                return Err(Error::Training(format!(
                    "the unique words have more than {END} characters; train on a sample"
                )));
            }
        }
        text.check()?;
        Ok(text)
    }

    fn check(&self) -> Result<()> {
        if self.counts.is_empty() {
            return Err(Error::Training(format!(
                "there is nothing to train from: no word has any of the {} characters of the \
                 alphabet; give more text",
                self.alphabet.len()
            )));
        }
        let length = |run: usize| self.run(run).len() as u128 - 1;
        let characters =
            (0..self.counts.len()).map(|run| length(run) * u128::from(self.counts[run]));
        let characters: u128 = characters.sum();
        if characters > u128::from(u64::MAX) {
            return Err(Error::Training(format!(
                "the corpus has {characters} characters; counts are 64-bit: divide the counts of \
                 the words"
            )));
        }
        Ok(())
    }

    /// The symbols of a run, with the `END` behind them.
    fn run(&self, run: usize) -> &[u32] {
        let end = self.starts.get(run + 1).map_or(self.symbols.len(), |&end| end as usize);
        &self.symbols[self.starts[run] as usize..end]
    }

    /// How often each character occurs.
    pub fn occurrences(&self) -> Vec<f64> {
        let mut occurrences = vec![0; self.alphabet.len()];
        for (run, &count) in self.counts.iter().enumerate() {
            for &symbol in self.run(run).iter().filter(|&&symbol| symbol != END) {
                occurrences[symbol as usize] += count;
            }
        }
        occurrences.into_iter().map(|count: u64| count as f64).collect()
    }
}

/// A string to begin with.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    /// Its places are `order[first..first + places]`.
    pub first: u32,
    /// How many places it has.
    pub places: u32,
    /// How many characters.
    pub length: u32,
    /// How often it occurs.
    pub count: u64,
}

impl Seed {
    /// What it promises.
    pub fn score(&self) -> u128 {
        u128::from(self.count) * u128::from(self.length)
    }
}

/// Strings and where they stand.
pub struct Seeds {
    /// The strings of highest score, those first.
    pub seeds: Vec<Seed>,
    /// Places of the text.
    pub order: Vec<u32>,
}

/// Looks for them.
pub fn find(
    text: &Text,
    rules: &PieceRules,
    limit: usize,
    threads: Option<usize>,
    stop: &AtomicBool,
) -> Result<Seeds> {
    let (order, buckets) = by_first_symbol(text);
    let count_at = counts_by_place(text);
    let search = Search { text, rules, count_at: &count_at, stop };
    let bounds: Vec<_> = buckets.windows(2).filter(|pair| pair[0] < pair[1]).collect();
    let found = parallel::map(threads, bounds.len(), stop, Vec::new, |keys, bucket| {
        let (start, end) = (bounds[bucket][0], bounds[bucket][1]);
        let mut places = order[start..end].to_vec();
        let mut seeds = Vec::new();
        search.refine(&mut places, start, 1, 0, keys, &mut seeds);
        Ok((places, seeds))
    })?;
    let mut order = Vec::with_capacity(order.len());
    let mut seeds = Vec::new();
    for (places, mut new) in found {
        order.extend(places);
        seeds.append(&mut new);
    }
    let rank = |seed: &Seed| (Reverse(seed.score()), Reverse(seed.length), seed.first);
    if seeds.len() > limit {
        seeds.select_nth_unstable_by_key(limit, rank);
        seeds.truncate(limit);
    }
    seeds.sort_unstable_by_key(rank);
    Ok(Seeds { seeds, order })
}

/// All places, sorted by their symbol, and where each symbol begins among them.
fn by_first_symbol(text: &Text) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; text.alphabet.len() + 1];
    let places = || text.symbols.iter().enumerate().filter(|&(_, &symbol)| symbol != END);
    for (_, &symbol) in places() {
        starts[symbol as usize + 1] += 1;
    }
    for symbol in 0..text.alphabet.len() {
        starts[symbol + 1] += starts[symbol];
    }
    let mut order = vec![0; starts[text.alphabet.len()]];
    let mut next = starts.clone();
    for (place, &symbol) in places() {
        order[next[symbol as usize]] = place as u32;
        next[symbol as usize] += 1;
    }
    (order, starts)
}

/// How often the run of each place occurs.
fn counts_by_place(text: &Text) -> Vec<u64> {
    let mut counts = Vec::with_capacity(text.symbols.len());
    for (run, &count) in text.counts.iter().enumerate() {
        counts.resize(counts.len() + text.run(run).len(), count);
    }
    counts
}

struct Search<'a> {
    text: &'a Text,
    rules: &'a PieceRules,
    count_at: &'a [u64],
    stop: &'a AtomicBool,
}

impl Search<'_> {
    /// Sorts places that agree in `depth` symbols and collects the strings that they share; the
    /// last node above them has `above` symbols. Gives how often that string occurs.
    ///
    /// The calls are nested as deep as a piece is long.
    fn refine(
        &self,
        places: &mut [u32],
        first: usize,
        mut depth: usize,
        above: usize,
        keys: &mut Vec<u64>,
        seeds: &mut Vec<Seed>,
    ) -> u64 {
        let alone = places.len() == 1 && self.count_at[places[0] as usize] == 1;
        if alone || self.stop.load(Ordering::Relaxed) {
            return 1;
        }
        let next = |place: u32, depth: usize| self.text.symbols[place as usize + depth];
        let longest = self.rules.max_sentencepiece_length;
        let symbol = |depth| next(places[0], depth);
        while depth < longest
            && symbol(depth) != END
            && places.iter().all(|&place| next(place, depth) == symbol(depth))
        {
            depth += 1;
        }
        let mut count = 0;
        if depth >= longest || places.len() == 1 {
            count = places.iter().map(|&place| self.count_at[place as usize]).sum();
        } else {
            keys.clear();
            keys.extend(places.iter().map(|&p| u64::from(next(p, depth)) << 32 | u64::from(p)));
            keys.sort_unstable();
            for (place, &key) in places.iter_mut().zip(keys.iter()) {
                *place = key as u32;
            }
            let mut start = 0;
            for group in places.chunk_by_mut(|&a, &b| next(a, depth) == next(b, depth)) {
                let from = first + start;
                start += group.len();
                count += if next(group[0], depth) == END {
                    group.iter().map(|&place| self.count_at[place as usize]).sum()
                } else {
                    self.refine(group, from, depth + 1, depth, keys, seeds)
                };
            }
        }
        if count >= 2 {
            let characters = |length: usize| {
                let start = places[0] as usize;
                let symbols = &self.text.symbols[start..start + length];
                symbols.iter().map(|&symbol| self.text.alphabet[symbol as usize])
            };
            let may_be = (above.max(1) + 1..=depth).rev();
            if let Some(length) = may_be.into_iter().find(|&l| self.rules.allow(characters(l))) {
                let places = places.len() as u32;
                seeds.push(Seed { first: first as u32, places, length: length as u32, count });
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(words: &[(&str, u64)], limit: usize) -> Vec<(String, u64)> {
        let mut counts =
            crate::train::word_counts::WordCounts { offsets: vec![0], ..<_>::default() };
        for (word, count) in words {
            counts.data.extend_from_slice(word.as_bytes());
            counts.offsets.push(counts.data.len() as i64);
            counts.counts.push(*count);
        }
        let words = Words { data: &counts.data, offsets: &counts.offsets, counts: &counts.counts };
        let text = Text::new(&words, "▁abefhlntixy。京東").unwrap();
        let stop = AtomicBool::new(false);
        let found = find(&text, &PieceRules::default(), limit, Some(1), &stop).unwrap();
        let string = |seed: &Seed| {
            let start = found.order[seed.first as usize] as usize;
            let symbols = &text.symbols[start..start + seed.length as usize];
            symbols.iter().map(|&symbol| text.alphabet[symbol as usize]).collect()
        };
        found.seeds.iter().map(|seed| (string(seed), seed.score() as u64)).collect()
    }

    #[test]
    fn seeds_with_their_scores() {
        let owned = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
            rows.iter().map(|&(piece, score)| (piece.into(), score)).collect()
        };
        let the = [("▁the", 2), ("▁then", 1)];
        assert_eq!(seeds(&the, 9), owned(&[("▁the", 12), ("the", 9), ("he", 6)]));
        assert_eq!(seeds(&the, 2), owned(&[("▁the", 12), ("the", 9)]));
        assert_eq!(seeds(&[("aaa", 5)], 9), owned(&[("aa", 20), ("aaa", 15)]));
        assert_eq!(seeds(&[("▁東京。", 3)], 9), owned(&[("▁東京", 9), ("東京", 6)]));
        let tails = [("xtail", 1), ("ytail", 1)];
        assert_eq!(seeds(&tails, 9), owned(&[("tail", 8), ("ail", 6), ("il", 4)]));
        assert_eq!(seeds(&[("ab", 1), ("ef", 1)], 9), []);
    }
}
