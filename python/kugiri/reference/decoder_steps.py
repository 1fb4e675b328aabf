"""Steps of decoding: each is fed tokens one by one and gives new ones.

Rule.    A step gives what is settled of the new tokens, and keeps what depends on tokens to come: a
         row of bytes that has not ended, the last token so far, all of them where they become one.
Cost.    Linear.
Source.  tokenizers 0.23.3, whose decoders are given all tokens at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count

from kugiri import spec
from kugiri.reference.byte_alphabet import BYTE_OF
from kugiri.reference.vocab import Piece

CLEANED = (
    (" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"),
    (" 'm", "'m"), (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"),
)  # fmt: skip
"""What WordPiece and CTC clean up, in this order."""


class Step:
    """One decoder. It is fed tokens one by one, and gives what is settled of the new ones."""

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Take one token."""
        raise NotImplementedError

    def finish(self) -> Iterable[Piece]:
        """Give what is left."""
        return ()


class Each(Step):
    """Each token becomes another, by its number and itself."""

    def __init__(self, change: Callable[[int, bytes], bytes]) -> None:
        """Keep how."""
        self._change = change
        self._numbers = count()

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Change it."""
        return [piece._replace(text=self._change(next(self._numbers), piece.text))]


class Bytes(Step):
    """Visible characters become bytes; a token that has others, or was added, stands as it is."""

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Turn it back."""
        text = piece.text.decode(errors="replace")
        hidden = all(character in BYTE_OF for character in text) and not piece.added
        return [piece._replace(text=bytes(map(BYTE_OF.__getitem__, text))) if hidden else piece]


class Fuse(Step):
    """All tokens become one, which nothing can be said of before the end."""

    def __init__(self, change: Callable[[bytes], bytes] = bytes) -> None:
        """Keep what is made of the whole."""
        self._texts: list[bytes] = []
        self._change = change

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Keep it."""
        self._texts.append(piece.text)
        return ()

    def finish(self) -> Iterable[Piece]:
        """Give the one."""
        return [Piece(self._change(b"".join(self._texts)))]


class FuseAndStripStart(Step):
    """Fuse and then Strip, at the start of the text alone: nothing need wait for the end."""

    def __init__(self, content: bytes, start: int) -> None:
        """Keep what is to go."""
        self._content, self._left = content, start

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Take off what may still go."""
        text = piece.text
        while self._left and self._content and text.startswith(self._content):
            text = text.removeprefix(self._content)
            self._left -= 1
        self._left = 0 if text else self._left
        return [Piece(text)]


class ByteFallback(Step):
    """Tokens like `<0xE7>` in a row become one, if their bytes are text."""

    def __init__(self, replaces: bool) -> None:
        """Keep whether bytes that are no text are replaced, one by one, or stay."""
        self._replaces = replaces
        self._row = b""

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Keep a byte; anything else ends the row."""
        byte = _named_byte(piece.text)
        if byte is None:
            return [*self.finish(), piece]
        self._row += byte
        return ()

    def finish(self) -> Iterable[Piece]:
        """End the row."""
        row, self._row = self._row, b""
        try:
            row.decode()
            return [Piece(row)] if row else []
        except UnicodeDecodeError:
            return [Piece("\ufffd".encode() if self._replaces else bytes([byte])) for byte in row]


class EndOfWord(Step):
    """A mark becomes a space, and nothing in the last token, which is known at the end.

    Attributes:
        is_last_step: tokens are joined next, so that one may be given in two: at once what stands
            before its first mark.
    """

    def __init__(self, mark: bytes) -> None:
        """Keep the mark."""
        self._mark = mark
        self._last: Piece | None = None
        self.is_last_step = False

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Keep it, or what follows its first mark, and give what is left of the one before."""
        before = self._given(b" ")
        settled = piece.text.partition(self._mark)[0] if self.is_last_step and self._mark else b""
        self._last = piece._replace(text=piece.text[len(settled) :])
        return [*before, piece._replace(text=settled)] if settled else before

    def finish(self) -> Iterable[Piece]:
        """Give what is left of the last."""
        return self._given(b"")

    def _given(self, shown: bytes) -> list[Piece]:
        piece = self._last
        return [piece._replace(text=replaced(piece.text, self._mark, shown))] if piece else []


class CTC(Step):
    """Of equal tokens in a row one stays, and the blank goes."""

    def __init__(self, ctc: spec.CTC) -> None:
        """Keep what is what."""
        self._ctc = ctc
        self._before: bytes | None = None

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Give it, if it is another one."""
        if piece.text == self._before:
            return []
        self._before = piece.text
        text = replaced(piece.text, self._ctc.pad_token.encode(), b"")
        if self._ctc.cleanup:
            text = replaced(cleaned(text), self._ctc.word_delimiter_token.encode(), b" ")
        return [piece._replace(text=text)] if text else []


def replaced(text: bytes, old: bytes, new: bytes) -> bytes:
    """A text with each `old` replaced; an empty one is between all characters and at the ends."""
    if old:
        return text.replace(old, new)
    return text.decode(errors="replace").replace("", new.decode()).encode()


def cleaned(text: bytes) -> bytes:
    """A text without the spaces that no one writes."""
    for old, new in CLEANED:
        text = text.replace(old.encode(), new.encode())
    return text


def _named_byte(token: bytes) -> bytes | None:
    """The byte that a token names; here `<0xe7>` names one too, and so does `<0x+7>`."""
    digits = token[3:5]
    if len(token) != 6 or not token.startswith(b"<0x") or not token.endswith(b">"):
        return None
    digits = digits[1:] if digits[:1] == b"+" else digits
    is_number = digits and all(digit in b"0123456789abcdefABCDEF" for digit in digits)
    return bytes([int(digits, 16)]) if is_number else None
