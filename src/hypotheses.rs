//! The ways to cut a text: the best of them, one drawn at random, how uncertain the cut is.
//!
//! Rule.    A Unigram model gives each way a probability (models/lattice.rs); this asks the lattice
//!          of the whole text, across pre-tokens and added tokens.
//! Cost.    That of the lattice.
//! Source.  Kudo 2018 (subword regularization).

use std::ops::Range;

use crate::alignment::Aligned;
use crate::encoding::{Sink, Spans};
use crate::error::{Error, Result};
use crate::models::best_paths::best_paths;
use crate::models::lattice::{Lattice, Node, Path, UNKNOWN};
use crate::pipeline::{Part, Pipeline};
use crate::random_numbers::RandomNumbers;
use crate::special_tokens::Special;
use crate::stop::{Stop, check};
use crate::worker::Worker;

/// One of the ways to cut a text.
pub struct Hypothesis {
    /// One id a token.
    pub ids: Vec<u32>,
    /// The tokens that are unknown, by number, with their own text.
    pub met: Vec<(usize, Vec<u8>)>,
    /// The sum of the scores of its pieces.
    pub log_prob: f64,
    /// Its probability among all ways.
    pub posterior: f64,
}

/// A piece that stands in a text, and how likely it is part of the cut.
pub struct Marginal {
    /// None for a character that no piece stands for.
    pub id: Option<u32>,
    /// Its text as the model saw it.
    pub text: String,
    /// Its bytes in the original text.
    pub span: (usize, usize),
    /// Its probability.
    pub probability: f64,
}

/// A part of a text: an added token, or a stretch with its words.
enum Laid {
    Token(u32, Aligned<'static>),
    Words(Aligned<'static>, Vec<Range<usize>>),
}

/// All ways to cut a text with a Unigram model.
pub struct Hypotheses<'a> {
    pipeline: &'a Pipeline,
    text: &'a str,
    stop: &'a Stop,
    parts: Vec<Laid>,
    lattice: Lattice,
}

impl<'a> Hypotheses<'a> {
    /// Lays out the lattice of a text. An added token is a node of its own, of score 0.
    pub fn new(pipeline: &'a Pipeline, text: &'a str, stop: &'a Stop) -> Result<Self> {
        let model = pipeline.model.unigram()?;
        let (mut parts, mut nodes, mut length) = (Vec::new(), Vec::new(), 0);
        let mut worker = Worker { stop: stop.clone(), ..Worker::default() };
        pipeline.parts(text, Special::default(), true, &mut worker, |part, _| {
            let words = match part {
                Part::Token(id, at) => {
                    let end = length + at.text.len();
                    nodes.push(Node { id, start: length as u32, end: end as u32, score: 0.0 });
                    length = end;
                    parts.push(Laid::Token(id, at.into_owned()));
                    return Ok(());
                }
                Part::Words(words) => words,
            };
            let mut ranges = Vec::new();
            words.each(|word| {
                let text = &words.stretch.text[word.clone()];
                for (at, _) in text.char_indices() {
                    check(at, stop)?;
                    model.nodes_at(text, at, |bytes, id, score| {
                        let (start, end) = ((length + at) as u32, (length + at + bytes) as u32);
                        nodes.push(Node { id, start, end, score });
                    });
                }
                length += word.len();
                ranges.push(word);
                Ok::<(), Error>(())
            })?;
            parts.push(Laid::Words(words.stretch.into_owned(), ranges));
            Ok(())
        })?;
        Ok(Self { pipeline, text, stop, parts, lattice: Lattice::new(length, nodes)? })
    }

    /// The best ways, all different; all there are if there are no more than `count`.
    pub fn best(&self, count: usize) -> Result<Vec<Hypothesis>> {
        let all = self.log_of_all(1.0)?;
        self.best_paths(count)?.iter().map(|path| self.hypothesis(path, 1.0, all)).collect()
    }

