"""kitoken: every model type from every common file, on one thread."""

from __future__ import annotations

from typing import Any

from benchmarks.engines import TOKENIZER_JSONS, Ids, Unsupported, flat, library, tokenizer_json
from benchmarks.engines import vocabulary as parity_file

DISTRIBUTION = MODULE = "kitoken"
kitoken = library("kitoken")


class Encoder:
    """A .tiktoken encoding, a .model or a tokenizer.json in kitoken; its answers are lists."""

    def __init__(self, tokenizer: str) -> None:
        try:
            self._tokenizer = _load(tokenizer)
        except ValueError as error:
            raise Unsupported(f"kitoken: {error}") from error

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_all(lines)

    encode_lines_alone = encode_lines

    def encode_string(self, text: str) -> Any:
        return [self._tokenizer.encode(text)]

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text)
        return ids

    def count(self, text: str) -> int:
        return len(self.encode_sentence(text))

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids).decode())

    def ids(self, result: Any) -> Ids:
        return flat(result)


load = Encoder


def _load(tokenizer: str) -> Any:
    made = kitoken.Kitoken
    if tokenizer.endswith(".model"):
        return made.from_sentencepiece_file(tokenizer)
    if tokenizer in TOKENIZER_JSONS or tokenizer.endswith(".json"):
        return made.from_tokenizers_file(str(tokenizer_json(tokenizer)))
    return made.from_tiktoken_file(str(parity_file(f"tiktoken/{tokenizer}.tiktoken")))
