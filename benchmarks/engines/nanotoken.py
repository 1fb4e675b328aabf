"""nanotoken: WordPiece alone, the fastest published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported, library, tokenizer_json

DISTRIBUTION = MODULE = "nanotoken"
nanotoken = library("nanotoken")


class Encoder:
    """A tokenizer.json in nanotoken, without the template."""

    def __init__(self, tokenizer: str) -> None:
        try:
            self._tokenizer = nanotoken.Tokenizer(str(tokenizer_json(tokenizer)))
        except ValueError as error:
            raise Unsupported(f"nanotoken: {error}") from error

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines, add_special_tokens=False)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch(lines, add_special_tokens=False, parallel=False)

    def encode_string(self, text: str) -> Any:
        return self._tokenizer.encode(text, add_special_tokens=False)

    def encode_file(self, path: Path) -> Any:
        return self._tokenizer.encode_files(str(path), add_special_tokens=False)

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self.encode_string(text).tolist()
        return ids

    def count(self, text: str) -> int:
        return len(self.encode_string(text))

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids))

    def ids(self, result: Any) -> Ids:
        return np.asarray(getattr(result, "ids", result), dtype=np.uint32)


load = Encoder
