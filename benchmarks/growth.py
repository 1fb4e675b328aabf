"""How cost grows with text and vocabulary: `python -m benchmarks.growth`.

Rule.    Three kinds of rows, each one text as one string on one thread:
         "input"       the texts, from 1 KB to 64 MB, with o200k_base. What is longer than the text
                       has its lines again behind it, none as it was (`texts.write_sized`).
         "worst"       made texts that no pre-tokenizer or no seam cuts, up to 4 MB.
         "vocabulary"  byte-level BPE of 1,000 to 200,000 tokens, trained once on all the texts.
         In each round every row of a kind runs once, in a fresh process. Times are of the
         processor; cold is the first call, warm the fastest of those that begin 0.2 s after it.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

import click

import kugiri
from benchmarks import performance, rows
from benchmarks.cases import Case
from benchmarks.measure import OURS, run_job, tokenizer_of
from benchmarks.texts import CACHE, prepare, write_sized

KEY = ("kind", "tokenizer", "text", "size")
TEXTS = ("en", "ja", "zh", "code")
WARM_SECONDS = 0.2
INPUT_BYTES = [1 << power for power in range(10, 27, 2)]
WORST_BYTES = [1 << power for power in range(10, 23, 2)]
WORST_TOKENIZERS = ("o200k_base", "gemma3", "unigram-32k")
WORST: dict[str, Callable[[int], str]] = {
    "one letter": lambda size: "a" * size,
    "one ideograph": lambda size: "語" * (size // 3),
    "spaces": lambda size: " " * size,
    "random letters": lambda size: "".join(random.Random(0).choices(ascii_lowercase, k=size)),
}
VOCAB_SIZES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]


class Point(NamedTuple):
    """One row to be measured."""

    kind: str
    tokenizer: str
    file: str
    text: str
    size: int
    path: Path


def inputs(folder: Path) -> Iterator[Point]:
    """The texts in all sizes."""
    for text in TEXTS:
        for size in INPUT_BYTES:
            path = folder / f"{text}-{size}.txt"
            write_sized(prepare(text, quick=False), size, path)
            yield Point("input", "o200k_base", "o200k_base", text, size, path)


def worst(folder: Path) -> Iterator[Point]:
    """Made texts in all sizes."""
    for text, made in WORST.items():
        for size in WORST_BYTES:
            path = folder / f"{text}-{size}.txt"
            path.write_text(made(size), encoding="utf-8")
            for tokenizer in WORST_TOKENIZERS:
                file = tokenizer_of(Case("", (), tokenizer, "en"), quick=False)
                yield Point("worst", tokenizer, file, text, size, path)


def vocabularies(_folder: Path) -> Iterator[Point]:
    """The texts with all sizes of vocabulary."""
    files = {size: CACHE / f"all-bpe-{size}.kugiri.json" for size in VOCAB_SIZES}
    if not all(path.is_file() for path in files.values()):
        corpus = [prepare(text, quick=False) for text in TEXTS]
        trained = kugiri.train_sizes(corpus, preset="gpt4o", vocab_sizes=VOCAB_SIZES)
        for size, tokenizer in trained.items():
            tokenizer.save(files[size])
    for text in TEXTS:
        for size, path in files.items():
            source = prepare(text, quick=False)
            yield Point("vocabulary", "trained", str(path), text, size, source)


KINDS = {"input": inputs, "worst": worst, "vocabulary": vocabularies}


def measure(points: list[Point], rounds: int) -> Iterator[rows.Row]:
    """A row for each point, each round anew."""
    found: dict[Point, rows.Row] = {}
    for _ in range(rounds):
        for point in points:
            job = {
                "task": "encode_alone",
                "tokenizer": point.file,
                "text": str(point.path),
                "warm_seconds": WARM_SECONDS,
            }
            run = run_job(OURS, job)
            name = "/".join(str(getattr(point, field)) for field in KEY)
            if run["status"] != "ok":
                raise click.ClickException(f"{name}: {run['note']}")
            if point not in found:
                content = point.path.read_text(encoding="utf-8")
                found[point] = {field: getattr(point, field) for field in KEY} | {
                    "bytes": run["amount"],
                    "characters": len(content),
                    "tokens": int(run["digest"].split()[0].replace(",", "")),
                    "cold": [],
                    "warm": [],
                }
            row = found[point]
            row["cold"].append(run["cold_processor"])
            row["warm"].append(min(run["warm_processor"]))
            click.echo(
                f"{name}: {1e9 * run['cold_processor'] / run['amount']:.2f} ns a byte", err=True
            )
    yield from found.values()


@click.command()
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only these.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
def main(kinds: tuple[str, ...], rounds: int) -> None:
    """Measure growth, and write plots and the tables of docs/performance.md."""
    for kind in kinds or KINDS:
        with tempfile.TemporaryDirectory("-kugiri-bench") as folder:
            rows.write("growth", KEY, list(measure(list(KINDS[kind](Path(folder))), rounds)))
    performance.write()


if __name__ == "__main__":
    main()
