"""Decoding ids one at a time, as a chat front end does."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable

from kugiri.errors import EncodingError, choose
from kugiri.inputs import as_ids
from kugiri.reference.decode import UTF8_ERRORS, denormalizer, error_handler, rewrite
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
        """Keep how ids become bytes.

        Raises:
            OptionError: `errors` is not "replace", "strict" or "ignore".
        """
        choose("errors", errors, UTF8_ERRORS)
        self._decode = decode
        self._previous: list[int] = []
        self._text = getincrementaldecoder("utf-8")(errors)

    def feed(self, id: int) -> str:
        """Take one id; return the text that is complete with it, perhaps "".

        Raises:
            VocabularyError: the id is not in the vocabulary.
            EncodingError: the bytes so far are not UTF-8 and `errors` is "strict".
        """
        # A space between words belongs to two tokens: what an id adds is seen beside the last one.
        before = len(self._decode(self._previous))
        added = self._decode([*self._previous, id])[before:]
        self._previous = [id]
        return self._complete(added)

    def finish(self) -> str:
        """Return what is left: the replacement for a character that never became whole."""
        return self._complete(b"", final=True)

    def _complete(self, data: bytes, final: bool = False) -> str:
        try:
            return self._text.decode(data, final)
        except UnicodeDecodeError as error:
            raise EncodingError(
                f"these ids stand for bytes that are not UTF-8 ({error.object.hex(' ')}); "
                "use errors='replace'"
            ) from error


class PieceStreamDecoder(StreamDecoder):
    """The same for the pieces of a .model, where the beginning of the text decides on spaces.

    A denormalizer may rewrite what is far apart; with one, all text comes from `finish`.
    """

    def __init__(
        self, piece: Callable[[int], Piece], spec: TokenizerSpec, errors: str = "replace"
    ) -> None:
        """Keep what ids stand for.

        Raises:
            OptionError: `errors` is not "replace", "strict" or "ignore".
        """
        super().__init__(lambda ids: b"", errors)
        self._text = getincrementaldecoder("utf-8")(error_handler(errors, spec.decoder))
        self._piece = piece
        self._joiner = PieceJoiner(spec)
        self._denormalizer = denormalizer(spec.decoder)
        self._held = ""

    def feed(self, id: int) -> str:
        """Take one id; return the text that is complete with it, perhaps "".

        Raises:
            VocabularyError: the id is not in the vocabulary.
            EncodingError: the bytes so far are not UTF-8 and `errors` is "strict".
        """
        piece = self._piece(int(as_ids([id])[0]))
        # A character's bytes stand in a row: any other piece ends it.
        ended = "" if piece.type == PieceType.BYTE else self._complete(b"", final=True)
        text = ended + self._complete(self._joiner.add(piece))
        if self._denormalizer is None:
            return text
        self._held += text
        return ""

    def finish(self) -> str:
        """Return what is left."""
        rest = self._held + super().finish()
        return rest if self._denormalizer is None else rewrite(rest, self._denormalizer)
