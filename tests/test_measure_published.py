"""Counts that others published of 羅生門 (Akutagawa Ryūnosuke, 1915), where the text is at hand.

The text is no part of the project. A copy belongs to `texts/rashomon.txt` of the parity folder:
that of Aozora Bunko (card 127), a paragraph a line, without title, readings and notes.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

import kugiri
from oracles import oracle_tiktoken, parity_file
from tools.parity_data import TIKTOKEN_CACHE_KEYS, parity_dir

pytestmark = pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")

PUBLISHED = {"o200k_base": 4913, "cl100k_base": 6531, "p50k_base": 8188, "r50k_base": 8188}
"""Tokens of the whole text by qiita.com/nishiha/items/19e6a789bd17ffe775f8, which does not say
whether title, indentation, readings and notes were in it."""

WITHOUT = {"o200k_base": 4816, "cl100k_base": 6420, "p50k_base": 8028, "r50k_base": 8028}
"""Tokens of the text without all that, by tiktoken 0.14.0; 5,718 characters."""


@lru_cache(maxsize=1)
def rashomon() -> Path:
    path = parity_dir() / "texts" / "rashomon.txt"
    if not path.is_file():
        pytest.skip("texts/rashomon.txt is absent from the parity folder: see tests/" + __name__)
    if "ある日の暮方の事である。" not in path.read_text(encoding="utf-8"):
        pytest.fail(f"{path} is not 羅生門")
    return path


def tokenizer(name: str) -> kugiri.Tokenizer:
    path = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[name]}")
    return kugiri.load(path.read_bytes(), format="tiktoken")


@pytest.mark.parametrize("name", PUBLISHED)
def test_tokens_of_rashomon(name: str) -> None:
    path = rashomon()
    report = kugiri.measure({name: tokenizer(name)}, path, documents="files", metrics=["tokens"])
    tokens = report.value("tokens", name, "rashomon").value
    assert tokens is not None
    text = path.read_text(encoding="utf-8")
    assert tokens == len(oracle_tiktoken(name).encode_ordinary(text))
    if len(text) == 5718:
        assert tokens == WITHOUT[name]
    # Copies differ by their title, indentation and notes; the proportions do not.
    assert tokens == pytest.approx(PUBLISHED[name], rel=0.03)


def test_proportions_of_rashomon() -> None:
    path = rashomon()
    named = {name: tokenizer(name) for name in PUBLISHED}
    report = kugiri.measure(named, path, documents="files", metrics=["tokens"])
    tokens = {name: report.value("tokens", name, "rashomon").value or 0.0 for name in named}
    assert tokens["p50k_base"] == tokens["r50k_base"]  # as published
    for one in PUBLISHED:
        ratio = tokens[one] / tokens["o200k_base"]
        assert ratio == pytest.approx(PUBLISHED[one] / PUBLISHED["o200k_base"], rel=0.005)
