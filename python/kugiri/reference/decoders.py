"""The decoders of tokenizer.json: each makes new tokens of those that it is given.

Rule.    In the end the tokens are joined. ByteLevel turns visible characters back into bytes and
         makes one token of all; so does Fuse. ByteFallback joins tokens like `<0xE7>` in a row, if
         their bytes are text. WordPiece puts a space before each token but the first, without a
         prefix; Metaspace, BPEDecoder, CTC, Strip and Replace change each token by itself.
Cost.    Linear a decoder, a regex aside.
Source.  tokenizers 0.23.3, which panics where Strip is to take more than there is. There ByteLevel
         takes an added token for visible characters too (its issue 1996); here it stands as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from kugiri import spec
from kugiri.reference.byte_alphabet import BYTE_OF
from kugiri.reference.matches import matches
from kugiri.reference.not_run import not_run
from kugiri.reference.regex_classes import compile_pattern
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


def run(steps: Iterable[Step], pieces: Iterable[Piece], finish: bool = True) -> bytes:
    """The bytes that tokens become; without `finish`, more tokens may follow.

    Example:
        >>> run(steps_of(spec.WordPieceDecoder()), map(Piece, (b"un", b"##do", b"it")))
        b'undo it'
    """
    for step in steps:
        pieces = [new for piece in pieces for new in step.feed(piece)]
        pieces += step.finish() if finish else ()
    return b"".join(piece.text for piece in pieces)


# ── the decoders ──────────────────────────────────────────────────────────────────────────────
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
    """A mark becomes a space, and nothing in the last token, which is known at the end."""

    def __init__(self, mark: bytes) -> None:
        """Keep the mark."""
        self._mark = mark
        self._last: Piece | None = None

    def feed(self, piece: Piece) -> Iterable[Piece]:
        """Keep it, and give the one before."""
        before = self._given(b" ")
        self._last = piece
        return before

    def finish(self) -> Iterable[Piece]:
        """Give the last."""
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


# ── what becomes of one token ─────────────────────────────────────────────────────────────────
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


def _stripped(text: bytes, strip: spec.StripDecoder) -> bytes:
    content = strip.content.encode()
    for _ in range(min(strip.start, len(text))):
        text = text.removeprefix(content)
    for _ in range(min(strip.stop, len(text))):
        text = text.removesuffix(content)
    return text


def _rewritten(text: bytes, replace: spec.Replace) -> bytes:
    if not text:
        return text
    if isinstance(replace.pattern, spec.Literally):
        return replaced(text, replace.pattern.text.encode(), replace.content.encode())
    shown = text.decode(errors="replace")
    parts: list[str] = []
    done = 0
    for start, end in matches(compile_pattern(replace.pattern.regex), shown):
        parts += [shown[done:start], replace.content]
        done = end
    return "".join([*parts, shown[done:]]).encode()


def _word_part(index: int, text: bytes, decoder: spec.WordPieceDecoder) -> bytes:
    prefix = decoder.prefix.encode()
    if index:
        text = text.removeprefix(prefix) if text.startswith(prefix) else b" " + text
    return cleaned(text) if decoder.cleanup else text


def _spaced(index: int, text: bytes, decoder: spec.MetaspaceDecoder) -> bytes:
    drops = index == 0 and decoder.prepend_scheme != "never"
    return replaced(text, decoder.replacement.encode(), b"" if drops else b" ")


def _named_byte(token: bytes) -> bytes | None:
    """The byte that a token names; here `<0xe7>` names one too, and so does `<0x+7>`."""
    digits = token[3:5]
    if len(token) != 6 or not token.startswith(b"<0x") or not token.endswith(b">"):
        return None
    digits = digits[1:] if digits[:1] == b"+" else digits
    is_number = digits and all(digit in b"0123456789abcdefABCDEF" for digit in digits)
    return bytes([int(digits, 16)]) if is_number else None


# ── the one asked for ─────────────────────────────────────────────────────────────────────────
def steps_of(decoder: spec.Decoder | None, errors: str = "replace") -> list[Step]:
    """The steps of a decoder, which have seen no token yet.

    Raises:
        OptionError: one that this engine does not run.
    """
    parts = [] if decoder is None else list(_parts(decoder))
    steps = [step for part in parts for step in _steps(part, errors == "replace")]
    match parts:
        case [*_, spec.Fuse(), spec.StripDecoder(stop=0) as strip]:
            steps[-2:] = [FuseAndStripStart(strip.content.encode(), strip.start)]
    # What is joined anyway needs no step that joins it; the text that comes of it is made lossy.
    return steps[:-1] if steps and isinstance(steps[-1], Fuse) else steps


def _parts(decoder: spec.Decoder) -> Iterator[spec.Decoder]:
    if isinstance(decoder, spec.Decoders):
        for inner in decoder.decoders:
            yield from _parts(inner)
    else:
        yield decoder


def _steps(decoder: spec.Decoder, replaces: bool) -> list[Step]:
    match decoder:
        case spec.ByteLevelDecoder():
            return [Bytes(), Fuse(_lossy if replaces else bytes)]
        case spec.ByteFallback():
            return [ByteFallback(replaces)]
        case spec.Fuse():
            return [Fuse()]
        case spec.MetaspaceDecoder():
            return [Each(lambda index, text: _spaced(index, text, decoder))]
        case spec.WordPieceDecoder():
            return [Each(lambda index, text: _word_part(index, text, decoder))]
        case spec.BPEDecoder():
            return [EndOfWord(decoder.suffix.encode())]
        case spec.CTC():
            return [CTC(decoder)]
        case spec.StripDecoder():
            return [Each(lambda _, text: _stripped(text, decoder))]
        case spec.Replace():
            return [Each(lambda _, text: _rewritten(text, decoder))]
    raise not_run("decoder", decoder)


def _lossy(text: bytes) -> bytes:
    return text.decode(errors="replace").encode()
