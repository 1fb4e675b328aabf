"""When a merge list and the ranks of a `.tiktoken` file make the same tokens of every text.

Rule.    A merge list joins the pair whose merge stands first; a `.tiktoken` file joins the pair
         whose join has the lowest id, however the join is cut in two. Both do the same for every
         text if

         1. every token of several bytes is the result of exactly one merge, and the ids of the
            results ascend with the rows,
         2. each part of a merge is a single byte or the result of an earlier row,
         3. every token, spelled in single bytes and encoded by the merge list, is itself again.

         Why. By 2, encoding is the same as applying row after row, each to the whole text. So what
         happens between two places that no token crosses does not depend on what lies outside.
         Let l and r be neighbours whose join is the token t of row k. Had row k already been
         applied, t would stand there by 3. So rows before k have been applied, and by 3 what they
         leave of t is the two parts of row k: (l, r) is that very pair. Hence no pair but those of
         the list ever has a joined token in a text, and by 1 both rules rank them alike.
         `every_cut` is the other way round, as transformers writes ranks: a list with every cut of
         every token into two, in order of ids, of which only the right ones are ever met. It says
         what ranks say together with `ignore_merges`.
Cost.    O(n) for n bytes of all tokens together.
Source.  The walk along the border of two tokens is that of the `bpe` crate of rust-gems, with rows
         in place of ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Row: TypeAlias = tuple[int, int, int]
"""A merge as the ids of left, right and result."""


def why_not_by_rank(rows: Sequence[Row], tokens: dict[int, bytes]) -> str | None:
    """The reason why ranks of bytes may give other tokens than a merge list; None if they do not.

    Args:
        rows: the merges in order.
        tokens: the bytes of each id, special tokens left out.
    """
    row_of = {result: row for row, (_, _, result) in enumerate(rows)}
    for row, (left, right, result) in enumerate(rows):
        if row and result <= rows[row - 1][2]:
            return (
                f"merge {row} makes {tokens[result]!r} with id {result}, "
                f"not above the id {rows[row - 1][2]} that the merge before makes"
            )
        for part in (left, right):
            if len(tokens[part]) > 1 and row_of.get(part, row) >= row:
                return f"merge {row} uses {tokens[part]!r} before a merge makes it"
    for id, token in tokens.items():
        if len(token) > 1 and id not in row_of:
            return f"no merge makes the token {token!r} with id {id}"
    pairs = {(left, right): row for row, (left, right, _) in enumerate(rows)}
    for row, (left, right, result) in enumerate(rows):
        if _is_crossed(left, right, row, rows, row_of, pairs):
            return f"the merge list never makes {tokens[result]!r} of its own bytes"
    return None


def every_cut(tokens: dict[int, bytes]) -> list[Row]:
    """Every cut of every token into two tokens, in order of (token, left, right).

    Exact wherever why_not_by_rank would find a merge list behind the ranks, since then only one cut
    of a token is ever met; other tokens are reached as whole words.

    Example:
        >>> every_cut({0: b"a", 1: b"aa", 2: b"aaa"})
        [(0, 0, 1), (0, 1, 2), (1, 0, 2)]
    """
    ids = {token: id for id, token in tokens.items()}
    rows: list[Row] = []
    for id, token in sorted(tokens.items()):
        cuts = ((token[:at], token[at:]) for at in range(1, len(token)))
        found = [(ids[left], ids[right]) for left, right in cuts if left in ids and right in ids]
        rows += [(*parts, id) for parts in sorted(found)]
    return rows


def _is_crossed(
    left: int,
    right: int,
    row: int,
    rows: Sequence[Row],
    row_of: dict[int, int],
    pairs: dict[tuple[int, int], int],
) -> bool:
    """Whether an earlier merge than `row` joins an end of `left` with a beginning of `right`.

    Goes back in time: undoes whichever of the two tokens at the border was made later, and asks
    whether the pair that then met there would have been joined before it.
    """
    limit = row
    while True:
        if pairs.get((left, right), limit) < limit:
            return True
        left_row, right_row = row_of.get(left, -1), row_of.get(right, -1)
        if left_row < 0 and right_row < 0:
            return False
        if left_row > right_row:
            # Of equal pairs in a row the leftmost is joined first: the one inside `left`.
            left, limit = rows[left_row][1], left_row
        else:
            right, limit = rows[right_row][0], right_row + 1
