"""Whom the server of the page turns away: other hosts, other pages; and what is no question."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.asking import BYTES, JSON, ask, get, send
from tests.explained import made
from tests.serving import serving

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
QUESTION = {"text": "low", "tokenizers": ["bytes"]}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving({"bytes": made(".kugiri.json"), "gpt2": made("tokenizer.json")}) as found:
        yield found


# ── who asks ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LocalHost"])
def test_names_of_this_machine(address: str, name: str) -> None:
    host = f"{name}:{urlsplit(address).port}"
    assert get(address, "/api/state", Host=host).status == 200
    origin = f"http://{host.lower()}"
    assert ask(address, "tokens", QUESTION, Host=host, Origin=origin).status == 200


FOREIGN = (
    "evil.example", "evil.example:{}", "127.0.0.1", "localhost", "127.0.0.1:1", "0.0.0.0:{}",
    "127.0.0.1.evil.example:{}", "localhost:{}.evil.example", "evil.example@127.0.0.1:{}", "", None,
)  # fmt: skip


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_that_points_here(address: str, host: str | None) -> None:
    host = host and host.format(urlsplit(address).port)
    for path in ("/", "/api/state", "/static/main.js", "/nothing"):
        answer = get(address, path, Host=host)
        if answer.status == 400:  # HTTP itself asks for a host
            assert host is None
            continue
        assert answer.status == 403
        assert answer.error[1].startswith("this server is 127.0.0.1:")
    if host is not None:
        assert ask(address, "tokens", QUESTION, Host=host).status == 403
        assert send(address, "DELETE", "/api/tokenizers?name=x", None, {"Host": host}).status == 403


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "https://127.0.0.1:{}", "http://127.0.0.1", "http://127.0.0.1:1",
     "null", "127.0.0.1:{}", "file://", "", "http://evil.example:{}"],
)  # fmt: skip
def test_another_page(address: str, origin: str) -> None:
    origin = origin.format(urlsplit(address).port)
    words = f"the request comes from {origin!r}; only the page itself may ask"
    assert ask(address, "tokens", QUESTION, Origin=origin).error == (403, words)
    assert send(address, "OPTIONS", "/api/tokens", None, {"Origin": origin}).status == 403
    assert get(address, "/", Origin=origin).status == 403


def test_an_origin_that_is_sent_twice(address: str) -> None:
    both = {"Origin": address.rstrip("/"), "origin": "http://evil.example"}
    assert send(address, "GET", "/api/state", None, both).status == 403
    assert send(address, "GET", "/api/state", None, dict(reversed(both.items()))).status == 403
    assert get(address, "/api/state", Origin=both["Origin"]).status == 200


def test_what_a_browser_says_of_other_pages(address: str) -> None:
    for site in ("cross-site", "same-site"):
        assert ask(address, "tokens", QUESTION, Sec_Fetch_Site=site).status == 403
        for path in ("/api/state", "/static/main.js", "/favicon.svg", "/"):
            assert get(address, path, Sec_Fetch_Site=site).status == 403
        link = {"Sec_Fetch_Site": site, "Sec_Fetch_Mode": "navigate"}
        assert get(address, "/", **link).status == 200
        assert get(address, "/api/state", **link).status == 403
    for site in ("same-origin", "none"):
        assert ask(address, "tokens", QUESTION, Sec_Fetch_Site=site).status == 200


def test_every_answer_says_what_it_may_load(address: str) -> None:
    answers = [
        get(address, "/"), get(address, "/api/state"), get(address, "/nothing"),
        get(address, "/", Host="evil.example"), ask(address, "tokens", b"{"),
        ask(address, "tokens", QUESTION), send(address, "OPTIONS", "/api/tokens"),
    ]  # fmt: skip
    for answer in answers:
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


# ── what is asked ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None, BYTES],
)
def test_types_that_a_form_could_send(address: str, kind: str | None) -> None:
    answer = ask(address, "tokens", QUESTION, Content_Type=kind)
    assert answer.error == (415, f"the body is {kind or ''!r}; POST takes application/json")
    if kind != BYTES:
        headers = {"Content-Type": kind}
        assert send(address, "PUT", "/api/tokenizers?name=x", b"x", headers).status == 415


def test_types_may_say_more(address: str) -> None:
    assert ask(address, "tokens", QUESTION, Content_Type=f"{JSON}; charset=utf-8").status == 200
    assert ask(address, "tokens", QUESTION, Content_Type="Application/JSON").status == 200


@pytest.mark.parametrize("question", [
    b"", b"{", b"null", b"[]", b"7", b'"text"', b"\xff", b"{}", b'{"text": 5, "tokenizers": []}',
    b'{"text": "low", "tokenizers": ["bytes"], "more": 1}',
    b'{"text": "low", "tokenizers": ["bytes"], "start": -1}',
    b'{"text": "low", "tokenizers": ["bytes"], "start": 1e400}',
    b'{"text": "low", "tokenizers": ["bytes"], "start": NaN}',
    b'{"text": "low", "tokenizers": ["bytes"], "start": 99999999999999999999999}',
    b'{"text": "low", "tokenizers": ["bytes"], "characters": 10001}',
    b'{"text": "low", "tokenizers": []}',
    b'{"text": "low", "tokenizers": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]}',
    b'{"text": "\xed\xa0\x80", "tokenizers": ["bytes"]}',
    b'{"text": "\\ud800", "tokenizers": ["bytes"]}',
    b'{"text": "low", "tokenizers": ["bytes"]} {}',
    b'{"text": ' + b"[" * 100_000,
    b'{"text": "low", "tokenizers": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"a": ' * 100_000,
])  # fmt: skip
def test_what_is_no_question(address: str, question: bytes) -> None:
    status, words = ask(address, "tokens", question).error
    assert status == 422
    assert words.startswith("this is no question of this kind: ")
    assert "Traceback" not in words


def test_deeply_nested_messages(address: str) -> None:
    for deep in (500, 100_000):
        nested = b"[" * deep + b"]" * deep
        question = b'{"tokenizer": "bytes", "messages": [{"content": ' + nested + b"}]}"
        assert ask(address, "chat", question).status in (400, 422)


@pytest.mark.parametrize(("name", "question"), [
    ("explain", {"text": "a" * 2_001, "tokenizer": "bytes"}),
    ("why", {"text": "a" * 2_001, "tokenizer": "bytes", "start": 0, "end": 1}),
    ("sample", {"text": "a" * 2_001, "tokenizer": "bytes", "alpha": 0.1}),
])  # fmt: skip
def test_texts_too_long_to_look_at(address: str, name: str, question: dict[str, object]) -> None:
    assert ask(address, name, question).error == (
        413,
        "2,001 characters came, and at most 2,000 are looked at closely at a time; choose a part "
        "of the text",
    )
    shorter = question | {"text": "a" * 2_000}
    assert ask(address, name, shorter).status == 200


def test_names_that_are_not_there(address: str) -> None:
    for name, more in (
        ("explain", {}), ("why", {"start": 0, "end": 1}), ("sample", {}), ("chat", {}),
        ("lineage", {"id": 1}),
    ):  # fmt: skip
        question: dict[str, object] = {"text": "low", "tokenizer": "../bytes", **more}
        if name == "chat":
            question = {"messages": [], "tokenizer": "../bytes"}
        if name == "lineage":
            del question["text"]
        words = "there is no tokenizer '../bytes'; there are: bytes, gpt2"
        assert ask(address, name, question).error == (404, words)
    assert ask(address, "tokens", QUESTION | {"tokenizers": ["x" * 201]}).status == 422


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 1), (0, 4), (7, 9)])
def test_stretches_that_are_none(address: str, start: int, end: int) -> None:
    question = {"text": "low", "tokenizer": "bytes", "start": start, "end": end}
    status, words = ask(address, "why", question).error
    assert (status, words[:12]) == (400, "the place is")
