"""What byte-pair encoding starts from: the first symbols of a word.

Rule.    A unit of the word (a byte or a character) is the token of that string; with a
         continuing prefix, of the prefix and that string unless it stands first; with an
         end-of-word suffix, of that string and the suffix where it stands last. A byte may so be a
         special token, for merges need all bytes; a character may not. A unit that is no token
         becomes the byte tokens of its string, where byte fallback is on and all of them exist,
         else the unknown token, one for each or (fuse_unk) for all in a row. An unknown symbol
         waits for the next unit that is none, and byte tokens overtake it.
         Where there is no unknown token the unit stays without an id, or is dropped, as files of
         tokenizers mean it. An end-of-word mark is a symbol of its own behind all others.
         A symbol stands for its unit, a byte token for its byte of it, and for nothing where the
         byte is one of an affix.
Cost.    One look-up a unit.
Source.  tokenizers 0.23.3, the order included; its places, which are others where a unit was
         dropped or overtaken, the core alone tells. The end-of-word mark is ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned, covering
from kugiri.reference.not_run import not_run
from kugiri.reference.vocab import Vocabulary


class Symbol(NamedTuple):
    """A symbol before it has its place: its id, its string, and its bytes of the word."""

    id: int | None
    text: bytes
    start: int
    end: int


class FirstSymbols:
    """Cuts words into the symbols that merging starts from."""

    def __init__(
        self, model: spec.BPE, vocabulary: Vocabulary, *, byte_level: bool, drops_unknown: bool
    ) -> None:
        """Keep the look-ups.

        `byte_level` says that a character shows a byte; without an unknown token, `drops_unknown`
        drops what has no id.

        Raises:
            OptionError: bytes that fall back to byte tokens, or have affixes.
            VocabularyError: the end mark is not in the vocabulary.
        """
        affixed = model.continuing_subword_prefix or model.end_of_word_suffix
        if model.unit == "byte" and (affixed or model.byte_fallback):
            raise not_run("model", "BPE on bytes with byte_fallback or affixes")
        self._model = model
        self._vocabulary = vocabulary
        self._are_bytes = byte_level or model.unit == "byte"
        self._drops_unknown = drops_unknown and model.unk_token is None
        self._mark_id = vocabulary.id_of_named("end-of-word mark", model.end_of_word)

    def of(self, word: Aligned) -> list[Token]:
        """The first symbols of a pre-token; one that no id stands for has the id None."""
        placed = [span for _, span in word.utf8()]
        placed.append((word.end, word.end))
        tokens = []
        for id, text, start, end in self._symbols(word.text):
            place = covering(placed[start:end]) if start < end else (placed[start][0],) * 2
            tokens.append(Token(id, text, *place))
        if self._mark_id is not None:
            # A symbol of its own that stands for no text: it lies where the word ends.
            _, end = word.span
            tokens.append(Token(self._mark_id, self._model.end_of_word.encode(), end, end))
        return tokens

    def _symbols(self, word: str) -> Iterator[Symbol]:
        waiting: list[Symbol] = []  # the unknown one that what comes next may still become part of
        data, at = word.encode(), 0
        for prefix, unit, suffix in self._units(word):
            string = prefix + unit + suffix
            end = at + len(unit)
            if (id := self._id(string)) is not None:
                yield from waiting
                waiting = []
                yield Symbol(id, string, at, end)
            elif fallback := self._bytes(string):
                start = at - len(prefix)
                for byte, (id, text) in enumerate(fallback, start):
                    yield Symbol(id, text, min(max(byte, at), end), min(max(byte + 1, at), end))
            elif not self._drops_unknown:
                if waiting and self._model.fuse_unk:
                    [(id, _, start, _)] = waiting
                    waiting = [Symbol(id, data[start:end], start, end)]
                else:
                    yield from waiting
                    waiting = [Symbol(self._vocabulary.unknown_id, unit, at, end)]
            at = end
        yield from waiting

    def _units(self, word: str) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Each byte or character of a word, between the affixes that it is looked up with."""
        if self._model.unit == "byte":
            yield from ((b"", bytes([byte]), b"") for byte in word.encode())
            return
        last = len(word) - 1
        for at, character in enumerate(word):
            prefix = (self._model.continuing_subword_prefix or "") if at > 0 else ""
            suffix = (self._model.end_of_word_suffix or "") if at == last else ""
            yield prefix.encode(), character.encode(), suffix.encode()

    def _id(self, string: bytes) -> int | None:
        if self._are_bytes:
            return self._vocabulary.ids.get(string)
        return self._vocabulary.word_id(string)

    def _bytes(self, string: bytes) -> list[tuple[int, bytes]]:
        """The byte tokens of a string; none where one of them is missing."""
        known = self._vocabulary.byte_ids
        if not self._model.byte_fallback or not set(string) <= known.keys():
            return []
        return [(known[byte], b"<0x%02X>" % byte) for byte in string]
