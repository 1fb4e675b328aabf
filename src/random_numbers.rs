//! Random numbers that are the same for a seed in every process, version and language.
//!
//! Rule.    SplitMix64: a counter goes on by a fixed odd step, and a mixing function makes a number
//!          of it. A fraction is the upper 53 bits of a number; a number below n is the whole of it as
//!          a share of n.
//! Cost.    A few multiplications.
//! Source.  Steele, Lea and Flood 2014, the generator that java.util.SplittableRandom uses.

/// 2⁶⁴ divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A row of random numbers.
#[derive(Clone)]
pub struct RandomNumbers {
    state: u64,
}

impl RandomNumbers {
    /// Begins the row of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number of 64 bits.
    pub fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The next number as one that is at least 0 and less than 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next_number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number as one from 0 to `count` - 1, each as likely.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next_number()) * count as u128) >> 64) as usize
    }

    /// The index of one of the weights, each as likely as it is heavy.
    pub fn choose(&mut self, weights: &[f64]) -> usize {
        let mut left = self.fraction() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        // Rounding left nothing over: the heaviest, and of those the first.
        (1..weights.len()).fold(
            0,
            |best, index| {
                if weights[index] > weights[best] { index } else { best }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::RandomNumbers;

    #[test]
    fn the_published_numbers() {
        let mut numbers = RandomNumbers::new(1_234_567);
        for expected in [6_457_827_717_110_365_317, 3_203_168_211_198_807_973] {
            assert_eq!(numbers.next_number(), expected);
        }
        let mut numbers = RandomNumbers::new(0); // begins with 0.88…, 0.43…, 0.02…
        assert_eq!([10, 10, 10].map(|count| numbers.below(count)), [8, 4, 0]);
        assert_eq!(RandomNumbers::new(3).choose(&[0.0, 0.0]), 0);
    }
}
