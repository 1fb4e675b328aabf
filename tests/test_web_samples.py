"""Ways to cut a text that are drawn at random for the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import kugiri
from tests.asking import ask
from tests.explained import made, unigram
from tests.explained_examples import TOKYO
from tests.serving import serving

TEXT = "東京都に住む"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    given = {
        "tokyo": unigram(TOKYO), "bytes": made(".kugiri.json"), "model": made(".model, unigram"),
        "words": kugiri.train(["a b"] * 3, model="word", vocab_size=3),
    }  # fmt: skip
    with serving(given) as found:
        yield found


def test_samples_are_those_of_the_library(address: str) -> None:
    tok = unigram(TOKYO)
    question = {"text": TEXT, "tokenizer": "tokyo", "alpha": 0.5, "seed": 7, "number": 300}
    answer = ask(address, "sample", question).json
    drawn = Counter(tuple(tok.sample(TEXT, alpha=0.5, seed=7 + number)) for number in range(300))
    assert {tuple(it["ids"]): it["count"] for it in answer["ways"]} == drawn
    assert answer["different"] == len(drawn)
    assert answer["entropy"] == tok.entropy(TEXT, 0.5)
    counts = [it["count"] for it in answer["ways"]]
    assert counts == sorted(counts, reverse=True)
    assert all("".join(it["tokens"]) == TEXT for it in answer["ways"])


@pytest.mark.parametrize("name", ["tokyo", "model"])
def test_places_of_samples_are_those_of_the_lattice(address: str, name: str) -> None:
    text = TEXT if name == "tokyo" else "猫 である𠮷é。"
    question = {"text": text, "tokenizer": name, "alpha": 0.2, "number": 200}
    answer = ask(address, "sample", question).json
    steps = ask(address, "explain", {"text": text, "tokenizer": name}).json["model"]
    lattice = {
        (it["start"], it["end"], it["piece"]) for it in steps["lattice"] if it["id"] is not None
    }
    places = {(start, end, piece): count for start, end, piece, count in answer["nodes"]}
    assert places.keys() <= lattice
    if name == "tokyo":  # every way goes through each character once
        for at in range(len(text)):
            assert (
                sum(count for (start, end, _), count in places.items() if start <= at < end) == 200
            )


SPECIAL = {
    name: made(name)
    for name in (".kugiri.json", "vocab.txt", "tokenizer.json of a Unigram .model", ".model, bpe")
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_tokens_are_read_in_ways_at_random(name: str) -> None:
    tok = SPECIAL[name]
    text = "low猫" + "low ".join(tok.special_tokens) + " unaffable"
    with serving({"t": tok}) as address:
        question = {"text": text, "tokenizer": "t", "alpha": 0.3, "number": 40}
        as_text, read = (
            ask(address, "sample", question | {"allow_special": it}).json for it in (False, True)
        )
        explained = ask(
            address, "explain", {"text": text, "tokenizer": "t", "allow_special": True}
        ).json
    special = {it: id for it, id in tok.special_tokens.items() if "unk" not in it.lower()}
    for way in read["ways"]:
        assert [it for it in way["tokens"] if it in special] == [*special]
        assert [id for id in way["ids"] if id in special.values()] == [*special.values()]
    assert all(not {*way["tokens"]} & {*special} for way in as_text["ways"])
    if explained["model"]["type"] == "Unigram":  # what the shares are drawn on
        lattice = {(it["start"], it["end"], it["piece"]) for it in explained["model"]["lattice"]}
        assert {(start, end, piece) for start, end, piece, _ in read["nodes"]} <= lattice
        assert read["entropy"] != as_text["entropy"]


def test_samples_of_other_models(address: str) -> None:
    question = {"text": "low 猫", "tokenizer": "bytes", "alpha": 0.0, "number": 3}
    answer = ask(address, "sample", question).json
    assert answer["ways"] == [
        {"tokens": ["low", " ", "猫"], "ids": made(".kugiri.json").encode("low 猫"), "count": 3}
    ]
    assert answer["nodes"] == [[0, 3, "low", 3], [3, 4, " ", 3], [4, 5, "猫", 3]]
    assert (answer["different"], answer["entropy"]) == (1, None)
    status, words = ask(address, "sample", question | {"alpha": 2}).error
    assert (status, words[:10]) == (400, "alpha is 2")
    status, words = ask(address, "sample", question | {"tokenizer": "words"}).error
    assert (status, words[:9]) == (400, "WordLevel")
