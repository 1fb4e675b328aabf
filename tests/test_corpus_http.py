"""Patience with a server that fails, breaks, hangs or is not there."""

from __future__ import annotations

import socket
import threading
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from kugiri.corpus.wordpress import fetch
from kugiri.errors import CorpusError, KugiriError
from test_cli_main import run
from wordpress_site import Handler, Site, breaks, fails, titles


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


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize("length", ["1000", None])
def test_an_answer_that_only_drips(site: Site, length: str | None) -> None:
    ended = threading.Event()

    def drip(handler: Handler) -> None:
        handler.send_response(200)
        if length:
            handler.send_header("Content-Length", length)
        handler.end_headers()
        while not ended.wait(0.05):
            handler.wfile.write(b" ")

    site.trouble = [drip] * 2
    with pytest.raises(CorpusError, match=r"no answer within 0\.2 seconds, 2 times in a row"):
        titles(site, retries=1, timeout=0.2)
    ended.set()


def test_an_answer_without_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.corpus.http.LARGEST", 3 << 20)
    site.trouble = [lambda handler: handler.answer(200, b" " * (4 << 20), {})]
    with pytest.raises(CorpusError, match="the answer is larger than 3 MB; this is no page of po"):
        titles(site)


def test_a_server_that_asks_for_too_much_patience(site: Site) -> None:
    site.trouble = [fails(503, Retry_After="3600")]
    with pytest.raises(CorpusError, match=r"503 .*, and asks to come back in 3600 seconds"):
        titles(site)


# ── what no patience cures ────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        pytest.param([fails(404, Content_Type="text/html")] * 2,
                     "this site has no WordPress REST API that answers: {url}/wp-json/wp/v2/posts "
                     "said 404 Not Found (text/html), beginning with '{{}}'; check the address",
                     id="no API"),
        pytest.param([lambda handler: handler.answer(200, b"<html>", {})] * 2,
                     "said 200 OK (application/json)", id="a page instead"),
        pytest.param([lambda h: h.answer(401, b'{"code": "x", "message": "Sign in first."}', {})]
                     * 2, "said 401 Unauthorized: Sign in first.", id="refused"),
        pytest.param([lambda h: h.answer(401, rb'{"message": "\u001b[2J\u009b1m"}', {})] * 2,
                     "said 401 Unauthorized: \ufffd[2J\ufffd1m; check", id="terminal codes"),
        pytest.param([lambda h: h.answer(200, b"[{}]", {"X-WP-TotalPages": "1"})],
                     "this is no page of posts with a title", id="posts without titles"),
        pytest.param([lambda h: h.answer(200, b"[]", {"X-WP-TotalPages": "many"})],
                     "this is no page of posts with a title", id="no number"),
        pytest.param([lambda h: h.answer(200, b"{}", {"X-WP-TotalPages": "1"})],
                     "this is no page of posts with a title", id="no list"),
        pytest.param([lambda h: h.answer(200, b'[{"title": {"rendered": null}}]',
                                         {"X-WP-TotalPages": "1"})],
                     "this is no page of posts with a title", id="a title of null"),
        pytest.param([lambda h: h.answer(200, b"[" * 99_999, {"X-WP-TotalPages": "1"})],
                     "this is no page of posts with a title", id="JSON that nests without end"),
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
        ("http://[::1", "'http://[::1' is no web address: Invalid IPv6 URL"),
        ("猫..example", "'https://猫..example' is no web address: "),
        ("http://a b", "http://a b/wp-json/wp/v2/posts: cannot be reached: URL can't contain"),
        ("https://日本.invalid/猫", "https://xn--wgv71a.invalid/%E7%8C%AB/wp-json/wp/v2/posts: ca"),
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
    assert run("fetch", "wordpress", "x", "-o", "-").code == 2
    assert run("fetch", "wordpress", "--help").out.count("Example:") == 1
