"""The bodies of requests: each as large as its route allows, all together and in time.

Rule.    A body is counted while it comes, and held until its request is answered. All that are
         held have MOST_HELD bytes at most; who brings more is sent away. One that takes longer than
         SECONDS is not waited for.
Cost.    A copy of each body.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from starlette.requests import Request

from kugiri.web.failures import Failure

MOST_JSON: Final = 8 << 20
"""Bytes of a question: 4 MB of text, and room for quotes and line ends that are escaped; a text of
nothing but controls, of six bytes each in JSON, is shorter."""
MOST_FILE: Final = 64 << 20
"""Bytes of a tokenizer file; the largest that is in use has some 35 MB."""
MOST_NAME: Final = 4 << 10
"""Bytes of a name that a tokenizer gets."""
MOST_HELD: Final = 128 << 20
"""Bytes of all bodies together."""
SECONDS: Final = 60.0

TYPES: Final[Mapping[str, tuple[str, int]]] = {
    "POST": ("application/json", MOST_JSON),
    "PUT": ("application/octet-stream", MOST_FILE),
}
"""The type and the most bytes of each method that has a body, where a route has no limit of its
own."""


class Bodies:
    """The bodies that are held."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held = 0

    @asynccontextmanager
    async def of(self, request: Request, most: int | None = None) -> AsyncIterator[bytes]:
        """The body of a request, of `most` bytes, counted as long as it is held.

        Raises:
            Failure: it is too large, there are too many, or it takes too long.
        """
        body = bytearray()
        try:
            await self._in_time(request, body, most or TYPES[request.method][1])
            yield bytes(body)
        finally:
            self._held -= len(body)

    async def _in_time(self, request: Request, body: bytearray, most: int) -> None:
        try:
            await asyncio.wait_for(self._read(request, body, most), SECONDS)
        except asyncio.TimeoutError:
            words = f"the body did not come within {SECONDS:g} seconds"
            raise Failure(408, words, "slow") from None

    async def _read(self, request: Request, body: bytearray, most: int) -> None:
        refused = Failure(
            413,
            f"the body has more than {most:,} bytes, the most for {request.method} "
            f"{request.scope['path']}",
            "large",
            most=most,
        )
        stated = request.headers.get("content-length", "0")
        if len(stated) > 20 or int(stated) > most:
            raise refused
        async for part in request.stream():
            if len(body) + len(part) > most:
                raise refused
            if self._held + len(part) > MOST_HELD:
                raise Failure(
                    503,
                    f"requests of more than {MOST_HELD:,} bytes together came; ask again in a "
                    f"moment",
                    "busy",
                )
            body += part
            self._held += len(part)
