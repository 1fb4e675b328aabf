//! The rows of `tests/vectors` on the core, without Python; the readable engine reads the same files
//! (`test_reference_vectors.py`), and so do the Python names of the core (`test_vectors_core.py`).

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

use kugiri::alignment::Aligned;
use kugiri::decode::Invalid;
use kugiri::encoding::Spans;
use kugiri::error::{Error, Result};
use kugiri::pipeline::Pipeline;
use kugiri::pre_tokenize::PreTokenizer;
use kugiri::spec::{Config, Tables};
use kugiri::special_tokens::{AddedTokens, Allowed, Pass, Segment, Special};
use kugiri::train::bpe::{Trained, train};
use kugiri::train::options::Options;
use kugiri::train::word_counts::Words;
use kugiri::vocab::Vocab;
use kugiri::worker::Worker;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

const SCANNERS: [&str; 5] = ["gpt2", "cl100k", "o200k", "llama3", "qwen2"];

/// The rows of one file: those with a result, and those that are refused.
#[derive(Deserialize)]
struct Rows<T> {
    case: Vec<T>,
    #[serde(default = "Vec::new")]
    refused: Vec<T>,
}

fn rows<T: DeserializeOwned>(file: &str) -> Rows<T> {
    toml::from_str(file).expect("the vectors are TOML of the form that their head describes")
}

/// A piece as the vectors write it: text, or `<e5 b0>`.
fn to_bytes(piece: &str) -> Vec<u8> {
    let hex = piece.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or("");
    let bytes: Option<Vec<u8>> = hex.split(' ').map(hex_byte).collect();
    bytes.unwrap_or_else(|| piece.into())
}

fn hex_byte(digits: &str) -> Option<u8> {
    let is_hex = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u8::from_str_radix(digits, 16).expect("two hex digits"))
}

fn show(token: &[u8]) -> String {
    let hex = || token.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    String::from_utf8(token.to_vec()).unwrap_or_else(|_| format!("<{}>", hex()))
}

/// Token strings laid end to end.
fn flat(tokens: &[Vec<u8>]) -> (Vec<u8>, Vec<i64>) {
    let mut offsets = vec![0];
    for token in tokens {
        offsets.push(offsets[offsets.len() - 1] + token.len() as i64);
    }
    (tokens.concat(), offsets)
}

/// A tokenizer from the JSON of its spec and its tables.
fn pipeline(spec: &Value, tokens: &[Vec<u8>], merges: &[(u32, u32, u32)]) -> Result<Pipeline> {
    let (data, offsets) = flat(tokens);
    let vocab = Vocab::new(data, &offsets, None)?;
    Pipeline::new(&config(spec), vocab, &Tables { merges: merges.to_vec(), scores: None })
}

/// A spec as the core gets it; a pattern that is the name of a scanner means that scanner.
fn config(spec: &Value) -> Config {
    let scanned: HashMap<&str, &str> = SCANNERS.into_iter().map(|name| (name, name)).collect();
    let json = json!({"spec": spec, "scanned": scanned});
    Config::parse(json.to_string().as_bytes()).expect("it is JSON")
}

/// The pre-tokenizer whose pieces are the matches of a named pattern.
fn keeping_matches(name: &str) -> Value {
    let seeds: toml::Table = toml::from_str(include_str!("vectors/seeds.toml")).expect("TOML");
    let scripts = seeds["script_pattern"]["pattern"].as_str().expect("a pattern");
    let regex = if name == "japanese-scripts" { scripts } else { name };
    let pattern = json!({"type": "Regex", "regex": regex});
    json!({"type": "Split", "pattern": pattern, "behavior": "removed", "invert": true})
}

fn bytes() -> Vec<Vec<u8>> {
    (0..=255).map(|byte| vec![byte]).collect()
}

fn ids(pipeline: &Pipeline, text: &str) -> Result<Vec<u32>> {
    let mut ids = Vec::new();
    pipeline.encode(&[text], Special::default(), &mut Worker::default(), &mut ids)?;
    Ok(ids)
}

