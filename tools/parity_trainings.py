"""Train as sentencepiece does, on whole texts and with random options, and compare all pieces.

Rule.    Pieces, order, scores and types are equal, or the run ends with exit code 1 and a line that
         names the training. The tests do the same with slices (tests/test_train_sentencepiece.py).
Cost.    Some minutes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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


def main() -> int:
    """Compare all; the exit code."""
    equal, different = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, texts, options in trainings(Path(folder)):
            try:
                same = rows(ours(texts, options).spec) == rows(
                    sentencepiece.read(theirs(texts, options))
                )
            except (KugiriError, RuntimeError) as error:
                same = False
                name += f": {error}"
            equal += same
            if not same:
                different.append(name)
                print(f"different: {name} {options}", flush=True)
    print(f"{equal:,} trainings are equal, {len(different):,} are not")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
