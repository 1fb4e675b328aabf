"""What comes over a connection before it is a request, and what goes when there is none.

Rule.    A head comes within HEAD_SECONDS, and an answer is read within READ_SECONDS; else the
         connection ends. What an answer did not wait for may follow it as long as a head may. What
         is no HTTP is refused as everything else is: as JSON, with the headers of the page.
Cost.    A timer a request.
Source.  RFC 9110 and 9112; the protocol is uvicorn's, over h11.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from kugiri.web.failures import HEADERS, Failure, as_response

MOST: Final = 200
"""Connections at a time; who comes when there are as many is sent away."""
HEAD_SECONDS: Final = 10.0
READ_SECONDS: Final = 60.0


class Connection(H11Protocol):
    """One connection."""

    _ends: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        """Tell each request of the connections that there are."""
        its = {**app_state, "connections": server_state.connections}
        super().__init__(config, server_state, its, _loop)

    # ── time ──────────────────────────────────────────────────────────────────────────────────
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvicorn's
        """Begin to wait for a head."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that what is not read is known, all of it
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take it, and wait on if it was not all of a head."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the timers."""
        super().connection_lost(exc)
        for timer in filter(None, (self._ends, self._stalled)):
            timer.cancel()

    def _wait(self) -> None:
        """Let the time run while nobody works on what comes."""
        waits = self.conn.their_state is h11.IDLE or self.conn.our_state is h11.DONE
        if waits and self._ends is None:
            self._ends = self.loop.call_later(HEAD_SECONDS, self._end)
        elif not waits and self._ends is not None:
            self._ends.cancel()
            self._ends = None

    def _end(self) -> None:
        begun = bool(self.conn.trailing_data[0])
        words = f"the request did not come within {HEAD_SECONDS:g} seconds"
        self._refuse(Failure(408, words) if begun else None)

    def pause_writing(self) -> None:
        """Let the time run until what was written is read."""
        super().pause_writing()
        self._stalled = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It was read."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()

    # ── what is no request ────────────────────────────────────────────────────────────────────
    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(Failure(400, "this is no request of HTTP that can be read"))

    def _refuse(self, failure: Failure | None) -> None:
        """End the connection; with words, if nothing was answered yet."""
        if self.cycle is not None:  # an answer that is still made goes nowhere
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if failure is not None and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            its, reason = as_response(failure), HTTPStatus(failure.status).phrase
            its.headers.update(HEADERS)
            headers = [*its.raw_headers, (b"connection", b"close")]
            for event in (
                h11.Response(status_code=failure.status, headers=headers, reason=reason.encode()),
                h11.Data(data=bytes(its.body)),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
