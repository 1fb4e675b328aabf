//! The spine: text → special tokens → normalize → pre-tokenize → model → ids → post-process, and
//! decode back. Each stage is a file of its own; `assemble.rs` builds them from a spec.

use crate::alignment::Aligned;
use crate::decode::{Decoder, Invalid};
use crate::encoding::{Sink, Spans};
use crate::error::{Error, Result};
use crate::pre_tokenize::{PreTokenizer, Words};
use crate::raw_words::RawWords;
use crate::special_tokens::{AddedTokens, Pass, Segment, Special};
use crate::stochastok::Affixes;
use crate::worker::Worker;
use crate::{models::Model, normalize::Normalizer, post_process::PostProcessor};

/// A tokenizer, ready to run. It never changes; what changes is in a `Worker`.
pub struct Pipeline {
    pub(crate) added_tokens: AddedTokens,
    pub(crate) normalizer: Normalizer,
    pub(crate) pre_tokenizer: PreTokenizer,
    pub(crate) model: Model,
    /// How words that were met before go past the stages, where the stages are BERT's.
    pub(crate) raw_words: Option<RawWords>,
    pub(crate) post_processor: PostProcessor,
    pub(crate) decoder: Decoder,
    /// What tokens carry inside a word, and at its end.
    pub(crate) affixes: Affixes,
    /// Whether the model reads a space as what it shows it by; then none is ever shown to it where
    /// nobody asks for places.
    pub(crate) reads_spaces: bool,
    /// The id whose tokens are shown by the text that they were met as.
    pub shown_as_met: Option<u32>,
}

/// What the stages before the model make of a text, part by part.
pub enum Part<'a> {
    /// An added token, and where it stands.
    Token(u32, Aligned<'a>),
    /// Words for the model.
    Words(Words<'a>),
}

impl Pipeline {
    /// A text, or a pair of them → tokens.
    pub fn encode<S: Sink>(
        &self,
        texts: &[&str],
        special: Special,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let encoded = self.around(texts.len(), special, out, |index, out| {
            let first = out.so_far();
            self.encode_text(texts[index], special, worker, out)?;
            if special.reverse {
                out.reverse(first);
            }
            Ok(())
        });
        match encoded {
            // Where the unknown stands is known to those alone who ask for places.
            Err(Error::Unknown(..)) if !S::PLACES => {
                self.encode(texts, special, worker, &mut Spans::default())
            }
            encoded => encoded,
        }
    }

    /// Puts what is asked for around the tokens of texts.
    pub(crate) fn around<S: Sink>(
        &self,
        texts: usize,
        special: Special,
        out: &mut S,
        encode: impl FnMut(usize, &mut S) -> Result<()>,
    ) -> Result<()> {
        self.mark(special.begin, out);
        self.post_processor.around(special.add, texts, out, encode)?;
        self.mark(special.end, out);
        Ok(())
    }

    pub(crate) fn encode_text<S: Sink>(
        &self,
        text: &str,
        special: Special,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let is_plain = !S::PLACES && u32::try_from(text.len()).is_ok();
        if let Some(raw_words) = self.raw_words.as_ref().filter(|_| is_plain) {
            return self.added_tokens.split(Pass::Raw, text, special.allowed, |segment| {
                match segment {
                    Segment::Token(id, at) => out.added(id, at),
                    Segment::Text(at) => {
                        self.encode_raw_words(raw_words, &text[at], worker, out)?;
                    }
                }
                Ok(())
            });
        }
        self.parts(text, special, S::PLACES, worker, |part, worker| match part {
            Part::Token(id, at) => {
                worker.carried = worker.carried.map(|_| 0.0);
                out.added(id, 0..at.text.len());
                out.stretch(&at);
                Ok(())
            }
            Part::Words(words) => {
                let encoded = self.model.encode(&words, worker, out);
                encoded.map_err(|error| error.of_stretch(&words.stretch, text))?;
                out.stretch(&words.stretch);
                Ok(())
            }
        })
    }

    /// Text → special tokens → normalize → pre-tokenize; `places` says whether anybody will ask
    /// where a word stands in the text.
    pub fn parts(
        &self,
        text: &str,
        special: Special,
        places: bool,
        worker: &mut Worker,
        mut visit: impl FnMut(Part, &mut Worker) -> Result<()>,
    ) -> Result<()> {
        let places = places || self.pre_tokenizer.asks_places();
        self.added_tokens.split(Pass::Raw, text, special.allowed, |segment| match segment {
            Segment::Token(id, at) => visit(Part::Token(id, Aligned::of(text, at)), worker),
            Segment::Text(at) => {
                let continues = special.continues && at.start == 0;
                let stretch = if self.reads_spaces && !places {
                    self.normalizer.keep_spaces(text, at, continues)
                } else {
                    self.normalizer.normalize(text, at, continues, places, worker.stop.flag())?
                };
                let (pass, allowed) = (Pass::Normalized, special.allowed);
                self.added_tokens.split(pass, &stretch.text, allowed, |segment| match segment {
                    Segment::Token(id, at) => visit(Part::Token(id, stretch.part(at)), worker),
                    Segment::Text(at) => {
                        let continues = continues && at.start == 0;
                        let part = stretch.part(at);
                        let stop = worker.stop.flag();
                        let words =
                            self.pre_tokenizer.words(part, text, continues, places, stop)?;
                        visit(Part::Words(words), worker)
                    }
                })
            }
        })
    }

    /// Puts the token for begin or end there.
    fn mark<S: Sink>(&self, id: Option<u32>, out: &mut S) {
        if let Some(id) = id {
            out.inserted(id, self.added_tokens.content(id));
            out.part(None, 0);
        }
    }

    /// Ids → the bytes of the text, appended to `out`.
    pub fn decode(
        &self,
        ids: &[u32],
        skip_special: bool,
        invalid: Invalid,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.decoder.decode(ids, skip_special, invalid, out)
    }
}
