"""Why a request is not answered: a status, and words that the page shows."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.responses import Response

HEADERS: Final = {
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
"""Of every answer."""


class Failure(Exception):
    """A request that is refused."""

    def __init__(self, status: int, words: str) -> None:
        """Keep the status and what is said."""
        super().__init__(words)
        self.status, self.words = status, words


def as_response(failure: Failure) -> Response:
    """The answer that says so."""
    return json({"error": failure.words}, failure.status)


def json(value: object, status: int = 200) -> Response:
    """An answer of data."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")
