"""Rows of measurements in a JSON file; a later one takes the place of the same row of before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from benchmarks import machine, texts

RESULTS = Path(__file__).with_name("results")
Row = dict[str, Any]


def read(name: str) -> list[Row]:
    """The rows of a file of the results; none where it has not been written."""
    path = RESULTS / f"{name}.json"
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    return rows


def write(name: str, key: Sequence[str], new: list[Row]) -> None:
    """Put rows into a file of the results; one with the same key keeps what the new one lacks."""
    rows = {tuple(row[field] for field in key): row for row in read(name)}
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    for row in new:
        place = tuple(row[field] for field in key)
        rows[place] = rows.get(place, {}) | row | {"measured": now}
    content = {
        "machine": machine.describe(),
        "texts": texts.describe(),
        "rows": [rows[place] for place in sorted(rows, key=str)],
    }
    beside = RESULTS / f"{name}.json.partial"
    beside.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    beside.replace(RESULTS / f"{name}.json")
