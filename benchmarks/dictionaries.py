"""How fast text is encoded with words of a dictionary, and how fast the library cuts it by itself.

`python benchmarks/dictionaries.py TEXT [NAME …]`: a file of Japanese lines, names of dictionaries.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import kugiri
from kugiri import dictionaries

ROUNDS = 3
MOST_LINES = 100_000


def main() -> None:
    """Print megabytes a second, the best of some rounds."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()[:MOST_LINES]
    size = sum(len(line.encode()) for line in lines) / 1e6
    print(f"{size:.1f} MB in {len(lines):,} lines; MB/s")
    for name in sys.argv[2:] or dictionaries.DICTIONARIES:
        alone = _library(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", kugiri.KugiriWarning)
            tok = kugiri.train(
                lines[:20_000], model="wordpiece", pre_tokenizer=name, vocab_size=8_000
            )
        tok.encode_batch(lines)  # starts the processes
        speeds = {
            "library alone": lambda alone=alone: [alone(line) for line in lines],
            "one process": lambda tok=tok: tok.encode_batch(lines, threads=1),
            "all processes": lambda tok=tok: tok.encode_batch(lines),
        }
        shown = (f"{what} {size / _seconds(work):.2f}" for what, work in speeds.items())
        print(f"{name}: {', '.join(shown)}")


def _seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def _library(name: str) -> Callable[[str], list[str]]:
    """The words of a line, as the library gives them."""
    package = dictionaries.installed(name).dictionary[0]
    if name.startswith("sudachi"):
        import sudachipy

        opened = sudachipy.Dictionary(dict=package.removeprefix("sudachidict-"))
        make = getattr(opened, "tokenizer", None) or opened.create
        tokenize = make(mode=getattr(sudachipy.SplitMode, name[-1].upper())).tokenize
        return lambda line: [each.surface() for each in tokenize(line)]
    import fugashi

    folder = __import__(package.replace("-", "_")).DICDIR
    tagger = fugashi.GenericTagger(f'-r "{folder}/mecabrc" -d "{folder}"')
    return lambda line: [each.surface for each in tagger(line)]


if __name__ == "__main__":
    main()
