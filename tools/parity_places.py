"""Ids, tokens, places and decoded text of tokenizer.json: a part of `make parity`.

Rule.    Text by text, every second one with the template; special tokens are found in it.
         Real files, and tokenizers that tokenizers trains here from components of all kinds
         (tests/hf_combinations.py).
Cost.    Some minutes: places are asked of tokenizers for one text at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kugiri
from kugiri.random_texts import random_texts
from tests.hard_texts import HARD
from tests.hf_combinations import COMBINATIONS, compare, trained
from tests.oracles import oracle_hf, parity_file
from tools.parity_found import Difference, Equal
from tools.parity_texts import lines_of_every_text

LINES = 800
RANDOM = 3_000


def compare_places(models: tuple[str, ...]) -> Iterator[Equal]:
    """All comparisons of real files, then of trained tokenizers."""
    for name in models:
        theirs = oracle_hf(name)
        theirs.encode_special_tokens = False
        ours = kugiri.load(parity_file(f"npm/{name}/tokenizer.json"))
        yield from _compare_one(f"{name}/tokenizer.json", ours, theirs)
    for name in COMBINATIONS:
        theirs = trained(name)
        yield from _compare_one(name, kugiri.load(theirs.to_str().encode()), theirs)


def _compare_one(name: str, ours: kugiri.Tokenizer, theirs: Any) -> Iterator[Equal]:
    texts = {
        "lines of six texts": lines_of_every_text(LINES),
        "hard strings": HARD,
        "random strings and own tokens": random_texts(0, RANDOM, (ours,)),
    }
    for column, each in texts.items():
        amount = 0
        for number, text in enumerate(each):
            try:
                amount += compare(ours, theirs, text, number % 2 == 1)
            except AssertionError as differs:
                raise Difference(f"{name}, {column}, text {number}: {differs}") from differs
        yield Equal(f"{name} | tokenizers", column, amount)
