"""The document that a `.model` is: its parts as they stand in the file, both ways.

Rule.    Fields are written in the order of their numbers, and what nobody knows after them, as
         sentencepiece does. How the file spelled a thing in another way (a default spelled out, a
         piece without a score, unknown fields) is kept in `Spelling`.
Cost.    One visit a field.
Source.  ModelProto of sentencepiece 0.2.3, and its self-tests, which 0.2.3 has retired.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kugiri.errors import FormatError
from kugiri.formats.protobuf import BYTES, bytes_field, read_fields
from kugiri.formats.sentencepiece_pieces import Pieces, as_spelled
from kugiri.formats.sentencepiece_specs import (
    read_normalizer,
    read_trainer,
    write_normalizer,
    write_trainer,
)
from kugiri.reference.charsmap import Charsmap
from kugiri.spec import SentencePieceNormalizer, SentencePieceTrainer

PIECES, TRAINER, NORMALIZER, SELF_TEST, DENORMALIZER = 1, 2, 3, 4, 5
"""The fields of the document."""

FLAGS = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")


class Spelling(msgspec.Struct, frozen=True):
    """How a file spells what it says, and what in it nobody knows.

    Attributes:
        normalizer, denormalizer: the fields that are spelled out, whether or not at their
            defaults; None where the file has no such spec.
        pieces: id → the bytes of a piece that sentencepiece would write in another way.
        unknown: fields of the document that nobody knows, or that are not as they should be.
    """

    normalizer: tuple[str, ...] | None = FLAGS
    denormalizer: tuple[str, ...] | None = FLAGS
    pieces: dict[int, bytes] = {}
    unknown: bytes = b""


@dataclass
class Document:
    """A `.model` part by part; see spec.py for the parts."""

    pieces: Pieces
    trainer: SentencePieceTrainer | None
    normalizer: SentencePieceNormalizer | None
    denormalizer: SentencePieceNormalizer | None
    self_test: tuple[tuple[str, str], ...]
    spelling: Spelling


def is_model(data: bytes) -> bool:
    """Whether bytes begin like a `.model`: with a piece, which begins with its string."""
    try:
        first = next(read_fields(data))
        inside = next(read_fields(first.as_bytes()))
    except (FormatError, StopIteration):
        return False
    return first.number == PIECES and inside.number == 1 and inside.wire == BYTES


def check_fields(data: bytes) -> None:
    """Refuse what is broken off, or is no `.model` to its end.

    Raises:
        FormatError: it is malformed; has the byte.
    """
    for field in read_fields(data):
        if field.number == PIECES:
            for _ in read_fields(field.as_bytes(), field.inside):
                pass


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read_document(data: bytes) -> Document:
    """Read the parts of a `.model`, each on its own.

    Raises:
        FormatError: it is malformed; has the byte.
    """
    pieces = Pieces()
    messages: dict[int, tuple[bytes, int]] = {}  # number → content, and where that begins
    unknown = bytearray()
    for field in read_fields(data):
        if field.number == PIECES:
            pieces.read(field)
        elif field.number in (TRAINER, NORMALIZER, SELF_TEST, DENORMALIZER):
            # A message that is given in parts is the same as its parts in one.
            content, start = messages.get(field.number, (b"", field.inside))
            messages[field.number] = (content + field.as_bytes(), start)
        else:
            unknown += data[field.start : field.end]
    normalizer, spelled = _read_normalizer(messages.get(NORMALIZER))
    denormalizer, spelled_too = _read_normalizer(messages.get(DENORMALIZER))
    self_test = _read_self_test(*messages[SELF_TEST]) if SELF_TEST in messages else ()
    if SELF_TEST in messages and _write_self_test(self_test) != messages[SELF_TEST][0]:
        unknown += bytes_field(SELF_TEST, messages[SELF_TEST][0])
        self_test = ()
    return Document(
        pieces,
        read_trainer(*messages[TRAINER]) if TRAINER in messages else None,
        normalizer,
        denormalizer,
        self_test,
        Spelling(spelled, spelled_too, pieces.spelled, bytes(unknown)),
    )


def _read_normalizer(
    message: tuple[bytes, int] | None,
) -> tuple[SentencePieceNormalizer | None, tuple[str, ...] | None]:
    """A normalizer_spec, its charsmap looked through, and the fields that it spells out."""
    if message is None:
        return None, None
    data, offset = message
    normalizer, spelled_out = read_normalizer(data, offset)
    if normalizer.charsmap:
        try:
            Charsmap(normalizer.charsmap)
        except FormatError as error:
            inside = (error.offset or 0) + data.rfind(normalizer.charsmap)
            raise FormatError(str(error.args[0]), offset=offset + inside) from None
    return normalizer, spelled_out


def _read_self_test(data: bytes, offset: int) -> tuple[tuple[str, str], ...]:
    """The samples: input, and what it should become."""
    samples = []
    for sample in read_fields(data, offset):
        parts = {part.number: part.value for part in read_fields(sample.as_bytes(), sample.inside)}
        given, expected = parts.get(1), parts.get(2)
        if isinstance(given, bytes) and isinstance(expected, bytes):
            samples.append((given.decode(errors="replace"), expected.decode(errors="replace")))
    return tuple(samples)


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def write_document(document: Document) -> bytes:
    """The bytes of a `.model`.

    Raises:
        FormatError: a field of the trainer is unknown, or its value does not fit.
    """
    spelling = document.spelling
    data = bytearray()
    for id, piece in enumerate(document.pieces.rows):
        data += bytes_field(PIECES, as_spelled(piece, spelling.pieces.get(id)))
    if document.trainer is not None:
        data += bytes_field(TRAINER, write_trainer(document.trainer))
    data += _write_normalizer(NORMALIZER, document.normalizer, spelling.normalizer)
    if document.self_test:
        data += bytes_field(SELF_TEST, _write_self_test(document.self_test))
    data += _write_normalizer(DENORMALIZER, document.denormalizer, spelling.denormalizer)
    return bytes(data + spelling.unknown)


def _write_normalizer(
    number: int, normalizer: SentencePieceNormalizer | None, spelled_out: tuple[str, ...] | None
) -> bytes:
    """The field of a normalizer_spec; nothing for one that says nothing and was not there."""
    if normalizer is None:
        return b""
    content = write_normalizer(normalizer, spelled_out or ())
    return b"" if spelled_out is None and not content else bytes_field(number, content)


def _write_self_test(samples: tuple[tuple[str, str], ...]) -> bytes:
    return b"".join(
        bytes_field(1, bytes_field(1, given.encode()) + bytes_field(2, expected.encode()))
        for given, expected in samples
    )
