//! Sampling: tokens of a text that are drawn at random, each method by its own rule.
//!
//! Rule.    "unigram" draws a way through the lattice by its probability (hypotheses.rs);
//!          "bpe-dropout" leaves merges out (models/dropout.rs), "maxmatch-dropout" tokens of the
//!          longest match (models/word_piece.rs); "stochastok" encodes and then splits tokens
//!          (stochastok.rs). All take their random numbers from the one row of a seed. Added tokens
//!          are cut out of the text first, as ever: none is dropped or split.
//! Cost.    That of the lattice, or of encoding.
//! Source.  Kudo 2018, Provilkov et al. 2020, Hiraoka 2022, Sims et al. 2025.

use crate::encoding::Spans;
use crate::error::{Error, Result};
use crate::hypotheses::Hypotheses;
use crate::models::dropout::Dropout;
use crate::pipeline::Pipeline;
use crate::random_numbers::RandomNumbers;
use crate::special_tokens::Special;
use crate::worker::Worker;

/// How tokens are drawn.
pub enum Method {
    /// A way through the lattice: among all, or among so many best.
    Unigram(Option<usize>),
    /// What a model makes of a word where some of its steps are dropped.
    Dropout,
    /// Splitting tokens.
    StochasTok,
}

/// How, and how much.
pub struct Sampling {
    /// How.
    pub method: Method,
    /// The weight of scores, a probability, or a share of tokens.
    pub alpha: f64,
}

/// Tokens that were drawn.
#[derive(Default)]
pub struct Drawn {
    /// One id a token.
    pub ids: Vec<u32>,
    /// The tokens that are unknown or added, by number, with their own text; only where it is asked
    /// for.
    pub met: Vec<(usize, Vec<u8>)>,
}

impl Sampling {
    /// Finds a method by its name.
    pub fn new(method: &str, alpha: f64, nbest: Option<usize>) -> Result<Self> {
        let method = match method {
            "unigram" => Method::Unigram(nbest),
            "bpe-dropout" | "maxmatch-dropout" => Method::Dropout,
            "stochastok" => Method::StochasTok,
            _ => return Err(Error::Option(format!("unknown method {method:?}"))),
        };
        Ok(Self { method, alpha })
    }
}

impl Pipeline {
    /// Tokens of a text, drawn by the random numbers of a seed; `shown` asks for texts, too.
    pub fn sample(
        &self,
        text: &str,
        how: &Sampling,
        seed: u64,
        shown: bool,
        worker: &mut Worker,
    ) -> Result<Drawn> {
        match how.method {
            Method::Unigram(nbest) => {
                let ways = Hypotheses::new(self, text, &worker.stop)?;
                let drawn = ways.sample(how.alpha, seed, nbest)?;
                Ok(Drawn { ids: drawn.ids, met: drawn.met })
            }
            Method::Dropout => {
                let dropout = Dropout::new(how.alpha, seed);
                worker.dropout = Some(dropout).filter(|_| how.alpha > 0.0);
                self.encoded(text, worker)
            }
            Method::StochasTok => {
                let mut drawn = if shown {
                    self.encoded(text, worker)?
                } else {
                    let mut ids = Vec::new();
                    self.encode(&[text], Special::default(), worker, &mut ids)?;
                    Drawn { ids, met: Vec::new() }
                };
                let numbers = RandomNumbers::new(seed);
                self.split_tokens(&mut drawn, how.alpha, numbers, &worker.stop)?;
                Ok(drawn)
            }
        }
    }

    fn encoded(&self, text: &str, worker: &mut Worker) -> Result<Drawn> {
        let mut out = Spans::new(self.shown_as_met);
        self.encode(&[text], Special::default(), worker, &mut out)?;
        Ok(Drawn { ids: out.ids, met: out.met })
    }
}
