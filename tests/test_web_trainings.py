"""The trainings of the page: what becomes of them, and which are refused."""

from __future__ import annotations

import pytest

from tests.asking import ask, get, names
from tests.test_web_questions import address

__all__ = ["address"]

LETTERS = "abcdefghij" * 70 + "klmnopqrst" * 70
"""1,400 symbols and the space before them, of which each merge takes 70 away."""


@pytest.mark.parametrize("question", [
    {"text": "low low lower\nnewest", "num_merges": 3},
    {"text": "low low lower\nnewest", "num_merges": 900},
    {"text": "low low lower\nnewest", "vocab_size": 900},
    {"text": "low low lower\nnewest", "unit": "byte", "vocab_size": 258},
    {"text": "low low lower\nnewest", "model": "unigram", "vocab_size": 14},
])  # fmt: skip
def test_a_training_becomes_a_tokenizer(address: str, question: dict[str, object]) -> None:
    answer = ask(address, "train", question | {"keep": True}).json
    assert answer["gone"] is None
    assert answer["vocab_size"] == answer["tokenizer"]["vocab_size"]
    name = answer["tokenizer"]["name"]
    assert names(address)[-1] == name
    assert answer["tokenizer"]["source"] == "trained"
    (column,) = ask(address, "tokens", {"text": "low", "tokenizers": [name]}).json["columns"]
    assert column["error"] is None
    if question.get("num_merges") == 3:
        steps = answer["training"]["model"]["steps"]
        assert [it["result"] for it in steps] == ["lo", "low", " low"]
        assert [it["text"] for it in column["tokens"]] == ["low"]


@pytest.mark.parametrize(("question", "status", "words"), [
    ({"text": "猫" * 6_667}, 413, "the text has 20,001 bytes; each step can be shown of 20,000"),
    ({"text": "", "num_merges": 3}, 400, "the corpus is empty"),
    ({"text": "low", "model": "unigram", "vocab_size": 9_000}, 400, "vocab_size=9000"),
    ({"text": "low", "model": "unigram", "num_merges": 3}, 400, "num_merges is for BPE"),
    ({"text": LETTERS, "num_merges": 1_000}, 400, "the first 5 merges of this training have more"),
    ({"text": "low", "num_merges": 1_001}, 422, "this is no question of this kind"),
])  # fmt: skip
def test_trainings_that_are_refused(
    address: str,
    question: dict[str, object],
    status: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kugiri.explain.training_limits.MOST_SYMBOLS", 5_000)
    came, said_ = ask(address, "train", question).error
    assert (came, said_[: len(words)]) == (status, words)


@pytest.mark.parametrize("question", [
    {"text": "low low lower\nnewest", "num_merges": 3},
    {"text": "low low lower\nnewest", "unit": "byte", "vocab_size": 258},
    {"text": "low low lower\nnewest", "model": "unigram", "vocab_size": 14},
])  # fmt: skip
def test_a_training_that_takes_too_long_is_refused(
    address: str, question: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kugiri.web.trainings.SECONDS", -1.0)
    assert ask(address, "train", question | {"keep": True}).error == (
        400,
        "this training takes more than -1 seconds, which were over at step 1; take less text, ask "
        "for fewer merges, or train with kugiri.train",
    )
    assert names(address) == ["bytes", "chat"]
    monkeypatch.undo()
    assert ask(address, "train", question).status == 200


def test_the_newest_four_trainings_are_kept(address: str) -> None:
    there = names(address)
    gone = [
        ask(address, "train", {"text": f"low {n}", "num_merges": 1, "keep": True}).json["gone"]
        for n in range(6)
    ]
    assert gone == [None, None, None, None, "trained BPE", "trained BPE (2)"]
    assert len(names(address)) == len(there) + 4
    assert get(address, "/api/state").json["tokenizers"][-1]["source"] == "trained"


def test_a_training_that_is_looked_at_is_not_kept(address: str) -> None:
    there = names(address)
    answer = ask(address, "train", {"text": "low low", "num_merges": 1}).json
    assert (answer["tokenizer"], answer["gone"], answer["vocab_size"]) == (None, None, 5)
    assert names(address) == there


def test_a_line_of_a_training_ends_where_that_of_a_file_does(address: str) -> None:
    """At LF, or CR and LF; what else Python takes for an end of a line is text."""
    marks = "\f\v\x1c\x85\u2028"
    asked = {"text": f"a{marks}b\r\na", "unit": "char", "num_merges": 0}
    learned = ask(address, "train", asked).json
    assert learned["vocab_size"] == len({*"ab", *marks})
