"""What a `.model` becomes, run by kugiri itself: the ids of tokenizers with the same file.

The engines must run Precompiled, Prepend and Replace for this.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import kugiri
from kugiri.errors import KugiriWarning
from kugiri.random_texts import random_texts
from tests.conftest import sliced
from tests.sentencepiece_models import trained
from tools.parity_data import HOW_TO_GET

NAMES = [
    "bpe", "bpe bytes", "bpe symbols", "bpe spaces", "unigram", "unigram japanese",
    "unigram bytes", "unigram symbols", "unigram as it is",
]  # fmt: skip


def converted(name: str) -> tuple[kugiri.Tokenizer, kugiri.Tokenizer]:
    """A .model, and what it becomes."""
    tok = kugiri.load(trained(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        return tok, kugiri.convert(tok, "tokenizer.json")


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_those_of_tokenizers(name: str, tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    _, ours = converted(name)
    ours.save(tmp_path / "tokenizer.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    special = list(ours.special_tokens)
    for text in (*sliced("neko.txt").splitlines(), *random_texts(0, 500)):
        if not any(token in text for token in special):  # text that looks like one is text here
            ids = ours.encode(text)
            assert ids == theirs.encode(text, add_special_tokens=False).ids
            assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("name", NAMES)
def test_verify_finds_what_differs(name: str) -> None:
    tok, other = converted(name)
    lines = [*sliced("botchan.txt").splitlines(), *sliced("neko.txt").splitlines()]
    found = kugiri.verify(tok, other, iter(lines), random=300)
    if name == "unigram symbols":  # user-defined pieces are always taken whole
        assert found.corpus.by_text > 0.98
    else:
        assert found.corpus.by_text > 0.99  # a tie or two
        assert set(found.causes) <= {"ties", "normalization", "bytes", "unknown", "other cut"}
    assert found.random.by_text > 0.95
