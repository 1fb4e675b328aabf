"""What comes to the server of the page that is no request, comes slowly, or comes too often."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest

from kugiri.web import bodies, columns, connections
from tests.asking import BYTES, JSON, Answer, ask, drop, get, raw
from tests.explained import made
from tests.serving import serving

SOON = 0.3
"""Seconds that a deadline is set to."""


@pytest.fixture
def address() -> Iterator[str]:
    with serving({"bytes": made(".kugiri.json")}) as found:
        yield found


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    connection = socket.create_connection((place.hostname, place.port), timeout=20)
    return connection


def heard(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    found = b""
    while part := connection.recv(65_536):
        found += part
    return found


def answer_of(data: bytes) -> Answer:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    return Answer(int(first.split()[1]), {name.lower(): its for name, _, its in pairs}, body)


def head(address: str, method: str = "POST", path: str = "/api/tokens", *more: str) -> bytes:
    lines = (f"{method} {path} HTTP/1.1", f"Host: {urlsplit(address).netloc}", *more)
    return "\r\n".join([*lines, "", ""]).encode()


def test_what_is_answered_is_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent_at_once: list[int] = []

    class Looking(connections.Connection):
        def connection_made(self, transport: Any) -> None:
            its = transport.get_extra_info("socket")
            sent_at_once.append(its.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            super().connection_made(transport)

    monkeypatch.setattr("kugiri.web.serving.Connection", Looking)
    with serving({"bytes": made(".kugiri.json")}) as address:
        assert get(address, "/api/state").status == 200
    assert sent_at_once == [1]


# ── what is no request ────────────────────────────────────────────────────────────────────────
_HOST = b"Host: HOST\r\n"
_GET = b"GET / HTTP/1.1\r\n" + _HOST
_POST = b"POST /api/tokens HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("request_", [
    b"GARBAGE\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"GET /\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n", _GET + _HOST + b"\r\n", _GET + b"X\0: y\r\n\r\n",
    _GET + b"X: \0\r\n\r\n", _GET + b"X : y\r\n\r\n", b"GET /\0 HTTP/1.1\r\n" + _HOST + b"\r\n",
    "GET /猫 HTTP/1.1\r\n".encode() + _HOST + b"\r\n", _GET + b"X: " + b"x" * 200_000,
    _GET + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", _GET + _CHUNKED + b"zz\r\n",
    *(_POST + b"Content-Length:" + length + b"\r\n\r\n{" for length in (
        b"+1", b" -1", b"", b" ", b" x", b" 1e3", b" 0x10", b" 1_0", "１".encode(), b" 5, 6",
        b" " + b"9" * 21,
    )),
    _POST + b"Transfer-Encoding: gzip\r\n\r\n", _POST + _CHUNKED + b"zz\r\n",
    _POST + _CHUNKED + b"-1\r\n", _POST + _CHUNKED + b"5\r\n{}xxxyyyyyy\r\n",
    _POST + _CHUNKED + b"f" * 24 + b"\r\n",
])  # fmt: skip
def test_what_is_no_http(address: str, request_: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    its = raw(address, request_.replace(b"HOST", urlsplit(address).netloc.encode()))
    assert its.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    answer = answer_of(its)
    assert answer.error == (400, "this is no request of HTTP that can be read")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert get(address, "/api/state").status == 200
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("line", "status"), [
    ("GET //evil", 404), ("GET http://evil.example/", 404), ("GET http://HOST/", 404),
    ("GET [evil", 404), ("GET http://[evil", 404), ("OPTIONS *", 404), ("CONNECT HOST", 404),
    ("BREW /", 405), ("get /", 405), ("TRACE /", 405), ("OPTIONS /", 405), ("GET /%00", 404),
    ("GET /%ff%fe", 404), ("GET /api/state%0d%0aX:%20y", 404),
    ("DELETE /api/tokenizers?name=%00", 404), ("DELETE /api/tokenizers?name=%ff", 404),
    ("DELETE /api/tokenizers", 404),
])  # fmt: skip
def test_targets_and_methods_that_are_none_here(
    address: str, line: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    method, _, target = line.replace("HOST", urlsplit(address).netloc).partition(" ")
    answer = answer_of(raw(address, head(address, method, target, "Connection: close")))
    assert (answer.status, answer.error[0]) == (status, status)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "x" not in answer.headers
    assert capfd.readouterr().err == ""


def test_garbage_behind_an_answer(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    with connected(address) as connection:
        connection.sendall(head(address, "GET", "/api/state", "Transfer-Encoding: chunked"))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 OK\r\n")
        connection.sendall(b"zz\r\n")
        assert b"HTTP/1.1" not in heard(connection)
    assert capfd.readouterr().err == ""


# ── what comes slowly ─────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("begun", "words"), [
    (b"", b""), (b"G", b"408 "), (b"GET / HTTP/1.1\r\nHost: x\r\n", b"408 "),
])  # fmt: skip
def test_heads_that_do_not_come(
    monkeypatch: pytest.MonkeyPatch, address: str, begun: bytes, words: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", SOON)
    with connected(address) as connection:
        connection.sendall(begun)
        found = heard(connection)
    assert found[9:13] == words
    if found:
        assert answer_of(found).error == (408, "the request did not come within 0.3 seconds")


def drip(connection: socket.socket, part: bytes) -> bytes:
    """Send one part again and again until the server closes; what came until then."""
    connection.settimeout(0.05)
    found = b""
    for _ in range(400):
        try:
            connection.sendall(part)
            if not (came := connection.recv(65_536)):
                return found
            found += came
        except TimeoutError:
            continue
        except OSError:
            return found
    raise AssertionError("the server listens on")


def test_heads_that_drip(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", SOON)
    with connected(address) as connection:
        connection.sendall(head(address)[:-2])
        drip(connection, b"X: y\r\n")
    with connected(address) as connection:  # a second one, behind an answer
        connection.sendall(head(address, "GET", "/"))
        time.sleep(SOON)
        connection.sendall(head(address)[:-2])
        assert b"HTTP/1.1 200 OK\r\n" in drip(connection, b"X: y\r\n")


def test_bodies_that_drip(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", SOON)
    monkeypatch.setattr(bodies, "SECONDS", SOON)
    with connected(address) as connection:
        long = "Content-Length: 1000000"
        connection.sendall(head(address, "POST", "/api/tokens", f"Content-Type: {JSON}", long))
        answer = answer_of(drip(connection, b" "))
    assert answer.error == (408, "the body did not come within 0.3 seconds")
    with connected(address) as connection:  # one that no answer waits for
        connection.sendall(head(address, "GET", "/api/state", "Content-Length: 1000000"))
        assert answer_of(drip(connection, b" ")).status == 200


def test_answers_that_are_not_read(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(connections, "READ_SECONDS", SOON)
    monkeypatch.setattr(columns, "tokens", lambda *_: {})
    with connected(address) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        asked = head(address, "GET", "/static/messages_steps.js")
        with pytest.raises(ConnectionError):
            connection.sendall(asked * 1_000_000)
    assert get(address, "/api/state").status == 200


# ── what comes too often ──────────────────────────────────────────────────────────────────────
def test_connections_that_stay(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 2.0)
    with ExitStack() as stack:
        idle = [stack.enter_context(connected(address)) for _ in range(200)]
        answer = get(address, "/api/state")
        assert answer.error == (503, "200 connections are open already; ask again in a moment")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert {heard(connection) for connection in idle} == {b""}
        assert get(address, "/api/state").status == 200


def test_bodies_together(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(bodies, "MOST_HELD", 3_000_000)
    words = "requests of more than 3,000,000 bytes together came; ask again in a moment"
    its = (f"Content-Type: {BYTES}", "Content-Length: 2000000")
    put = head(address, "PUT", "/api/tokenizers?name=x", *its)
    question = b'{"text": "low", "tokenizers": ["bytes"]}'.ljust(1_500_000)
    with connected(address) as connection:
        connection.sendall(put + b"{" * 1_999_999)
        time.sleep(SOON)
        assert ask(address, "tokens", question[:900_000]).status == 200
        assert ask(address, "tokens", question).error == (503, words)
        connection.sendall(b"{")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 400 ")
    assert ask(address, "tokens", question).status == 200
    assert drop(address, "x", b"x" * 3_000_001).error == (503, words)
    assert ask(address, "tokens", question).status == 200


def test_a_body_is_held_while_it_is_worked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, working = Event(), Event()

    def wait(*_: Any) -> dict[str, Any]:
        working.set()
        opened.wait(30)
        return {}

    monkeypatch.setattr(columns, "tokens", wait)
    monkeypatch.setattr(bodies, "MOST_HELD", 1_000)
    question = b'{"text": "low", "tokenizers": ["bytes"]}'.ljust(600)
    explained = b'{"text": "low", "tokenizer": "bytes"}'.ljust(600)
    with serving({"bytes": made(".kugiri.json")}) as address, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, address, "tokens", question)
        assert working.wait(30)
        assert ask(address, "explain", explained).status == 503
        opened.set()
        assert asked.result().status == 200
        assert ask(address, "explain", explained).status == 200
