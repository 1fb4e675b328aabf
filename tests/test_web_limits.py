"""How much the server of the page takes, and which ways lead into it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from kugiri.web.bodies import MOST_FILE, MOST_JSON
from tests.asking import BYTES, JSON, ask, get, raw, send
from tests.explained import made
from tests.serving import serving

_TOO_LARGE = b"the body has more than 8,388,608 bytes"
QUESTION = {"text": "low", "tokenizers": ["bytes"]}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving({"bytes": made(".kugiri.json")}) as found:
        yield found


# ── how much ──────────────────────────────────────────────────────────────────────────────────
def test_texts_up_to_four_megabytes(address: str) -> None:
    question = {"text": "猫" * ((4 << 20) // 3), "tokenizers": ["bytes"]}
    body = json.dumps(question, ensure_ascii=False).encode()
    assert ask(address, "tokens", body).status == 200
    body = body.replace(b'"text": "', b'"text": "aa')
    status, words = ask(address, "tokens", body).error
    assert (status, words) == (
        413, "the text has 4,194,305 bytes; at most 4,194,304 are counted; take a part",
    )  # fmt: skip


@pytest.mark.parametrize("stated", [MOST_JSON + 1, 10**15, 10**30])
def test_bodies_that_are_said_to_be_too_large(address: str, stated: int) -> None:
    host = urlsplit(address).netloc
    head = (
        f"POST /api/tokens HTTP/1.1\r\nHost: {host}\r\nContent-Type: {JSON}\r\n"
        f"Content-Length: {stated}\r\nConnection: close\r\n\r\n"
    )
    answer = raw(address, head.encode())
    assert answer.startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 400 "))
    assert stated == 10**30 or _TOO_LARGE in answer


@pytest.mark.parametrize(("method", "path", "kind", "most"), [
    ("POST", "/api/tokens", JSON, MOST_JSON), ("PUT", "/api/tokenizers?name=x", BYTES, MOST_FILE),
])  # fmt: skip
def test_bodies_that_become_too_large(
    address: str, method: str, path: str, kind: str, most: int
) -> None:
    host = urlsplit(address).netloc
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\n"
        f"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
    answer = raw(address, head.encode(), *[chunk] * ((most >> 20) + 1))
    assert answer == b"" or b" 413 " in answer.split(b"\r\n")[0]  # it hung up while we talked
    assert get(address, "/api/state").status == 200


def test_a_body_in_chunks_is_a_body(address: str) -> None:
    host, body = urlsplit(address).netloc, json.dumps(QUESTION).encode()
    head = (
        f"POST /api/tokens HTTP/1.1\r\nHost: {host}\r\nContent-Type: {JSON}\r\n"
        f"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    chunks = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in body)
    answer = raw(address, head.encode(), chunks + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


# ── which ways ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("path", [
    "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd",
    "/static/..%5capp.py", "/static/", "/static", "/static/main.js/", "/static/main.js%00",
    "//static/main.js", "/app.py", "/static/MAIN.JS", "/api", "/api/", "/api/tokens/",
    "/.git/config", "/static/page.css/../../app.py", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
    "/index.html",
])  # fmt: skip
def test_paths_that_lead_nowhere(address: str, path: str) -> None:
    answer = get(address, path)
    assert answer.status == 404
    assert answer.error[1].startswith("there is no GET '/")


def test_methods(address: str) -> None:
    for path in ("/", "/api/state", "/static/main.js"):
        head, whole = send(address, "HEAD", path), get(address, path)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-length"] == str(len(whole.body))
    for method, path, allowed in (
        ("OPTIONS", "/api/tokens", {"POST"}), ("GET", "/api/tokens", {"POST"}),
        ("DELETE", "/", {"GET", "HEAD"}), ("TRACE", "/api/state", {"GET", "HEAD"}),
        ("GET", "/api/tokenizers/config", {"PUT"}), ("GET", "/api/tokenizers", {"PUT", "DELETE"}),
    ):  # fmt: skip
        answer = send(address, method, path)
        assert answer.status == 405
        assert {*answer.headers["allow"].split(", ")} == allowed
        assert "is not allowed" in answer.error[1]
    assert send(address, "POST", "/", b"{}", {"Content-Type": JSON}).status == 405
