"""splintr: a byte-level and SentencePiece-type encoder with a cache, made to load fast."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported, flat, library, tokenizer_json

DISTRIBUTION, MODULE = "splintr-rs", "splintr"
splintr = library("splintr")
BUNDLED = ("o200k_base", "cl100k_base")
ONE_TEXT = bytes(2 * 8)  # offsets that begin with 0, the last of which is not read


class Encoder:
    """A vocabulary that comes with splintr, or a tokenizer.json.

    Its fast calls answer in bytes (uint32 ids, uint64 offsets) and put the begin of the template
    before each text; `ids` takes it away again.
    """

    def __init__(self, tokenizer: str) -> None:
        try:
            self._tokenizer = _load(tokenizer)
        except ValueError as error:
            raise Unsupported(f"splintr: {error}") from error
        self._makes_flat = self._tokenizer.family == "BPE"
        self._puts_begin = self._tokenizer.encode_ordinary("") != []

    def encode_lines(self, lines: list[str]) -> Any:
        if self._makes_flat:
            return self._tokenizer.encode_batch_flat(lines)
        return self._tokenizer.encode_batch(lines)

    def encode_string(self, text: str) -> Any:
        if self._makes_flat:
            return self._tokenizer.encode_flat(text), ONE_TEXT
        return [self._tokenizer.encode_raw(text)]

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode_raw(text)
        return ids

    def count(self, text: str) -> int:
        return len(self.ids(self.encode_string(text)))

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids))

    def ids(self, result: Any) -> Ids:
        if not self._makes_flat:
            return flat(result)
        ids: Ids = np.frombuffer(result[0], dtype=np.uint32)
        begins = np.frombuffer(result[1], dtype=np.uint64)[:-1].astype(np.int64)
        return np.delete(ids, begins) if self._puts_begin else ids


load = Encoder


def _load(tokenizer: str) -> Any:
    if tokenizer in BUNDLED:
        return splintr.Tokenizer.from_pretrained(tokenizer)
    return splintr.from_json(str(tokenizer_json(tokenizer)))
