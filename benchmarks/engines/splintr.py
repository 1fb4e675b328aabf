"""splintr: a byte-level and SentencePiece-type encoder with a cache, made to load fast."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported, flat, library, tokenizer_json

DISTRIBUTION, MODULE = "splintr-rs", "splintr"
splintr = library("splintr")
BUNDLED = ("o200k_base", "cl100k_base")


class Encoder:
    """A vocabulary that comes with splintr, or a tokenizer.json; flat calls return uint32 bytes."""

    def __init__(self, tokenizer: str) -> None:
        try:
            self._tokenizer = _load(tokenizer)
        except ValueError as error:
            raise Unsupported(f"splintr: {error}") from error
        self._makes_flat = self._tokenizer.family == "BPE"

    def encode_lines(self, lines: list[str]) -> Any:
        if self._makes_flat:
            return self._tokenizer.encode_batch_flat(lines)[0]
        return self._tokenizer.encode_batch(lines)

    def encode_string(self, text: str) -> Any:
        if self._makes_flat:
            return self._tokenizer.encode_flat(text)
        return [self._tokenizer.encode_ordinary(text)]

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode_ordinary(text)
        return ids

    def count(self, text: str) -> int:
        return len(self.ids(self.encode_string(text)))

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids))

    def ids(self, result: Any) -> Ids:
        return np.frombuffer(result, dtype=np.uint32) if isinstance(result, bytes) else flat(result)


load = Encoder


def _load(tokenizer: str) -> Any:
    if tokenizer in BUNDLED:
        return splintr.Tokenizer.from_pretrained(tokenizer)
    return splintr.from_json(str(tokenizer_json(tokenizer)))