/// What the message of an error must hold.
fn assert_says(error: &Error, class: &str, says: &[String], name: &str) {
    let is_of_class = match error {
        Error::Encoding(_) | Error::Unknown(..) => class == "EncodingError",
        Error::Training(_) => class == "TrainingError",
        Error::Vocabulary(_) => class == "VocabularyError",
        _ => false,
    };
    assert!(is_of_class, "{name}: {error:?}");
    for part in says {
        assert!(error.to_string().contains(part), "{name}: {error} does not say {part}");
    }
}

// ── training ────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize)]
struct TrainRow {
    name: String,
    words: Vec<(String, u64)>,
    options: Map<String, Value>,
    #[serde(default)]
    merges: Vec<(String, String, u64)>,
    results: Option<Vec<u32>>,
    applied: Option<Vec<u64>>,
    after: Option<Vec<String>>,
    alphabet: Option<Vec<String>>,
    dropped: Option<BTreeMap<String, u64>>,
    #[serde(default)]
    error: String,
    #[serde(default)]
    says: Vec<String>,
}

impl TrainRow {
    fn options(&self) -> Options {
        let mut all = json!({
            "unit": "byte", "vocab_size": null, "special_tokens": 0, "num_merges": null,
            "min_frequency": 2, "max_piece_length": null, "tie": "lowest-ids",
            "byte_order": "value", "initial_alphabet": [], "limit_alphabet": null,
            "end_of_word": null, "keep_characters": false, "alphabet_may_exceed": false,
        });
        for (name, value) in &self.options {
            // The core learns only how many special tokens there are.
            let count = value.as_array().filter(|_| name == "special_tokens").map(Vec::len);
            all[name] = count.map_or_else(|| value.clone(), Value::from);
        }
        serde_json::from_value(all).expect("options of the core")
    }

    fn train(&self) -> Result<Trained> {
        let words: Vec<Vec<u8>> = self.words.iter().map(|(word, _)| word.clone().into()).collect();
        let counts: Vec<u64> = self.words.iter().map(|&(_, count)| count).collect();
        let (data, offsets) = flat(&words);
        let words = Words { data: &data, offsets: &offsets, counts: &counts };
        train(&words, &self.options(), &AtomicBool::new(false))
    }
}

#[test]
fn bpe_train() {
    for row in rows::<TrainRow>(include_str!("vectors/bpe_train.toml")).case {
        let name = &row.name;
        let trained = row.train().unwrap_or_else(|error| panic!("{name}: {error}"));
        let string = |id: u32| show(trained.symbols.string(id));
        let merges = trained.merges.iter();
        let found: Vec<_> =
            merges.map(|merge| (string(merge.left), string(merge.right), merge.count)).collect();
        assert_eq!(found, row.merges, "{name}");
        if let Some(results) = &row.results {
            let found: Vec<u32> = trained.merges.iter().map(|merge| merge.result).collect();
            assert_eq!(&found, results, "{name}");
        }
        if let Some(applied) = &row.applied {
            let found: Vec<u64> = trained.merges.iter().map(|merge| merge.applied).collect();
            assert_eq!(&found, applied, "{name}");
        }
        if let Some(alphabet) = &row.alphabet {
            let found: Vec<String> = (0..trained.alphabet as u32).map(string).collect();
            assert_eq!(&found, alphabet, "{name}");
        }
        let dropped = row.dropped.clone().unwrap_or_default();
        assert_eq!(trained.left_out.characters, dropped.len() as u64, "{name}");
        assert_eq!(trained.left_out.occurrences, dropped.values().sum::<u64>(), "{name}");
        // Words with a dropped character cannot be encoded; all others end as training left them.
        if let (Some(after), true) = (&row.after, dropped.is_empty()) {
            assert_eq!(&encode_with(&row, &trained), after, "{name}");
        }
    }
}

/// The words of a row, encoded with what was learned from them.
fn encode_with(row: &TrainRow, trained: &Trained) -> Vec<String> {
    let merges: Vec<_> = trained.merges.iter().map(|m| (m.left, m.right, m.result)).collect();
    let tokens: Vec<Vec<u8>> =
        (0..trained.symbols.len()).map(|id| trained.symbols.string(id as u32).into()).collect();
    let mut model = json!({"type": "BPE", "unit": "byte"});
    for name in ["unit", "end_of_word"] {
        if let Some(value) = row.options.get(name) {
            model[name] = value.clone();
        }
    }
    let pipeline = pipeline(&json!({"model": model}), &tokens, &merges).expect("a tokenizer");
    let encode = |word: &str| {
        let ids = ids(&pipeline, word).expect("ids");
        ids.iter().map(|&id| show(&tokens[id as usize])).collect::<Vec<_>>().join(" ")
    };
    row.words.iter().map(|(word, _)| encode(word)).collect()
}

