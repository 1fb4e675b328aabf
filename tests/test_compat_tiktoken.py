"""The calls of tiktoken, asked of tiktoken and of what stands in for it."""

from __future__ import annotations

import importlib
import os
import pickle
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.compat import tiktoken as compat
from tests.oracles import oracle_tiktoken, parity_file
from tests.strategies import texts
from tests.test_parity_tiktoken import SPECIAL, texts_with_special_tokens, tokens_of
from tools.parity import ENCODINGS
from tools.parity_data import HOW_TO_GET

every_encoding = pytest.mark.parametrize("name", ENCODINGS, scope="module")


def ours(name: str) -> compat.Encoding:
    cached = parity_file(f"tiktoken/{name}.tiktoken")
    with mock.patch.dict(os.environ, TIKTOKEN_CACHE_DIR=str(cached.parent)):
        return compat.get_encoding(name)


def both(name: str, call: str, *arguments: Any, **named: Any) -> None:
    """The same result, or errors of the same builtin class."""
    answers = []
    for encoding in (ours(name), oracle_tiktoken(name)):
        try:
            answers.append(getattr(encoding, call)(*arguments, **named))
        except Exception as error:
            answers.append(error)
    found, expected = answers
    if isinstance(expected, Exception):
        kinds = (KeyError, ValueError, TypeError, OverflowError, UnicodeDecodeError)
        expected_kinds = [kind for kind in kinds if isinstance(expected, kind)]
        assert expected_kinds
        assert all(isinstance(found, kind) for kind in expected_kinds), (found, expected)
        assert isinstance(found, kugiri.KugiriError)
    elif isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
    else:
        assert found == expected


sets = st.sampled_from([*SPECIAL, "猫", "|>"])
allowed = st.just("all") | st.frozensets(sets, max_size=3)
disallowed = st.just("all") | st.lists(sets, max_size=3) | st.just(())


@every_encoding
@given(text=texts_with_special_tokens, yes=allowed, no=disallowed)
def test_encode(name: str, text: str, yes: Any, no: Any) -> None:
    both(name, "encode", text)
    both(name, "encode", text, allowed_special=yes)
    both(name, "encode", text, allowed_special=yes, disallowed_special=no)
    both(name, "encode_to_numpy", text, allowed_special=yes, disallowed_special=no)
    both(name, "encode_ordinary", text)
    both(name, "encode_batch", [text, "a"], allowed_special=yes, disallowed_special=no)
    both(name, "encode_ordinary_batch", [text, "a"], num_threads=2)


@every_encoding
@given(data=st.data())
def test_decode(name: str, data: Any) -> None:
    known = list(tokens_of(name))
    ids = [known[i] for i in data.draw(st.lists(st.integers(0, len(known) - 1), max_size=8))]
    for errors in ("replace", "ignore", "strict", "backslashreplace"):
        both(name, "decode", ids, errors=errors)
        both(name, "decode_batch", [ids, []], errors=errors)
    both(name, "decode_bytes", ids)
    both(name, "decode_bytes_batch", [ids, ids])
    both(name, "decode_tokens_bytes", ids)
    both(name, "decode_with_offsets", ids)
    for id in ids:
        both(name, "decode_single_token_bytes", id)
        both(name, "is_special_token", id)
        both(name, "encode_single_token", known and tokens_of(name)[id])


@every_encoding
@given(text=texts)
def test_offsets(name: str, text: str) -> None:
    both(name, "decode_with_offsets", oracle_tiktoken(name).encode_ordinary(text))


@every_encoding
def test_the_vocabulary(name: str) -> None:
    mine, theirs = ours(name), oracle_tiktoken(name)
    for attribute in ("name", "n_vocab", "max_token_value", "eot_token", "special_tokens_set"):
        assert getattr(mine, attribute) == getattr(theirs, attribute)
    assert repr(mine) == repr(theirs)
    assert mine._special_tokens == theirs._special_tokens
    assert mine._mergeable_ranks == theirs._mergeable_ranks
    assert mine.token_byte_values() == theirs.token_byte_values()


