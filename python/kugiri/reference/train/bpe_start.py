"""What BPE training starts from: its options, the alphabet, the words cut into single units.

Rule.    Unit "byte": the alphabet is all 256 bytes, by value or in GPT-2's order. Unit "char": the
         characters of the corpus, those of initial_alphabet and the end-of-word mark, by code
         point. With limit_alphabet only the most frequent characters of the corpus are kept, among
         equal counts the lower code point; one that is not kept cuts its word in two, so that its
         neighbours are never joined across it, and is reported.
Cost.    One pass over the words.
Source.  The alphabets of tokenizers 0.23.3. There a character that is not kept vanishes, and its
         neighbours merge across the gap; that is not followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from kugiri.errors import OptionError, TrainingError, VocabularyError, choose
from kugiri.reference.byte_alphabet import ORDERS
from kugiri.reference.train.keep_characters import keeps_characters

TIES = ("lowest-ids", "first-seen", "greatest-pair", "sentencepiece")


@dataclass(frozen=True)
class Options:
    """The options of a training run.

    Attributes:
        unit: what words are cut into first.
        vocab_size: alphabet, merges that made a new string, and special tokens; None is no limit.
        num_merges: how many merges; None is no limit.
        min_frequency: how often a pair must occur.
        max_piece_length: the most units that a token may have; the end-of-word mark is one.
        tie: which of several pairs with equal counts goes first.
        byte_order: how the bytes are numbered.
        initial_alphabet: characters that get an id even where the corpus has none.
        limit_alphabet: how many different characters of the corpus are kept.
        end_of_word: a symbol of its own after each word.
        special_tokens: tokens that take room in the vocabulary, after all others.
        keep_characters: never join a whole character with a piece of another.
    """

    unit: Literal["byte", "char"] = "byte"
    vocab_size: int | None = None
    num_merges: int | None = None
    min_frequency: int = 2
    max_piece_length: int | None = None
    tie: str = "lowest-ids"
    byte_order: str = "value"
    initial_alphabet: str | tuple[str, ...] = ()
    limit_alphabet: int | None = None
    end_of_word: str = ""
    special_tokens: tuple[str, ...] = ()
    keep_characters: bool = False

    def __post_init__(self) -> None:
        """Check what can be checked without a corpus.

        Raises:
            OptionError: a name that does not exist, or an option of characters with unit="byte".
        """
        choose("unit", self.unit, ("byte", "char"))
        choose("tie", self.tie, TIES)
        choose("byte_order", self.byte_order, ORDERS)
        for name in ("initial_alphabet", "limit_alphabet", "end_of_word"):
            if self.unit == "byte" and getattr(self, name):
                raise OptionError(
                    f"{name} is for unit='char'; the alphabet of unit='byte' is the 256 bytes; "
                    f"leave {name} out or use unit='char'"
                )
        if self.unit == "char" and self.byte_order != "value":
            raise OptionError("byte_order is for unit='byte'; characters go by code point")

    def has_room(self, tokens: int, merges: int) -> bool:
        """Whether one more merge fits."""
        full = self.vocab_size is not None and tokens + len(self.special_tokens) >= self.vocab_size
        return not full and (self.num_merges is None or merges < self.num_merges)

    def join(self, left: bytes, right: bytes) -> bytes:
        """What a pair becomes."""
        return left + right

    def allows(self, left: bytes, right: bytes, length: int) -> bool:
        """Whether a pair may be merged, whatever its count; `length` is that of the join."""
        if self.max_piece_length is not None and length > self.max_piece_length:
            return False
        return not self.keep_characters or keeps_characters(left, right)


@dataclass(frozen=True)
class Word:
    """A word, or what is left of it on one side of a dropped character.

    Attributes:
        symbols: what it is cut into at this moment.
        count: how often it occurs in the corpus.
    """

    symbols: tuple[bytes, ...]
    count: int


class Start(NamedTuple):
    """The state before the first merge.

    Attributes:
        alphabet: the units in order of id.
        words: the words as units, in order of first occurrence.
        dropped: the characters that limit_alphabet left out, with their counts.
    """

    alphabet: list[bytes]
    words: list[Word]
    dropped: dict[str, int]


def start(counts: Mapping[bytes, int], options: Options) -> Start:
    """Choose the alphabet and cut every word into its units.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: the alphabet alone is larger than the vocabulary.

    Example:
        >>> start({b"ab": 3, b"axb": 1}, Options(unit="char", limit_alphabet=2)).words
        [Word(symbols=(b'a', b'b'), count=3), Word(symbols=(b'a',), count=1), \
Word(symbols=(b'b',), count=1)]
    """
    if not any(counts):
        raise TrainingError("the corpus has no words; give at least one text that is not empty")
    check_mark(counts, options.end_of_word)
    begin = _from_bytes if options.unit == "byte" else _from_characters
    state = begin(counts, options)
    check_room(len(state.alphabet), options, ", unit='byte', or limit_alphabet")
    return state


def check_mark(words: Iterable[bytes], mark: str) -> None:
    """Refuse an end-of-word mark of several characters that also stands in the text.

    It would be one symbol after a word and several inside one, so that a string could be made in
    two ways. A mark of one character is the same symbol in both places.

    Raises:
        TrainingError: the mark is spelled out in a word.
    """
    for word in words if len(mark) > 1 else ():
        if mark.encode() in word:
            raise TrainingError(
                f"the end-of-word mark {mark!r} is spelled out in the corpus, in "
                f"{word.decode(errors='replace')!r}; choose a mark that the text does not hold"
            )


def _from_bytes(counts: Mapping[bytes, int], options: Options) -> Start:
    single = [bytes([byte]) for byte in range(256)]
    alphabet = [single[byte] for byte in ORDERS[options.byte_order]]
    words = [Word(tuple(single[byte] for byte in word), n) for word, n in counts.items()]
    return Start(alphabet, words, {})


def _from_characters(counts: Mapping[bytes, int], options: Options) -> Start:
    mark = [options.end_of_word] if options.end_of_word else []
    characters, dropped = kept_and_dropped(counts, options)
    kept = {*characters, *mark}
    words = [
        Word(tuple(symbol.encode() for symbol in run), count)
        for word, count in counts.items()
        # The longest runs of what is kept. The mark comes after the whole word, not after each run.
        for is_kept, run in groupby([*word.decode(), *mark], kept.__contains__)
        if is_kept
    ]
    return Start([symbol.encode() for symbol in sorted(kept)], words, dropped)


def kept_and_dropped(
    counts: Mapping[bytes, int], options: Options
) -> tuple[set[str], dict[str, int]]:
    """The characters of the alphabet, and those that limit_alphabet leaves out, with counts."""
    seen: Counter[str] = Counter()
    for word, count in counts.items():
        for character in word.decode():
            seen[character] += count
    most_frequent = sorted(seen, key=lambda character: (-seen[character], character))
    kept = {*most_frequent[: options.limit_alphabet], *options.initial_alphabet}
    return kept, {it: n for it, n in seen.items() if it not in kept and it != options.end_of_word}


def check_room(alphabet: int, options: Options, fewer: str) -> None:
    """Refuse a vocabulary that is too small for the alphabet; `fewer` says what else would help."""
    specials = len(options.special_tokens)
    needed = alphabet + specials
    if options.vocab_size is not None and options.vocab_size < needed:
        unit, remedy = ("bytes", "") if options.unit == "byte" else ("characters", fewer)
        raise VocabularyError(
            f"vocab_size={options.vocab_size} is below the {needed} that this corpus needs "
            f"({alphabet} {unit} and {specials} special tokens); "
            f"use vocab_size={needed} or more{remedy}"
        )
