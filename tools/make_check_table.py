"""Write the table of docs/check.md: what `kugiri check` finds in six public vocabularies.

Run it when a check changes; a test compares the page where the vocabularies are at hand, which are
no part of the project (`make parity-data` fetches them).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import kugiri
from kugiri.check.checks import CHECKS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "check.md"
BEGIN, END = "<!-- found -->\n", "<!-- /found -->"
VOCABULARIES = ROOT / ".cache" / "parity" / "npm"
NAMES = ("gpt4o", "gptoss", "llama3", "qwen3", "gemma3", "llama2")


def main() -> None:
    """Write the page."""
    PAGE.write_text(spelled(), encoding="utf-8")


def spelled() -> str:
    """The page with its table made anew."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END, 1)[1]


def table() -> str:
    """A row for each finding that is in one of them."""
    counts = {name: counted(name) for name in NAMES}
    rows = [_row("finding", *NAMES), "|---" + "|---:" * len(NAMES) + "|"]
    for check in CHECKS.values():
        for id in check.ids():
            if any(id in found for found in counts.values()):
                rows.append(_row(id, *(_cell(counts[name], id) for name in NAMES)))
    return "\n".join([*rows, ""])


def counted(name: str) -> dict[str, int]:
    """How many cases of each finding a vocabulary has."""
    tokenizer = kugiri.load(VOCABULARIES / name / "tokenizer.json")
    return {finding.id: finding.count for finding in kugiri.check(tokenizer, cases=0).findings}


def _cell(found: Mapping[str, int], id: str) -> str:
    return f"{found[id]:,}" if id in found else "–"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
