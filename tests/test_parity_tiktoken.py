"""`.tiktoken` encodings against tiktoken: ids, places, special tokens, bytes, decoding and files.

`make parity` compares all of the large texts; here it is a fixed slice of each.
"""

from __future__ import annotations

import base64
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.patterns import PATTERNS, regex_of
from tests.conftest import sliced
from tests.oracles import oracle_tiktoken, parity_file
from tests.strategies import texts
from tools.parity import ENCODINGS
from tools.parity_data import HOW_TO_GET
from tools.parity_texts import TEXTS

SPECIAL = [
    "<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>",
]  # fmt: skip
PIECES = [*SPECIAL, "<|endof", "text|>", "<|", "|>", "<|<|endoftext|>|>", " ", "\n", "it's", "猫"]
texts_with_special_tokens = st.lists(st.one_of(st.sampled_from(PIECES), texts), max_size=8).map(
    "".join
)

every_encoding = pytest.mark.parametrize("name", ENCODINGS, scope="module")


@lru_cache(maxsize=1)
def ours(name: str) -> kugiri.Tokenizer:
    return kugiri.load(parity_file(f"tiktoken/{name}.tiktoken"))


@lru_cache(maxsize=1)
def tokens_of(name: str) -> dict[int, bytes]:
    """The bytes of every id, as tiktoken has them; there are holes between the ids."""
    theirs = oracle_tiktoken(name)
    tokens = {}
    for id in range(theirs.n_vocab):
        try:
            tokens[id] = theirs.decode_single_token_bytes(id)
        except KeyError:
            continue
    return tokens


@given(
    st.lists(st.text("ab東京都。é", min_size=2, max_size=4), max_size=12, unique=True),
    st.lists(st.text("ab東京都。é ", max_size=24), max_size=4),
)
def test_words_are_taken_whole_and_their_parts_are_not(more: list[str], given: list[str]) -> None:
    """A token that no merges lead to is what its word becomes, and no part of a longer word."""
    oracle = pytest.importorskip("tiktoken")
    ranks = {token: rank for rank, token in enumerate([bytes([b]) for b in range(256)])}
    ranks |= {token.encode(): 256 + rank for rank, token in enumerate(more) if len(token) > 1}
    data = b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
    ours = kugiri.load(data, format="tiktoken", pattern="gpt2")
    theirs = oracle.Encoding(
        "test", pat_str=regex_of("pattern", "gpt2"), mergeable_ranks=ranks, special_tokens={}
    )
    for text in [*more, "".join(more), *given]:
        assert ours.encode(text) == theirs.encode(text), text


# ── text → ids ────────────────────────────────────────────────────────────────────────────────
@every_encoding
@pytest.mark.parametrize("text_name", TEXTS)
def test_ids_of_a_slice(name: str, text_name: str) -> None:
    text = sliced(text_name)
    lines = text.splitlines(keepends=True)
    theirs = oracle_tiktoken(name)
    assert ours(name).encode(text) == theirs.encode_ordinary(text)
    assert ours(name).encode_batch(lines).to_lists() == theirs.encode_ordinary_batch(lines)


@every_encoding
@given(text=texts)
def test_ids_of_any_text(name: str, text: str) -> None:
    tok, theirs = ours(name), oracle_tiktoken(name)
    ids = tok.encode(text)
    assert ids == theirs.encode_ordinary(text)
    assert tok.decode(ids) == text


@every_encoding
@given(text=texts)
def test_places_of_any_text(name: str, text: str) -> None:
    """tiktoken says where each token starts: with the first character that it touches."""
    encoding = ours(name).encode_with_offsets(text)
    expected = oracle_tiktoken(name).decode_with_offsets(encoding.ids.tolist())
    assert (text, [start for start, _ in encoding.covering_spans]) == expected
    assert encoding.spans == encoding.covering_spans


