"""How long a text can become by the normalizers or decoders of a file.

Rule.    A character is followed through all steps, at the worst: a Replace makes as much of it as
         its content is longer than its pattern, a pattern that may be empty matches at both sides.
Cost.    One visit a step.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.errors import FormatError
from kugiri.spec import Decoder, Decoders, Literally, Normalizer, Normalizers, Prepend, Replace

MOST = 10_000
"""Characters that one may become: a file must not ask for more memory than any machine has."""


def check_growth(part: Normalizer | Decoder | None, name: str) -> None:
    """Check what the steps of a file can make of one character.

    Raises:
        FormatError: it is too long.

    Example:
        >>> check_growth(Normalizers((Replace(Literally("a"), "a" * 200),) * 2), "normalizer")
        Traceback (most recent call last):
        ...
        kugiri.errors.FormatError: the normalizer can make 40,000 characters of one; at most 10,000
        may come of it: shorten the contents of its Replace and Prepend
    """
    length = 1.0
    for step in _steps(part):
        if isinstance(step, Prepend):
            length += len(step.prepend)
        elif isinstance(step, Replace):
            content = len(step.content)
            if isinstance(step.pattern, Literally) and step.pattern.text:
                length *= max(1.0, content / len(step.pattern.text))
            else:
                length += (length + 1) * content
        if length > MOST:
            raise FormatError(
                f"the {name} can make {length:,.0f} characters of one; at most {MOST:,} may come "
                f"of it: shorten the contents of its Replace and Prepend"
            )


def _steps(part: Normalizer | Decoder | None) -> Iterator[Normalizer | Decoder]:
    if isinstance(part, Normalizers | Decoders):
        inner = part.normalizers if isinstance(part, Normalizers) else part.decoders
        for step in inner:
            yield from _steps(step)
    elif part is not None:
        yield part