CALLS: list[tuple[str, Any]] = [
    ("encode", "\ud83d\ude00 half \ud800"), ("encode_ordinary", "\udc00"),
    ("encode_ordinary_batch", ["\ud83d\ude00", "\ud800"]), ("encode", b"bytes"), ("encode", 3),
    ("decode", [10**6]), ("decode", []), ("decode", ["a"]), ("decode_bytes", [10**6]),
    ("decode_single_token_bytes", 10**6), ("decode_tokens_bytes", [1, 10**6]),
    ("decode_with_offsets", []), ("encode_single_token", "no such token"),
    ("encode_single_token", "<|endoftext|>"), ("encode_single_token", b"\xff"),
    ("encode_single_token", None), ("encode_single_token", "\ud800"),
    ("decode", [-1]), ("decode_bytes", [5, 2**40]), ("decode_tokens_bytes", [2**32]),
    ("decode_single_token_bytes", -1), ("decode_bytes_batch", [[1], [-1]]),
    ("decode_with_offsets", [2**40]), ("decode_with_offsets", [0xBD]),
    ("decode", b"xyz"), ("decode_bytes", bytearray(b"xyz")), ("decode_with_offsets", b"xyz"),
    ("decode", None), ("decode_batch", None), ("decode_batch", [None]), ("decode_batch", [b"xyz"]),
    ("encode_batch", "ab"), ("encode_ordinary_batch", "ab"), ("encode_batch", ("a", "b")),
    ("encode_batch", None), ("encode_batch", b"ab"), ("encode_ordinary_batch", {"a": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("call", "argument"), CALLS)
def test_edges(call: str, argument: Any) -> None:
    both("cl100k_base", call, argument)


def test_what_is_wrong_with_bytes_is_known() -> None:
    encoding = ours("cl100k_base")
    ids = [encoding.encode_single_token(b"\x8b")]
    with pytest.raises(UnicodeDecodeError, match=r"bytes that are not UTF-8: .* 0x8b") as caught:
        encoding.decode(ids, errors="strict")
    assert isinstance(caught.value, kugiri.EncodingError)
    assert caught.value.object[caught.value.start] == 0x8B


def test_one_special_token_begins_another() -> None:
    """tiktoken finds one or the other, by the chance of a hash; here it is the longest allowed."""
    theirs = pytest.importorskip("tiktoken", reason=f"tiktoken is absent: {HOW_TO_GET}")
    found = set()
    for letter in "abcdefghijklmnop":
        short, long = f"<|{letter}|>", f"<|{letter}|>x"
        parts = {
            "pat_str": r"[\s\S]",
            "mergeable_ranks": {bytes([byte]): byte for byte in range(256)},
            "special_tokens": {short: 300, long: 301},
        }
        mine, other = compat.Encoding("mine", **parts), theirs.Encoding("mine", **parts)
        found.add(tuple(other.encode(long, allowed_special="all")))
        assert mine.encode(long, allowed_special="all") == [301]
        allowed = {"allowed_special": {short}, "disallowed_special": ()}
        assert mine.encode(long, **allowed) == [300, ord("x")]
    assert found == {(300, ord("x")), (301,)}


@pytest.mark.parametrize("options", [{"allowed_special": ["a"]}, {"disallowed_special": 3}])
def test_wrong_sets(options: dict[str, Any]) -> None:
    both("cl100k_base", "encode", "a", **options)


def test_the_refusal_says_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"'<\|endoftext\|>'.*allowed_special=.*disallow"):
        ours("cl100k_base").encode("a<|endoftext|>")
    with pytest.raises(kugiri.OptionError, match=r"tokenizer.heal\(ids\)"):
        ours("cl100k_base").encode_with_unstable("a")


def test_a_public_encoding_with_more_special_tokens() -> None:
    made = []
    for base in (ours("cl100k_base"), oracle_tiktoken("cl100k_base")):
        special = {**base._special_tokens, "<|im_start|>": 100264, "<|im_end|>": 100265}
        parts = {"pat_str": base._pat_str, "mergeable_ranks": base._mergeable_ranks}
        made.append(type(base)("cl100k_im", special_tokens=special, **parts))
    mine, other = made
    text = "<|im_start|>user\nit's 12345 東京  \n\n<|im_end|>"
    assert mine.encode(text, allowed_special="all") == other.encode(text, allowed_special="all")
    assert mine.max_token_value == other.max_token_value


def test_another_kind_of_tokenizer() -> None:
    tok = kugiri.train({"low": 2}, model="char", vocab_size=4, special_tokens=["<unk>"])
    with pytest.raises(kugiri.OptionError, match="a byte-level tokenizer is needed; this is Tok"):
        compat.Encoding.of(tok, "characters")


def test_models_and_names() -> None:
    theirs = pytest.importorskip("tiktoken", reason=f"tiktoken is absent: {HOW_TO_GET}")
    model = theirs.model
    names = [*model.MODEL_TO_ENCODING, *(f"{it}x" for it in model.MODEL_PREFIX_TO_ENCODING)]
    for name in [*names, "gpt-4o-mini", "gpt-5-nano", "ft:gpt-4o:x"]:
        assert compat.encoding_name_for_model(name) == theirs.encoding_name_for_model(name)
    assert sorted(compat.list_encoding_names()) == sorted(theirs.list_encoding_names())
    with pytest.raises(KeyError, match="which encoding 'my-model' has is not known"):
        compat.encoding_for_model("my-model")
    with pytest.raises(ValueError, match="unknown encoding 'o200k'; known: r50k_base"):
        compat.get_encoding("o200k")


def test_an_encoding_of_ones_own() -> None:
    theirs = pytest.importorskip("tiktoken", reason=f"tiktoken is absent: {HOW_TO_GET}")
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"lo": 256, b"low": 257}
    parts = {"pat_str": r" ?\p{L}+|\s+", "mergeable_ranks": ranks, "special_tokens": {"<e>": 300}}
    mine, other = compat.Encoding("mine", **parts), theirs.Encoding("mine", **parts)
    for text in ("low lower", "<e>", "lo<e>w"):
        assert mine.encode(text, allowed_special="all") == other.encode(text, allowed_special="all")
    assert (mine.n_vocab, mine._pat_str) == (other.n_vocab, other._pat_str)
    assert pickle.loads(pickle.dumps(mine)).encode("low") == [257]
    with pytest.raises(KeyError):
        mine.eot_token  # noqa: B018
    with pytest.raises(kugiri.VocabularyError, match="explicit_n_vocab is 5, and 259 tokens came"):
        compat.Encoding("mine", **parts, explicit_n_vocab=5)


