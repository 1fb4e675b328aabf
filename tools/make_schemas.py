"""Write docs/schemas/*.json, the JSON schemas of what explain, measure and check print.

Run it when these classes change; a test compares them with the files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from kugiri.check import Findings
from kugiri.explain.structure import Explanation
from kugiri.explain.training_structure import Training
from kugiri.explain.why import Reason
from kugiri.measure.report import Report

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"
KINDS: dict[str, type[msgspec.Struct]] = {
    "explain": Explanation,
    "why": Reason,
    "training": Training,
    "measure": Report,
    "check": Findings,
}


def schema(name: str) -> dict[str, Any]:
    """The schema of one kind of JSON."""
    made = msgspec.json.schema(KINDS[name])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"kugiri {name}",
        **made,
    }


def spelled(name: str) -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    """Write every schema."""
    FOLDER.mkdir(exist_ok=True)
    for name in KINDS:
        (FOLDER / f"{name}.json").write_text(spelled(name), encoding="utf-8")


if __name__ == "__main__":
    main()
