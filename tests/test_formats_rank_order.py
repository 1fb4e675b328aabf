"""When ranks of bytes and a merge list do the same: the check against brute force."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.formats.rank_order import Row, why_not_by_rank

A, B, C = 0, 1, 2
LETTERS = {A: b"a", B: b"b", C: b"c"}


def by_list(text: bytes, rows: list[Row]) -> list[int]:
    """Encode by the merge list, the obvious way."""
    row_of = {(left, right): row for row, (left, right, _) in enumerate(rows)}
    symbols = [byte - ord("a") for byte in text]
    while found := [(row_of[p], i) for i, p in enumerate(pairwise(symbols)) if p in row_of]:
        row, at = min(found)
        symbols[at : at + 2] = [rows[row][2]]
    return symbols


def by_rank(text: bytes, tokens: dict[int, bytes]) -> list[int]:
    """Encode by the lowest id of a join, the obvious way."""
    ids = {token: id for id, token in tokens.items()}
    symbols = [byte - ord("a") for byte in text]

    def joins() -> list[tuple[int, int]]:
        joined = (tokens[left] + tokens[right] for left, right in pairwise(symbols))
        return [(ids[join], i) for i, join in enumerate(joined) if join in ids]

    while found := joins():
        id, at = min(found)
        symbols[at : at + 2] = [id]
    return symbols


def vocabulary(rows: list[Row]) -> dict[int, bytes]:
    tokens = dict(LETTERS)
    for left, right, result in rows:
        tokens[result] = tokens[left] + tokens[right]
    return tokens


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], None),
        ([(A, B, 3), (3, C, 4)], None),
        ([(A, A, 3), (3, A, 4), (3, 3, 5)], None),
        ([(A, B, 4), (B, C, 3)], "merge 1 makes b'bc' with id 3, not above the id 4"),
        ([(A, B, 3), (B, C, 4), (3, C, 5), (A, 4, 5)], "merge 3 makes b'abc' with id 5"),
        ([(3, C, 4), (A, B, 5)], "merge 0 uses b'ab' before a merge makes it"),
        # b and c are joined first, so that a and bc are never ab and c.
        ([(B, C, 3), (A, B, 4), (4, C, 5)], "the merge list never makes b'abc'"),
        # Of aaa the first two are joined, so that a and aa never stand side by side.
        ([(A, A, 3), (A, 3, 4)], "the merge list never makes b'aaa'"),
    ],
)
def test_reasons(rows: list[Row], reason: str | None) -> None:
    tokens = {**LETTERS, 3: b"ab"} if rows and rows[0][0] == 3 else vocabulary(rows)
    tokens |= {result: tokens[left] + tokens[right] for left, right, result in rows}
    answer = why_not_by_rank(rows, tokens)
    assert answer is None if reason is None else answer is not None and answer.startswith(reason)


def test_a_token_that_no_merge_makes() -> None:
    answer = why_not_by_rank([(A, B, 3)], {**LETTERS, 3: b"ab", 4: b"cc"})
    assert answer == "no merge makes the token b'cc' with id 4"


@st.composite
def merge_lists(draw: st.DrawFn) -> list[Row]:
    """Merges in order, each of two tokens that there are, each making a new string."""
    letters = draw(st.integers(1, 3))
    tokens = {id: LETTERS[id] for id in range(letters)}
    rows: list[Row] = []
    for _ in range(draw(st.integers(1, 7))):
        left, right = draw(st.sampled_from(sorted(tokens))), draw(st.sampled_from(sorted(tokens)))
        join = tokens[left] + tokens[right]
        if join not in tokens.values() and len(join) <= 8:
            result = 3 + len(rows)
            tokens[result] = join
            rows.append((left, right, result))
    return rows


@settings(deadline=None)
@given(merge_lists())
def test_allowed_means_equal_for_every_text(rows: list[Row]) -> None:
    tokens = vocabulary(rows)
    answer = why_not_by_rank(rows, tokens)
    own = all(by_list(token, rows) == [id] for id, token in tokens.items())
    assert own == (answer is None), "the walk along the border is encoding a token's own bytes"
    if answer is None:
        texts = (bytes(text) for n in range(1, 7) for text in product(b"abc", repeat=n))
        assert all(by_list(text, rows) == by_rank(text, tokens) for text in texts)
