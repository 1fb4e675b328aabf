"""Files → ids: as the whole text of each, in memory or on disk, and nothing half-written."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.corpus.blocks import BLOCK_BYTES
from kugiri.errors import CorpusError, EncodingError, FormatError, KugiriWarning, OptionError
from kugiri.tokenizing import encode_files
from tests.processes import run_python

SAMPLE = Path(kugiri.__file__).parent / "sample"
TEXT = (SAMPLE / "japanese.txt").read_text(encoding="utf-8") + "don't, 'ſ'  \r\n\n👩\u200d🔧e\u0301"


@pytest.fixture(scope="module")
def tok() -> kugiri.Tokenizer:
    return kugiri.train(SAMPLE, vocab_size=600)


@pytest.fixture
def tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read a few bytes at a time, which no character fits into for certain."""
    monkeypatch.setattr(encode_files, "BLOCK_BYTES", 7)


# ── ids ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("tiny_blocks")
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_a_file_has_the_ids_of_its_text(
    tmp_path: Path, tok: kugiri.Tokenizer, threads: int | None
) -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    data = TEXT.encode()
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf" + data)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(data))
    (tmp_path / "c.txt.zst").write_bytes(zstandard.compress(data))
    (tmp_path / "d.txt").write_bytes(b"")
    (tmp_path / "e.txt").write_bytes(b"ab")
    expected = [tok.encode(text) for text in (TEXT, TEXT, TEXT, "", "ab")]
    assert tok.encode_files(tmp_path, threads=threads).to_lists() == expected
    batch = tok.encode_files(tmp_path, threads=threads, out=tmp_path / "ids.npy")
    assert batch.to_lists() == expected
    assert np.load(tmp_path / "ids.npy").tolist() == [id for ids in expected for id in ids]
    assert np.load(tmp_path / "ids.offsets.npy").tolist() == batch.offsets.tolist()


def test_a_large_file_between_small_ones(tmp_path: Path, tok: kugiri.Tokenizer) -> None:
    texts = ["ねこ", TEXT * (9_500_000 // len(TEXT.encode())), "犬", "", TEXT]
    paths = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8", newline="")
    assert len(texts[1].encode()) > BLOCK_BYTES
    batch = tok.encode_files(paths)
    assert [ids.tolist() for ids in batch] == [tok.encode(text) for text in texts]


@given(st.lists(st.binary(min_size=1, max_size=6) | st.sampled_from(list(TEXT[:40])), max_size=12))
def test_bytes_are_replaced_as_in_the_whole(parts: list[bytes | str]) -> None:
    data = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    cuts, rest = [], b""
    for byte in data:
        rest += bytes([byte])
        cut = encode_files._end_of_characters(rest)
        cuts.append(rest[:cut])
        rest = rest[cut:]
    replaced = "".join(part.decode(errors="replace") for part in [*cuts, rest])
    assert replaced == data.decode(errors="replace")


def test_no_files_are_no_documents(tmp_path: Path, tok: kugiri.Tokenizer) -> None:
    batch = tok.encode_files([], out=tmp_path / "ids.npy")
    assert (len(batch), len(batch.ids)) == (0, 0)
    assert np.load(tmp_path / "ids.npy").dtype == np.uint32


# ── what goes wrong ───────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("tiny_blocks")
@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"ok\nab\xff", "line 2, byte 3 of the line: 0xff"),
        (
            "ねこ\n犬は、".encode() + b"\xe3\x81" + "ねこ".encode(),
            "line 2, byte 10 of the line: 0xe3",
        ),
        ("ねこねこ".encode()[:-1], "line 1, byte 10 of the line: 0xe3"),
    ],
)
def test_what_is_not_utf8_is_named(
    tmp_path: Path, tok: kugiri.Tokenizer, data: bytes, place: str
) -> None:
    path, out = tmp_path / "broken.txt", tmp_path / "ids.npy"
    path.write_bytes(data)
    with pytest.raises(CorpusError, match=f"broken.txt: {place}"):
        tok.encode_files(path, out=out)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.txt"]
    with pytest.warns(KugiriWarning, match="1 invalid UTF-8 sequences"):
        batch = tok.encode_files(path, errors="replace")
    assert batch.to_lists() == [tok.encode(data.decode(errors="replace"))]


