"""Tokens of several tokenizers over each other, as the parts of a score, without a script.

Rule.    The text is parted into stretches where every tokenizer has a cut. A stretch is a column
         with a row for each; columns follow each other, and a line ends where the window does. The
         names are drawn by the style, left of each line. Where no common cut comes for long, each
         row is a paragraph of its own.
Cost.    One pass over the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from kugiri.explain.html.elements import Markup, element, language, named, plainly, quoted
from kugiri.unicode import NEWEST, category

Tokens = Sequence[dict[str, Any]]

_WIDE, _LONG = 11, 26
"""Wider columns, in em, become smaller in a narrow window, and those wider still are paragraphs."""
_MOST_DRAWN = 400
"""Characters of a token: what is unknown may be all of a text."""
_LONE = 2.8
"""A last column of one or two characters, no wider than this, has no line of its own."""
_BYTE_PIECE = re.compile("<0x[0-9A-F]{2}>")
"""As SentencePiece names what it falls back on."""
_LETTERS = re.compile(r"[^\W\u2e80-\U0010ffff]{2}")
"""Two in a row are of a word, in writing that parts words by spaces."""
_CLOSING = ("Pe", "Pf", "Po")
"""Categories of what does not begin a line."""
_GLYPH = re.compile("<i class=.glyph.>(.*?)</i>")


class Part(NamedTuple):
    """A tokenizer's part of the score: its number and name, what its model is, and its tokens."""

    number: int
    name: str
    kind: str
    tokens: Tokens


def cuts_of(tokens: Tokens) -> set[int]:
    """The places where a tokenizer has a cut: no token lies over it.

    Example:
        >>> tokens = [{"start": 0, "end": 2}, {"start": 1, "end": 3}, {"start": 4, "end": 5}]
        >>> sorted(cuts_of(tokens))
        [0, 3, 4, 5]
    """
    cuts = set()
    reached = tokens[0]["start"] if tokens else 0
    for token in tokens:
        if token["start"] > reached:
            cuts.add(reached)  # what lies between is in no token
        if token["start"] >= reached:
            cuts.add(token["start"])
        reached = max(reached, token["end"])
    return cuts | {reached}


def common_cuts(parts: Sequence[Tokens]) -> list[int]:
    """The places where all have a cut; one that has no tokens has nothing to say."""
    cuts = [cuts_of(tokens) for tokens in parts if tokens]
    return sorted(set.intersection(*cuts)) if cuts else []


def stretches(parts: Sequence[Tokens]) -> Iterator[tuple[int, list[Tokens]]]:
    """Where each stretch between two common cuts begins, and the tokens that each has there.

    What was put in behind the text, and what lies over the last cut, is in the last stretch.

    Example:
        >>> def token(start: int, end: int) -> dict[str, int]:
        ...     return {"start": start, "end": end}
        >>> one, other = [token(0, 3), token(3, 5)], [token(0, 1), token(1, 3), token(3, 5)]
        >>> [(at, [len(its) for its in row]) for at, row in stretches([one, other])]
        [(0, [1, 2]), (3, [1, 1])]
    """
    begin = min((tokens[0]["start"] for tokens in parts if tokens), default=0)
    end = max((tokens[-1]["end"] for tokens in parts if tokens), default=0)
    cuts = [begin, *(it for it in common_cuts(parts) if begin < it < end), end + 1]
    done = [0] * len(parts)
    for start, stop in pairwise(cuts):
        row = []
        for nth, tokens in enumerate(parts):
            first = at = done[nth]
            while at < len(tokens) and tokens[at]["start"] < stop:
                at += 1
            done[nth] = at
            row.append(tokens[first:at])
        if any(row):
            yield start, row