#[test]
fn bpe_train_refuses() {
    // What can be seen without the corpus is refused in Python, before the core is called.
    let refused = rows::<TrainRow>(include_str!("vectors/bpe_train.toml")).refused;
    let of_the_core: Vec<_> = refused.iter().filter(|row| row.error == "VocabularyError").collect();
    assert!(!of_the_core.is_empty());
    for row in of_the_core {
        let error = row.train().err().expect("an error");
        assert_says(&error, &row.error, &row.says, &row.name);
    }
}

// ── encoding ────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize, Default)]
#[serde(default)]
struct EncodeRow {
    name: String,
    unit: Option<String>,
    alphabet: Vec<String>,
    merges: Vec<(String, String)>,
    tokens: Vec<String>,
    order: Option<String>,
    pattern: Option<String>,
    end_of_word: String,
    ignore_merges: bool,
    unk: bool,
    fuse_unk: bool,
    text: String,
    pieces: Vec<String>,
    ids: Vec<u32>,
    spans: Vec<(usize, usize)>,
    error: String,
    says: Vec<String>,
}

impl EncodeRow {
    /// The vocabulary in order of id, as the head of the file describes it.
    fn vocab(&self) -> Vec<Vec<u8>> {
        let mut vocab = if self.unit.is_none() { bytes() } else { Vec::new() };
        vocab.extend(self.alphabet.iter().map(|piece| to_bytes(piece)));
        for join in
            self.merges.iter().map(|(left, right)| [to_bytes(left), to_bytes(right)].concat())
        {
            if !vocab.contains(&join) {
                vocab.push(join);
            }
        }
        vocab.extend(self.tokens.iter().map(|piece| to_bytes(piece)));
        vocab.extend(self.unk.then(|| b"<unk>".to_vec()));
        vocab
    }

    fn pipeline(&self) -> Result<Pipeline> {
        let vocab = self.vocab();
        let id = |token: &[u8]| vocab.iter().position(|known| known == token).expect("a token");
        let merge = |(left, right): &(String, String)| {
            let (left, right) = (to_bytes(left), to_bytes(right));
            let join = [left.clone(), right.clone()].concat();
            (id(&left) as u32, id(&right) as u32, id(&join) as u32)
        };
        let unknown = json!({"id": vocab.len() - 1, "content": "<unk>", "special": true});
        let spec = json!({
            "model": {
                "type": "BPE",
                "unit": self.unit.as_deref().unwrap_or("byte"),
                "order": self.order.as_deref().unwrap_or("list"),
                "end_of_word": self.end_of_word,
                "unk_token": self.unk.then_some("<unk>"),
                "fuse_unk": self.fuse_unk,
                "ignore_merges": self.ignore_merges,
            },
            "added_tokens": if self.unk { vec![unknown] } else { vec![] },
            "pre_tokenizer": self.pattern.as_deref().map(keeping_matches),
        });
        pipeline(&spec, &vocab, &self.merges.iter().map(merge).collect::<Vec<_>>())
    }
}

#[test]
fn bpe_encode() {
    for row in rows::<EncodeRow>(include_str!("vectors/bpe_encode.toml")).case {
        let name = &row.name;
        let pipeline = row.pipeline().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut spans = Spans::default();
        let mut worker = Worker::default();
        pipeline.encode(&[&row.text], Special::default(), &mut worker, &mut spans).expect("tokens");
        assert_eq!(spans.ids, row.ids, "{name}");
        assert_eq!(spans.spans, row.spans, "{name}");
        assert_eq!(ids(&pipeline, &row.text).expect("ids"), row.ids, "{name}");
        let (vocab, unknown) = (row.vocab(), row.unk.then(|| row.vocab().len() - 1));
        let pieces = spans.ids.iter().zip(&spans.spans).map(|(&id, &(start, end))| {
            let is_unknown = unknown == Some(id as usize);
            if is_unknown { row.text[start..end].to_owned() } else { show(&vocab[id as usize]) }
        });
        assert_eq!(pieces.collect::<Vec<_>>(), row.pieces, "{name}");
    }
}

