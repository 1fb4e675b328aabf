"""`truncate` and `chunks` beside the plain definition (reference/limits.py), for every tokenizer.

The definition is asked with the places that whole encodings give; that those are right others test.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri.errors import EncodingError
from kugiri.reference.limits import beginning, parts
from tests.conftest import sliced
from tests.hf_combinations import COMBINATIONS
from tests.test_blocks import ATOMS, MODELS, combined, model
from tools.parity_texts import TEXTS

hard = st.lists(st.sampled_from(ATOMS), max_size=120).map("".join)
long = st.tuples(st.text(max_size=9), hard, st.integers(1, 3)).map(lambda t: (t[0] + t[1]) * t[2])


def plain_truncate(tok: kugiri.Tokenizer, text: str, limit: int) -> str:
    return text[: beginning(starts(tok), text, limit)]


def plain_chunks(
    tok: kugiri.Tokenizer, text: str, limit: int, overlap: int
) -> list[tuple[tuple[int, int], list[int]]]:
    spans = list(parts(starts(tok), text, limit, overlap))
    if (spans[-1][1] if spans else 0) < len(text):
        raise EncodingError("a character has no room")
    return [(span, tok.encode(text[slice(*span)])) for span in spans]


def starts(tok: kugiri.Tokenizer):  # type: ignore[no-untyped-def]
    return cache(lambda text: [start for start, _ in tok.encode_with_offsets(text).covering_spans])


def same(tok: kugiri.Tokenizer, text: str, limit: int, overlap: int) -> None:
    assert tok.truncate(text, limit) == plain_truncate(tok, text, limit)
    limit, overlap = limit + 1, min(limit, overlap)
    try:
        expected = plain_chunks(tok, text, limit, overlap)
    except EncodingError:
        with pytest.raises(EncodingError, match="has no room for it"):
            tok.chunks(text, limit, overlap)
        return
    chunks = tok.chunks(text, limit, overlap)
    assert [(chunk.span, chunk.ids.tolist()) for chunk in chunks] == expected
    assert [chunk.text for chunk in chunks] == [text[slice(*span)] for span, _ in expected]


limits = st.integers(0, 9) | st.integers(0, 150)
overlaps = st.just(0) | st.integers(0, 40)


@pytest.mark.parametrize("name", COMBINATIONS)
@settings(max_examples=15, deadline=None)
@given(long, limits, overlaps)
def test_components_in_company(name: str, text: str, limit: int, overlap: int) -> None:
    same(combined(name), text, limit, overlap)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=40, deadline=None)
@given(long, limits, overlaps)
def test_real_tokenizers(name: str, text: str, limit: int, overlap: int) -> None:
    same(model(name), text, limit, overlap)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("limit", "overlap"), [(100, 0), (500, 50)])
def test_real_texts(name: str, limit: int, overlap: int) -> None:
    for text in TEXTS:
        same(model(name), sliced(text, 0.004), limit, overlap)
