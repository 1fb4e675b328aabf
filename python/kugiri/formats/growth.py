"""How long a text can become by the normalizers or decoders of a file.

Rule.    A character is followed through all steps, at the worst: a Replace makes as much of those
         in its pattern as its content is longer than it, a regex of any character, and one that
         may be empty matches at both sides. Bytes are up to four characters each time.
Cost.    For each step one visit of its content and of the characters that the others name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kugiri.errors import FormatError
from kugiri.spec import (
    ByteLevelNormalizer,
    Decoder,
    Decoders,
    Literally,
    Normalizer,
    Normalizers,
    Pattern,
    Prepend,
    Replace,
)

MOST = 10_000
"""Characters that one may become: a file must not ask for more memory than any machine has."""


_BYTES = 4.0
"""Characters that one becomes by its bytes."""

_ONE_CHARACTER = re.compile(r"\\[dDwWsS.]|\\[pP]\{\w+\}|\[\^?[^\[\]\\&^]+\]|\{[1-9]\d*,?\d*\}")
"""What surely matches a character, and how often."""


def check_growth(part: Normalizer | Decoder | None, name: str) -> None:
    """Check what the steps of a file can make of one character.

    Raises:
        FormatError: it is too long.

    Example:
        >>> check_growth(Normalizers((Replace(Literally("a"), "a" * 200),) * 2), "normalizer")
        Traceback (most recent call last):
        ...
        kugiri.errors.FormatError: the normalizer can make 40,000 characters of one; at most 10,000
        may come of it: shorten the contents of its Replace and Prepend, or leave steps out
    """
    length = growth(part)
    if length > MOST:
        raise FormatError(
            f"the {name} can make {length:,.0f} characters of one; at most {MOST:,} may come "
            f"of it: shorten the contents of its Replace and Prepend, or leave steps out"
        )


def growth(part: Normalizer | Decoder | None) -> float:
    """How many characters the steps of a file can make of one; where it is too many, at least.

    Example:
        >>> growth(Replace(Literally("a"), "aaa")), growth(None)
        (3.0, 1.0)
    """
    steps = list(_steps(part))
    most = 1.0
    # From the last step back: what a character that comes to a step makes up at the end.
    worth: dict[str, float] = {}
    others = 1.0  # each character that is not in `worth`
    put_in = 0.0
    for step in reversed(steps):
        if isinstance(step, Prepend):
            put_in += sum(worth.get(it, others) for it in step.prepend)
        elif isinstance(step, Replace):
            content = sum(worth.get(it, others) for it in step.content)
            if isinstance(step.pattern, Literally) and step.pattern.text:
                share = content / len(step.pattern.text)
                for it in set(step.pattern.text):
                    worth[it] = max(worth.get(it, others), share)
            else:
                empty = content if _may_be_empty(step.pattern) else 0.0
                worth = {it: max(value + empty, content) for it, value in worth.items()}
                others = max(others + empty, content)
                put_in += empty
        elif isinstance(step, ByteLevelNormalizer):
            others = _BYTES * max(others, *worth.values(), 0.0)
            worth = {}
        else:  # which may make any character of another
            others = max(others, *worth.values(), 0.0)
            worth = {}
        most = max(most, max(others, *worth.values(), 0.0) + put_in)
        if most > MOST:
            break
    return most


def _may_be_empty(pattern: Pattern) -> bool:
    """Whether a pattern may match nothing; of those that are not plain to see it is taken to."""
    if isinstance(pattern, Literally):
        return not pattern.text
    rest = _ONE_CHARACTER.sub("x", pattern.regex)
    return not rest or any(sign in rest for sign in r"*?|()^$\{}")


def _steps(part: Normalizer | Decoder | None) -> Iterator[Normalizer | Decoder]:
    if isinstance(part, Normalizers | Decoders):
        inner = part.normalizers if isinstance(part, Normalizers) else part.decoders
        for step in inner:
            yield from _steps(step)
    elif part is not None:
        yield part
