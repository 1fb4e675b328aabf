"""The wire form of protocol buffers, as much of it as a `.model` file needs.

Rule.    A message is a row of fields, each a varint `number << 3 | wire type` and a value. Reading
         yields the fields as they stand, with their own bytes, so that what nobody knows can be
         written again unchanged. Nothing is read beyond the end of the message that a length
         promises.
Cost.    One visit a field.
Source.  The encoding as protobuf.dev describes it; groups, which no `.model` has, are refused.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from kugiri.errors import FormatError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""The wire types."""

_WIRE_NAMES = {VARINT: "a varint", FIXED64: "8 bytes", BYTES: "bytes", FIXED32: "4 bytes"}
_FIXED_SIZES = {FIXED64: 8, FIXED32: 4}
_LONGEST_VARINT = 10
_HIGHEST_FIELD = (1 << 29) - 1


class Field(NamedTuple):
    """One field of a message.

    Attributes:
        number: which field.
        wire: one of the wire types.
        value: an unsigned int for VARINT, else the bytes.
        start, end: its place in the file, key included.
        inside: where its value begins in the file.
    """

    number: int
    wire: int
    value: int | bytes
    start: int
    end: int
    inside: int

    def as_int(self) -> int:
        """The value of a varint, as a signed number.

        Raises:
            FormatError: it is of another wire type.
        """
        value = self._of(VARINT)
        assert isinstance(value, int)
        return value - (1 << 64) if value >= 1 << 63 else value

    def as_bytes(self) -> bytes:
        """The value of a string, of bytes, or of a message within.

        Raises:
            FormatError: it is of another wire type.
        """
        value = self._of(BYTES)
        assert isinstance(value, bytes)
        return value

    def as_float(self) -> float:
        """The value of a float.

        Raises:
            FormatError: it is of another wire type.
        """
        value = self._of(FIXED32)
        assert isinstance(value, bytes)
        (number,) = struct.unpack("<f", value)
        return float(number)

    def _of(self, wire: int) -> int | bytes:
        if self.wire != wire:
            raise FormatError(
                f"field {self.number} is {_WIRE_NAMES[self.wire]}; it must be {_WIRE_NAMES[wire]}",
                offset=self.start,
            )
        return self.value


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read_fields(data: bytes, offset: int = 0) -> Iterator[Field]:
    """Yield the fields of a message that stands at `offset` in the file.

    Raises:
        FormatError: it is malformed; has the byte.

    Example:
        >>> [(field.number, field.value) for field in read_fields(bytes.fromhex("0801 1202 6869"))]
        [(1, 1), (2, b'hi')]
    """
    at = 0
    while at < len(data):
        start = at
        key, at = _read_varint(data, at, offset)
        number, wire = key >> 3, key & 7
        if not 0 < number <= _HIGHEST_FIELD or wire not in _WIRE_NAMES:
            raise FormatError(
                f"a field with number {number} and wire type {wire} cannot be; is this file a "
                "protocol buffer?",
                offset=offset + start,
            )
        if wire == VARINT:
            inside = at
            value, at = _read_varint(data, at, offset)
            yield Field(number, wire, value, offset + start, offset + at, offset + inside)
            continue
        size, at = _read_varint(data, at, offset) if wire == BYTES else (_FIXED_SIZES[wire], at)
        if size > len(data) - at:
            raise FormatError(
                f"field {number} should be {size} bytes long, but {len(data) - at} are left",
                offset=offset + start,
            )
        inside, at = at, at + size
        yield Field(number, wire, data[inside:at], offset + start, offset + at, offset + inside)


def _read_varint(data: bytes, at: int, offset: int) -> tuple[int, int]:
    """A number, seven bits a byte, lowest first; and where it ends."""
    if at < len(data) and data[at] < 0x80:  # nearly all are one byte
        return data[at], at + 1
    value = 0
    for i, byte in enumerate(data[at : at + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at + i + 1
    raise FormatError("a number does not end", offset=offset + at)


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def varint_field(number: int, value: int) -> bytes:
    """A field that is a whole number or a truth value.

    Example:
        >>> varint_field(43, -1).hex(" ")
        'd8 02 ff ff ff ff ff ff ff ff ff 01'
    """
    return _varint(number << 3 | VARINT) + _varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """A field that is a string, bytes, or a message."""
    return _varint(number << 3 | BYTES) + _varint(len(value)) + value


def float_field(number: int, value: float) -> bytes:
    """A field that is a float of 32 bits."""
    return _varint(number << 3 | FIXED32) + struct.pack("<f", value)


def _varint(value: int) -> bytes:
    value &= 0xFFFF_FFFF_FFFF_FFFF  # a negative number is written as its 64 bits
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)
