//! Bits of held-out documents under an n-gram model of their ids, as in
//! `python/kugiri/measure/ngram.py`.
//!
//! **Rule.** Interpolated modified Kneser–Ney, fitted on the documents that are not held out. A gram
//! of order k is k symbols of a document: ids, before the first of them as many begins as the model
//! has context, behind the last an end. In the highest order its count is how often it occurs, below
//! how many different symbols stand before it. Each order gives
//! `p(w | h) = (c(hw) − D(c) + mass(h) · p(w | h without its first symbol)) / c(h·)`, and below order
//! 1 symbols have the chances that the caller says, so that none has none.
//!
//! **Cost.** For each order one look-up a symbol, to fit and to score. Memory for the different
//! grams: some 40 bytes each.
//!
//! **Source.** S. F. Chen, J. Goodman: An Empirical Study of Smoothing Techniques for Language
//! Modeling, 1998.

use std::sync::atomic::AtomicBool;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::error::{Error, Result};
use crate::parallel;
use crate::stop::{self, Stop};

/// The longest gram.
pub const LONGEST: usize = 5;

/// Where one of the counts of counts is none, or a discount would not lie between 0 and its count.
const USUAL_DISCOUNTS: [f64; 4] = [0.0, 0.5, 1.0, 1.5];

/// Documents are handed to threads in groups of about this many ids.
const GROUP: usize = 16 << 10;

/// Ids of documents end to end, and which of these no model learns from.
#[derive(Clone, Copy)]
pub struct Documents<'a> {
    /// The ids.
    pub ids: &'a [u32],
    /// Where those of each document begin, and where the last ends.
    pub offsets: &'a [i64],
    /// One a document.
    pub held_out: &'a [bool],
}

impl<'a> Documents<'a> {
    fn get(&self, document: usize) -> &'a [u32] {
        &self.ids[self.offsets[document] as usize..self.offsets[document + 1] as usize]
    }

    /// The numbers of those that are held out, or are not.
    fn numbers(&self, held_out: bool) -> Vec<usize> {
        (0..self.held_out.len()).filter(|&document| self.held_out[document] == held_out).collect()
    }

    fn check(&self, vocab_size: usize) -> Result<()> {
        let bounds = self.offsets.first().zip(self.offsets.last());
        let fits = self.offsets.len() == self.held_out.len() + 1
            && self.offsets.is_sorted()
            && bounds == Some((&0, &(self.ids.len() as i64)));
        if !fits {
            return Err(Error::Option("offsets and documents do not fit the ids".into()));
        }
        let most = (u32::MAX - 2) as usize;
        if self.ids.len() + self.held_out.len() > most || vocab_size > most {
            return Err(Error::Option(format!("an n-gram model has room for {most} symbols")));
        }
        match self.ids.iter().find(|&&id| id as usize >= vocab_size) {
            Some(id) => Err(Error::Vocabulary(format!(
                "id {id} is not in a vocabulary of {vocab_size} tokens"
            ))),
            None => Ok(()),
        }
    }
}

/// The bits of each document that is held out; 0 for the others.
///
/// `below` has the chances of each id, and at last of the end, below order 1.
pub fn held_out_bits(
    documents: Documents<'_>,
    order: usize,
    below: &[f64],
    threads: Option<usize>,
    stop: &Stop,
) -> Result<Vec<f64>> {
    let Some(vocab_size) = below.len().checked_sub(1) else {
        return Err(Error::Option("the end has no chance below order 1".into()));
    };
    documents.check(vocab_size)?;
    let model = Model::fit(documents, order, below, stop)?;
    let held_out = documents.numbers(true);
    let sizes = held_out.iter().map(|&document| documents.get(document).len() + 1);
    let groups = parallel::groups(sizes, GROUP);
    let score = |(): &mut (), group: usize| {
        let group = &held_out[groups[group].clone()];
        Ok(group.iter().map(|&document| model.bits(documents.get(document))).collect::<Vec<_>>())
    };
    let never = AtomicBool::new(false);
    let flag = stop.flag().unwrap_or(&never);
    let scored = parallel::map(threads, groups.len(), flag, || (), score)?;
    let mut bits = vec![0.0; documents.held_out.len()];
    for (document, value) in held_out.into_iter().zip(scored.into_iter().flatten()) {
        bits[document] = value;
    }
    Ok(bits)
}

