"""Fetching from a WordPress site: a server of our own that pages, fails, moves and hangs."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from kugiri.corpus.http import Patience
from kugiri.corpus.wordpress import fetch, read_pages
from kugiri.errors import CorpusError, KugiriError
from test_cli_main import run

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
    """

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.asked: list[str] = []
        self.trouble: list[Callable[[Handler], None] | None] = []
        self.pretty = True
        self.pages: list[int] = []


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
        if page > 3:
            error = {"code": "rest_post_invalid_page_number", "message": "There is no such page."}
            self.answer(400, json.dumps(error).encode(), {})
            return
        fields = query["_fields"].split(",")
        posts = map(post, range((page - 1) * 100, min(page * 100, POSTS)))
        body = json.dumps([{name: each[name] for name in fields} for each in posts])
        self.answer(200, body.encode(), {"X-WP-Total": str(POSTS), "X-WP-TotalPages": "3"})

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


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy of the environment is not for this machine."""
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def site() -> Iterator[Site]:
    """A site that runs."""
    handler = type("ThisHandler", (Handler,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        handler.site = site = Site(server)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been waited; none are."""
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    return waited


def titles(site: Site, **patience: Any) -> list[str]:
    pages = read_pages(site.url, patience=Patience(**patience))
    return [each.html for page in pages for each in page.posts]


# ── what comes ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("waits")
def test_titles_one_a_line(site: Site, tmp_path: Path) -> None:
    output = tmp_path / "titles.txt"
    result = run("fetch", "wordpress", site.url, "--field", "title", "-o", output)
    assert (result.code, result.out) == (0, f"{output}\n")
    assert output.read_text(encoding="utf-8").splitlines() == TITLES
    size = sum(len(title.encode()) for title in TITLES)
    characters = sum(map(len, TITLES))
    assert result.err == (
        f"kugiri: {output}: 250 documents, {characters:,} characters, {size:,} bytes\n"
    )
    assert site.pages == [1, 2, 3]
    assert [file.name for file in tmp_path.iterdir()] == ["titles.txt"]


@pytest.mark.usefixtures("waits")
def test_posts_as_records_and_their_code(site: Site, tmp_path: Path) -> None:
    result = run(
        "fetch", "wordpress", f"{site.url}/wp-json/wp/v2/posts?page=9", "--field", "content",
        "-o", tmp_path / "a.jsonl", "--code-out", tmp_path / "code.txt", "--json", "--quiet",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    records = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert records[7] == {
        "id": 21, "link": "https://example.org/7", "text": "本文7の一行目\n二行目",
    }  # fmt: skip
    code = (tmp_path / "code.txt").read_text().splitlines()
    assert code[:4] == ["x = 0", "  y", "x = 1", "  y"]
    described = json.loads(result.out)
    assert [file["documents"] for file in described["files"]] == [250, 500]


@pytest.mark.usefixtures("waits")
def test_a_post_is_a_line_and_what_is_lost_is_said(site: Site, tmp_path: Path) -> None:
    result = run("fetch", "wordpress", site.url, "--field", "content", "-o", tmp_path / "a.txt")
    lines = (tmp_path / "a.txt").read_text(encoding="utf-8").splitlines()
    assert (len(lines), lines[0]) == (250, "本文0の一行目 二行目")
    assert "in 250 of these documents line breaks became spaces" in result.err
    assert "250 blocks of code were left out; keep them with --code-out FILE" in result.err


@pytest.mark.usefixtures("waits")
def test_raw(site: Site, tmp_path: Path) -> None:
    fetch(site.url, tmp_path / "a.jsonl", field="content", raw=True)
    first = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert first["text"] == post(0)["content"]["rendered"].strip("\n")


# ── where it is ───────────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("waits")
def test_a_site_without_nice_links(site: Site) -> None:
    site.pretty = False
    assert len(titles(site)) == 250
    assert [path.partition("?")[2][:27] for path in site.asked[1:]] == [
        "rest_route=/wp/v2/posts&per"
    ] * 3


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_site_that_has_moved(site: Site, status: int) -> None:
    site.trouble = [moved(status, lambda handler: f"{site.url}{handler.path}")]
    assert len(titles(site)) == 250
    assert len(site.asked) == 4  # only the first request is sent on


def test_a_circle_of_redirects(site: Site, waits: list[float]) -> None:
    site.trouble = [moved(301, lambda handler: handler.path)] * 99
    with pytest.raises(CorpusError, match=r"has no WordPress REST API that answers: .* said 301"):
        titles(site)
    assert set(waits) <= {0.0}


# ── what goes wrong for a moment ──────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("trouble", "waited"),
    [
        pytest.param([None, fails(503), fails(500)], [0.25, 1.0, 2.0, 0.25], id="server fails"),
        pytest.param([fails(429, Retry_After="7")], [7.0, 0.25, 0.25], id="retry after 7 s"),
        pytest.param([breaks], [1.0, 0.25, 0.25], id="connection breaks"),
        pytest.param([fails(502)] * 5, [1.0, 2.0, 4.0, 8.0, 16.0, 0.25, 0.25], id="the last try"),
        pytest.param([fails(503, Retry_After="soon")], [1.0, 0.25, 0.25], id="retry after what?"),
    ],
)
def test_tried_again(
    site: Site, trouble: list[Any], waited: list[float], waits: list[float]
) -> None:
    site.trouble = trouble
    assert len(titles(site, pause=0.25)) == 250
    assert [wait for wait in waits if wait] == waited


