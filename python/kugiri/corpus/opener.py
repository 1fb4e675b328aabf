"""What opens web addresses: urllib, with a limit of time for the head of an answer too.

Rule.    A socket has a limit for each byte, so one that sends a header now and then would be waited
         for without end. Here the whole head must come within the time that a byte may take; what
         comes later than that finds the connection closed.
Cost.    A thread that sleeps while a head is read.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event, Timer
from typing import Any
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
)


class _Response(HTTPResponse):
    """An answer whose head must come in time."""

    def __init__(self, sock: socket.socket, *rest: Any, **named: Any) -> None:
        super().__init__(sock, *rest, **named)
        self._socket: socket.socket | None = sock

    def begin(self) -> None:
        """Read the head."""
        connection, self._socket = self._socket, None
        late = Event()

        def close() -> None:
            late.set()
            with suppress(OSError):
                if connection is not None:
                    connection.shutdown(socket.SHUT_RDWR)

        timer = Timer((connection and connection.gettimeout()) or 0, close)
        timer.daemon = True
        timer.start()
        try:
            super().begin()
        except (OSError, HTTPException, ValueError) as error:
            if late.is_set():
                raise TimeoutError from error
            raise
        finally:
            timer.cancel()
        if late.is_set():
            raise TimeoutError


class _Connection(HTTPConnection):
    response_class = _Response


class _SecureConnection(HTTPSConnection):
    response_class = _Response


class _Plain(HTTPHandler):
    def http_open(self, req: Request) -> Any:
        """Open http://."""
        return self.do_open(_Connection, req)


class _Secure(HTTPSHandler):
    def https_open(self, req: Request) -> Any:
        """Open https://."""
        return self.do_open(_SecureConnection, req)


class _Redirects(HTTPRedirectHandler):
    """Follows status 308 too, which the standard library does from Python 3.11 on only."""

    http_error_308 = HTTPRedirectHandler.http_error_301

    def redirect_request(self, req: Any, fp: Any, code: int, *rest: Any) -> Request | None:
        """As for status 301."""
        return super().redirect_request(req, fp, 301 if code == 308 else code, *rest)


@cache
def opener() -> OpenerDirector:
    """What follows redirects, asks the proxies of the environment, and waits for so long."""
    return build_opener(_Redirects, _Plain, _Secure)
