"""Stop strings, against a search of the whole decoded text."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.tokenizing.stop_strings import StopStrings
from strategies import texts
from test_stream import STREAMED, rows


def searched(text: str, stops: list[str]) -> tuple[str, str | None]:
    """What stands before the stop that ends first, the longest of those; and which it is."""
    for end in range(len(text) + 1):
        here = [stop for stop in stops if text[:end].endswith(stop)]
        if here:
            stop = max(here, key=len)
            return text[: end - len(stop)], stop
    return text, None


def longest_held(text: str, stops: list[str]) -> int:
    """How much of the end of a text may be the beginning of a stop."""
    return max(
        (n for stop in stops for n in range(len(stop)) if text.endswith(stop[:n])), default=0
    )


CASES = [
    ("a stop within a part", ["a##b"], ["##"], ["a"], "##"),
    ("across parts", ["a#", "#b"], ["##"], ["a", ""], "##"),
    ("held back, then not", ["a#", "b"], ["##"], ["a", "#b"], None),
    ("held back to the end", ["a#"], ["##"], ["a", "#"], None),
    ("a part of it again", ["a#", "#", "x#", "#!"], ["##!"], ["a", "", "##x", ""], "##!"),
    ("runs", ["aaaa", "b"], ["aab"], ["aa", ""], "aab"),
    ("the first that is whole", ["abc"], ["abcd", "bc"], ["a"], "bc"),
    ("the longest at one place", ["xabc"], ["bc", "abc", "c"], ["x"], "abc"),
    ("one begins with the other", ["ab", "c"], ["abc", "ab"], ["", ""], "ab"),
    ("the other goes on", ["ab", "xy"], ["abx", "abcd", "y"], ["", ""], "abx"),
    ("in its middle", ["abcab", "d"], ["abcd", "cabd"], ["ab", ""], "cabd"),
    ("twice the same", ["a!"], ["!", "!"], ["a"], "!"),
    ("no stop", ["a", "b"], [], ["a", "b"], None),
    ("Japanese", ["彼は「猫", "」と"], ["」と", "「犬"], ["彼は「猫", ""], "」と"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "parts", "stops", "given_out", "found"), CASES)
def test_parts(
    name: str, parts: list[str], stops: list[str], given_out: list[str], found: str | None
) -> None:
    search = StopStrings(stops)
    steps = [search.feed(part) for part in parts]
    rest = search.finish()
    assert steps + [rest] * bool(rest) == given_out
    assert search.found == found
    assert ("".join(given_out), found) == searched("".join(parts), stops)


few_letters = st.text("ab猫", max_size=12)


@given(
    parts=st.lists(few_letters, max_size=8),
    stops=st.lists(st.text("ab猫", min_size=1, max_size=5), min_size=1, max_size=4),
)
def test_any_parts(parts: list[str], stops: list[str]) -> None:
    search, out, text = StopStrings(stops), "", ""
    for part in parts:
        text += part
        out += search.feed(part)
        before, found = searched(text, stops)
        assert search.found == found
        if found is None:  # all that cannot be the beginning of a stop
            assert out == text[: len(text) - longest_held(text, stops)]
        else:
            assert out == before
    assert (out + search.finish(), search.found) == searched(text, stops)


@given(data=st.data(), made=rows(), errors=st.sampled_from(["replace", "ignore"]))
def test_any_ids_of_any_tokenizer(
    data: Any, made: tuple[kugiri.Tokenizer, list[int]], errors: str
) -> None:
    tok, ids = made
    whole = tok.decode(ids, errors=errors)
    own = st.builds(
        lambda start, length: whole[start : start + length],
        st.integers(0, len(whole)),
        st.integers(1, 4),
    )
    stops = data.draw(st.lists(st.one_of(own, st.text("ab ▁", max_size=2)), max_size=3))
    stops = [stop for stop in stops if stop]
    stream = tok.decoder(errors=errors, stop=stops)
    out = "".join(map(stream.feed, ids)) + stream.finish()
    assert (out, stream.stopped) == searched(whole, stops)


@given(name=st.sampled_from(sorted(STREAMED)), text=texts, at=st.integers(0, 30))
def test_half_a_character_is_never_shown(name: str, text: str, at: int) -> None:
    tok = STREAMED[name]
    try:
        ids = tok.encode(text)
    except kugiri.EncodingError:
        return  # a model without a token for the unknown
    whole = tok.decode(ids)
    stops = [whole[at : at + 1] or "x"]
    stream = tok.decoder(stop=stops)
    steps = [*map(stream.feed, ids), stream.finish()]
    assert ("".join(steps), stream.stopped) == searched(whole, stops)


def test_nothing_comes_behind_a_stop() -> None:
    tok = kugiri.train(["low lower"] * 2, vocab_size=258)
    stream = tok.decoder(stop=["we"])
    steps = [stream.feed(id) for id in list(b"lower") + tok.encode("low")]
    assert (steps, stream.finish(), stream.stopped) == (["l", "o", *[""] * 4], "", "we")


def test_a_special_token_is_a_stop_by_its_text() -> None:
    tok = kugiri.train(["low lower"] * 2, vocab_size=259, special_tokens=["<|end|>"])
    stream = tok.decoder(stop=["<|end|>"])
    ids = tok.encode("low <|end|>low", allowed_special="all")
    assert "".join(map(stream.feed, ids)) == "low "
    assert stream.stopped == "<|end|>"


@pytest.mark.parametrize(
    ("stop", "error", "message"),
    [
        ([""], kugiri.OptionError, "a stop is empty, and would end every text; leave it out"),
        (["a", 3], kugiri.OptionError, r"a stop is an int \(3\); a text is a str"),
        ("END", kugiri.OptionError, "stop is a list of texts, one text came; put it in a list"),
        (3, kugiri.OptionError, "stop is a list of texts"),
        (["\ud800"], kugiri.EncodingError, "a stop has a lone surrogate at position 0"),
    ],
)
def test_wrong_stops(stop: Any, error: type[Exception], message: str) -> None:
    tok = kugiri.train(["low lower"] * 2, vocab_size=258)
    with pytest.raises(error, match=message):
        tok.decoder(stop=stop)


def test_a_long_stop_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        search = StopStrings(["ab" * 5_000])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000
    assert search.feed("ab" * 4_999 + "b") == "ab" * 4_999 + "b"
    assert search.feed("ab" * 5_000) == ""
    assert search.found == "ab" * 5_000


def test_another_name_for_stops_is_refused() -> None:
    tok = kugiri.train(["low"], vocab_size=256)
    with pytest.raises(kugiri.OptionError, match=r"unknown option 'stop_strings'.*errors, stop$"):
        tok.decoder(stop_strings=["a"])
