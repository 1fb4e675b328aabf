//! What each pair of symbols merges to.
//!
//! Cost.    One look-up, which for bytes and the first merges stays in a core's own cache: they have
//!          the lowest ids, and most pairs that are asked for are theirs.

use std::io::Read;

use crate::collections::kept::{Reader, Writer};
use crate::collections::pair_map::{PairMap, pack, unpack};
use crate::without::{Technique, without};

/// Rank and result of a pair that does not merge.
pub const NO_MERGE: u64 = u64::MAX;
/// Pairs of ids below this have a place of their own.
const LOW: u32 = 512;

/// Pair → rank in the upper half, symbol that it becomes in the lower.
pub struct Merges {
    low: Vec<u64>,
    all: PairMap<u64>,
}

impl Merges {
    /// With room for so many pairs.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { low: vec![NO_MERGE; (LOW * LOW) as usize], all: PairMap::with_capacity(capacity) }
    }

    /// Those of a list: left, right, rank, result.
    pub fn of(rows: &[(u32, u32, u32, u32)]) -> Self {
        let mut merges = Self::with_capacity(rows.len());
        for &(left, right, rank, result) in rows {
            merges.insert(left, right, merge_of(rank, result));
        }
        merges
    }

    /// Writes them.
    pub fn keep(&self, out: &mut Writer) {
        out.table(&self.low);
        self.all.keep(out);
    }

    /// Those that were written.
    pub fn kept<R: Read>(from: &mut Reader<R>) -> Option<Self> {
        let (low, all) = (from.table()?, PairMap::kept(from)?);
        Some(Self { low, all })
    }

    /// Rank and result of a pair, `NO_MERGE` if there is none.
    #[inline]
    pub fn get(&self, left: u32, right: u32) -> u64 {
        if are_low(left, right) {
            return self.low[(left * LOW + right) as usize];
        }
        self.all.get(pack(left, right)).unwrap_or(NO_MERGE)
    }

    /// All merges: left, right, rank, result; in no order that means anything.
    pub fn rows(&self) -> impl Iterator<Item = (u32, u32, u32, u32)> {
        let low = self.low.iter().zip(0..).map(|(&merge, pair)| (pair / LOW, pair % LOW, merge));
        let others = self.all.iter().map(|(pair, merge)| {
            let (left, right) = unpack(pair);
            (left, right, merge)
        });
        let merges = low.filter(|&(.., merge)| merge != NO_MERGE).chain(others);
        merges.map(|(left, right, merge)| (left, right, rank(merge), merge as u32))
    }

    /// Sets what a pair merges to.
    pub fn insert(&mut self, left: u32, right: u32, merge: u64) {
        if are_low(left, right) {
            self.low[(left * LOW + right) as usize] = merge;
        } else {
            self.all.insert(pack(left, right), merge);
        }
    }
}

/// Whether a pair has a place of its own.
#[inline]
fn are_low(left: u32, right: u32) -> bool {
    left < LOW && right < LOW && !without(Technique::LowMerges)
}

/// The rank of a merge; that of `NO_MERGE` is above all.
#[inline]
pub fn rank(merge: u64) -> u32 {
    (merge >> 32) as u32
}

/// A merge of its parts.
#[inline]
pub fn merge_of(rank: u32, result: u32) -> u64 {
    u64::from(rank) << 32 | u64::from(result)
}
