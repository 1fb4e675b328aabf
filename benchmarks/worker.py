"""One engine, one case, one fresh process: `python -m benchmarks.worker ENGINE JOB`.

Prints one JSON line, the outcome: how long the first call took (cold) and each later one (warm), a
digest of what the first call produced, the peak memory of the process up to then, and how far the
first call drove it above what was held before. Loading (unless that is the case), reading text and
making digests are not timed. What a library puts off until it is first used is part of loading: the
same call with FIRST_SENTENCE comes before the first.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import resource
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from benchmarks.engines import NotInstalled, Unsupported
from benchmarks.tasks import TASKS

Time = TypeVar("Time")
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_FORGET_PEAK = "5"


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def _times(call: Callable[[], Any]) -> tuple[tuple[float, float], Any]:
    """What a call took, on the clock and of the processor in all threads; and its result."""
    before = time.process_time()
    seconds, result = _seconds(call)
    return (seconds, time.process_time() - before), result


def _repeat(measure_once: Callable[[], Time], seconds: float) -> list[Time]:
    """As many measurements as begin within `seconds`."""
    deadline = time.perf_counter() + seconds
    measured = []
    while time.perf_counter() < deadline:
        measured.append(measure_once())
    return measured


def _peak_bytes() -> int:
    """The most memory that this process held; on Linux without what its parent did before it."""
    if STATUS.is_file():
        return _status("VmHWM")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _peak_of_commands() -> int:
    """The most memory that a command held which the task ran."""
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak * 1024 if STATUS.is_file() else peak


def _status(name: str) -> int:
    return int(STATUS.read_text().partition(f"{name}:")[2].split()[0]) * 1024


def _above(call: Callable[[], Any]) -> tuple[int | None, Any]:
    """The result of a call, and how far it drove the memory above what was held before (Linux)."""
    if not CLEAR.is_file():
        return None, call()
    before = _status("VmRSS")
    CLEAR.write_text(_FORGET_PEAK)
    result = call()
    return _status("VmHWM") - before, result


def _process_seconds(command: list[str]) -> float:
    return _seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))[0]


def start_up(engine: ModuleType, job: dict[str, Any]) -> dict[str, Any]:
    """`import MODULE` above Python with numpy, or the whole of `MODULE --help`.

    Every start is a first call; the median of those that begin within the time is given.
    """
    python = [sys.executable, "-c"]
    command = str(Path(sysconfig.get_path("scripts")) / engine.MODULE)

    def seconds() -> float:
        if job["task"] == "help":
            return _process_seconds([command, "--help"])
        below = _process_seconds([*python, "import numpy"])
        return _process_seconds([*python, f"import numpy, {engine.MODULE}"]) - below

    cold = statistics.median([seconds(), *_repeat(seconds, job["warm_seconds"])])
    return {"cold": cold, "warm": [], "amount": 1, "digest": "", "peak_bytes": 0}


def measure(engine: ModuleType, job: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a job, without the status."""
    if job["task"] in ("import", "help"):
        return start_up(engine, job)
    if not hasattr(engine, {"train": "trainer", "report": "reporter"}.get(job["task"], "load")):
        raise Unsupported(f"{engine.DISTRIBUTION} does not do this")
    work = TASKS[job["task"]](engine, job)
    loading_peak = _peak_bytes()
    above, ((cold, cold_processor), result) = _above(lambda: _times(work.call))
    peak = max(loading_peak, _peak_bytes()) if job["task"] != "report" else _peak_of_commands()
    digest = work.digest(result)
    del result
    warm = _repeat(lambda: _times(work.call)[0], job["warm_seconds"])
    return {
        "cold": cold,
        "warm": [wall for wall, _ in warm],
        "cold_processor": cold_processor,
        "warm_processor": [processor for _, processor in warm],
        "amount": work.amount,
        "digest": digest,
        "peak_bytes": peak,
        "above_bytes": above,
        "note": getattr(engine, "MERGES_DIFFER", "") if job["task"] == "train" else "",
    }


def main(engine_name: str, job: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a job, whatever happens."""
    try:
        engine = importlib.import_module(f"benchmarks.engines.{engine_name}")
        outcome = measure(engine, job)
    except NotInstalled as error:
        return {"status": "not installed", "note": str(error)}
    except Unsupported as error:
        return {"status": "unsupported", "note": str(error)}
    version = importlib.metadata.version(engine.DISTRIBUTION)
    return {"status": "ok", "version": version, **outcome}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], json.loads(sys.argv[2]))))
