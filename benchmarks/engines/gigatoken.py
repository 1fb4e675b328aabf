"""gigatoken: the fastest published encoder, here for BPE models of the SentencePiece family."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported, library

DISTRIBUTION = MODULE = "gigatoken"
gigatoken = library("gigatoken")


class Encoder:
    """A .model in gigatoken."""

    def __init__(self, path: str) -> None:
        if not path.endswith(".model"):
            raise Unsupported("only its BPE of .model files is compared here")
        try:
            self._tokenizer = gigatoken.Tokenizer(path)
        except ValueError as error:
            raise Unsupported(f"gigatoken: {error}") from error

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines, parallel=False)

    def encode_string(self, text: str) -> Any:
        return self._tokenizer.encode(text)

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text).tolist()
        return ids

    def count(self, text: str) -> int:
        return len(self.encode_string(text))

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids).decode())

    def ids(self, result: Any) -> Ids:
        ragged = library("awkward")
        flat = result if isinstance(result, np.ndarray) else ragged.to_numpy(ragged.flatten(result))
        return flat.astype(np.uint32)


load = Encoder
