"""A minute of questions to `kugiri serve`: `python -m benchmarks.serve`.

Rule.    Requests are sent at a fixed rate, whether or not those before were answered, in the mix of
         somebody who types: QUESTIONS in turn, each with a text that was never sent before. Times
         are from the moment at which a request was due to the end of its answer. The memory is that
         of the server's process, after a warm-up of a fifth of the time and then every second.
         Last, 1 MB of Japanese is asked for three times, by all three tokenizers of the sample.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import click

import kugiri
from benchmarks import machine

RESULT = Path(__file__).parent / "results" / "serve.json"
NAMES = ["sample BPE", "sample Unigram", "sample WordPiece"]
_SAMPLE = Path(kugiri.__file__).parent / "sample/japanese.txt"


def _text(number: int) -> str:
    lines = _SAMPLE.read_text("utf-8").splitlines()
    return f"{lines[number % len(lines)]} The newest reader counted {number:,} words.\n"


QUESTIONS: tuple[tuple[str, Callable[[int], dict[str, Any]]], ...] = (
    ("tokens", lambda number: {"text": _text(number), "tokenizers": NAMES}),
    ("tokens", lambda number: {"text": _text(number), "tokenizers": NAMES}),
    ("explain", lambda number: {"text": _text(number), "tokenizer": NAMES[number % 3]}),
    ("tokens", lambda number: {"text": _text(number), "tokenizers": NAMES}),
    ("why", lambda number: {"text": _text(number), "tokenizer": NAMES[0], "start": 2, "end": 6}),
    ("tokens", lambda number: {"text": _text(number), "tokenizers": NAMES}),
    ("sample", lambda number: {"text": _text(number)[:60], "tokenizer": NAMES[1], "number": 200}),
    ("tokens", lambda number: {"text": _text(number), "tokenizers": NAMES}),
    ("lineage", lambda number: {"tokenizer": NAMES[0], "id": 256 + number % 1_000}),
    ("share", lambda number: {"text": _text(number), "tokenizers": NAMES}),
)


class Answer(NamedTuple):
    """What came back, and when."""

    name: str
    status: int
    seconds: float


class Server:
    """`kugiri serve` in a process of its own."""

    def __init__(self) -> None:
        """Start it."""
        command = [sys.executable, "-m", "kugiri", "serve", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.place = self.process.stdout.readline().strip().removeprefix("http://").rstrip("/")

    def ask(self, name: str, question: dict[str, Any], due: float) -> Answer:
        """Ask one question on a connection of its own."""
        connection = http.client.HTTPConnection(self.place, timeout=60)
        body = json.dumps(question, ensure_ascii=False).encode()
        connection.request("POST", f"/api/{name}", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        connection.close()
        return Answer(name, response.status, time.perf_counter() - due)

    def resident(self) -> int:
        """Bytes in memory (Linux)."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


MOST_GROWN = 2 << 20
"""Bytes of memory that a process may have more after a minute: pages of the allocator. A request
that keeps 1 kB would keep 3 MB."""


def load(server: Server, rate: int, seconds: int, begin: int = 0) -> Iterator[tuple[Answer, int]]:
    """Send the requests of some seconds; each answer, and the memory after its second."""
    start = time.perf_counter()
    with ThreadPoolExecutor(32) as pool:
        for second in range(seconds):
            answers = []
            for number in range(rate):
                due = start + second + number / rate
                time.sleep(max(0.0, due - time.perf_counter()))
                place = begin + second * rate + number
                name, question = QUESTIONS[place % len(QUESTIONS)]
                answers.append(pool.submit(server.ask, name, question(place), due))
            resident = server.resident()
            yield from ((it.result(), resident) for it in answers)


def large(server: Server) -> list[float]:
    """Seconds that 1 MB of Japanese takes, once and again."""
    text = (_SAMPLE.read_text("utf-8") * 60).encode()[:1_000_000].decode(errors="ignore")
    question = {"text": text, "tokenizers": NAMES}
    answers = [server.ask("tokens", question, time.perf_counter()) for _ in range(3)]
    assert {it.status for it in answers} == {200}
    return [round(it.seconds, 4) for it in answers]


def measured(rate: int, seconds: int) -> dict[str, Any]:
    """All of it."""
    server = Server()
    try:
        warm_up = max(1, seconds // 5)
        for _ in load(server, rate, warm_up):
            pass
        before = server.resident()
        found = list(load(server, rate, seconds, begin=rate * warm_up))
        after = server.resident()
        one_megabyte = large(server)
    finally:
        server.process.kill()
        server.process.wait()
    times: dict[str, list[float]] = defaultdict(list)
    for answer, _ in found:
        times[answer.name].append(1_000 * answer.seconds)
    return {
        "machine": machine.describe(),
        "kugiri": kugiri.__version__,
        "requests_per_second": rate,
        "seconds": seconds,
        "sent": Counter(answer.name for answer, _ in found),
        "statuses": Counter(str(answer.status) for answer, _ in found),
        "milliseconds": {
            name: {
                "median": round(statistics.median(its), 2),
                "p99": round(sorted(its)[int(0.99 * len(its))], 2),
                "max": round(max(its), 2),
            }
            for name, its in times.items()
        },
        "resident_before": before,
        "resident_after": after,
        "resident_most": max(resident for _, resident in found),
        "one_megabyte_seconds": one_megabyte,
    }


@click.command()
@click.option("--rate", default=50, show_default=True, help="Requests a second.")
@click.option("--seconds", default=60, show_default=True, help="For how long.")
def main(rate: int, seconds: int) -> None:
    """Measure, and write results/serve.json."""
    result = measured(rate, seconds)
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    click.echo(json.dumps(result, indent=1))
    grown = result["resident_after"] - result["resident_before"]
    if grown > MOST_GROWN or set(result["statuses"]) != {"200"}:
        raise click.ClickException(
            f"the memory grew by {grown:,} bytes, at most {MOST_GROWN:,} are noise; "
            f"answers: {dict(result['statuses'])}"
        )


if __name__ == "__main__":
    main()
