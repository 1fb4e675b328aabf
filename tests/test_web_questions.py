"""The page's other questions: chats, costs; tokenizers that come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.asking import ask, drop, get, names, send
from tests.chats import CHATML, said, trained
from tests.explained import made
from tests.serving import serving


@pytest.fixture
def address() -> Iterator[str]:
    given = {
        "bytes": made(".kugiri.json"), "chat": trained(CHATML),
    }  # fmt: skip
    with serving(given) as found:
        yield found


# ── chats ─────────────────────────────────────────────────────────────────────────────────────
def test_a_chat(address: str) -> None:
    messages = [said("low"), said("猫", "assistant")]
    question = {"tokenizer": "chat", "messages": messages, "add_generation_prompt": True}
    answer = ask(address, "chat", question).json
    encoded = trained(CHATML).encode_chat(messages, add_generation_prompt=True)
    assert answer["text"] == encoded.text
    assert [it["id"] for it in answer["pieces"]] == encoded.ids.tolist()
    assert [it["content"] for it in answer["pieces"]] == encoded.content
    assert [it["message"] for it in answer["pieces"]] == encoded.numbers
    assert [it["text"] for it in answer["pieces"] if it["special"]] == [
        "<|im_start|>", "<|im_end|>", "<|im_start|>", "<|im_end|>", "<|im_start|>",
    ]  # fmt: skip
    assert [it["role"] for it in answer["messages"]] == ["user", "assistant"]
    total = sum(it["tokens"] for it in answer["messages"]) + answer["frame"] + answer["other"]
    assert total == answer["tokens"] == len(encoded)


def test_chats_that_are_refused(address: str) -> None:
    question = {"tokenizer": "bytes", "messages": [said("low")]}
    assert ask(address, "chat", question).error == (
        400,
        "bytes has no chat template; bring the tokenizer_config.json or the chat_template.jinja "
        "that lies beside its file",
    )
    assert ask(address, "chat", question | {"messages": [said("a" * 200_000)]}).status == 413
    assert ask(address, "chat", {"tokenizer": "chat", "messages": [{}]}).status == 400


def test_a_template_is_brought_to_a_tokenizer(address: str) -> None:
    for file in (
        json.dumps({"chat_template": "{{ bos_token }}{{ messages[0].content }}", "bos_token": "x"}),
        "x{{ messages[0].content }}",
    ):
        answer = drop(address, "bytes", file.encode(), "tokenizers/config")
        assert (answer.status, answer.json["chat"]) == (200, True)
        question = {"tokenizer": "bytes", "messages": [said("low")]}
        assert ask(address, "chat", question).json["text"] == "xlow"
    refusal = "{{ raise_exception('only cats') }}"
    drop(address, "bytes", refusal.encode(), "tokenizers/config")
    status, words = ask(address, "chat", {"tokenizer": "bytes", "messages": [said("low")]}).error
    assert status == 400
    assert "only cats" in words
    for file, reason in (
        ('{"a": 1}', "no chat_template"),
        ('{"chat_template": 5}', "chat_template"),
    ):
        status, words = drop(address, "bytes", file.encode(), "tokenizers/config").error
        assert status == 400
        assert reason in words
    assert drop(address, "bytes", b"\xff", "tokenizers/config").status == 400
    assert drop(address, "nobody", b"x", "tokenizers/config").status == 404


# ── costs ─────────────────────────────────────────────────────────────────────────────────────
def test_costs_at_given_prices(address: str) -> None:
    question = {"tokens": 174_212, "output_tokens": 1_000, "price_in": 3, "price_out": 15}
    answer = ask(address, "cost", question | {"context": 200_000}).json
    assert answer == {
        "total": "0.537636", "input": "0.522636", "output": "0.015", "currency": "USD",
        "price_in": "3", "model": None, "dated": None, "source": None, "context_window": 200_000,
        "share": 0.87606, "tokenizer": None, "warnings": [],
    }  # fmt: skip
    assert ask(address, "cost", {"tokens": 5}).json["total"] is None
    assert ask(address, "cost", {"tokens": 5, "price_out": 1}).status == 400


@pytest.mark.parametrize("written", ['"%s"', "%s"])
def test_every_digit_of_a_price_counts(address: str, written: str) -> None:
    for price, total in (
        ("2.123456789012345678", "4.246913578024691356"),
        ("0.1", "0.2"), ("2.50", "5"), ("1e-7", "0.0000002"), ("0", "0"),
    ):  # fmt: skip
        its = written % price
        body = '{"tokens": 1000000, "output_tokens": 1000000, "price_in": %s, "price_out": %s}'
        answer = ask(address, "cost", (body % (its, its)).encode())
        assert answer.json["total"] == total


@pytest.mark.parametrize(("price", "status", "words"), [
    (-1, 400, "the input price is"), ("NaN", 400, "the input price is"),
    ("0.12345678901234567890123", 400, "the input price is"),
    ("Infinity", 400, "the input price is"), ("9" * 100_000, 400, "the input price is"),
    ("1e999999999", 400, "the input price is"), ("two", 422, "this is no question of this kind"),
    (True, 422, "this is no question of this kind"), ("", 422, "this is no question of this kind"),
])  # fmt: skip
def test_prices_that_are_refused(address: str, price: object, status: int, words: str) -> None:
    came, said_ = ask(address, "cost", {"tokens": 1, "price_in": price}).error
    assert (came, said_[: len(words)]) == (status, words)
    assert len(said_) < 400


@pytest.mark.skipif(find_spec("genai_prices") is None, reason="needs genai-prices")
def test_costs_of_a_model(address: str) -> None:
    answer = ask(address, "cost", {"tokens": 1_000, "output_tokens": 500, "model": "gpt-4o"}).json
    assert (answer["total"], answer["context_window"]) == ("0.0075", 128_000)
    assert answer["tokenizer"] == {
        "name": "o200k_base", "exact": True, "why": "gpt-4o has the encoding o200k_base",
    }  # fmt: skip
    assert answer["source"].startswith("genai-prices ")
    status, kind, values = ask(address, "cost", {"tokens": 1, "model": "gpt-4oo"}).refusal
    assert (status, kind, values.keys()) == (400, "unknown model", {"name", "near"})
    assert (values["name"], values["near"][0]) == ("gpt-4oo", "gpt-4o")
    far = ask(address, "cost", {"tokens": 1, "model": "猫"}).refusal
    assert far == (400, "unknown model", {"name": "猫", "near": []})
    assert get(address, "/api/state").json["prices"] is True


# ── tokenizers that come and go ───────────────────────────────────────────────────────────────
def test_a_dropped_file_is_a_tokenizer(address: str, tmp_path: Path) -> None:
    tok = made("tokenizer.json")
    tok.save(tmp_path / "tokenizer.json")
    file = (tmp_path / "tokenizer.json").read_bytes()
    assert drop(address, "my tokenizer.json", file).json["name"] == "my tokenizer"
    again = drop(address, "once more.json", file).json
    assert (again["name"], again["source"]) == ("my tokenizer", "dropped")
    (column,) = ask(address, "tokens", {"text": "低い low", "tokenizers": [again["name"]]}).json[
        "columns"
    ]
    assert [it["id"] for it in column["tokens"]] == tok.encode("低い low")
    assert send(address, "DELETE", "/api/tokenizers?name=my%20tokenizer").json == {}
    assert "my tokenizer" not in names(address)
    question = {"text": "low", "tokenizers": ["my tokenizer", "bytes"]}
    gone, there = ask(address, "tokens", question).json["columns"]
    assert (gone["name"], gone["kind"], gone["count"]) == (
        "my tokenizer", "no tokenizer", None,
    )  # fmt: skip
    assert (there["name"], there["error"]) == ("bytes", None)


def test_those_of_the_start_stay(address: str) -> None:
    answer = send(address, "DELETE", "/api/tokenizers?name=bytes")
    assert answer.error == (403, "'bytes' is there since the start, and stays")
    assert send(address, "DELETE", "/api/tokenizers?name=x").status == 404


def test_sixteen_are_kept(address: str) -> None:
    files = [
        b'{"version": "1.0", "model": {"type": "BPE", "vocab": {"%d": 0}, "merges": []}}' % number
        for number in range(17)
    ]
    for file in files[:16]:
        assert drop(address, "t", file).status == 200
    status, words = drop(address, "t", files[16]).error
    assert (status, words[:25]) == (409, "16 tokenizers are kept at")
    looked_at = {"text": "low low", "num_merges": 1}
    assert ask(address, "train", looked_at).status == 200
    assert ask(address, "train", looked_at | {"keep": True}).status == 409
    send(address, "DELETE", "/api/tokenizers?name=t")
    assert drop(address, "t", files[16]).json["name"] == "t"