#[test]
fn bpe_encode_refuses() {
    for row in rows::<EncodeRow>(include_str!("vectors/bpe_encode.toml")).refused {
        let result = row.pipeline().and_then(|pipeline| ids(&pipeline, &row.text));
        assert_says(&result.expect_err("refused"), &row.error, &row.says, &row.name);
    }
}

#[derive(Deserialize)]
struct SpecialRow {
    name: String,
    added: Vec<Map<String, Value>>,
    #[serde(default)]
    origin: String,
    allowed: Value,
    text: String,
    parts: Vec<Value>,
    #[serde(default)]
    spans: Vec<(usize, usize)>,
}

#[test]
fn special_tokens() {
    for row in rows::<SpecialRow>(include_str!("vectors/special_tokens.toml")).case {
        let added = row.added.iter().cloned().map(|mut token| {
            token.entry("special").or_insert(Value::Bool(true));
            Value::Object(token)
        });
        let spec =
            json!({"spec": {"origin": row.origin, "added_tokens": added.collect::<Vec<_>>()}});
        let config = Config::parse(spec.to_string().as_bytes()).expect("a spec");
        let added = AddedTokens::new(&config, |text| Ok(text.to_lowercase())).expect("tokens");
        let names = row.allowed.as_array();
        let is_allowed = |content: &str| names.is_none_or(|names| names.contains(&content.into()));
        let tokens = added.tokens().iter().filter(|token| is_allowed(&token.content));
        let mut allowed: Vec<u32> = tokens.map(|token| token.id).collect();
        allowed.sort_unstable();
        let allowed = Allowed::Ids(&allowed);
        let (mut parts, mut spans) = (Vec::new(), Vec::new());
        let mut found = |segment: Segment, text: &str, start: usize| {
            let (part, at) = match segment {
                Segment::Text(at) => (Value::from(&text[at.clone()]), at),
                Segment::Token(id, at) => (Value::from(id), at),
            };
            parts.push(part);
            spans.push((start + at.start, start + at.end));
            Ok::<(), Error>(())
        };
        let visit = |segment: Segment| match segment {
            Segment::Text(at) => {
                let normalized = row.text[at.clone()].to_lowercase();
                let visit = |segment| found(segment, &normalized, at.start);
                added.split(Pass::Normalized, &normalized, allowed, visit)
            }
            token @ Segment::Token(..) => found(token, &row.text, 0),
        };
        added.split(Pass::Raw, &row.text, allowed, visit).expect("parts");
        if !row.spans.is_empty() {
            assert_eq!(spans, row.spans, "{}", row.name);
        }
        assert_eq!(parts, row.parts, "{}", row.name);
    }
}

// ── pre-tokenizing ──────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize)]
struct PreTokenRows {
    text: Vec<Map<String, Value>>,
    step: Vec<StepRow>,
}

#[derive(Deserialize)]
struct StepRow {
    name: String,
    pre_tokenizer: Value,
    text: String,
    spans: Vec<(usize, usize)>,
}

/// The pre-tokens, and the bytes of each.
fn cut(pre_tokenizer: &Value, text: &str) -> Vec<(String, (usize, usize))> {
    let config = config(&json!({"pre_tokenizer": pre_tokenizer}));
    let pre_tokenizer = PreTokenizer::new(&config).expect("a pre-tokenizer");
    let stretch = Aligned::of(text, 0..text.len());
    pre_tokenizer.words(stretch, text, false, true, None).expect("words").shown(false)
}

#[test]
fn named_patterns() {
    let rows: PreTokenRows =
        toml::from_str(include_str!("vectors/pre_tokenize.toml")).expect("TOML");
    for row in &rows.text {
        let text = row["text"].as_str().expect("a text");
        for pattern in SCANNERS.into_iter().chain(["japanese-scripts"]) {
            let words = cut(&keeping_matches(pattern), text);
            let found: Vec<String> = words.into_iter().map(|(word, _)| word).collect();
            assert_eq!(json!(found), row[pattern], "{pattern}: {}", row["name"]);
        }
    }
}

