"""Both engines, one answer: pre-tokens, merges, counts, ids and spans."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kugiri
from kugiri.patterns import PATTERNS
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from kugiri.reference.regex_classes import compile_pattern
from kugiri.reference.train.bpe import train_steps
from kugiri.reference.train.bpe_start import Options
from kugiri.spec import (
    BPE,
    ByteLevel,
    Literally,
    PreTokenizer,
    PreTokenizers,
    Regex,
    Split,
    TokenizerSpec,
    Whitespace,
    WhitespaceSplit,
)
from kugiri.tables import Merges, Tokens
from kugiri.unicode import ranges
from strategies import japanese_corpora, small_corpora, texts
from tests.conftest import shared_text, slice_of

TIES = ["lowest-ids", "first-seen", "greatest-pair", "sentencepiece"]
BYTES = Tokens.from_iter(bytes([byte]) for byte in range(256))


def tokenizer(pre_tokenizer: PreTokenizer | None) -> kugiri.Tokenizer:
    model = BPE(vocab=BYTES, merges=Merges.empty())
    return kugiri.Tokenizer(TokenizerSpec(model=model, pre_tokenizer=pre_tokenizer))


def split(regex: str, behavior: str = "isolated", invert: bool = False) -> Split:
    return Split(pattern=Regex(regex=regex), behavior=behavior, invert=invert)  # type: ignore[arg-type]


PRE_TOKENIZERS: dict[str, PreTokenizer | None] = {
    **{name: split(regex) for name, regex in PATTERNS.items()},
    "none": None,
    "kept matches": split(PATTERNS["o200k"], "removed", True),
    "japanese, spaces dropped": split(PATTERNS["japanese-scripts"], "removed", True),
    "removed": split(r"\s+", "removed"),
    "previous": split(r"\p{P}", "merged_with_previous"),
    "next": split(r"\p{P}", "merged_with_next"),
    "contiguous": split(r"\d", "contiguous"),
    "inverted": split(r"[\p{L}\p{M}]+", "isolated", True),
    "literal": Split(pattern=Literally(text=" "), behavior="merged_with_next"),
    "whitespace": Whitespace(),
    "between spaces": WhitespaceSplit(),
    "two steps": PreTokenizers(pre_tokenizers=(split(r"\s+", "removed"), split(r"\p{N}"))),
}


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=texts)
@example(text="We'RE THEY'VE she'D  \n\n 12345 日本語のテスト。\n ")
@example(text="\u0301AB \u0301 Ab'ſ")
def test_pre_tokens(name: str, text: str) -> None:
    tok = tokenizer(PRE_TOKENIZERS[name])
    assert tok.pre_tokenize(text) == pre_tokens(ReferenceTokenizer(tok.spec), text)


@pytest.mark.parametrize("name", PATTERNS)
def test_pre_tokens_around_every_character(name: str) -> None:
    """The first and last of each run of a category, between a letter, a sign and a space."""
    tok = tokenizer(PRE_TOKENIZERS[name])
    pattern = compile_pattern(PATTERNS[name])
    edges = {cp for first, last, _ in ranges() for cp in (first, last)} - set(range(0xD800, 0xE000))
    characters = [chr(cp) for cp in sorted(edges | set(range(0x180)))]
    for start in range(0, len(characters), 512):
        block = characters[start : start + 512]
        text = "".join(f"a{character}B'{character} {character}1" for character in block)
        words = [word for word, _ in tok.pre_tokenize(text)]
        if name == "japanese-scripts":  # the one that does not cover white space
            words = [word for word in words if pattern.fullmatch(word)]
        assert words == pattern.findall(text), hex(ord(block[0]))


@st.composite
def runs(
    draw: st.DrawFn, corpora: st.SearchStrategy[list[str]]
) -> tuple[list[str], dict[str, Any]]:
    """A corpus, and options that go with it."""
    corpus = draw(corpora)
    characters = sorted(set("".join(corpus)))
    asked: dict[str, Any] = {
        "unit": draw(st.sampled_from(["byte", "char"])),
        "tie": draw(st.sampled_from(TIES)),
        "min_frequency": draw(st.integers(1, 3)),
        "max_piece_length": draw(st.sampled_from([None, None, 2, 3, 7])),
        "special_tokens": draw(st.sampled_from([(), ("<unk>",), ("<s>", "<unk>")])),
    }
    if asked["unit"] == "byte":
        asked["byte_order"] = draw(st.sampled_from(["value", "gpt2"]))
        alphabet = 256
    else:
        more = draw(st.lists(st.sampled_from(["z", "桜", "🎉", *characters]), max_size=3))
        asked["initial_alphabet"] = tuple(dict.fromkeys(more))
        alphabet = len({*characters, *more})
        if "<unk>" in asked["special_tokens"]:
            limits = st.none() | st.integers(1, len(characters) + 1)
            asked["limit_alphabet"] = draw(limits)
    room = draw(st.integers(0, 60))
    if draw(st.booleans()):
        asked["num_merges"] = room
    else:
        asked["vocab_size"] = alphabet + len(asked["special_tokens"]) + room
    return corpus, asked


def compare_training(corpus: list[str], **asked: Any) -> None:
    """Train on whole texts with both engines; compare merges, then ids and spans of the texts."""
    counts = kugiri.count_words(corpus, pre_tokenizer="none")
    steps = list(train_steps(dict(counts.items()), Options(**asked)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        tok = kugiri.train(counts, **asked)
    plain = [
        tuple(part.encode() if isinstance(part, str) else part for part in merge[:2]) + merge[3:]
        for merge in tok.merges
    ]
    assert plain == [(step.left, step.right, step.count, step.applied) for step in steps]
    reference = ReferenceTokenizer(tok.spec)
    every_character = asked.get("limit_alphabet") is None
    for text in corpus:
        expected = reference.encode(text)
        encoding = tok.encode_with_offsets(text)
        assert encoding.ids.tolist() == [token.id for token in expected] == tok.encode(text)
        assert encoding.byte_spans == [(token.start, token.end) for token in expected]
        decoded = tok.decode(tok.encode(text))
        assert reference.decode(tok.encode(text)) == decoded
        assert decoded == text or not every_character
    total = sum(len(tok.encode(text)) for text in corpus)
    saved = sum(merge.applied or 0 for merge in tok.merges)
    assert total == tok.training["initial_tokens"] - saved or not every_character


@given(run=runs(small_corpora))
@example(run=(["aaaa", "aaa"], {"num_merges": 60}))
def test_training_few_letters(run: tuple[list[str], dict[str, Any]]) -> None:
    compare_training(run[0], **run[1])


@given(run=runs(japanese_corpora))
def test_training_japanese(run: tuple[list[str], dict[str, Any]]) -> None:
    compare_training(run[0], **run[1])


@cache
def novel() -> str:
    return shared_text("neko.txt")


@given(data=st.data())
def test_training_on_places_of_a_novel(data: st.DataObject) -> None:
    place = st.builds(
        lambda start, length: novel()[start : start + length],
        st.integers(0, len(novel()) - 1),
        st.integers(1, 80),
    )
    corpus, asked = data.draw(runs(st.lists(place, min_size=1, max_size=6)))
    compare_training(corpus, **asked)


@given(corpus=japanese_corpora, tie=st.sampled_from(TIES))
def test_training_keeps_characters(corpus: list[str], tie: str) -> None:
    compare_training(
        corpus, unit="byte", tie=tie, keep_characters=True, min_frequency=1, num_merges=60
    )


@given(corpus=japanese_corpora, tie=st.sampled_from(TIES), limit=st.integers(1, 30))
def test_training_with_a_limited_alphabet(corpus: list[str], tie: str, limit: int) -> None:
    counts = dict(kugiri.count_words(corpus, pre_tokenizer="none").items())
    asked = {"unit": "char", "tie": tie, "limit_alphabet": limit, "end_of_word": "_"}
    steps = list(train_steps(counts, Options(num_merges=40, **asked)))  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        tok = kugiri.train(
            corpus, num_merges=40, pre_tokenizer="none", special_tokens=["<unk>"], **asked
        )
    assert [
        (str(m.left).encode(), str(m.right).encode(), m.count, m.applied) for m in tok.merges
    ] == [(step.left, step.right, step.count, step.applied) for step in steps]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("unit", ["byte", "char"])
def test_training_on_a_novel(tie: str, unit: str) -> None:
    lines = slice_of(shared_text("neko.txt"), 0.008).split("\n")
    compare_training([line for line in lines if line], unit=unit, tie=tie, num_merges=120)


@given(text=texts)
def test_byte_level_of_tokenizer_json(text: str) -> None:
    """ByteLevel, which the core turns into plain bytes, against the visible characters."""
    spec = visible_spec()
    tok = kugiri.Tokenizer(spec)
    reference = ReferenceTokenizer(spec)
    assert tok.encode(text) == [token.id for token in reference.encode(text)]
    assert tok.decode(tok.encode(text)) == reference.decode(tok.encode(text))


def visible_spec() -> TokenizerSpec:
    """A small byte-level tokenizer, written as tokenizer.json writes one."""
    from kugiri.formats.tokenizer_json import read, write

    tok = kugiri.train(["the low lower lowest", "日本語の文と日本語の本"] * 3, num_merges=20)
    return read(write(tok.spec))


def test_byte_level_adds_a_prefix_space() -> None:
    spec = visible_spec()
    model = spec.model
    prefixed = TokenizerSpec(model=model, pre_tokenizer=ByteLevel(), decoder=spec.decoder)
    tok = kugiri.Tokenizer(prefixed)
    expected = [token.id for token in ReferenceTokenizer(prefixed).encode("low")]
    assert tok.encode("low") == tok.encode(" low") == expected
