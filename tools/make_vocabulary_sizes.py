"""Write the table of docs/vocabulary_size.md: what is recommended for two texts and three models.

Run it when a figure changes; a test compares the page where the texts are at hand, which are no
part of the project. Every second line is trained on, the others are evaluation text. Half and twice
of a size that is recommended are trained and encode by themselves.
"""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import kugiri
from kugiri import KugiriWarning, Sweep

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "vocabulary_size.md"
BEGIN, END = "<!-- sizes -->\n", "<!-- /sizes -->"
TEXTS = ROOT.parent / "shared" / "data"

NAMES = {"ja.txt.gz": "Japanese", "en.txt.gz": "English"}
MODELS = [(5e6, 256), (33e6, 512), (125e6, 768)]
LARGEST = 64_000

_HEADINGS = (
    "text", "model", "recommended", "costs at most 1 % more", "cost of half", "cost of twice",
    "laws of English",
)  # fmt: skip


def spelled() -> str:
    """The page with its table made anew."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END, 1)[1]


def table() -> str:
    """The table."""
    rows = [_row(*_HEADINGS), "|---|---" + "|---:" * (len(_HEADINGS) - 2) + "|"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        for name, language in NAMES.items():
            training, held_out = _halves(name)
            found = kugiri.sweep(training, sizes=[LARGEST], evaluation=held_out)
            for parameters, dimension in MODELS:
                rows.append(_of_model(language, found, parameters, dimension, training, held_out))
    return "\n".join([*rows, ""])


def _halves(name: str) -> tuple[list[str], list[str]]:
    text = gzip.decompress((TEXTS / name).read_bytes()).decode()
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[::2], lines[1::2]


def _of_model(
    language: str,
    found: Sweep,
    parameters: float,
    dimension: int,
    training: list[str],
    held_out: list[str],
) -> str:
    it = kugiri.recommend(found, parameters=parameters, dimension=dimension)
    costs = []
    for size in (it.size // 2, it.size, 2 * it.size):
        trained = kugiri.train(training, vocab_size=size)
        tokens = int(trained.count_batch(held_out).sum())
        costs.append((parameters + trained.vocab_size * dimension) * tokens)
    low, high = it.near
    return _row(
        language,
        f"{parameters / 1e6:g} M, {dimension}",
        f"{it.size:,}",
        f"{low:,} to {high:,}",
        f"{costs[0] / costs[1]:.3f}",
        f"{costs[2] / costs[1]:.3f}",
        ", ".join(f"{law.size:,}" for law in it.laws),
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(spelled(), encoding="utf-8")
