"""Run a case on its engines and make rows of the outcomes.

In each round every engine runs the case once, in a fresh process; the order is turned by one a
round, so that a drift of the machine meets all engines alike. What they produced in the first round
is compared before any of its times counts; an engine with another result gets no time and no
further round.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.cases import Case
from benchmarks.models import is_model, prepare_model
from benchmarks.texts import ROOT, prepare

OURS = "kugiri"
WARM_SECONDS = 0.5
WORKER_TIMEOUT = 1800
COLD_ONLY = ("train", "encode_to_file", "report")


@dataclass
class Row:
    """One engine on one case. Times are medians in seconds; ratios are to the fastest peer."""

    engine: str
    status: str
    note: str = ""
    version: str = ""
    result: str = ""
    cold: float | None = None
    warm: float | None = None
    warm_best: float | None = None
    peak_bytes: int = 0
    above_bytes: int | None = None
    cold_ratio: float | None = None
    warm_ratio: float | None = None

    @property
    def is_comparable(self) -> bool:
        """Whether its time stands for the same result as that of the others."""
        return self.status == "ok" and not self.note


def tokenizer_of(case: Case, *, quick: bool) -> str:
    """What an engine is given to load: the name of an encoding, or a model's file."""
    if is_model(case.tokenizer):
        return str(prepare_model(case.tokenizer, case.text, quick=quick))
    return case.tokenizer


def job_of(case: Case, *, quick: bool, warm_seconds: float) -> dict[str, Any]:
    """What a worker is told of a case."""
    return {
        "task": case.task,
        "tokenizer": tokenizer_of(case, quick=quick),
        "text": str(prepare(case.text, quick=quick)) if case.text else "",
        "vocab_size": case.vocab_size,
        "megabytes": min(case.megabytes, 1) if quick else case.megabytes,
        "warm_seconds": warm_seconds,
    }


def run_job(
    engine: str, job: dict[str, Any], environment: dict[str, str] | None = None
) -> dict[str, Any]:
    """The outcome of one engine on one job in a fresh process, with more in its environment."""
    try:
        done = subprocess.run(
            command_of(engine, job),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=WORKER_TIMEOUT,
            env=os.environ | (environment or {}),
        )
    except subprocess.TimeoutExpired:
        return {"status": "failed", "note": f"no answer within {WORKER_TIMEOUT} s"}
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return {"status": "failed", "note": complaint[-1]}
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


def command_of(engine: str, job: dict[str, Any]) -> list[str]:
    """The command of a worker."""
    return [sys.executable, "-m", "benchmarks.worker", engine, json.dumps(job)]


def compare(outcomes: dict[str, dict[str, Any]]) -> None:
    """Mark the outcomes whose result is not that of the first engine that has one."""
    results = {name: one["digest"] for name, one in outcomes.items() if one.get("digest")}
    if not results:
        return
    reference = next(iter(results))
    for name, result in results.items():
        if result != results[reference]:
            outcomes[name]["status"] = "differs"
            outcomes[name]["note"] = (
                f"its result ({result}) is not that of {reference} ({results[reference]}): no time"
            )


def run_case(
    case: Case, rounds: int, *, quick: bool, progress: Callable[[str], None]
) -> tuple[list[Row], int]:
    """The rows of a case, and how much (bytes, sentences, or 1) a time of it stands for."""
    runs: dict[str, list[dict[str, Any]]] = {engine: [] for engine in case.engines}
    able = list(case.engines)
    for turn in range(rounds):
        shift = turn % max(len(able), 1)
        for engine in able[shift:] + able[:shift]:
            progress(f"{case.name}: round {turn + 1} of {rounds}, {engine}")
            is_cold_only = case.task in COLD_ONLY or engine in case.once
            warm_seconds = 0 if is_cold_only else WARM_SECONDS
            run = run_job(engine, job_of(case, quick=quick, warm_seconds=warm_seconds))
            runs[engine].append(run)
        if turn == 0:
            compare({engine: runs[engine][0] for engine in case.engines})
            able = [
                engine
                for engine in case.engines
                if runs[engine][0]["status"] == "ok" and engine not in case.once
            ]
    rows = [_row(engine, runs[engine]) for engine in case.engines]
    if case.budget is None:
        _add_ratios(rows)
    return rows, max((run[0].get("amount", 1) for run in runs.values()), default=1)


def _row(engine: str, runs: list[dict[str, Any]]) -> Row:
    first = runs[0]
    row = Row(
        engine=engine,
        status=first["status"],
        note=first.get("note", ""),
        version=first.get("version", ""),
        result=first.get("digest", ""),
    )
    if first["status"] != "ok":
        return row
    for run in runs:
        if run["status"] != "ok":
            return Row(engine, run["status"], run["note"], row.version)
        if run["digest"] != row.result:
            note = f"its result changed from run to run ({row.result}, {run['digest']}): no time"
            return Row(engine, "differs", note, row.version)
    warm = [seconds for run in runs for seconds in run["warm"]]
    row.cold = statistics.median(run["cold"] for run in runs)
    row.warm = statistics.median(warm) if warm else None
    row.warm_best = min(warm) if warm else None
    row.peak_bytes = max(run["peak_bytes"] for run in runs)
    row.above_bytes = max(run.get("above_bytes") or 0 for run in runs) or None
    return row


def _add_ratios(rows: list[Row]) -> None:
    """Ratio = time of the fastest peer / time of this engine: above 1 is faster than every peer."""
    for column in ("cold", "warm"):
        peers = [
            getattr(row, column)
            for row in rows
            if row.engine != OURS and row.is_comparable and getattr(row, column)
        ]
        for row in rows:
            seconds = getattr(row, column)
            if peers and seconds and row.is_comparable:
                setattr(row, f"{column}_ratio", min(peers) / seconds)


def as_json(case: Case, rows: list[Row], amount: int, when: str) -> dict[str, Any]:
    """A case of the results file."""
    return {
        "name": case.name,
        "task": case.task,
        "unit": case.unit,
        "amount": amount,
        "budget": case.budget,
        "measured": when,
        "rows": [asdict(row) for row in rows],
    }