def score(parts: Sequence[Part], text: str) -> Markup:
    """The tokens of all, over each other."""
    numbers = [str(part.number) for part in parts]
    names = [f"{part.number} {plainly(part.name)}" for part in parts]
    drawn = [(at, *_column(parts, row)) for at, row in stretches([it.tokens for it in parts])]
    return element(
        "div",
        _words(drawn, text),
        class_="score" if len(parts) > 1 else "score alone",
        style=f"--names:{_in_style(names)};--numbers:{_in_style(numbers)}",
        lang=language(text),
    )


def _words(columns: Sequence[tuple[int, Markup, float]], text: str) -> list[Markup]:
    """Columns by words: a line ends behind a line end of the text, and not within a short word.

    A closing mark, and one or two characters at the end, stay with what is before them.
    """
    words: list[list[Markup]] = []
    wide = 0.0  # of the last word, in em
    for at, column, width in columns:
        before, after = (text[at - 1], text[at : at + 1]) if at else ("", "")
        within = _LETTERS.fullmatch(before + after) and wide + width <= _WIDE
        if not words or not (within or _joins(at, width, wide, text, at == columns[-1][0])):
            words.append([])
            wide = 0.0
        if before == "\n" and after not in ("", "\r", "\n"):
            words[-1].append(element("br"))
        words[-1].append(column)
        wide += width
    return [element("div", its, class_="word") for its in words]


def _joins(at: int, width: float, wide: float, text: str, is_last: bool) -> bool:
    """Whether a column stays with the word before it, if that is not so wide that it is shrunk."""
    if wide > _WIDE or width > _LONE or text[at - 1] == "\n":
        return False
    return (
        is_last or text[at : at + 1] == "\u30fc" or category(text[at : at + 1], NEWEST) in _CLOSING
    )


def _column(parts: Sequence[Part], row: Sequence[Tokens]) -> tuple[Markup, float]:
    """What all have of a stretch, and how wide it is, in em."""
    drawn = [[_token(it, part.kind) for it in its] for part, its in zip(parts, row, strict=True)]
    width = max(sum(map(_width, its)) for its in drawn)
    if width <= _LONG:
        wide = f"--width:{width:.0f}" if width > _WIDE else None
        return element("div", [element("p", its) for its in drawn], style=wide), width
    rows = [
        element("p", element("small", f"{part.number} ", named(part.name)), its)
        for part, its in zip(parts, drawn, strict=True)
    ]
    return element("div", rows, class_="long"), width


def _token(token: dict[str, Any], kind: str) -> Markup:
    text, mark = token["text"], ""
    classes = ["differs"] if token["differs"] else []
    is_byte = _BYTE_PIECE.fullmatch(text) is not None and len(token["bytes"]) == 2
    if token["unknown"]:
        mark = element("i", "UNK", class_="glyph")
        classes.append("unknown")
        if token["special"] and token["bytes"] and not token["part"]:
            text = bytes.fromhex(token["bytes"]).decode(errors="replace")
    elif is_byte:
        text = f"<{token['bytes']}>"
    elif token["special"]:
        classes.append("special")
    elif kind == "WordPiece" and text.startswith("##") and len(text) > 2:
        mark, text = element("i", "##", class_="mark"), text[2:]
    if len(text) > _MOST_DRAWN:
        text = f"{text[: _MOST_DRAWN - 1]}…"
    return quoted(text, before=mark, class_=" ".join(classes))


def _width(token: Markup) -> float:
    """How wide a token will be, in em, about."""
    glyphs = _GLYPH.findall(token)
    shown = re.sub("<[^>]*>", "", _GLYPH.sub("", token))
    each = 0.4 if 'class="bytes' in token else 0.56
    wide = sum(1 if ord(it) > 0x2E7F and category(it, NEWEST) != "Mn" else each for it in shown)
    return 0.4 + wide + sum(0.5 + 0.36 * len(it) for it in glyphs)


def _in_style(lines: Sequence[str]) -> str:
    """Lines as a string of the style: what is no letter is written by its code."""
    safe = (re.sub(r"[^\w ]", lambda it: f"\\{ord(it[0]):x} ", line) for line in lines)
    return "'" + r"\a ".join(safe) + "'"
