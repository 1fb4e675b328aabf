"""Files that are dropped on the page: broken ones, hostile ones, and what they are called."""

from __future__ import annotations

import json
import os
import time
from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.asking import ask, drop, names, send
from tests.explained import made
from tests.serving import serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving({"bytes": made(".kugiri.json")}) as found:
        yield found


def tokenizer_json(**parts: Any) -> bytes:
    empty = dict.fromkeys(
        ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    )
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}
    return json.dumps(
        {"version": "1.0", "added_tokens": [], **empty, "model": model, **parts}
    ).encode()


def split(regex: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


def replace(content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": "a"}, "content": content}


def nested(deep: int) -> dict[str, Any]:
    part: dict[str, Any] = {"type": "Lowercase"}
    for _ in range(deep):
        part = {"type": "Sequence", "normalizers": [part]}
    return part


REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "the file is empty"),
    "garbage": (os.urandom(1 << 20), "this is no tokenizer file that kugiri knows"),
    "garbage of 64 MB": (os.urandom(1 << 20) * 64, "this is no tokenizer file that kugiri knows"),
    "zeros": (bytes(64 << 20), "this is no tokenizer file that kugiri knows"),
    "web page": (b"<!doctype html><p>no", "this is a web page"),
    "zip": (b"PK\x03\x04" + bytes(99), "this is a ZIP archive; unpack it"),
    "gzip": (b"\x1f\x8b" + bytes(99), "this is compressed with gzip; unpack it"),
    "cut off": (tokenizer_json()[:-10], "EOF while parsing"),
    "cut off .model": (b"\x0a\x05\x0a\x01a\x15" + b"\xff" * 99, "byte 5"),
    "brackets": (b'{"model": ' + b"[" * (4 << 20), "EOF while parsing a list"),
    "settings": (b'{"tokenizer_class": "BertTokenizer"}', "this is a tokenizer_config.json"),
    "nested": (tokenizer_json(normalizer=nested(200)), "it is nested too deeply"),
    "swelling": (
        tokenizer_json(normalizer={"type": "Sequence", "normalizers": [replace("a" * 999)] * 9}),
        "at most 10,000 may come of it",
    ),
    "no regex": (tokenizer_json(pre_tokenizer=split("b(")), "is not a regex that kugiri can run"),
    "vast regex": (
        tokenizer_json(pre_tokenizer=split("a{1000}{1000}{1000}")),
        "is not a regex that kugiri can run",
    ),
    "one rank twice": (b"YQ== 0\n" * 9, "the rank 0 stands twice"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_no_tokenizer(address: str, name: str) -> None:
    file, words = REFUSED[name]
    began = time.monotonic()
    status, said = drop(address, name, file).error
    assert time.monotonic() - began < 10
    assert status == 400
    assert words in said
    assert names(address) == ["bytes"]


def test_a_file_that_is_too_large(address: str) -> None:
    try:
        answer = drop(address, "large", bytes((64 << 20) + 1))
    except OSError:  # it hung up while we talked
        pass
    else:
        words = "the body has more than 67,108,864 bytes, the most for PUT /api/tokenizers"
        assert answer.error == (413, words)
    assert names(address) == ["bytes"]


HOSTILE: dict[str, tuple[bytes, str, str]] = {
    "goes back": (
        tokenizer_json(pre_tokenizer=split("(a+)+$|b")), "a" * 40 + "b", "back too often",
    ),
    "swells": (
        tokenizer_json(normalizer=replace("a" * 9_999)), "a" * 10_000, "may make 99,990,000",
    ),
    "ids": (
        tokenizer_json(model={"type": "BPE", "vocab": {"a": 0, "b": 4_294_967_290}, "merges": []}),
        "ab", "4294967290",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_tokenizers_that_ask_for_too_much(address: str, name: str) -> None:
    file, text, words = HOSTILE[name]
    assert drop(address, name, file).json["name"] == name
    question = {"text": text, "tokenizers": [name, "bytes"]}
    bad, good = ask(address, "tokens", question).json["columns"]
    assert words in bad["error"]
    assert good["error"] is None
    for route, more in (
        ("explain", {}),
        ("sample", {"alpha": 0.1}),
        ("why", {"start": 0, "end": 2}),
    ):
        its = {"text": text[:1_000] if name == "swells" else text, "tokenizer": name, **more}
        assert ask(address, route, its).status in (200, 400, 413)
    assert ask(address, "share", question | {"explain": name}).status in (200, 400, 413)
    assert send(address, "DELETE", f"/api/tokenizers?name={quote(name)}").status == 200


@pytest.mark.parametrize(("name", "label"), [
    ("../../etc/passwd", "passwd"), ("C:\\models\\t.json", "t"), ("", "tokenizer"),
    ("a\nb\x00c\u202ed\t", "abcd"), ("///", "tokenizer"), ("猫" * 200, "猫" * 80),
    ("<script>", "<script>"), ("%2e%2e%2fx", "%2e%2e%2fx"),
])  # fmt: skip
def test_names_of_files_are_labels(address: str, name: str, label: str) -> None:
    file = tokenizer_json()
    assert drop(address, name, file).json["name"] == label
    assert names(address) == ["bytes", label]
    assert send(address, "DELETE", f"/api/tokenizers?name={quote(label)}").status == 200


def test_a_name_that_is_no_utf_8(address: str) -> None:
    headers = {"Content-Type": "application/octet-stream"}
    answer = send(address, "PUT", "/api/tokenizers?name=%ff%fe", tokenizer_json(), headers)
    assert answer.status == 200
    assert (
        send(address, "DELETE", f"/api/tokenizers?name={quote(answer.json['name'])}").status == 200
    )


def test_a_file_without_its_pattern_says_so(address: str) -> None:
    ranks = b"".join(b64encode(bytes([it])) + b" %d\n" % it for it in range(256))
    status, words = drop(address, "t.tiktoken", ranks).error
    assert status == 422
    assert "pattern" in words
