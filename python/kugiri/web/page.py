"""The files of the page: a table that is made at the start, from which names are looked up.

Rule.    No path is ever put together from a request: a name that is not in the table is not there.
         A file is read when it is asked for.
Cost.    One small file a request.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HTML = "text/html; charset=utf-8"

_TYPES = {
    "html": HTML,
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def page_routes() -> Iterator[Route]:
    """A route for each file of the page, and for the style that all pages of kugiri have."""
    static = files("kugiri.web").joinpath("static")
    found = {file.name: file for file in static.iterdir() if _ending(file.name) in _TYPES}
    found["page.css"] = files("kugiri.explain.html").joinpath("page.css")
    yield Route("/", _served(found["index.html"]))
    yield Route("/favicon.svg", _served(found["favicon.svg"]))
    for name, file in found.items():
        yield Route(f"/static/{name}", _served(file))


def _served(file: Traversable) -> Callable[[Request], Awaitable[Response]]:
    kind = _TYPES[_ending(file.name)]

    async def endpoint(request: Request) -> Response:
        return Response(file.read_bytes(), media_type=kind)

    return endpoint


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
