"""The rows of tests/vectors, read once for both engines; tests/vectors.rs reads the same files.

Rows come as parameters, and what a row describes comes as an object of the library: the spec of an
encoding or decoding row, the options of a training row, the sentences of a seed.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kugiri import errors
from kugiri.patterns import PATTERNS
from kugiri.spec import BPE, AddedToken, Decoder, Regex, Split, TokenizerSpec
from kugiri.tables import Merges, Tokens

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Row = dict[str, Any]
VECTORS = Path(__file__).parent / "vectors"


def table(file: str) -> dict[str, Any]:
    """One file of vectors."""
    return tomllib.loads((VECTORS / f"{file}.toml").read_text(encoding="utf-8"))


def rows(file: str, kind: str) -> list[Any]:
    """The rows of one kind as parameters of a test, each under its name."""
    return [pytest.param(row, id=row.get("name") or row["text"]) for row in table(file)[kind]]


def refusal(row: Row) -> type[Exception]:
    """The class of the error that a refused row asks for."""
    error: type[Exception] = getattr(errors, row["error"])
    return error


def not_said(row: Row, error: BaseException) -> list[str]:
    """What the message of an error should hold and does not."""
    return [part for part in row["says"] if part not in str(error)]


def to_bytes(piece: str) -> bytes:
    """Read a piece as the vectors write it: text, or `<e5 b0>`."""
    is_bytes = re.fullmatch("<[0-9a-f]{2}( [0-9a-f]{2})*>", piece)
    return bytes.fromhex(piece[1:-1]) if is_bytes else piece.encode()


def keeping_matches(pattern: str) -> Split:
    """The pre-tokenizer whose pieces are the matches of a pattern."""
    return Split(Regex(pattern), "removed", invert=True)


def training_options(row: Row) -> dict[str, Any]:
    """The options of a training row, lists as tuples."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in row["options"].items()
    }


def encode_spec(row: Row) -> TokenizerSpec:
    """The tokenizer that a row of bpe_encode.toml describes; an empty row has the bytes alone."""
    unit = row.get("unit", "byte")
    vocab = [bytes([byte]) for byte in range(256)] if unit == "byte" else []
    vocab += [to_bytes(symbol) for symbol in row.get("alphabet", [])]
    merges = [(to_bytes(left), to_bytes(right)) for left, right in row.get("merges", [])]
    vocab += dict.fromkeys(left + right for left, right in merges)
    vocab += [to_bytes(token) for token in row.get("tokens", [])]
    unknown = AddedToken(len(vocab), "<unk>")
    vocab += [b"<unk>"] if row.get("unk") else []
    ids = {token: id for id, token in enumerate(vocab)}
    pattern = row.get("pattern")
    return TokenizerSpec(
        model=BPE(
            Tokens.from_iter(vocab),
            unit=unit,
            order=row.get("order", "list"),
            merges=Merges(
                [ids[left] for left, _ in merges],
                [ids[right] for _, right in merges],
                [ids[left + right] for left, right in merges],
            ),
            end_of_word=row.get("end_of_word", ""),
            unk_token="<unk>" if row.get("unk") else None,
            fuse_unk=row.get("fuse_unk", False),
            ignore_merges=row.get("ignore_merges", False),
        ),
        added_tokens=(unknown,) if row.get("unk") else (),
        pre_tokenizer=keeping_matches(PATTERNS[pattern]) if pattern else None,
    )


def decode_spec(row: Row) -> TokenizerSpec:
    """The tokenizer that a row of decode.toml describes."""
    vocab = row.get("vocab") or [f"<{byte:02x}>" for byte in range(256)]
    return TokenizerSpec(
        model=BPE(Tokens.from_iter(to_bytes(token) for token in vocab), merges=Merges.empty()),
        added_tokens=msgspec.convert(row.get("added", []), tuple[AddedToken, ...]),
        decoder=msgspec.convert(row["decoder"], Decoder) if "decoder" in row else None,
    )


def decode_options(row: Row) -> dict[str, Any]:
    """How a row of decode.toml asks to be decoded."""
    return {name: row[name] for name in ("errors", "skip_special_tokens") if name in row}


def template_sentences(seed: Row) -> tuple[list[str], list[str]]:
    """The 2000 sentences of document 000 to train on, and the 200 to try it on."""
    drawn = random.Random(0)
    parts = seed["subjects"], seed["places"], seed["actions"]
    sentences = ["".join(map(drawn.choice, parts)) + "。" for _ in range(2200)]
    return sentences[:2000], sentences[2000:]
