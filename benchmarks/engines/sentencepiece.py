"""sentencepiece: the original library of .model files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported, flat, library

DISTRIBUTION = MODULE = "sentencepiece"
sentencepiece = library("sentencepiece", "pip install -r requirements/oracles.txt")


class Encoder:
    """A .model in sentencepiece; for many lines it makes lists faster than arrays."""

    def __init__(self, path: str) -> None:
        if not path.endswith(".model"):
            raise Unsupported("sentencepiece reads .model files")
        self._processor = sentencepiece.SentencePieceProcessor(model_file=path)

    def encode_lines(self, lines: list[str]) -> Any:
        return self._encode(lines, os.cpu_count() or 1)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._encode(lines, 1)

    def _encode(self, lines: list[str], threads: int) -> Any:
        return self._processor.encode(lines, num_threads=threads)

    def encode_string(self, text: str) -> Any:
        return self._processor.encode(text, return_type="numpy")

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._processor.encode(text)
        return ids

    def count(self, text: str) -> int:
        return len(self.encode_string(text))

    def decode(self, ids: list[int]) -> str:
        return str(self._processor.decode(ids))

    def ids(self, result: Any) -> Ids:
        return flat(result) if isinstance(result, list) else result.astype(np.uint32)


load = Encoder
