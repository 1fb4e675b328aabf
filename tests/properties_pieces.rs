//! What holds for every text and every .model: the core, which cuts a text at its seams and remembers
//! sections, against the obvious, slow way over the whole text, written here.

use std::collections::BTreeMap;

use kugiri::encoding::{Count, Spans};
use kugiri::pipeline::Pipeline;
use kugiri::spec::{Config, Scores, Tables};
use kugiri::special_tokens::Special;
use kugiri::vocab::Vocab;
use kugiri::worker::Worker;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Types of pieces as a .model numbers them.
const NORMAL: u8 = 1;
const UNKNOWN: u8 = 2;
const USER_DEFINED: u8 = 4;
const UNUSED: u8 = 5;

/// Pieces with type and score; the first one is the unknown.
struct Model {
    pieces: Vec<(String, u8, f64)>,
}

impl Model {
    /// Equal strings have the score that stands last; scores are taken from a few, so that they tie.
    fn new(pieces: Vec<(String, u8)>, scores: &[f64]) -> Self {
        let pieces: BTreeMap<String, u8> = pieces.into_iter().collect();
        let all = std::iter::once(("<unk>".to_owned(), UNKNOWN)).chain(pieces);
        let scores = scores.iter().cycle();
        Self { pieces: all.zip(scores).map(|((piece, kind), &s)| (piece, kind, s)).collect() }
    }

    fn pipeline(&self, model: &str, scores: Scores) -> Pipeline {
        self.pipeline_behind(&json!({}), model, scores)
    }

    fn pipeline_behind(&self, normalizer: &Value, model: &str, scores: Scores) -> Pipeline {
        let model = json!({"type": model, "order": "score"});
        let config = json!({"spec": {"normalizer": normalizer, "model": model}, "scanned": {}});
        let data = self.pieces.iter().flat_map(|(piece, _, _)| piece.bytes()).collect();
        let mut offsets = vec![0i64];
        for (piece, _, _) in &self.pieces {
            offsets.push(offsets[offsets.len() - 1] + piece.len() as i64);
        }
        let types: Vec<u8> = self.pieces.iter().map(|piece| piece.1).collect();
        let vocab = Vocab::new(data, &offsets, None).and_then(|vocab| vocab.with_types(&types));
        let config = Config::parse(config.to_string().as_bytes()).expect("JSON");
        let tables = Tables { merges: Vec::new(), scores: Some(scores) };
        Pipeline::new(&config, vocab.expect("a vocabulary"), &tables).expect("a tokenizer")
    }

    fn singles(&self) -> Vec<f32> {
        self.pieces.iter().map(|piece| piece.2 as f32).collect()
    }

    fn doubles(&self) -> Vec<f64> {
        self.pieces.iter().map(|piece| piece.2).collect()
    }

    /// The ids of cuts that may be unknown; unknown ones in a row are one.
    fn settled(cuts: impl Iterator<Item = Option<usize>>) -> Vec<u32> {
        let mut ids: Vec<u32> = cuts.map(|id| id.unwrap_or(0) as u32).collect();
        ids.dedup_by(|next, before| *next == 0 && *before == 0);
        ids
    }

    /// The same as tokenizers has it: those in a row are the piece that they spell, if they do.
    fn settled_by_string(&self, cuts: impl Iterator<Item = (Option<usize>, String)>) -> Vec<u32> {
        let mut fused: Vec<(Option<usize>, String)> = Vec::new();
        for (id, text) in cuts {
            match fused.last_mut() {
                Some((None, before)) if id.is_none() => before.push_str(&text),
                _ => fused.push((id, text)),
            }
        }
        let spelled = |text: &str| self.pieces.iter().skip(1).position(|piece| piece.0 == text);
        let ids = fused.iter().map(|(id, text)| id.or_else(|| spelled(text).map(|at| at + 1)));
        ids.map(|id| id.unwrap_or(0) as u32).collect()
    }

