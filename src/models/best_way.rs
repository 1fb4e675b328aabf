//! The best way through a section: the search of Unigram.
//!
//! Rule.    From left to right each place keeps the best way to get there; a later way must be
//!          better, so among equals the one whose last piece begins first stays. A character that is
//!          no piece is unknown, with a score of its own.
//! Cost.    O(n · longest piece): at each place a walk along the trie, which ends where no piece goes
//!          on. What is kept is decided without a branch, for nobody could foresee it.

use super::sections::Character;
use super::unknown::unknown_row;
use super::ways::{BestTwo, Memory, Sum, UNREACHED, Way};
use crate::collections::trie::{Node, Trie};
use crate::error::Result;
use crate::stop::Stop;

/// The pieces, and their scores where a walk along the trie meets them.
pub struct Search<T> {
    /// Piece → its row.
    pub trie: Trie,
    /// Code → its node below the root, and the score of the character as a piece or as unknown.
    firsts: Vec<(Node, T)>,
    /// Node → the score of the piece that ends there; without one, less than any.
    scores: Vec<T>,
    /// The number of characters of the longest piece.
    longest: usize,
    /// The magnitude that no score exceeds.
    pub largest: f64,
    /// Whether it is so large that sums may leave the numbers.
    is_unbounded: bool,
}

impl<T: Sum> Search<T> {
    /// A search for pieces with their rows; a row has its score.
    pub fn new(pieces: &[(&str, u32)], scores: &[T], unknown_score: T) -> Self {
        let trie = Trie::new(pieces.iter().copied());
        let score = |node: u32| trie.value(node).map(|row| scores[row as usize]);
        let first = |code: u32| {
            let node = trie.child(trie.root(), code).unwrap_or(Node::NOWHERE);
            (node, score(node.number).unwrap_or(unknown_score))
        };
        let of_pieces = pieces.iter().map(|&(_, row)| scores[row as usize]);
        let magnitudes = of_pieces.chain([unknown_score]).map(|score| score.into().abs());
        // Not a number is larger than any.
        let largest = magnitudes.map(|m| if m.is_nan() { f64::INFINITY } else { m });
        let largest = largest.fold(0.0, f64::max);
        Self {
            firsts: (0..trie.codes()).map(first).collect(),
            scores: (0..trie.nodes() as u32).map(|node| score(node).unwrap_or(T::LEAST)).collect(),
            longest: pieces.iter().map(|(piece, _)| piece.chars().count()).max().unwrap_or(0),
            largest,
            is_unbounded: largest >= T::UNBOUNDED,
            trie,
        }
    }

    /// Offers the pieces that begin with the first character: first that of one character or the
    /// unknown, then what else there may be, each for one of the places behind.
    #[inline(always)]
    fn offer<W>(
        &self,
        characters: &[Character],
        places: &mut [W],
        first: impl FnOnce(&mut W, Node, T),
        mut longer: impl FnMut(&mut W, Node, T),
    ) {
        let [place, places @ ..] = places else { return };
        let (mut node, score) = self.firsts[characters[0].code as usize];
        first(place, node, score);
        for (place, character) in places.iter_mut().zip(&characters[1..]) {
            let Some(child) = self.trie.child(node, character.code) else { break };
            longer(place, child, self.scores[child.number as usize]);
            node = child;
        }
    }

    /// Whether a piece is the first to reach a place.
    #[cold]
    fn is_first(&self, place: &Way<T>, node: Node) -> bool {
        place.start == UNREACHED && self.trie.value(node.number).is_some()
    }

    /// Adds the rows of the best way through a section, which begins with a sum, and gives the sum
    /// that it ends with.
    #[inline(never)]
    pub fn best_way(
        &self,
        section: &[Character],
        score: T,
        memory: &mut Memory,
        stop: &Stop,
    ) -> Result<T> {
        let end = section.len();
        let mut ways = std::mem::take(T::ways(memory));
        ways.clear();
        ways.resize(end + 1, Way::NOWHERE);
        ways[0] = Way::from(score);
        for start in 0..end {
            if start.trailing_zeros() >= 16 {
                stop.check()?;
            }
            if ways[start].score.is_far() {
                let offset = ways[start].score;
                let reached = end.min(start + self.longest);
                for way in &mut ways[start..=reached] {
                    way.score = way.score - offset;
                }
            }
            let here = ways[start].score;
            let way = |score: T, node: Node| Way {
                score: here + score,
                start: start as u32,
                node: node.number,
            };
            self.offer(
                &section[start..],
                &mut ways[start + 1..],
                |place, node, score| {
                    let way = way(score, node);
                    // Whatever the scores, each place is reached.
                    #[allow(clippy::needless_bitwise_bool)] // no branch
                    let is_better = (way.score > place.score) | (place.start == UNREACHED);
                    keep(place, way, is_better);
                },
                |place, node, score| {
                    let way = way(score, node);
                    // Sums without bounds may be no better than nothing.
                    let is_first = self.is_unbounded && self.is_first(place, node);
                    #[allow(clippy::needless_bitwise_bool)] // as above
                    keep(place, way, (way.score > place.score) | is_first);
                },
            );
        }
        self.walk_back(section, &mut memory.rows, |place| ways[place]);
        let score = ways[end].score;
        *T::ways(memory) = ways;
        Ok(score)
    }

