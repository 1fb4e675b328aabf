"""One text, cut by several tokenizers: counts of all of it, tokens of a window.

Rule.    The bytes of a token are those of the text that it stands for. It differs if not every
         other tokenizer has a token of just these; one that a template put in is of no text, and
         never differs. Tokens of a window are those that begin in it; what stands behind the text
         is in the last one. It ends before its last character where more than MOST_SHOWN tokens of
         all tokenizers begin in it, but has one character at least. The fewest are those of a
         tokenizer that knew all of the text: one unknown token may stand for any number of
         characters, and is compared with nothing.
Cost.    That of encoding the whole text with places, once for each tokenizer; the newest are kept
         (encodings.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import floor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kugiri.errors import KugiriError
from kugiri.web import requests as asked
from kugiri.web.answers import options
from kugiri.web.encodings import Encoded, encode
from kugiri.web.failures import Failure, as_data, of_library
from kugiri.web.kept import Kept
from kugiri.web.store import Store

MOST_BYTES = 4 << 20
"""Of a text that is counted."""
MOST_SHOWN = 40_000
"""Tokens of a window, those of all tokenizers together."""
_MANY = 10
"""Times the fewest that are said as such; fewer are said in percent."""

_Rows = npt.NDArray[np.int64]


class _Column(NamedTuple):
    """A tokenizer and what it made of the text.

    Attributes:
        kept: the tokenizer.
        total: how many tokens all the text has.
        unknown: how many of these are the one for the unknown.
        end: where its window ends.
        window: those of a window; no more is held, since a text may have millions.
    """

    kept: Kept
    total: int
    unknown: int
    end: int
    window: Encoded

    def places(self) -> _Rows:
        """The bytes of each token of the window, as one number."""
        starts, ends = (it.astype(np.int64) for it in self.window[2:4])
        return (starts << 32) | ends


def tokens(store: Store, its: asked.Tokens) -> dict[str, Any]:
    """The columns of a text.

    A tokenizer that is not there, or takes no such text, has a column that says so.

    Raises:
        Failure: it is too long.
    """
    data = its.text.encode()
    size = len(data)
    if size > MOST_BYTES:
        raise Failure(
            413,
            f"the text has {size:,} bytes; at most {MOST_BYTES:,} are counted; take a part",
            "long text",
            size=size,
            most=MOST_BYTES,
        )
    found = [_column(store, name, its) for name in its.tokenizers]
    ends = (it.end for it in found if isinstance(it, _Column))
    starts = [it.window.starts for it in found if isinstance(it, _Column)]
    end = _end(its.start, min(ends, default=its.start + its.characters), starts)
    found = [_until(it, its, end) if isinstance(it, _Column) else it for it in found]
    columns = [it for it in found if isinstance(it, _Column)]
    least = min((it.total for it in columns if not it.unknown), default=0)
    common = _common([it.places() for it in columns])
    return {
        "characters": len(its.text),
        "bytes": size,
        "columns": [
            {
                "name": name,
                **(
                    _answer(it, its.text, data, least, ~np.isin(it.places(), common))
                    if isinstance(it, _Column)
                    else _refused(it)
                ),
            }
            for name, it in zip(its.tokenizers, found, strict=True)
        ],
        "next": end if end < len(its.text) else None,
    }


def _common(places: Sequence[_Rows]) -> _Rows:
    return reduce(np.intersect1d, places) if places else np.zeros(0, np.int64)


def _column(store: Store, name: str, its: asked.Tokens) -> _Column | Failure:
    try:
        kept = store.get(name)
        key = (kept.number, its.text, its.allow_special, its.add_special_tokens)
        encoded = store.encodings.get(key, lambda: _encode(kept, its))
    except Failure as failure:
        return failure
    except KugiriError as error:
        return of_library(error)
    last = its.start + its.characters
    unknown = 0 if kept.facts.unknown is None else int((encoded.ids == kept.facts.unknown).sum())
    rows = _rows(encoded.starts, its.start, last, its.text)
    end = _end(its.start, last, [encoded.starts[rows]])  # before places of millions are copied
    rows = rows[encoded.starts[rows] < end] if end < last else rows
    return _Column(kept, len(encoded.ids), unknown, end, encoded.at(rows))


def _rows(starts: npt.NDArray[np.int32], first: int, end: int, text: str) -> _Rows:
    return np.flatnonzero((starts >= first) & ((starts < end) | (end >= len(text))))


def _end(first: int, end: int, starts: Sequence[npt.NDArray[np.int32]]) -> int:
    """Where a window ends that has no more than MOST_SHOWN tokens, or one character."""
    every = np.sort(np.concatenate(starts)) if starts else np.zeros(0, np.int32)
    return end if len(every) <= MOST_SHOWN else min(end, max(first + 1, int(every[MOST_SHOWN])))


def _until(column: _Column, its: asked.Tokens, end: int) -> _Column:
    rows = _rows(column.window.starts, its.start, end, its.text)
    return column._replace(window=column.window.at(rows))


def _encode(kept: Kept, its: asked.Tokens) -> Encoded:
    kept.refuse_normalized(its.text)
    return encode(kept.tokenizer, its.text, options(its))


def _refused(failure: Failure) -> dict[str, Any]:
    names = ("count", "bytes_per_token", "characters_per_token", "more_than_least", "more")
    numbers: dict[str, Any] = dict.fromkeys(names)
    return {**numbers, "exact": False, "unknown": 0, "tokens": [], **as_data(failure)}


def _answer(
    column: _Column, text: str, data: bytes, least: int, differs: npt.NDArray[np.bool_]
) -> dict[str, Any]:
    count, unknown, window = column.total, column.unknown, column.window
    return {
        "count": count,
        "bytes_per_token": len(data) / count if count else None,
        "characters_per_token": len(text) / count if count else None,
        "exact": window.exact,
        "unknown": unknown,
        "more_than_least": count / least if least and not unknown else None,
        "more": more(count, least) if 0 < least < count and not unknown else None,
        "tokens": _tokens(column, data, (differs & window.of_text).tolist()),
        "error": None,
    }


def more(count: int, least: int) -> Mapping[str, str]:
    """How many more than the fewest, as both the page and a file that is shared say it.

    Example:
        >>> more(1_035, 1_000), more(9, 8), more(21, 2), more(750_001, 750_000)
        ({'percent': '3.5'}, {'percent': '13'}, {'times': '11'}, {'percent': '< 0.1'})
    """
    times = Fraction(count, least)
    if times >= _MANY:
        return {"times": f"{_rounded(times):,}"}
    percent = 100 * (times - 1)
    if percent >= 10:
        return {"percent": str(_rounded(percent))}
    whole, tenth = divmod(_rounded(10 * percent), 10)
    if (whole, tenth) == (0, 0):
        return {"percent": "< 0.1"}
    return {"percent": f"{whole}.{tenth}"}


def _rounded(value: Fraction) -> int:
    """The nearest whole number; a half is rounded up, as by hand."""
    return floor(value + Fraction(1, 2))


def _tokens(column: _Column, data: bytes, differs: list[bool]) -> list[dict[str, Any]]:
    kept, window = column.kept, column.window
    facts, ids = kept.facts, window.ids.tolist()
    of_id = {
        id: {
            "special": id in facts.special,
            "unknown": id == facts.unknown,
            "part": _is_part(kept, id),
            "rank": facts.rank(id),
            "score": facts.score(id),
        }
        for id in set(ids)
    }
    strings = kept.tokenizer._strings.shown(ids, window.met)
    places = (it.tolist() for it in window[2:6])
    return [
        {
            "id": id,
            "text": facts.read(id, string),
            "bytes": data[first_byte:last_byte].hex(),
            "start": start,
            "end": end,
            "differs": differ,
            **of_id[id],
        }
        for id, string, first_byte, last_byte, start, end, differ in zip(
            ids, strings, *places, differs, strict=True
        )
    ]


def _is_part(kept: Kept, id: int) -> bool:
    """Whether a token is bytes that are no whole characters."""
    if id in kept.facts.added:
        return False
    try:
        kept.tokenizer.token_bytes(id).decode()
    except UnicodeDecodeError:
        return True
    return False
