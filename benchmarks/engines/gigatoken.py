"""gigatoken: the fastest published encoder, for BPE of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engines import TOKENIZER_JSONS, Ids, Unsupported, library, tokenizer_json
from benchmarks.engines import vocabulary as parity_file

DISTRIBUTION = MODULE = "gigatoken"
gigatoken = library("gigatoken")
awkward = library("awkward")  # gigatoken's batches are its arrays; their import is not timed


class Encoder:
    """A .tiktoken encoding, a .model or a tokenizer.json in gigatoken."""

    DECODES_ARRAYS = True

    def __init__(self, tokenizer: str) -> None:
        try:
            self._tokenizer = _load(tokenizer)
        except ValueError as error:
            raise Unsupported(f"gigatoken: {error}") from error

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines, parallel=False)

    def encode_string(self, text: str) -> Any:
        return self._tokenizer.encode(text)

    def encode_file(self, path: Path) -> Any:
        return self._tokenizer.encode_files(path)

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text).tolist()
        return ids

    def count(self, text: str) -> int:
        return len(self.encode_string(text))

    def decode(self, ids: Any) -> str:
        return str(self._tokenizer.decode(ids).decode())

    def ids(self, result: Any) -> Ids:
        is_flat = isinstance(result, np.ndarray)
        flat = result if is_flat else awkward.to_numpy(awkward.flatten(result))
        ids: Ids = flat.astype(np.uint32)
        return ids


load = Encoder


def _load(tokenizer: str) -> Any:
    made = gigatoken.Tokenizer
    if tokenizer.endswith(".model"):
        return made(tokenizer)
    if tokenizer in TOKENIZER_JSONS or tokenizer.endswith(".json"):
        return made(str(tokenizer_json(tokenizer)))
    return made.from_tiktoken(parity_file(f"tiktoken/{tokenizer}.tiktoken"))
