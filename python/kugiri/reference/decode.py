"""Decoding: from pieces back to bytes, and from bytes to text.

Rule.    Each id stands for its string: a token of the vocabulary for its own, an added one for the
         one that it matches. The strings go through the decoders of the tokenizer (decoders.py) and
         are joined, before they become text, since a character may be spread over several. Where
         there is no decoder, whole words and the pieces of a tokenizer.json are joined by a space.
         The pieces of a .model are joined as piece_joiner.py says; each byte that is no part of a
         character becomes one replacement character, and then the denormalizer, where there is one,
         rewrites the whole text.
Cost.    Linear.
Source.  tokenizers 0.23.3; sentencepiece 0.2.3.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from kugiri.errors import EncodingError, choose
from kugiri.reference.alignment import Aligned
from kugiri.reference.decoder_steps import Each, Step
from kugiri.reference.decoders import run, steps_of
from kugiri.reference.normalize import normalize
from kugiri.reference.piece_joiner import PieceJoiner
from kugiri.reference.vocab import Piece
from kugiri.spec import (
    Decoder,
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
    if isinstance(spec.decoder, SentencePieceDecoder):
        return _sentencepiece(pieces, spec.decoder, spec, errors)
    return run(decoding_steps(spec, errors), pieces)


def decoding_steps(spec: TokenizerSpec, errors: str) -> list[Step]:
    """What the pieces of a tokenizer go through, if it is not of a .model."""
    has_spaces = isinstance(spec.model, WordLevel) or spec.origin == "tokenizer.json"
    if spec.decoder is None and has_spaces:
        return [Each(lambda index, text: b" " + text if index else text)]
    return steps_of(spec.decoder, errors)


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
