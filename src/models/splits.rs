//! Every way to cut a token of a vocabulary into two of its tokens.
//!
//! Rule.    In the order of a dictionary the tokens that begin a token stand before it, each of them
//!          beginning the next; so one pass finds the longest of them, and from there the others. Read
//!          from behind, the same finds those that end it. A cut is a beginning and an end whose
//!          lengths add up to the token.
//! Cost.    Two sorts, and a step for each token that begins or ends another. (A look-up of both
//!          parts of every possible cut took three times as long on 200,000 tokens.)

use crate::vocab::Vocab;

/// No token.
const NONE: u32 = u32::MAX;

/// Calls `visit(left, right, whole)` with the rows of each cut.
pub fn each_split(vocab: &Vocab, mut visit: impl FnMut(usize, usize, usize)) {
    let length = |row: u32| vocab.row(row as usize).len();
    let beginnings = Nested::of(vocab, |token, out| out.extend_from_slice(token));
    let ends = Nested::of(vocab, |token, out| out.extend(token.iter().rev()));
    let mut longer_last = Vec::new();
    for whole in vocab.found_rows() {
        longer_last.clear();
        longer_last.extend(ends.within(whole));
        for left in beginnings.within(whole) {
            let wanted = length(whole) - length(left);
            while longer_last.last().is_some_and(|&end| length(end) < wanted) {
                longer_last.pop();
            }
            match longer_last.last() {
                Some(&right) if length(right) == wanted => {
                    visit(left as usize, right as usize, whole as usize);
                }
                Some(_) => {}
                None => break,
            }
        }
    }
}

/// For each row the longest other one that its string begins with.
struct Nested {
    parents: Vec<u32>,
}

impl Nested {
    /// Of the tokens as `spell` writes them.
    fn of(vocab: &Vocab, spell: impl Fn(&[u8], &mut Vec<u8>)) -> Self {
        let (mut data, mut spans) = (Vec::new(), vec![(0, 0); vocab.len()]);
        let mut order: Vec<(u64, u32)> = Vec::with_capacity(vocab.len());
        for row in vocab.found_rows() {
            let start = data.len();
            spell(vocab.row(row as usize), &mut data);
            spans[row as usize] = (start, data.len());
            order.push((head(&data[start..]), row));
        }
        let string = |row: u32| &data[spans[row as usize].0..spans[row as usize].1];
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| string(a.1).cmp(string(b.1))));
        let mut parents = vec![NONE; vocab.len()];
        let mut open: Vec<u32> = Vec::new(); // each begins the next, and all begin what comes
        for (_, row) in order {
            while open.last().is_some_and(|&last| !string(row).starts_with(string(last))) {
                open.pop();
            }
            parents[row as usize] = open.last().copied().unwrap_or(NONE);
            open.push(row);
        }
        Self { parents }
    }

    /// The rows that a row begins with, longest first, itself left out.
    fn within(&self, row: u32) -> impl Iterator<Item = u32> {
        let next = |&row: &u32| Some(self.parents[row as usize]).filter(|&parent| parent != NONE);
        std::iter::successors(next(&row), next)
    }
}

/// The first eight bytes, as a number that sorts as they do.
fn head(string: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = string.len().min(8);
    bytes[..length].copy_from_slice(&string[..length]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::each_split;
    use crate::vocab::Vocab;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn as_looking_up_both_parts(tokens in prop::collection::vec("[ab\0]{1,12}", 0..60)) {
            let mut offsets = vec![0];
            offsets.extend(tokens.iter().scan(0, |end, token| {
                *end += token.len() as i64;
                Some(*end)
            }));
            let vocab = Vocab::new(tokens.concat().into_bytes(), &offsets, None).unwrap();
            let row = |token: &str| vocab.id(token.as_bytes());
            let mut expected = BTreeSet::new();
            for whole in &tokens {
                for middle in 1..whole.len() {
                    if let (Some(left), Some(right)) = (row(&whole[..middle]), row(&whole[middle..])) {
                        expected.insert((left as usize, right as usize, row(whole).unwrap() as usize));
                    }
                }
            }
            let mut found = BTreeSet::new();
            each_split(&vocab, |left, right, whole| {
                assert!(found.insert((left, right, whole)));
            });
            prop_assert_eq!(found, expected);
        }
    }
}
