"""Processes that work for this one, where threads would wait for Python's lock.

Rule.    Each runs this module and nothing of the caller's program, so that it may be started from
         any script. It takes one piece of work at a time, as a pickle, and answers with another.
         What goes wrong, in the work or with the process, is one error here: who asks does the work
         himself then, and sees what is wrong with it. Processes stay for the next call; they end
         with this process. A child of a fork starts its own.
Cost.    About half a second for the first call; a pickle of what is sent each way.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from subprocess import PIPE
from typing import Any, TypeVar

T = TypeVar("T")


class WorkError(Exception):
    """A piece of work that was not done."""


def available() -> int:
    """How many processes this machine runs at once; 1 where none can be started."""
    if not sys.executable:
        return 1
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def each(work: Callable[..., T], arguments: Iterable[tuple[Any, ...]], count: int) -> list[T]:
    """Do a work for each of some arguments, in `count` processes; the results are in order.

    Args:
        work: a function of a module, which others can import.
        arguments: what is sent.
        count: how many processes.

    Raises:
        WorkError: one of them was not done.
    """
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(lambda given: _ask(work, given), arguments))


_free: dict[int, list[_Process]] = {}
"""The processes that wait, by the process that began them."""


def _ask(work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    waiting = _free.setdefault(os.getpid(), [])
    try:
        process = waiting.pop() if waiting else _Process()
    except OSError as error:
        raise WorkError(f"no worker process can be started: {error}") from error
    try:
        done, result = process.ask((work, arguments))
    except BaseException as error:
        process.end()
        raise WorkError(f"a worker process ended early: {error}") from error
    waiting.append(process)
    if not done:
        raise WorkError(result)
    answer: T = result
    return answer


class _Process:
    """A process that waits for work."""

    def __init__(self) -> None:
        """Start it; it finds modules where this one does."""
        run = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main()"
        command = [sys.executable, "-W", "ignore", "-c", run]
        self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE)

    def ask(self, work: tuple[Callable[..., Any], tuple[Any, ...]]) -> tuple[bool, Any]:
        """Give it a piece of work, and wait for whether it was done, and what came out."""
        given, answers = self._process.stdin, self._process.stdout
        if given is None or answers is None:
            raise EOFError
        pickle.dump(work, given, pickle.HIGHEST_PROTOCOL)
        given.flush()
        answer: tuple[bool, Any] = pickle.load(answers)
        return answer

    def end(self) -> None:
        """End it; a child of a fork may hold its line open, so that is not closed but cut."""
        self._process.terminate()
        self._process.communicate()


@atexit.register
def _end() -> None:
    for process in _free.pop(os.getpid(), []):
        process.end()


def main() -> None:
    """Work until the process that began this one closes the line, or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for that one
    given, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    while True:
        try:
            work, arguments = pickle.load(given)
        except EOFError:
            return
        try:
            answer: tuple[bool, Any] = True, work(*arguments)
        except Exception as error:
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
