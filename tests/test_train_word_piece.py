"""Training WordPiece: literal runs, both engines, tokenizers 0.23.3, and a textbook's program."""

from __future__ import annotations

import warnings
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kugiri
from kugiri.errors import FormatError, KugiriError, OptionError, VocabularyError
from kugiri.reference.train.word_counts import count_words
from kugiri.reference.train.word_piece import MERGE_BY, start, train_steps
from kugiri.training.options import Options
from kugiri.training.trainers import run_core
from strategies import texts
from tests.conftest import SHARED, sliced
from tools import word_piece_ways
from tools.parity_data import HOW_TO_GET

TIES = ["lowest-ids", "first-seen", "greatest-pair", "sentencepiece"]
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def train(corpus: Any, **options: Any) -> kugiri.Tokenizer:
    """Train; the size may be more than the corpus supports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return kugiri.train(corpus, **{"model": "wordpiece", **options})


# ── literal runs ──────────────────────────────────────────────────────────────────────────────
RUNS: dict[str, tuple[dict[str, int], dict[str, Any], str]] = {
    "the most frequent pair": (
        HUGS,
        {"num_merges": 3},
        "b g h n p s u ##g ##n ##s ##u|##ug ##un hug",
    ),
    # g s: 5 / (20 · 5). Then h u, p u and b u all have 1 / 36, and b has the lowest id; bu n comes
    # next with 4 / (4 · 16), or hu gs with 5 / (15 · 5), where h u was taken first.
    "the highest score": (
        HUGS,
        {"num_merges": 3, "merge_by": "likelihood"},
        "b g h n p s u ##g ##n ##s ##u|##gs bu bun",
    ),
    "the highest score, first seen": (
        HUGS,
        {"num_merges": 3, "merge_by": "likelihood", "tie": "first-seen"},
        "b g h n p s u ##g ##n ##s ##u|##gs hu hugs",
    ),
    "a rare pair of rare characters has the highest score": (
        {"xy": 2, "aaaa": 9, "ab": 9},
        {"num_merges": 1, "merge_by": "likelihood"},
        "a b x y ##a ##b ##y|xy",
    ),
    "min_frequency keeps it out": (
        {"xy": 2, "aaaa": 9, "ab": 9},
        {"num_merges": 1, "merge_by": "likelihood", "min_frequency": 3},
        "a b x y ##a ##b ##y|ab",
    ),
    "overlaps are counted: a a twice, with 2 / (2 · 3), once a begins the word": (
        {"aaaa": 1},
        {"merge_by": "likelihood", "min_frequency": 1, "num_merges": 1},
        "a ##a|aa",
    ),
    "a character that only stands inside has an id at the beginning too": (
        {"ab": 2},
        {"num_merges": 9},
        "a b ##b|ab",
    ),
    "characters of the initial alphabet begin words": (
        {"ab": 2},
        {"num_merges": 0, "initial_alphabet": "z"},
        "a b z ##b|",
    ),
    "a dropped character cuts its word; what is behind it is still inside": (
        {"axb": 2, "ab": 3, "b": 1},
        {"num_merges": 9, "limit_alphabet": 2},
        "a b ##b|ab",
    ),
    "no piece that begins a word is spelled like one inside": (
        {"##a": 4, "#": 1},
        {"num_merges": 9},
        "# a ### ##a|##",
    ),
    "another prefix": ({"ab": 2}, {"num_merges": 1, "continuing_prefix": "@"}, "a b @b|ab"),
    "a length": (
        {"abcd": 2},
        {"num_merges": 9, "max_piece_length": 2},
        "a b c d ##b ##c ##d|ab ##cd",
    ),
    "Japanese": (
        {"図書館": 5, "図書": 4, "学校図書館": 3},
        {"num_merges": 2},
        "図 学 書 校 館 ##図 ##書 ##校 ##館|図書 図書館",
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_run(name: str) -> None:
    words, options, expected = RUNS[name]
    alphabet, merged = (part.split() for part in expected.split("|"))
    counts = {word.encode(): count for word, count in words.items()}
    asked = Options(unit="char", **{**options, **as_tuple(options)})
    assert [token.decode() for token in start(counts, asked).alphabet] == alphabet
    assert [step.join.decode() for step in train_steps(counts, asked)] == merged
    assert list(train(words, **options).vocab) == [*alphabet, *merged, "[UNK]"]


def as_tuple(options: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(options[name]) for name in ("initial_alphabet",) if name in options}


# ── both engines ──────────────────────────────────────────────────────────────────────────────
few_letters = st.text("aabbcあ#", min_size=1, max_size=9)
word_counts = st.dictionaries(few_letters, st.integers(1, 4), min_size=1, max_size=12)


@pytest.mark.parametrize("merge_by", MERGE_BY)
@given(
    words=word_counts,
    tie=st.sampled_from(TIES),
    least=st.integers(1, 4),
    longest=st.sampled_from([None, None, 2, 3]),
    limit=st.sampled_from([None, None, 1, 2, 3]),
    prefix=st.sampled_from(["##", "##", "#", "a", "▁a"]),
    most=st.integers(0, 40),
)
@example(
    words={"aaaa": 3, "aaaaaaa": 1, "baaab": 2}, tie="first-seen", least=1, longest=None,
    limit=None, prefix="##", most=40,
)  # fmt: skip
def test_engines_agree(
    merge_by: str,
    words: dict[str, int],
    tie: str,
    least: int,
    longest: int | None,
    limit: int | None,
    prefix: str,
    most: int,
) -> None:
    options = Options(
        unit="char",
        merge_by=merge_by,
        tie=tie,
        min_frequency=least,
        max_piece_length=longest,
        limit_alphabet=limit,
        continuing_prefix=prefix,
        num_merges=most,
    )
    compare(words, options)


def compare(words: dict[str, int], options: Options) -> None:
    """The core against counting everything anew: the same pieces, counts and replacements."""
    counts = {word.encode(): count for word, count in words.items()}
    alphabet, cut, dropped = start(counts, options)
    steps = list(train_steps(counts, options))
    tokens, merges, learned = run_core(
        kugiri.WordCounts.from_mapping(words),
        options,
        (),
        continuing_prefix=options.continuing_prefix,
        merge_by=options.merge_by,
    )
    assert list(tokens) == [*alphabet, *(step.join for step in steps)]
    assert merges.count is not None
    assert merges.applied is not None
    pairs = zip(merges.left.tolist(), merges.right.tolist(), strict=True)
    assert [(tokens[left], tokens[right]) for left, right in pairs] == [
        (step.left, step.right) for step in steps
    ]
    assert merges.count.tolist() == [step.count for step in steps]
    assert merges.applied.tolist() == [step.applied for step in steps]
    assert learned.initial_tokens == sum(len(word.symbols) * word.count for word in cut)
    assert (learned.left_out_characters, learned.left_out_occurrences) == (
        len(dropped),
        sum(dropped.values()),
    )
    assert len(set(tokens)) == len(tokens)


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("text_name", ["neko.txt", "en.txt.gz"])
def test_engines_agree_on_text(text_name: str, tie: str) -> None:
    text = sliced(text_name, 0.01 if text_name == "neko.txt" else 0.0006)
    counts = kugiri.count_words(text.split("\n"), pre_tokenizer="bert", normalizer="bert")
    words = {word.decode(): count for word, count in counts.items()}
    for merge_by in MERGE_BY:
        compare(words, Options(unit="char", merge_by=merge_by, tie=tie, num_merges=150))


@given(
    corpus=st.lists(texts, max_size=4), normalizer=st.sampled_from(["bert", "bert-cased", "nfkc"])
)
def test_words_are_normalized_before_they_are_counted(corpus: list[str], normalizer: str) -> None:
    counts = kugiri.count_words(corpus, pre_tokenizer="bert", normalizer=normalizer)
    expected = count_words(corpus, counts.pre_tokenizer, normalizer=counts.normalizer)
    assert list(counts.items()) == list(expected.items())


# ── tokenizers ────────────────────────────────────────────────────────────────────────────────
def train_hf(corpus: list[str], tok: kugiri.Tokenizer, like_bert: bool, **options: Any) -> Any:
    """The vocabulary of tokenizers, with the alphabet in our order.

    It gives the characters with prefix their ids in the order of a hash table with random seeds,
    and settles ties by ids. But special tokens come first, in their order: with the alphabet among
    them, all is determined.
    """
    hf = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    theirs = hf.Tokenizer(hf.models.WordPiece(unk_token="[UNK]"))
    theirs.pre_tokenizer = hf.pre_tokenizers.WhitespaceSplit()
    if like_bert:
        theirs.normalizer = hf.normalizers.BertNormalizer()
        theirs.pre_tokenizer = hf.pre_tokenizers.BertPreTokenizer()
    first = len(tok.special_tokens) + tok.training["alphabet"]
    given = list(tok.vocab)[:first]
    trainer = hf.trainers.WordPieceTrainer(special_tokens=given, show_progress=False, **options)
    theirs.train_from_iterator(corpus, trainer)
    return theirs.get_vocab()


@given(
    words=st.dictionaries(
        st.text("aabbcあ", min_size=1, max_size=9), st.integers(1, 4), min_size=1, max_size=12
    ),
    room=st.integers(0, 30),
    least=st.integers(1, 4),
)
def test_frequency_is_that_of_tokenizers(words: dict[str, int], room: int, least: int) -> None:
    corpus = [" ".join([word] * count) for word, count in words.items()]
    characters, inside = set("".join(words)), {it for word in words for it in word[1:]}
    size = len(SPECIALS) + len(characters) + len(inside) + room
    options = {"vocab_size": size, "min_frequency": least}
    tok = train(
        corpus, special_tokens=SPECIALS, compatibility="tokenizers", pre_tokenizer="whitespace",
        **options,
    )  # fmt: skip
    assert tok.vocab == train_hf(corpus, tok, like_bert=False, **options)


@pytest.mark.parametrize(
    ("text_name", "share", "vocab_size"),
    [("ja.txt.gz", 0.02, 4_000), ("en.txt.gz", 0.1, 8_000), ("neko.txt", 1, 8_000)],
)
def test_bert_is_that_of_tokenizers(text_name: str, share: float, vocab_size: int) -> None:
    corpus = sliced(text_name, share).split("\n")
    tok = train(corpus, model=None, preset="bert", vocab_size=vocab_size)
    assert tok.vocab_size > vocab_size / 2
    theirs = train_hf(corpus, tok, like_bert=True, vocab_size=vocab_size, min_frequency=2)
    assert tok.vocab == theirs


def test_the_alphabet_is_that_of_tokenizers() -> None:
    """Whatever order its hash table has: the same characters, and with the prefix the same set."""
    hf = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    theirs = hf.Tokenizer(hf.models.WordPiece(unk_token="[UNK]"))
    theirs.pre_tokenizer = hf.pre_tokenizers.WhitespaceSplit()
    corpus = ["the cat sat on the mat", "猫がマットの上に座った"]
    options = {"vocab_size": 40, "initial_alphabet": ["z"], "special_tokens": ["[UNK]"]}
    theirs.train_from_iterator(corpus, hf.trainers.WordPieceTrainer(show_progress=False, **options))
    ours = train(corpus, pre_tokenizer="whitespace", compatibility="tokenizers", **options)
    alphabet = 1 + ours.training["alphabet"]
    by_id = sorted(theirs.get_vocab(), key=theirs.get_vocab().__getitem__)
    characters = [token for token in by_id if len(token) == 1]
    assert list(ours.vocab)[1 : 1 + len(characters)] == characters
    assert set(list(ours.vocab)[:alphabet]) == set(by_id[:alphabet])


# ── a textbook's program ──────────────────────────────────────────────────────────────────────
def textbook(words: dict[str, int], merges: int) -> list[str]:
    """What the Hugging Face course does in chapter 6.6: the first of the best pairs is merged."""
    splits = {word: [word[0], *("##" + letter for letter in word[1:])] for word in words}
    made = []
    for _ in range(merges):
        letters: dict[str, int] = defaultdict(int)
        pairs: dict[tuple[str, str], int] = defaultdict(int)
        for word, count in words.items():
            split = splits[word]
            for letter in split:
                letters[letter] += count
            for pair in pairwise(split):
                pairs[pair] += count
        if not pairs:
            break
        scores = {(a, b): Fraction(n, letters[a] * letters[b]) for (a, b), n in pairs.items()}
        best = max(scores, key=scores.__getitem__)
        made.append(best[0] + best[1][2:])
        for word, split in splits.items():
            at = 0
            while at < len(split) - 1:
                if (split[at], split[at + 1]) == best:
                    split[at : at + 2] = [made[-1]]
                at += 1
            splits[word] = split
    return made


@given(
    words=st.dictionaries(st.text("aabc", min_size=1, max_size=8), st.integers(1, 4), min_size=1)
)
@example(words=HUGS)
def test_likelihood_is_that_of_a_textbook(words: dict[str, int]) -> None:
    options = {"merge_by": "likelihood", "tie": "first-seen", "min_frequency": 1}
    tok = train(words, num_merges=30, **options)
    assert list(tok.vocab)[tok.training["alphabet"] : -1] == textbook(words, 30)


# ── the tokenizer that comes out ──────────────────────────────────────────────────────────────
def test_preset_bert() -> None:
    corpus = ["Hugs and hugging. 図書館で本を読む"] * 2
    tok = train(corpus, model=None, preset="bert", vocab_size=60)
    assert list(tok.vocab)[:5] == list(SPECIALS)
    ids = tok.encode("HUGS, a 図書", add_special_tokens=True)
    assert [tok.vocab[token] for token in ["[CLS]", "hugs", "[UNK]"]] == ids[:3]
    assert tok.decode(ids, skip_special_tokens=True) == "hugs a 図 書"
    assert tok.training["preset"] == "bert"


@pytest.mark.parametrize("name", ["vocab.txt", "tokenizer.json", "a.kugiri.json"])
@pytest.mark.parametrize("merge_by", MERGE_BY)
def test_saved_and_loaded(name: str, merge_by: str, tmp_path: Path) -> None:
    text = "Hugs and hugging. 図書館で本を読む ##x"
    tok = train([text] * 2, model=None, preset="bert", vocab_size=60, merge_by=merge_by)
    tok.save(tmp_path / name)
    again = kugiri.load(tmp_path / name)
    assert again.vocab == tok.vocab
    for special in [False, True]:
        ids = tok.encode(text, add_special_tokens=special)
        assert again.encode(text, add_special_tokens=special) == ids
        assert again.decode(ids) == tok.decode(ids)


def test_a_vocab_txt_goes_with_the_normalizer_of_bert(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="BERT's normalizer, not with no normalizer"):
        train(["a b"] * 2, num_merges=1).save(tmp_path / "vocab.txt")


@pytest.mark.parametrize("merge_by", MERGE_BY)
@pytest.mark.parametrize("options", [{}, {"model": None, "preset": "bert"}])
def test_every_size_is_the_beginning_of_a_larger(merge_by: str, options: dict[str, Any]) -> None:
    corpus = [sliced("neko.txt", 0.01)]
    options = {"model": "wordpiece", "merge_by": merge_by, "limit_alphabet": 300, **options}
    sizes = [700, 720, 800, 90_000]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        toks = kugiri.train_sizes(corpus, vocab_sizes=sizes, **options)
    assert toks == {size: train(corpus, vocab_size=size, **options) for size in sizes}


def test_plan_and_sweep() -> None:
    corpus = ["low lower lowest newest widest"] * 4
    planned = kugiri.plan(corpus, model="wordpiece")
    assert train(corpus, vocab_size=planned.smallest).vocab_size == planned.smallest
    assert train(corpus, vocab_size=9_999).vocab_size == planned.largest
    with pytest.raises(VocabularyError, match=f"below the {planned.smallest} .* limit_alphabet"):
        train(corpus, vocab_size=planned.smallest - 1)
    sizes = [planned.smallest, planned.largest]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        found = kugiri.sweep(corpus, sizes=sizes, models=["wordpiece", "bpe"], unit="char")
    of_words = [entry for entry in found.entries if entry.model == "wordpiece"]
    assert [entry.vocab_size for entry in of_words] == sizes
    assert [entry.training.tokens for entry in of_words] == [4 * 26, 4 * 5]


# ── what is refused ───────────────────────────────────────────────────────────────────────────
REFUSED: dict[str, tuple[dict[str, Any], type[KugiriError], str]] = {
    "bytes": ({"unit": "byte"}, OptionError, "unit is for model='bpe'"),
    "a mark": ({"end_of_word": "</w>"}, OptionError, "end_of_word is for model='bpe'"),
    "no prefix": ({"continuing_prefix": ""}, OptionError, "continuing_prefix is empty"),
    "another way": ({"merge_by": "likelyhood"}, OptionError, "likelihood"),
    "of BPE": ({"model": "bpe", "merge_by": "likelihood"}, OptionError, "is for model='wordpiece'"),
    "of words": ({"model": "word", "merge_by": "likelihood"}, OptionError, "'word' merges nothing"),
    "of Unigram": (
        {"model": "unigram", "merge_by": "likelihood", "num_merges": None},
        OptionError,
        "merge_by= is no option of spm_train.*they are for model='wordpiece'",
    ),
    "its preset": ({"model": "bpe", "preset": "bert"}, OptionError, "preset='bert' is for model="),
    "another preset": ({"preset": "gpt2"}, OptionError, "preset='gpt2' is for model='bpe'"),
    "no size": ({"num_merges": None}, OptionError, "vocab_size=…, or num_merges"),
    "no unknown token": ({"special_tokens": ["[CLS]"]}, OptionError, r"put '\[UNK\]' in"),
    "a normalizer": ({"normalizer": "nfx"}, OptionError, "'nfc'"),
    "a special token": ({"special_tokens": ["[UNK]", "ab"]}, VocabularyError, "'ab' is also"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    options, error, says = REFUSED[name]
    with pytest.raises(error, match=says):
        train(["ab ab"], **{"num_merges": 3, **options})


def test_words_counted_otherwise() -> None:
    counts = kugiri.count_words(["A b"], pre_tokenizer="bert", normalizer="bert")
    with pytest.raises(OptionError, match="another normalizer than 'nfc'"):
        train(counts, normalizer="nfc", num_merges=1)
    with pytest.raises(kugiri.TrainingError, match="different normalizers"):
        counts.merge(kugiri.count_words(["A b"], pre_tokenizer="bert"))
    tok = train(counts, num_merges=1, min_frequency=1)
    assert tok.spec.normalizer == counts.normalizer


def test_counts_come_back_with_their_normalizer(tmp_path: Path) -> None:
    counts = kugiri.count_words(["A b"], pre_tokenizer="bert", normalizer="bert")
    counts.save(tmp_path / "counts.npz")
    again = kugiri.WordCounts.load(tmp_path / "counts.npz")
    assert (again.normalizer, dict(again)) == (counts.normalizer, {b"a": 1, b"b": 1})


@pytest.mark.parametrize(("model", "unknown"), [("wordpiece", "[UNK]"), ("word", "<unk>")])
@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_an_unknown_word_is_shown_as_the_unknown_token(model: str, unknown: str) -> None:
    """As in tokenizers, whatever the origin; otherwise a vocabulary seems to know everything."""
    tok = kugiri.train(["low lower low"], model=model, vocab_size=30, special_tokens=[unknown])
    assert tok.tokens("low 猫") == [*tok.tokens("low"), unknown]
    assert tok.token_id(unknown) == tok.encode("low 猫")[-1]


@pytest.mark.parametrize(
    ("text", "rows"), [("ja", [(4000, 10)]), ("en", [(4000, 2), (4000, 10), (8000, 10)])]
)
@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_the_table_of_the_page(text: str, rows: list[tuple[int, int]]) -> None:
    """docs/algorithms/wordpiece.md says what the tool finds."""
    path = SHARED / word_piece_ways.TEXTS[text]
    if not path.exists():
        pytest.skip(f"{path.name} is absent; the table is made of the data beside the project")
    trained_on, held_out = word_piece_ways.lines(path)
    counts = kugiri.count_words(trained_on, pre_tokenizer="scripts")
    page = word_piece_ways.PAGE.read_text(encoding="utf-8")
    for size, least in rows:
        assert word_piece_ways.row(text, counts, held_out, size, least) in page
