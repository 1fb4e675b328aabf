"""gigabpe: the fastest published trainer with the merges of HF tokenizers. It does not encode."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.engines import MIN_FREQUENCY, library
from benchmarks.engines import merges_in_bytes as in_bytes

DISTRIBUTION = MODULE = "gigabpe"
gigabpe = library("gigabpe")


def trainer(path: Path, size: int) -> Callable[[], Any]:
    """Byte-level BPE with GPT-2's pattern.

    gigabpe's alphabet is the bytes that occur, so `size` is lowered by those that do not: every
    engine makes the same number of merges. Counting them is not timed.
    """
    absent = 256 - len(set(path.read_bytes()))
    options = {"vocab_size": size - absent, "min_frequency": MIN_FREQUENCY}
    return partial(gigabpe.train_bpe, [str(path)], pretokenizer="bytelevel", **options)


def merges(model: Any) -> list[tuple[bytes, bytes]]:
    """The merges of the model, from GPT-2's letters."""
    return in_bytes(model[1])
