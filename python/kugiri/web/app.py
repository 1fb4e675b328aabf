"""The server: a request becomes a question, a question an answer.

Rule.    Each route reads one structure, asks one function, and sends its data. The work runs on
         WORKERS threads; who comes when WAITING others wait is sent away. A mistake of the
         request, and what the library refuses, is answered with its words.
Cost.    That of the answer.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final, TypeVar

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kugiri
from kugiri.errors import KugiriError
from kugiri.explain.glyphs import GLYPHS
from kugiri.formats.chat_templates import chat_of
from kugiri.web import answers, chats, columns, costs, samples, share, trainings
from kugiri.web import requests as asked
from kugiri.web.failures import Failure, as_response, json
from kugiri.web.guard import MOST_FILE, MOST_JSON, Guard, body_of
from kugiri.web.store import Store

WORKERS: Final = 2
WAITING: Final = 32

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_Question = TypeVar("_Question", bound=msgspec.Struct)

EXAMPLES = {
    "en": "The baker's youngest daughter counted 1,024 unbelievably tiny croissants.",
    "ja": "東京の図書館で、トークナイザの仕組みを学んでみた。",
}


def application(store: Store, port: int) -> Starlette:
    """The server over these tokenizers, reached at a port of this machine."""
    desk = _Desk()

    def route(
        path: str, kind: type[_Question], answer: Callable[[Store, _Question], object]
    ) -> Route:
        async def endpoint(request: Request) -> Response:
            question = _question(await body_of(request), kind)
            return json(await desk.ask(lambda: answer(store, question)))

        return Route(f"/api/{path}", endpoint, methods=["POST"])

    async def shared(request: Request) -> Response:
        question = _question(await body_of(request), asked.Share)
        page = await desk.ask(lambda: share.share(store, question))
        as_file = {"content-disposition": 'attachment; filename="kugiri.html"'}
        return Response(page, media_type=_TYPES[".html"], headers=as_file)

    async def state(request: Request) -> Response:
        return json(_state(store))

    async def put(request: Request) -> Response:
        data, name = await body_of(request), request.query_params.get("name", "")
        loaded = await desk.ask(lambda: kugiri.load(data))
        return json(store.add(name, loaded, "dropped").described())

    async def put_chat(request: Request) -> Response:
        data, name = await body_of(request), request.query_params.get("name", "")
        return json((await desk.ask(lambda: store.give_chat(name, chat_of(data)))).described())

    async def delete(request: Request) -> Response:
        store.remove(request.query_params.get("name", ""))
        return json({})

    return Starlette(
        routes=[
            Route("/api/state", state),
            Route("/api/glyphs", _glyphs),
            Route("/api/tokenizers", put, methods=["PUT"]),
            Route("/api/tokenizers", delete, methods=["DELETE"]),
            Route("/api/tokenizers/config", put_chat, methods=["PUT"]),
            route("tokens", asked.Tokens, columns.tokens),
            route("explain", asked.Explain, answers.explain),
            route("why", asked.Why, answers.why),
            route("lineage", asked.Lineage, answers.lineage),
            route("sample", asked.Sample, samples.sample),
            route("chat", asked.Chat, chats.chat),
            route("cost", asked.Cost, costs.cost),
            route("train", asked.Train, trainings.train),
            Route("/api/share", shared, methods=["POST"]),
            *_static(),
        ],
        middleware=[Middleware(Guard, port=port)],
        exception_handlers={Failure: _failed, KugiriError: _failed, 404: _failed, 405: _failed},
    )


class _Desk:
    """Where questions wait for a thread."""

    def __init__(self) -> None:
        self._workers = anyio.CapacityLimiter(WORKERS)

    async def ask(self, work: Callable[[], Any]) -> Any:
        """What the work gives.

        Raises:
            Failure: too many wait already.
        """
        if self._workers.statistics().tasks_waiting >= WAITING:
            raise Failure(503, f"{WAITING} requests wait already; ask again in a moment")
        return await anyio.to_thread.run_sync(work, limiter=self._workers)


def _question(body: bytes, kind: type[_Question]) -> _Question:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Failure(422, f"this is no question of this kind: {error}") from error


async def _failed(request: Request, error: Exception) -> Response:
    if isinstance(error, Failure):
        return as_response(error)
    if isinstance(error, KugiriError):
        return as_response(Failure(400, str(error)))
    status = getattr(error, "status_code", 500)
    if status == 500:
        traceback.print_exception(error)
        return as_response(Failure(500, "something went wrong here; the server's log says what"))
    return as_response(Failure(status, f"there is no {request.method} {request.url.path[:200]!r}"))


async def _glyphs(request: Request) -> Response:
    return json({f"{code:x}": glyph for code, glyph in GLYPHS.items()})


def _state(store: Store) -> dict[str, object]:
    return {
        "version": kugiri.__version__,
        "limits": {
            "json": MOST_JSON,
            "file": MOST_FILE,
            "explained": answers.MOST_EXPLAINED,
            "tokenizers": asked.MOST_TOKENIZERS,
        },
        "tokenizers": [kept.described() for kept in store.all()],
        "prices": find_spec("genai_prices") is not None,
        "example": EXAMPLES,
    }


def _static() -> list[Route]:
    """A route for each file of the page, and for the style of all pages; no other is ever read."""
    static = files("kugiri.web").joinpath("static")
    found = {f"/static/{it.name}": it for it in static.iterdir() if it.name[0] not in "._"}
    found["/static/page.css"] = files("kugiri.explain.html").joinpath("page.css")
    if (index := found.get("/static/index.html")) is not None:
        found["/"] = index
    if (icon := found.get("/static/favicon.svg")) is not None:
        found["/favicon.svg"] = icon
    return [Route(path, _served(it)) for path, it in found.items()]


def _served(file: Any) -> Callable[[Request], Any]:
    kind = _TYPES["." + file.name.rpartition(".")[2]]

    async def endpoint(request: Request) -> Response:
        return Response(file.read_bytes(), media_type=kind)

    return endpoint
