"""Where two tokenizers cut a text differently, and why.

Rule.    The first tokens that are not alike, and all that follow up to the next place where both
         begin a token, are the difference. The first of `CAUSES` that holds for it is its cause.
Cost.    One more encoding of the text by each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from kugiri.encoding import Encoding, Ids
from kugiri.errors import EncodingError
from kugiri.spec import Unigram
from kugiri.tokenizer import Tokenizer

CAUSES = {
    "not encoded": "one of the two has no ids for the text",
    "special tokens": "one of the two finds a special token",
    "bytes": "one of the two spells a character in bytes",
    "unknown": "one of the two does not know a character or word",
    "other ids": "the same tokens under other ids",
    "white space": "white space is kept, dropped, joined or marked differently",
    "normalization": "the text is rewritten differently",
    "ties": "two ways to cut whose scores are equal, but for rounding",
    "other cut": "the same text is cut in another way",
}
"""The causes, in the order in which they are looked for, with what each means."""

_BYTE = re.compile("<0x[0-9A-F]{2}>")
_NOT_SPACE = re.compile(r"[^\s▁]+")
_TIE = 1e-4
"""Sums of scores that differ by less than this are equal but for rounding to 32 bits."""


class Difference(msgspec.Struct, frozen=True):
    """A text that two tokenizers cut differently.

    Attributes:
        text: all of it.
        number: which text of the corpus it is, from 1; None for a random one.
        span: the characters at which they differ first.
        a, b: the tokens of each there.
        a_ids, b_ids: their ids.
        cause: a name in CAUSES.
    """

    text: str
    number: int | None
    span: tuple[int, int]
    a: list[str]
    b: list[str]
    a_ids: list[int]
    b_ids: list[int]
    cause: str


class Side(NamedTuple):
    """What one tokenizer makes of the part of a text where they differ."""

    tokenizer: Tokenizer
    ids: list[int]
    tokens: list[str]
    special: list[bool]


def find_difference(
    pair: tuple[Tokenizer, Tokenizer], keys: tuple[Ids, ...], text: str, number: int | None
) -> tuple[Difference | None, int, int]:
    """The first difference; how many tokens both have, and how many there are.

    A token is common if both have it at its place; there are as many as the one with more has.

    Args:
        pair: the two tokenizers.
        keys: for each the key of each id; tokens with one key are the same.
        text: what both cut.
        number: which text it is, for the result.
    """
    one, other = (_encode(tokenizer, text) for tokenizer in pair)
    if one is None and other is None:
        return None, 0, 0
    if one is None or other is None:
        return _not_encoded(one, other, text, number), 0, len(one or other or ())
    rows = (_rows(one, keys[0]), _rows(other, keys[1]))
    common, most = len(set(rows[0]) & set(rows[1])), max(len(one), len(other))
    if [row[2] for row in rows[0]] == [row[2] for row in rows[1]]:
        return None, most, most
    (start, i), (_, j) = _first_region(*rows)
    a, b = _side(pair[0], one, start, i), _side(pair[1], other, start, j)
    places = one.covering_spans[start:i] + other.covering_spans[start:j]
    span = min(first for first, _ in places), max(end for _, end in places)
    cause = _cause(a, b, text[slice(*span)])
    return Difference(text, number, span, a.tokens, b.tokens, a.ids, b.ids, cause), common, most


def _not_encoded(
    one: Encoding | None, other: Encoding | None, text: str, number: int | None
) -> Difference:
    tokens = [it.tokens if it else [] for it in (one, other)]
    ids = [it.ids.tolist() if it else [] for it in (one, other)]
    return Difference(
        text, number, (0, len(text)), tokens[0], tokens[1], ids[0], ids[1], "not encoded"
    )


def _encode(tokenizer: Tokenizer, text: str) -> Encoding | None:
    try:
        return tokenizer.encode_with_offsets(text)
    except EncodingError:
        return None


def _side(tokenizer: Tokenizer, encoding: Encoding, first: int, last: int) -> Side:
    part = slice(first, last)
    ids = encoding.ids[part].tolist()
    return Side(tokenizer, ids, encoding.tokens[part], encoding.special[part])


# ── places ────────────────────────────────────────────────────────────────────────────────────
Row: TypeAlias = tuple[int, int, int]
"""The place of a token in bytes, and its key."""


def _rows(encoding: Encoding, keys: Ids) -> list[Row]:
    own = keys[encoding.ids].tolist()
    return [(start, end, key) for (start, end), key in zip(encoding.byte_spans, own, strict=True)]


def _first_region(one: list[Row], other: list[Row]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The tokens of each, from the first that differs to where both have come equally far."""
    same = 0
    while same < min(len(one), len(other)) and one[same][2] == other[same][2]:
        same += 1
    i = j = same
    while i < len(one) or j < len(other):
        if j >= len(other) or (i < len(one) and one[i][1] <= other[j][1]):
            i += 1
        else:
            j += 1
        if i > same and j > same and one[i - 1][1] == other[j - 1][1]:
            break
    return (same, i), (same, j)


# ── causes ────────────────────────────────────────────────────────────────────────────────────
def _cause(a: Side, b: Side, text: str) -> str:
    if any(a.special) != any(b.special):
        return "special tokens"
    if _has_bytes(a) != _has_bytes(b):
        return "bytes"
    if _has_unknown(a) != _has_unknown(b):
        return "unknown"
    if a.tokens == b.tokens:
        return "other ids"
    spoken = [side.tokenizer.decode(side.ids) for side in (a, b)]
    if not text.strip() or _words(a.tokens) == _words(b.tokens):
        return "white space"
    if _words(spoken) and _words(spoken[:1]) != _words(spoken[1:]):
        return "normalization"
    if _is_tie(a, b):
        return "ties"
    return "other cut"


def _words(tokens: Sequence[str]) -> list[str]:
    """The tokens without their white space."""
    return [word for token in tokens for word in _NOT_SPACE.findall(token)]


def _has_bytes(side: Side) -> bool:
    """Whether a token is a byte, or a part of a character."""
    return any(
        _BYTE.fullmatch(token) or "\ufffd" in side.tokenizer.decode([id])
        for id, token in zip(side.ids, side.tokens, strict=True)
        if "\ufffd" not in token
    )


def _has_unknown(side: Side) -> bool:
    return side.tokenizer.unknown_id in side.ids


def _is_tie(a: Side, b: Side) -> bool:
    one, other = _sum_of_scores(a, a), _sum_of_scores(a, b)
    return one is not None and other is not None and abs(one - other) <= _TIE * max(1, abs(one))


def _sum_of_scores(scorer: Side, side: Side) -> float | None:
    """The scores that a Unigram gives the tokens; None where it is none, or does not know one."""
    model = scorer.tokenizer.spec.model
    if not isinstance(model, Unigram) or model.ids is not None:
        return None
    ids = [scorer.tokenizer.vocab.get(token, len(model.vocab)) for token in side.tokens]
    known = all(id < len(model.vocab) for id in ids)
    return float(sum(model.scores.values[id] for id in ids)) if known else None
