"""The pieces of a `.model`: string, score and type of each, in order of id.

Rule.    What sentencepiece refuses in every version is refused here: an empty piece, two of one
         string, two for the unknown, bytes that are not all there. What only newer versions refuse
         is read: a piece of any length, one that holds a null character.
Cost.    One visit a piece; no objects are kept of them.
Source.  sentencepiece 0.2.3. Once the unknown and control pieces had no score, which is why a piece
         that is spelled in another way than now is kept as the bytes that it was.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kugiri.errors import FormatError
from kugiri.formats.protobuf import Field, bytes_field, float_field, read_fields, varint_field
from kugiri.reference.vocab import byte_of
from kugiri.spec import PieceType

TEXT_TYPES = (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.UNUSED)
"""What text can become; the other pieces may have the same strings."""

NULL = b"\0"


class Piece(NamedTuple):
    """One piece."""

    text: bytes
    score: float
    type: int


@dataclass
class Pieces:
    """All pieces.

    Attributes:
        rows: the pieces in order of id.
        places: where each stands in the file.
        spelled: id → its bytes in the file, where they are not those that would be written.
    """

    rows: list[Piece] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    spelled: dict[int, bytes] = field(default_factory=dict)

    def read(self, message: Field) -> None:
        """Read the next piece.

        Raises:
            FormatError: it is malformed.
        """
        data = message.as_bytes()
        piece = read_piece(data, message.inside)
        if write_piece(piece) != data:
            self.spelled[len(self.rows)] = data
        self.rows.append(piece)
        self.places.append(message.start)


def read_piece(data: bytes, offset: int = 0) -> Piece:
    """One piece.

    Raises:
        FormatError: it is malformed, or of a type that nobody knows.
    """
    text, score, type = b"", 0.0, int(PieceType.NORMAL)
    for part in read_fields(data, offset):
        match part.number:
            case 1:
                text = part.as_bytes()
            case 2:
                score = part.as_float()
            case 3:
                type = part.as_int()
                if type not in list(PieceType):
                    known = ", ".join(f"{known.value} ({known.name})" for known in PieceType)
                    message = f"piece type {type} is unknown; known are {known}"
                    raise FormatError(message, offset=part.start)
    return Piece(text, score, type)


def write_piece(piece: Piece) -> bytes:
    """One piece as sentencepiece writes it: the score always, the type unless it is NORMAL."""
    data = bytes_field(1, piece.text) + float_field(2, piece.score)
    return data if piece.type == PieceType.NORMAL else data + varint_field(3, piece.type)


def as_spelled(piece: Piece, spelled: bytes | None) -> bytes:
    """One piece as its file had it, if that still says the same."""
    if spelled is not None:
        said = read_piece(spelled)
        if piece in (said, as_run(said, byte_fallback=True)):
            return spelled
    return write_piece(piece)


def as_run(piece: Piece, byte_fallback: bool) -> Piece:
    """A piece as sentencepiece runs it: a null character is unused where its byte has a piece."""
    is_null = byte_fallback and piece.text == NULL
    return piece._replace(type=int(PieceType.UNUSED)) if is_null else piece


def check_pieces(
    rows: Sequence[Piece], byte_fallback: bool, scores: bool, places: Sequence[int] | None = None
) -> None:
    """Check what sentencepiece checks when it loads a model.

    Args:
        rows: the pieces.
        byte_fallback: whether unknown characters become bytes.
        scores: whether the model adds scores up, so that none may be infinite.
        places: where each stands in the file.

    Raises:
        FormatError: a piece that cannot be; names it and its place.
    """

    def fault(id: int, what: str) -> FormatError:
        message = f"piece {id}, {rows[id].text.decode(errors='replace')!r:.60}, {what}"
        return FormatError(message, offset=None if places is None else places[id])

    if not rows:
        raise FormatError("there are no pieces, so this is no .model")
    seen: dict[tuple[bytes, bool], int] = {}
    for id, (text, score, type) in enumerate(rows):
        if not text:
            raise fault(id, "is empty")
        first = seen.setdefault((text, type in TEXT_TYPES), id)
        if first != id and text != NULL:
            raise fault(id, f"is the same as piece {first}")
        if math.isnan(score) or (scores and math.isinf(score)):
            raise fault(id, f"has the score {score}; it must be a finite number")
        if type == PieceType.BYTE and (not byte_fallback or byte_of(text) is None):
            why = "it is none of <0x00> to <0xFF>" if byte_fallback else "byte_fallback is off"
            raise fault(id, f"is of type BYTE, but {why}")
        if type in (PieceType.CONTROL, PieceType.USER_DEFINED, PieceType.UNKNOWN):
            try:
                text.decode()
            except UnicodeDecodeError:
                raise fault(id, "is not UTF-8, which only ordinary pieces may be") from None
    _check_roles(Counter(type for _, _, type in rows), byte_fallback)


def _check_roles(counts: Mapping[int, int], byte_fallback: bool) -> None:
    unknown, of_bytes = counts.get(PieceType.UNKNOWN, 0), counts.get(PieceType.BYTE, 0)
    if unknown > 1 or (unknown == 0 and not byte_fallback):
        raise FormatError(f"{unknown} pieces are of type UNKNOWN; there must be one")
    if byte_fallback and of_bytes != 256:
        raise FormatError(f"{of_bytes} pieces are of type BYTE; byte_fallback needs all 256")
