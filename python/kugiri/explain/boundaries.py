"""Which rule parted two pre-tokens.

Rule.    A pre-tokenizer cuts in steps, each the pieces of the step before; a boundary is due to the
         first step that cut there. A regex says which of its alternatives ended and which began.
Cost.    That of pre-tokenizing, and one more search a boundary.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from kugiri.encoding import Span
from kugiri.explain.alternatives import due_to
from kugiri.patterns import PATTERNS
from kugiri.reference.alignment import Aligned
from kugiri.reference.pre_tokenize import pre_tokenize
from kugiri.reference.regex_classes import matches
from kugiri.spec import (
    BertPreTokenizer,
    ByteLevel,
    CharDelimiterSplit,
    Dictionary,
    Digits,
    FixedLength,
    Literally,
    Metaspace,
    PreTokenizer,
    PreTokenizers,
    Punctuation,
    Regex,
    Split,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from kugiri.unicode import CURRENT
from kugiri.unicode.scripts import script

_NAMES = {pattern: name for name, pattern in PATTERNS.items()}


class Cut(NamedTuple):
    """A pre-token, and what parts it from the one before: the step and its rule, None at first."""

    text: Aligned
    step: str | None = None
    rule: str | None = None


def cuts(text: Aligned, pre_tokenizer: PreTokenizer | None) -> list[Cut]:
    """Cut a text into pre-tokens, each with what parts it from the one before.

    Example:
        >>> scripts = Split(Regex(PATTERNS["japanese-scripts"]))
        >>> for cut in cuts(Aligned.of("仕組みABC"), scripts):
        ...     print(cut.text.text, cut.rule)
        仕組 None
        み after kanji, before hiragana
        ABC after hiragana, before word characters of ASCII
    """
    found = [Cut(text)] if len(text) else []
    for step in _steps(pre_tokenizer):
        found = list(chain.from_iterable(_cut_again(cut, step) for cut in found))
    return found


def _steps(pre_tokenizer: PreTokenizer | None) -> Iterator[PreTokenizer]:
    """The steps, those in a step as well, in order."""
    match pre_tokenizer:
        case None:
            return
        case PreTokenizers():
            for step in pre_tokenizer.pre_tokenizers:
                yield from _steps(step)
        case BertPreTokenizer():
            yield from (WhitespaceSplit(), Punctuation())
        case _:
            yield pre_tokenizer


def _cut_again(cut: Cut, step: PreTokenizer) -> list[Cut]:
    pieces = pre_tokenize(cut.text, step)
    if len(pieces) < 2:
        return [Cut(piece, cut.step, cut.rule) for piece in pieces]
    rules = _rules(cut.text, pieces, step)
    first, *others = pieces
    name = _name(step)
    return [
        Cut(first, cut.step, cut.rule),
        *(Cut(piece, name, rule) for piece, rule in zip(others, rules, strict=True)),
    ]


def _name(step: PreTokenizer) -> str:
    if isinstance(step, Split) and isinstance(step.pattern, Regex):
        return f"Split {_NAMES.get(step.pattern.regex, '')}".strip()
    return type(step).__name__


def _rules(text: Aligned, pieces: list[Aligned], step: PreTokenizer) -> list[str]:
    """What parted each two pieces."""
    match step:
        case Split(Regex(pattern)):
            return _by_pattern(text, pieces, pattern)
        case Whitespace():
            return _by_pattern(text, pieces, r"\w+|[^\w\s]+")
        case ByteLevel(use_regex=True):
            return _by_pattern(text, pieces, PATTERNS["gpt2"])
        case UnicodeScripts():
            return [
                f"the script changes from {script(left.text[-1])} to {script(right.text[0])}"
                for left, right in pairwise(pieces)
            ]
    return [_in_words(step)] * (len(pieces) - 1)


def _in_words(step: PreTokenizer) -> str:
    """The rule of a step that has but one."""
    match step:
        case Split(Literally(text)):
            return f"the text {text!r} parts words"
        case WhitespaceSplit():
            return "white space parts words, and is dropped"
        case CharDelimiterSplit(delimiter):
            return f"{delimiter!r} parts words, and is dropped"
        case Metaspace(mark):
            return f"a word begins with {mark}"
        case FixedLength(length):
            return f"every {length} characters"
        case Punctuation():
            return "punctuation stands apart"
        case Dictionary(name):
            return f"a word of {name} ends"
        case Digits(individually):
            return "each digit stands alone" if individually else "digits stand apart"
    return f"{_name(step)} cuts here"


def _by_pattern(text: Aligned, pieces: list[Aligned], pattern: str) -> list[str]:
    """Which alternative ended before each boundary, and which began behind it."""
    starts = dict(matches(Regex(pattern), text.text, CURRENT))
    ends = {end: start for start, end in starts.items()}
    places = list(_places(text, pieces))
    rules = []
    for (_, end), (start, _) in pairwise(places):
        left, right = (
            "what nothing matches" if at is None else due_to(pattern, text.text, at, CURRENT)
            for at in (ends.get(end), start if start in starts else None)
        )
        dropped = "; what lies between is dropped" if end < start else ""
        rules.append(f"after {left}, before {right}{dropped}")
    return rules


def _places(text: Aligned, pieces: list[Aligned]) -> Iterator[tuple[int, int]]:
    """Where each piece stands in the text that it was cut from.

    A character is told from others that are alike by the bytes that it stands for. Characters that
    were put in, as a space before the text, stand in no place of it.
    """
    at = 0
    for piece in pieces:
        spans = [span for span in piece.spans if span[0] < span[1]] or list(piece.spans)
        first, last = spans[0], spans[-1]
        begins = next((i for i in range(at, len(text)) if _holds(text.spans[i], first)), at)
        ends = next((i for i in range(begins, len(text)) if _holds(text.spans[i], last)), begins)
        while ends + 1 < len(text) and _holds(text.spans[ends + 1], last):
            ends += 1
        at = ends + 1
        yield begins, at


def _holds(character: Span, part: Span) -> bool:
    """Whether a part of a piece, which may be a byte, is of a character."""
    return character == part or (character[0] <= part[0] < part[1] <= character[1])
