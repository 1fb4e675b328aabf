"""From ids back to text: a part of Tokenizer.

Cost.    Linear in the ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kugiri.errors import EncodingError, choose
from kugiri.inputs import as_ids, as_threads
from kugiri.lazy import lazy_module, lazy_property
from kugiri.reference.dialect import in_our_dialect
from kugiri.spec import SentencePieceDecoder
from kugiri.tokenizing.engine import Engine

if TYPE_CHECKING:
    from kugiri import encoding as results
    from kugiri.encoding import Batch, Ids
    from kugiri.reference import decode as decoding
    from kugiri.reference import vocab as vocabularies
    from kugiri.reference.vocab import Piece
    from kugiri.tokenizing import stream as streaming
    from kugiri.tokenizing.stream import StreamDecoder
else:
    decoding = lazy_module("kugiri.reference.decode")
    results = lazy_module("kugiri.encoding")
    streaming = lazy_module("kugiri.tokenizing.stream")
    vocabularies = lazy_module("kugiri.reference.vocab")


class Decodes(Engine):
    """What makes text of ids."""

    def decode(
        self,
        ids: Iterable[int] | Ids,
        *,
        errors: str = "replace",
        skip_special_tokens: bool = False,
    ) -> str:
        """Return the text of ids.

        Args:
            ids: a list or array of ids.
            errors: what to do with bytes that are not UTF-8: "replace", "strict" or "ignore".
            skip_special_tokens: leave special tokens out.

        Raises:
            VocabularyError: an id is not in the vocabulary.
            EncodingError: the bytes are not UTF-8 and `errors` is "strict".
        """
        replace = choose("errors", errors, decoding.UTF8_ERRORS) == "replace"
        if not replace and isinstance(self.spec.decoder, SentencePieceDecoder):
            return self._decode_pieces(as_ids(ids).tolist(), errors, skip_special_tokens)
        data = self._core.decode_bytes(ids, bool(skip_special_tokens), replace)
        return decoding.to_text(data, errors, self.spec.decoder)

    def _decode_pieces(self, ids: list[int], errors: str, skip_special_tokens: bool) -> str:
        """The same piece by piece: the core replaces broken bytes before the last ones itself."""
        stream = self.decoder(errors=errors)
        left_out = self._strings.special_ids if skip_special_tokens else frozenset()
        steps = [stream.feed(id) for id in ids if id not in left_out]
        return "".join(steps) + stream.finish()

    def decode_bytes(self, ids: Iterable[int] | Ids, *, skip_special_tokens: bool = False) -> bytes:
        """Return the bytes of ids."""
        return self._core.decode_bytes(ids, bool(skip_special_tokens), False)

    def decode_batch(
        self,
        batch: Batch | Iterable[Iterable[int]],
        *,
        errors: str = "replace",
        skip_special_tokens: bool = False,
        threads: int | None = None,
    ) -> list[str]:
        """Return the text of each row of ids."""
        if not isinstance(batch, results.Batch):
            batch = results.Batch.from_lists(batch)
        skip, replace = bool(skip_special_tokens), choose("errors", errors, decoding.UTF8_ERRORS)
        if replace != "replace" and isinstance(self.spec.decoder, SentencePieceDecoder):
            texts: list[str] = []
            try:
                for row in batch.to_lists():
                    texts.append(self._decode_pieces(row, errors, skip))
            except EncodingError as error:
                raise EncodingError(f"row {len(texts)}: {error}") from error
            return texts
        decoded = self._core.decode_batch_bytes(
            batch.ids, batch.offsets, skip, replace == "replace", as_threads(threads)
        )
        return decoding.to_texts(decoded, errors, self.spec.decoder)

    def decoder(
        self, *, errors: str = "replace", stop: Iterable[str] = (), **others: Any
    ) -> StreamDecoder:
        """Return a decoder that takes ids one by one.

        Args:
            errors: as for `decode`.
            stop: strings that end the text. The one that is whole first counts, wherever tokens
                begin and end; the decoder's `stopped` names it. A special token, as the end of a
                turn, is a stop by its text.
            **others: none; an unknown name is an error that says so.

        Raises:
            OptionError: there is no such option, `errors` has another value, or a stop is empty or
                no str.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> stream = tok.decoder(stop=["er"])
            >>> [stream.feed(id) for id in tok.encode("low lower")], stream.stopped
            (['low', ' ', 'low', '', ''], 'er')
        """
        for name in others:
            choose("option", name, ("errors", "stop"))
        stream: StreamDecoder
        if isinstance(self.spec.decoder, SentencePieceDecoder):
            stream = streaming.PieceStreamDecoder(self._vocabulary.piece, self.spec, errors)
        else:
            steps = decoding.decoding_steps(in_our_dialect(self.spec), errors)
            stream = streaming.StreamDecoder(self._piece, steps, errors)
        return streaming.StoppingDecoder(stream, stop) if stop != () else stream

    def _piece(self, id: int) -> Piece:
        self._core.decode_bytes(as_ids([id]), False, False)  # which refuses an unknown id
        return self._strings.piece(id)

    @lazy_property
    def _vocabulary(self) -> vocabularies.Vocabulary:
        return vocabularies.Vocabulary(self.spec.model, self.spec.added_tokens)
