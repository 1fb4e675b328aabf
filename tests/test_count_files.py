"""Counting files while they are read: what counting their whole texts gives."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri._core import Stream
from kugiri.errors import CorpusError, EncodingError, KugiriWarning
from kugiri.tokenizing import encode_files
from kugiri.tokenizing.count_files import FileCount, count_files
from kugiri.tokenizing.encode_files import Reading
from tests.test_blocks import (
    MODELS,
    OPTIONS,
    asked_of,
    hard,
    model,
    parts_of,
    sizes,
    threads,
    whole,
)
from tests.test_encode_files import TEXT


@pytest.fixture(scope="module")
def tok() -> kugiri.Tokenizer:
    return kugiri.train([TEXT], vocab_size=400)


def counted(tok: kugiri.Tokenizer, path: Path, errors: str = "strict") -> list[FileCount]:
    return list(count_files([path], Reading(tok._core, None, None, errors)))


@pytest.mark.parametrize("block", [7, 1 << 20])
def test_as_the_whole_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tok: kugiri.Tokenizer, block: int
) -> None:
    monkeypatch.setattr(encode_files, "BLOCK_BYTES", block)
    data = TEXT.encode()
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf" + data)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(data * 2))
    (tmp_path / "c.txt").write_bytes(b"")
    expected = [
        FileCount(str(tmp_path / name), len(text.encode()), len(text), tok.count(text))
        for name, text in (("a.txt", TEXT), ("b.txt.gz", TEXT * 2), ("c.txt", ""))
    ]
    assert counted(tok, tmp_path) == expected


def test_bytes_that_are_not_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tok: kugiri.Tokenizer
) -> None:
    monkeypatch.setattr(encode_files, "BLOCK_BYTES", 2)
    path = tmp_path / "a.txt"
    path.write_bytes(b"ok\nab\xff\xffab")
    with pytest.raises(CorpusError, match="line 2, byte 3 of the line: 0xff is not UTF-8"):
        counted(tok, path)
    with pytest.warns(KugiriWarning, match="2 invalid UTF-8"):
        [count] = counted(tok, path, "replace")
    assert count[1:] == (9, 9, tok.count("ok\nab\ufffd\ufffdab"))


def test_a_character_without_an_id_names_its_file(tmp_path: Path) -> None:
    tok = kugiri.train(["ab ab, b."], unit="char", vocab_size=6, pre_tokenizer="gpt2")
    (tmp_path / "b.txt").write_text("ab, ab. " * 3 + "か", encoding="utf-8")
    with pytest.raises(EncodingError, match=r"b\.txt: 'か' at character 24 is not in"):
        counted(tok, tmp_path)


@pytest.mark.parametrize("name", MODELS)
@given(st.data())
def test_as_many_as_there_are_ids(name: str, data: st.DataObject) -> None:
    tok, text = model(name), data.draw(hard)
    parts = parts_of(text, data.draw(st.lists(st.integers(0, 100), max_size=3)))
    options = data.draw(st.sampled_from(OPTIONS))
    stream = Stream(tok._core, asked_of(tok, options), data.draw(threads), data.draw(sizes))
    tokens = sum(stream.count(part.encode(), False) for part in parts) + stream.count(b"", True)
    assert tokens == len(whole(tok, text, options)) == tok.count(text, **options)