/// What an order knows of a context, which is a gram of the order below.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The sum of the counts of the grams that begin with it.
    total: u64,
    /// How many of these have the count 1, 2, and more.
    kinds: [u32; 3],
    /// What their discounts leave for the order below.
    mass: f64,
}

/// All grams of one order, numbered as they were met.
#[derive(Default)]
struct Order {
    /// By the number of its context, a gram of the order below, and its last symbol.
    numbers: HashMap<u64, u32, FixedState>,
    /// Of each gram the number of its context.
    context_of: Vec<u32>,
    /// Of each gram. One that only begins a text is no outcome, and has the count 0.
    counts: Vec<u32>,
    contexts: Vec<Context>,
    discounts: [f64; 4],
}

impl Order {
    fn find(&self, context: u32, symbol: u32) -> Option<u32> {
        self.numbers.get(&key(context, symbol)).copied()
    }

    /// The number of a gram, and whether it was met for the first time.
    fn number(&mut self, context: u32, symbol: u32) -> (u32, bool) {
        let next = self.counts.len() as u32;
        match self.numbers.entry(key(context, symbol)) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(place) => {
                place.insert(next);
                self.context_of.push(context);
                self.counts.push(0);
                (next, true)
            }
        }
    }

    /// Works out discounts and contexts from the counts.
    fn settle(&mut self, below: usize) {
        self.discounts = discounts(&self.counts);
        self.contexts = vec![Context::default(); below];
        for (&context, &count) in self.context_of.iter().zip(&self.counts) {
            if let Some(kind) = count.min(3).checked_sub(1) {
                let context = &mut self.contexts[context as usize];
                context.total += u64::from(count);
                context.kinds[kind as usize] += 1;
            }
        }
        let [_, one, two, more] = self.discounts;
        for context in &mut self.contexts {
            let [ones, twos, others] = context.kinds.map(f64::from);
            context.mass = one * ones + two * twos + more * others;
        }
    }
}

fn key(context: u32, symbol: u32) -> u64 {
    u64::from(context) << 32 | u64::from(symbol)
}

/// What is taken from a count of 0, 1, 2, and more.
fn discounts(counts: &[u32]) -> [f64; 4] {
    let mut of_count = [0_u64; 5];
    for &count in counts.iter().filter(|&&count| count <= 4) {
        of_count[count as usize] += 1;
    }
    let [_, n1, n2, n3, n4] = of_count.map(|count| count as f64);
    if n1 * n2 * n3 * n4 == 0.0 {
        return USUAL_DISCOUNTS;
    }
    let y = n1 / (n1 + 2.0 * n2);
    let found = [0.0, 1.0 - 2.0 * y * n2 / n1, 2.0 - 3.0 * y * n3 / n2, 3.0 - 4.0 * y * n4 / n3];
    let possible = (1..4).all(|count| found[count] > 0.0 && found[count] <= count as f64);
    if possible { found } else { USUAL_DISCOUNTS }
}

struct Model<'a> {
    /// The chances of symbols below order 1.
    below: &'a [f64],
    /// From order 1 up.
    orders: Vec<Order>,
    /// The number of 0, 1, 2, … begins as a gram of that order.
    begins: Vec<u32>,
    end: u32,
}

