"""The table of the goals of speed: made of results that are written out here."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import goals
from benchmarks.cases import load_cases
from benchmarks.goals import GOALS, Goal

TEXTS = ["en", "ja", "zh", "code"]
NAME = "encode_file/o200k_base/en"


def _row(engine: str, cold: float | None, warm: float | None = None, **other: Any) -> Any:
    return {"engine": engine, "status": "ok", "note": "", "cold": cold, "warm": warm, **other}


def _only(goal: Goal, *cases: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    monkeypatch.setattr(goals, "GOALS", (goal,))
    monkeypatch.setattr(goals, "MEMORY", ())
    return goals.rows({"cases": list(cases)})


@pytest.mark.parametrize(
    ("wanted", "peer", "rows", "cells"),
    [
        (  # the fastest cold is another than the fastest warm
            1.2,
            "",
            [_row("a", 2.0, 1.0), _row("b", 3.0, 0.5), _row("kugiri", 1.0, 1.0)],
            ["a / b", "2.00x", "0.50x", "met"],
        ),
        (
            1.2,
            "b",
            [_row("a", 1.0), _row("b", 3.0), _row("kugiri", 2.0)],
            ["b", "1.50x", "–", "met"],
        ),
        (3, "", [_row("a", 2.0), _row("kugiri", 1.0)], ["a", "2.00x", "–", "missed by 1.50x"]),
        (  # other ids: no rival, however fast
            1,
            "",
            [_row("a", 2.0), _row("b", 0.1, status="differs"), _row("kugiri", 1.0)],
            ["a", "2.00x", "–", "met"],
        ),
        (
            1,
            "",
            [_row("b", None, status="differs"), _row("kugiri", 1.0)],
            ["–", "–", "–", "no rival with the same result"],
        ),
        (
            1,
            "",
            [_row("a", 2.0), _row("kugiri", None, status="differs")],
            ["–", "–", "–", "no time: differs"],
        ),
        (1, "", [_row("a", 2.0)], ["–", "–", "–", "not measured"]),
    ],
)
def test_a_goal_is_met_cold_or_missed(
    wanted: float,
    peer: str,
    rows: list[Any],
    cells: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goal = Goal("work", wanted, (NAME,), peer)
    table = _only(goal, {"name": NAME, "rows": rows}, monkeypatch=monkeypatch)
    assert table == [["work", NAME, f"{wanted:g}x", *cells]]


def test_counting_is_compared_with_our_own_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal("count", 1, ("count/o200k_base/en",), instead_of="encode_string")
    count = {"name": "count/o200k_base/en", "rows": [_row("a", 0.1), _row("kugiri", 2.0, 1.0)]}
    encode = {"name": "encode_string/o200k_base/en", "rows": [_row("kugiri", 3.0, 1.5)]}
    table = _only(goal, count, encode, monkeypatch=monkeypatch)
    assert table == [
        ["count", "count/o200k_base/en", "1x", "encode_string", "1.50x", "1.50x", "met"]
    ]


@pytest.mark.parametrize(
    ("above", "cells"),
    [
        (
            [40, 41, 42],
            [["40 MB", "met"], ["41 MB", "met"], ["42 MB", "met"], ["1.05x", "met"]],
        ),
        (
            [100, 330, 300],
            [
                ["100 MB", "met"],
                ["330 MB", "missed by 1.10x"],
                ["300 MB", "met"],
                ["3.00x", "missed by 2.31x"],
            ],
        ),
        (
            [40, None, None],
            [["40 MB", "met"], *[["–", "not measured"]] * 3],
        ),
    ],
)
def test_memory_is_bounded_and_does_not_grow(
    above: list[int | None], cells: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goals, "GOALS", ())
    monkeypatch.setattr(goals, "MEMORY", ("encode_to_file/a/en",))
    cases = [
        {"name": f"encode_to_file/a/en/{size}MB", "rows": [_row("kugiri", 1.0, above_bytes=bytes)]}
        for size, megabytes in zip(goals.MEGABYTES, above, strict=True)
        for bytes in [megabytes and megabytes * 1_000_000]
    ]
    table = goals.rows({"cases": cases})
    assert [[row[4], row[6]] for row in table] == cells
    assert table[0][:4] == ["memory, a file to a file", "encode_to_file/a/en/64MB", "300 MB", "–"]
    assert table[3][:4] == [
        "memory, a file to a file: growth",
        "encode_to_file/a/en/1024MB",
        "1.3x",
        "encode_to_file/a/en/64MB",
    ]


def test_a_case_that_was_not_run_is_said_to_be_missing() -> None:
    assert {row[-1] for row in goals.rows({"cases": []})} == {"not measured"}


def test_every_goal_has_its_cases_and_rivals() -> None:
    cases = {case.name: case for case in load_cases(TEXTS)}
    for goal in GOALS:
        for name in goal.cases:
            assert name in cases, f"{name}, a case of the goal {goal.work!r}, is not in cases.toml"
            assert goal.peer in ("", *cases[name].engines)
            rivals = set(cases[name].engines) - set(cases[name].once)
            assert goal.seconds or len(rivals) >= 2
    for name in goals.MEMORY:
        assert all(f"{name}/{size}MB" in cases for size in goals.MEGABYTES)
