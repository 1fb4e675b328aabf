"""One text as each tokenizer cuts it, one under the other.

Rule.    Tokens are parted by lines and stand on two grounds in turn. One tokenizer, the reference
         or else the first, is what the others are held against: their tokens are marked where it
         has none that covers the same characters. A space looks the same whether a vocabulary
         writes it as ▁, and a byte whether as `<0xE7>`.
Cost.    The first characters of a text, however long it is.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from kugiri.explain.glyphs import visible
from kugiri.explain.html.elements import Markup, element, language, named, quoted, together
from kugiri.measure.report import Report, Split
from kugiri.reference.vocab import SPACE

_CHARACTERS = 400
"""Of each text so many are shown,"""
_TOKENS = 400
"""in so many tokens at most,"""
_TOKEN = 80
"""and so many characters of a token: pieces may be as long as their text."""

_BYTE = re.compile("<0x[0-9A-F]{2}>")
_CODE = re.compile("[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
"""Of a language; aligned texts may be called anything."""


def held_against(report: Report) -> str | None:
    """The tokenizer that the others are held against; none where there is but one."""
    names = [it.name for it in report.tokenizers]
    if len(names) < 2:
        return None
    return report.reference if report.reference in names else names[0]


def samples(report: Report) -> list[Markup]:
    """The split texts, under their corpora."""
    base = held_against(report)
    languages = {it.name: it.language for it in report.corpora}
    parts = []
    for corpus, splits in groupby(report.splits, lambda split: split.corpus):
        parts.append(element("h3", named(corpus), class_="plain"))
        parts += [_sample(split, languages.get(corpus), base) for split in splits]
    return parts


def _sample(split: Split, known: str | None, base: str | None) -> Markup:
    its = {tuple(span) for span in split.spans.get(base or "", ())}
    rows = []
    for name, tokens in split.tokens.items():
        spans = split.spans[name]
        shown = sum(start < _CHARACTERS for start, _ in spans[:_TOKENS])
        pieces = [
            _token(
                _read(token, split.text[slice(*span)]),
                is_marked=base is not None and name != base and tuple(span) not in its,
            )
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


def _token(token: str, *, is_marked: bool) -> Markup:
    own = "own" if is_marked else None
    if len(token) <= _TOKEN:
        return element("span", quoted(token), class_=own)
    more = f"… {len(token) - _TOKEN:,} more characters"
    return element("span", quoted(token[:_TOKEN]), element("small", more), class_=own)


def _read(token: str, covered: str) -> str:
    """The text of a token, where that is what is shown of it; spaces and bytes in one form.

    Example:
        >>> _read("▁low", "low"), _read("▁", "▁"), _read("<0xE7>", "猫"), _read("␠", " ")
        (' low', '▁', '<e7>', ' ')
    """
    if visible(covered) == token:
        return covered
    if _BYTE.fullmatch(token):
        return f"<{token[3:5].lower()}>"
    return token if SPACE in covered else token.replace(SPACE, " ")


def _direction(text: str) -> str | None:
    """rtl, if the first character that has a direction is written from the right."""
    ways = (unicodedata.bidirectional(character) for character in text)
    return "rtl" if next((way for way in ways if way in ("L", "R", "AL")), "L") != "L" else None