#[test]
fn pre_tokenizers() {
    let rows: PreTokenRows =
        toml::from_str(include_str!("vectors/pre_tokenize.toml")).expect("TOML");
    for row in rows.step {
        let mut pre_tokenizer = row.pre_tokenizer;
        if pre_tokenizer["type"] == "ByteLevel" && pre_tokenizer["use_regex"].is_null() {
            pre_tokenizer["use_regex"] = Value::Bool(true); // the default of spec.py
        }
        let character = |byte: usize| row.text[..byte].chars().count();
        let words = cut(&pre_tokenizer, &row.text).into_iter();
        let spans: Vec<_> =
            words.map(|(_, (start, end))| (character(start), character(end))).collect();
        assert_eq!(spans, row.spans, "{}", row.name);
    }
}

// ── decoding ────────────────────────────────────────────────────────────────────────────────────

#[derive(Deserialize, Default)]
#[serde(default)]
struct DecodeRow {
    name: String,
    vocab: Vec<String>,
    added: Vec<Map<String, Value>>,
    decoder: Value,
    ids: Vec<i64>,
    errors: String,
    skip_special_tokens: bool,
    text: String,
    error: String,
    says: Vec<String>,
}

impl DecodeRow {
    /// The bytes; `split` where the text was split into visible characters too.
    fn decode(&self, split: bool) -> Result<Vec<u8>> {
        let tokens: Vec<_> = self.vocab.iter().map(|piece| to_bytes(piece)).collect();
        let added = self.added.iter().cloned().map(|mut token| {
            token.entry("special").or_insert(Value::Bool(true));
            token
        });
        let visible = json!({"type": "ByteLevel"});
        let spec = json!({
            "model": {"type": "BPE", "unit": "byte"},
            "added_tokens": added.collect::<Vec<_>>(),
            "pre_tokenizer": split.then_some(visible),
            "decoder": self.decoder,
        });
        let tokens = if tokens.is_empty() { bytes() } else { tokens };
        let ids: Vec<u32> = self.ids.iter().map(|&id| id as u32).collect();
        let mut out = Vec::new();
        let invalid = if self.errors == "ignore" { Invalid::Kept } else { Invalid::Replaced };
        pipeline(&spec, &tokens, &[])?.decode(&ids, self.skip_special_tokens, invalid, &mut out)?;
        Ok(out)
    }
}

#[test]
fn decode() {
    for row in rows::<DecodeRow>(include_str!("vectors/decode.toml")).case {
        for split in [false, row.decoder["type"] == "ByteLevel"] {
            let bytes = row.decode(split).unwrap_or_else(|error| panic!("{}: {error}", row.name));
            let mut text = String::from_utf8_lossy(&bytes).into_owned();
            if row.errors == "ignore" {
                text.retain(|character| character != char::REPLACEMENT_CHARACTER);
            }
            assert_eq!(text, row.text, "{}", row.name);
        }
    }
}

#[test]
fn decode_refuses() {
    for row in rows::<DecodeRow>(include_str!("vectors/decode.toml")).refused {
        // Negative ids end in Python; UTF-8 is asked for there too.
        if row.ids.iter().all(|&id| id >= 0) && row.errors != "strict" {
            assert_says(&row.decode(false).expect_err("refused"), &row.error, &row.says, &row.name);
        }
    }
}

#[derive(Deserialize)]
struct Utf8Row {
    text: String,
    bytes: Vec<u32>,
}

#[test]
fn utf8() {
    let tokenizer = EncodeRow::default().pipeline().expect("a tokenizer");
    for row in rows::<Utf8Row>(include_str!("vectors/utf8.toml")).case {
        assert_eq!(ids(&tokenizer, &row.text).expect("ids"), row.bytes, "{:?}", row.text);
        let mut text = Vec::new();
        tokenizer.decode(&row.bytes, false, Invalid::Kept, &mut text).expect("bytes");
        assert_eq!(text, row.text.as_bytes());
    }
}
