//! Neighbours: which tokens can stand side by side in a word once nothing more can be merged.
//!
//! Rule.    A word's tokens are what merging makes of it if and only if each of them is what merging
//!          makes of its own bytes, and each two neighbours of theirs: up to the first merge that
//!          takes something of both, two neighbours merge as they would alone.
//!          Two tokens are neighbours if no merge joins what touches, from the bytes up to them. So
//!          undo the merges that made them, the latest first, and look at the two symbols that touch
//!          before it: they must have no merge that was due before the one undone.
//!          A merge is due at its rank, but a token is as late as the latest merge in it: merges that
//!          rank before those of their parts come at once. While two symbols touch, merges up to the
//!          one undone are made elsewhere in the tokens too; the highest rank among them counts: that
//!          is how late the token undone is, unless the part that touches, or all of it but the
//!          last merge, is as late. Of equal ranks the left one comes first.
//! Cost.    A look-up for each merge along the edges that touch. The merges that really make each token
//!          are found once, each in the same way.
//! Source.  Adjacent validity as in rust-gems and byte-sampler, which ask that merges rank behind
//!          those of their parts; without that, ours, tested against merging.

use super::bpe::Bpe;
use super::merges::{Merges, rank};
use crate::error::{Error, Result};
use crate::vocab::Vocab;

/// The rank of a pair that does not merge.
const NEVER: u32 = u32::MAX;
/// How late a token is that no merge makes.
const UNMADE: u32 = u32::MAX;

/// How each token of a vocabulary is made, by row.
pub struct Neighbours {
    made: Vec<Made>,
    /// The rows that each merges with as the left part, from `starts` of its row on.
    partners: Vec<u32>,
    starts: Vec<usize>,
}

/// The last merge of a token.
#[derive(Clone, Copy)]
struct Made {
    /// The rows of its parts.
    left: u32,
    right: u32,
    /// The highest rank of all merges in it, from 1; 0 for a single byte.
    late: u32,
    /// The highest rank while its right part touches what follows, and its left part what is before.
    right_touches: u32,
    left_touches: u32,
}

const NOT_MADE: Made = Made { left: 0, right: 0, late: UNMADE, right_touches: 0, left_touches: 0 };

/// A merge with the rows of its parts and of what it makes.
struct Row {
    left: u32,
    right: u32,
    rank: u32,
    made: u32,
}

/// What looks at pairs.
struct Pairs<'a> {
    made: &'a [Made],
    merges: &'a Merges,
    vocab: &'a Vocab,
    /// With which rows the symbols along the right edge of one token merge, a bit each, and the last
    /// bit for all that are deeper; so that nobody looks for the many merges that there are not.
    joins: Option<&'a [u8]>,
}

impl Neighbours {
    /// Finds how the tokens of a model that reads bytes are made.
    pub fn new(model: &Bpe, vocab: &Vocab) -> Result<Self> {
        let bytes = model.bytes().ok_or_else(|| {
            Error::Option("the neighbours of tokens are known for byte-level BPE alone".into())
        })?;
        let mut made = vec![NOT_MADE; vocab.len()];
        for row in bytes.iter().filter_map(|&id| vocab.row_of_id(id)) {
            made[row] = Made { late: 0, ..NOT_MADE };
        }
        let rows_of = |(left, right, rank, made): (u32, u32, u32, u32)| {
            let row = |id| vocab.row_of_id(id).map(|row| row as u32);
            Some(Row { left: row(left)?, right: row(right)?, rank, made: row(made)? })
        };
        let mut rows: Vec<Row> = model.merges().rows().filter_map(rows_of).collect();
        rows.sort_unstable_by_key(|row| row.left);
        let partners = rows.iter().map(|row| row.right).collect();
        let start = |left: usize| rows.partition_point(|row| (row.left as usize) < left);
        let starts = (0..=vocab.len()).map(start).collect();
        // Parts are shorter than what they make.
        rows.sort_unstable_by_key(|row| (vocab.row(row.made as usize).len(), row.rank));
        for Row { left, right, rank, made: whole } in rows {
            let pairs = Pairs { made: &made, merges: model.merges(), vocab, joins: None };
            let [of_left, of_right] = [left, right].map(|row| made[row as usize]);
            let are_made = of_left.late != UNMADE && of_right.late != UNMADE;
            if are_made && pairs.meet(left as usize, right as usize) {
                made[whole as usize] = Made::of(left, right, rank, of_left.late, of_right.late);
            }
        }
        Ok(Self { made, partners, starts })
    }

