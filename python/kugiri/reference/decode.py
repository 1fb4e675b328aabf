"""Decoding: from pieces back to bytes, and from bytes to text.

Rule.    The bytes of all pieces are joined before they become text, since a character may be spread
         over several. ByteLevel turns visible characters back into bytes first; BPEDecoder turns
         an end-of-word mark into a space, and into nothing at the end of the text. A token that was
         added to the model stands for its own text, whatever letters it is made of. Where there is
         no decoder, whole words and the pieces of a tokenizer.json are joined by a space.
         The pieces of a .model are joined as piece_joiner.py says; each byte that is no part of a
         character becomes one replacement character, and then the denormalizer, where there is
         one, rewrites the whole text.
Cost.    Linear.
Source.  tokenizers 0.23.3, except for added tokens: there an added "ć" comes back as a control
         character, since it is also a letter of the byte alphabet.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from kugiri.errors import EncodingError, choose
from kugiri.reference.alignment import Aligned
from kugiri.reference.byte_alphabet import BYTE_OF
from kugiri.reference.normalize import normalize
from kugiri.reference.not_run import not_run
from kugiri.reference.piece_joiner import PieceJoiner
from kugiri.reference.vocab import Piece
from kugiri.spec import (
    BPEDecoder,
    ByteLevelDecoder,
    Decoder,
    Fuse,
    PieceType,
    SentencePieceDecoder,
    SentencePieceNormalizer,
    TokenizerSpec,
    WordLevel,
)

UTF8_ERRORS = ("replace", "strict", "ignore")


def join(pieces: Sequence[Piece], spec: TokenizerSpec, errors: str = "replace") -> bytes:
    """Join pieces to the bytes of a text; `errors` is for what is settled before the end.

    Raises:
        EncodingError: errors="strict", and bytes of a .model are not UTF-8.
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
        case SentencePieceDecoder():
            return _sentencepiece(pieces, spec.decoder, spec, errors)
        case _:
            raise not_run("decoder", spec.decoder)


def to_text(data: bytes, errors: str = "replace", decoder: Decoder | None = None) -> str:
    r"""Read bytes as UTF-8; `errors` is "replace", "strict" or "ignore", as for bytes.decode.

    Where they are replaced, SentencePiece replaces each byte, Python a whole beginning of a
    character.

    Raises:
        EncodingError: errors="strict", and the bytes are not UTF-8.
        OptionError: another way to treat errors.

    Example:
        >>> to_text(b"\xe7\x8c!"), to_text(b"\xe7\x8c!", decoder=SentencePieceDecoder())
        ('\ufffd!', '\ufffd\ufffd!')
    """
    choose("errors", errors, UTF8_ERRORS)
    try:
        return data.decode(errors=error_handler(errors, decoder))
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"the ids stand for bytes that are not UTF-8 from byte {error.start} on "
            f"({data[error.start : error.start + 4].hex(' ')}); use errors='replace', or decode "
            "the ids together with those that complete the character"
        ) from error


def to_texts(rows: Sequence[bytes], errors: str, decoder: Decoder | None) -> list[str]:
    """The same for several; the error says which row it is, from 0."""
    texts: list[str] = []
    try:
        for data in rows:
            texts.append(to_text(data, errors, decoder))
    except EncodingError as error:
        raise EncodingError(f"row {len(texts)}: {error}") from error
    return texts


def error_handler(errors: str, decoder: Decoder | None) -> str:
    """The name under which Python knows what a decoder does with bytes that are not UTF-8."""
    each_byte = errors == "replace" and isinstance(decoder, SentencePieceDecoder)
    return _EACH_BYTE if each_byte else errors


def _replace_one_byte(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\ufffd", error.start + 1


_EACH_BYTE = "kugiri.replace-each-byte"
codecs.register_error(_EACH_BYTE, _replace_one_byte)


def _sentencepiece(
    pieces: Sequence[Piece], decoder: SentencePieceDecoder, spec: TokenizerSpec, errors: str
) -> bytes:
    """Join the pieces of a .model, and let the denormalizer rewrite the text."""
    joiner = PieceJoiner(spec)
    text = bytearray()
    row = 0  # where the last row of bytes begins
    for piece in pieces:
        begins_row = piece.type == PieceType.BYTE and not joiner.after_byte
        added = joiner.add(piece)
        if begins_row:
            # A character's bytes stand in a row, even where what parts them cannot be seen.
            text[row:] = to_text(bytes(text[row:]), errors, decoder).encode()
            row = len(text)
        text += added
    rule = denormalizer(decoder)
    if rule is None:
        return bytes(text)
    return rewrite(to_text(bytes(text), errors, decoder), rule).encode()


def denormalizer(decoder: Decoder | None) -> SentencePieceNormalizer | None:
    """What rewrites the whole text in the end; one without a charsmap does nothing."""
    its = decoder.denormalizer if isinstance(decoder, SentencePieceDecoder) else None
    return its if its is not None and its.charsmap else None


def rewrite(text: str, rule: SentencePieceNormalizer) -> str:
    """Rewrite a whole text as a denormalizer says."""
    return normalize(Aligned.of(text), rule).text


def _spaced(tokens: list[bytes], mark: bytes) -> bytes:
    """Join tokens with a space for each end-of-word mark but the last."""
    ends = [token.endswith(mark) for token in tokens]
    words = [t.removesuffix(mark) + b" " if end else t for t, end in zip(tokens, ends, strict=True)]
    return b"".join(words)[:-1] if ends and ends[-1] else b"".join(words)


def _hidden(token: bytes) -> bytes:
    """The bytes behind visible characters; a token with any other character stands as it is."""
    text = token.decode()
    return bytes(BYTE_OF[c] for c in text) if all(c in BYTE_OF for c in text) else token
