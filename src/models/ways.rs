//! The numbers that Unigram adds, and the memory that it looks for the best way in.

use crate::collections::section_cache::Section;

/// A number that scores are added in.
pub trait Sum:
    Copy + PartialOrd + Into<f64> + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self>
{
    /// Nothing added yet.
    const ZERO: Self;
    /// Less than every number.
    const LEAST: Self;
    /// Whether unknown characters in a row are one token before they fall back to bytes.
    const FUSES: bool;
    /// More than what one addition is wrong by, twice, as a part of its result.
    const ROUNDING: f64;
    /// Sums up to here are certain to be counted from the same zero as the sum before them.
    const SAME_ZERO: f64;
    /// Below this magnitude of scores all sums are numbers.
    const UNBOUNDED: f64;
    /// The nearest number of this type.
    fn of(score: f64) -> Self;
    /// Whether the zero is to be moved.
    fn is_far(self) -> bool;
    /// The memory for ways of this type.
    fn ways(memory: &mut Memory) -> &mut Vec<Way<Self>>;
}

/// From this sum on, scores of 32 bits are counted from the present place on.
const FAR_FROM_ZERO: f32 = 100_000.0;

impl Sum for f32 {
    const ZERO: Self = 0.0;
    const LEAST: Self = Self::NEG_INFINITY;
    const FUSES: bool = false;
    const ROUNDING: f64 = 1.0 / (1 << 22) as f64;
    const SAME_ZERO: f64 = 99_000.0;
    const UNBOUNDED: f64 = 1e25;
    fn of(score: f64) -> Self {
        score as Self
    }
    #[inline]
    fn is_far(self) -> bool {
        self.abs() > FAR_FROM_ZERO
    }
    fn ways(memory: &mut Memory) -> &mut Vec<Way<Self>> {
        &mut memory.single
    }
}

impl Sum for f64 {
    const ZERO: Self = 0.0;
    const LEAST: Self = Self::NEG_INFINITY;
    const FUSES: bool = true;
    const ROUNDING: f64 = 1.0 / (1u64 << 50) as f64;
    const SAME_ZERO: f64 = 1e38;
    const UNBOUNDED: f64 = 1e290;
    fn of(score: f64) -> Self {
        score
    }
    #[inline]
    fn is_far(self) -> bool {
        false
    }
    fn ways(memory: &mut Memory) -> &mut Vec<Way<Self>> {
        &mut memory.double
    }
}

/// The best way to a place: its score, where its last piece begins, and which that is.
#[derive(Clone, Copy)]
pub struct Way<T> {
    /// The scores of its pieces, added up.
    pub score: T,
    /// The character at which its last piece begins, or `UNREACHED`.
    pub start: u32,
    /// Where its last piece ends in the trie.
    pub node: u32,
}

/// A place that no way has reached.
pub const UNREACHED: u32 = u32::MAX;

impl<T: Sum> Way<T> {
    /// No way yet.
    pub const NOWHERE: Self = Self { score: T::LEAST, start: UNREACHED, node: 0 };
    /// The way to a place from which everything is counted.
    pub fn from(score: T) -> Self {
        Self { score, start: 0, node: 0 }
    }
}

/// The best way to a place in nearly exact sums, and the score of the second best.
#[derive(Clone, Copy)]
pub struct BestTwo {
    /// The best way.
    pub best: Way<f64>,
    /// The score of the next one.
    pub second: f64,
}

/// Memory that is used again for each section of a text.
#[derive(Default)]
pub struct Memory {
    single: Vec<Way<f32>>,
    double: Vec<Way<f64>>,
    /// The two best ways to each place.
    pub two: Vec<BestTwo>,
    /// The sections that are looked for at once.
    pub found: Vec<Section>,
    /// The rows of the pieces of a text, so far.
    pub rows: Vec<u32>,
}

impl Memory {
    /// How much of it is in use at most, in characters.
    pub fn capacity(&self) -> usize {
        self.single.capacity().max(self.double.capacity()).max(self.rows.capacity())
    }
}
