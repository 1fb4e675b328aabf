"""Which pairs of byte strings keep characters whole: the option keep_characters.

Rule.    A join is allowed if both sides are whole characters, or if it is a beginning of one single
         character (or all of it). So no token ever holds a whole character and a piece of another.
Cost.    A look at the first byte and an attempt to decode.
Source.  The lead byte of a character says its length (RFC 3629). The option is ours, after
         proposals to keep byte-level merges inside the bounds of characters.
"""

from __future__ import annotations


def keeps_characters(left: bytes, right: bytes) -> bool:
    """Whether left and right may become one token.

    Example:
        >>> a, small = "あ".encode(), "小".encode()
        >>> keeps_characters(a, small), keeps_characters(small[:1], small[1:])
        (True, True)
        >>> keeps_characters(a, small[:2]), keeps_characters(small[2:], a)
        (False, False)
    """
    if _is_whole(left) and _is_whole(right):
        return True
    begins = not _is_whole(left) and len(left) + len(right) <= _length_told_by(left[0])
    return begins and all(0x80 <= byte <= 0xBF for byte in right)


def _is_whole(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _length_told_by(lead: int) -> int:
    """How many bytes the character has that starts with this byte; 0 if none does."""
    lengths = ((range(0xC2, 0xE0), 2), (range(0xE0, 0xF0), 3), (range(0xF0, 0xF5), 4))
    return next((length for leads, length in lengths if lead in leads), 0)
