"""What loading a tokenizer and encoding a text must not import: every process would wait for it."""

from __future__ import annotations

from pathlib import Path

import pytest

import kugiri
from processes import run_python

HEAVY = {
    "numpy", "regex", "json", "tempfile", "hashlib", "dataclasses", "difflib", "click", "rich",
    "kugiri.corpus",
}  # fmt: skip
"""Modules that take milliseconds, numpy a hundred of them."""

NOT_NEEDED = {
    "kugiri.unicode",
    "kugiri.reference.oniguruma",
    "kugiri.reference.pipeline",
    "kugiri.formats.sentencepiece_document",
    "kugiri.tokenizing.encode_files",
    "kugiri.train",
}


@pytest.mark.parametrize("format", ["tokenizer.json", "kugiri"])
def test_loading_and_encoding_import_little(tmp_path: Path, format: str) -> None:
    path = tmp_path / "tokenizer.json"
    kugiri.train(["low lower"] * 2, vocab_size=258, pre_tokenizer="gpt2").save(path, format)
    printed = run_python(
        f"""
        import sys, kugiri
        tok = kugiri.load({str(path)!r})
        print(tok.encode("low"), tok.count("low"))
        print(sorted({HEAVY | NOT_NEEDED!r} & set(sys.modules)))
        """
    )
    assert printed.splitlines() == ["[257] 1", "[]"]


def test_arrays_come_all_the_same() -> None:
    printed = run_python(
        """
        import kugiri
        tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        print(tok.encode_array("low").dtype, tok.encode_batch(["low"]).to_lists())
        """
    )
    assert printed.split() == ["uint32", "[[257]]"]
