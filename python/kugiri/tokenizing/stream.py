"""Decoding ids one at a time, as a chat front end does."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Sequence

from kugiri.errors import EncodingError, choose
from kugiri.inputs import as_ids
from kugiri.reference.decode import UTF8_ERRORS, denormalizer, error_handler, rewrite
from kugiri.reference.decoder_steps import Step
from kugiri.reference.decoders import run
from kugiri.reference.piece_joiner import PieceJoiner
from kugiri.reference.vocab import Piece
from kugiri.spec import PieceType, TokenizerSpec
from kugiri.tokenizing.stop_strings import StopStrings


class StreamDecoder:
    """Gives text as soon as its characters are whole; made by `Tokenizer.decoder()`.

    The joined results of `feed` and `finish` are what decoding all ids at once gives. What a
    decoder makes of the whole text (a Replace behind a Fuse) comes from `finish` alone.

    Attributes:
        stopped: the stop string that ended the text; None while there is none.

    Example:
        >>> pieces = [Piece(b"a"), Piece("猫".encode()[:1]), Piece("猫".encode()[1:])]
        >>> stream = StreamDecoder(pieces.__getitem__, [])
        >>> [stream.feed(id) for id in (0, 1, 2)], stream.finish()
        (['a', '', '猫'], '')
    """

    def __init__(
        self, piece: Callable[[int], Piece], steps: Sequence[Step], errors: str = "replace"
    ) -> None:
        """Keep what ids stand for, and what becomes of that.

        Raises:
            OptionError: `errors` is not "replace", "strict" or "ignore".
        """
        choose("errors", errors, UTF8_ERRORS)
        self.stopped: str | None = None
        self._piece = piece
        self._steps = steps
        self._text = getincrementaldecoder("utf-8")(errors)

    def feed(self, id: int) -> str:
        """Take one id; return the text that is complete with it, perhaps "".

        Raises:
            VocabularyError: the id is not in the vocabulary.
            EncodingError: the bytes so far are not UTF-8 and `errors` is "strict".
        """
        piece = self._piece(int(as_ids([id])[0]))
        return self._complete(run(self._steps, [piece], finish=False))

    def finish(self) -> str:
        """Return what is left: the replacement for a character that never became whole."""
        return self._complete(run(self._steps, []), final=True)

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
        super().__init__(piece, [], errors)
        self._text = getincrementaldecoder("utf-8")(error_handler(errors, spec.decoder))
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


class StoppingDecoder(StreamDecoder):
    """The same, up to the first of some stop strings; it and what is behind it never come out."""

    def __init__(self, stream: StreamDecoder, stop: Iterable[str]) -> None:
        """Keep the decoder whose text is looked through, and the stops.

        Raises:
            OptionError: a stop is empty or no str, or they are no list.
            EncodingError: one has a lone surrogate.
        """
        self.stopped = None
        self._stream = stream
        self._stops = StopStrings(stop)

    def feed(self, id: int) -> str:
        """Take one id; return the text that is complete with it and before every stop.

        Raises:
            VocabularyError: the id is not in the vocabulary.
            EncodingError: the bytes so far are not UTF-8 and `errors` is "strict".
        """
        return self._before_stop(self._stream.feed(id)) if self.stopped is None else ""

    def finish(self) -> str:
        """Return what is left, if no stop has come."""
        if self.stopped is not None:
            return ""
        return self._before_stop(self._stream.finish()) + self._stops.finish()

    def _before_stop(self, text: str) -> str:
        before = self._stops.feed(text)
        self.stopped = self._stops.found
        return before
