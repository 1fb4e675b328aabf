"""Values of wrong kinds for the calls of kugiri.corpus: an OptionError, nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from kugiri.corpus.clean import clean
from kugiri.corpus.http import Patience
from kugiri.corpus.split import split
from kugiri.corpus.wordpress import fetch, read_pages
from kugiri.errors import OptionError

WRONG = [None, "5%", b"x", True, [1], 1j, float("nan")]


@pytest.mark.parametrize("value", WRONG)
def test_split(value: Any) -> None:
    with pytest.raises(OptionError, match="size is "):
        list(split(["a", "b"], value))
    with pytest.raises(OptionError, match="seed is "):
        list(split(["a", "b"], 1, seed=value))
    with pytest.raises(OptionError, match="unknown unit "):
        list(split(["a", "b"], 1, by=value))
    if value is not True:
        with pytest.raises(OptionError, match="markup is "):
            list(split(["a", "b"], 1, markup=value))


@pytest.mark.parametrize("value", [None, b"x", 5, ["x"]])
def test_texts_and_places(value: Any) -> None:
    with pytest.raises(OptionError, match="the markup is "):
        clean(value)
    with pytest.raises(OptionError, match="url is "):
        fetch(value, "x")
    with pytest.raises(OptionError, match="url is "):
        next(read_pages(value))
    with pytest.raises(OptionError, match="output is "):
        fetch("example.org", value)
    with pytest.raises(OptionError, match="start is "):
        next(read_pages("example.org", start=value if value != 5 else 0))
    with pytest.raises(OptionError, match="raw is "):
        fetch("example.org", "x", raw=value)


@pytest.mark.parametrize("value", [None, "1", float("nan"), float("inf"), 1e12, -1, True])
@pytest.mark.parametrize("name", ["timeout", "pause", "retries"])
def test_patience(name: str, value: Any) -> None:
    if (name, value) != ("retries", 1e12):
        with pytest.raises(OptionError, match=f"{name} is "):
            Patience(**{name: value})