@pytest.mark.parametrize("block", [7, 1 << 20])
def test_a_character_without_an_id_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(encode_files, "BLOCK_BYTES", block)
    tok = kugiri.train(["ab ab, b."], unit="char", vocab_size=6, pre_tokenizer="gpt2")
    (tmp_path / "a.txt").write_text("ab, ab. " * 3)
    (tmp_path / "b.txt").write_text("ab, ab. " * 3 + "か", encoding="utf-8")
    with pytest.raises(EncodingError, match=r"b\.txt: 'か' at character 24 is not in"):
        tok.encode_files(tmp_path)


def test_no_such_file(tmp_path: Path, tok: kugiri.Tokenizer) -> None:
    with pytest.raises(CorpusError, match="no such file"):
        tok.encode_files(tmp_path / "no.txt", out=tmp_path / "ids.npy")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        ("ids.bin", OptionError, r"name a \.npy"),
        ("no/ids.npy", FormatError, "there is no folder"),
        ("", OptionError, "out is empty"),
    ],
)
def test_where_ids_cannot_go(
    tmp_path: Path, tok: kugiri.Tokenizer, out: str, error: type[Exception], message: str
) -> None:
    (tmp_path / "a.txt").write_text("ab")
    with pytest.raises(error, match=message):
        tok.encode_files(tmp_path / "a.txt", out=out and tmp_path / out)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of file sizes here")
def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT * 20, encoding="utf-8")
    (tmp_path / "ids.npy").write_bytes(b"old")
    printed = run_python(
        f"""
        import resource, signal, kugiri
        from kugiri.errors import FormatError
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 10, 1 << 10))
        tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        try:
            tok.encode_files({str(tmp_path / "a.txt")!r}, out={str(tmp_path / "ids.npy")!r})
        except FormatError as error:
            print(error)
        """
    )
    assert "cannot be written: File too large" in printed
    assert (tmp_path / "ids.npy").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "ids.npy"]


def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, tok: kugiri.Tokenizer) -> None:
    path, out = tmp_path / "a.txt", tmp_path / "ids.npy"
    path.write_text(TEXT * (60_000_000 // len(TEXT.encode())), encoding="utf-8")
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tok.encode_files(path, out=out)
    timer.join()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


# ── the command ───────────────────────────────────────────────────────────────────────────────
def test_the_command(tmp_path: Path, tok: kugiri.Tokenizer) -> None:
    tok.save(tmp_path / "my.kugiri.json")
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8", newline="")
    (tmp_path / "b.txt").write_text("ねこ", encoding="utf-8")
    command = [sys.executable, "-m", "kugiri", "encode", "-t", "my.kugiri.json", "--out", "ids.npy"]
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    done = run([*command, "a.txt", "b.txt"])
    expected = tok.encode(TEXT) + tok.encode("ねこ")
    assert (done.stdout, done.stderr) == (f"ids.npy: 2 documents, {len(expected):,} ids\n", "")
    assert np.load(tmp_path / "ids.npy").tolist() == expected
    assert run(command, input="ねこ\n犬").returncode == 0
    assert np.load(tmp_path / "ids.npy").tolist() == tok.encode("ねこ\n犬")
    refused = run([*command, "--json", "a.txt"])
    assert (refused.returncode, "leave out what else" in refused.stderr) == (2, True)


@pytest.mark.parametrize("name", ["ids.npy", "ids.offsets.npy"])
def test_an_input_is_not_written_over(tok: kugiri.Tokenizer, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("low", "utf-8")
    with pytest.raises(OptionError, match="is one of the files to read"):
        tok.encode_files(tmp_path / name, out=tmp_path / "ids.npy")
    assert (tmp_path / name).read_text("utf-8") == "low"
