"""`.model` files made by hand, field by field."""

from __future__ import annotations

from kugiri.formats.protobuf import bytes_field, float_field, varint_field
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.spec import PieceType

UNK, BOS = (b"<unk>", 0.0, PieceType.UNKNOWN), (b"<s>", 0.0, PieceType.CONTROL)
A = (b"a", -1.5, PieceType.NORMAL)
BYTES = [(b"<0x%02X>" % byte, 0.0, PieceType.BYTE) for byte in range(256)]
BPE, WORD = varint_field(3, 2), varint_field(3, 3)
BYTE_FALLBACK = varint_field(35, 1)

Row = tuple[bytes, float, int]


def piece(text: bytes, score: float, type: int) -> bytes:
    """A piece as sentencepiece writes it."""
    head = bytes_field(1, text) + float_field(2, score)
    return head if type == PieceType.NORMAL else head + varint_field(3, type)


def model(
    *rows: Row, trainer: bytes | None = None, normalizer: bytes | None = None, rest: bytes = b""
) -> bytes:
    """A `.model` of pieces and of the content of its specs."""
    data = b"".join(bytes_field(1, piece(*row)) for row in rows)
    data += b"" if trainer is None else bytes_field(2, trainer)
    data += b"" if normalizer is None else bytes_field(3, normalizer)
    return data + rest


SMALL = model(
    UNK,
    BOS,
    (b"</s>", 0.0, PieceType.CONTROL),
    (b"<sep>", 0.0, PieceType.USER_DEFINED),
    A,
    ("▁a".encode(), -1.25, PieceType.UNUSED),
    *BYTES,
    trainer=bytes_field(1, b"a.txt")
    + bytes_field(1, b"b.txt")
    + varint_field(3, 2)
    + varint_field(4, 300)
    + float_field(10, 0.9995)
    + varint_field(11, 2**64 - 1)
    + varint_field(35, 1)
    + varint_field(43, -1)
    + bytes_field(44, b"?"),
    normalizer=bytes_field(1, b"mine")
    + bytes_field(2, compile_charsmap({"A": "a"}))
    + varint_field(3, 1)
    + varint_field(4, 0),
    rest=bytes_field(4, bytes_field(1, bytes_field(1, b"a") + bytes_field(2, b"x")))
    + bytes_field(5, bytes_field(2, compile_charsmap({"a": "A"})) + varint_field(3, 0)),
)