impl<'a> Model<'a> {
    /// Learns from the documents that are not held out.
    fn fit(documents: Documents<'_>, order: usize, below: &'a [f64], stop: &Stop) -> Result<Self> {
        if !(1..=LONGEST).contains(&order) {
            return Err(Error::Option(format!("order is {order}; it must be 1 to {LONGEST}")));
        }
        let end = below.len() as u32 - 1;
        let begin = end + 1;
        let (mut symbols, mut starts) = (Vec::new(), Vec::new());
        for document in documents.numbers(false) {
            starts.push(symbols.len());
            symbols.extend_from_slice(documents.get(document));
            symbols.push(end);
        }
        let (mut orders, mut begins) = (Vec::<Order>::new(), vec![0]);
        // For each symbol the number of the gram that ends with it, in the order below.
        let mut shorter = vec![0_u32; symbols.len()];
        for _ in 0..order {
            let mut this = Order::default();
            let start = begins[begins.len() - 1];
            begins.push(this.number(start, begin).0);
            let (mut numbers, mut starts) = (Vec::with_capacity(symbols.len()), starts.iter());
            let mut next_start = starts.next();
            for (at, &symbol) in symbols.iter().enumerate() {
                stop::check(at, stop)?;
                let context = if next_start == Some(&at) {
                    next_start = starts.next();
                    start
                } else {
                    shorter[at - 1]
                };
                let (number, is_new) = this.number(context, symbol);
                numbers.push(number);
                // A gram that is new is one more symbol that stands before the shorter one.
                if let Some(order) = orders.last_mut().filter(|_| is_new) {
                    order.counts[shorter[at] as usize] += 1;
                }
            }
            shorter = numbers;
            orders.push(this);
        }
        for number in shorter {
            orders[order - 1].counts[number as usize] += 1;
        }
        let mut contexts = 1;
        for order in &mut orders {
            order.settle(contexts);
            contexts = order.counts.len();
        }
        Ok(Self { below, orders, begins, end })
    }

    /// The bits of a document and of its end.
    fn bits(&self, document: &[u32]) -> f64 {
        // The gram of each order that ends before the symbol; none where it was never met.
        let mut before: Vec<Option<u32>> = self.begins.iter().copied().map(Some).collect();
        let mut bits = 0.0;
        for &symbol in document.iter().chain([&self.end]) {
            bits -= libm::log2(self.probability(symbol, &mut before));
        }
        bits
    }

    /// The probability of a symbol; `before` then is what stands before the next.
    fn probability(&self, symbol: u32, before: &mut [Option<u32>]) -> f64 {
        let mut probability = self.below[symbol as usize];
        let mut context = before[0];
        for (order, below) in self.orders.iter().zip(1..) {
            let Some(number) = context else { break };
            let gram = order.find(number, symbol);
            let Context { total, mass, .. } = order.contexts[number as usize];
            if total > 0 {
                let count = gram.map_or(0, |gram| order.counts[gram as usize]);
                let left = f64::from(count) - order.discounts[count.min(3) as usize];
                probability = (left + mass * probability) / total as f64;
            }
            context = std::mem::replace(&mut before[below], gram);
        }
        probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documents 0 1 and 0 0, and one more that is held out.
    fn bits(held_out: &[u32], order: usize, threads: usize) -> f64 {
        let ids: Vec<u32> = [&[0, 1, 0, 0], held_out].concat();
        let documents = Documents {
            ids: &ids,
            offsets: &[0, 2, 4, ids.len() as i64],
            held_out: &[false, false, true],
        };
        held_out_bits(documents, order, &[1.0 / 3.0; 3], Some(threads), &Stop::default()).unwrap()
            [2]
    }

    /// The chances that tests/test_ngram.py works out by hand.
    #[test]
    fn bits_by_hand() {
        // Of the end as of 0: two symbols stand before it, before 1 only one.
        let first: [f64; 3] = [11.0 / 30.0, 4.0 / 15.0, 11.0 / 30.0];
        // Alone, order 1 has how often symbols occur: 0 three times, 1 once, the end twice.
        assert!((bits(&[], 1, 1) - 3.0_f64.log2()).abs() < 1e-12);
        let begins = 0.5 + first[0] / 2.0;
        let then = (0.5 + 1.5 * first[1]) / 3.0;
        let ends = 0.5 + 0.5 * first[2];
        assert!((bits(&[0, 1], 2, 2) + (begins * then * ends).log2()).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let documents = Documents { ids: &[7], offsets: &[0, 1], held_out: &[true] };
        let below = [0.2; 5];
        let bits =
            |documents, order| held_out_bits(documents, order, &below, None, &Stop::default());
        assert!(matches!(bits(documents, 1), Err(Error::Vocabulary(_))));
        let documents = Documents { ids: &[1], ..documents };
        assert!(matches!(bits(documents, 6), Err(Error::Option(_))));
        let documents = Documents { offsets: &[0, 2], ..documents };
        assert!(matches!(bits(documents, 1), Err(Error::Option(_))));
    }
}
