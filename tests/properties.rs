//! What holds for every text and every corpus: the core against the obvious, slow way, written here.

use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::sync::atomic::AtomicBool;

use kugiri::alignment::Aligned;
use kugiri::collections::heap::Heap;
use kugiri::collections::pair_map::{PairMap, pack, unpack};
use kugiri::collections::word_cache::{BLOCK, Kind, Row, Unit, WordCache};
use kugiri::decode::Invalid;
use kugiri::encoding::{Count, Spans};
use kugiri::error::Error;
use kugiri::pipeline::Pipeline;
use kugiri::pre_tokenize::{PreTokenizer, scanner};
use kugiri::spec::{Config, Tables};
use kugiri::special_tokens::Special;
use kugiri::train::bpe::{Merge, train};
use kugiri::train::options::Options;
use kugiri::train::word_counts::{Cutter, WordCounter, Words};
use kugiri::vocab::Vocab;
use kugiri::worker::Worker;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

const TIES: [&str; 4] = ["lowest-ids", "first-seen", "greatest-pair", "sentencepiece"];

// ── training ────────────────────────────────────────────────────────────────────────────────────

/// A run that counts all pairs anew at every step.
struct Naive {
    /// Strings in order of id.
    symbols: Vec<String>,
    alphabet: usize,
    words: Vec<(Vec<usize>, u64)>,
    merges: Vec<Merge>,
}

impl Naive {
    fn new(words: &[(String, u64)]) -> Self {
        let characters = words.iter().flat_map(|(word, _)| word.chars());
        let alphabet: BTreeSet<String> = characters.map(String::from).collect();
        let symbols: Vec<String> = alphabet.into_iter().collect();
        let id = |c: char| symbols.iter().position(|symbol| *symbol == c.to_string()).unwrap();
        let words = words.iter().map(|(word, count)| (word.chars().map(id).collect(), *count));
        Self { words: words.collect(), alphabet: symbols.len(), symbols, merges: Vec::new() }
    }

    fn length(&self, id: usize) -> usize {
        self.symbols[id].chars().count()
    }

    fn join(&self, (left, right): (usize, usize)) -> String {
        format!("{}{}", self.symbols[left], self.symbols[right])
    }

    /// Every pair that may be merged, in order of first occurrence, with its count.
    fn pairs(&self, longest: usize) -> Vec<((usize, usize), u64)> {
        let mut pairs: Vec<((usize, usize), u64)> = Vec::new();
        for (symbols, count) in &self.words {
            for pair in symbols.windows(2).map(|pair| (pair[0], pair[1])) {
                match pairs.iter_mut().find(|(known, _)| *known == pair) {
                    Some((_, known)) => *known += count,
                    None => pairs.push((pair, *count)),
                }
            }
        }
        pairs.retain(|((left, right), _)| self.length(*left) + self.length(*right) <= longest);
        pairs
    }

    fn choose(&self, tied: &[(usize, usize)], tie: &str) -> (usize, usize) {
        let pairs = tied.iter().copied();
        match tie {
            "first-seen" => Some(tied[0]),
            "lowest-ids" => pairs.min(),
            "greatest-pair" => pairs.max_by_key(|&(l, r)| (&self.symbols[l], &self.symbols[r])),
            _ => pairs.min_by_key(|&pair| {
                (self.length(pair.0) + self.length(pair.1), self.join(pair), pair)
            }),
        }
        .expect("a pair")
    }

    fn tokens(&self) -> u64 {
        self.words.iter().map(|(symbols, count)| symbols.len() as u64 * count).sum()
    }

    /// Makes one merge; false when there is none to make.
    fn step(&mut self, least: u64, longest: usize, tie: &str) -> bool {
        let pairs = self.pairs(longest);
        let Some(count) = pairs.iter().map(|&(_, count)| count).max() else { return false };
        if count < least {
            return false;
        }
        let tied: Vec<_> = pairs.iter().filter(|pair| pair.1 == count).map(|pair| pair.0).collect();
        let (left, right) = self.choose(&tied, tie);
        let (before, result) = (self.tokens(), self.symbols.len());
        self.symbols.push(self.join((left, right)));
        for (symbols, _) in &mut self.words {
            *symbols = merged(symbols, left, right, result);
        }
        let (left, right, result) = (left as u32, right as u32, result as u32);
        self.merges.push(Merge { left, right, result, count, applied: before - self.tokens() });
        true
    }
}

