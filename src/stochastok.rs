//! StochasTok: tokens that are split in two at random.
//!
//! Rule.    Of N tokens, so many times as floor(alpha · N) says, one is picked, each that there is by
//!          now as likely as any other. If it can be cut into two tokens of the vocabulary, it is,
//!          into each such pair as likely; if not, the pick is used up all the same. Tokens are
//!          numbered: those of the text in order, then each right part when it is made.
//!          What is cut, and into what, are ordinary tokens: none that was added, that stands for
//!          the unknown or for a byte, or that is a user-defined or unused piece. Inside a word, a
//!          part carries the continuing prefix, and the last one the end-of-word suffix, of the
//!          model.
//! Cost.    For each pick one look at every place in a token; tokens stay where they are, and know
//!          which comes next.
//! Source.  Sims et al. 2025 (arXiv:2506.01687).

use serde_json::Value;

use crate::error::Result;
use crate::pipeline::Pipeline;
use crate::random_numbers::RandomNumbers;
use crate::sampling::Drawn;
use crate::stop::Stop;
use crate::vocab::{bytes_of_visible, piece_type};

/// The number behind the last token.
const END: usize = usize::MAX;

/// What tokens carry inside a word, and at its end.
pub struct Affixes {
    prefix: Vec<u8>,
    suffix: Vec<u8>,
}

impl Affixes {
    /// Those that the model of a spec names; `byte_level` says that it shows bytes by characters.
    pub fn new(spec: &Value, byte_level: bool) -> Self {
        let affix = |name: &str| {
            let written = spec[name].as_str().unwrap_or("").as_bytes();
            let bytes = bytes_of_visible(written).filter(|_| byte_level);
            bytes.unwrap_or_else(|| written.to_vec())
        };
        Self { prefix: affix("continuing_subword_prefix"), suffix: affix("end_of_word_suffix") }
    }
}

impl Pipeline {
    /// Splits some of the tokens.
    pub fn split_tokens(
        &self,
        drawn: &mut Drawn,
        alpha: f64,
        mut numbers: RandomNumbers,
        stop: &Stop,
    ) -> Result<()> {
        let tokens = &mut drawn.ids;
        let count = tokens.len();
        let mut following: Vec<usize> = (1..count).chain([END]).collect();
        let mut pairs = Vec::new();
        for _ in 0..(alpha * count as f64) as usize {
            stop.check()?;
            let picked = numbers.below(tokens.len());
            self.halves(tokens[picked], &mut pairs, stop)?;
            if !pairs.is_empty() {
                let (left, right) = pairs[numbers.below(pairs.len())];
                tokens[picked] = left;
                tokens.push(right);
                following.push(following[picked]);
                following[picked] = tokens.len() - 1;
            }
        }
        let mut split = Vec::with_capacity(tokens.len());
        let mut places = vec![0; count]; // where the tokens of the text are now
        let mut number = 0;
        while let Some(&id) = tokens.get(number) {
            if let Some(place) = places.get_mut(number) {
                *place = split.len();
            }
            split.push(id);
            number = following[number];
        }
        drawn.ids = split;
        for (number, _) in &mut drawn.met {
            *number = places[*number];
        }
        Ok(())
    }

    /// The pairs of tokens that a token can be cut into, those with the shortest left part first.
    fn halves(&self, id: u32, pairs: &mut Vec<(u32, u32)>, stop: &Stop) -> Result<()> {
        pairs.clear();
        let (vocab, Affixes { prefix, suffix }) = (self.model.vocab(), &self.affixes);
        let Some(token) = vocab.token(id).filter(|_| self.is_ordinary(id)) else { return Ok(()) };
        let start = if token.starts_with(prefix) { prefix.len() } else { 0 };
        let last = if token[start..].ends_with(suffix) { suffix.len() } else { 0 };
        let mut inside = prefix.clone();
        for middle in start + 1..token.len() - last {
            stop.check()?;
            let (left, right) = token.split_at(middle);
            inside.truncate(prefix.len());
            inside.extend_from_slice(right);
            if let (Some(left), Some(right)) = (vocab.id(left), vocab.id(&inside))
                && self.is_ordinary(left)
                && self.is_ordinary(right)
            {
                pairs.push((left, right));
            }
        }
        Ok(())
    }

    /// Whether a token is one that nothing but text is made of.
    fn is_ordinary(&self, id: u32) -> bool {
        let vocab = self.model.vocab();
        vocab.row_of_id(id).is_some_and(|row| {
            vocab.type_of_row(row) == piece_type::NORMAL
                && !self.model.unknown().is_meant_by(id, vocab.row(row))
                && !self.decoder.is_added(id)
        })
    }
}
