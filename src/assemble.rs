//! From a spec to a pipeline: each stage reads its own part.

use crate::decode::Decoder;
use crate::error::Result;
use crate::models::Model;
use crate::normalize::Normalizer;
use crate::parallel;
use crate::pipeline::Pipeline;
use crate::post_process::PostProcessor;
use crate::pre_tokenize::PreTokenizer;
use crate::raw_words::RawWords;
use crate::spec::{Config, Tables, kind};
use crate::special_tokens::AddedTokens;
use crate::stochastok::Affixes;
use crate::vocab::Vocab;
use crate::without::{Technique, without};

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
        let (written, byte_level) = (vocab.clone(), pre_tokenizer.byte_level);
        let (model, decoder) = parallel::both(
            || Model::new(config, vocab, tables, byte_level, &added_tokens.special_ids()),
            || Decoder::new(config, &written, added_tokens.tokens()),
        );
        let (decoder, model) = (decoder?, model?);
        let post_processor = PostProcessor::new(config)?;
        Ok(Self::of(
            config,
            (pre_tokenizer, normalizer, added_tokens),
            (model, post_processor, decoder),
        ))
    }

    /// Puts the stages together.
    pub fn of(
        config: &Config,
        (pre_tokenizer, normalizer, added_tokens): (PreTokenizer, Normalizer, AddedTokens),
        (mut model, post_processor, decoder): (Model, PostProcessor, Decoder),
    ) -> Self {
        // tokenizers shows an unknown token by its name, save with Unigram; so do we an unknown word.
        // SentencePiece shows what was met.
        let by_name = match kind(config.part("model")) {
            "Unigram" => false,
            "WordPiece" => true,
            "WordLevel" => config.part("origin") != "sentencepiece",
            _ => config.part("origin") == "tokenizer.json",
        };
        let shown_as_met = model.unknown().known_id().filter(|_| !by_name);
        let reads_spaces = normalizer.only_shows_spaces()
            && pre_tokenizer.is_none()
            && !added_tokens.are_normalized()
            && !without(Technique::KeptSpaces)
            && model.read_spaces();
        let affixes = Affixes::new(config.part("model"), pre_tokenizer.byte_level);
        let raw_words = RawWords::new(&added_tokens, &normalizer, &pre_tokenizer, &model);
        Self {
            added_tokens,
            normalizer,
            pre_tokenizer,
            model,
            raw_words,
            post_processor,
            decoder,
            affixes,
            reads_spaces,
            shown_as_met,
        }
    }
}
