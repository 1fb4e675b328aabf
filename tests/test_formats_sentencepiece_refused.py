"""`.model` files that are refused, and tokenizers that a `.model` has no place for."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest

from kugiri import spec
from kugiri.errors import FormatError, KugiriWarning
from kugiri.formats.protobuf import bytes_field, varint_field
from kugiri.formats.sentencepiece import read, write
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.spec import TokenizerSpec
from kugiri.tables import Column, Tokens
from model_files import BOS, BPE, BYTE_FALLBACK, BYTES, SMALL, UNK, A, model


# ── refused ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("data", "byte", "message"),
    [
        (model(), None, "there are no pieces"),
        (model(A), None, "0 pieces are of type UNKNOWN"),
        (model(UNK, (b"?", 0.0, 2)), None, "2 pieces are of type UNKNOWN"),
        (model(UNK, (b"", 0.0, 1)), 16, "piece 1, '', is empty"),
        (model(UNK, A, A), 26, "piece 2, 'a', is the same as piece 1"),
        (model(UNK, (b"a", 0.0, 7)), 26, "piece type 7 is unknown; known are 1 "),
        (model(UNK, (b"a", float("nan"), 1), trainer=BPE), 16, "has the score nan"),
        (model(UNK, (b"a", float("-inf"), 1)), 16, "has the score -inf"),
        (model(UNK, BYTES[0]), 16, "is of type BYTE, but byte_fallback is off"),
        (model(UNK, (b"<0x0a>", 0.0, 6), trainer=BYTE_FALLBACK), 16, "none of <0x00> to <0xFF>"),
        (model(UNK, *BYTES[1:], trainer=BYTE_FALLBACK), None, "255 pieces are of type BYTE"),
        (model(UNK, (b"\xff", 0.0, 3)), 16, "is not UTF-8, which only ordinary pieces may be"),
        (model(UNK, (b"\xff", 0.0, 4)), 16, "is not UTF-8"),
        (model(UNK, trainer=varint_field(3, 9)), 18, "model type 9 is unknown; known are 1 (uni"),
        (model(UNK, trainer=bytes_field(4, b"8")), 18, "field 4 is bytes; it must be a varint"),
        (model(UNK, normalizer=bytes_field(2, b"\0" * 9)), 20, "a charsmap of 9 bytes"),
        (model(UNK, A)[:-3], 16, "field 1 should be 8 bytes long, but 5 are left"),
        (bytes_field(1, b"\n\x05ab"), 2, "field 1 should be 5 bytes long, but 2 are left"),
    ],
)
def test_refused(data: bytes, byte: int | None, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert message in str(caught.value)
    assert caught.value.offset == byte


def test_charsmaps_that_are_damaged() -> None:
    good = compile_charsmap({"a": "b", "あ": "い"})
    for damaged, message in {
        good[:-1]: "does not end in a zero byte",
        b"\xff\xff\xff\x7f" + good[4:]: "cannot hold a trie of 2147483647",
        b"\x01\x04\0\0" + good[4:]: "cannot hold a trie of 1025",
        good.replace("い".encode(), b"\xff\xff\xff"): "are not UTF-8",
    }.items():
        with pytest.raises(FormatError, match=message):
            read(model(UNK, A, normalizer=bytes_field(2, damaged)))


def damaged(source: random.Random, data: bytes) -> bytes:
    """Data with a few bytes changed, cut out or put in."""
    changed = bytearray(data)
    for _ in range(source.randrange(1, 5)):
        at = source.randrange(len(changed))
        end = at + source.choice([0, 0, 1, 1, 4])
        changed[at:end] = source.randbytes(source.choice([0, 1, 1, 3]))
    return bytes(changed)


def read_or_error(data: bytes) -> TokenizerSpec | FormatError:
    """What becomes of data."""
    try:
        return read(data)
    except FormatError as error:
        return error


def test_damaged_files_end_in_an_error_or_a_tokenizer() -> None:
    source = random.Random(0)
    small = model(UNK, BOS, A, ("▁".encode(), -3.0, 1), trainer=BPE, normalizer=varint_field(3, 1))
    withs = model(UNK, A, normalizer=bytes_field(2, compile_charsmap({"a": "b", "bc": ""})))
    for _ in range(1500):
        data = damaged(source, source.choice([small, withs, SMALL]))
        described = read_or_error(data)
        if isinstance(described, FormatError):
            assert described.offset is None or 0 <= described.offset <= len(data)
            continue
        tokenizer = ReferenceTokenizer(described)
        ids = [token.id for token in tokenizer.tokens("a bc Aあ\0<s>")]
        tokenizer.decode([id for id in ids if id is not None])
        assert read(write(described)) == described


def test_every_beginning_of_a_file_is_refused_or_whole() -> None:
    small = model(UNK, BOS, A, trainer=BPE + varint_field(4, 3), normalizer=varint_field(3, 1))
    for length in range(len(small)):
        described = read_or_error(small[:length])
        if not isinstance(described, FormatError):
            assert write(described) == small[:length]


# ── what a .model has no place for ────────────────────────────────────────────────────────────
def replaced(**parts: Any) -> TokenizerSpec:
    """The small model with other parts."""
    return msgspec.structs.replace(read(SMALL), **parts)


def remade(**fields: Any) -> TokenizerSpec:
    """The small model with other fields of its BPE."""
    return replaced(model=msgspec.structs.replace(read(SMALL).model, **fields))


@pytest.mark.parametrize(
    ("described", "what"),
    [
        (replaced(decoder=None), "a decoder that is not SentencePiece's"),
        (replaced(normalizer=spec.NFC()), "a normalizer that is not SentencePiece's"),
        (replaced(pre_tokenizer=spec.Whitespace()), "a pre-tokenizer"),
        (replaced(added_tokens=()), "added tokens that are not its control pieces"),
        (replaced(post_processor=None), "a post-processor that does not"),
        (replaced(model=spec.WordPiece(Tokens.from_iter([b"a"]))), "a WordPiece model"),
        (remade(order="list"), "in order of scores"),
        (remade(scores=None), "pieces without scores and types"),
        (remade(piece_types=None), "pieces without scores and types"),
        (remade(ids=Column(np.arange(1, 263), np.uint32)), "ids with holes"),
        (remade(scores=Column([0.1] * 262, np.float64)), "scores of more than 32 bits"),
        (remade(end_of_word="_"), "an end-of-word mark or a prefix"),
    ],
)
def test_no_place(described: TokenizerSpec, what: str) -> None:
    with pytest.raises(FormatError, match=f"a .model has no place for .*{what}.*kugiri.json"):
        write(described)


def test_fields_that_are_none() -> None:
    for fields, message in [
        ({"size": 3}, "a .model has no field 'size'; its fields are input, model_prefix"),
        (
            {"vocab_size": "3"},
            "the field vocab_size of a .model is of kind 'int'; it cannot be '3'",
        ),
        ({"vocab_size": 2**31}, "it cannot be 2147483648"),
        ({"input": ("a", 3)}, "the field input of a .model is of kind 'strings'"),
        ({"split_digits": 1}, "of kind 'bool'; it cannot be 1"),
        ({"shrinking_factor": 1e40}, "of kind 'float'; it cannot be 1e+40"),
        ({"unk_piece": "\ud800"}, "of kind 'string'; it cannot be '\\ud800'"),
    ]:
        with pytest.raises(FormatError) as caught:
            write(replaced(trainer=spec.SentencePieceTrainer(fields)))  # type: ignore[arg-type]
        assert message in str(caught.value)


def test_what_is_left_out_is_named() -> None:
    with pytest.warns(KugiriWarning, match="a .model does not keep truncation; padding; .kugiri"):
        write(replaced(truncation=spec.Truncation(3), padding=spec.Padding()))
    with pytest.raises(FormatError, match="what is kept of the file's spelling is damaged"):
        write(replaced(unknown_fields=b"{"))
