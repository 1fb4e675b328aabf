"""The plots of the measurements, as SVG in `results/`: pip install -r requirements/bench.txt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.engines import library
from benchmarks.rows import RESULTS, Row

WIDTH, HEIGHT = 260, 180
COLUMNS = ("en", "ja", "zh", "code", "gpt4o", "llama3", "gemma3", "o200k_base")
"""The texts, and the files that are loaded, as they stand side by side."""


def draw_techniques(found: list[Row]) -> list[Path]:
    """What each technique is worth, loading apart."""
    loads = [row for row in found if row["case"].startswith("load/")]
    others = [row for row in found if row not in loads]
    named = {"techniques": others, "techniques-load": loads}
    return [_save(_ratios(rows), name) for name, rows in named.items() if rows]


def _ratios(found: list[Row]) -> Any:
    alt = _altair()
    values = [
        {
            "without": f"{row['technique']}, {_on(row)}",
            "column": row["case"].split("/")[-1],
            "kind": kind,
            "ratio": median(row[field]),
            "least": min(row[field]),
            "most": max(row[field]),
        }
        for row in found
        for kind, field in (("first call", "cold"), ("later calls", "warm"))
        if row.get(field)
    ] + [
        {
            "without": f"{row['technique']}, {_on(row)}",
            "column": row["case"].split("/")[-1],
            "kind": "instructions of the first call",
            "ratio": row["instructions"][1] / row["instructions"][0],
        }
        for row in found
        if row.get("instructions")
    ]
    base = alt.Chart().encode(
        y=alt.Y("without:N", title=None, sort=None),
        color=alt.Color("kind:N", title=None, sort=None, legend=alt.Legend(orient="top")),
    )
    shared: dict[str, Any] = {
        "title": "times as much without it",
        "scale": alt.Scale(type="log", nice=False),
        "axis": alt.Axis(values=[0.5, 1, 2, 3, 5, 10, 20], format="~g"),
    }
    x = alt.X("ratio:Q", **shared)
    ranges = base.mark_rule(opacity=0.5).encode(x=alt.X("least:Q", **shared), x2="most:Q")
    same = alt.Chart().mark_rule(color="gray", strokeDash=[3, 3]).encode(x=alt.datum(1))
    layers = alt.layer(same, ranges, base.mark_point(filled=True, size=36).encode(x=x))
    return (
        alt.layer(*layers.layer, data=alt.Data(values=values))
        .properties(width=170)
        .facet(column=alt.Column("column:N", title=None, sort=list(COLUMNS)))
    )


def _on(row: Row) -> str:
    task, *rest = row["case"].split("/")
    tokenizer = rest[0] if len(rest) > 1 else ""
    return tokenizer if task == "encode_lines_alone" else f"{tokenizer} {task}".strip()


def draw_growth(found: list[Row]) -> list[Path]:
    """Cost by the length of the text, in the worst cases, and by the size of the vocabulary."""
    made = []
    for kind, x in (
        ("input", "bytes of text"),
        ("worst", "bytes of text"),
        ("vocabulary", "tokens"),
    ):
        rows = [row for row in found if row["kind"] == kind]
        if rows:
            facets = ("tokenizer",) if kind == "worst" else ("unit", "call")
            made.append(_save(_lines(rows, x, facets), f"growth-{kind}"))
    return made


def _lines(found: list[Row], x: str, facets: Sequence[str]) -> Any:
    alt = _altair()
    values = [
        {
            "text": row["text"],
            "tokenizer": row["tokenizer"],
            "size": row["size"],
            "unit": f"a {unit}",
            "call": call,
            "cost": 1e9 * min(row[field]) / row[f"{unit}s"],
        }
        for row in found
        for unit in ("byte", "character")
        for call, field in (("first call", "cold"), ("later calls", "warm"))
    ]
    if facets == ("tokenizer",):
        values = [one for one in values if one["unit"] == "a byte" and one["call"] == "first call"]
    logarithmic = alt.Scale(type="log", nice=False)
    ticks = alt.Axis(format="~s", values=[10**power for power in range(9)])
    chart = (
        alt.Chart(alt.Data(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("size:Q", title=x, scale=logarithmic, axis=ticks),
            y=alt.Y("cost:Q", title="nanoseconds", scale=logarithmic, axis=ticks),
            color=alt.Color("text:N", title=None, sort=None),
        )
        .properties(width=WIDTH, height=HEIGHT)
    )
    order = list(dict.fromkeys(value[facets[0]] for value in values))
    fields = {"row": alt.Row(f"{facets[1]}:N", title=None)} if len(facets) > 1 else {}
    return chart.facet(column=alt.Column(f"{facets[0]}:N", title=None, sort=order), **fields)


def _save(chart: Any, name: str) -> Path:
    path = RESULTS / f"{name}.svg"
    chart.configure_view(stroke="#ddd").configure_axis(grid=True, gridOpacity=0.5).save(str(path))
    return path


def _altair() -> Any:
    library("vl_convert")  # which Altair writes SVG with
    return library("altair")