    /// One way, drawn by exp(alpha · log_prob): among all, or among the `nbest` best. Its posterior
    /// is that of the draw among all.
    pub fn sample(&self, alpha: f64, seed: u64, nbest: Option<usize>) -> Result<Hypothesis> {
        let mut numbers = RandomNumbers::new(seed);
        let before = self.lattice.forward(alpha, self.stop)?;
        let path = if let Some(nbest) = nbest {
            let mut paths = self.best_paths(nbest)?;
            let weight = |path: &Path| libm::exp(alpha * (path.score - paths[0].score));
            let weights: Vec<f64> = paths.iter().map(weight).collect();
            paths.swap_remove(numbers.choose(&weights))
        } else {
            self.lattice.sample(alpha, &before, &mut numbers)
        };
        self.hypothesis(&path, alpha, before[self.lattice.length()])
    }

    /// How uncertain the cut is, in nats.
    pub fn entropy(&self, alpha: f64) -> Result<f64> {
        self.lattice.entropy(alpha, self.stop)
    }

    /// Each piece that stands in the text, with its probability to be part of the cut.
    pub fn marginals(&self, alpha: f64) -> Result<Vec<Marginal>> {
        let mut shares = self.lattice.marginals(alpha, self.stop)?.into_iter().peekable();
        let (mut marginals, mut at) = (Vec::new(), 0);
        let mut up_to = |end: usize, place: &dyn Fn(Range<usize>) -> (String, (usize, usize))| {
            while let Some((node, probability)) =
                shares.next_if(|(node, _)| (node.start as usize) < end)
            {
                let (text, span) = place(node.start as usize - at..node.end as usize - at);
                let id = (node.id != UNKNOWN).then_some(node.id);
                marginals.push(Marginal { id, text, span, probability });
            }
            at = end;
        };
        let mut end = 0;
        for part in &self.parts {
            match part {
                Laid::Token(_, token) => {
                    end += token.text.len();
                    let (from, to) = token.span(0..token.text.len());
                    up_to(end, &|_| (self.text[from..to].into(), (from, to)));
                }
                Laid::Words(stretch, words) => {
                    for word in words {
                        end += word.len();
                        up_to(end, &|part| {
                            let part = word.start + part.start..word.start + part.end;
                            (stretch.text[part.clone()].into(), stretch.span(part))
                        });
                    }
                }
            }
        }
        Ok(marginals)
    }

    fn best_paths(&self, count: usize) -> Result<Vec<Path>> {
        let float32 = self.pipeline.model.unigram()?.is_float32();
        best_paths(&self.lattice, count, float32, self.stop)
    }

    /// The log of the sum of exp(alpha · log_prob) over all ways.
    fn log_of_all(&self, alpha: f64) -> Result<f64> {
        Ok(self.lattice.forward(alpha, self.stop)?[self.lattice.length()])
    }

    /// A path with its tokens, word by word, as unknown characters in a row are one token.
    fn hypothesis(&self, path: &Path, alpha: f64, all: f64) -> Result<Hypothesis> {
        let model = self.pipeline.model.unigram()?;
        let mut out = Spans::new(model.unknown().known_id());
        let (mut rest, mut at) = (&path.nodes[..], 0);
        for part in &self.parts {
            match part {
                Laid::Token(id, token) => {
                    let length = token.text.len();
                    (rest, at) = (&rest[1..], at + length);
                    out.added(*id, 0..length);
                    out.stretch(token);
                }
                Laid::Words(stretch, words) => {
                    for word in words {
                        at += word.len();
                        let nodes = rest.iter().take_while(|node| node.end as usize <= at).count();
                        let (cut, after) = rest.split_at(nodes);
                        let cuts = cut.iter().map(|node| {
                            let id = (node.id != UNKNOWN).then_some(node.id);
                            (id, (node.end - node.start) as usize)
                        });
                        out.word(word.start);
                        model.settle(&stretch.text[word.clone()], cuts, &mut out).map_err(
                            |error| error.moved(word.start).of_stretch(stretch, self.text),
                        )?;
                        rest = after;
                    }
                    out.stretch(stretch);
                }
            }
        }
        // The score of a path may be rounded, that of all ways is not.
        let score: f64 = path.nodes.iter().map(|node| node.score).sum();
        let posterior = libm::exp(alpha * score - all);
        Ok(Hypothesis { ids: out.ids, met: out.met, log_prob: path.score, posterior })
    }
}
