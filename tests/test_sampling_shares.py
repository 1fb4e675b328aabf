"""What is drawn is as frequent as its method says: shares worked out by hand, or by enumeration."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

import kugiri
from kugiri import spec
from test_sampling import bpe, names, word_piece
from tests.hf import both

DRAWS = 20_000


def shares(tok: kugiri.Tokenizer, text: str, method: str, alpha: float | None) -> dict[str, float]:
    """How often each way to cut a text is drawn."""
    batch = tok.sample_batch([text] * DRAWS, method=method, alpha=alpha, seed=0)
    drawn = Counter(names(tok, ids) for ids in batch.to_lists())
    return {cut: count / DRAWS for cut, count in drawn.items()}


def agree(drawn: dict[str, float], expected: dict[str, float]) -> None:
    """Nothing else is drawn, and nothing more than four standard deviations too often."""
    assert sum(expected.values()) == pytest.approx(1)
    assert drawn.keys() <= expected.keys()
    for cut, share in expected.items():
        error = 4 * math.sqrt(share * (1 - share) / DRAWS) + 1e-4
        assert drawn.get(cut, 0.0) == pytest.approx(share, abs=error), cut


# ── BPE-dropout ───────────────────────────────────────────────────────────────────────────────
def test_bpe_dropout() -> None:
    """One draw in two: a+b is made in half of the draws, and only then ab+a is drawn for."""
    tok = kugiri.Tokenizer(spec.TokenizerSpec(bpe("a b ab aba", "a+b ab+a")))
    agree(shares(tok, "aba", "bpe-dropout", 0.5), {"a b a": 0.5, "ab a": 0.25, "aba": 0.25})


def test_bpe_dropout_comes_back_after_a_merge() -> None:
    """`abcd` with a+b before c+d, in tokenizers too.

    Neither: ½·½. c+d alone: a+b is dropped, c+d made, a+b dropped again: ⅛. a+b alone: ½·½.
    """
    expected = {"a b c d": 0.25, "a b cd": 0.125, "ab c d": 0.25, "ab cd": 0.375}
    vocab = {token: id for id, token in enumerate(["a", "b", "c", "d", "ab", "cd"])}
    merges = [["a", "b"], ["c", "d"]]
    model = {"type": "BPE", "vocab": vocab, "merges": merges, "dropout": 0.5}
    tok, theirs = both(model=model, pre_tokenizer=None)
    agree(shares(tok, "abcd", "bpe-dropout", None), expected)  # the dropout of the file
    its = Counter(" ".join(theirs.encode("abcd").tokens) for _ in range(DRAWS))
    # Its draws have no seed, so here nothing is to fail by chance.
    assert {cut: count / DRAWS for cut, count in its.items()} == pytest.approx(expected, abs=0.03)


# ── MaxMatch-dropout ──────────────────────────────────────────────────────────────────────────
def test_maxmatch_dropout() -> None:
    """The example of the method's authors, `abcd`, with one in two dropped.

    From a, abc is left in ½ of the draws, else ab in ¼, else a in ¼. Behind ab, cd is left in ½;
    behind a, bcd in ½, else bc in ¼, else b in ¼, and then cd in ½.
    """
    tok = word_piece("a ab abc ##b ##c ##d ##bc ##cd ##bcd")
    expected = {
        "abc ##d": 1 / 2,
        "ab ##cd": 1 / 8,
        "ab ##c ##d": 1 / 8,
        "a ##bcd": 1 / 8,
        "a ##bc ##d": 1 / 16,
        "a ##b ##cd": 1 / 32,
        "a ##b ##c ##d": 1 / 32,
    }
    agree(shares(tok, "abcd", "maxmatch-dropout", 0.5), expected)


@pytest.mark.parametrize("dropout", [0.1, 0.3, 0.7])
def test_maxmatch_dropout_by_enumeration(dropout: float) -> None:
    tok = word_piece("a b aa ab aab ##a ##b ##aa ##ba ##ab ##aba ##abab")

    def ways(text: str, start: int) -> Iterator[tuple[tuple[str, ...], float]]:
        """All ways behind a place: the longest token is left, or it is dropped, and so on."""
        if start == len(text):
            yield (), 1.0
            return
        left = 1.0
        for end in range(len(text), start, -1):
            token = ("##" if start else "") + text[start:end]
            if token in tok.vocab:
                kept = 1.0 if end == start + 1 else 1 - dropout
                for rest, share in ways(text, end):
                    yield (token, *rest), left * kept * share
                left *= 1 - kept

    expected: Counter[str] = Counter()
    for cut, share in ways("aababa", 0):
        expected[" ".join(cut)] += share
    agree(shares(tok, "aababa", "maxmatch-dropout", dropout), expected)


def test_a_word_in_which_nothing_is_left_is_cut_as_ever() -> None:
    """Without `ab` there is no way: no `##b`. And `a ##bc` is one that the longest match misses."""
    assert shares(word_piece("a ab ##c"), "abc", "maxmatch-dropout", 0.5) == {"ab ##c": 1.0}
    drawn = shares(word_piece("a ab ##bc"), "abc", "maxmatch-dropout", 0.5)
    agree(drawn, {"[UNK]": 3 / 4, "a ##bc": 1 / 4})
    agree(shares(word_piece("a ab"), "abc a", "maxmatch-dropout", 0.5), {"[UNK] a": 1.0})


# ── StochasTok ────────────────────────────────────────────────────────────────────────────────
MODEL = bpe("a b c ab abc bc", "a+b ab+c b+c")


def test_stochastok_of_one_token() -> None:
    """One pick, two ways to cut `abc`."""
    tok = kugiri.Tokenizer(spec.TokenizerSpec(MODEL))
    agree(shares(tok, "abc", "stochastok", 1.0), {"a bc": 0.5, "ab c": 0.5})


def test_stochastok_of_two_tokens() -> None:
    """`abc ab`, two picks. The first makes `a bc ab` or `ab c ab` (¼ each) or `abc a b` (½), the
    second picks one of three tokens, and it is used up where that is `a`, `b` or `c`.
    """
    tok = kugiri.Tokenizer(spec.TokenizerSpec(MODEL))
    assert names(tok, tok.encode("abcab")) == "abc ab"
    expected = {
        "a bc ab": 1 / 12,
        "ab c ab": 1 / 12,
        "abc a b": 1 / 3,
        "a b c ab": 1 / 6,
        "a bc a b": 1 / 6,
        "ab c a b": 1 / 6,
    }
    agree(shares(tok, "abcab", "stochastok", 1.0), expected)


@pytest.mark.parametrize("alpha", [0.5, 0.75, 1.0])
def test_stochastok_by_enumeration(alpha: float) -> None:
    """The rule on a list of tokens, in which a part stands where it was cut off."""
    tok = kugiri.Tokenizer(spec.TokenizerSpec(MODEL))
    begin = tuple(names(tok, tok.encode("abcbcaabc")).split())
    assert begin == ("abc", "bc", "a", "abc")

    @cache
    def ways(tokens: tuple[str, ...], picks: int) -> dict[tuple[str, ...], float]:
        if not picks:
            return {tokens: 1.0}
        found: Counter[tuple[str, ...]] = Counter()
        for at, token in enumerate(tokens):
            cuts = [(token[:i], token[i:]) for i in range(1, len(token))]
            pairs = [pair for pair in cuts if {*pair} <= tok.vocab.keys()] or [(token,)]
            for pair in pairs:
                rest = ways((*tokens[:at], *pair, *tokens[at + 1 :]), picks - 1)
                for cut, share in rest.items():
                    found[cut] += share / len(tokens) / len(pairs)
        return found

    expected = {" ".join(cut): share for cut, share in ways(begin, int(alpha * 4)).items()}
    agree(shares(tok, "abcbcaabc", "stochastok", alpha), expected)


def test_stochastok_inside_words() -> None:
    """A right part carries the prefix, the left part of a begin does not."""
    tok = word_piece("a ab abc b ##b ##c ##bc ##d bc")
    agree(shares(tok, "abc", "stochastok", 1.0), {"a ##bc": 0.5, "ab ##c": 0.5})
    tok = word_piece("x x ##bc ##b ##c bc b c")
    agree(shares(tok, "xbc", "stochastok", 0.5), {"x ##bc": 0.5, "x ##b ##c": 0.5})


def test_stochastok_at_the_end_of_words() -> None:
    """The suffix goes with the right part, which has something before it."""
    model = bpe("a b$ ab$ a$ $ b", "a+b$", end_of_word_suffix="$")
    tok = kugiri.Tokenizer(spec.TokenizerSpec(model))
    agree(shares(tok, "ab", "stochastok", 1.0), {"a b$": 1.0})
    agree(shares(tok, "a", "stochastok", 1.0), {"a$": 1.0})
