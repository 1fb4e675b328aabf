//! Which pair of a WordPiece training is merged next, where likelihood decides.
//!
//! Rule.    A pair is worth its count over the product of the counts of its two symbols, compared
//!          exactly: `a / b > c / d` is `a · d > c · b`, in 192 bits. By frequency, `WordPiece` is
//!          BPE over characters that know whether they begin their word, see `symbols.rs`.
//! Cost.    A merge changes the counts of two symbols and makes a third; only pairs with one of these
//!          three are worth something else afterwards. Each of them moves in the heap by as much as
//!          its order has changed. Pairs that have become too rare are forgotten when they are met.
//! Source.  The score is that of the Hugging Face course, chapter 6.6.

use crate::collections::indexed_heap::IndexedHeap;
use crate::train::bpe::Merge;
use crate::train::corpus::{Arena, BOUNDARY};

/// What decides over a pair beside the counts of its parts.
#[derive(Clone, Copy)]
pub struct Worth {
    /// How often the pair stands in the corpus.
    pub count: u64,
    /// What the tie rule looks at.
    pub key: u64,
}

/// A pair in the queue.
#[derive(Clone, Copy)]
struct Waiting {
    worth: Worth,
    /// The product of the counts of its symbols.
    product: u128,
}

/// All pairs that may be merged, the one of the highest score first.
pub struct Likelihoods {
    /// How often each symbol stands in the corpus.
    counts: Vec<u64>,
    /// By symbol, the pairs that it is in.
    pairs_of: Vec<Vec<u32>>,
    queue: IndexedHeap<Waiting>,
}

impl Likelihoods {
    /// Counts the symbols of a corpus; no pair waits yet.
    pub fn new(arena: &Arena, symbols: usize) -> Self {
        let mut counts = vec![0; symbols];
        for at in (0..arena.len()).filter(|&at| arena.cell(at) != BOUNDARY) {
            counts[arena.cell(at) as usize] += arena.count(at);
        }
        Self { counts, pairs_of: vec![Vec::new(); symbols], queue: IndexedHeap::default() }
    }

    /// The pair whose turn it is.
    pub fn first(&self) -> Option<u32> {
        self.queue.first()
    }

    /// Counts the symbols anew after a merge.
    pub fn count(&mut self, merge: &Merge) {
        self.counts[merge.left as usize] -= merge.applied;
        self.counts[merge.right as usize] -= merge.applied;
        self.counts.push(merge.applied);
        self.pairs_of.push(Vec::new());
    }

    /// Adds a pair; `tied(a, b)` says that of equal scores the pair with the key `a` goes first.
    pub fn add(
        &mut self,
        pair: u32,
        ids: (u32, u32),
        worth: Worth,
        tied: impl Fn(u64, u64) -> bool,
    ) {
        self.pairs_of[ids.0 as usize].push(pair);
        if ids.0 != ids.1 {
            self.pairs_of[ids.1 as usize].push(pair);
        }
        self.set(pair, ids, worth, &tied);
    }

    /// Weighs all pairs of a symbol anew; `now` gives the ids and the worth of a pair, or nothing
    /// for one that has become too rare, and stays so.
    pub fn reweigh(
        &mut self,
        symbol: u32,
        tied: impl Fn(u64, u64) -> bool,
        mut now: impl FnMut(u32) -> Option<((u32, u32), Worth)>,
    ) {
        let mut pairs = std::mem::take(&mut self.pairs_of[symbol as usize]);
        pairs.retain(|&pair| {
            if let Some((ids, worth)) = now(pair) {
                self.set(pair, ids, worth, &tied);
                return true;
            }
            self.queue.remove(pair, |a, b| before(a, b, &tied));
            false
        });
        self.pairs_of[symbol as usize] = pairs;
    }

    fn set(
        &mut self,
        pair: u32,
        (left, right): (u32, u32),
        worth: Worth,
        tied: &impl Fn(u64, u64) -> bool,
    ) {
        let (left, right) = (self.counts[left as usize], self.counts[right as usize]);
        let waiting = Waiting { worth, product: u128::from(left) * u128::from(right) };
        self.queue.set(pair, waiting, |a, b| before(a, b, tied));
    }
}

/// Whether `a` is merged before `b`.
fn before(a: &Waiting, b: &Waiting, tied: &impl Fn(u64, u64) -> bool) -> bool {
    let (ours, theirs) = (times(a.worth.count, b.product), times(b.worth.count, a.product));
    ours > theirs || (ours == theirs && tied(a.worth.key, b.worth.key))
}

/// The exact product, its highest 128 bits and its lowest 64.
fn times(count: u64, product: u128) -> (u128, u64) {
    let low = u128::from(count) * u128::from(product as u64);
    (u128::from(count) * (product >> 64) + (low >> 64), low as u64)
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn products_are_exact() {
        let most = u64::MAX;
        let square = u128::from(most) * u128::from(most);
        // (2⁶⁴ − 1)³ = 2¹⁹² − 3 · 2¹²⁸ + 3 · 2⁶⁴ − 1
        assert_eq!(times(most, square), (u128::MAX - 3 * (1 << 64) + 3, most));
        assert_eq!(times(3, 5), (0, 15));
        assert!(times(1, square) < times(2, square - 1));
    }
}
