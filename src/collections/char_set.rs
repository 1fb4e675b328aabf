//! A set of characters as bits: one bit each up to U+FFFF, and all characters beyond always in it.

const BITS: usize = 64;

/// The set.
pub struct CharSet {
    bits: Vec<u64>,
}

impl CharSet {
    /// None of the first 65,536.
    pub fn new() -> Self {
        Self { bits: vec![0; (1 << 16) / BITS] }
    }

    /// All characters.
    pub fn all() -> Self {
        Self { bits: Vec::new() }
    }

    /// One more.
    pub fn insert(&mut self, character: char) {
        if let Some(bits) = self.bits.get_mut(character as usize / BITS) {
            *bits |= 1 << (character as usize % BITS);
        }
    }

    /// All that are in one of two sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        // What has no bits has all characters.
        let bits = self.bits.iter().zip(&other.bits).map(|(one, other)| one | other);
        Self { bits: bits.collect() }
    }

    /// Whether a character is in it.
    #[inline]
    pub fn contains(&self, character: char) -> bool {
        let bits = self.bits.get(character as usize / BITS);
        bits.is_none_or(|bits| bits >> (character as usize % BITS) & 1 == 1)
    }
}

impl Default for CharSet {
    fn default() -> Self {
        Self::new()
    }
}
