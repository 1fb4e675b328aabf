"""One text as each tokenizer cuts it, one under the other.

Rule.    Tokens are parted by lines and stand on two grounds in turn. One tokenizer, the reference
         or else the first, is what the others are held against: their tokens are marked where it
         has not the same on the same characters, as bytes where it has the whole character. A
         space looks the same whether a vocabulary writes it as ▁, and a byte whether as `<0xE7>`.
Cost.    The first characters of a text, however long it is.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from kugiri.explain.glyphs import visible
from kugiri.explain.html.elements import Markup, element, language, named, parted, quoted, together
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
_CODE_LIKE = re.compile(r"(?m)^(?:\t|  )\s*[!-~]|[;{}]\s*$|[A-Za-z_]\([!-~]*\)")
"""What a text has that is set with letters of one width: indentation, braces, calls."""
_CONTROLS = {"\t": "tab", "\n": "line feed", "\r": "carriage return", "\x7f": "delete"}


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
        its = list(splits)
        is_code = any(_CODE_LIKE.search(split.text[:_CHARACTERS]) for split in its)
        parts += [_sample(it, languages.get(corpus), base, is_code=is_code) for it in its]
    return parts


def glyphs_of(report: Report) -> list[Markup]:
    """What the names in small type mean, of those that are there."""
    found = sorted({it for split in report.splits for it in split.text[:_CHARACTERS] if it != " "})
    glyphs: list[str] = [
        together(glyph, " ", _called(it))
        for it in found
        if (glyph := quoted(it)).startswith('<bdi><i class="glyph"')
    ]
    if not glyphs:
        return []
    row = [part for it in glyphs for part in (", ", it)][1:]
    return [element("p", "Named are characters that cannot be seen: ", row, ".", class_="soft")]


def _called(character: str) -> str:
    r"""The name of a character, in small letters.

    Example:
        >>> _called("\u3000"), _called("\n"), _called("\0")
        ('ideographic space', 'line feed', 'control character 00')
    """
    return unicodedata.name(character, "").lower() or _CONTROLS.get(
        character, f"control character {ord(character):02X}"
    )


def _sample(split: Split, known: str | None, base: str | None, *, is_code: bool) -> Markup:
    its = {
        (tuple(span), _read(token, split.text[slice(*span)]))
        for token, span in zip(
            split.tokens.get(base or "", ()), split.spans.get(base or "", ()), strict=False
        )
    }
    rows = []
    for name, tokens in split.tokens.items():
        spans = split.spans[name]
        shown = sum(start < _CHARACTERS for start, _ in spans[:_TOKENS])
        read = [
            (tuple(span), _read(token, split.text[slice(*span)]))
            for token, span in zip(tokens[:shown], spans, strict=False)
        ]
        is_held = base is not None and name != base
        pieces = [_token(it[1], is_marked=is_held and it not in its) for it in read]
        count = f"{len(tokens):,} tokens"
        if shown < len(tokens):
            count += f", the first {shown:,} shown"
        head = element("dt", parted(name), element("small", count))
        spoken = known if _CODE.fullmatch(known or "") else language(split.text[:_CHARACTERS])
        way = _direction(split.text[:_CHARACTERS])
        kind = "split code" if is_code else "split"
        cut = element("ol", pieces, lang=spoken, dir=way, class_=kind, role="list")
        rows.append(head + element("dd", cut))
    parts = [element("dl", rows, class_="side")]
    if len(split.text) > _CHARACTERS:
        left = f"The first {_CHARACTERS:,} of {len(split.text):,} characters."
        parts.append(element("p", left, class_="soft"))
    return together(*parts)


def _token(token: str, *, is_marked: bool) -> Markup:
    own = "own" if is_marked else None
    said = [element("span", " (its own)", class_="unseen")] if is_marked else []
    if len(token) <= _TOKEN:
        return element("li", quoted(token), *said, class_=own)
    more = f"… {len(token) - _TOKEN:,} more characters"
    return element("li", quoted(token[:_TOKEN]), element("small", more), *said, class_=own)


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
