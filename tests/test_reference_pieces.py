"""The rows of tests/vectors about .model files on the readable engine."""

from __future__ import annotations

import numpy as np
import pytest

import kugiri
from kugiri import spec
from kugiri.errors import EncodingError
from kugiri.reference.alignment import Aligned
from kugiri.reference.decode import join
from kugiri.reference.normalize import normalize
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.user_defined import UserDefined
from kugiri.reference.vocab import show
from kugiri.tables import Column, Tokens
from kugiri.tokenizing.stream import PieceStreamDecoder
from piece_rows import decoding, described, normalizer_of
from vector_rows import Row, rows


@pytest.mark.parametrize("row", rows("pieces", "case"))
def test_pieces(row: Row) -> None:
    tokens = ReferenceTokenizer(described(row)).encode(row["text"])
    assert [show(token.text) for token in tokens] == row["tokens"]
    assert [token.id for token in tokens] == row["ids"]
    assert [[token.start, token.end] for token in tokens] == row["spans"]


# ── normalizing ───────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("row", rows("normalize", "case"))
def test_normalize(row: Row) -> None:
    user_defined = UserDefined(row.get("user_defined", []))
    normalized = normalize(Aligned.of(row["text"]), normalizer_of(row), user_defined)
    assert normalized.text == row["normalized"]
    assert [list(span) for span in normalized.spans] == row["spans"]
    assert normalized.end == row["end"]


# ── decoding ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("row", rows("decode", "pieces"))
def test_decode_pieces(row: Row) -> None:
    tokenizer = ReferenceTokenizer(decoding(row))
    assert tokenizer.decode(row["ids"]) == row["text"]
    stream = PieceStreamDecoder(tokenizer.vocabulary.piece, tokenizer.spec)
    assert "".join([*map(stream.feed, row["ids"]), stream.finish()]) == row["text"]


def test_bytes_that_are_not_utf8_in_other_ways() -> None:
    tokenizer = ReferenceTokenizer(decoding({"pieces": [["a"]], "bytes": True}))
    ids = [1, 233, 142]
    assert join(tokenizer.vocabulary.pieces(ids), tokenizer.spec) == b"a\xe7\x8c"
    assert tokenizer.decode(ids, errors="ignore") == "a"
    with pytest.raises(EncodingError, match="not UTF-8 from byte 1"):
        tokenizer.decode(ids, errors="strict")


def test_text_that_looks_like_a_special_token_is_no_piece() -> None:
    model = spec.Unigram(
        vocab=Tokens.from_iter([b"<unk>", b"</s>", b"s", b"<"]),
        scores=Column(np.array([0.0, -1.0, -2.0, -3.0])),
        unk_id=0,
    )
    whole = spec.TokenizerSpec(
        model, added_tokens=(spec.AddedToken(1, "</s>"),), origin="tokenizer.json"
    )
    tok = kugiri.Tokenizer(whole)
    readable = [token.id for token in ReferenceTokenizer(whole).encode("</s>s")]
    assert tok.encode("</s>s") == readable == [3, 0, 2, 0, 2]
    assert tok.encode("</s>s", allowed_special="all") == [1, 2]
