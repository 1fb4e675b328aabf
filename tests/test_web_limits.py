"""How much the server of the page takes, and which ways lead into it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

import kugiri
from kugiri.spec import Literally, Replace
from kugiri.web.bodies import MOST_FILE, MOST_JSON
from kugiri.web.kept import Kept
from kugiri.web.store import Store
from tests.asking import BYTES, JSON, ask, drop, get, raw, send
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


@pytest.mark.parametrize(("method", "path", "kind", "most", "status"), [
    ("POST", "/api/tokens", JSON, MOST_JSON, 422),
    ("PUT", "/api/tokenizers?name=x", BYTES, MOST_FILE, 400),
    ("PUT", "/api/tokenizers/config?name=bytes", BYTES, MOST_FILE, 200),
    ("PUT", "/api/tokenizers/name?name=bytes", BYTES, 4_096, 200),
])  # fmt: skip
def test_bodies_that_become_too_large(
    address: str, method: str, path: str, kind: str, most: int, status: int
) -> None:
    host = urlsplit(address).netloc
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\n"
        f"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    size = min(most, 1 << 20)
    chunks = [b"%x\r\n" % size + b" " * size + b"\r\n"] * (most // size)
    # One byte more, and nothing behind it: what is answered is not lost in what was not read.
    answer = raw(address, head.encode(), *chunks, b"1\r\n \r\n")
    route = path.partition("?")[0]
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert f"more than {most:,} bytes, the most for {method} {route}".encode() in answer
    answer = raw(address, head.encode(), *chunks, b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:200]
    drop(address, "tokenizer", b"bytes", "tokenizers/name")  # as it was called


def test_a_name_is_changed_at_the_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def rename(store: Store, name: str, wanted: str) -> Kept:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        seen.append((name, wanted))
        return store.get(name)

    monkeypatch.setattr(Store, "rename", rename)
    with serving({"bytes": made(".kugiri.json")}) as address:
        assert drop(address, "bytes", b"other", "tokenizers/name").status == 200
    assert seen == [("bytes", "other")]


def test_a_body_in_chunks_is_a_body(address: str) -> None:
    host, body = urlsplit(address).netloc, json.dumps(QUESTION).encode()
    head = (
        f"POST /api/tokens HTTP/1.1\r\nHost: {host}\r\nContent-Type: {JSON}\r\n"
        f"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    chunks = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in body)
    answer = raw(address, head.encode(), chunks + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


def growing(times: int, name: str = "tokenizer.json") -> kugiri.Tokenizer:
    """What makes so many letters, each a token, of an a."""
    spec = made(name).spec
    return kugiri.Tokenizer(replace(spec, normalizer=Replace(Literally("a"), "x" * times)))


def test_what_a_normalizer_makes_is_bounded() -> None:
    with serving({"grows": growing(4_096), "bytes": made(".kugiri.json")}) as address:
        question = {"text": "a" * 2_048, "tokenizers": ["grows", "bytes"], "start": 2_047}
        grows, fits = ask(address, "tokens", question).json["columns"]
        assert (grows["count"], fits["error"]) == (8_388_608, None)
        grows, fits = ask(address, "tokens", question | {"text": "a" * 2_049}).json["columns"]
    assert (grows["kind"], grows["values"]) == (
        "long normalized", {"name": "grows", "size": 8_392_704, "most": 8_388_608},
    )  # fmt: skip
    assert grows["error"] == (
        "grows makes 8,392,704 bytes of this text before it cuts it, and at most 8,388,608 are cut "
        "here; take a part of the text"
    )
    assert (grows["tokens"], fits["error"]) == ([], None)


def test_a_chat_is_bounded_by_what_may_become_of_it() -> None:
    with serving({"grows": growing(4_096)}) as address:
        messages = [{"role": "user", "content": "a" * 2_048}]
        question = {"tokenizer": "grows", "messages": messages}
        assert ask(address, "chat", question).refusal[:2] == (413, "grows")


@pytest.mark.parametrize(("times", "names", "starts"), [
    (10_000, ["one"], [0, 4, 8, None]),
    (10_000, ["one", "two"], [0, 2, 4, 6, 8, None]),
    (10_000, ["two", "bytes"], [0, 3, 6, 9, None]),
    (4_000, ["one", "bytes"], [0, 9, None]),
    (3_333, ["one", "bytes"], [0, None]),
])  # fmt: skip
def test_a_window_ends_where_it_has_too_many_tokens(
    times: int, names: list[str], starts: list[int | None]
) -> None:
    given = {"one": growing(times), "two": growing(times), "bytes": made(".kugiri.json")}
    text, found, seen = "a" * 10, list[int | None]([0]), dict.fromkeys(names, 0)
    with serving(given) as address:
        while (start := found[-1]) is not None:
            question = {"text": text, "tokenizers": names, "start": start}
            answer = ask(address, "tokens", question).json
            for column in answer["columns"]:
                seen[column["name"]] += len(column["tokens"])
            found.append(answer["next"])
    assert found == starts
    assert seen == {name: 10 if name == "bytes" else 10 * times for name in names}


def test_one_character_is_answered_whole() -> None:
    given = {name: growing(10_000) for name in "abcde"}
    with serving(given) as address:
        question = {"text": "aa", "tokenizers": [*given]}
        answer = ask(address, "tokens", question).json
    assert [len(column["tokens"]) for column in answer["columns"]] == [10_000] * 5
    assert answer["next"] == 1


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
