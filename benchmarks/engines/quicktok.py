"""quicktok: five byte-level vocabularies of its own, each with a scanner made for it, no cache."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported, library

DISTRIBUTION, MODULE = "quicktok-v1", "quicktok"
quicktok = library("quicktok")
ENCODINGS = ("o200k_base", "cl100k_base", "llama3", "qwen3")


class Encoder:
    """A vocabulary that comes with quicktok; its batches are arrays, other calls make lists."""

    def __init__(self, encoding: str) -> None:
        if encoding not in ENCODINGS:
            raise Unsupported(f"quicktok comes with {', '.join(ENCODINGS)}; it reads no other here")
        self._encoding = quicktok.get_encoding(encoding)

    def encode_lines(self, lines: list[str]) -> Any:
        return self._encoding.encode_batch(lines, os.cpu_count() or 1)[0]

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._encoding.encode_batch(lines, 1)[0]

    def encode_string(self, text: str) -> Any:
        return self.encode_lines_alone([text])

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._encoding.encode_ordinary(text)
        return ids

    def count(self, text: str) -> int:
        return int(self._encoding.count(text))

    def decode(self, ids: list[int]) -> str:
        return str(self._encoding.decode(ids))

    def ids(self, result: Any) -> Ids:
        return np.asarray(result, dtype=np.uint32)


load = Encoder
