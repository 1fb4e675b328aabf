"""Who may ask, and how much: the page itself and nobody else.

Rule.    The server is for the person at this machine. It answers requests that name it by a name of
         the machine itself (a foreign page that had its own name point here would send that name),
         that no other page sent, whose body is of the type the route takes, and no larger than
         allowed, counted while it comes. A link of another page may lead to the page, to nothing
         else. What it answers may load nothing from anywhere else. A mistake of ours is told
         without its traceback, which goes to stderr.
Cost.    A few comparisons a request.
Source.  DNS rebinding and cross-site requests: the headers Host, Origin and Sec-Fetch-Site.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kugiri.web.failures import Failure, as_response

MOST_JSON: Final = 8 << 20
"""Bytes of a question: 4 MB of text, each character of it escaped at worst."""
MOST_FILE: Final = 64 << 20
"""Bytes of a tokenizer file; the largest that is in use has some 35 MB."""

_TYPES: Mapping[str, tuple[str, int]] = {
    "POST": ("application/json", MOST_JSON),
    "PUT": ("application/octet-stream", MOST_FILE),
}
_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
_OURS = Failure(500, "something went wrong here; what, stands where the server was started")


class Guard:
    """Lets requests of the page through, refuses the others, and sends its headers with each."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        """Stand before an app that is reached at a port of this machine."""
        self.app = app
        self.hosts = {f"{name}:{port}" for name in _NAMES} | ({*_NAMES} if port == 80 else set())
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            self._check(scope["method"], scope["path"], Headers(scope=scope))
            await self.app(scope, receive, send_guarded)
        except Failure as failure:
            await as_response(failure)(scope, receive, send_guarded)
        except ClientDisconnect:
            pass
        except Exception as error:
            traceback.print_exception(error)
            if not begun:
                await as_response(_OURS)(scope, receive, send_guarded)

    def _check(self, method: str, path: str, headers: Headers) -> None:
        """Refuse what does not come from the page.

        Raises:
            Failure: it is for another host, from another page, or of another type.
        """
        host = headers.get("host", "").lower()
        if host not in self.hosts:
            raise Failure(
                403, f"this server is {min(self.hosts)}, the request is for {host[:100]!r}"
            )
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            raise Failure(
                403, f"the request comes from {origin[:100]!r}; only the page itself may ask"
            )
        site = headers.get("sec-fetch-site", "none")
        is_link = (method, path, headers.get("sec-fetch-mode")) == ("GET", "/", "navigate")
        if site not in ("none", "same-origin") and not is_link:
            raise Failure(403, f"the request comes from another page ({site[:20]!r}); open / here")
        if (takes := _TYPES.get(method)) is not None:
            came = headers.get("content-type", "").partition(";")[0].strip().lower()
            if came != takes[0]:
                raise Failure(415, f"the body is {came[:100]!r}; {method} takes {takes[0]}")


async def body_of(request: Request) -> bytes:
    """The body of a request, as long as it is no larger than its method allows.

    Raises:
        Failure: it is larger.
    """
    _, most = _TYPES[request.method]
    refused = Failure(413, f"the body has more than {most:,} bytes, the most for {request.method}")
    stated = request.headers.get("content-length", "0")
    if len(stated) > 20 or int(stated) > most:
        raise refused
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise refused
    return bytes(body)
