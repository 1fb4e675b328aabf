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

from collections.abc import Iterable, Iterator

from kugiri import spec
from kugiri.reference.decoder_steps import (
    CTC,
    ByteFallback,
    Bytes,
    Each,
    EndOfWord,
    Fuse,
    FuseAndStripStart,
    Step,
    cleaned,
    replaced,
)
from kugiri.reference.not_run import not_run
from kugiri.reference.regex_classes import matches
from kugiri.reference.vocab import Piece


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
    if steps and isinstance(steps[-1], EndOfWord):
        steps[-1].is_last_step = True
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


# ── what becomes of one token ─────────────────────────────────────────────────────────────────
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
    for start, end in matches(replace.pattern, shown):
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
