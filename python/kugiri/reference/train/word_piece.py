"""Training WordPiece: pairs are merged as in BPE, but a piece knows whether it begins its word.

Rule.    Words are cut into characters, and each but the first carries the prefix: hug is h ##u ##g.
         The alphabet is every character of the corpus as it begins a word, then those that stand
         inside of words, with the prefix; both by code point. A merge takes the prefix of its right
         side away. By frequency, the pair that occurs most often is merged. By likelihood, the one
         with the highest score, count(ab) / (count(a) · count(b)), with the symbols counted as the
         words are cut now; a pair that occurs less than min_frequency times has none. Ties are
         settled as in bpe.py.
         No piece that begins a word is made that would be spelled like one inside (## and more), so
         a string is one piece.
Cost.    O(corpus) a merge, as in bpe.py. In the core a merge by likelihood costs what its places
         cost, and a step in a heap for each pair that has a symbol in common with it.
Source.  WordPieceTrainer of tokenizers 0.23.3 is by frequency; it gives the characters with prefix
         their ids in the order of a hash table, and so settles ties anew in each process. The score
         is that of the Hugging Face course, chapter 6.6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby

from kugiri.errors import OptionError, TrainingError, choose
from kugiri.reference.models.bpe import Pair
from kugiri.reference.train.bpe import TrainStep, Worth, by_count, merge_steps
from kugiri.reference.train.bpe_start import Options as BpeOptions
from kugiri.reference.train.bpe_start import Start, Word, check_room, kept_and_dropped

MERGE_BY = ("frequency", "likelihood")


@dataclass(frozen=True)
class Options(BpeOptions):
    """Those of BPE, though `unit` is always "char" here and no mark ends a word, and two more.

    Attributes:
        continuing_prefix: what marks a piece inside a word.
        merge_by: what says which pair goes next.
    """

    continuing_prefix: str = "##"
    merge_by: str = "frequency"

    def __post_init__(self) -> None:
        """Check what can be checked without a corpus.

        Raises:
            OptionError: there is no such way to merge, or no prefix.
        """
        super().__post_init__()
        choose("merge_by", self.merge_by, MERGE_BY)
        if not self.continuing_prefix:
            raise OptionError(
                "continuing_prefix is empty, so nothing would tell a piece inside a word from one "
                "at its beginning; use '##', or model='bpe'"
            )

    def join(self, left: bytes, right: bytes) -> bytes:
        """What a pair becomes; its right side never begins a word."""
        return left + right.removeprefix(self.continuing_prefix.encode())

    def allows(self, left: bytes, right: bytes, length: int) -> bool:
        """Whether a pair may be merged, whatever its count."""
        looks_inside = self.is_inside(self.join(left, right)) and not self.is_inside(left)
        return super().allows(left, right, length) and not looks_inside

    def is_inside(self, piece: bytes) -> bool:
        """Whether a piece is spelled like one inside a word."""
        prefix = self.continuing_prefix.encode()
        return piece.startswith(prefix) and piece != prefix


def train_steps(counts: Mapping[bytes, int], options: Options) -> Iterator[TrainStep]:
    """Yield each merge until the vocabulary is full or nothing is left to merge.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: the alphabet alone is larger than the vocabulary.

    Example:
        >>> words = {b"hug": 10, b"pug": 5, b"pun": 12, b"bun": 4, b"hugs": 5}
        >>> for way in MERGE_BY:
        ...     options = Options(unit="char", merge_by=way, tie="first-seen", num_merges=3)
        ...     print(way, [step.join for step in train_steps(words, options)])
        frequency [b'##ug', b'##un', b'hug']
        likelihood [b'##gs', b'hu', b'hugs']
    """
    if options.merge_by == "frequency":
        worth: Worth = by_count
    else:
        worth = partial(_by_likelihood, options.min_frequency)
    yield from merge_steps(start(counts, options), options, worth)


def _by_likelihood(least: int, pairs: Counter[Pair], words: list[Word]) -> dict[Pair, Fraction]:
    """The score of each pair that occurs often enough."""
    of_symbol: Counter[bytes] = Counter()
    for word in words:
        for symbol in word.symbols:
            of_symbol[symbol] += word.count
    return {
        (left, right): Fraction(count, of_symbol[left] * of_symbol[right])
        for (left, right), count in pairs.items()
        if count >= least
    }


def start(counts: Mapping[bytes, int], options: Options) -> Start:
    """Choose the alphabet and cut every word into characters that know where they stand.

    Raises:
        TrainingError: there is nothing to train from.
        VocabularyError: the alphabet alone is larger than the vocabulary.

    Example:
        >>> start({b"hug": 1}, Options(unit="char")).alphabet
        [b'g', b'h', b'u', b'##g', b'##u']
    """
    if not any(counts):
        raise TrainingError("the corpus has no words; give at least one text that is not empty")
    kept, dropped = kept_and_dropped(counts, options)
    words = [
        Word(tuple(symbol.encode() for _, symbol in run), count)
        for word, count in counts.items()
        for is_kept, run in groupby(_marked(word.decode(), options), lambda it: it[0] in kept)
        if is_kept
    ]
    begin = {character.encode() for character in kept}
    inside = {symbol for word in words for symbol in word.symbols} - begin
    alphabet = sorted(begin) + sorted(inside)
    check_room(len(alphabet), options, ", or limit_alphabet")
    return Start(alphabet, words, dropped)


def _marked(word: str, options: Options) -> Iterator[tuple[str, str]]:
    """Each character of a word, and how it is spelled where it stands."""
    for at, character in enumerate(word):
        yield character, options.continuing_prefix + character if at else character
