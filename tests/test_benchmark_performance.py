"""What each technique is worth, and how cost grows: tables of rows that are written out here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks import growth, performance, rows, techniques
from benchmarks.plots import COLUMNS
from benchmarks.report import replace_block
from benchmarks.texts import ROOT, write_sized


def test_each_technique_of_the_core_is_measured() -> None:
    source = (ROOT / "src" / "without.rs").read_text(encoding="utf-8")
    of_core = set(re.findall(r'^    \w+ = "([a-z0-9-]+)",$', source, re.MULTILINE))
    assert of_core == {left.technique for left in techniques.load()}


def test_the_page_has_a_place_for_each_table() -> None:
    page = performance.PAGE.read_text(encoding="utf-8")
    names = {f"effect: {left.section}" for left in techniques.load()}
    for name in names | {f"cost: {kind}" for kind in growth.KINDS}:
        replace_block(page, "", name)


def test_what_is_measured_can_be_chosen() -> None:
    names = [left.name for left in techniques.load(("seams/*/ja", "nesting/load/gpt4o"))]
    assert names == [
        "seams/encode_lines_alone/o200k_base/ja",
        "seams/encode_lines_alone/gemma3/ja",
        "seams/encode_lines_alone/unigram-32k/ja",
        "nesting/load/gpt4o",
    ]
    assert {left.case.name.split("/")[-1] for left in techniques.load()} == set(COLUMNS)


def _row(case: str, **measured: list[float]) -> rows.Row:
    return {"technique": "seams", "section": "words", "plain": "none", "case": case, **measured}


@pytest.mark.parametrize(
    ("measured", "cell"),
    [
        ({"cold": [2.0, 1.9, 2.2], "instructions": [100.0, 250.0]}, "2.00x, 2.50x"),
        ({"cold": [1.0, 0.9, 1.2]}, "~1.00x"),  # not all rounds agree
        ({"cold": [0.8, 0.9, 0.7]}, "0.80x"),
        ({"instructions": [100.0, 101.0]}, "–, 1.01x"),
    ],
)
def test_an_effect_is_time_and_instructions(measured: dict[str, Any], cell: str) -> None:
    assert performance.effect(_row("encode_lines_alone/o200k_base/ja", **measured)) == cell


def test_effects_stand_in_the_columns_of_their_texts() -> None:
    found = [
        _row("encode_lines_alone/o200k_base/ja", cold=[2.0]),
        _row("encode_lines_alone/o200k_base/en", cold=[1.5]),
        _row("encode_file/gemma3/ja", cold=[3.0]),
    ]
    assert performance.effects(found) == "\n".join(
        [
            "| without | instead | on | en | ja |",
            "| --- | --- | --- | --- | --- |",
            "| seams | none | o200k_base | 1.50x | 2.00x |",
            "| seams | none | gemma3, a file | – | 3.00x |",
        ]
    )


def _cost(text: str, size: int, cold: list[float]) -> rows.Row:
    counts = {"bytes": size, "characters": size // 4, "tokens": size // 8}
    times = {"cold": cold, "warm": [1e-3]}
    return {"tokenizer": "t", "text": text, "size": size, **counts, **times}


def test_costs_are_the_least_of_the_rounds() -> None:
    found = [_cost("ja", 1 << 20, [4e-3, 2e-3]), _cost("en", 1 << 20, [1e-3]), _cost("en", 8, [1])]
    assert performance.costs(found).splitlines()[2:] == [
        "| en | 0.50 | 0.954 | 0.954 | 3.81 | 3.81 | 7.63 | 7.63 |",
        "| ja | 0.50 | 1.91 | 0.954 | 7.63 | 3.81 | 15.3 | 7.63 |",
    ]
    assert performance.by_length([*found[:1], _cost("ja", 2048, [1e-06])]).splitlines() == [
        "| tokenizer | text | 2 KB | 1,024 KB |",
        "| --- | --- | --- | --- |",
        "| t | ja | 0.488 | 1.91 |",
    ]


def test_a_later_row_takes_the_place_of_an_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "RESULTS", tmp_path)
    rows.write("t", ("case",), [{"case": "a", "cold": [1.0]}, {"case": "b", "cold": [2.0]}])
    rows.write("t", ("case",), [{"case": "a", "instructions": [3.0, 4.0]}])
    rows.write("t", ("case",), [{"case": "b", "cold": [5.0]}])
    found = [{name: row[name] for name in row if name != "measured"} for row in rows.read("t")]
    assert found == [
        {"case": "a", "cold": [1.0], "instructions": [3.0, 4.0]},
        {"case": "b", "cold": [5.0]},
    ]
    assert set(json.loads((tmp_path / "t.json").read_text())) == {"machine", "texts", "rows"}


@pytest.mark.parametrize(("size", "copies"), [(7, 1), (12, 1), (20, 2), (100, 4)])
def test_a_text_is_made_longer_by_lines_that_differ(size: int, copies: int, tmp_path: Path) -> None:
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_text("東京\nabcd\n", encoding="utf-8")  # 12 bytes
    write_sized(source, size, target)
    made = target.read_text(encoding="utf-8")
    assert made.startswith("東京\nabcd\n"[: len(made)])
    assert size - 3 < len(made.encode()) <= size
    assert made.count("東京") == copies
    lines = made.splitlines()
    assert len(set(lines)) == len(lines)