/// A pair replaced wherever it stands, from left to right.
fn merged(symbols: &[usize], left: usize, right: usize, result: usize) -> Vec<usize> {
    let (mut merged, mut at) = (Vec::new(), 0);
    while at < symbols.len() {
        if symbols[at] == left && symbols.get(at + 1) == Some(&right) {
            merged.push(result);
            at += 2;
        } else {
            merged.push(symbols[at]);
            at += 1;
        }
    }
    merged
}

fn options(unit: &str, tie: &str, least: u64, longest: usize, merges: usize) -> Options {
    serde_json::from_value(json!({
        "unit": unit, "tie": tie, "min_frequency": least, "max_piece_length": longest,
        "num_merges": merges, "vocab_size": null, "special_tokens": 0, "byte_order": "value",
        "initial_alphabet": [], "limit_alphabet": null, "end_of_word": null,
        "keep_characters": false, "alphabet_may_exceed": false,
    }))
    .expect("options")
}

/// Words as flat buffers.
fn flat<T: AsRef<[u8]>>(tokens: &[T]) -> (Vec<u8>, Vec<i64>) {
    let (mut data, mut offsets) = (Vec::new(), vec![0]);
    for token in tokens {
        data.extend_from_slice(token.as_ref());
        offsets.push(data.len() as i64);
    }
    (data, offsets)
}

/// Different words with counts: few letters, so that pairs repeat, overlap and tie.
fn corpora() -> impl Strategy<Value = Vec<(String, u64)>> {
    vec(("[abcあ]{1,9}", 1..4u64), 1..12).prop_map(|words| {
        let mut seen = BTreeSet::new();
        words.into_iter().filter(|(word, _)| seen.insert(word.clone())).collect()
    })
}

proptest! {
    #[test]
    fn training_is_counting_anew_at_every_step(
        corpus in corpora(),
        tie in prop::sample::select(&TIES[..]),
        least in 1..4u64,
        longest in prop_oneof![Just(99usize), 2..6usize],
        most in 0..30usize,
    ) {
        let mut naive = Naive::new(&corpus);
        while naive.merges.len() < most && naive.step(least, longest, tie) {}
        let (strings, counts): (Vec<String>, Vec<u64>) = corpus.into_iter().unzip();
        let (data, offsets) = flat(&strings);
        let words = Words { data: &data, offsets: &offsets, counts: &counts };
        let options = options("char", tie, least, longest, most);
        let trained = train(&words, &options, &AtomicBool::new(false)).expect("merges");
        prop_assert_eq!(&trained.merges, &naive.merges);
        prop_assert_eq!(trained.alphabet, naive.alphabet);
        prop_assert_eq!(trained.exhausted, naive.merges.len() < most);
        let strings = (0..trained.symbols.len()).map(|id| trained.symbols.string(id as u32));
        prop_assert!(strings.eq(naive.symbols.iter().map(String::as_bytes)));
        let saved: u64 = trained.merges.iter().map(|merge| merge.applied).sum();
        prop_assert_eq!(trained.initial_tokens - saved, naive.tokens());
    }

    /// The alphabet of bytes is all 256, and single bytes order as their characters do.
    #[test]
    fn bytes_train_as_their_characters(
        words in vec("[abc]{1,9}", 1..9),
        tie in prop::sample::select(&TIES[..]),
    ) {
        let counts = vec![1; words.len()];
        let (data, offsets) = flat(&words);
        let words = Words { data: &data, offsets: &offsets, counts: &counts };
        let run = |unit| {
            let options = options(unit, tie, 2, 99, 99);
            let trained = train(&words, &options, &AtomicBool::new(false)).expect("merges");
            let string = |id| trained.symbols.string(id).to_vec();
            let merges = trained.merges.iter();
            merges.map(|m| (string(m.left), string(m.right), m.count, m.applied)).collect::<Vec<_>>()
        };
        prop_assert_eq!(run("byte"), run("char"));
    }
}

// ── encoding ────────────────────────────────────────────────────────────────────────────────────

/// Tokens in order of id, and merges as left, right and result.
type MergeList = (Vec<Vec<u8>>, Vec<(u32, u32, u32)>);

