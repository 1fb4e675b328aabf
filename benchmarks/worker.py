"""One engine, one case, one fresh process: `python -m benchmarks.worker ENGINE JOB`.

Prints one JSON line, the outcome: how long the first call took (cold) and each later one (warm), a
digest of what the first call produced, and the peak memory of the process up to then. Loading
(unless that is the case), reading text and making digests are not timed. What a library puts off
until it is first used is part of loading: the same call with FIRST_SENTENCE comes before the first.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import resource
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.engines import Ids, NotInstalled, Unsupported

SENTENCES = 500
DECODED_IDS = 10_000_000
SENTENCE_CHARACTERS = range(60, 101)
FIRST_SENTENCE = "吾輩は猫である。名前はまだ無い。It's 3.14, isn't it?\n"


@dataclass(frozen=True)
class Work:
    """A call to time, how much it does (bytes, ids, sentences, or 1), how to tell its result."""

    call: Callable[[], Any]
    amount: int
    digest: Callable[[Any], str]


def _ids_digest(ids: Ids) -> str:
    return f"{len(ids):,} ids {hashlib.sha256(ids.astype('<u4').tobytes()).hexdigest()[:16]}"


def encode_string(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The whole text as one string."""
    encoder, text = engine.load(job["tokenizer"]), _read(job)
    size = len(text.encode())
    encoder.encode_string(FIRST_SENTENCE)
    return Work(lambda: encoder.encode_string(text), size, lambda r: _ids_digest(encoder.ids(r)))


def encode_lines(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The lines of the text, without their newlines, in one batch."""
    encoder, lines = engine.load(job["tokenizer"]), _read(job).split("\n")
    size = sum(len(line.encode()) for line in lines)
    encoder.encode_lines([FIRST_SENTENCE])
    return Work(lambda: encoder.encode_lines(lines), size, lambda r: _ids_digest(encoder.ids(r)))


def encode_lines_alone(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The same on one thread: what a core does."""
    encoder, lines = engine.load(job["tokenizer"]), _read(job).split("\n")
    size = sum(len(line.encode()) for line in lines)
    call = encoder.encode_lines_alone
    call([FIRST_SENTENCE])
    return Work(lambda: call(lines), size, lambda r: _ids_digest(encoder.ids(r)))


def encode_file(engine: ModuleType, job: dict[str, Any]) -> Work:
    """A file as one text, from its path to its ids: the one task in which reading is timed."""
    encoder, path = engine.load(job["tokenizer"]), Path(job["text"])
    call = getattr(encoder, "encode_file", lambda path: encoder.encode_string(_text(path)))
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as sentence:
        sentence.write(FIRST_SENTENCE)
        sentence.flush()
        call(Path(sentence.name))
    return Work(lambda: call(path), path.stat().st_size, lambda r: _ids_digest(encoder.ids(r)))


def count(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The number of tokens of the whole text as one string."""
    encoder, text = engine.load(job["tokenizer"]), _read(job)
    encoder.count(FIRST_SENTENCE)
    return Work(lambda: encoder.count(text), len(text.encode()), lambda number: f"{number:,} ids")


def decode(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The ids of a text, by the same engine, as often as makes DECODED_IDS or more."""
    encoder = engine.load(job["tokenizer"])
    once = encoder.ids(encoder.encode_string(_read(job)))
    array = np.tile(once, -(-DECODED_IDS // len(once)))
    ids = array if hasattr(encoder, "DECODES_ARRAYS") else array.tolist()
    encoder.decode(encoder.encode_sentence(FIRST_SENTENCE))

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    return Work(lambda: encoder.decode(ids), len(ids), digest)


def sentence(engine: ModuleType, job: dict[str, Any]) -> Work:
    """Sentences of 60 to 100 characters, a call each: what one short text costs from Python."""
    encoder = engine.load(job["tokenizer"])
    lines = [line for line in _read(job).split("\n") if len(line) in SENTENCE_CHARACTERS]
    lines = lines[:SENTENCES]
    if not lines:
        raise Unsupported(f"no line of 60 to 100 characters in {Path(job['text']).name}")

    def digest(result: list[list[int]]) -> str:
        return hashlib.sha256(json.dumps(result).encode()).hexdigest()[:16]

    encoder.encode_sentence(FIRST_SENTENCE)
    return Work(lambda: [encoder.encode_sentence(line) for line in lines], len(lines), digest)


def load(engine: ModuleType, job: dict[str, Any]) -> Work:
    """A tokenizer from its file to the ids of a first sentence, so that nothing is put off."""

    def digest(ids: list[int]) -> str:
        return f"{len(ids):,} ids {hashlib.sha256(json.dumps(ids).encode()).hexdigest()[:16]}"

    return Work(lambda: engine.load(job["tokenizer"]).encode_sentence(FIRST_SENTENCE), 1, digest)


def load_cached(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The same, after a process before this one has kept what it could."""
    if hasattr(engine, "keep"):
        engine.keep(job["tokenizer"])
    return load(engine, job)


def train(engine: ModuleType, job: dict[str, Any]) -> Work:
    """Byte-level BPE with GPT-2's pattern, from a file to a model."""

    def digest(model: Any) -> str:
        if hasattr(engine, "MERGES_DIFFER"):
            return ""
        merges = engine.merges(model)
        lines = "".join(f"{left.hex()} {right.hex()}\n" for left, right in merges)
        return f"{len(merges):,} merges {hashlib.sha256(lines.encode()).hexdigest()[:16]}"

    return Work(engine.trainer(Path(job["text"]), job["vocab_size"]), 1, digest)


TASKS = {
    task.__name__: task
    for task in (
        encode_string,
        encode_lines,
        encode_lines_alone,
        encode_file,
        count,
        decode,
        sentence,
        load,
        load_cached,
        train,
    )
}


def _read(job: dict[str, Any]) -> str:
    return _text(Path(job["text"]))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def _repeat(measure_once: Callable[[], float], seconds: float) -> list[float]:
    """As many measurements as begin within `seconds`."""
    deadline = time.perf_counter() + seconds
    measured = []
    while time.perf_counter() < deadline:
        measured.append(measure_once())
    return measured


def _peak_bytes() -> int:
    """The most memory that this process held; on Linux without what its parent did before it."""
    status = Path("/proc/self/status")
    if status.is_file():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


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
    if not hasattr(engine, "trainer" if job["task"] == "train" else "load"):
        raise Unsupported(f"{engine.DISTRIBUTION} does not do this")
    work = TASKS[job["task"]](engine, job)
    cold, result = _seconds(work.call)
    peak = _peak_bytes()
    digest = work.digest(result)
    del result
    warm = _repeat(lambda: _seconds(work.call)[0], job["warm_seconds"])
    return {
        "cold": cold,
        "warm": warm,
        "amount": work.amount,
        "digest": digest,
        "peak_bytes": peak,
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
