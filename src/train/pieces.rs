//! The pieces of a Unigram run: how likely each is, and how long.

/// Pieces as numbers: the alphabet by code point, then the pieces of several characters.
#[derive(Debug)]
pub struct Pieces {
    /// How many have one character.
    pub alphabet: usize,
    /// Probability and number of characters of each.
    pub weights: Vec<Weight>,
}

/// What a pass over the lattices needs of a piece, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The probability.
    pub probability: f64,
    /// How many characters the piece has.
    pub length: u32,
}

impl Pieces {
    /// How many there are.
    #[allow(clippy::len_without_is_empty)] // the alphabet is never empty
    pub fn len(&self) -> usize {
        self.weights.len()
    }
}
