"""docs/check.md: its table is what is found, and every finding in it is explained."""

from __future__ import annotations

import re

import pytest

from kugiri.check.checks import CHECKS
from tests.oracles import parity_file
from tools.make_check_table import BEGIN, END, NAMES, PAGE, counted


def rows() -> dict[str, list[str]]:
    """The cells of each finding in the table."""
    text = PAGE.read_text(encoding="utf-8")
    lines = text.split(BEGIN)[1].split(END)[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {id: counts for id, *counts in cells}


@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_current(name: str) -> None:
    parity_file(f"npm/{name}/tokenizer.json")
    shown = {id: counts[NAMES.index(name)] for id, counts in rows().items()}
    found = {id: f"{count:,}" for id, count in counted(name).items()}
    assert {id: count for id, count in shown.items() if count != "–"} == found, (
        "run tools/make_check_table.py"
    )


def test_every_finding_of_the_table_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8").split(END)[1]
    explained = re.findall(r"^- \*\*([a-z.-]+)\*\*", text, re.MULTILINE)
    assert explained == list(rows()), "each once, in the order of the table"


def test_every_check_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8").split("## The checks")[1].split("\n\n")[0]
    named = [line.split("|")[1].strip() for line in text.splitlines()[3:]]
    assert sorted(named) == sorted(CHECKS)
