"""What the server of the page tells of how tokens came about: the words of the library, as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.asking import ask
from tests.test_web_answers import TOKENIZERS, address

__all__ = ["address"]


def test_explain_is_that_of_the_library(address: str) -> None:
    question = {"text": "lowest", "tokenizer": "low"}
    assert ask(address, "explain", question).json == json.loads(
        TOKENIZERS["low"].explain("lowest").to_json()
    )


def test_why_is_of_exactly_one_stretch(address: str) -> None:
    question = {"text": "low lowest", "tokenizer": "low", "start": 6, "end": 8}
    answer = ask(address, "why", question).json
    (place,) = answer["places"]
    assert (answer["piece"], place["span"], place["is_token"]) == ("we", [6, 8], False)
    assert [it["message"] for it in place["causes"]] == [
        "「we」 is not in the vocabulary; nearest that are: parts of it 「e」, 「w」; longer "
        "「newest_」",
        "merge 0 took 「es」 first",
    ]


def test_tokens_of_why_are_raw(address: str) -> None:
    question = {"text": "a low猫", "tokenizer": "gpt2", "start": 0, "end": 3}
    (place,) = ask(address, "why", question).json["places"]
    assert place["tokens"] == ["a", " low"]


def test_lineage(address: str) -> None:
    steps = ask(address, "lineage", {"tokenizer": "low", "id": 13}).json["lineage"]
    assert [(it["rank"], it["left"], it["right"], it["result"], it["count"]) for it in steps] == [
        (0, "e", "s", "es", 9), (1, "es", "t", "est", 9), (2, "est", "_", "est_", 9),
    ]  # fmt: skip
    seed = ask(address, "lineage", {"tokenizer": "tokyo", "id": 10}).json["seed"]
    assert (seed["piece"], seed["instead"]) == ("東京都", ["東京", "都"])
    none = ask(address, "lineage", {"tokenizer": "bert", "id": 5}).json["none"]
    assert none.startswith("'un' has no lineage: WordPiece does not keep")
    none = ask(address, "lineage", {"tokenizer": "bert", "id": 99}).json["none"]
    assert none == "no token has the id 99"


def test_a_schema_fits_each_answer(address: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schemas = Path(__file__).parents[1] / "docs/schemas"
    training = ask(address, "train", {"text": "low lower newest", "num_merges": 2}).json
    stretch = {"text": "東京都", "tokenizer": "tokyo", "start": 1, "end": 3}
    for name, answer in (
        ("explain", ask(address, "explain", {"text": "a 猫", "tokenizer": "gpt2"}).json),
        ("why", ask(address, "why", stretch).json),
        ("training", training["training"]),
    ):
        schema = json.loads((schemas / f"{name}.json").read_text())
        jsonschema.validate(answer, schema)
