"""The wire form of protocol buffers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.errors import FormatError
from kugiri.formats.protobuf import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    Field,
    bytes_field,
    float_field,
    read_fields,
    varint_field,
)


def test_each_wire_type_with_its_place() -> None:
    data = bytes.fromhex("08 96 01  12 02 68 69  1d 00 00 80 3f  21 01 02 03 04 05 06 07 08")
    one, two, three, four = read_fields(data, offset=100)
    assert (one.number, one.wire, one.as_int(), one.start, one.end) == (1, VARINT, 150, 100, 103)
    assert (two.number, two.wire, two.as_bytes(), two.inside) == (2, BYTES, b"hi", 105)
    assert (three.number, three.wire, three.as_float()) == (3, FIXED32, 1.0)
    assert (four.number, four.wire, four.value) == (4, FIXED64, bytes(range(1, 9)))
    assert four.end == 100 + len(data)


@given(number=st.integers(1, 2**29 - 1), value=st.integers(-(2**63), 2**63 - 1))
def test_whole_numbers(number: int, value: int) -> None:
    (field,) = read_fields(varint_field(number, value))
    assert (field.number, field.as_int()) == (number, value)


@given(number=st.integers(1, 2**29 - 1), value=st.binary(max_size=300))
def test_bytes(number: int, value: bytes) -> None:
    (field,) = read_fields(bytes_field(number, value))
    assert (field.number, field.as_bytes()) == (number, value)


@given(value=st.floats(width=32))
def test_floats(value: float) -> None:
    (field,) = read_fields(float_field(3, value))
    assert str(field.as_float()) == str(value)


@given(parts=st.lists(st.tuples(st.integers(1, 500), st.binary(max_size=9)), max_size=9))
def test_what_is_read_covers_the_message(parts: list[tuple[int, bytes]]) -> None:
    data = b"".join(bytes_field(number, value) for number, value in parts)
    fields = list(read_fields(data))
    assert [(field.number, field.value) for field in fields] == parts
    assert b"".join(data[field.start : field.end] for field in fields) == data


@pytest.mark.parametrize(
    ("data", "byte", "message"),
    [
        ("08", 11, "a number does not end"),
        ("80", 10, "a number does not end"),
        ("08 ff ff ff ff ff ff ff ff ff ff 01", 11, "a number does not end"),
        ("08 01 00 01", 12, "a field with number 0 and wire type 0 cannot be"),
        ("0b", 10, "number 1 and wire type 3"),
        ("0e", 10, "number 1 and wire type 6"),
        ("12 05 61", 10, "field 2 should be 5 bytes long, but 1 are left"),
        ("12 ff ff ff ff ff ff ff ff ff 01", 10, "should be 18446744073709551615 bytes long"),
        ("1d 00 00", 10, "field 3 should be 4 bytes long, but 2 are left"),
        ("21 00", 10, "field 4 should be 8 bytes long, but 1 are left"),
        ("f8 ff ff ff 7f 01", 10, "number 4294967295 and wire type 0 cannot be"),
    ],
)
def test_malformed(data: str, byte: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        list(read_fields(bytes.fromhex(data), offset=10))
    assert caught.value.offset == byte


def test_another_wire_type_than_expected() -> None:
    (field,) = read_fields(varint_field(2, 7), offset=5)
    with pytest.raises(FormatError, match="byte 5: field 2 is a varint; it must be bytes"):
        field.as_bytes()
    with pytest.raises(FormatError, match="field 2 is a varint; it must be 4 bytes"):
        field.as_float()
    (field,) = read_fields(bytes_field(2, b""))
    with pytest.raises(FormatError, match="field 2 is bytes; it must be a varint"):
        field.as_int()


def fields_or_error(data: bytes) -> list[Field] | FormatError:
    try:
        return list(read_fields(data))
    except FormatError as error:
        return error


@given(data=st.binary(max_size=60))
def test_any_bytes_end_in_fields_or_an_error(data: bytes) -> None:
    found = fields_or_error(data)
    if isinstance(found, FormatError):
        assert found.offset is not None
        assert 0 <= found.offset <= len(data)
    else:
        assert b"".join(data[field.start : field.end] for field in found) == data
