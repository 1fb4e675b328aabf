"""Byte-level BPE of ours as tokenizer.json: tokenizers loads it and gives the same ids."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri import spec
from kugiri.errors import KugiriWarning
from kugiri.formats import tiktoken
from kugiri.formats.encodings import ENCODINGS
from kugiri.patterns import PATTERNS
from kugiri.reference.regex_classes import compile_pattern
from kugiri.spec import BPE, AddedToken, TokenizerSpec
from kugiri.tables import Merges, Tokens
from tests.oracles import oracle_tiktoken, parity_file
from tests.test_formats_tokenizer_json import (
    canonical,
    oracle,
    read,
    written,
)

PUBLIC = ["r50k_base", "cl100k_base", "o200k_base"]
TEXTS = [
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "We'RE THEY'VE she'D ſ'ſ it'ſ  3.14159 12345678 ١٢٣ ½",
    "a  b\n\n  c \r\n \t x   \u3000\u00a0  \n",
    "def f(x):\n    return x  # コメント\n\n\n",
    "👨‍👩‍👧 e\u0301 \u200b\ufeff \u0378 \x00\x7f",
    "     ",
    "",
]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_encoding_as_tokenizer_json(name: str) -> None:
    described = tiktoken.read(parity_file(f"tiktoken/{name}.tiktoken").read_bytes())
    document = written(described)
    theirs, original = oracle(document), oracle_tiktoken(name)
    assert json.loads(theirs.to_str()) == document
    for text in TEXTS:
        ids = original.encode(text, disallowed_special=())
        assert theirs.encode(text).ids == ids
        assert theirs.decode(ids) == text
    for token, id in original._special_tokens.items():
        assert theirs.encode(f"a{token}b").ids == [*original.encode("a"), id, *original.encode("b")]


def test_an_id_with_two_names_keeps_the_one_that_is_decoded() -> None:
    described = trained("", 0)
    harmony = ENCODINGS["o200k_harmony"].special_tokens
    tokens = tuple(AddedToken(id, token) for token, id in harmony.items())
    with pytest.warns(KugiriWarning, match=r"the names \['<\|reserved_200018\|>'\] of ids that"):
        document = written(msgspec.structs.replace(described, added_tokens=tokens))
    theirs = oracle(document)
    assert theirs.token_to_id("<|endofprompt|>") == 200018
    assert theirs.token_to_id("<|call|>") == 200012


def trained(text: str, merges: int, pattern: str = "gpt2", **fields: Any) -> TokenizerSpec:
    """A byte-level BPE with a merge list, trained the obvious way; strings may be made again."""
    symbols = list(text.encode())
    ids: dict[bytes, int] = {bytes([byte]): byte for byte in range(256)}
    tokens, rows = list(ids), []
    for _ in range(merges):
        pairs = list(pairwise(symbols))
        if not pairs:
            break
        left, right = max(pairs, key=lambda pair: (pairs.count(pair), pair))
        join = tokens[left] + tokens[right]
        if join not in ids:
            ids[join] = len(tokens)
            tokens.append(join)
        rows.append((left, right, ids[join]))
        at = 0
        while at < len(symbols) - 1:
            if (symbols[at], symbols[at + 1]) == (left, right):
                symbols[at : at + 2] = [ids[join]]
            at += 1
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    return TokenizerSpec(
        BPE(Tokens.from_iter(tokens), merges=Merges(*columns)),
        pre_tokenizer=spec.Split(spec.Regex(PATTERNS[pattern]), "isolated"),
        **fields,
    )


def merge(word: bytes, model: BPE) -> list[int]:
    """Encode one word by the merge list, the obvious way."""
    assert model.merges is not None
    columns = (model.merges.left.tolist(), model.merges.right.tolist())
    row_of = {pair: row for row, pair in enumerate(zip(*columns, strict=True))}
    symbols = list(word)
    while found := [(row_of[p], i) for i, p in enumerate(pairwise(symbols)) if p in row_of]:
        row, at = min(found)
        symbols[at : at + 2] = [int(model.merges.result[row])]
    return symbols


@settings(deadline=None, max_examples=50)
@given(
    st.text("ab 猫の\n", min_size=2, max_size=60),
    st.integers(0, 20),
    st.lists(st.text("ab 猫の\n!", max_size=20), max_size=5),
)
def test_merge_list_as_tokenizer_json(text: str, merges: int, words: list[str]) -> None:
    described = msgspec.structs.replace(trained(text, merges), pre_tokenizer=None)
    document = written(described)
    theirs = oracle(document)
    assert json.loads(theirs.to_str()) == document
    assert isinstance(described.model, BPE)
    for word in [text, *words]:
        ids = merge(word.encode(), described.model)
        assert theirs.encode(word).ids == ids
        assert theirs.decode(ids) == word
    assert canonical(read(document)) == document


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_means_the_same_in_oniguruma(pattern: str) -> None:
    described = trained("", 0, pattern)
    cut = msgspec.structs.replace(
        described, pre_tokenizer=spec.Split(spec.Regex(PATTERNS[pattern]), "removed", invert=True)
    )
    theirs = oracle(written(cut)).pre_tokenizer
    for text in TEXTS:
        words = [found[0] for found in compile_pattern(PATTERNS[pattern]).finditer(text)]
        assert [text[slice(*span)] for _, span in theirs.pre_tokenize_str(text)] == words


def test_special_tokens_get_their_ids() -> None:
    tokens = (AddedToken(300, "<|end|>"), AddedToken(256, "<|a|>", special=False))
    document = written(trained("", 0, added_tokens=tokens))
    theirs = oracle(document)
    assert theirs.encode("x<|end|><|a|>").ids == [120, 300, 256]
    outside = written(trained("", 0, added_tokens=tokens[1:]))
    assert "<|a|>" not in outside["model"]["vocab"], "it gets its id without standing there"
    assert oracle(outside).encode("<|a|>").ids == [256]
