"""A WordPress site of our own on this machine, for tests: it pages, and fails when told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from kugiri.corpus.http import Patience
from kugiri.corpus.wordpress import read_pages

POSTS = 250
TITLES = [f"記事{n} “A & B” <1>" for n in range(POSTS)]


def post(number: int) -> dict[str, Any]:
    """A post as the API gives it."""
    body = f"\n<p>本文{number}の<b>一行目</b></p>\n<p>二行目</p>\n<pre>x = {number}\n\n  y</pre>\n"
    return {
        "id": number * 3,
        "link": f"https://example.org/{number}",
        "title": {"rendered": f"記事{number} &#8220;A &amp; B&#8221; <em>&lt;1&gt;</em>"},
        "content": {"rendered": body, "protected": False},
    }


class Site:
    """A site: what it serves, what it was asked, and what goes wrong, request by request.

    Attributes:
        url: its front page.
        asked: the requests so far.
        trouble: what befalls the next requests; each is called with the handler, None is nothing.
        pretty: whether it has /wp-json/ addresses.
        last: the last page that is really there; three are announced.
        posts: what it has.
    """

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.asked: list[str] = []
        self.trouble: list[Callable[[Handler], None] | None] = []
        self.pretty = True
        self.last = 3
        self.pages: list[int] = []
        self.posts = [post(number) for number in range(POSTS)]


class Handler(BaseHTTPRequestHandler):
    """Answers as WordPress does."""

    site: Site

    def do_GET(self) -> None:
        self.site.asked.append(self.path)
        assert self.headers["User-Agent"].startswith("kugiri/")
        trouble = self.site.trouble.pop(0) if self.site.trouble else None
        if trouble is not None:
            trouble(self)
            return
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        at_route = (
            parts.path == "/wp-json/wp/v2/posts"
            if self.site.pretty
            else (query.get("rest_route") == "/wp/v2/posts")
        )
        if not at_route:
            self.answer(404, b"<h1>Not here</h1>", {"Content-Type": "text/html"})
            return
        assert (query["per_page"], query["orderby"], query["order"]) == ("100", "id", "asc")
        page = int(query["page"])
        self.site.pages.append(page)
        if page > self.site.last:
            error = {"code": "rest_post_invalid_page_number", "message": "There is no such page."}
            self.answer(400, json.dumps(error).encode(), {})
            return
        fields = query["_fields"].split(",")
        posts = self.site.posts[(page - 1) * 100 : page * 100]
        body = json.dumps([{name: each[name] for name in fields} for each in posts])
        self.answer(
            200, body.encode(), {"X-WP-Total": str(len(self.site.posts)), "X-WP-TotalPages": "3"}
        )

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def fails(status: int, **headers: str) -> Callable[[Handler], None]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.answer(status, b"{}", named)


def moved(status: int, to: Callable[[Handler], str]) -> Callable[[Handler], None]:
    return lambda handler: handler.answer(status, b"", {"Location": to(handler)})


def breaks(handler: Handler) -> None:
    """Promise more than comes."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"[")
    handler.close_connection = True


@contextmanager
def running() -> Iterator[Site]:
    """A site that runs."""

    class ThisHandler(Handler):
        """That of one site."""

    with ThreadingHTTPServer(("127.0.0.1", 0), ThisHandler) as server:
        ThisHandler.site = site = Site(server)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


def titles(site: Site, **patience: Any) -> list[str]:
    pages = read_pages(site.url, patience=Patience(**patience))
    return [each.html for page in pages for each in page.posts]