def test_retry_after_a_date(site: Site, waits: list[float]) -> None:
    site.trouble = [fails(503, Retry_After=formatdate(time.time() + 60, usegmt=True))]
    assert len(titles(site, pause=0)) == 250
    assert 55 < max(waits) <= 60


def test_a_server_that_hangs(site: Site, waits: list[float]) -> None:
    hung = threading.Event()
    site.trouble = [lambda handler: bool(hung.wait(5)) and None]
    assert len(titles(site, pause=0, timeout=0.2)) == 250
    hung.set()
    assert max(waits) == 1.0


def test_a_server_that_asks_for_too_much_patience(site: Site) -> None:
    site.trouble = [fails(503, Retry_After="3600")]
    with pytest.raises(CorpusError, match=r"503 .*, and asks to come back in 3600 seconds"):
        titles(site)


# ── going on ──────────────────────────────────────────────────────────────────────────────────
def test_a_fetch_goes_on_where_it_was(site: Site, waits: list[float], tmp_path: Path) -> None:
    output = tmp_path / "titles.txt"
    site.trouble = [None, None, *[fails(500)] * 6]
    result = run("fetch", "wordpress", site.url, "-o", output)
    assert (result.code, result.out) == (1, "")
    assert "the server said 500 Internal Server Error, 6 times in a row" in result.err
    assert "2 of 3 pages are here: the same command goes on with the next" in result.err
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "titles.txt.part", "titles.txt.state",
    ]  # fmt: skip
    with (tmp_path / "titles.txt.part").open("ab") as part:
        part.write(b"half a ti")
    site.pages.clear()
    result = run("fetch", "wordpress", site.url, "-o", output)
    assert result.code == 0
    assert output.read_text(encoding="utf-8").splitlines() == TITLES
    assert site.pages == [3]
    assert "250 documents" in result.err
    assert [file.name for file in tmp_path.iterdir()] == ["titles.txt"]
    assert sum(waits) < 40


@pytest.mark.usefixtures("waits")
def test_two_files_go_on_together(site: Site, tmp_path: Path) -> None:
    def again() -> None:
        fetch(site.url, tmp_path / "a.jsonl", field="content", code_out=tmp_path / "code.txt")

    again()
    whole = [(tmp_path / name).read_text() for name in ("a.jsonl", "code.txt")]
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        again()
    again()
    assert [(tmp_path / name).read_text() for name in ("a.jsonl", "code.txt")] == whole


