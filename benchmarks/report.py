"""Results as files: the JSON of a day and a machine, a readable table, and the README's ratios."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks import goals
from benchmarks.measure import OURS

SCHEMA = 1
SCALE = {"s": 1.0, "ms": 1e3, "µs": 1e6}


def show(seconds: float | None, unit: str, amount: int) -> str:
    """A time in the case's unit: MB or million ids a second, or seconds a sentence, a start."""
    if seconds is None or not unit:
        return "–"
    value = amount / seconds / 1e6 if unit.startswith("M") else seconds / amount * SCALE[unit]
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def _ratio(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.2f}x"


def _note(case: dict[str, Any], row: dict[str, Any]) -> str:
    if not case["unit"] and row["above_bytes"] is not None:
        return f"{row['above_bytes'] / 1e6:,.0f} MB above what was loaded"
    budget = case["budget"]
    if budget is None or row["engine"] != OURS or row["cold"] is None:
        return str(row["note"])
    verdict = "kept" if row["cold"] <= budget else "exceeded"
    return f"budget {show(budget, case['unit'], 1)} {case['unit']}: {verdict}"


def _versions(cases: list[dict[str, Any]]) -> str:
    found = {row["engine"]: row["version"] for c in cases for row in c["rows"] if row["version"]}
    return ", ".join(f"{engine} {version}" for engine, version in found.items())


def table(results: dict[str, Any]) -> list[list[str]]:
    """One row an engine and case: the cells of the readable table, header first."""
    header = [
        "case",
        "unit",
        "engine",
        "cold",
        "warm",
        "cold ratio",
        "warm ratio",
        "peak MB",
        "note",
    ]
    rows = [header]
    for case in results["cases"]:
        for row in case["rows"]:
            times = [show(row[column], case["unit"], case["amount"]) for column in ("cold", "warm")]
            ratios = [_ratio(row["cold_ratio"]), _ratio(row["warm_ratio"])]
            peak = f"{row['peak_bytes'] / 1e6:,.0f}" if row["peak_bytes"] else "–"
            note = _note(case, row)
            rows.append([case["name"], case["unit"], row["engine"], *times, *ratios, peak, note])
    return rows


def markdown_table(rows: list[list[str]]) -> str:
    """Cells as a table, header first."""
    header, *body = rows
    lines = [header, ["---"] * len(header), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown(results: dict[str, Any]) -> str:
    """The whole readable report."""
    return f"""# Benchmark results

{_circumstances(results)}

{markdown_table(table(results))}
"""


def goals_page(results: dict[str, Any]) -> str:
    """The goals, and whether each is met."""
    return f"""# Goals of speed

A ratio is how many times the speed of the rival kugiri reaches: the fastest peer with the same
result in the same run, or the one that the goal names; where two are named, the first is the
fastest cold and the second warm. A goal is met or missed cold. Memory is the peak of a process
above what it held before the call.

{_circumstances(results)}

{markdown_table([goals.HEADER, *goals.rows(results)])}
"""


def _circumstances(results: dict[str, Any]) -> str:
    machine = results["machine"]
    return f"""Written by `benchmarks/run.py`; what is measured is in `benchmarks/README.md`.

- Day: {results["day"]}
- Machine {machine["id"]}: {machine["cpu"]}, {machine["cores"]} cores, \
{machine["memory_gib"]} GiB, {machine["system"]}, Python {machine["python"]}
- Versions: {_versions(results["cases"])}
- Text: {results["texts"]}"""


def readme_block(results: dict[str, Any]) -> str:
    """The ratios of ours to the fastest peer, a line a case."""
    rows = [["case", "fastest peer", "first call", "later calls"]]
    for case in results["cases"]:
        ours = next((row for row in case["rows"] if row["engine"] == OURS), None)
        peers = [row for row in case["rows"] if row["engine"] != OURS and row["cold_ratio"]]
        if case["budget"] is not None or ours is None or not peers:
            continue
        if ours["cold_ratio"] is None:
            rows.append([case["name"], "–", f"no time: {ours['status']}", "–"])
            continue
        peer = max(peers, key=lambda row: float(row["cold_ratio"]))
        name = f"{peer['engine']} {peer['version']}"
        rows.append([case["name"], name, _ratio(ours["cold_ratio"]), _ratio(ours["warm_ratio"])])
    machine = results["machine"]
    where = f"{machine['cpu']}, {machine['cores']} cores, {results['day']}"
    return (
        f"{markdown_table(rows)}\n\nTimes the speed of the fastest peer in the same run ({where})."
    )


def replace_block(page: str, block: str, name: str = "benchmark") -> str:
    """A page with the text between the two comments of a name replaced."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no {start} … {end}: add these two lines")
    return f"{before}{start}\n{block}\n{end}{after}"


def merge(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The day's results with the cases of this run in place of the earlier ones."""
    cases = {case["name"]: case for case in (*old["cases"], *new["cases"])}
    return {**new, "cases": list(cases.values())}


def write(results: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Write `DAY-MACHINE.json`, `latest.md` and `goals.md`, each beside its place first.

    Returns the results of the whole day.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{results['day']}-{results['machine']['id']}.json"
    if path.is_file():
        results = merge(json.loads(path.read_text(encoding="utf-8")), results)
    contents = {
        path: json.dumps(results, indent=1, ensure_ascii=False) + "\n",
        folder / "latest.md": markdown(results),
        folder / "goals.md": goals_page(results),
    }
    for target, content in contents.items():
        beside = target.with_name(target.name + ".partial")
        beside.write_text(content, encoding="utf-8")
        beside.replace(target)
    return results