/// Any merges over the bytes: each pair is of tokens that are there already, in any order of rank.
///
/// They begin with the bytes of these characters, and what has been made of them.
fn merge_lists(characters: &'static str, most: usize) -> impl Strategy<Value = MergeList> {
    let picks = vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..most);
    picks.prop_perturb(move |picks, mut random| {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        let mut merges: Vec<(u32, u32, u32)> = Vec::new();
        for (left, right) in picks {
            let first: BTreeSet<usize> = characters.bytes().map(usize::from).collect();
            let made: Vec<usize> = first.into_iter().chain(256..tokens.len()).collect();
            let (left, right) = (*left.get(&made), *right.get(&made));
            let join = [tokens[left].clone(), tokens[right].clone()].concat();
            if merges.iter().any(|merge| (merge.0, merge.1) == (left as u32, right as u32)) {
                continue;
            }
            let there = tokens.iter().position(|token| *token == join);
            let result = there.unwrap_or(tokens.len());
            if there.is_none() {
                tokens.push(join);
            }
            merges.push((left as u32, right as u32, result as u32));
        }
        for at in (1..merges.len()).rev() {
            merges.swap(at, random.random_range(0..=at));
        }
        (tokens, merges)
    })
}

fn bpe(tokens: &[Vec<u8>], merges: &[(u32, u32, u32)], order: &str) -> Pipeline {
    let spec = json!({"model": {"type": "BPE", "unit": "byte", "order": order}});
    let config = json!({"spec": spec, "scanned": {}}).to_string();
    let (data, offsets) = flat(tokens);
    let vocab = Vocab::new(data, &offsets, None).expect("a vocabulary");
    let config = Config::parse(config.as_bytes()).expect("JSON");
    let tables = Tables { merges: merges.to_vec(), scores: None };
    Pipeline::new(&config, vocab, &tables).expect("a tokenizer")
}

/// Merges the first pair of lowest rank until none is left.
fn naive_encode(text: &str, merge: impl Fn(u32, u32) -> Option<(usize, u32)>) -> Vec<u32> {
    let mut ids: Vec<u32> = text.bytes().map(u32::from).collect();
    loop {
        let pairs = ids.windows(2).enumerate();
        let merges = pairs.filter_map(|(at, pair)| {
            merge(pair[0], pair[1]).map(|(rank, result)| (rank, at, result))
        });
        let Some((_, at, result)) = merges.min() else { return ids };
        ids.splice(at..at + 2, [result]);
    }
}

proptest! {
    #[test]
    fn encoding_merges_the_lowest_rank_first(
        (tokens, merges) in merge_lists("ab", 14),
        texts in vec("[ab]{0,40}|[ab]{41,150}|a{0,120}", 1..4),
    ) {
        let pipeline = bpe(&tokens, &merges, "list");
        let rank = |left, right| {
            let rank = merges.iter().position(|merge| (merge.0, merge.1) == (left, right))?;
            Some((rank, merges[rank].2))
        };
        let mut worker = Worker::default();
        for text in texts.iter().chain(&texts) {
            let expected = naive_encode(text, rank);
            let mut ids = Vec::new();
            pipeline.encode(&[text], Special::default(), &mut worker, &mut ids).expect("ids");
            prop_assert_eq!(&ids, &expected);
            let (mut spans, mut count) = (Spans::default(), Count::default());
            pipeline.encode(&[text], Special::default(), &mut worker, &mut spans).expect("tokens");
            pipeline.encode(&[text], Special::default(), &mut worker, &mut count).expect("a number");
            prop_assert_eq!(count.0, spans.ids.len());
            prop_assert_eq!(&spans.ids, &expected);
            let ends = spans.ids.iter().scan(0, |at, &id| {
                *at += tokens[id as usize].len();
                Some(*at)
            });
            prop_assert!(ends.eq(spans.spans.iter().map(|span| span.1)));
            let mut bytes = Vec::new();
            pipeline.decode(&ids, false, Invalid::Replaced, &mut bytes).expect("bytes");
            prop_assert_eq!(bytes, text.as_bytes());
        }
    }

    /// Sections, and characters that are taken whole, change nothing.
    #[test]
    fn characters_of_several_bytes_merge_as_their_bytes(
        (tokens, merges) in merge_lists("aéい京", 60),
        text in "[aéい京]{0,6}|[aéい京]{6,40}",
    ) {
        for order in ["list", "rank"] {
            let pipeline = bpe(&tokens, &merges, order);
            let row = |left, right| merges.iter().position(|row| (row.0, row.1) == (left, right));
            let id = |string: &[u8]| tokens.iter().position(|token| token == string);
            let merge = |left: u32, right: u32| match order {
                "list" => row(left, right).map(|row| (row, merges[row].2)),
                _ => id(&[&tokens[left as usize][..], &tokens[right as usize]].concat())
                    .map(|id| (id, id as u32)),
            };
            let whole = id(text.as_bytes()).filter(|_| order == "rank").map(|id| vec![id as u32]);
            let expected = whole.unwrap_or_else(|| naive_encode(&text, merge));
            let mut worker = Worker::default();
            for _ in 0..2 {
                let mut ids = Vec::new();
                pipeline.encode(&[&text], Special::default(), &mut worker, &mut ids).expect("ids");
                prop_assert_eq!(&ids, &expected, "{}", order);
            }
        }
    }

    #[test]
    fn encoding_by_rank_of_bytes((tokens, _) in merge_lists("ab", 14), text in "[ab]{0,80}") {
        let pipeline = bpe(&tokens, &[], "rank");
        let id = |string: &[u8]| tokens.iter().position(|token| token == string);
        let rank = |left: u32, right: u32| {
            let join = [&tokens[left as usize][..], &tokens[right as usize]].concat();
            id(&join).map(|id| (id, id as u32))
        };
        let whole = id(text.as_bytes()).map(|id| vec![id as u32]);
        let mut ids = Vec::new();
        pipeline.encode(&[&text], Special::default(), &mut Worker::default(), &mut ids).expect("ids");
        prop_assert_eq!(ids, whole.unwrap_or_else(|| naive_encode(&text, rank)));
    }
}