    /// Unigram over the whole text, with sums as `round` leaves them: the cuts, each a piece or none.
    fn unigram(
        &self,
        text: &str,
        round: fn(f64) -> f64,
        farthest: f64,
    ) -> Vec<(Option<usize>, String)> {
        let normal = self.pieces.iter().filter(|piece| piece.1 == NORMAL);
        let lowest = normal.map(|piece| round(piece.2)).fold(f64::from(f32::MAX), f64::min);
        let mut ways: Vec<Option<(f64, usize, Option<usize>)>> = vec![None; text.len() + 1];
        ways[0] = Some((0.0, 0, None));
        for (start, character) in text.char_indices() {
            let here = ways[start].expect("a way").0;
            if here.abs() > farthest {
                for way in ways[start..].iter_mut().flatten() {
                    way.0 = round(way.0 - here);
                }
            }
            let here = ways[start].expect("a way").0;
            let stands = |(_, (piece, kind, _)): &(usize, &(String, u8, f64))| {
                [NORMAL, USER_DEFINED].contains(kind) && text[start..].starts_with(piece.as_str())
            };
            let mut edges: Vec<(usize, Option<usize>, f64)> = Vec::new();
            for (id, (piece, kind, score)) in self.pieces.iter().enumerate().filter(stands) {
                let bonus = round(0.1 * (piece.len() as f64 - 1.0));
                let score = if *kind == USER_DEFINED { bonus } else { round(*score) };
                edges.push((piece.len(), Some(id), score));
            }
            edges.sort_by_key(|edge| edge.0);
            if edges.iter().all(|edge| edge.0 != character.len_utf8()) {
                edges.push((character.len_utf8(), None, round(lowest - 10.0)));
            }
            for (length, id, score) in edges {
                let sum = round(here + score);
                let way = &mut ways[start + length];
                if way.is_none_or(|(best, _, _)| sum > best) {
                    *way = Some((sum, start, id));
                }
            }
        }
        let mut cuts = Vec::new();
        let mut end = text.len();
        while end > 0 {
            let (_, start, id) = ways[end].expect("a way");
            cuts.push((id, text[start..end].to_owned()));
            end = start;
        }
        cuts.reverse();
        cuts
    }

    /// Merging over the whole text: the highest score first, the leftmost among equals.
    fn bpe(&self, text: &str) -> Vec<u32> {
        let id = |text: &str| self.pieces.iter().skip(1).position(|p| p.0 == text).map(|at| at + 1);
        let mut symbols: Vec<(String, bool)> = Vec::new();
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            let symbols_here = self.pieces.iter().filter(|piece| piece.1 == USER_DEFINED);
            let longest = symbols_here
                .map(|piece| piece.0.as_str())
                .filter(|piece| rest.starts_with(piece))
                .max_by_key(|piece| piece.len());
            let length = longest.map_or(character.len_utf8(), str::len);
            symbols.push((rest[..length].to_owned(), longest.is_some()));
            rest = &rest[length..];
        }
        loop {
            let mut best: Option<(f64, usize)> = None;
            for (at, pair) in symbols.windows(2).enumerate() {
                let join = id(&[&*pair[0].0, &*pair[1].0].concat());
                let (Some(join), false, false) = (join, pair[0].1, pair[1].1) else { continue };
                if best.is_none_or(|(score, _)| self.pieces[join].2 > score) {
                    best = Some((self.pieces[join].2, at));
                }
            }
            let Some((_, at)) = best else { break };
            let (right, _) = symbols.remove(at + 1);
            symbols[at].0.push_str(&right);
        }
        Self::settled(symbols.iter().map(|(symbol, _)| id(symbol)))
    }
}

/// Pieces of a few letters, some of which no piece has.
fn pieces(kinds: &'static [u8]) -> impl Strategy<Value = Vec<(String, u8)>> {
    vec(("[abc]{1,4}|▁[abc]{0,3}|[あい]{1,3}", prop::sample::select(kinds)), 1..24)
}

/// Scores that tie, that nearly tie in some ways of adding, and that move the zero.
fn scores() -> impl Strategy<Value = Vec<f64>> {
    let close = || prop::sample::select(&[-0.1, -0.2, -0.3, -0.7, -1.0, -1.1, -1.000_000_1][..]);
    let usual = prop_oneof![4 => close(), 1 => Just(0.0), 1 => -20.0..0.0f64];
    let far = prop_oneof![2 => close(), 2 => -40_000.0..10_000.0f64, 1 => Just(-33_333.3)];
    prop_oneof![3 => vec(usual, 1..24), 1 => vec(far, 1..24)]
}

/// Words that come again and again, so that a section is met after different sums.
fn text() -> impl Strategy<Value = String> {
    let words = vec("[abc]{1,6}|▁[abc]{0,4}|[あい]{1,5}|[xう]{1,2}|aaaa|abab", 1..6);
    (words, vec(any::<prop::sample::Index>(), 0..60))
        .prop_map(|(words, order)| order.iter().map(|at| at.get(&words).as_str()).collect())
}

