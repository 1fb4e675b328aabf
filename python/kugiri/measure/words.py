"""Words beside tokens: how many tokens touch a word, and where both have a boundary.

Rule.    A token touches a word if they share a byte; one that reaches over two words touches both.
         A boundary is a place inside a document where a token begins or ends, or where two segments
         of the segmenter meet. White space is taken out before places are compared: so the end of
         one word and the beginning of the next are one boundary, and it does not matter which side
         a tokenizer gives the space to. A boundary inside a character is one too, and a wrong one.
         A distinct word that stands in three documents is a third of a word in each: so all sums
         are sums over documents, which can be drawn.
Cost.    Sorting the places of tokens; some array operations over the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kugiri.measure.draws import Floats, Integers
from kugiri.measure.places import Places, TextBytes
from kugiri.segmenters import Segments, Words
from kugiri.unicode import WHITE_SPACE

BY_WORDS = {
    "fertility", "continued_words", "single_token_retention", "morpheme_boundary_precision",
    "morpheme_boundary_recall",
}  # fmt: skip
"""The metrics that depend on what the segmenter takes for words."""
_SPACES = re.findall(f"[{WHITE_SPACE}]", "".join(map(chr, range(0x3001))))


def touched(places: Places, text: TextBytes, words: Words) -> Integers:
    """(words,): how many tokens touch each.

    Example:
        >>> text = TextBytes(["low lower"])
        >>> words = Words(np.array([0, 4]), np.array([3, 9]), np.array([0, 2]))
        >>> touched(Places(np.array([0, 2, 7]), np.array([2, 7, 9])), text, words)  # lo|w low|er
        array([2, 2])
    """
    shift = np.repeat(text.byte_starts[:-1], np.diff(words.offsets))
    starts, ends = map(np.sort, _somewhere(places))
    # What begins before the end of the word, less what ends before it begins.
    begun = np.searchsorted(starts, words.ends + shift, side="left")
    ended = np.searchsorted(ends, words.starts + shift, side="right")
    return (begun - ended).astype(np.int64)


class Boundaries(NamedTuple):
    """(documents,): the boundaries inside each, of tokens, of segments, and those of both."""

    tokens: Integers
    segments: Integers
    both: Integers


def boundaries(places: Places, text: TextBytes, segments: Segments) -> Boundaries:
    """Where tokens and segments meet.

    Example:
        >>> text = TextBytes(["low lower", ""])
        >>> segments = Segments(np.array([3, 4, 9]), np.array([True, False, True]),
        ...                     np.array([0, 3, 3]))
        >>> # low| low|er has boundaries behind 3 and 6 letters, low lower one behind 3.
        >>> boundaries(Places(np.array([0, 3, 7]), np.array([3, 7, 9])), text, segments)
        Boundaries(tokens=array([2, 0]), segments=array([1, 0]), both=array([1, 0]))
    """
    letters = np.zeros(len(text.data) + 1, np.int64)
    is_letter = ~np.isin(text.code_points, [ord(space) for space in _SPACES])
    np.cumsum(is_letter[text.character_at], out=letters[1:])
    edges = letters[text.byte_starts]
    shift = np.repeat(text.byte_starts[:-1], np.diff(segments.offsets))
    of_tokens = _marked(letters[np.concatenate(_somewhere(places))], edges)
    of_segments = _marked(letters[segments.ends + shift], edges)
    return Boundaries(
        *(_in_each(marked, edges) for marked in (of_tokens, of_segments, of_tokens & of_segments))
    )


def _somewhere(places: Places) -> Places:
    """Without the tokens that cover nothing."""
    covers = places.starts < places.ends
    return Places(places.starts[covers], places.ends[covers])


def _marked(at: Integers, edges: Integers) -> npt.NDArray[np.bool_]:
    """(bytes + 1,): the places `at`, without the edges of documents."""
    marked = np.zeros(edges[-1] + 1, np.bool_)
    marked[at] = True
    marked[edges] = False
    return marked


def _in_each(marked: npt.NDArray[np.bool_], edges: Integers) -> Integers:
    """(documents,): how many places are marked in each."""
    before = np.concatenate([[0], np.cumsum(marked)])
    return np.diff(before[edges])


class DistinctWords:
    """The words of documents, each once.

    Attributes:
        words: they, in the order in which they were met.
        numbers: (words of the documents,), which each of those is.

    Example:
        >>> words = Words(np.array([0, 2, 0]), np.array([1, 3, 1]), np.array([0, 2, 3]))
        >>> distinct = DistinctWords(["a b", "a"], words)
        >>> distinct.words, distinct.numbers
        (['a', 'b'], array([0, 1, 0]))
        >>> distinct.share_of(np.array([True, True])), distinct.share_of(np.array([True, False]))
        (array([1.5, 0.5]), array([0.5, 0.5]))
    """

    def __init__(self, documents: Sequence[str], words: Words) -> None:
        numbers: dict[bytes, int] = {}
        found = []
        for document, (first, last) in enumerate(
            zip(words.offsets, words.offsets[1:], strict=False)
        ):
            data = documents[document].encode()
            for at in range(first, last):
                word = data[words.starts[at] : words.ends[at]]
                found.append(numbers.setdefault(word, len(numbers)))
        self.words = [word.decode() for word in numbers]
        self.numbers = np.array(found, np.int64)
        self._documents = len(documents)
        of_document = np.repeat(np.arange(self._documents), np.diff(words.offsets))
        pairs = np.unique(of_document * max(len(numbers), 1) + self.numbers)
        self._holders, self._held = np.divmod(pairs, max(len(numbers), 1))

    def share_of(self, of_words: npt.NDArray[np.generic]) -> Floats:
        """(documents,): the sum of what the words have, each parted among its documents."""
        part = of_words.astype(np.float64) / np.bincount(self._held, minlength=len(self.words))
        shares = np.bincount(self._holders, part[self._held], minlength=self._documents)
        return shares.astype(np.float64)
