"""Names: one tokenizer each."""

from __future__ import annotations

import pytest

from kugiri.web.failures import Failure
from kugiri.web.store import MOST_TRAINED, Store
from tests.asking import ask
from tests.explained_examples import sennrich
from tests.serving import serving


def test_a_name_of_a_training_is_not_given_again() -> None:
    store = Store([])
    count = MOST_TRAINED + 2
    came = [store.keep_trained("trained BPE", sennrich()) for _ in range(count)]
    given = [kept.name for kept, _ in came]
    assert [gone for _, gone in came] == [None] * MOST_TRAINED + given[:2]
    assert given == ["trained BPE", *(f"trained BPE ({n})" for n in range(2, count + 1))]
    assert [kept.name for kept in store.all()] == given[-MOST_TRAINED:]
    with pytest.raises(Failure, match="there is no tokenizer 'trained BPE'"):
        store.get("trained BPE")
    store.remove(given[-1])
    assert store.keep_trained("trained BPE", sennrich())[0].name == f"trained BPE ({count + 1})"


def test_a_trained_tokenizer_gets_its_own_name_back() -> None:
    store = Store([])
    for _ in range(2):
        store.keep_trained("trained BPE", sennrich())
    wanted = ["mine", "trained BPE", "mine", "trained BPE (2)", "mine", "trained BPE"]
    names, name = [], "trained BPE"
    for each in wanted:
        names.append(name := store.rename(name, each).name)
    assert names == ["mine", "trained BPE", "mine", "trained BPE (2) (2)", "mine", "trained BPE"]
    assert store.rename("trained BPE (2)", "mine").name == "mine (2)"  # it is the first one's
    assert store.keep_trained("trained BPE", sennrich())[0].name == "trained BPE (3)"
    store.remove("trained BPE")  # whose name stays its own
    assert store.rename("mine (2)", "trained BPE").name == "trained BPE (2)"


def test_a_file_may_come_again() -> None:
    store = Store([])
    assert store.add("a.json", sennrich(), "dropped").name == "a.json"
    assert store.add("a.json", sennrich(), "dropped").name == "a.json (2)"
    store.remove("a.json")
    assert store.add("a.json", sennrich(), "dropped").name == "a.json"


def test_each_tokenizer_is_named_once() -> None:
    with serving({"low": sennrich()}) as address:
        for route in ("tokens", "share"):
            question = {"text": "low", "tokenizers": ["low", "low"]}
            status, words = ask(address, route, question).error
            assert status == 422
            assert "'low' comes twice in tokenizers; name each once" in words
