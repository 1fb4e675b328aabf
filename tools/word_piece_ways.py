"""The table of docs/algorithms/wordpiece.md: WordPiece by frequency and by likelihood.

Both ways are trained on one half of each text of ../shared/data, line by line in turn, and count
the tokens of the other half. Words are runs of one script.
"""

from __future__ import annotations

import gzip
import sys
import warnings
from pathlib import Path
from typing import Any

import kugiri
from kugiri.files import write_beside
from kugiri.reference.train.word_piece import MERGE_BY
from tools.parity_data import ROOT

PAGE = ROOT / "docs" / "algorithms" / "wordpiece.md"
START, END = "<!-- ways -->", "<!-- /ways -->"
TEXTS = {"ja": "ja.txt.gz", "en": "en.txt.gz"}
SIZES = (4_000, 8_000)
LEAST = (2, 10)
HEAD = """\
| text | `vocab_size` | `min_frequency` | tokens by frequency | by likelihood | pieces in common |
|---|---:|---:|---:|---:|---:|
"""


def lines(path: Path) -> tuple[list[str], list[str]]:
    """The two halves of a text."""
    every = gzip.decompress(path.read_bytes()).decode().split("\n")
    return every[::2], every[1::2]


def row(text: str, counts: kugiri.WordCounts, held_out: list[str], size: int, least: int) -> str:
    """Train both ways, and say what came of it."""
    options: dict[str, Any] = {"model": "wordpiece", "vocab_size": size, "min_frequency": least}
    toks = [kugiri.train(counts, merge_by=way, **options) for way in MERGE_BY]
    first, second = (sum(tok.count_batch(held_out).tolist()) for tok in toks)
    common = len(toks[0].vocab.keys() & toks[1].vocab.keys()) / size
    if any(tok.vocab_size < size for tok in toks):
        return f"| {text} | {size:,} | {least} | – | – | – |\n"
    return (
        f"| {text} | {size:,} | {least} | {first:,} | {second:,} ({second / first - 1:+.0%}) "
        f"| {common:.0%} |\n"
    )


def main() -> int:
    """Write the table into the page."""
    table = HEAD
    for text, name in TEXTS.items():
        trained_on, held_out = lines(ROOT.parent / "shared" / "data" / name)
        counts = kugiri.count_words(trained_on, pre_tokenizer="scripts")
        for size in SIZES:
            for least in LEAST:
                table += row(text, counts, held_out, size, least)
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    with write_beside(PAGE) as file:
        file.write(f"{before}{START}\n{table}{END}{after}".encode())
    print(table)
    return 0


if __name__ == "__main__":
    warnings.simplefilter("ignore", kugiri.KugiriWarning)
    sys.exit(main())
