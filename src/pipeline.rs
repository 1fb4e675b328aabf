//! The spine: text → special tokens → normalize → pre-tokenize → model → ids → post-process, and
//! decode back. Each stage is a file of its own; `assemble.rs` builds them from a spec.

use crate::special_tokens::{AddedTokens, Segment, Special};
use crate::{decode::Decoder, models::Model, normalize::Normalizer, pre_tokenize::PreTokenizer};
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
        self.post_processor.around(special.add, out, |out| {
            self.added_tokens.split(text, special.allowed, |segment| match segment {
                Segment::Token(id, at) => {
                    out.added(id, at);
                    Ok(())
                }
                Segment::Text(range) => self.encode_stretch(text, range, worker, out),
            })
        })
    }

    fn encode_stretch<S: Sink>(
        &self,
        text: &str,
        range: Range<usize>,
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let stop = worker.stop.clone();
        let cut = |places| {
            let places = places || self.pre_tokenizer.asks_places();
            let stretch = self.normalizer.normalize(text, range.clone(), places, stop.flag())?;
            self.pre_tokenizer.words(stretch, text, places, stop.flag())
        };
        let words = cut(S::PLACES)?;
        words.each(|word| {
            out.word(word.start);
            let encoded = self.model.encode(&words.stretch.text[word.clone()], worker, out);
            encoded.or_else(|error| Err(error.of_word(word, &cut(true)?.stretch, text)))
        })?;
        out.stretch(&words.stretch);
        Ok(())
    }

    /// Ids → the bytes of the text, appended to `out`.
    pub fn decode(&self, ids: &[u32], skip_special: bool, out: &mut Vec<u8>) -> Result<()> {
        self.decoder.decode(ids, skip_special, out)
    }
}
