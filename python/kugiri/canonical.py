"""Canonical ids: those that encoding gives, and what may stand beside what in them.

Rule.    Ids are canonical if they are what encoding their text gives. Inside a pre-token, BPE
         decides that by neighbours: ids are what merging gives if and only if each two of them are.
         Two tokens are, if no merge joins the last part of one with the first part of the other.
         Undo the later of the merges that made the two, again and again: the parts that touch must
         have no merge that comes before the one undone; of equal ranks the left one comes first.
Cost.    The tables are made once, a numpy pass for each length of a token. All neighbours of one
         token take a pass for each merge along the edge of the longest.
Source.  Adjacent validity as in rust-gems and byte-sampler; the merge loop is the tests' oracle.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from kugiri.encoding import Ids
from kugiri.errors import OptionError, described
from kugiri.spec import BPE, TokenizerSpec, is_byte_level

if TYPE_CHECKING:
    from collections.abc import Callable

_I64 = npt.NDArray[np.int64]
_Bool = npt.NDArray[np.bool_]

_NEVER = 1 << 62
"""The rank of a pair that has no merge."""
_ALPHABET = -1
"""The rank of a token that no merge makes."""


class Healed(NamedTuple):
    """Ids without the end that a longer token could replace.

    Attributes:
        ids: those that stay.
        prefix: the bytes that were cut; the next token must begin with them, so
            `tokens_with_prefix(prefix)` are the candidates. Empty where nothing was cut.
    """

    ids: list[int]
    prefix: bytes


def require_bytes(spec: TokenizerSpec) -> BPE:
    """The model, if each of its tokens is the same bytes wherever it stands.

    Raises:
        OptionError: it is another one.
    """
    model = spec.model
    is_bytes = getattr(model, "unit", "") == "byte" or is_byte_level(spec.pre_tokenizer)
    if isinstance(model, BPE) and is_bytes and not (model.end_of_word or model.end_of_word_suffix):
        return model
    raise OptionError(
        f"this {type(model).__name__} model is not byte-level: the bytes of a token depend on "
        "where it stands; is_canonical works with every tokenizer"
    )


class TokenTable:
    """The tokens in the order of a dictionary, special ones left out."""

    def __init__(self, ids: list[int], strings: list[bytes]) -> None:
        """Sort the tokens by their bytes."""
        rows = sorted((string, id) for id, string in zip(ids, strings, strict=True) if string)
        self._strings = [string for string, _ in rows]
        self._ids = np.array([id for _, id in rows], np.uint32)
        self._longest = max(map(len, self._strings), default=0)

    def with_prefix(self, prefix: bytes) -> Ids:
        """The ids of the tokens that begin so, by their bytes."""
        if not isinstance(prefix, bytes):
            raise OptionError(f"prefix is bytes; {described(prefix)} came: use text.encode()")
        start = bisect_left(self._strings, prefix)
        end = bisect_right(self._strings, prefix, start, key=lambda string: string[: len(prefix)])
        return self._ids[start:end]

    def heal(self, ids: list[int], string: Callable[[int], bytes | None]) -> Healed:
        """Cut the longest end that begins a longer token; `string` is None for a special token."""
        cut, prefix, end = len(ids), b"", b""
        for place in range(len(ids) - 1, -1, -1):
            piece = string(ids[place])
            if piece is None or len(end) + len(piece) >= self._longest:
                break
            end = piece + end
            start = bisect_right(self._strings, end)
            if start < len(self._strings) and self._strings[start].startswith(end):
                cut, prefix = place, end
        return Healed(ids[:cut], prefix)


class Neighbours:
    """Which tokens can stand side by side inside a pre-token of a BPE with a list of merges."""

    def __init__(self, model: BPE, ids: list[int], strings: list[bytes]) -> None:
        """Find the merges that make each token.

        Raises:
            OptionError: merges do not come after those of their parts, or are no list.
        """
        if model.order != "list" or model.merges is None:
            raise OptionError(
                f"the merges of this BPE are found by {model.order}, not listed, and what may "
                'follow is not exact; use kugiri.convert(tok, "tokenizer.json"), which lists them'
            )
        left, right, made = (
            getattr(model.merges, name).astype(np.int64) for name in ("left", "right", "result")
        )
        pairs = left << 32 | right
        # Of a pair that stands twice the last row counts.
        self._made = made
        unique, last = np.unique(pairs[::-1], return_index=True)
        self._pairs, self._pair_ranks = unique, len(pairs) - 1 - last
        size = max([*ids, *made.tolist(), 0]) + 1
        lengths = np.zeros(size, np.int64)
        lengths[ids] = [len(string) for string in strings]
        self._rank = np.full(size, _ALPHABET, np.int64)
        self._left, self._right = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._reached = lengths == 1
        rows = np.sort(self._pair_ranks)
        for length in np.unique(lengths[made[rows]]).tolist():
            its = rows[lengths[made[rows]] == length]
            self._settle(its, left[its], right[its], made[its])

    def _settle(self, ranks: _I64, left: _I64, right: _I64, made: _I64) -> None:
        """Find the merges, among all that make tokens of one length, that really make them."""
        known = self._reached[left] & self._reached[right]
        ordered = ranks > np.maximum(self._rank[left], self._rank[right])
        real = known & ordered
        real[real] = self._apart(left[real], right[real], ranks[real])
        into = made[real]
        self._rank[into], self._left[into], self._right[into] = ranks[real], left[real], right[real]
        self._reached[into] = True
        doubtful = known & ~ordered & ~self._reached[made]
        for parts in zip(left[doubtful].tolist(), right[doubtful].tolist(), strict=True):
            if len(self._merged([*self._units(parts[0]), *self._units(parts[1])])) == 1:
                raise OptionError(
                    f"the tokens {parts[0]} and {parts[1]} have a merge that comes before those "
                    "of their parts, and what may follow is not exact; is_canonical works with "
                    "every tokenizer"
                )

    def _units(self, id: int) -> list[int]:
        """What a token is merged from."""
        if self._rank[id] == _ALPHABET:
            return [id]
        return [*self._units(int(self._left[id])), *self._units(int(self._right[id]))]

    def _merged(self, ids: list[int]) -> list[int]:
        """What merging really makes of them."""
        while len(ids) > 1:
            ranks = self._ranks(np.array(ids[:-1]), np.array(ids[1:]))
            at = int(ranks.argmin())
            if ranks[at] == _NEVER:
                break
            ids = [*ids[:at], int(self._made[ranks[at]]), *ids[at + 2 :]]
        return ids

    def after(self, id: int) -> Ids:
        """The tokens that merging leaves behind a token, ascending."""
        if id >= len(self._reached) or not self._reached[id]:
            return np.zeros(0, np.uint32)
        right = np.flatnonzero(self._reached)
        left, never = np.full(len(right), id), np.full(len(right), _NEVER)
        return right[self._apart(left, right, never)].astype(np.uint32)

    def _apart(self, left: _I64, right: _I64, limit: _I64) -> _Bool:
        """Whether no merge before `limit` joins what touches, for each pair."""
        apart = np.ones(len(left), np.bool_)
        at, or_equal = np.arange(len(left)), np.zeros(len(left), np.bool_)
        while len(at):
            joins = self._ranks(left, right)
            good = (joins > limit) | (joins == limit) & ~or_equal
            apart[at[~good]] = False
            of_left, of_right = self._rank[left], self._rank[right]
            go = good & (np.maximum(of_left, of_right) > _ALPHABET)
            at, left, right, of_left, of_right = (
                array[go] for array in (at, left, right, of_left, of_right)
            )
            or_equal = of_right >= of_left  # undone on the right: the pair to its left came first
            limit = np.maximum(of_left, of_right)
            left = np.where(or_equal, left, self._right[left])
            right = np.where(or_equal, self._left[right], right)
        return apart

    def _ranks(self, left: _I64, right: _I64) -> _I64:
        if not len(self._pairs):
            return np.full(len(left), _NEVER)
        pairs = left << 32 | right
        rows = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        return np.where(self._pairs[rows] == pairs, self._pair_ranks[rows], _NEVER)