/// é is made only after x and a are one; had it been there before, a and é would be one.
#[test]
fn a_character_that_is_made_late_merges_late() {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    tokens.extend(["é", "xa", "aé"].map(|token| token.as_bytes().to_vec()));
    let merges = [(0x61, 256, 258), (0x78, 0x61, 257), (0xc3, 0xa9, 256)];
    for (merges, expected) in
        [(merges, [257, 256]), ([merges[2], merges[0], merges[1]], [0x78, 258])]
    {
        let mut ids = Vec::new();
        let (special, mut worker) = (Special::default(), Worker::default());
        bpe(&tokens, &merges, "list")
            .encode(&["xaé"], special, &mut worker, &mut ids)
            .expect("ids");
        assert_eq!(ids, expected);
    }
}

// ── pre-tokenizing and counting ─────────────────────────────────────────────────────────────────

/// Any characters, and those that split patterns are about.
fn texts() -> impl Strategy<Value = String> {
    let tricky =
        "('s|'LL|'ſ| |\n|\r|\u{3000}|aB|Ab|12|½|あ|漢|ー|か\u{3099}|\u{301}|ǅ|/|。|🐈|\u{0}){0,12}";
    prop_oneof![any::<String>(), tricky.prop_map(String::from)]
}

fn pre_tokenizer(spec: &Value) -> PreTokenizer {
    let config = json!({"spec": {"pre_tokenizer": spec}, "scanned": {}}).to_string();
    PreTokenizer::new(&Config::parse(config.as_bytes()).expect("JSON")).expect("a pre-tokenizer")
}

proptest! {
    #[test]
    fn scanners_cover_the_text_and_split_no_character(text in texts()) {
        for name in ["gpt2", "cl100k", "o200k", "llama3", "qwen2"] {
            let mut at = 0;
            let each = scanner(name).expect("a scanner").each(&text, |range| {
                prop_assert_eq!(range.start, at, "{} leaves out something", name);
                prop_assert!(range.end > at, "{name} stands still at {at}");
                prop_assert!(text.is_char_boundary(range.end), "{name} ends in a character at {at}");
                at = range.end;
                Ok(())
            });
            each?;
            prop_assert_eq!(at, text.len(), "{} ends past the text", name);
        }
    }

    #[test]
    fn every_behavior_but_removed_covers_the_text(text in texts(), invert: bool) {
        for behavior in ["isolated", "merged_with_previous", "merged_with_next", "contiguous"] {
            let split = json!({
                "type": "Split", "behavior": behavior, "invert": invert,
                "pattern": {"type": "Regex", "regex": r"[\p{L}\p{N}]"},
            });
            let mut done = 0;
            let stretch = Aligned::of(&text, 0..text.len());
            let words = pre_tokenizer(&split).words(stretch, &text, false, false, None).expect("words");
            words.each(|word| {
                assert_eq!(word.start, done, "{behavior}");
                assert!(!word.is_empty() && text.is_char_boundary(word.end), "{behavior}");
                done = word.end;
                Ok::<(), Error>(())
            })
            .expect("words");
            prop_assert_eq!(done, text.len());
        }
    }

    #[test]
    fn words_are_counted_in_order_of_first_occurrence(
        documents in vec("[ab ]{0,12}", 0..40),
        threads in 1..4usize,
        cut in any::<prop::sample::Index>(),
    ) {
        let mut expected: Vec<(&str, u64)> = Vec::new();
        for word in documents.iter().flat_map(|document| document.split_whitespace()) {
            match expected.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => expected.push((word, 1)),
            }
        }
        let spec = json!({"pre_tokenizer": {"type": "WhitespaceSplit"}});
        let config = json!({"spec": spec, "scanned": {}}).to_string();
        let config = Config::parse(config.as_bytes()).expect("JSON");
        let white_space = Cutter::pre_tokens(&config).expect("a cutter");
        let mut counter = WordCounter::new(white_space, Some(threads));
        let texts: Vec<&str> = documents.iter().map(String::as_str).collect();
        let (first, rest) = texts.split_at(cut.index(texts.len() + 1));
        for part in [first, rest] {
            counter.feed(part, &AtomicBool::new(false)).expect("words");
        }
        let (strings, counts): (Vec<&str>, Vec<u64>) = expected.into_iter().unzip();
        let found = counter.take().expect("words");
        prop_assert_eq!((found.data, found.offsets), flat(&strings));
        prop_assert_eq!(found.counts, counts);
    }
}

