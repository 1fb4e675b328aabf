"""Bytes that begin or end inside a character, and texts that have them.

Rule.    The characters that begin with some bytes are a range of code points; those that end with
         some come at even distances. So any number of them can be drawn evenly.
Cost.    As many steps as texts are asked for.
Source.  UTF-8 as RFC 3629 has it: two to four bytes, none for surrogates.
"""

from __future__ import annotations

import sys
from math import isqrt

_CONTINUING = bytes(range(0x80, 0xC0))
_SOME = 64
"""Texts that complete bytes."""


def completions(data: bytes, most: int = _SOME) -> list[str]:
    """Texts that have these bytes, which begin or end inside a character.

    Args:
        data: the bytes.
        most: how many, made of characters evenly drawn of all that may stand at each end.

    Example:
        >>> [text.encode().hex(" ") for text in completions("猫は".encode()[1:4])][:2]
        ['e1 8c ab e3 80 80', 'e1 8c ab e3 88 80']
    """
    head, middle, tail = cut(data)
    if not is_text(middle):
        return []
    each = isqrt(most) if head and tail else most
    before = _drawn(_ending(head), each) if head else [""]
    behind = _drawn(_beginning(tail), each) if tail else [""]
    return [one + middle.decode() + other for one in before for other in behind]


def cut(data: bytes) -> tuple[bytes, bytes, bytes]:
    """The rest of a character, whole characters, and the beginning of one.

    Example:
        >>> [part.hex() for part in cut("猫は魚".encode()[1:7])]
        ['8cab', 'e381af', 'e9']
    """
    rest = data.lstrip(_CONTINUING)
    start = max(range(len(rest)), key=lambda at: rest[at] >= 0xC0 and at, default=0)
    end = start if rest[start:] and not is_text(rest[start:]) else len(rest)
    return data[: len(data) - len(rest)], rest[:end], rest[end:]


def _beginning(part: bytes) -> range:
    """The characters that begin with bytes."""
    size = 2 + (part[0] >= 0xE0) + (part[0] >= 0xF0)
    if len(part) >= size:
        return range(0)
    first = _low_bits(bytes([part[0] & 0x7F >> size]) + part[1:]) << 6 * (size - len(part))
    end = min(first + 64 ** (size - len(part)), sys.maxunicode + 1)
    every = range(max(first, _LEAST[size - 2]), end)
    return every if every and _utf8(every[0]).startswith(part) else range(0)


def _ending(part: bytes) -> range:
    """The characters that end with bytes, all of which continue one."""
    if len(part) > len(_LEAST):
        return range(0)
    step, least = 64 ** len(part), _LEAST[len(part) - 1]
    rest = _low_bits(part)
    return range(least + (rest - least) % step, sys.maxunicode + 1, step)


_LEAST = (0x80, 0x800, 0x10000)
"""The first character of two, three and four bytes."""


def _low_bits(data: bytes) -> int:
    return sum((byte & 0x3F) << 6 * at for at, byte in enumerate(reversed(data)))


def _utf8(code: int) -> bytes:
    return chr(code).encode(errors="surrogatepass")


def _drawn(codes: range, most: int) -> list[str]:
    """Some characters, evenly drawn."""
    some = codes[:: (len(codes) - 1) // most + 1] if codes else codes
    return [chr(code) for code in some if not 0xD800 <= code < 0xE000]


def is_text(data: bytes) -> bool:
    """Whether bytes are whole characters."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
