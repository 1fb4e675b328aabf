"""tiktoken: the original library of the .tiktoken encodings. It does not train."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from benchmarks.engines import Ids, flat, library, vocabulary
from tools.parity_data import TIKTOKEN_CACHE_KEYS

DISTRIBUTION = MODULE = "tiktoken"
tiktoken = library("tiktoken")


class Encoder:
    """An encoding of tiktoken, read from the parity data instead of the network."""

    def __init__(self, encoding: str) -> None:
        cached = vocabulary(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[encoding]}")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(cached.parent)
        self._encoding = tiktoken.get_encoding(encoding)

    def encode_lines(self, lines: list[str]) -> Any:
        # On lines a loop is several times as fast as encode_ordinary_batch, whose thread pool
        # costs more than encoding a line.
        return [self._encoding.encode_ordinary(line) for line in lines]

    encode_lines_alone = encode_lines

    def encode_string(self, text: str) -> Any:
        return self._encoding.encode_to_numpy(text, disallowed_special=())

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._encoding.encode_ordinary(text)
        return ids

    def count(self, text: str) -> int:
        return len(self._encoding.encode_to_numpy(text, disallowed_special=()))

    def decode(self, ids: list[int]) -> str:
        return str(self._encoding.decode(ids))

    def ids(self, result: Any) -> Ids:
        return result if isinstance(result, np.ndarray) else flat(result)


load = Encoder
