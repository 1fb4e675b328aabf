//! A tokenizer as tables in a file: built once, then only read.
//!
//! Rule.    A file is a head and two parts. The head says which kugiri wrote it, what it was made of
//!          (a key: size and sums of the original file) and where the second part begins. What does
//!          not fit is not read. What is small is built anew from the description.
//! Cost.    A read of the file by two threads.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::collections::kept::{Reader, Writer, sum};
use crate::decode::Decoder;
use crate::error::Result;
use crate::models::Model;
use crate::models::bpe::Bpe;
use crate::models::first_symbols::FirstSymbols;
use crate::normalize::Normalizer;
use crate::parallel;
use crate::pipeline::Pipeline;
use crate::post_process::PostProcessor;
use crate::pre_tokenize::PreTokenizer;
use crate::spec::{Config, Tables, kind};
use crate::special_tokens::AddedTokens;
use crate::vocab::Vocab;

/// To be raised when a table or its meaning changes.
const LAYOUT: u64 = 1;
/// The first bytes of a file.
const MAGIC: u64 = u64::from_le_bytes(*b"kugiri\0k");

/// What a file is made of: its size, and the sums of its halves.
pub type Key = [u64; 3];

/// The key of a content.
pub fn key(content: &[u8]) -> Key {
    let (first, second) = content.split_at(content.len() / 2);
    let (one, two) = parallel::both(|| sum(first, 1), || sum(second, 2));
    [content.len() as u64, one, two]
}

/// The head of a file, with a sum of itself in the end.
fn head(key: Key, first_part: u64, whole: u64) -> [u64; 10] {
    let version = sum(env!("CARGO_PKG_VERSION").as_bytes(), size_of::<usize>() as u64);
    let mut head = [MAGIC, LAYOUT, version, key[0], key[1], key[2], first_part, whole, 0, 0];
    let bytes: Vec<u8> = head.iter().flat_map(|word: &u64| word.to_ne_bytes()).collect();
    head[9] = sum(&bytes, 0);
    head
}

const HEAD: u64 = 80;

/// The file of a tokenizer: config, vocabulary and tables are those that it is built from, `parts`
/// whatever else is to be kept. None where its model is none that is kept.
pub fn write(
    key: Key,
    config: &[u8],
    vocab: Vocab,
    tables: &Tables,
    parts: &[&[u8]],
) -> Result<Option<Vec<u8>>> {
    let parsed = Config::parse(config)?;
    let spec = parsed.part("model");
    if kind(spec) != "BPE" || spec["order"] == "score" || vocab.has_types() {
        return Ok(None);
    }
    let stages = Stages::new(&parsed)?;
    let decoder = Decoder::new(&parsed, &vocab, stages.added_tokens.tokens())?;
    let mut vocab = vocab;
    if stages.pre_tokenizer.byte_level {
        vocab.visible_to_bytes();
    }
    let bpe = Bpe::new(spec, &vocab, &tables.merges, stages.first_symbols(&parsed, &vocab)?);
    let (mut first, mut second) = (Writer::default(), Writer::default());
    first.table(config);
    vocab.keep(&mut first);
    decoder.keep(&mut first);
    bpe.keep(&mut second);
    second.number(parts.len());
    for part in parts {
        second.table(part);
    }
    let (length, whole) = (first.0.len() as u64, (first.0.len() + second.0.len()) as u64);
    let mut file: Vec<u8> =
        head(key, length, whole).iter().flat_map(|word| word.to_ne_bytes()).collect();
    file.append(&mut first.0);
    file.append(&mut second.0);
    Ok(Some(file))
}

/// The tokenizer of a file, and what was kept with it; None if it is not what was written for the
/// key.
pub fn read(path: &Path, key: Key) -> Option<(Pipeline, Vec<Vec<u8>>)> {
    // To open a pipe would be to wait for who writes to it.
    let size = std::fs::metadata(path).ok().filter(Metadata::is_file)?.len();
    let open = |start: u64| {
        let mut file = File::open(path).ok()?;
        file.seek(SeekFrom::Start(start)).ok()?;
        Some(file)
    };
    let mut bytes = [0; HEAD as usize];
    open(0)?.read_exact(&mut bytes).ok()?;
    let word = |index: usize| {
        let bytes = bytes[8 * index..8 * index + 8].try_into().unwrap_or_default();
        u64::from_ne_bytes(bytes)
    };
    let (length, whole) = (word(6), word(7));
    let is_ours = head(key, length, whole).into_iter().enumerate().all(|(i, has)| word(i) == has);
    if !is_ours || size != HEAD.checked_add(whole)? || length > whole {
        return None;
    }
    let (first, second) = parallel::both(
        || {
            let mut from = Reader::new(open(HEAD)?, length);
            let config = Config::parse(&from.table::<u8>()?).ok()?;
            let stages = Stages::new(&config).ok()?;
            let vocab = Vocab::kept(&mut from)?;
            let decoder = Decoder::kept(&config, &vocab, stages.added_tokens.tokens(), &mut from)?;
            Some((config, stages, vocab, decoder))
        },
        || {
            let mut from = Reader::new(open(HEAD + length)?, whole - length);
            let tables = Bpe::kept_tables(&mut from)?;
            let parts = (0..from.number()?).map(|_| from.table()).collect::<Option<Vec<_>>>()?;
            Some((tables, parts))
        },
    );
    let ((config, stages, vocab, decoder), (tables, parts)) = (first?, second?);
    let bpe = Bpe::kept(tables, stages.first_symbols(&config, &vocab).ok()?);
    let model = Model::of_bpe(bpe, vocab, &stages.added_tokens.special_ids());
    let post_processor = PostProcessor::new(&config).ok()?;
    let Stages { pre_tokenizer, normalizer, added_tokens } = stages;
    let pipeline = Pipeline::of(
        &config,
        (pre_tokenizer, normalizer, added_tokens),
        (model, post_processor, decoder),
    );
    Some((pipeline, parts))
}

/// The stages that are built anew.
struct Stages {
    pre_tokenizer: PreTokenizer,
    normalizer: Normalizer,
    added_tokens: AddedTokens,
}

impl Stages {
    fn new(config: &Config) -> Result<Self> {
        let pre_tokenizer = PreTokenizer::new(config)?;
        let normalizer = Normalizer::new(config, &Vocab::default())?; // pieces without types
        let added_tokens = AddedTokens::new(config, |content| {
            let form = normalizer.normalize(content, 0..content.len(), false, false, None)?;
            Ok(form.text.into_owned())
        })?;
        Ok(Self { pre_tokenizer, normalizer, added_tokens })
    }

    fn first_symbols(&self, config: &Config, vocab: &Vocab) -> Result<FirstSymbols> {
        let drops = *config.part("origin") == "tokenizer.json";
        FirstSymbols::new(config.part("model"), vocab, self.pre_tokenizer.byte_level, drops)
    }
}
