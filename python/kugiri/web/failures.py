"""Why a request is not answered, and what is warned of with an answer: words and data.

Rule.    What a person at the page can provoke has a kind, a short name that stays, and values, so
         that the page says it in its own words and language (static/messages_refused.js); the
         words in English are there as well, for programs, and for what has no kind.
Cost.    None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from starlette.responses import Response

from kugiri.warned import Warned

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

    def __init__(self, status: int, words: str, kind: str = "", /, **values: object) -> None:
        """Keep the status and what is said, as words and as data."""
        super().__init__(words)
        self.status, self.words, self.kind, self.values = status, words, kind, values


def of_library(error: Exception, kind: str = "library", **values: object) -> Failure:
    """What the library refuses."""
    return Failure(400, str(error), kind, **values, words=str(error))


def as_data(failure: Failure) -> dict[str, object]:
    """What is said of it."""
    its = {"kind": failure.kind, "values": failure.values} if failure.kind else {}
    return {"error": failure.words, **its}


def warnings_as_data(heard: Iterable[Warned]) -> list[dict[str, object]]:
    """What was warned of, each once."""
    return [its._asdict() for its in {its.words: its for its in heard}.values()]


def as_response(failure: Failure) -> Response:
    """The answer that says so."""
    return json(as_data(failure), failure.status)


def json(value: object, status: int = 200) -> Response:
    """An answer of data."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")
