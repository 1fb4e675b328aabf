"""kugiri: ours."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.engines import (
    MIN_FREQUENCY,
    TOKENIZER_JSONS,
    Ids,
    Unsupported,
    library,
    tokenizer_json,
    vocabulary,
)

DISTRIBUTION = MODULE = "kugiri"
kugiri = library("kugiri", "make build")
Tokenizer = kugiri.Tokenizer  # its modules come when it is first named: with the library here


class Encoder:
    """A .tiktoken encoding, a .model or a tokenizer.json in kugiri."""

    DECODES_ARRAYS = True

    def __init__(self, tokenizer: str) -> None:
        self._tokenizer = kugiri.load(_file(tokenizer))

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines, threads=1)

    def encode_string(self, text: str) -> Any:
        return self._tokenizer.encode_array(text)

    def encode_file(self, path: Path) -> Any:
        return self._tokenizer.encode_files(path)

    def encode_to_file(self, path: Path, out: Path) -> Any:
        return self._tokenizer.encode_files(path, out=out)

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text)
        return ids

    def count(self, text: str) -> int:
        return int(self._tokenizer.count(text))

    def decode(self, ids: Any) -> str:
        return str(self._tokenizer.decode(ids))

    def ids(self, result: Any) -> Ids:
        ids: Ids = getattr(result, "ids", result)
        return ids


load = Encoder


def keep(tokenizer: str) -> None:
    """Load in another process, which keeps the tables in a folder that this one reads."""
    folder = tempfile.TemporaryDirectory(prefix="kugiri-bench-")
    atexit.register(folder.cleanup)
    os.environ["KUGIRI_CACHE"] = folder.name
    load_and_keep = f"import kugiri; kugiri.load({str(_file(tokenizer))!r})"
    subprocess.run([sys.executable, "-c", load_and_keep], check=True)


def _file(tokenizer: str) -> Path:
    if tokenizer.endswith(".model"):
        return Path(tokenizer)
    if tokenizer in TOKENIZER_JSONS or tokenizer.endswith(".json"):
        return tokenizer_json(tokenizer)
    return vocabulary(f"tiktoken/{tokenizer}.tiktoken")


def reporter(tokenizers: list[str], text: Path, page: Path) -> Callable[[], Any]:
    """`kugiri measure` in a process of its own, as it is called from a shell."""
    named = [f"--tokenizer={name}={_file(name)}" for name in tokenizers]
    options = [*named, f"--corpus=text={text}", f"--html={page}", "--quiet"]
    command = [sys.executable, "-m", "kugiri", "measure", *options]

    def call() -> Path:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unsupported((done.stderr.strip().splitlines() or ["no report"])[-1])
        return page

    return call


def trainer(path: Path, size: int) -> Callable[[], Any]:
    """Byte-level BPE with GPT-2's pattern."""
    options = {"preset": "gpt2", "vocab_size": size, "min_frequency": MIN_FREQUENCY}
    return partial(kugiri.train, path, **options)


def merges(model: Any) -> list[tuple[bytes, bytes]]:
    """The merges, which are bytes already."""
    return [(merge.left, merge.right) for merge in model.merges]
