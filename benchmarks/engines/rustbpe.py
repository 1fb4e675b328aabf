"""rustbpe: a small trainer, given GPT-2's pattern instead of its own (GPT-4's)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.engines import GPT2_PATTERN, library

DISTRIBUTION = MODULE = "rustbpe"
MERGES_DIFFER = "ties go by byte value, so some merges differ; not compared"
rustbpe = library("rustbpe")


def trainer(path: Path, size: int) -> Callable[[], Any]:
    """Byte-level BPE with GPT-2's pattern on the lines of a file, newline included."""

    def train() -> Any:
        tokenizer = rustbpe.Tokenizer()
        with path.open(encoding="utf-8", newline="\n") as lines:
            tokenizer.train_from_iterator(lines, vocab_size=size, pattern=GPT2_PATTERN)
        return tokenizer

    return train