    /// The first character that some place is best reached by leaving it unknown; if there is one,
    /// `best_way` has been there before.
    pub fn missed(&self, section: &[Character], memory: &mut Memory) -> Option<usize> {
        let ways = T::ways(memory);
        let mut last = (0..section.len()).filter(|&at| ways[at + 1].start as usize == at);
        last.find(|&at| self.trie.value(ways[at + 1].node).is_none())
    }

    /// Adds the rows of the best way through a section, and gives the limit: it is the best way for
    /// every sum before the section whose magnitude is below that.
    ///
    /// Why. Let n be the characters of the section, m the largest magnitude of a score, s the sum
    /// before the section. A way has at most n pieces, so no sum on it has a magnitude above |s| +
    /// n·m (rounding aside), and each of its additions is wrong by at most half a unit in the last
    /// place. So the rounded sum of a way is within n · (|s| + n·m) · ROUNDING/2 of s plus its true
    /// score, and two ways whose true scores are farther apart than n · (|s| + n·m) · ROUNDING come
    /// in their true order. Rounding never turns the order of two sums around when the same score
    /// is added to both; so `best_way` finds the way with the greatest rounded sum of all, and that
    /// is the one with the greatest true score if the second is so far below it. The constants of
    /// `Sum` leave a factor of two for what is rounded here. Where a sum could come near to where
    /// the zero is moved, the limit is lower.
    #[inline(never)]
    pub fn best_two(&self, section: &[Character], memory: &mut Memory) -> f32 {
        let end = section.len();
        let reach = end as f64 * self.largest;
        if reach >= T::SAME_ZERO {
            return f32::NEG_INFINITY;
        }
        let nowhere = BestTwo { best: Way::NOWHERE, second: f64::NEG_INFINITY };
        let mut two = std::mem::take(&mut memory.two);
        two.clear();
        two.resize(end + 1, nowhere);
        two[0].best = Way::from(0.0);
        for start in 0..end {
            let BestTwo { best: here, second } = two[start];
            let keep = |place: &mut BestTwo, node: Node, score: T| {
                let (score, start) = (score.into(), start as u32);
                let way = Way { score: here.score + score, start, node: node.number };
                let best = place.best.score;
                let lesser = if way.score < best { way.score } else { best };
                place.second = larger(place.second, larger(lesser, second + score));
                keep(&mut place.best, way, way.score > best);
            };
            self.offer(&section[start..], &mut two[start + 1..], keep, keep);
        }
        self.walk_back(section, &mut memory.rows, |place| two[place].best);
        let margin = two[end].best.score - two[end].second;
        memory.two = two;
        let sums = (margin / (end as f64 * T::ROUNDING)).min(T::SAME_ZERO);
        (sums - reach) as f32
    }

    /// Adds the rows of the way to the end of a section.
    #[inline(always)]
    fn walk_back<S>(
        &self,
        section: &[Character],
        rows: &mut Vec<u32>,
        way_to: impl Fn(usize) -> Way<S>,
    ) {
        let (start, mut place) = (rows.len(), section.len());
        while place > 0 {
            let way = way_to(place);
            place = way.start as usize;
            let row = self.trie.value(way.node);
            rows.push(row.unwrap_or_else(|| unknown_row(section[place].bytes as usize)));
        }
        rows[start..].reverse();
    }
}

/// Keeps the better way, without a branch.
#[inline(always)]
fn keep<T: Copy>(place: &mut Way<T>, way: Way<T>, is_better: bool) {
    place.score = if is_better { way.score } else { place.score };
    place.start = if is_better { way.start } else { place.start };
    place.node = if is_better { way.node } else { place.node };
}

#[inline(always)]
fn larger(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}
