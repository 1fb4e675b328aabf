"""The benchmark: `python benchmarks/run.py` (what is measured and how: benchmarks/README.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import click
from rich.console import Console
from rich.table import Table

from benchmarks import machine, report, texts
from benchmarks.cases import Case, load_cases
from benchmarks.engines import NAMES
from benchmarks.measure import as_json, run_case

RESULTS = Path(__file__).with_name("results")
README = texts.ROOT / "README.md"
QUICK_VOCAB_SIZE = 8_000


def measure(cases: list[Case], rounds: int, *, quick: bool) -> Iterator[dict[str, Any]]:
    """The results so far, again after every case."""
    now = datetime.now(timezone.utc)
    done: list[dict[str, Any]] = []
    progress = Console(stderr=True)
    for case in cases:
        rows, amount = run_case(case, rounds, quick=quick, progress=progress.print)
        done.append(as_json(case, rows, amount, now.isoformat(timespec="seconds")))
        yield {
            "schema": report.SCHEMA,
            "day": now.date().isoformat(),
            "machine": machine.describe(),
            "texts": texts.describe(),
            "cases": done,
        }


def print_table(results: dict[str, Any]) -> None:
    """The readable table on the terminal."""
    header, *body = report.table(results)
    shown = Table(*header)
    for row in body:
        shown.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 200).print(shown)


def write_into_readme(results: dict[str, Any]) -> None:
    """Replace the ratios of README.md."""
    old = README.read_text(encoding="utf-8")
    new = report.replace_block(old, report.readme_block(results))
    README.write_text(new, encoding="utf-8")


@click.command()
@click.option("--cases", "patterns", multiple=True, help="Only cases like this, e.g. 'train/*'.")
@click.option("--engines", multiple=True, type=click.Choice(NAMES), help="Only these engines.")
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Fresh processes a case and engine.",
)
@click.option("--quick", is_flag=True, help="One round on 1 MB a text, to see that it all works.")
@click.option("--list", "list_only", is_flag=True, help="Print the cases and stop.")
@click.option("--write-readme", is_flag=True, help="Put the ratios into README.md.")
def main(
    patterns: tuple[str, ...],
    engines: tuple[str, ...],
    rounds: int,
    *,
    quick: bool,
    list_only: bool,
    write_readme: bool,
) -> None:
    """Measure kugiri against its peers.

    Example: python benchmarks/run.py --cases 'encode_*/ja' --cases 'train/*' --rounds 5
    """
    is_evidence = not quick and not engines
    if write_readme and not is_evidence:
        raise click.UsageError("--write-readme takes a run of all engines, without --quick")
    vocab_size = QUICK_VOCAB_SIZE if quick else sys.maxsize
    cases = load_cases(texts.real_texts(), patterns, engines, vocab_size)
    if not cases:
        raise click.UsageError(f"no case is like {' or '.join(patterns)}: see --list")
    if list_only:
        for case in cases:
            click.echo(f"{case.name}  ({', '.join(case.engines)})")
        return
    for results in measure(cases, 1 if quick else rounds, quick=quick):
        written = report.write(results, RESULTS) if is_evidence else results
    print_table(results)
    if not is_evidence:
        click.echo(
            "not written to benchmarks/results: only a run of all engines without --quick is"
        )
    if write_readme:
        write_into_readme(written)


if __name__ == "__main__":
    main()
