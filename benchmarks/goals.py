"""What the project wants to reach, each goal a ratio in one run, and whether it is: `goals.md`.

A goal is met where it is in each of its cases, by the first call (cold); the ratio of later calls
(warm) stands beside it and decides nothing. The goals of memory are bounds: what a process holds at
its peak above what it held before the call, vocabulary and all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.measure import OURS

BYTE_LEVEL = ("o200k_base", "cl100k_base", "llama3", "qwen3")
SENTENCEPIECE_BPE = ("gemma3", "llama2", "bpe-32k")
_COLUMNS = ("cold", "warm")
HEADER = ["goal", "case", "wanted", "rival", "cold", "warm", "verdict"]


@dataclass(frozen=True)
class Goal:
    """How many times the speed of a rival is wanted in some cases.

    The rival is the fastest peer with the right ids, `peer` where one is named, or our own time in
    the case of another task, `instead_of`.
    """

    work: str
    wanted: float
    cases: tuple[str, ...]
    peer: str = ""
    instead_of: str = ""
    seconds: float = 0.0
    """The time that a call may take, where no rival is the measure."""


def _names(task: str, tokenizers: tuple[str, ...], *texts: str) -> tuple[str, ...]:
    return tuple(f"{task}/{name}/{text}" for name in tokenizers for text in texts)


GOALS = (
    Goal("English as a file", 1.2, _names("encode_file", BYTE_LEVEL, "en")),
    Goal("Japanese, Chinese: lines", 2, _names("encode_lines", BYTE_LEVEL, "ja", "zh")),
    Goal("Japanese, Chinese: a file", 3, _names("encode_file", BYTE_LEVEL, "ja", "zh")),
    Goal("code as a file", 1.2, _names("encode_file", BYTE_LEVEL, "code")),
    Goal("one thread", 1.5, _names("encode_lines_alone", BYTE_LEVEL, "en", "ja"), peer="quicktok"),
    Goal(
        "BPE of the SentencePiece family",
        4,
        (*_names("encode_lines", SENTENCEPIECE_BPE, "en", "ja"), "encode_file/gemma3/ja"),
    ),
    Goal(
        "Unigram",
        10,
        (
            *_names("encode_lines", ("unigram-32k", "unigram-json-32k"), "en", "ja"),
            *_names("encode_lines_alone", ("unigram-32k",), "en", "ja"),
        ),
    ),
    Goal(
        "WordPiece",
        1.5,
        (
            *_names("encode_lines", ("wordpiece-32k",), "en", "ja"),
            *_names("encode_file", ("wordpiece-32k",), "en", "ja"),
        ),
    ),
    Goal("a short sentence", 2, _names("sentence", ("o200k_base", "gemma3"), "en", "ja")),
    Goal(
        "count rather than encode",
        1,
        _names("count", ("o200k_base",), "en", "ja"),
        instead_of="encode_string",
    ),
    Goal("decode", 1, _names("decode", ("o200k_base",), "en", "ja")),
    Goal(
        "load",
        2,
        tuple(f"load/{name}" for name in ("llama3", "qwen3", "gptoss", "gpt4o", "gemma3")),
        peer="splintr",
    ),
    Goal(
        "load with KUGIRI_CACHE",
        1,
        tuple(f"load_cached/{name}" for name in ("llama3", "qwen3", "gptoss", "gpt4o", "gemma3")),
        seconds=0.020,
    ),
    Goal(
        "a report: five tokenizers on 16 MB",
        1,
        ("report/o200k_base+cl100k_base+llama3+qwen3+gemma3/ja/16MB",),
        seconds=60,
    ),
)
MEMORY = _names("encode_to_file", ("o200k_base", "gemma3"), "en", "ja")
"""A file of each size, encoded to a file, in each of these."""
MEGABYTES = (64, 256, 1024)
MOST_BYTES = 300_000_000
MOST_GROWTH = 1.3
"""What the largest file may take, in times of the smallest, which is a sixteenth of it. The
allocators of the threads hold now more, now less, and over a longer time the peak of that is
higher; with one for all threads (MALLOC_ARENA_MAX=1) it is flat."""


def rows(results: dict[str, Any]) -> list[list[str]]:
    """The cells of the goals' table without header: a row for each goal and case of it."""
    cases = {case["name"]: case for case in results["cases"]}
    of_speed = [_row(goal, name, cases) for goal in GOALS for name in goal.cases]
    return of_speed + [row for name in MEMORY for row in _memory_rows(name, cases)]


