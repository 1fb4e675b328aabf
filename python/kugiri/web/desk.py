"""Where questions wait for a thread: few are worked on at once, and few may wait.

Rule.    WORKERS are worked on, in the order of coming; who comes when WAITING wait is sent away.
         Of those that take long one is worked on at a time, so that they never hold a quick one.
         One whose asker has gone meanwhile is not worked on. The threads hold nobody up: when the
         server ends, they end with it.
Cost.    A thread a question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from threading import Thread
from typing import Final, TypeVar

from starlette.requests import ClientDisconnect, Request

from kugiri.web.failures import Failure

WORKERS: Final = 2
WAITING: Final = 32

_Answer = TypeVar("_Answer")


class Desk:
    """A few threads, and a queue before them."""

    def __init__(self) -> None:
        """Begin with nobody there."""
        self._workers = asyncio.Semaphore(WORKERS)
        self._long = asyncio.Semaphore(1)
        self._waiting = 0

    async def ask(
        self, request: Request, work: Callable[[], _Answer], *, long: bool = False
    ) -> _Answer:
        """What the work gives.

        Raises:
            Failure: too many wait already.
            ClientDisconnect: the asker has gone.
        """
        if self._waiting >= WAITING:
            raise Failure(503, f"{WAITING} requests wait already; ask again in a moment", "busy")
        async with AsyncExitStack() as turn:
            self._waiting += 1
            try:
                if long:
                    await turn.enter_async_context(self._long)
                await turn.enter_async_context(self._workers)
            finally:
                self._waiting -= 1
            if await request.is_disconnected():
                raise ClientDisconnect
            return await _in_a_thread(work)


async def _in_a_thread(work: Callable[[], _Answer]) -> _Answer:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[_Answer] = loop.create_future()

    def run() -> None:
        try:
            tell = partial(answer.set_result, work())
        except BaseException as error:
            tell = partial(answer.set_exception, _told(error))
        with suppress(RuntimeError):  # the server has ended meanwhile
            loop.call_soon_threadsafe(lambda: answer.done() or tell())

    Thread(target=run, daemon=True).start()
    return await answer


def _told(error: BaseException) -> Exception:
    """The error; one that a task may not end with, as a panic of the core, as the cause of one."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    broken = RuntimeError("the work was broken off")
    broken.__cause__ = error
    return broken
