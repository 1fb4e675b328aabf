"""The server: a request becomes a question, a question an answer.

Rule.    Each route reads one structure, asks one function, and sends its data. A mistake of the
         request, and what the library refuses, is answered with its words.
Cost.    That of the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import kugiri
from kugiri.cost.price import MOST_PRICE
from kugiri.errors import KugiriError, KugiriWarning
from kugiri.explain.glyphs import GLYPHS
from kugiri.explain.training_limits import LARGEST
from kugiri.patterns import PATTERNS
from kugiri.web import answers, chats, columns, costs, files, samples, share, store, trainings
from kugiri.web import requests as asked
from kugiri.web.bodies import MOST_FILE, MOST_JSON, MOST_NAME, Bodies
from kugiri.web.desk import Desk
from kugiri.web.failures import Failure, as_response, json, of_library
from kugiri.web.guard import Guard
from kugiri.web.page import HTML, page_routes
from kugiri.web.store import Store

_Question = TypeVar("_Question", bound=msgspec.Struct)

EXAMPLES = {
    "en": "The newest readers in the library counted 12,345 words, unbelievably.",
    "ja": "東京の図書館で、トークナイザの仕組みを学んでみた。",
}


def application(store: Store, port: int) -> Starlette:
    """The server over these tokenizers, reached at a port of this machine."""
    desk, bodies = Desk(), Bodies()

    def route(
        name: str,
        kind: type[_Question],
        answer: Callable[[Store, _Question], Any],
        respond: Callable[[Any], Response] = json,
        *,
        long: bool = False,
    ) -> Route:
        async def endpoint(request: Request) -> Response:
            async with bodies.of(request) as body:
                return await desk.ask(
                    request, lambda: respond(answer(store, _question(body, kind))), long=long
                )

        return Route(f"/api/{name}", endpoint, methods=["POST"])

    async def state(request: Request) -> Response:
        return json(_state(store))

    async def put(request: Request) -> Response:
        name, pattern = _name(request), request.query_params.get("pattern")
        async with bodies.of(request) as data:
            return await desk.ask(request, lambda: json(files.add(store, name, data, pattern)))

    async def put_chat(request: Request) -> Response:
        name = _name(request)
        async with bodies.of(request) as data:
            return await desk.ask(request, lambda: json(files.give_chat(store, name, data)))

    async def put_name(request: Request) -> Response:
        name = _name(request)
        async with bodies.of(request, MOST_NAME) as new:
            wanted = new.decode(errors="replace")
            return await desk.ask(request, lambda: json(store.rename(name, wanted).described()))

    async def put_or_delete(request: Request) -> Response:  # one route, so that 405 names both
        if request.method == "PUT":
            return await put(request)
        store.remove(_name(request))
        return json({})

    app = Starlette(
        routes=[
            *page_routes(),
            Route("/api/state", state),
            Route("/api/glyphs", _glyphs),
            Route("/api/tokenizers", put_or_delete, methods=["PUT", "DELETE"]),
            Route("/api/tokenizers/name", put_name, methods=["PUT"]),
            Route("/api/tokenizers/config", put_chat, methods=["PUT"]),
            route("tokens", asked.Tokens, columns.tokens),
            route("explain", asked.Explain, answers.explain),
            route("why", asked.Why, answers.why),
            route("lineage", asked.Lineage, answers.lineage),
            route("sample", asked.Sample, samples.sample, long=True),
            route("chat", asked.Chat, chats.chat),
            route("cost", asked.Cost, costs.cost),
            route("train", asked.Train, trainings.train, long=True),
            route("share", asked.Share, share.saved, _as_file),
        ],
        middleware=[Middleware(Guard, port=port)],
        # A warning comes here where warnings are errors.
        exception_handlers={
            KugiriError: _refused, KugiriWarning: _refused, HTTPException: _not_there,
        },
    )  # fmt: skip
    app.router.redirect_slashes = False
    return app


def _question(body: bytes, kind: type[_Question]) -> _Question:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        words = f"this is no question of this kind: {error}"
        raise Failure(422, words, "question", words=str(error)) from error


def _name(request: Request) -> str:
    return request.query_params.get("name", "")


def _as_file(file: tuple[str, str]) -> Response:
    name, page = file
    how = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(page, media_type=HTML, headers=how)


# ── what is not answered ──────────────────────────────────────────────────────────────────────
async def _refused(request: Request, error: Exception) -> Response:
    return as_response(of_library(error))


async def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    what = f"{request.method} {request.scope['path'][:200]!r}"
    allowed = (error.headers or {}).get("Allow")
    words = f"{what} is not allowed; {allowed} is" if allowed else f"there is no {what}"
    response = as_response(Failure(error.status_code, words))
    response.headers.update(error.headers or {})
    return response


# ── what never changes, and what is there ─────────────────────────────────────────────────────
async def _glyphs(request: Request) -> Response:
    return json({f"{code:x}": glyph for code, glyph in GLYPHS.items()})


def _state(its: Store) -> dict[str, object]:
    return {
        "version": kugiri.__version__,
        "limits": {
            "json": MOST_JSON,
            "file": MOST_FILE,
            "text": columns.MOST_BYTES,
            "explained": answers.MOST_EXPLAINED,
            "trained": LARGEST,
            "chat": chats.MOST_BYTES,
            "tokenizers": asked.MOST_TOKENIZERS,
            "kept": store.MOST_KEPT,
            "price": MOST_PRICE,
            "context": asked.MOST_CONTEXT,
        },
        "patterns": list(PATTERNS),
        "tokenizers": [kept.described() for kept in its.all()],
        "prices": find_spec("genai_prices") is not None,
        "example": EXAMPLES,
    }