/// All ways to ask for the tokens of a text give the same.
fn check(pipeline: &Pipeline, worker: &mut Worker, text: &str, expected: &[u32]) {
    let mut ids = Vec::new();
    pipeline.encode(&[text], Special::default(), worker, &mut ids).expect("ids");
    assert_eq!(ids, expected, "{text}");
    let (mut spans, mut count) = (Spans::default(), Count::default());
    pipeline.encode(&[text], Special::default(), worker, &mut spans).expect("tokens");
    pipeline.encode(&[text], Special::default(), worker, &mut count).expect("a number");
    assert_eq!((spans.ids.as_slice(), count.0), (expected, expected.len()));
    let ends = spans.spans.iter().map(|span| span.1).chain([text.len()]);
    assert!(
        spans.spans.iter().map(|span| span.0).eq(std::iter::once(0).chain(ends).take(ids.len()))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn unigram_in_sums_of_32_bits(
        pieces in pieces(&[NORMAL, NORMAL, NORMAL, USER_DEFINED, UNUSED]),
        scores in scores(),
        texts in vec(text(), 1..4),
    ) {
        let model = Model::new(pieces, &scores);
        let pipeline = model.pipeline("Unigram", Scores::Single(model.singles()));
        let mut worker = Worker::default();
        let round = |sum: f64| f64::from(sum as f32);
        for text in texts.iter().chain(&texts) {
            let cuts = model.unigram(text, round, 100_000.0).into_iter();
            let expected = Model::settled(cuts.map(|(id, _)| id));
            check(&pipeline, &mut worker, text, &expected);
        }
    }

    /// Where somebody asks for places, a space is shown as ▁; where nobody does, it stays.
    #[test]
    fn a_space_that_stays_is_one_that_is_shown(
        pieces in pieces(&[NORMAL, NORMAL, NORMAL, USER_DEFINED, UNUSED]),
        scores in scores(),
        texts in vec("(abcabcabc abc|[abcxうé▁]{0,3}[ \t]{0,2}){0,12}", 1..4),
        [prefix, extra, suffix, has_mark] in any::<[bool; 4]>(),
    ) {
        let mark = has_mark.then(|| ("▁".to_owned(), NORMAL));
        let model = Model::new(pieces.into_iter().chain(mark).collect(), &scores);
        let normalizer = json!({
            "type": "SentencePiece", "charsmap": "", "add_dummy_prefix": prefix,
            "remove_extra_whitespaces": extra, "escape_whitespaces": true,
            "treat_whitespace_as_suffix": suffix,
        });
        let scores = Scores::Single(model.singles());
        let pipeline = model.pipeline_behind(&normalizer, "Unigram", scores);
        let mut worker = Worker::default();
        for text in texts.iter().chain(&texts) {
            let (mut ids, mut spans) = (Vec::new(), Spans::default());
            pipeline.encode(&[text], Special::default(), &mut worker, &mut ids).expect("ids");
            pipeline.encode(&[text], Special::default(), &mut worker, &mut spans).expect("tokens");
            prop_assert_eq!(&ids, &spans.ids, "{:?}", text);
        }
    }

    #[test]
    fn unigram_in_sums_of_64_bits(
        pieces in pieces(&[NORMAL, NORMAL, NORMAL, USER_DEFINED]),
        scores in scores(),
        texts in vec(text(), 1..4),
    ) {
        let model = Model::new(pieces, &scores);
        let pipeline = model.pipeline("Unigram", Scores::Double(model.doubles()));
        let mut worker = Worker::default();
        for text in texts.iter().chain(&texts) {
            let cuts = model.unigram(text, |sum| sum, f64::INFINITY).into_iter();
            let expected = model.settled_by_string(cuts);
            check(&pipeline, &mut worker, text, &expected);
        }
    }

    #[test]
    fn bpe_by_score(
        pieces in pieces(&[NORMAL, NORMAL, NORMAL, USER_DEFINED]),
        scores in scores(),
        texts in vec(text(), 1..4),
    ) {
        let model = Model::new(pieces, &scores);
        let pipeline = model.pipeline("BPE", Scores::Single(model.singles()));
        let mut worker = Worker::default();
        for text in texts.iter().chain(&texts) {
            let expected = model.bpe(text);
            check(&pipeline, &mut worker, text, &expected);
        }
    }
}

/// Scores that are no numbers or have no end never meet the table of sections.
#[test]
fn scores_without_order_are_encoded_as_they_come() {
    for score in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 3e38, -3e38] {
        let pieces = ["a", "aa", "ab", "b"].map(|piece| (piece.to_owned(), NORMAL));
        let model = Model::new(pieces.to_vec(), &[score, -1.0, score]);
        let pipeline = model.pipeline("Unigram", Scores::Single(model.singles()));
        let mut worker = Worker::default();
        for text in ["aab", "aabbaab", "a", "x"] {
            let mut ids = Vec::new();
            pipeline.encode(&[text], Special::default(), &mut worker, &mut ids).expect("ids");
            assert!(!ids.is_empty(), "{text}");
        }
    }
}
