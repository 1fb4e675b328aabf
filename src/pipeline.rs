//! The spine: text → special tokens → normalize → pre-tokenize → model → ids → post-process, and
//! decode back. Each stage is a file of its own; `assemble.rs` builds them from a spec.

use crate::special_tokens::{AddedTokens, Pass, Segment, Special};
use crate::{alignment::Aligned, decode::Decoder, models::Model, normalize::Normalizer};
use crate::{decode::Invalid, pre_tokenize::PreTokenizer};
use crate::{encoding::Sink, error::Result, post_process::PostProcessor, worker::Worker};
use std::ops::Range;

/// A tokenizer, ready to run. It never changes; what changes is in a `Worker`.
pub struct Pipeline {
    pub(crate) added_tokens: AddedTokens,
    pub(crate) normalizer: Normalizer,
    pub(crate) pre_tokenizer: PreTokenizer,
    pub(crate) model: Model,
    pub(crate) post_processor: PostProcessor,
    pub(crate) decoder: Decoder,
    /// The id whose tokens are shown by the text that they were met as.
    pub shown_as_met: Option<u32>,
}

impl Pipeline {
    /// Text → tokens.
    pub fn encode<S: Sink>(
        &self,
        text: &str,
        special: Special,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        self.encode_texts(&[text], special, worker, out)
    }

    /// A text, or a pair of them → tokens.
    pub fn encode_texts<S: Sink>(
        &self,
        texts: &[&str],
        special: Special,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        self.post_processor.around(special.add, texts.len(), out, |index, out| {
            let text = texts[index];
            self.added_tokens.split(Pass::Raw, text, special.allowed, |segment| match segment {
                Segment::Token(id, at) => {
                    out.added(id, 0..at.len());
                    out.stretch(&Aligned::of(text, at));
                    Ok(())
                }
                Segment::Text(at) => self.encode_stretch(text, at, special, worker, out),
            })
        })
    }

    fn encode_stretch<S: Sink>(
        &self,
        text: &str,
        range: Range<usize>,
        special: Special,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let stop = worker.stop.clone();
        let asks = self.pre_tokenizer.asks_places();
        let normalize =
            |places| self.normalizer.normalize(text, range.clone(), places || asks, stop.flag());
        let stretch = normalize(S::PLACES)?;
        let pass = Pass::Normalized;
        self.added_tokens.split(pass, &stretch.text, special.allowed, |segment| match segment {
            Segment::Token(id, at) => {
                out.added(id, 0..at.len());
                out.stretch(&stretch.part(at));
                Ok(())
            }
            Segment::Text(at) => {
                let places = S::PLACES || asks;
                let part = stretch.part(at.clone());
                let words = self.pre_tokenizer.words(part, text, places, stop.flag())?;
                words.each(|word| {
                    out.word(word.start);
                    let encoded = self.model.encode(&words.stretch.text[word.clone()], worker, out);
                    encoded.or_else(|error| {
                        let again = normalize(true)?;
                        let part = again.part(at.clone());
                        let words = self.pre_tokenizer.words(part, text, true, stop.flag())?;
                        Err(error.of_word(word, &words.stretch, text))
                    })
                })?;
                out.stretch(&words.stretch);
                Ok(())
            }
        })
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
