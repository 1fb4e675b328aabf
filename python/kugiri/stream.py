"""Decoding ids one at a time, as a chat front end does."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable

from kugiri.reference.decode import denormalizer, error_handler, rewrite
from kugiri.reference.piece_joiner import PieceJoiner
from kugiri.reference.vocab import Piece
from kugiri.spec import PieceType, TokenizerSpec


class StreamDecoder:
    """Gives text as soon as its characters are whole; made by `Tokenizer.decoder()`.

    The joined results of `feed` and `finish` are what decoding all ids at once gives.

    Example:
        >>> pieces = {0: b"a", 1: "猫".encode()[:1], 2: "猫".encode()[1:]}
        >>> stream = StreamDecoder(lambda ids: b"".join(pieces[id] for id in ids))
        >>> [stream.feed(id) for id in (0, 1, 2)], stream.finish()
        (['a', '', '猫'], '')
    """

    def __init__(self, decode: Callable[[list[int]], bytes], errors: str = "replace") -> None:
        """Keep how ids become bytes."""
        self._decode = decode
        self._previous: list[int] = []
        self._text = getincrementaldecoder("utf-8")(errors)

    def feed(self, id: int) -> str:
        """Take one id; return the text that is complete with it, perhaps "".

        Raises:
            VocabularyError: the id is not in the vocabulary.
        """
        # A space between words belongs to two tokens: what an id adds is seen beside the last one.
        before = len(self._decode(self._previous))
        added = self._decode([*self._previous, id])[before:]
        self._previous = [id]
        return self._text.decode(added)

    def finish(self) -> str:
        """Return what is left: the replacement for a character that never became whole."""
        return self._text.decode(b"", True)


class PieceStreamDecoder(StreamDecoder):
    """The same for the pieces of a .model, where the beginning of the text decides on spaces.

    A denormalizer may rewrite what is far apart; with one, all text comes from `finish`.
    """

    def __init__(
        self, piece: Callable[[int], Piece], spec: TokenizerSpec, errors: str = "replace"
    ) -> None:
        """Keep what ids stand for."""
        super().__init__(lambda ids: b"", error_handler(errors, spec.decoder))
        self._piece = piece
        self._joiner = PieceJoiner(spec)
        self._denormalizer = denormalizer(spec.decoder)
        self._held = ""

    def feed(self, id: int) -> str:
        """Take one id; return the text that is complete with it, perhaps "".

        Raises:
            VocabularyError: the id is not in the vocabulary.
        """
        piece = self._piece(id)
        # A character's bytes stand in a row: any other piece ends it.
        ended = "" if piece.type == PieceType.BYTE else self._text.decode(b"", True)
        return self._hold(ended + self._text.decode(self._joiner.add(piece)))

    def finish(self) -> str:
        """Return what is left."""
        rest = self._held + super().finish()
        return rest if self._denormalizer is None else rewrite(rest, self._denormalizer)

    def _hold(self, text: str) -> str:
        if self._denormalizer is None:
            return text
        self._held += text
        return ""
