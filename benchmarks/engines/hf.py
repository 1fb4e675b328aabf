"""HF tokenizers: the original library of tokenizer.json, and the trainer that ours must equal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.engines import (
    MIN_FREQUENCY,
    Ids,
    flat,
    library,
    tokenizer_json,
)
from benchmarks.engines import merges_in_bytes as in_bytes

DISTRIBUTION = MODULE = "tokenizers"
tokenizers = library("tokenizers")

# The tokenizer.json files of the parity data that hold the vocabulary of a .tiktoken encoding.
SAME_VOCABULARY = {"o200k_base": "gpt4o"}


class Encoder:
    """A tokenizer.json in HF tokenizers; `encode_batch_fast` computes no offsets."""

    def __init__(self, encoding: str) -> None:
        file = tokenizer_json(SAME_VOCABULARY.get(encoding, encoding))
        self._tokenizer = tokenizers.Tokenizer.from_file(str(file))

    def encode_lines(self, lines: list[str]) -> Any:
        return self._tokenizer.encode_batch_fast(lines, add_special_tokens=False)

    def encode_lines_alone(self, lines: list[str]) -> Any:
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        return self.encode_lines(lines)

    def encode_string(self, text: str) -> Any:
        return self.encode_lines([text])

    def encode_sentence(self, text: str) -> list[int]:
        ids: list[int] = self.encode_string(text)[0].ids
        return ids

    def count(self, text: str) -> int:
        return len(self.encode_string(text)[0])

    def decode(self, ids: list[int]) -> str:
        return str(self._tokenizer.decode(ids, skip_special_tokens=False))

    def ids(self, result: Any) -> Ids:
        return flat(encoding.ids for encoding in result)


load = Encoder


def trainer(path: Path, size: int) -> Callable[[], Any]:
    """Byte-level BPE with GPT-2's pattern, which is the one of ByteLevel."""
    byte_level = tokenizers.pre_tokenizers.ByteLevel
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = byte_level(add_prefix_space=False)
    options = tokenizers.trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=MIN_FREQUENCY,
        initial_alphabet=byte_level.alphabet(),
        show_progress=False,
    )

    def train() -> Any:
        tokenizer.train([str(path)], options)
        return tokenizer

    return train


def merges(model: Any) -> list[tuple[bytes, bytes]]:
    """The merges of the model, from GPT-2's letters."""
    return in_bytes(json.loads(model.to_str())["model"]["merges"])