// ── collections ─────────────────────────────────────────────────────────────────────────────────

proptest! {
    #[test]
    fn a_pair_map_is_a_map(
        capacity in 0..40usize,
        pairs in vec(((0..20u32, 0..20u32), any::<u32>(), any::<bool>()), 0..300),
    ) {
        let (mut map, mut expected) = (PairMap::with_capacity(capacity), HashMap::new());
        for ((left, right), value, adds) in pairs {
            let pair = pack(left, right);
            prop_assert_eq!(unpack(pair), (left, right));
            if adds {
                let (known, wanted): (&mut u32, &mut u32) =
                    (map.entry(pair), expected.entry(pair).or_default());
                *known = known.wrapping_add(value);
                *wanted = wanted.wrapping_add(value);
            } else {
                map.insert(pair, value);
                expected.insert(pair, value);
            }
        }
        prop_assert_eq!(map.len(), expected.len());
        prop_assert_eq!(map.is_empty(), expected.is_empty());
        for pair in (0..21).flat_map(|left| (0..21).map(move |right| pack(left, right))) {
            prop_assert_eq!(map.get(pair), expected.get(&pair).copied());
        }
        prop_assert_eq!(map.iter().collect::<HashMap<_, _>>(), expected);
    }

    #[test]
    fn a_heap_is_a_heap(
        start in vec(0..50u32, 0..20),
        steps in vec(prop::option::of(0..50u32), 0..60),
    ) {
        let first = |a: &u32, b: &u32| a > b;
        let mut expected: BinaryHeap<u32> = start.iter().copied().collect();
        let mut heap = Heap::from_vec(start, first);
        for step in steps {
            if let Some(item) = step {
                heap.push(item, first);
                expected.push(item);
            } else {
                prop_assert_eq!(heap.pop(first), expected.pop());
            }
            prop_assert_eq!(heap.len(), expected.len());
        }
        while let Some(item) = expected.pop() {
            prop_assert_eq!(heap.pop(first), Some(item));
        }
        prop_assert!(heap.is_empty());
    }

    /// A word may have been pushed out by another; what is there is what was put there last.
    #[test]
    fn a_word_cache_gives_what_was_put(
        puts in vec((vec(0..3u8, 1..18), vec(any::<u32>(), 0..6)), 0..60),
    ) {
        let (mut cache, mut expected) = (WordCache::default(), HashMap::new());
        let unit = |word: &[u8]| Unit::new(word, 0..word.len(), Kind::Word);
        let get = |cache: &mut WordCache, word: &[u8]| {
            let mut rows = [Row::default(); BLOCK];
            let is_there = cache.find(&[unit(word)], &mut rows) == 1;
            is_there.then(|| rows[0].ids[..rows[0].count as usize].to_vec())
        };
        for (word, ids) in puts {
            cache.put(&unit(&word), &ids);
            let fits = word.len() <= 15 && ids.len() <= 3;
            prop_assert!(get(&mut cache, &word).is_some() || !fits);
            if fits {
                expected.insert(word, ids);
            }
        }
        for (word, ids) in &expected {
            prop_assert!(get(&mut cache, word).is_none_or(|found| found == *ids));
        }
        prop_assert_eq!(get(&mut cache, b"never put"), None);
    }
}
