"""Decoding: from pieces back to bytes, and from bytes to text.

Rule.    The bytes of all pieces are joined before they become text, since a character may be spread
         over several. ByteLevel turns visible characters back into bytes first; BPEDecoder turns
         an end-of-word mark into a space, and into nothing at the end of the text. A token that was
         added to the model stands for its own text, whatever letters it is made of. Where there is
         no decoder, whole words and the pieces of a tokenizer.json are joined by a space.
Cost.    Linear.
Source.  tokenizers 0.23.3, except for added tokens: there an added "ć" comes back as a control
         character, since it is also a letter of the byte alphabet.
"""

from __future__ import annotations

from collections.abc import Sequence

from kugiri.errors import EncodingError, choose
from kugiri.reference.byte_alphabet import BYTE_OF
from kugiri.reference.not_run import not_run
from kugiri.reference.vocab import Piece
from kugiri.spec import BPEDecoder, ByteLevelDecoder, Fuse, TokenizerSpec, WordLevel

UTF8_ERRORS = ("replace", "strict", "ignore")


def join(pieces: Sequence[Piece], spec: TokenizerSpec) -> bytes:
    """Join pieces to the bytes of a text.

    Raises:
        OptionError: the spec has a decoder that this engine does not run.
    """
    match spec.decoder:
        case None:
            has_spaces = isinstance(spec.model, WordLevel) or spec.origin == "tokenizer.json"
            return (b" " if has_spaces else b"").join(piece.text for piece in pieces)
        case Fuse():
            return b"".join(piece.text for piece in pieces)
        case ByteLevelDecoder():
            return b"".join(piece.text if piece.added else _hidden(piece.text) for piece in pieces)
        case BPEDecoder(suffix):
            return _spaced([piece.text for piece in pieces], suffix.encode())
        case _:
            raise not_run("decoder", spec.decoder)


def to_text(data: bytes, errors: str = "replace") -> str:
    """Read bytes as UTF-8; `errors` is "replace", "strict" or "ignore", as for bytes.decode.

    Raises:
        EncodingError: errors="strict", and the bytes are not UTF-8.
        OptionError: another way to treat errors.
    """
    choose("errors", errors, UTF8_ERRORS)
    try:
        return data.decode(errors=errors)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"the ids stand for bytes that are not UTF-8 from byte {error.start} on "
            f"({data[error.start : error.start + 4].hex(' ')}); use errors='replace', or decode "
            "the ids together with those that complete the character"
        ) from error


def _spaced(tokens: list[bytes], mark: bytes) -> bytes:
    """Join tokens with a space for each end-of-word mark but the last."""
    ends = [token.endswith(mark) for token in tokens]
    words = [t.removesuffix(mark) + b" " if end else t for t, end in zip(tokens, ends, strict=True)]
    return b"".join(words)[:-1] if ends and ends[-1] else b"".join(words)


def _hidden(token: bytes) -> bytes:
    """The bytes behind visible characters; a token with any other character stands as it is."""
    text = token.decode()
    return bytes(BYTE_OF[c] for c in text) if all(c in BYTE_OF for c in text) else token
