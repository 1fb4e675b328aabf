"""Files as blocks: nothing lost, lines whole, places right, damage named."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.corpus import Block, Reading, read, read_blocks, read_documents
from kugiri.corpus.blocks import whole_lines
from kugiri.errors import CorpusError, KugiriWarning, OptionError


@given(data=st.text("a\r\n猫").map(str.encode), size=st.integers(1, 9))
def test_blocks_join_to_the_file_and_hold_whole_lines(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kugiri.corpus.blocks.BLOCK_BYTES", size)
        blocks = list(whole_lines(io.BytesIO(data), "x"))
    assert b"".join(block.data for block in blocks) == data
    assert all(block.data.endswith(b"\n") for block in blocks[:-1])
    for i, block in enumerate(blocks):
        before = b"".join(earlier.data for earlier in blocks[:i])
        assert block.first_line == before.count(b"\n") + 1


def test_files_as_documents(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\r\n")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"three"))
    assert list(read_blocks(tmp_path, documents="files")) == [
        Block(b"one\ntwo\r\n", str(tmp_path / "a.txt"), 1),
        Block(b"three", str(tmp_path / "b.txt.gz"), 1),
    ]


BOM = "\ufeff"


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("name", "content", "documents"),
    [
        ("a.txt", f"{BOM}猫\n犬", ["猫", "犬"]),
        ("a.txt", f"{BOM}{BOM}猫\n{BOM}犬", [f"{BOM}猫", f"{BOM}犬"]),
        ("a.txt", BOM, []),
        ("a.jsonl", f'{BOM}{{"text": "{BOM}猫"}}', [f"{BOM}猫"]),
        ("a.csv", f"{BOM}text\r\n猫", ["猫"]),
    ],
)
def test_a_byte_order_mark_is_dropped_at_the_start_of_a_file_only(
    name: str, content: str, documents: list[str], packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / (name + ".gz" * packed)
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    assert [document.text for document in read_documents(path)] == documents
    if name == "a.txt":
        wholes = [block.text() for block in read_blocks([path, path], documents="files")]
        assert wholes == [content.removeprefix(BOM)] * 2
        lines = [line.encode() for line in documents]
        assert list(kugiri.count_words(path, pre_tokenizer="none")) == lines


def test_a_byte_order_mark_of_a_text_stays() -> None:
    assert list(kugiri.count_words([f"{BOM}猫"], pre_tokenizer="none")) == [f"{BOM}猫".encode()]


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("猫\n".encode())))
    assert list(read("-")) == [Block("猫\n".encode(), "<stdin>", 1)]


def test_an_empty_file_has_no_block(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    assert list(read(tmp_path / "a.txt")) == []


@pytest.mark.parametrize(
    ("block", "message", "replaced"),
    [
        pytest.param(Block(b"\xff", "a", 1), "a: line 1, byte 1 of the line: 0xff", 1, id="first"),
        pytest.param(Block(b"ab\n\n\xe7\x8c\n", "a", 5), "a: line 7, byte 1 ", 1, id="cut"),
        pytest.param(Block("猫\n猫\udcff".encode(errors="surrogateescape"), "a", 1),
                     "a: line 2, byte 4 of the line: 0xff", 1, id="after characters"),
        pytest.param(Block("\ufffd".encode() + b"\xff\xff", "a", 1), "byte 4 ", 2, id="own U+FFFD"),
        pytest.param(Block(b"\xed\xa0\x80", "a", 1), "byte 1 ", 3, id="surrogate in UTF-8"),
    ],
)  # fmt: skip
def test_invalid_utf8(block: Block, message: str, replaced: int) -> None:
    with pytest.raises(CorpusError) as caught:
        block.decode()
    assert message in str(caught.value)
    assert 'errors="replace"' in str(caught.value)
    assert block.decode("replace")[1] == replaced


def test_lines_lose_their_ends_and_nothing_else() -> None:
    block = Block("猫\n\r\n a\u2028b\x0b\r\n\rx".encode(), "a", 1)
    assert block.lines() == ["猫", "", " a\u2028b\x0b", "\rx"]
    assert Block(b"\n", "a", 1).lines() == [""]
    assert Block(b"", "a", 1).lines() == []


def test_replacing_in_a_text_is_a_warning() -> None:
    with pytest.warns(KugiriWarning, match="a: 2 invalid UTF-8 sequences were read as U\\+FFFD"):
        assert Block(b"\xff\n\xff", "a", 1).lines("replace") == ["\ufffd", "\ufffd"]


def test_unknown_options(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x")
    with pytest.raises(OptionError, match="unknown documents 'line'; did you mean 'lines'"):
        list(read(tmp_path, Reading(documents="line")))
    with pytest.raises(OptionError, match="unknown errors 'ignore'"):
        Block(b"", "a", 1).decode("ignore")


PACKED = gzip.compress("猫は魚が好きです。\n".encode() * 5000)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(PACKED[:-20], "not a whole gzip file", id="truncated"),
        pytest.param(
            PACKED[:60] + b"\0\0\0\0" + PACKED[64:], "not a whole gzip file", id="corrupt"
        ),
        pytest.param(b"plain text", "not a whole gzip file", id="not gzip"),
        pytest.param(PACKED + b"rest", "not a whole gzip file", id="something after it"),
    ],
)
def test_damaged_gzip(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "a.txt.gz"
    file.write_bytes(data)
    with pytest.raises(CorpusError, match=message) as caught:
        list(read(file))
    assert str(file) in str(caught.value)


def test_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(b"x")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(CorpusError, match=r"a\.txt: this file cannot be read: Permission denied"):
        list(read(tmp_path / "a.txt"))


def test_texts_are_no_files() -> None:
    with pytest.raises(CorpusError, match="files are needed here, texts came"):
        list(read_blocks(["a text"]))


def test_memory_stays_flat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.corpus.blocks.BLOCK_BYTES", 1 << 16)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"a line of text\n" * 500_000, 1))
    tracemalloc.start()
    size = sum(len(block.data) for block in read_blocks(tmp_path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size == 7_500_000
    assert peak < 1_000_000