# ── the places of its names ───────────────────────────────────────────────────────────────────
def test_its_modules(tmp_path: Path) -> None:
    library = pytest.importorskip("tiktoken", reason=f"absent: {HOW_TO_GET}")
    its_models = importlib.import_module("tiktoken.model")
    assert compat.model.MODEL_TO_ENCODING == its_models.MODEL_TO_ENCODING
    assert compat.model.MODEL_PREFIX_TO_ENCODING == its_models.MODEL_PREFIX_TO_ENCODING
    assert importlib.import_module("kugiri.compat.tiktoken.model") is compat.model
    assert compat.core.Encoding is compat.Encoding
    assert compat.registry.get_encoding is compat.get_encoding
    assert compat.__version__ == library.__version__
    tok = kugiri.train(["low lower 猫"] * 2, vocab_size=259)
    path = tmp_path / "mine.tiktoken"
    with pytest.warns(kugiri.KugiriWarning, match="does not keep the pattern"):
        tok.save(path)
    read = importlib.import_module("tiktoken.load").load_tiktoken_bpe
    assert compat.load.load_tiktoken_bpe(path) == read(str(path))
    assert compat.load.load_tiktoken_bpe(str(path))[b"low"] == tok.token_id("low")
    with pytest.raises(kugiri.FormatError, match="another one than expected_hash"):
        compat.load.load_tiktoken_bpe(path, "00")


def test_a_special_token_that_is_spelled_like_a_rank() -> None:
    tiktoken = pytest.importorskip("tiktoken", reason=f"tiktoken is absent: {HOW_TO_GET}")
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {"猫".encode()[:2]: 256, "猫".encode(): 257}
    parts: dict[str, Any] = {
        "pat_str": ".+", "mergeable_ranks": ranks, "special_tokens": {"猫": 258},
    }  # fmt: skip
    theirs, mine = tiktoken.Encoding("x", **parts), compat.Encoding("x", **parts)
    for token in ("猫", "猫".encode(), "a"):
        assert mine.encode_single_token(token) == theirs.encode_single_token(token)
    assert mine.token_byte_values() == theirs.token_byte_values()
    assert mine.encode("猫", allowed_special="all") == theirs.encode("猫", allowed_special="all")
    assert mine.encode("猫", disallowed_special=()) == theirs.encode("猫", disallowed_special=())
