"""The tables of docs/performance.md, and the plots: `python -m benchmarks.performance` writes them.

Rule.    A table stands between two comments of its name. Its numbers are those of
         `results/techniques.json` and `results/growth.json`, and nobody writes them by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks import plots, rows
from benchmarks.plots import COLUMNS
from benchmarks.report import markdown_table, replace_block
from benchmarks.rows import Row
from benchmarks.texts import ROOT

PAGE = ROOT / "docs" / "performance.md"
TASKS = {
    "encode_lines_alone": "",
    "encode_lines": "lines",
    "encode_alone": "one string",
    "encode_file": "a file",
    "load": "",
}
COST_BYTES = 1 << 20
"""Costs are told of so much of each text."""


def write() -> None:
    """Draw the plots, and put the tables into the page."""
    techniques, growth = rows.read("techniques"), rows.read("growth")
    plots.draw_techniques(techniques)
    plots.draw_growth(growth)
    page = PAGE.read_text(encoding="utf-8")
    for section in dict.fromkeys(row["section"] for row in techniques):
        of_section = [row for row in techniques if row["section"] == section]
        page = replace_block(page, effects(of_section), f"effect: {section}")
    tables: dict[str, Callable[[list[Row]], str]] = {
        "input": costs,
        "worst": by_length,
        "vocabulary": by_vocabulary,
    }
    for kind, table in tables.items():
        if of_kind := [row for row in growth if row["kind"] == kind]:
            page = replace_block(page, table(of_kind), f"cost: {kind}")
    _write(PAGE, page)


def _write(path: Path, content: str) -> None:
    beside = path.with_name(f"{path.name}.partial")
    beside.write_text(content, encoding="utf-8")
    beside.replace(path)


# ── techniques ────────────────────────────────────────────────────────────────────────────────
def effects(found: list[Row]) -> str:
    """A line for each technique and tokenizer, a column for each text (or file that is loaded)."""
    columns = [name for name in COLUMNS if any(_column(row) == name for row in found)]
    lines: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in found:
        cells = lines.setdefault((row["technique"], row["plain"], _on(row)), {})
        cells[_column(row)] = effect(row)
    body = [
        [*name, *(cells.get(column, "–") for column in columns)] for name, cells in lines.items()
    ]
    return markdown_table([["without", "instead", "on", *columns], *body])


def effect(row: Row) -> str:
    """The first call, and its instructions; `~` where some round says more and some says less."""
    cold = row.get("cold")
    if not cold:
        shown = "–"
    else:
        is_sure = min(cold) > 1 or max(cold) < 1
        shown = f"{'' if is_sure else '~'}{median(cold):.2f}x"
    if "instructions" not in row:
        return shown
    fast, plain = row["instructions"]
    return f"{shown}, {plain / fast:.2f}x"


def _column(row: Row) -> str:
    return str(row["case"].split("/")[-1])


def _on(row: Row) -> str:
    task, *rest = row["case"].split("/")
    parts = (rest[0] if len(rest) > 1 else "", TASKS[task])
    return ", ".join(part for part in parts if part) or "loading"


# ── growth ────────────────────────────────────────────────────────────────────────────────────
def costs(found: list[Row]) -> str:
    """What a byte, a character and a token of each text cost."""
    header = ["text", "tokens a character"]
    header += [f"ns a {unit}, {call} call" for unit in UNITS for call in ("first", "later")]
    body = [
        [row["text"], f"{row['tokens'] / row['characters']:.2f}"]
        + [_cost(row, unit, call) for unit in UNITS for call in ("cold", "warm")]
        for row in _in_order(found)
        if row["size"] == COST_BYTES
    ]
    return markdown_table([header, *body])


UNITS = ("byte", "character", "token")


def by_length(found: list[Row]) -> str:
    """A line for each tokenizer and text, a column for each length: what a byte costs."""
    return _by_size(found, ("tokenizer", "text"), lambda size: f"{size >> 10:,} KB")


def by_vocabulary(found: list[Row]) -> str:
    """A line for each text, a column for each size of vocabulary: what a byte costs."""
    return _by_size(found, ("text",), lambda size: f"{size // 1000}k")


def _by_size(found: list[Row], fields: tuple[str, ...], name: Callable[[int], str]) -> str:
    sizes = sorted({row["size"] for row in found})
    lines: dict[tuple[str, ...], dict[int, str]] = {}
    for row in _in_order(found):
        line = lines.setdefault(tuple(row[field] for field in fields), {})
        line[row["size"]] = _cost(row, "byte", "cold")
    body = [[*head, *(cells.get(size, "–") for size in sizes)] for head, cells in lines.items()]
    return markdown_table([[*fields, *map(name, sizes)], *body])


def _in_order(found: list[Row]) -> list[Row]:
    """The real texts in their order, then others."""
    place = {text: number for number, text in enumerate(COLUMNS)}
    return sorted(found, key=lambda row: place.get(row["text"], len(place)))


def _cost(row: Row, unit: str, call: str) -> str:
    cost = 1e9 * min(row[call]) / row[f"{unit}s"]
    return f"{cost:.3g}" if cost < 100 else f"{cost:,.0f}"


if __name__ == "__main__":
    write()
