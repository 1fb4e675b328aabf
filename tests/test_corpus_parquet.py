"""Parquet files as corpora: their columns, and what is refused of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kugiri.errors import CorpusError, KugiriWarning
from test_corpus_records import texts, write


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    """A table with several groups of rows."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    table = pa.table({
        "text": ["猫\n魚", None, "犬"] * 700,
        "packed": pa.array(["猫", "犬", "鳥"] * 700).dictionary_encode(),
        "bytes": pa.array(["猫".encode()] * 2099 + [b"a\xff"], pa.binary()),
        "n": range(2100),
    })  # fmt: skip
    pq.write_table(table, path, row_group_size=500)
    return path


def test_parquet(parquet: Path) -> None:
    assert texts(parquet) == ["猫\n魚", "犬"] * 700
    assert texts(parquet, column="packed") == ["猫", "犬", "鳥"] * 700
    with pytest.warns(KugiriWarning, match="1 invalid UTF-8"):
        assert texts(parquet, column="bytes", errors="replace")[-1] == "a\ufffd"


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("body", "no column 'body'; there are 'text', 'packed', 'bytes', 'n'; name one with col"),
        ("n", "a.parquet: row 1: column 'n' is 0; a text or null is needed"),
        ("bytes", "a.parquet, row 2100: line 1, byte 2 of the line: 0xff is not UTF-8"),
    ],
)
def test_parquet_refused(column: str, message: str, parquet: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        texts(parquet, column=column)
    assert message in str(caught.value)


def test_parquet_damaged_inside(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"text": ["猫", None, ""], "n": [1, 2, 3]}), tmp_path / "a.parquet")
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    data[20:50] = b"\xff" * 30
    write(tmp_path / "a.parquet", bytes(data))
    with pytest.raises(CorpusError, match=r"a\.parquet: not a whole Parquet file: [^:]+; fetch"):
        texts(tmp_path / "a.parquet")


def test_damaged_parquet(parquet: Path) -> None:
    data = parquet.read_bytes()
    for damaged in (data[:-100], b"plain text", b""):
        parquet.write_bytes(damaged)
        with pytest.raises(CorpusError, match=r"a\.parquet: not a whole Parquet file: ") as caught:
            texts(parquet)
        assert "\n" not in str(caught.value)
