"""Joining the pieces of a .model: what each adds to the text, one after another.

Rule.    ▁ is a space, but not where the text begins: there the normalizer has put it in or would
         have taken it away. With remove_extra_whitespaces all at the beginning go, otherwise, with
         add_dummy_prefix, one. Control pieces add nothing, the unknown its surface, bytes
         themselves, and a token that was added to the model its own text.
Cost.    Linear.
Source.  sentencepiece 0.2.3.
"""

from __future__ import annotations

from kugiri.reference.vocab import SPACE, Piece, byte_of
from kugiri.spec import PieceType, SentencePieceDecoder, SentencePieceNormalizer, TokenizerSpec

_SPACE = SPACE.encode()


class PieceJoiner:
    """The text of pieces as it grows.

    Attributes:
        after_byte: whether the last piece was a byte, so that the next may go on with a character.
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        """Begin a text."""
        rule = spec.normalizer
        if not isinstance(rule, SentencePieceNormalizer):  # nothing was put in
            rule = SentencePieceNormalizer(add_dummy_prefix=False, remove_extra_whitespaces=False)
        decoder = spec.decoder
        self._surface = decoder.unk_surface if isinstance(decoder, SentencePieceDecoder) else ""
        self._drops_all = rule.remove_extra_whitespaces
        self._drops_space = rule.remove_extra_whitespaces or rule.add_dummy_prefix
        self._is_empty = True
        self.after_byte = False

    def add(self, piece: Piece) -> bytes:
        """The bytes that the next piece adds."""
        self.after_byte = piece.type == PieceType.BYTE
        added = self._bytes(piece)
        self._is_empty = self._is_empty and not added
        return added

    def _bytes(self, piece: Piece) -> bytes:
        byte = byte_of(piece.text) if piece.type == PieceType.BYTE else None
        if byte is not None:
            return bytes([byte])
        if piece.type == PieceType.CONTROL:
            return b""
        shown = piece.text
        if self._is_empty and self._drops_space and shown.startswith(_SPACE):
            shown = shown.removeprefix(_SPACE)
            self._drops_space = self._drops_all
        if piece.type == PieceType.UNKNOWN:
            return self._surface.encode()
        return shown if piece.added else shown.replace(_SPACE, b" ")
