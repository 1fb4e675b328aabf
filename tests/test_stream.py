"""Decoding ids one by one, for every kind of model and decoder, and for any ids."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.decode import denormalizer
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.tables import Tokens
from piece_rows import decoding, described
from strategies import texts
from test_properties import TOKENIZERS
from tests.oracles import parity_file
from tests.sentencepiece_models import ALL, model_file

PIECES = [
    *[["▁"], ["▁▁"], ["a"], ["▁a"], ["猫"], ["a▁"], ["▁\u3000"], ["\u0301"], ["\ufffd"]],
    *[["<c>", "CONTROL"], ["<u ▁>", "USER_DEFINED"], ["<x>", "UNUSED"], ["▁b", "UNUSED"]],
]


def pieces(**row: Any) -> kugiri.Tokenizer:
    """A `.model` of pieces of each type, and bytes."""
    return kugiri.Tokenizer(decoding({"pieces": PIECES, "bytes": True, **row}))


def words(decoder: spec.Decoder | None) -> kugiri.Tokenizer:
    """Words of a tokenizer.json, such as each decoder looks for."""
    tokens = ["a", "b</w>", "</w>", "Ġc", "Ċ", "ã", "ģ", "Ĥ", "##d", "▁e", " ", "<unk>"]
    model = spec.WordLevel(Tokens.from_iter(token.encode() for token in tokens), unk_token="<unk>")
    added = (spec.AddedToken(12, "</s>"), spec.AddedToken(13, "ć x", special=False))
    return kugiri.Tokenizer(spec.TokenizerSpec(model, decoder=decoder, added_tokens=added))


UNIGRAM = described({"model": "unigram", "bytes": True, "pieces": [["a", -1.0], ["▁猫", -2.0]]})
STREAMED = {
    **TOKENIZERS,
    "pieces": pieces(),
    "pieces, spaces kept": pieces(remove_extra_whitespaces=False),
    "pieces, no space added": pieces(remove_extra_whitespaces=False, add_dummy_prefix=False),
    "pieces, no surface": pieces(unk_surface=""),
    "pieces, rewritten": pieces(rules=[["a", "bb"], ["猫", ""]]),
    "unigram": kugiri.Tokenizer(UNIGRAM),
    "joined": words(None),
    "fused": words(spec.Fuse()),
    "byte level": words(spec.ByteLevelDecoder()),
    "suffix": words(spec.BPEDecoder()),
}
names = st.sampled_from(sorted(STREAMED))


@st.composite
def rows(draw: st.DrawFn) -> tuple[kugiri.Tokenizer, list[int]]:
    """A tokenizer and any of its ids, the first and the last more often."""
    tok = STREAMED[draw(names)]
    last = tok.vocab_size - 1
    id = st.one_of(st.integers(0, last), st.integers(0, min(last, 20)), st.integers(last - 5, last))
    return tok, draw(st.lists(id, max_size=20))


def check(tok: kugiri.Tokenizer, ids: list[int], errors: str) -> None:
    """What comes out is the whole, in order, each character as soon as it cannot change."""
    stream, shown = tok.decoder(errors=errors), ""
    rewrites = denormalizer(tok.spec.decoder) is not None
    for number, id in enumerate(ids, 1):
        shown += stream.feed(id)
        if not rewrites and errors == "ignore":
            assert shown == tok.decode(ids[:number], errors=errors)
    whole = ReferenceTokenizer(tok.spec).decode(ids, errors)
    assert shown + stream.finish() == tok.decode(ids, errors=errors) == whole
    assert tok.decode_batch([ids], errors=errors) == [whole]


@given(made=rows(), errors=st.sampled_from(["replace", "ignore"]))
def test_any_ids(made: tuple[kugiri.Tokenizer, list[int]], errors: str) -> None:
    check(*made, errors)


@given(name=names, text=texts)
def test_half_a_character_is_never_shown(name: str, text: str) -> None:
    tok = STREAMED[name]
    try:
        ids = tok.encode(text)
    except kugiri.EncodingError:
        return  # a model without a token for the unknown
    stream = tok.decoder()
    steps = [*map(stream.feed, ids), stream.finish()]
    whole = tok.decode(ids)
    assert "".join(steps) == whole
    assert "".join(steps).count("\ufffd") == whole.count("\ufffd")


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base", "o200k_base"])
def test_public_encodings(name: str) -> None:
    tok = kugiri.load(parity_file(f"tiktoken/{name}.tiktoken"))
    for text in ("日本語😀 é", "🏳️\u200d🌈  x", "\ufffd half"):
        check(tok, tok.encode(text), "replace")
        check(tok, tok.encode(text)[1:], "ignore")


@pytest.mark.parametrize("name", ALL)
def test_models_of_sentencepiece(name: str) -> None:
    tok = kugiri.load(model_file(name))
    for text in ("the  cat 猫である🐈 ﬁ", " a", "１２ <sep>2 x\u0301"):
        ids = tok.encode(text)
        for errors in ("replace", "ignore"):
            check(tok, ids, errors)
            check(tok, ids[::-1], errors)


@pytest.mark.parametrize("regex", [r"\W", r"[[:punct:]]", "$", "^a"])
def test_patterns_of_a_tokenizer_json(regex: str) -> None:
    """They mean what they mean there, in the decoder and in what added tokens match."""
    tokens = Tokens.from_iter(token.encode() for token in ("a", "½", "\n", "<b>"))
    replace = spec.Replace(spec.Regex(regex), "x")
    tok = kugiri.Tokenizer(
        spec.TokenizerSpec(
            spec.WordLevel(tokens),
            normalizer=replace,
            decoder=spec.Replace(spec.Regex(regex), "y"),
            added_tokens=(spec.AddedToken(4, "<½a>", normalized=True),),
            origin="tokenizer.json",
        )
    )
    for ids in ([0, 1, 2], [4, 3, 0], [2, 0, 4, 1]):
        check(tok, ids, "replace")


def test_an_added_token_normalized_by_a_charsmap() -> None:
    tokens = Tokens.from_iter([b"a"])
    tok = kugiri.Tokenizer(
        spec.TokenizerSpec(
            spec.WordLevel(tokens),
            normalizer=spec.Precompiled(compile_charsmap({"é": "e"})),
            added_tokens=(spec.AddedToken(1, "<é>", normalized=True),),
            origin="tokenizer.json",
        )
    )
    check(tok, [0, 1], "replace")
    assert tok.decode([1]) == "<e>"


def test_broken_bytes_before_others_are_refused_too() -> None:
    tok = pieces()
    broken = [tok.vocab["<0xE7>"], tok.vocab["a"], tok.vocab["<0x41>"]]
    assert (tok.decode(broken), tok.decode(broken, errors="ignore")) == ("\ufffdaA", "aA")
    with pytest.raises(kugiri.EncodingError, match="not UTF-8"):
        tok.decode(broken, errors="strict")
    with pytest.raises(kugiri.EncodingError, match=r"row 1: .*not UTF-8"):
        tok.decode_batch([[], broken], errors="strict")
