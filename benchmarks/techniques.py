"""What each technique is worth: `python -m benchmarks.techniques` measures with and without it.

Rule.    The core is built so that it can leave techniques out (`src/without.rs`), and each of
         `techniques.toml` is left out alone. In every round a case runs in two fresh processes, one
         with it and one without, in turns; their results are compared, and the ratio of the two
         times is one measurement. So a drift of the machine meets both sides of a ratio. Times are
         those of the processor, so that other work on the machine is left out; where threads are
         left out, those of the clock.
         `--instructions` counts instead, with callgrind, the instructions of the first call on the
         first 200 KB of the text: the same on a busy machine.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import click

from benchmarks import instructions, performance, rows, without
from benchmarks.cases import Case
from benchmarks.measure import OURS, command_of, job_of, run_job
from benchmarks.texts import prepare

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_suffix(".toml")
TASK = "encode_lines_alone"
WARM_SECONDS = 0.2
COUNTED_BYTES = 200_000
COUNTED_CALL = "*__pymethod_encode_batch__*"
KEY = ("technique", "section", "case")


class Left(NamedTuple):
    """A technique that is left out in a case."""

    technique: str
    section: str
    plain: str
    case: Case

    @property
    def name(self) -> str:
        """TECHNIQUE/TASK/TOKENIZER/TEXT, as `--only` takes it."""
        return f"{self.technique}/{self.case.name}"

    @property
    def row(self) -> rows.Row:
        """What the row in the results begins with."""
        return {
            "technique": self.technique,
            "section": self.section,
            "plain": self.plain,
            "case": self.case.name,
        }


def load(patterns: tuple[str, ...] = ()) -> list[Left]:
    """What is measured, each pair of technique and case whose name fits one of the patterns."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))["technique"]
    left = [
        Left(technique["name"], technique["section"], technique["plain"], case)
        for technique in found
        for group in technique["measured"]
        for tokenizer in group["tokenizers"]
        for text in group.get("texts", [""])
        for case in [Case(group.get("task", TASK), (OURS,), tokenizer, text)]
    ]
    fits = [any(fnmatchcase(one.name, pattern) for pattern in patterns) for one in left]
    return [one for one, fit in zip(left, fits, strict=True) if fit or not patterns]


def measure(left: Left, rounds: int, folder: Path) -> rows.Row:
    """The ratios of the times without a technique to those with it, of first and of later calls."""
    job = job_of(left.case, quick=False, warm_seconds=WARM_SECONDS)
    cold, warm, digests = [], [], set()
    clock = "" if left.technique == "threads" else "_processor"
    for turn in range(rounds):
        both = [(), (left.technique,)]
        runs = {}
        for names in both if turn % 2 == 0 else both[::-1]:
            runs[names] = run_job(OURS, job, without.environment(folder, *names))
            if runs[names]["status"] != "ok":
                raise click.ClickException(f"{left.name}: {runs[names]['note']}")
            digests.add(runs[names]["digest"])
        plain, fast = runs[left.technique,], runs[()]
        cold.append(round(plain[f"cold{clock}"] / fast[f"cold{clock}"], 4))
        warm.append(round(min(plain[f"warm{clock}"]) / min(fast[f"warm{clock}"]), 4))
    if len(digests) > 1:
        raise click.ClickException(f"{left.name}: other ids without it: {', '.join(digests)}")
    return left.row | {"cold": cold, "warm": warm}


def count(left: list[Left], folder: Path) -> Iterator[rows.Row]:
    """Instructions a byte of the first call, with a technique and without it."""
    with_all: dict[str, float] = {}
    for one in left:
        if one.case.task != TASK:
            continue
        name = one.case.name
        with_all[name] = with_all.get(name) or _count(one.case, folder)
        plain = _count(one.case, folder, one.technique)
        yield one.row | {"instructions": [round(with_all[name], 2), round(plain, 2)]}


def _count(case: Case, folder: Path, *techniques: str) -> float:
    whole = prepare(case.text, quick=False).read_bytes()
    text = whole[:COUNTED_BYTES].decode("utf-8", "ignore")
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        job = job_of(case, quick=False, warm_seconds=0) | {"text": file.name}
        environment = without.environment(folder, *techniques)
        counted = instructions.count_calls(command_of(OURS, job), COUNTED_CALL, environment)
    return counted / len(text.encode())


@click.command()
@click.option("--only", "patterns", multiple=True, help="Only these, e.g. 'seams/*/ja'.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--instructions", "counts", is_flag=True, help="Count instructions instead.")
@click.option("--list", "list_only", is_flag=True, help="Print what is measured and stop.")
def main(patterns: tuple[str, ...], rounds: int, *, counts: bool, list_only: bool) -> None:
    """Measure each technique, and write plots and the tables of docs/performance.md."""
    left = load(patterns)
    if not left:
        raise click.UsageError(f"nothing is like {' or '.join(patterns)}: see --list")
    if list_only:
        click.echo("\n".join(one.name for one in left))
        return
    folder = without.build()
    found = count(left, folder) if counts else (measure(one, rounds, folder) for one in left)
    for row in found:
        click.echo(f"{row['technique']}/{row['case']}: {_shown(row)}", err=True)
        rows.write("techniques", KEY, [row])
    performance.write()


def _shown(row: dict[str, Any]) -> str:
    fields = {name: row[name] for name in ("cold", "warm", "instructions") if name in row}
    return ", ".join(f"{name} {value}" for name, value in fields.items())


if __name__ == "__main__":
    main()
