"""Files that come by the page: the same twice, another of the same name, a pattern, a new name."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from kugiri.patterns import PATTERNS
from tests.asking import Answer, ask, drop, get, names, send
from tests.explained_examples import sennrich
from tests.serving import serving

BYTES = {"Content-Type": "application/octet-stream"}


def ranks(*tokens: bytes) -> bytes:
    """A .tiktoken file of all bytes and these tokens."""
    every = [*(bytes([at]) for at in range(256)), *tokens]
    return b"".join(b"%s %d\n" % (b64encode(token), at) for at, token in enumerate(every))


@pytest.fixture
def address() -> Iterator[str]:
    with serving({"low": sennrich()}) as at:
        yield at


def put(address: str, name: str, file: bytes, pattern: str) -> Answer:
    path = f"/api/tokenizers?name={quote(name)}&pattern={quote(pattern)}"
    return send(address, "PUT", path, file, BYTES)


def rename(address: str, name: str, wanted: bytes) -> Answer:
    return send(address, "PUT", f"/api/tokenizers/name?name={quote(name)}", wanted, BYTES)


def test_the_same_tokenizer_is_kept_once(address: str, tmp_path: Path) -> None:
    path = tmp_path / "x.kugiri.json"
    sennrich().save(path)
    answer = drop(address, "another.json", path.read_bytes())
    before = answer.json["name"]
    drop(address, before, b'{"chat_template": "{{ messages }}"}', "tokenizers/config")
    assert drop(address, "third.json", path.read_bytes()).json["name"] == before
    assert drop(address, before, path.read_bytes()).json["name"] == before
    assert len(names(address)) <= 2


def test_another_of_the_same_name_has_its_own(address: str) -> None:
    assert put(address, "a.tiktoken", ranks(b"lo"), "gpt2").json["name"] == "a"
    assert put(address, "a.tiktoken", ranks(b"lw"), "gpt2").json["name"] == "a (2)"
    assert put(address, "a.tiktoken", ranks(b"lo"), "qwen2").json["name"] == "a (3)"
    assert put(address, "a.tiktoken", ranks(b"lw"), "gpt2").json["name"] == "a (2)"
    assert names(address) == ["low", "a", "a (2)", "a (3)"]


def test_ranks_need_the_name_of_a_pattern(address: str) -> None:
    assert get(address, "/api/state").json["patterns"] == list(PATTERNS)
    status, words = drop(address, "a.tiktoken", ranks(b"lo")).error
    assert status == 422
    assert "does not hold its split pattern" in words
    status, words = put(address, "a.tiktoken", ranks(b"lo"), "(?:a|b)*").error
    assert status == 400
    assert "'(?:a|b)*'" in words
    assert drop(address, "a.tiktoken", ranks(b"lo") + b"YQ== 0\n").status == 400
    put(address, "a", ranks(b"23"), "gpt2")
    put(address, "b", ranks(b"23"), "qwen2")
    columns = ask(address, "tokens", {"text": "23", "tokenizers": ["a", "b"]}).json["columns"]
    assert [it["count"] for it in columns] == [1, 2]


def test_a_name_is_changed_where_it_stands(address: str) -> None:
    put(address, "a", ranks(b"lo"), "gpt2")
    put(address, "b", ranks(b"lw"), "gpt2")
    assert rename(address, "low", b"Qwen/of mine \xe6\x9d\xb1").json["name"] == "Qwen/of mine 東"
    assert names(address) == ["Qwen/of mine 東", "a", "b"]
    assert rename(address, "a", b"b").json["name"] == "b (2)"
    assert rename(address, "b", b"b").json["name"] == "b"
    assert names(address) == ["Qwen/of mine 東", "b (2)", "b"]
    assert rename(address, "gone", b"x").status == 404
    assert ask(address, "tokens", {"text": "lo", "tokenizers": ["b (2)"]}).json["columns"][0][
        "count"
    ] == 1  # fmt: skip