@pytest.mark.usefixtures("waits")
def test_another_fetch_for_the_same_file(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.txt")
    with pytest.raises(CorpusError, match="another fetch was begun here; go on with that one, del"):
        fetch(site.url, tmp_path / "a.txt", field="content")
    (tmp_path / "a.txt.state").write_text("{")
    with pytest.raises(CorpusError, match="another fetch was begun here"):
        fetch(site.url, tmp_path / "a.txt")


@pytest.mark.usefixtures("waits")
def test_a_part_that_was_lost_is_fetched_anew(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.txt")
    (tmp_path / "a.txt.part").unlink()
    assert fetch(site.url, tmp_path / "a.txt").text.documents == 250


@pytest.mark.usefixtures("waits")
def test_stopped_while_the_last_step_was_taken(site: Site, tmp_path: Path) -> None:
    def stop(page: Any) -> None:
        if page.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(site.url, tmp_path / "a.txt", on_page=stop)
    site.pages.clear()
    assert fetch(site.url, tmp_path / "a.txt").text.documents == 250
    assert site.pages == []


# ── what no patience cures ────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        pytest.param([fails(404, Content_Type="text/html")] * 2,
                     "this site has no WordPress REST API that answers: {url}/wp-json/wp/v2/posts "
                     "said 404 Not Found (text/html); check the address", id="no API"),
        pytest.param([lambda handler: handler.answer(200, b"<html>", {})] * 2,
                     "said 200 OK (application/json)", id="a page instead"),
        pytest.param([lambda h: h.answer(401, b'{"code": "x", "message": "Sign in first."}', {})]
                     * 2, "said 401 Unauthorized: Sign in first.", id="refused"),
        pytest.param([lambda h: h.answer(200, b"[{}]", {"X-WP-TotalPages": "1"})],
                     "this is no page of posts with a title", id="posts without titles"),
        pytest.param([lambda h: h.answer(200, b"[]", {"X-WP-TotalPages": "many"})],
                     "this is no page of posts with a title", id="no number"),
        pytest.param([None, lambda h: h.answer(200, b"<html>", {})],
                     "this is no page of posts with a title: the site said 200 OK", id="later"),
    ],
)  # fmt: skip
def test_refused(
    site: Site, trouble: list[Any], message: str, waits: list[float], tmp_path: Path
) -> None:
    site.trouble = trouble
    result = run("fetch", "wordpress", site.url, "-o", tmp_path / "a.txt")
    assert (result.code, result.out) == (1, "")
    assert message.format(url=site.url) in result.err
    assert result.err.count("\n") == 1
    assert (list(tmp_path.iterdir()) == []) == ("pages are here" not in result.err)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://example.org", "this is no web address; it must start with https:// or http://"),
        ("file:///etc", "this is no web address"),
        ("http://127.0.0.1:1", "cannot be reached: Connection refused"),
        ("no-such-host.invalid", "https://no-such-host.invalid/wp-json/wp/v2/posts: cannot be re"),
    ],
)
def test_an_address_where_nobody_is(
    url: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(host: str, *rest: Any, **named: Any) -> Any:
        if host.endswith(".invalid"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve(host, *rest, **named)

    resolve = socket.getaddrinfo
    monkeypatch.setattr("socket.getaddrinfo", unknown)
    with pytest.raises(CorpusError) as caught:
        fetch(url, tmp_path / "a.txt")
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    result = run("fetch", "wordpress", "example.org", "-o", tmp_path / "no" / "a.txt")
    assert (result.code, result.out) == (1, "")
    assert "there is no folder" in result.err
    with pytest.raises(KugiriError, match="cannot be written"):
        fetch("example.org", tmp_path / "no" / "a.txt")


def test_usage(tmp_path: Path) -> None:
    result = run("fetch", "wordpress", "x", "-o", "a.txt", "--raw", "--code-out", "b")
    assert result.code == 2
    assert run("fetch", "wordpress", "--help").out.count("Example:") == 1
