"""One text as each tokenizer cuts it, one under the other.

Rule.    Tokens are parted by lines and stand on two grounds in turn. A token is marked if not all
         tokenizers have one that covers the same characters.
Cost.    The first characters of a text, however long it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import groupby

from kugiri.explain.glyphs import visible
from kugiri.explain.html.elements import Markup, element, language, named, quoted, together
from kugiri.measure.report import Report, Split

_CHARACTERS = 400
"""Of each text so many are shown,"""
_TOKENS = 400
"""in so many tokens at most,"""
_TOKEN = 80
"""and so many characters of a token: pieces may be as long as their text."""

_CODE = re.compile("[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
"""Of a language; aligned texts may be called anything."""


def samples(report: Report) -> list[Markup]:
    """The split texts, under their corpora."""
    languages = {it.name: it.language for it in report.corpora}
    parts = []
    for corpus, splits in groupby(report.splits, lambda split: split.corpus):
        parts.append(element("h3", named(corpus), class_="plain"))
        parts += [_sample(split, languages.get(corpus)) for split in splits]
    return parts


def _sample(split: Split, known: str | None) -> Markup:
    everywhere = _common(split)
    rows = []
    for name, tokens in split.tokens.items():
        spans = split.spans[name]
        shown = sum(start < _CHARACTERS for start, _ in spans[:_TOKENS])
        pieces = [
            _token(_read(token, split.text[slice(*span)]), span, everywhere)
            for token, span in zip(tokens[:shown], spans, strict=False)
        ]
        count = f"{len(tokens):,} tokens"
        if shown < len(tokens):
            count += f", the first {shown:,} shown"
        head = element("dt", named(name), element("small", count))
        spoken = known if _CODE.fullmatch(known or "") else language(split.text[:_CHARACTERS])
        way = _direction(split.text[:_CHARACTERS])
        rows.append(head + element("dd", pieces, lang=spoken, dir=way, class_="split"))
    parts = [element("dl", rows, class_="side")]
    if len(split.text) > _CHARACTERS:
        cut = f"The first {_CHARACTERS:,} of {len(split.text):,} characters."
        parts.append(element("p", cut, class_="soft"))
    return together(*parts)


def _token(token: str, span: tuple[int, int], everywhere: Counter[tuple[int, int]]) -> Markup:
    own = None if tuple(span) in everywhere else "own"
    if len(token) <= _TOKEN:
        return element("span", quoted(token), class_=own)
    more = f"… {len(token) - _TOKEN:,} more characters"
    return element("span", quoted(token[:_TOKEN]), element("small", more), class_=own)


def _read(token: str, covered: str) -> str:
    """The text of a token, where that is what is shown of it."""
    return covered if visible(covered) == token else token


def _common(split: Split) -> Counter[tuple[int, int]]:
    """The spans that every tokenizer has, as often as each other."""
    counted = [Counter((start, end) for start, end in spans) for spans in split.spans.values()]
    if not counted:
        return Counter()
    first, *others = counted
    return Counter(
        {span: count for span, count in first.items() if all(it[span] == count for it in others)}
    )


def _direction(text: str) -> str | None:
    """rtl, if the first character that has a direction is written from the right."""
    ways = (unicodedata.bidirectional(character) for character in text)
    return "rtl" if next((way for way in ways if way in ("L", "R", "AL")), "L") != "L" else None