    /// Which rows can stand behind an id in a word.
    pub fn after(&self, model: &Bpe, vocab: &Vocab, id: u32) -> Vec<bool> {
        let Some(left) = vocab.row_of_id(id).filter(|&row| self.is_made(row)) else {
            return vec![false; self.made.len()];
        };
        let mut joins = vec![0; self.made.len()];
        let (mut edge, mut bit) = (left, 1);
        loop {
            for &right in &self.partners[self.starts[edge]..self.starts[edge + 1]] {
                joins[right as usize] |= bit;
            }
            if self.made[edge].late == 0 {
                break;
            }
            (edge, bit) =
                (self.made[edge].right as usize, if bit < 1 << 7 { bit << 1 } else { bit });
        }
        let pairs = Pairs { joins: Some(&joins), ..self.pairs(model, vocab) };
        (0..self.made.len()).map(|right| self.is_made(right) && pairs.stay(left, right)).collect()
    }

    /// Whether two ids can stand side by side in a word.
    pub fn stay(&self, model: &Bpe, vocab: &Vocab, left: u32, right: u32) -> bool {
        match [left, right].map(|id| vocab.row_of_id(id).filter(|&row| self.is_made(row))) {
            [Some(left), Some(right)] => self.pairs(model, vocab).stay(left, right),
            _ => false,
        }
    }

    /// How many of the first ids are the tokens of a word; None if they are not. `stay` says of the
    /// id of a number whether it can stand behind the one before it.
    pub fn fill(
        &self,
        model: &Bpe,
        vocab: &Vocab,
        word: &[u8],
        ids: &[u32],
        stay: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let whole = model.takes_whole_words.then(|| vocab.id(word)).flatten();
        if let Some(id) = whole {
            return (ids.first() == Some(&id)).then_some(1);
        }
        let (mut rest, mut count) = (word, 0);
        while !rest.is_empty() {
            let row = vocab.row_of_id(*ids.get(count)?).filter(|&row| self.is_made(row))?;
            rest = rest.strip_prefix(vocab.row(row))?;
            if count > 0 && !stay(count) {
                return None;
            }
            count += 1;
        }
        Some(count)
    }

    fn pairs<'a>(&'a self, model: &'a Bpe, vocab: &'a Vocab) -> Pairs<'a> {
        Pairs { made: &self.made, merges: model.merges(), vocab, joins: None }
    }

    fn is_made(&self, row: usize) -> bool {
        self.made[row].late != UNMADE
    }
}

impl Made {
    fn of(left: u32, right: u32, rank: u32, left_late: u32, right_late: u32) -> Self {
        let late = left_late.max(right_late).max(rank + 1);
        let alone = right_late == late; // nothing but the last merge comes behind the right part
        let left_alone = left_late == late && right_late < late;
        Self {
            left,
            right,
            late,
            right_touches: if alone { rank } else { late - 1 },
            left_touches: if left_alone { rank } else { late - 1 },
        }
    }
}

impl Pairs<'_> {
    /// Whether two tokens stay as they are, side by side.
    fn stay(&self, left: usize, right: usize) -> bool {
        self.rank(left, right, 0) == NEVER && self.meet(left, right)
    }

    /// Whether both come to be, side by side: nothing joins what touches before.
    fn meet(&self, mut left: usize, mut right: usize) -> bool {
        let mut depth = 0;
        loop {
            let (of_left, of_right) = (self.made[left], self.made[right]);
            if of_left.late > of_right.late {
                (left, depth) = (of_left.right as usize, depth + 1);
                if self.rank(left, right, depth) < of_left.right_touches {
                    return false;
                }
            } else if of_right.late > 0 {
                right = of_right.left as usize;
                if self.rank(left, right, depth) <= of_right.left_touches {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    /// The rank of a merge; `depth` says how far along its edge the left symbol is.
    fn rank(&self, left: usize, right: usize, depth: u32) -> u32 {
        if self.joins.is_some_and(|joins| joins[right] >> depth.min(7) & 1 == 0) {
            return NEVER;
        }
        rank(self.merges.get(self.vocab.id_of_row(left), self.vocab.id_of_row(right)))
    }
}
