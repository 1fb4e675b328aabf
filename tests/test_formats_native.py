"""`.kugiri.json`: what is malformed, hostile or of another version."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from kugiri.errors import FormatError
from kugiri.formats import native
from kugiri.spec import BPE

DOCUMENT = {
    "kugiri": 1,
    "spec": {"model": {"type": "BPE", "vocab": None}},
    "tables": {
        "vocab": ["a", "b", "ab", [231]],
        "merges": {"left": [0], "right": [1], "result": [2], "count": [9]},
    },
}


def changed(**changes: Any) -> bytes:
    """The document with other tables, or other keys of the whole."""
    tables = {k: v for k, v in changes.items() if k not in ("kugiri", "spec", "extra", "needs")}
    rest = {k: v for k, v in changes.items() if k not in tables}
    return json.dumps({**DOCUMENT, "tables": {**DOCUMENT["tables"], **tables}, **rest}).encode()  # type: ignore[dict-item]


def test_the_example_of_the_docs() -> None:
    page = Path(__file__).parent.parent / "docs" / "formats" / "kugiri.md"
    [example] = re.findall(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    model = native.read(example.encode()).model
    assert isinstance(model, BPE)
    assert model.vocab[4:] == [b"ab", "猫".encode()[:2]]
    assert model.merges is not None
    assert model.merges.columns().keys() == {"left", "right", "result", "count"}


def test_a_token_may_be_bytes_though_it_is_text() -> None:
    assert native.read(changed(vocab=[[97], "b", "ab", [231]])) == native.read(changed())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kugiri": 2}, "version 2 of the format needs another kugiri (a later one)"),
        ({"kugiri": 2, "needs": "2.0"}, "needs another kugiri (2.0)"),
        ({"kugiri": "1"}, "version '1' of the format"),
        ({"extra": 1}, "unknown key 'extra' in a .kugiri.json document"),
        ({"spec": []}, "spec: Expected `object`, got `array`"),
        ({"spec": {}}, "spec: Object missing required field `model`"),
        (
            {"spec": {"model": {"type": "GPT", "vocab": None}}},
            "spec.model.type: Invalid value 'GPT'",
        ),
        ({"spec": {"model": {"type": "BPE", "vocab": []}}}, "a table has no place here"),
        ({"spec": {"model": {"type": "BPE", "vocab": None, "x": 1}}}, "unknown field `x`"),
        ({"vocab": None}, "invalid type: null, expected an array"),
        ({"vocab": ["a", "b", 7, "c"]}, "expected a string or an array of byte values"),
        ({"vocab": ["a", "b", [256], "c"]}, "expected u8"),
        ({"vocab": ["a", "b", [[1]], "c"]}, "expected u8"),
        ({"vocab": ["a"]}, "merge 0 has right 1, which is no id of a token"),
        ({"vocab": ["a", "b", "c", "d"]}, "merge 0: the result is not as long as its two parts"),
        ({"ids": [0, 1]}, "2 ids for 4 tokens"),
        ({"ids": [0, 1, 2, 2]}, "ids must ascend"),
        ({"ids": [0, 1, 3, 2]}, "ids must ascend"),
        ({"ids": [0, 1, 2, 2**32]}, "expected u32"),
        ({"ids": [-1, 1, 2, 3]}, "expected u32"),
        ({"ids": [0, 1.0, 2, 3]}, "expected u32"),
        ({"merges": {"left": [0], "right": [1]}}, "the key 'result' of merges is missing"),
        ({"merges": {"left": [0], "right": [], "result": [2]}}, "differ in length"),
        ({"merges": {"left": [9], "right": [1], "result": [2]}}, "merge 0 has left 9"),
        ({"merges": {"left": [], "right": [], "result": [], "rank": []}}, "unknown key 'rank'"),
        ({"merges": []}, "expected an object"),
        ({"scores": {"f32": [0, 1]}}, "2 scores for 4 tokens"),
        (
            {"scores": {"f16": []}},
            "unknown key 'f16' in a column of numbers; allowed: u8, f32, f64",
        ),
        ({"scores": {}}, "a column of numbers has one type"),
        ({"scores": [1.0]}, "expected an object"),
        ({"scores": {"f32": [1e39]}}, "number out of range"),
        ({"scores": {"f64": ["1"]}}, "expected f64"),
        ({"piece_types": {"u8": [1, 2, 3, 300]}}, "expected u8"),
        ({"extra_table": []}, "unknown key 'extra_table' in tables"),
    ],
)
def test_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        native.read(changed(**changes))


@pytest.mark.parametrize(
    ("document", "message", "offset"),
    [
        (b"", "EOF", 0),
        (b"[]", "expected an object", 0),
        (b'{"spec": {}}', 'the key "kugiri" is missing', None),
        (b'{"kugiri": 1}', "the key 'spec' of a .kugiri.json document is missing", None),
        (b'{"kugiri": 1, "kugiri": 1}', 'the key "kugiri" stands twice', 21),
        (changed()[:-1], "EOF", None),
        (changed() + b"x", "trailing characters", None),
        (
            changed().replace(b'"left": [0]', b'"left": [0], "left": [0]'),
            '"left" stands twice',
            None,
        ),
        (changed().replace(b'"type": "BPE"', b'"type": "BPE", "type": "BPE"'), "stands twice", 22),
        (changed().replace(b'"a"', b'"\xff"'), "invalid unicode", None),
        (changed().replace(b'"a"', b'"\\ud800"'), "hex escape", None),
        (changed().replace(b"[9]", b"[1e999]"), "number out of range", None),
        (changed().replace(b"[9]", b"[" + b"9" * 99_999 + b"]"), "number out of range", None),
    ],
)
def test_malformed(document: bytes, message: str, offset: int | None) -> None:
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        native.read(document)
    if offset is not None:
        assert caught.value.offset == offset


def test_the_byte_of_an_error_is_that_of_the_file() -> None:
    document = changed(ids=[0, 1, 2, 1.5])
    with pytest.raises(FormatError) as caught:
        native.read(document)
    assert document[: caught.value.offset].endswith((b"1.", b"1.5"))


@pytest.mark.parametrize("end", range(0, len(changed()), 7))
def test_truncated(end: int) -> None:
    with pytest.raises(FormatError):
        native.read(changed()[:end])


@pytest.mark.parametrize(
    "place", ['"spec": ', '"normalizer": ', '"training": ', '"vocab": ', '"left": ', '"tables": ']
)
@pytest.mark.parametrize("opening", ["[", '{"a":', '{"type":"Sequence","normalizers":['])
def test_nesting_without_end(place: str, opening: str) -> None:
    text = changed().decode()
    if place not in text:
        text = text.replace('"spec": {', '"spec": {' + place + "null,")
    start = time.monotonic()
    with pytest.raises(FormatError):
        native.read(text.replace(place, place + opening * 200_000 + ",").encode())
    assert time.monotonic() - start < 5


def test_nesting_that_is_closed() -> None:
    deep = '{"type":"Sequence","normalizers":[' * 5_000 + "]}" * 5_000
    document = changed().decode().replace('"spec": {', f'"spec": {{"normalizer": {deep},')
    with pytest.raises(FormatError, match="nested too deeply"):
        native.read(document.encode())
