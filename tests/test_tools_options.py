"""The table of docs/sweep.md is what the trainings give."""

from __future__ import annotations

from tools.make_options import PAGE, VARIED, spelled, table


def test_the_table_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == spelled(), "run tools/make_options.py"


def test_each_option_has_its_row() -> None:
    rows = table().splitlines()
    for option, values in VARIED.items():
        assert sum(row.startswith(f"| `{option}=") for row in rows) == len(values) - 1
