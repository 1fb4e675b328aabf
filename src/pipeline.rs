//! The spine: text → special tokens → normalize → pre-tokenize → model → ids, and decode back.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::collections::word_cache::WordCache;
use crate::decode::Decoder;
use crate::error::{Error, Result};
use crate::models::bpe::Scratch;
use crate::models::{MergeColumns, Model, Sink, Spans};
use crate::pre_tokenize::PreTokenizer;
use crate::spec::{Config, not_run};
use crate::special_tokens::{AddedTokens, Segment};
use crate::vocab::Vocab;

/// A tokenizer, ready to run. It never changes; what changes is in a `Worker`.
pub struct Pipeline {
    added_tokens: AddedTokens,
    pre_tokenizer: PreTokenizer,
    model: Model,
    vocab: Vocab,
    decoder: Decoder,
}

/// What one thread needs from text to text.
#[derive(Default)]
pub struct Worker {
    scratch: Scratch,
    cache: WordCache,
}

impl Worker {
    /// What another thread sets to end a long call; None where nobody will.
    pub fn set_stop(&mut self, stop: Option<Arc<AtomicBool>>) {
        self.scratch.stop = stop;
    }
}

impl Pipeline {
    /// Builds the stages of a spec; a component that has no engine is an error that names it.
    pub fn new(config: &Config, mut vocab: Vocab, merges: Option<&MergeColumns>) -> Result<Self> {
        let normalizer = config.part("normalizer");
        if !normalizer.is_null() {
            return Err(not_run("normalizer", normalizer));
        }
        let pre_tokenizer = PreTokenizer::new(config)?;
        let added_tokens = AddedTokens::new(config.part("added_tokens"))?;
        let byte_level = pre_tokenizer.byte_level;
        let decode = |vocab: &Vocab| Decoder::new(config, vocab, added_tokens.tokens(), byte_level);
        // Without a decoder, ids stand for the strings as they are written.
        let as_written = config.part("decoder").is_null().then(|| decode(&vocab)).transpose()?;
        if byte_level {
            vocab.visible_to_bytes();
        }
        let decoder = as_written.map_or_else(|| decode(&vocab), Ok)?;
        let model = Model::new(config, &vocab, merges, byte_level)?;
        // A special token in the text is one only where `added_tokens` finds it.
        vocab.hide(&added_tokens.special_ids());
        Ok(Self { added_tokens, pre_tokenizer, model, vocab, decoder })
    }

    /// The ids of a text; `allowed` are the special tokens that may be found in it.
    pub fn encode(
        &self,
        text: &str,
        allowed: &[u32],
        worker: &mut Worker,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        self.added_tokens.split(text, allowed, |segment| match segment {
            Segment::Token(id, _) => {
                ids.push(id);
                Ok(())
            }
            Segment::Text(range) => {
                let segment = self.prefixed(&text[range.clone()]);
                self.pre_tokenizer.cut(&segment, |word| {
                    let at = range.start + word.start;
                    self.encode_word(&segment.as_bytes()[word], worker, ids)
                        .map_err(|error| error.in_word_at(at).by_character(text))
                })
            }
        })
    }

    /// One word, from the cache where it is there.
    #[inline]
    fn encode_word(&self, word: &[u8], worker: &mut Worker, ids: &mut Vec<u32>) -> Result<()> {
        worker.scratch.check()?;
        if let Some(known) = worker.cache.get(word) {
            ids.extend_from_slice(known);
            return Ok(());
        }
        let start = ids.len();
        self.model.encode(&self.vocab, word, &mut worker.scratch, ids)?;
        worker.cache.put(word, &ids[start..]);
        Ok(())
    }

    /// The ids of a text with the bytes that each token covers.
    pub fn encode_spans(&self, text: &str, allowed: &[u32], worker: &mut Worker) -> Result<Spans> {
        let mut spans = Spans::default();
        self.added_tokens.split(text, allowed, |segment| match segment {
            Segment::Token(id, range) => {
                spans.at = range.start;
                spans.token(id, range.len());
                Ok::<(), Error>(())
            }
            Segment::Text(range) => {
                let prefixed = self.prefixed(&text[range.clone()]);
                let inserted = prefixed.len() - range.len();
                let first = spans.ids.len();
                self.pre_tokenizer.cut(&prefixed, |word| {
                    let at = range.start + word.start;
                    worker.scratch.check()?;
                    spans.at = word.start;
                    self.model
                        .encode(
                            &self.vocab,
                            &prefixed.as_bytes()[word],
                            &mut worker.scratch,
                            &mut spans,
                        )
                        .map_err(|error| error.in_word_at(at).by_character(text))
                })?;
                for span in &mut spans.spans[first..] {
                    let back = |at: usize| at.saturating_sub(inserted) + range.start;
                    *span = (back(span.0), back(span.1));
                }
                Ok(())
            }
        })?;
        Ok(spans)
    }

    /// The bytes of each pre-token of a text that holds no added token.
    pub fn pre_tokenize(&self, text: &str) -> Result<Vec<(usize, usize)>> {
        let mut words = Vec::new();
        self.pre_tokenizer.cut(text, |word| {
            words.push((word.start, word.end));
            Ok::<(), Error>(())
        })?;
        Ok(words)
    }

    /// The bytes of the ids, appended to `out`.
    pub fn decode(&self, ids: &[u32], skip_special: bool, out: &mut Vec<u8>) -> Result<()> {
        self.decoder.decode(ids, skip_special, out)
    }

    /// ByteLevel's `add_prefix_space`: a text that does not start with a space gets one.
    fn prefixed<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.pre_tokenizer.add_prefix_space && !text.starts_with(' ') {
            return format!(" {text}").into();
        }
        text.into()
    }
}
