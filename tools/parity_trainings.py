"""Train as sentencepiece does, on whole texts and with random options, and compare all pieces.

Rule.    Pieces, order, scores and types are equal, or the run ends with exit code 1 and a line that
         names the training. The tests do the same with slices (tests/test_train_sentencepiece.py).
Cost.    Some minutes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kugiri.errors import KugiriError
from kugiri.formats import sentencepiece
from tests.conftest import shared_text
from tests.sentencepiece_trainings import (
    MATRIX,
    PLAIN,
    Options,
    ours,
    random_training,
    rows,
    theirs,
    with_files,
)

SIZES: dict[str, tuple[int, ...]] = {
    "botchan.txt": (500, 2000, 6000),
    "neko.txt": (3200, 4000, 8000),
}
LARGE: dict[str, tuple[int, ...]] = {
    "ja.txt.gz": (8000, 32_000),
    "en.txt.gz": (8000,),
    "zh.txt.gz": (8000,),
}
RANDOM = 2000


def trainings(folder: Path) -> Iterator[tuple[str, tuple[str, ...], Options]]:
    """Every training: its name, its texts, its options."""
    texts = {name: tuple(shared_text(name).split("\n")) for name in (*SIZES, *LARGE)}
    for text, sizes in SIZES.items():
        for name, options in MATRIX.items():
            for size in sizes:
                asked = {"model_type": "bpe", "vocab_size": size, "hard_vocab_limit": False}
                asked |= with_files(options, folder)
                yield f"{text} bpe {size} {name}", texts[text], asked
        for name, options in PLAIN.items():
            for model in ("word", "char"):
                asked = {"model_type": model, "vocab_size": 3000, "hard_vocab_limit": False}
                yield f"{text} {model} {name}", texts[text], {**asked, **options}
    for text, sizes in LARGE.items():
        for size in sizes:
            yield f"{text} bpe {size}", texts[text], {"model_type": "bpe", "vocab_size": size}
    for seed in range(RANDOM):
        yield f"random {seed}", *random_training(seed, texts)


Rows = list[tuple[str, float, int]]


def outcome(train: Callable[[tuple[str, ...], Options], Rows], *asked: Any) -> Rows | None:
    """The pieces that a training gives, or None where it refuses."""
    try:
        return train(*asked)
    except (KugiriError, RuntimeError):
        return None


def our_rows(texts: tuple[str, ...], options: Options) -> Rows:
    """What kugiri gives."""
    return rows(ours(texts, options).spec)


def their_rows(texts: tuple[str, ...], options: Options) -> Rows:
    """What sentencepiece gives."""
    return rows(sentencepiece.read(theirs(texts, options)))


def main() -> int:
    """Compare all; the exit code."""
    equal = different = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, texts, options in trainings(Path(folder)):
            if outcome(our_rows, texts, options) == outcome(their_rows, texts, options):
                equal += 1
            else:
                different += 1
                print(f"different: {name} {options}", flush=True)
    print(f"{equal:,} trainings are equal, {different:,} are not")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
