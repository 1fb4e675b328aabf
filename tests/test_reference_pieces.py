"""The rows of tests/vectors about .model files on the readable engine."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from kugiri import spec
from kugiri.errors import EncodingError
from kugiri.reference.alignment import Aligned
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.normalize import normalize
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.user_defined import UserDefined
from kugiri.reference.vocab import show
from kugiri.spec import PieceType, SentencePieceNormalizer, TokenizerSpec
from kugiri.stream import PieceStreamDecoder
from kugiri.tables import Column, Tokens
from test_reference_vectors import rows

Row = dict[str, Any]
AS_IT_IS = SentencePieceNormalizer(add_dummy_prefix=False, remove_extra_whitespaces=False)


def columns_of(row: Row) -> Row:
    """The vocabulary of a row of pieces.toml."""
    pieces = [["<unk>", 0.0, "UNKNOWN"], *row["pieces"]]
    if row.get("bytes"):
        pieces += [[f"<0x{byte:02X}>", 0.0, "BYTE"] for byte in range(256)]
    types = [PieceType[piece[2]] if len(piece) > 2 else PieceType.NORMAL for piece in pieces]
    return {
        "vocab": Tokens.from_iter(piece[0].encode() for piece in pieces),
        "scores": Column(
            [piece[1] for piece in pieces], np.float64 if row.get("float64") else np.float32
        ),
        "piece_types": Column(types, np.uint8),
        "byte_fallback": row.get("bytes", False),
    }


def described(row: Row) -> TokenizerSpec:
    """The tokenizer of a row of pieces.toml, which leaves text as it is."""
    columns = columns_of(row)
    models = {
        "unigram": lambda: spec.Unigram(unk_id=0, **columns),
        "bpe": lambda: spec.BPE(unit="char", order="score", unk_token="<unk>", **columns),
        "word": lambda: spec.WordLevel(**columns),
        "char": lambda: spec.CharLevel(**columns),
    }
    control = tuple(
        spec.AddedToken(id, token.decode())
        for id, token in enumerate(columns["vocab"])
        if columns["piece_types"].values[id] == PieceType.CONTROL
    )
    return TokenizerSpec(
        models[row["model"]](),
        added_tokens=control,
        normalizer=AS_IT_IS,
        decoder=spec.SentencePieceDecoder(),
    )


@pytest.mark.parametrize("row", rows("pieces", "case"))
def test_pieces(row: Row) -> None:
    tokens = ReferenceTokenizer(described(row)).encode(row["text"])
    assert [show(token.text) for token in tokens] == row["tokens"]
    assert [token.id for token in tokens] == row["ids"]
    assert [[token.start, token.end] for token in tokens] == row["spans"]


# ── normalizing ───────────────────────────────────────────────────────────────────────────────
FLAGS = (
    "add_dummy_prefix",
    "remove_extra_whitespaces",
    "escape_whitespaces",
    "treat_whitespace_as_suffix",
)


def normalizer_of(row: Row) -> SentencePieceNormalizer:
    """The normalizer of a row of normalize.toml."""
    flags = {flag: row[flag] for flag in FLAGS if flag in row}
    return SentencePieceNormalizer(charsmap=compile_charsmap(dict(row.get("rules", []))), **flags)


@pytest.mark.parametrize("row", rows("normalize", "case"))
def test_normalize(row: Row) -> None:
    user_defined = UserDefined(row.get("user_defined", []))
    normalized = normalize(Aligned.of(row["text"]), normalizer_of(row), user_defined)
    assert normalized.text == row["normalized"]
    assert [list(span) for span in normalized.spans] == row["spans"]
    assert normalized.end == row["end"]


# ── decoding ──────────────────────────────────────────────────────────────────────────────────
def decoding(row: Row) -> TokenizerSpec:
    """The tokenizer of a row of decode.toml."""
    pieces = [[text, 0.0, *type] for text, *type in row["pieces"]]
    base = described({"model": "char", "pieces": pieces, "bytes": row.get("bytes", False)})
    flags = ("add_dummy_prefix", "remove_extra_whitespaces")
    denormalizer = msgspec.structs.replace(
        AS_IT_IS, charsmap=compile_charsmap(dict(row.get("rules", []))), escape_whitespaces=False
    )
    return msgspec.structs.replace(
        base,
        normalizer=SentencePieceNormalizer(**{flag: row[flag] for flag in flags if flag in row}),
        decoder=spec.SentencePieceDecoder(row.get("unk_surface", " \u2047 "), denormalizer),
    )


@pytest.mark.parametrize("row", rows("decode", "pieces"))
def test_decode_pieces(row: Row) -> None:
    tokenizer = ReferenceTokenizer(decoding(row))
    assert tokenizer.decode(row["ids"]) == row["text"]
    stream = PieceStreamDecoder(tokenizer.vocabulary.piece, tokenizer.spec)
    assert "".join([*map(stream.feed, row["ids"]), stream.finish()]) == row["text"]


def test_bytes_that_are_not_utf8_in_other_ways() -> None:
    tokenizer = ReferenceTokenizer(decoding({"pieces": [["a"]], "bytes": True}))
    ids = [1, 233, 142]
    assert tokenizer.decode_bytes(ids) == b"a\xe7\x8c"
    assert tokenizer.decode(ids, errors="ignore") == "a"
    with pytest.raises(EncodingError, match="not UTF-8 from byte 1"):
        tokenizer.decode(ids, errors="strict")
