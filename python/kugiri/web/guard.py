"""Who may ask: the page itself and nobody else.

Rule.    The server is for the person at this machine. It answers requests that name it by a name of
         the machine itself (a foreign page that had its own name point here would send that name),
         that no other page sent, and whose body is of the type the route takes. A link of
         another page may lead to the page, to nothing else. Of too many at a time the last are
         sent away. What it answers may load nothing from anywhere else. A mistake of ours is told
         without its traceback, which goes to stderr.
Cost.    A few comparisons a request.
Source.  DNS rebinding and cross-site requests: the headers Host, Origin and Sec-Fetch-Site.
"""

from __future__ import annotations

import traceback

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kugiri.web.bodies import TYPES
from kugiri.web.connections import MOST
from kugiri.web.failures import HEADERS, Failure, as_response

_NAMES = ("127.0.0.1", "localhost", "[::1]")
_CROWDED = Failure(503, f"{MOST} connections are open already; ask again in a moment", "busy")
_OURS = Failure(500, "something went wrong here; what, stands where the server was started", "ours")


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
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            if len(scope["state"]["connections"]) > MOST:
                raise _CROWDED
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
        for origin in headers.getlist("origin"):  # all, if it is sent more than once
            if origin not in self.origins:
                raise Failure(
                    403, f"the request comes from {origin[:100]!r}; only the page itself may ask"
                )
        site = headers.get("sec-fetch-site", "none")
        is_link = (method, path, headers.get("sec-fetch-mode")) == ("GET", "/", "navigate")
        if site not in ("none", "same-origin") and not is_link:
            raise Failure(403, f"the request comes from another page ({site[:20]!r}); open / here")
        if (takes := TYPES.get(method)) is not None:
            came = headers.get("content-type", "").partition(";")[0].strip().lower()
            if came != takes[0]:
                raise Failure(415, f"the body is {came[:100]!r}; {method} takes {takes[0]}")