def _memory_rows(name: str, cases: dict[str, dict[str, Any]]) -> list[list[str]]:
    """A row for each size of file, and one for the growth from the smallest to the largest."""
    names = [f"{name}/{size}MB" for size in MEGABYTES]
    above = [_above(cases[name]["rows"]) if name in cases else None for name in names]
    work, wanted = "memory, a file to a file", f"{MOST_BYTES / 1e6:g} MB"
    rows = []
    for case, found in zip(names, above, strict=True):
        cells = [work, case, wanted, "–", "–", "–", "not measured"]
        if found is not None:
            over = found / MOST_BYTES
            verdict = "met" if over <= 1 else _missed(over)
            cells[4:] = [f"{found / 1e6:.0f} MB", "–", verdict]
        rows.append(cells)
    cells = [f"{work}: growth", names[-1], f"{MOST_GROWTH:g}x", names[0], "–", "–", "not measured"]
    if above[0] and above[-1]:
        growth = above[-1] / above[0]
        verdict = "met" if growth <= MOST_GROWTH else _missed(growth / MOST_GROWTH)
        cells[4:] = [f"{growth:.2f}x", "–", verdict]
    return [*rows, cells]


def _missed(by: float) -> str:
    return f"missed by {by:.2f}x" if by >= 1.005 else "missed by less than 1 %"


def _above(rows: list[dict[str, Any]]) -> int | None:
    """What ours took above the loaded vocabulary."""
    return next((row.get("above_bytes") for row in rows if row["engine"] == OURS), None)


def _row(goal: Goal, name: str, cases: dict[str, dict[str, Any]]) -> list[str]:
    measured = cases[name]["rows"] if name in cases else []
    ours = next((row for row in measured if row["engine"] == OURS), None)
    if ours is None or ours["cold"] is None:
        status = "not measured" if ours is None else f"no time: {ours['status']}"
        return _cells(goal, name, "", None, None, status)
    if goal.seconds:
        time = f"{goal.seconds:g} s" if goal.seconds >= 1 else f"{1e3 * goal.seconds:g} ms"
        rivals = [{"engine": time, **dict.fromkeys(_COLUMNS, goal.seconds)}]
    else:
        rivals = _rivals(goal, name, cases)
    (cold_rival, cold), (warm_rival, warm) = (_against(rivals, ours, column) for column in _COLUMNS)
    if cold is None:
        return _cells(goal, name, "", None, None, "no rival with the same result")
    both = " / ".join(dict.fromkeys(rival for rival in (cold_rival, warm_rival) if rival))
    verdict = "met" if cold >= goal.wanted else _missed(goal.wanted / cold)
    return _cells(goal, name, goal.instead_of or both, cold, warm, verdict)


def _against(
    rivals: list[dict[str, Any]], ours: dict[str, Any], column: str
) -> tuple[str, float | None]:
    """The fastest rival, and how many times its speed ours is; nothing where one has no time."""
    able = [row for row in rivals if row[column]]
    if not able or not ours[column]:
        return "", None
    fastest = min(able, key=lambda row: float(row[column]))
    return fastest["engine"], fastest[column] / ours[column]


def _rivals(goal: Goal, name: str, cases: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that ours is compared with."""
    if goal.instead_of:
        other = cases.get("/".join([goal.instead_of, *name.split("/")[1:]]), {"rows": []})
        return [row for row in other["rows"] if row["engine"] == OURS]
    return [
        row
        for row in cases[name]["rows"]
        if row["engine"] != OURS and row["status"] == "ok" and not row["note"]
        if goal.peer in ("", row["engine"])
    ]


def _cells(
    goal: Goal, name: str, rival: str, cold: float | None, warm: float | None, verdict: str
) -> list[str]:
    shown = ["–" if ratio is None else f"{ratio:.2f}x" for ratio in (cold, warm)]
    return [goal.work, name, f"{goal.wanted:g}x", rival or "–", *shown, verdict]
