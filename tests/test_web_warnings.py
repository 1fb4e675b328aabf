"""What the page is warned of, with values and words in both languages."""

from __future__ import annotations

import json
from typing import Any

from tests.asking import Answer, ask, drop, send
from tests.serving import serving
from tests.test_web_refusals import CHAT, address, places, with_template

__all__ = ["address"]


def warned(address: str, question: object) -> list[dict[str, Any]]:
    answer: Answer = ask(address, "chat", question)
    assert answer.status == 200, answer.body
    warnings: list[dict[str, Any]] = answer.json["warnings"]
    for its in warnings:
        names = its["values"].keys()
        shown = {"message": "number", "start": "place"}
        assert {shown.get(name, name) for name in names} == places(its["kind"], "warned")
    return warnings


def test_what_a_template_leaves_out(address: str) -> None:
    messages = [
        {"role": "user", "content": "low"},
        {"role": "tool", "content": "4"},
        {"role": "assistant", "content": "er", "tool_calls": [{"name": "f"}]},
    ]
    question = CHAT | {"tokenizer": "drops", "messages": messages}
    assert warned(address, question) == [
        {
            "kind": "left out",
            "values": {"messages": [[1, "content"], [2, "tool_calls"]]},
            "words": "the chat template leaves out the text of these messages: 1 ('tool'), "
            "2 ('assistant', tool_calls)",
        }
    ]
    assert warned(address, question | {"messages": messages[:1]}) == []


def test_what_else_is_warned_of() -> None:
    with serving({"one": with_template("{{ messages[0].content }}")}) as address:
        question = CHAT | {"tokenizer": "one"}
        tools = [{"type": "function", "function": {"name": "f"}}]
        (no_tools,) = warned(address, question | {"tools": tools})
        assert (no_tools["kind"], no_tools["values"]) == ("no tools", {})
        parts = [{"role": "user", "content": [{"type": "text", "text": "low"}]}]
        (raw,) = warned(address, question | {"messages": parts})
        assert (raw["kind"], raw["values"]) == ("parts", {"message": 0})


def test_what_is_warned_of_a_file_and_of_a_training(address: str) -> None:
    cut = {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
    file = {
        "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None,
        "truncation": cut, "padding": None, "post_processor": None, "decoder": None,
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []},
    }  # fmt: skip
    answer = drop(address, "cuts", json.dumps(file).encode())
    (its,) = answer.json["warnings"]
    assert (its["kind"], its["values"]) == ("", {})
    assert its["words"].startswith("this file asks for truncation of every text; kugiri keeps")
    assert send(address, "DELETE", "/api/tokenizers?name=cuts").status == 200
    few = ask(address, "train", {"text": "low lower", "num_merges": 2})
    assert few.json["warnings"] == []