# ── special tokens ────────────────────────────────────────────────────────────────────────────
@every_encoding
@given(text=texts_with_special_tokens, some=st.sets(st.sampled_from(SPECIAL)))
def test_special_tokens(name: str, text: str, some: set[str]) -> None:
    tok, theirs = ours(name), oracle_tiktoken(name)
    allowed = some & set(tok.special_tokens)
    assert tok.encode(text) == theirs.encode(text, disallowed_special=())
    assert tok.encode(text, allowed_special="all") == theirs.encode(text, allowed_special="all")
    assert tok.encode(text, allowed_special=allowed) == theirs.encode(
        text, allowed_special=allowed, disallowed_special=()
    )


@every_encoding
@given(text=texts_with_special_tokens)
def test_every_call_treats_special_tokens_alike(name: str, text: str) -> None:
    tok = ours(name)
    ids = tok.encode(text, allowed_special="all")
    encoding = tok.encode_with_offsets(text, allowed_special="all")
    assert encoding.ids.tolist() == ids
    assert encoding.special == [id in tok.special_tokens.values() for id in ids]
    assert tok.encode_array(text, allowed_special="all").tolist() == ids
    assert tok.encode_batch([text], allowed_special="all").to_lists() == [ids]
    assert tok.count(text, allowed_special="all") == len(ids)
    assert tok.count_batch([text], allowed_special="all").tolist() == [len(ids)]
    assert tok.tokens(text, allowed_special="all") == encoding.tokens
    assert tok.decode(ids) == text


@every_encoding
def test_special_tokens_are_those_of_tiktoken(name: str) -> None:
    assert set(ours(name).special_tokens) == oracle_tiktoken(name).special_tokens_set


# ── ids → text ────────────────────────────────────────────────────────────────────────────────
@every_encoding
def test_the_vocabulary(name: str) -> None:
    tok, tokens = ours(name), tokens_of(name)
    assert tok.vocab_size == oracle_tiktoken(name).n_vocab
    assert {id: tok.token_bytes(id) for id in tokens} == tokens
    for id in {*range(tok.vocab_size + 2), 2**32 - 1} - set(tokens):
        with pytest.raises(kugiri.VocabularyError, match=str(id)):
            tok.decode([id])


@every_encoding
@given(data=st.data())
def test_decode(name: str, data: Any) -> None:
    """Any ids, so most of them are bytes that are not UTF-8."""
    known = list(tokens_of(name))
    places = data.draw(st.lists(st.integers(0, len(known) - 1), max_size=12))
    ids = [known[place] for place in places]
    theirs = oracle_tiktoken(name)
    assert ours(name).decode(ids, errors="replace") == theirs.decode(ids, errors="replace")
    assert ours(name).decode_bytes(ids) == theirs.decode_bytes(ids)
    assert ours(name).decode_batch([ids, ids]) == theirs.decode_batch([ids, ids])


# ── files ─────────────────────────────────────────────────────────────────────────────────────
@every_encoding
def test_saved_and_loaded_again(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.tiktoken"
    ours(name).save(copy)
    assert copy.read_bytes() == parity_file(f"tiktoken/{name}.tiktoken").read_bytes()
    assert kugiri.load(copy) == ours(name)


@pytest.mark.parametrize("preset", ["gpt2", "gpt4", "gpt4o", "llama3", "japanese"])
def test_tiktoken_reads_what_is_trained_here(preset: str, tmp_path: Path) -> None:
    load = pytest.importorskip("tiktoken.load", reason=f"tiktoken is absent: {HOW_TO_GET}")
    text = sliced("ja.txt.gz", 0.005) + sliced("code.txt.gz", 0.005)
    tok = kugiri.train([text], preset=preset, vocab_size=1000)
    path = tmp_path / "trained.tiktoken"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)  # the file does not hold the pattern
        tok.save(path)
    pattern = tok.training["options"]["pre_tokenizer"]
    theirs = pytest.importorskip("tiktoken").Encoding(
        preset,
        pat_str=PATTERNS[pattern],
        mergeable_ranks=load.load_tiktoken_bpe(str(path)),
        special_tokens={},
    )
    other = sliced("neko.txt") + sliced("en.txt.gz", 0.005)
    for sample in (text, other):
        assert tok.encode(sample) == theirs.encode_ordinary(sample)
    assert kugiri.load(path, pattern=pattern).encode(other) == tok.encode(other)
