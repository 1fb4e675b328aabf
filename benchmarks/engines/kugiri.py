"""kugiri: ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.engines import MIN_FREQUENCY, Ids, library, vocabulary

DISTRIBUTION = MODULE = "kugiri"
kugiri = library("kugiri", "make build")


class Encoder:
    """A .tiktoken encoding or a .model in kugiri."""

    def __init__(self, encoding: str) -> None:
        is_model = encoding.endswith(".model")
        path = encoding if is_model else vocabulary(f"tiktoken/{encoding}.tiktoken")
        self._tokenizer = kugiri.load(path)

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines, threads=1)

    def encode_string(self, text: str) -> Any:
        return self._tokenizer.encode_array(text)

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text)
        return ids

    def count(self, text: str) -> int:
        return int(self._tokenizer.count(text))

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids))

    def ids(self, result: Any) -> Ids:
        ids: Ids = getattr(result, "ids", result)
        return ids


load = Encoder


def trainer(path: Path, size: int) -> Callable[[], Any]:
    """Byte-level BPE with GPT-2's pattern."""
    options = {"preset": "gpt2", "vocab_size": size, "min_frequency": MIN_FREQUENCY}
    return partial(kugiri.train, path, **options)


def merges(model: Any) -> list[tuple[bytes, bytes]]:
    """The merges, which are bytes already."""
    return [(merge.left, merge.right) for merge in model.merges]
