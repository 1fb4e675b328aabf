"""Files of records: which field is the text, what a record may hold, and what is refused."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.corpus import Document, Reading, read_documents
from kugiri.errors import CorpusError, KugiriWarning, OptionError


def texts(path: Path, **reading: Any) -> list[str]:
    """The documents of a file."""
    return [document.text for document in read_documents(path, Reading(**reading))]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content", "reading", "documents"),
    [
        pytest.param("a.jsonl", '{"text": "猫\\n魚"}\n{"text": "犬"}', {}, ["猫\n魚", "犬"],
                     id="jsonl: a record is a document, line breaks and all"),
        pytest.param("a.jsonl", '{"id": 1, "body": "猫"}\r\n\n', {"field": "body"}, ["猫"],
                     id="jsonl: another field, CRLF, blank line"),
        pytest.param("a.jsonl", '{"a": {"b": "猫"}}', {"field": "a.b"}, ["猫"], id="jsonl: nested"),
        pytest.param("a.jsonl", '{"a.b": "猫", "a": {"b": "犬"}}', {"field": "a.b"}, ["猫"],
                     id="jsonl: a name with a dot goes first"),
        pytest.param("a.jsonl", '{"text": null}\n{"text": ""}\n{"text": "猫"}', {}, ["猫"],
                     id="jsonl: null and empty are blank"),
        pytest.param("a.jsonl", '{"text": "a\\u2028b\\u0085c"}', {}, ["a\u2028b\u0085c"],
                     id="jsonl: separators in a text"),
        pytest.param("a.jsonl", '{"text": "猫"}', {"documents": "files"}, ["猫"],
                     id="jsonl: records, whatever documents are in files of text"),
        pytest.param("a.jsonl", '\ufeff{"text": "猫"}', {}, ["猫"], id="jsonl: BOM"),
        pytest.param("a.csv", 'id,text\n1,"猫, ""魚""\n犬"\n2,鳥\n', {}, ['猫, "魚"\n犬', "鳥"],
                     id="csv: quotes and line breaks"),
        pytest.param("a.csv", "\ufefftext\r\n猫\r\n\r\n犬", {}, ["猫", "犬"], id="csv: BOM, CRLF"),
        pytest.param("a.csv", "title\n猫\n", {}, ["猫"], id="csv: the only column"),
        pytest.param("a.csv", "a,b\n猫,犬\n", {"column": "b"}, ["犬"], id="csv: another column"),
        pytest.param("a.csv", f"text\n{'猫' * 200_000}\n", {}, ["猫" * 200_000], id="csv: long"),
        pytest.param("a.csv", "text\n", {}, [], id="csv: header only"),
        pytest.param("a.csv", "", {}, [], id="csv: empty"),
        pytest.param("a.tsv", 'text\tid\n"猫\t1\n犬, 魚\t2\n', {}, ['"猫', "犬, 魚"],
                     id="tsv: quotes are text"),
        pytest.param("A.JSONL.GZ", gzip.compress(b'{"text": "a"}'), {}, ["a"], id="jsonl, packed"),
    ],
)  # fmt: skip
def test_records(
    name: str, content: str | bytes, reading: Any, documents: list[str], tmp_path: Path
) -> None:
    assert texts(write(tmp_path / name, content), **reading) == documents


@pytest.mark.parametrize(
    ("name", "content", "reading", "message"),
    [
        pytest.param("a.jsonl", '{"text": "a"}\n{"txt": "b", "n": 1}', {},
                     "a.jsonl: line 2: no field 'text'; there are 'txt', 'n'; name one with field=",
                     id="no field"),
        pytest.param("a.jsonl", '{"a": {"b": "x"}}', {"field": "a.c"},
                     "line 1: no field 'c'; there are 'b'", id="no nested field"),
        pytest.param("a.jsonl", '{"a": "x"}', {"field": "a.c"},
                     "line 1: 'x' is no JSON object, so it has no field 'c'", id="not nested"),
        pytest.param("a.jsonl", '["a"]', {}, "['a'] is no JSON object", id="a list"),
        pytest.param("a.jsonl", '{"text": 5}', {}, "line 1: 'text' is 5; a text or null", id="int"),
        pytest.param("a.jsonl", '\n{"text": "a"', {}, "line 2: this is no JSON: ", id="no JSON"),
        pytest.param("a.jsonl", '{"text": "\\ud800x"}', {}, "line 1: this is no JSON: ",
                     id="half a surrogate pair"),
        pytest.param("a.jsonl", b'{"text": "a"}\n{"text": "\xff"}', {},
                     "a.jsonl: line 2, byte 11 of the line: 0xff is not UTF-8", id="jsonl UTF-8"),
        pytest.param("a.csv", "a,b\n1,2\n", {}, "line 1: no column 'text'; there are 'a', 'b'",
                     id="no column"),
        pytest.param("a.csv", "a,text\n1\n", {}, "line 2: 1 columns where the header row has 2",
                     id="short row"),
        pytest.param("a.csv", 'a,text\n1,"x\n', {}, "this is no row of a table", id="open quote"),
        pytest.param("a.csv", 'a,text\n"x"y,2\n', {}, "this is no row of a table", id="bad quote"),
        pytest.param("a.jsonl", '{"text":' + "[" * 99_999, {}, "line 1: this is no JSON: ",
                     id="JSON that nests without end"),
        pytest.param("a.csv", "text,text\na,b\n", {}, "line 1: the column 'text' stands here twice",
                     id="a column twice"),
        pytest.param("a.csv", "text,a\rx,y\r", {}, "line 1: this is no row of a table: new-line "
                     "character seen in unquoted field; end its lines with LF or CRLF", id="CR"),
        pytest.param("a.csv", b"text\nx\n\xff\n", {}, "a.csv: line 3, byte 1 ", id="csv UTF-8"),
    ],
)  # fmt: skip
def test_refused(
    name: str, content: str | bytes, reading: Any, message: str, tmp_path: Path
) -> None:
    with pytest.raises(CorpusError) as caught:
        texts(write(tmp_path / name, content), **reading)
    assert message in str(caught.value)
    assert caught.value.path == str(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", b'{"text": "\xff a"}\n{"text": "b\xff\xff"}'),
        ("a.csv", b"text\n\xff a\nb\xff\xff"),
    ],
)
def test_replaced(name: str, content: bytes, tmp_path: Path) -> None:
    path = write(tmp_path / name, content)
    with pytest.warns(KugiriWarning, match=f"{name}: 3 invalid UTF-8 sequences were read as U"):
        assert texts(path, errors="replace") == ["\ufffd a", "b\ufffd\ufffd"]
    assert kugiri.count_words(path, errors="replace").replaced == 3


def test_a_name_that_nothing_is_read_by(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "猫\n")
    write(tmp_path / "a.jsonl", '{"text": "猫"}')
    with pytest.raises(OptionError, match=r"field='x' is for \.jsonl files, and this corpus has n"):
        texts(tmp_path / "a.txt", field="x")
    with pytest.raises(OptionError, match=r"column='x' is for \.csv, \.tsv and \.parquet files"):
        texts(tmp_path / "a.jsonl", column="x")
    with pytest.raises(OptionError, match="unknown documents 'line'; did you mean 'lines'"):
        Reading(documents="line")


def test_a_folder_may_hold_all_kinds(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", "id,body\n1,鳥\n")
    write(tmp_path / "b.jsonl", '{"meta": {"title": "猫\\n魚"}}')
    write(tmp_path / "c.txt", "犬\n\n肉\n")
    reading = Reading(field="meta.title", column="body")
    assert list(read_documents(tmp_path, reading)) == [
        Document("鳥", str(tmp_path / "a.csv")),
        Document("猫\n魚", str(tmp_path / "b.jsonl")),
        Document("犬", str(tmp_path / "c.txt")),
        Document("肉", str(tmp_path / "c.txt")),
    ]
    counts = kugiri.count_words(tmp_path, pre_tokenizer="none", field="meta.title", column="body")
    assert [word.decode() for word in counts] == ["鳥", "猫\n魚", "犬", "肉"]


def test_training_names_the_field(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", json.dumps({"body": "猫は魚"}) + "\n" * 2)
    tok = kugiri.train([path], field="body", vocab_size=256)
    assert tok.training["options"]["field"] == "body"
    assert tok.training["initial_tokens"] == 9


@pytest.mark.parametrize(
    ("name", "missing", "message"),
    [
        ("a.parquet", "pyarrow", "reading Parquet needs the package pyarrow; pip install 'kugiri["),
        ("a.txt.zst", "zstandard", "reading .zst needs the package zstandard; pip install 'kugiri"),
    ],
)
def test_without_the_extra(
    name: str, missing: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(CorpusError) as caught:
        texts(write(tmp_path / name, b"PAR1"))
    assert message in str(caught.value)


# ── Zstandard ─────────────────────────────────────────────────────────────────────────────────
LINES = "猫は魚が好きです。\n" * 5000


def zstandard_frame(content: str) -> bytes:
    packer = pytest.importorskip("zstandard").ZstdCompressor()
    packed: bytes = packer.compress(content.encode())
    return packed


def test_zstandard(tmp_path: Path) -> None:
    one = zstandard_frame(LINES)
    lines = LINES.splitlines()
    assert texts(write(tmp_path / "a.txt.zst", one)) == lines
    assert texts(write(tmp_path / "a.txt.zst", one + one)) == lines * 2
    assert texts(write(tmp_path / "empty.txt.zst", b"")) == []
    packed = zstandard_frame('{"text": "猫"}')
    assert texts(write(tmp_path / "a.jsonl.zst", packed)) == ["猫"]


@pytest.mark.parametrize("cut", [-1, -4, -10, 12, 1])
def test_zstandard_cut_off(cut: int, tmp_path: Path) -> None:
    packed = zstandard_frame(LINES)
    for data in (packed[:cut], packed + packed[:cut]):
        with pytest.raises(CorpusError, match=r"a\.txt\.zst: not a whole Zstandard file: it ends"):
            texts(write(tmp_path / "a.txt.zst", data))


def test_not_zstandard(tmp_path: Path) -> None:
    for data in (b"plain text", zstandard_frame(LINES) + b"rest"):
        with pytest.raises(
            CorpusError, match="not a whole Zstandard file: zstd decompressor error"
        ):
            texts(write(tmp_path / "a.txt.zst", data))
