//! From a spec to a pipeline: each stage reads its own part.

use crate::decode::Decoder;
use crate::error::Result;
use crate::models::Model;
use crate::normalize::Normalizer;
use crate::pipeline::Pipeline;
use crate::post_process::PostProcessor;
use crate::pre_tokenize::PreTokenizer;
use crate::spec::{Config, Tables, kind};
use crate::special_tokens::AddedTokens;
use crate::vocab::Vocab;

impl Pipeline {
    /// Builds the stages of a spec; a component that has no engine is an error that names it.
    pub fn new(config: &Config, vocab: Vocab, tables: &Tables) -> Result<Self> {
        let pre_tokenizer = PreTokenizer::new(config)?;
        let normalizer = Normalizer::new(config, &vocab)?;
        let added_tokens = AddedTokens::new(config, |content| {
            let form = normalizer.normalize(content, 0..content.len(), false, false, None)?;
            Ok(form.text.into_owned())
        })?;
        // Ids are decoded from the strings as they are written, texts are encoded to what they mean.
        let decoder = Decoder::new(config, &vocab, added_tokens.tokens())?;
        let byte_level = pre_tokenizer.byte_level;
        let mut model = Model::new(config, vocab, tables, byte_level, &added_tokens.special_ids())?;
        let reads_spaces = normalizer.only_shows_spaces()
            && pre_tokenizer.is_none()
            && !added_tokens.look_at_normalized()
            && model.read_spaces();
        let post_processor = PostProcessor::new(config)?;
        // tokenizers shows an unknown token by its name, save with Unigram.
        let by_name =
            config.part("origin") == "tokenizer.json" && kind(config.part("model")) != "Unigram";
        let shown_as_met = model.unknown().known_id().filter(|_| !by_name);
        Ok(Self {
            added_tokens,
            normalizer,
            pre_tokenizer,
            model,
            post_processor,
            decoder,
            reads_spaces,
            shown_as_met,
        })
    }
}
