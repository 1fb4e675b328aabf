"""Tokenizers in other formats: the same ids, or a named reason; against the original libraries."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import kugiri
from kugiri import spec
from kugiri.errors import FormatError, KugiriWarning, OptionError
from kugiri.formats import FORMATS, gpt2_files, write_content
from kugiri.formats.sentencepiece_json import as_tokenizer_json
from kugiri.random_texts import random_texts
from kugiri.spec import PieceType
from tests.conftest import sliced
from tests.model_files import BOS, BPE, UNK, WORD, A, model
from tests.sentencepiece_models import oracle_sentencepiece, trained
from tests.test_formats_gpt2_files import MERGES, VOCAB, beside
from tests.test_formats_tekken import data as tekken_data
from tests.test_formats_tiktoken import BYTES, byte_bpe, lines
from tests.test_formats_vocab_txt import VOCAB as VOCAB_TXT
from tools.parity_data import HOW_TO_GET

BYTE_LEVEL = ["kugiri", "tokenizer.json", "tiktoken", "vocab.json"]
TEXTS = [
    "low lower lowest",
    " the cat\n\n sat  on 123 mats",
    "吾輩は猫である",
    "We'RE <|end|>",
    "",
    "é́ 🐈‍⬛",
]


def quietly(tok: kugiri.Tokenizer, format: str) -> kugiri.Tokenizer:
    """Convert without looking at the warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        return kugiri.convert(tok, format)


@pytest.fixture(scope="module")
def byte_level() -> kugiri.Tokenizer:
    return kugiri.train(
        TEXTS * 3, vocab_size=300, pre_tokenizer="gpt2", special_tokens=["<|endoftext|>"]
    )


@pytest.mark.parametrize("path", list(itertools.permutations(BYTE_LEVEL, 2)))
def test_byte_level_bpe_in_every_format(
    path: tuple[str, str], byte_level: kugiri.Tokenizer
) -> None:
    first = quietly(byte_level, path[0])
    second = quietly(first, path[1])
    for tok in (first, second):
        assert [tok.encode(text) for text in TEXTS] == [byte_level.encode(text) for text in TEXTS]
        assert tok.special_tokens == byte_level.special_tokens
        special = "low<|endoftext|>low"
        assert tok.encode(special, allowed_special="all") == byte_level.encode(
            special, allowed_special="all"
        )


def test_a_tokenizer_in_its_own_format_stays_what_it_is(byte_level: kugiri.Tokenizer) -> None:
    assert kugiri.convert(byte_level, "kugiri") == byte_level
    for name, data in (("tiktoken", lines([*BYTES, b"ab", b"abc"])), ("vocab.txt", VOCAB_TXT)):
        tok = kugiri.load(data, pattern="gpt2" if name == "tiktoken" else None)
        assert quietly(tok, name) == tok
    tok = kugiri.load(tekken_data())
    assert kugiri.convert(tok, "tekken") == tok


def _is_written(tok: kugiri.Tokenizer, name: str) -> bool:
    try:
        quietly(tok, name)
    except FormatError:
        return False
    return True


