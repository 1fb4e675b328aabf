"""Decoding: from pieces back to bytes, and from bytes to text.

Rule.    The bytes of all pieces are joined before they become text, since a character may be spread
         over several. ByteLevel turns visible characters back into bytes first; BPEDecoder turns
         the end-of-word mark into a space, and into nothing in the last piece. A token that was
         added to the model stands for its own text, whatever letters it is made of. A
         tokenizer.json without a decoder has spaces between its pieces.
Cost.    Linear.
Source.  tokenizers 0.23.3, except for added tokens: there an added "ć" comes back as a control
         character, since it is also a letter of the byte alphabet.
"""

from __future__ import annotations

from collections.abc import Sequence

from kugiri.errors import EncodingError
from kugiri.reference.byte_alphabet import BYTE_OF
from kugiri.reference.not_run import not_run
from kugiri.reference.vocab import Piece
from kugiri.spec import BPEDecoder, ByteLevelDecoder, Decoder


def join(pieces: Sequence[Piece], decoder: Decoder | None, origin: str = "kugiri") -> bytes:
    """Join pieces to the bytes of a text.

    Raises:
        OptionError: a decoder that this engine does not run.
    """
    match decoder:
        case None:
            between = b" " if origin == "tokenizer.json" else b""
            return between.join(piece.text for piece in pieces)
        case ByteLevelDecoder():
            return b"".join(piece.text if piece.added else _hidden(piece.text) for piece in pieces)
        case BPEDecoder():
            mark = decoder.suffix.encode()
            last = len(pieces) - 1
            return b"".join(
                piece.text.replace(mark, b"" if i == last else b" ")
                for i, piece in enumerate(pieces)
            )
        case _:
            raise not_run("decoder", decoder)


def to_text(data: bytes, errors: str = "replace") -> str:
    """Read bytes as UTF-8; `errors` as for bytes.decode.

    Raises:
        EncodingError: errors="strict", and the bytes are not UTF-8.
    """
    try:
        return data.decode(errors=errors)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"the ids stand for bytes that are not UTF-8 from byte {error.start} on "
            f"({data[error.start : error.start + 4].hex(' ')}); use errors='replace', or decode "
            "the ids together with those that complete the character"
        ) from error


def _hidden(token: bytes) -> bytes:
    """The bytes behind visible characters; a token with any other character stands as it is."""
    text = token.decode()
    return bytes(BYTE_OF[c] for c in text) if all(c in BYTE_OF for c in text) else token
