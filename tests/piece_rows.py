"""What the rows about .model files describe, as objects of the library, for both engines."""

from __future__ import annotations

import msgspec
import numpy as np

from kugiri import spec
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.spec import PieceType, SentencePieceNormalizer, TokenizerSpec
from kugiri.tables import Column, Tokens
from vector_rows import Row

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
    }


def described(row: Row) -> TokenizerSpec:
    """The tokenizer of a row of pieces.toml, which leaves text as it is."""
    columns = columns_of(row)
    flags = {"byte_fallback": row.get("bytes", False)}
    bpe = {"unit": "char", "order": "score", "unk_token": "<unk>"}
    models = {
        "unigram": lambda: spec.Unigram(unk_id=0, **flags, **columns),
        "bpe": lambda: spec.BPE(**bpe, **flags, **columns),
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