# What each kind of tokenizer can become, beside itself.
CAN: dict[str, tuple[Callable[[], kugiri.Tokenizer], set[str]]] = {
    "byte-level BPE": (
        lambda: kugiri.Tokenizer(byte_bpe((97, 98, 256))),
        {"kugiri", "tokenizer.json", "tiktoken", "vocab.json"},
    ),
    "merges that ranks cannot say": (
        lambda: kugiri.Tokenizer(byte_bpe((98, 99, 256), (97, 98, 257), (257, 99, 258))),
        {"kugiri", "tokenizer.json", "vocab.json"},
    ),
    "ranks that merges cannot say": (
        lambda: kugiri.load(lines([*BYTES, b"abc"]), pattern="gpt2"),
        {"kugiri", "tokenizer.json", "tiktoken"},
    ),
    "another split": (
        lambda: kugiri.load(lines([*BYTES, b"ab"]), pattern="o200k"),
        {"kugiri", "tokenizer.json", "tiktoken"},
    ),
    "tekken": (
        lambda: kugiri.load(tekken_data()),
        {"kugiri", "tokenizer.json", "tiktoken", "tekken"},
    ),
    "BERT": (lambda: kugiri.load(VOCAB_TXT), {"kugiri", "tokenizer.json", "vocab.txt"}),
    "BPE of SentencePiece": (
        lambda: kugiri.load(model(UNK, A, ("▁".encode(), -2.0, PieceType.NORMAL), trainer=BPE)),
        {"kugiri", "tokenizer.json", "sentencepiece"},
    ),
    "words of SentencePiece": (
        lambda: kugiri.load(model(UNK, A, trainer=WORD)),
        {"kugiri", "sentencepiece"},
    ),
    "characters with a mark": (
        lambda: kugiri.train(["low low"], unit="char", end_of_word="_", vocab_size=6),
        {"kugiri"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CAN)
def test_what_becomes_what(kind: str) -> None:
    make, formats = CAN[kind]
    tok = make()
    assert {name for name in FORMATS if _is_written(tok, name)} == formats


@pytest.mark.parametrize(
    ("kind", "format", "reason"),
    [
        ("merges that ranks cannot say", "tiktoken", "could give other ids: .* never makes b'abc'"),
        ("ranks that merges cannot say", "vocab.json", "is met only as a whole word"),
        ("another split", "vocab.json", "no place for the pre-tokenizer"),
        ("BERT", "tiktoken", "holds a byte-level BPE, not a WordPiece"),
        ("BERT", "sentencepiece", "no place for a WordPiece model"),
        ("BERT", "vocab.json", "holds a byte-level BPE, not a WordPiece"),
        ("characters with a mark", "vocab.json", "and this one works on characters"),
        ("byte-level BPE", "vocab.txt", "holds a WordPiece model, not a BPE"),
        ("byte-level BPE", "tekken", "bytes that join by rank, .*, not merges"),
        ("words of SentencePiece", "tokenizer.json", "has nothing like a WordLevel model of sent"),
        ("characters with a mark", "tokenizer.json", "an end-of-word mark of its own"),
    ],
)
def test_the_error_names_what_is_in_the_way(kind: str, format: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        quietly(CAN[kind][0](), format)


def test_options() -> None:
    tok = kugiri.Tokenizer(byte_bpe())
    with pytest.raises(OptionError, match=r"unknown format 'tokenizers?\.jsn'; did you mean 'tok"):
        kugiri.convert(tok, "tokenizer.jsn")


# ── a .model as tokenizer.json ────────────────────────────────────────────────────────────────
def converted(data: bytes) -> tuple[spec.TokenizerSpec, Any]:
    """The spec that a .model becomes, and tokenizers with it."""
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    with pytest.warns(KugiriWarning, match="are not the same tokenizer in every detail"):
        described = as_tokenizer_json(kugiri.load(data).spec)
    written = write_content(described, "tokenizer.json")["tokenizer.json"]
    return described, tokenizers.Tokenizer.from_str(written.decode())


@pytest.mark.parametrize(
    "name",
    ["bpe", "bpe bytes", "bpe symbols", "bpe spaces", "unigram", "unigram japanese",
     "unigram bytes", "unigram as it is"],
)  # fmt: skip
def test_real_lines_have_the_ids_of_sentencepiece(name: str) -> None:
    """tokenizers, with what the .model became, against sentencepiece, with the .model."""
    data = trained(name)
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_proto=data)
    _, oracle = converted(data)
    for text in [*sliced("botchan.txt").splitlines(), *sliced("neko.txt").splitlines()]:
        ids, expected = oracle.encode(text, add_special_tokens=False).ids, theirs.encode(text)
        if ids != expected:  # only where two ways to cut have exactly the same score
            sums = [sum(map(theirs.get_score, way)) for way in (ids, expected)]
            assert name.startswith("unigram")
            assert sums[0] == pytest.approx(sums[1], abs=1e-6)


@pytest.mark.parametrize("name", ["bpe bytes", "unigram as it is"])
def test_what_is_decoded(name: str) -> None:
    data = trained(name)
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_proto=data)
    _, oracle = converted(data)
    for text in sliced("neko.txt", 0.002).splitlines():
        ids = theirs.encode(text)
        if theirs.unk_id() not in ids:  # sentencepiece says ⁇, tokenizers <unk>
            assert oracle.decode(ids) == theirs.decode(ids)


def test_where_they_differ_is_the_charsmap() -> None:
    """By grapheme cluster in tokenizers, by longest match in sentencepiece."""
    data = trained("unigram")
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_proto=data)
    _, oracle = converted(data)
    texts = list(random_texts(0, 1000))
    other = [t for t in texts if oracle.encode(t, add_special_tokens=False).ids != theirs.encode(t)]
    assert 0 < len(other) < 30
    for text in other:
        assert oracle.normalizer.normalize_str(text) != theirs.normalize(text)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("bpe suffix", "a mark behind words (treat_whitespace_as_suffix) of a .model"),
        ("unigram rules", "a denormalizer of a .model"),
        ("word", "a WordLevel model"),
        ("char", "a CharLevel model"),
    ],
)
def test_models_that_tokenizer_json_cannot_express(name: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        kugiri.convert(kugiri.load(trained(name)), "tokenizer.json")
    assert reason in str(caught.value)


def test_merges_are_sorted_as_transformers_does() -> None:
    """The best score first; of one piece the longer left part first."""
    scores = {"s": -9, ">": -9, "a": -9, "b": -9, "ab": -1, "ba": -2, "aba": -3, "abab": -3}
    rows = [(text.encode(), float(score), PieceType.NORMAL) for text, score in scores.items()]
    data = model(UNK, BOS, *rows, trainer=BPE)
    with pytest.warns(KugiriWarning):
        described = as_tokenizer_json(kugiri.load(data).spec)
    assert isinstance(described.model, spec.BPE)
    assert described.model.merges is not None
    vocab = [token.decode() for token in described.model.vocab]
    columns = (described.model.merges.left.tolist(), described.model.merges.right.tolist())
    assert [(vocab[left], vocab[right]) for left, right in zip(*columns, strict=True)] == [
        ("a", "b"), ("b", "a"), ("aba", "b"), ("ab", "ab"), ("ab", "a"), ("a", "ba"),
    ]  # fmt: skip


def test_the_template_of_a_pair() -> None:
    with pytest.warns(KugiriWarning):
        described = as_tokenizer_json(kugiri.load(trained("bpe")).spec)
    assert isinstance(described.post_processor, spec.TemplateProcessing)
    begin, a, end = described.post_processor.single
    assert described.post_processor.pair[:3] == (begin, a, end)
    assert described.post_processor.pair[4] == spec.SequencePiece("B", 1)


def test_gpt2_files_from_anywhere() -> None:
    files = {"vocab.json": VOCAB, "merges.txt": MERGES}
    tok = kugiri.Tokenizer(gpt2_files.read(VOCAB, beside=beside(merges=MERGES)))
    written = write_content(quietly(tok, "tokenizer.json").spec, "vocab.json")
    assert written["merges.txt"] == files["merges.txt"]
