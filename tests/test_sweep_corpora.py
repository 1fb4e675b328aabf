"""What a sweep may be of: files, records, standard input, counted words; and their sizes."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from kugiri.errors import OptionError
from kugiri.sweep import sweep
from kugiri.training.options import Options
from kugiri.training.texts import Size, size_of
from test_sweep import HELD_OUT, SAMPLE, TRAINING, encoded, tokens


def test_a_corpus_that_can_be_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = sweep(TRAINING, sizes=[300], models=["bpe", "word"], evaluation=HELD_OUT)
    once = sweep(iter(TRAINING), sizes=[300], models=["bpe", "word"], evaluation=iter(HELD_OUT))
    assert tokens(once) == tokens(listed)
    assert tokens(once, "evaluation") == tokens(listed, "evaluation")
    stdin = io.TextIOWrapper(io.BytesIO("\n".join(TRAINING).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert tokens(sweep("-", sizes=[300], models=["bpe", "word"])) == tokens(listed)


def test_records_are_trained_on_and_lines_held_out(tmp_path: Path) -> None:
    records = (msgspec.json.encode({"body": text}) + b"\n" for text in TRAINING)
    (tmp_path / "a.jsonl").write_bytes(b"".join(records))
    (tmp_path / "b.txt").write_text("\n".join(HELD_OUT), encoding="utf-8")
    found = sweep(tmp_path / "a.jsonl", sizes=[300], evaluation=tmp_path / "b.txt", field="body")
    listed = sweep(TRAINING, sizes=[300], evaluation=HELD_OUT)
    assert (found.training, found.evaluation) == (listed.training, listed.evaluation)
    assert tokens(found, "evaluation") == tokens(listed, "evaluation")
    with pytest.raises(OptionError, match="field='body' is for"):
        sweep(tmp_path / "b.txt", sizes=[300], field="body")


def test_lines_are_trained_on_and_records_held_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = (msgspec.json.encode({"body": text}) + b"\n" for text in HELD_OUT)
    (tmp_path / "b.jsonl").write_bytes(b"".join(records))
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([text] for text in ["text", *TRAINING])
    (tmp_path / "a.txt").write_text("\n".join(TRAINING), encoding="utf-8")
    listed = sweep(TRAINING, sizes=[300], models=["bpe", "char"], evaluation=HELD_OUT)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(TRAINING).encode())))
    for training in (tmp_path / "a.txt", tmp_path / "a.csv", "-", TRAINING):
        found = sweep(training, sizes=[300], models=["bpe", "char"],
                      evaluation=tmp_path / "b.jsonl", field="body")  # fmt: skip
        assert (found.training, found.evaluation) == (listed.training, listed.evaluation)
        assert tokens(found) == tokens(listed)
        assert tokens(found, "evaluation") == tokens(listed, "evaluation")
    with pytest.raises(OptionError, match=r"column='c' is for \.csv, \.tsv and \.parquet files"):
        sweep(tmp_path / "a.txt", sizes=[300], evaluation=tmp_path / "b.jsonl", field="body",
              column="c")  # fmt: skip


def test_words_that_are_counted_already() -> None:
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    found = sweep(counts, sizes=[256, 260])
    assert found.training == Size(None, 79, 79)
    assert tokens(found)[0] == 79
    assert found.sentences == []
    word = sweep(counts, sizes=[3], models=["word"]).tokenizers[0]
    assert word == kugiri.train(counts, model="word", vocab_size=3)
    again = sweep(kugiri.count_words(counts), sizes=[256, 260])
    assert tokens(again) == tokens(found)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        pytest.param({}, Size(2, 3, 9), id="lines"),
        pytest.param({"keep_newlines": True}, Size(4, 7, 13), id="lines with their ends"),
        pytest.param({"documents": "files"}, Size(1, 7, 13), id="file"),
    ],
)
def test_size_of_a_text(options: dict[str, Any], size: Size, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("猫は\n\r\n\n魚".encode())
    assert size_of(tmp_path, Options(**options)) == size


def test_files_as_documents() -> None:
    found = sweep(SAMPLE, sizes=[300], documents="files")
    assert found.training.documents == len(list(SAMPLE.glob("*.txt")))
    assert found.entries[0].training.tokens == encoded(
        found.tokenizers[0], [file.read_text(encoding="utf-8") for file in SAMPLE.glob("*.txt")]
    )
