"""An n-gram model of ids, and the bits that held-out documents take under it.

Rule.    Interpolated Kneser–Ney with three discounts an order. The symbols of a document are its
         ids and an end; before them stand as many begins as the model has context. A gram of the
         highest order counts how often it occurs, a shorter one how many different symbols stand
         before it. Each order takes a discount from every count and gives what that leaves to the
         order below:

             p(w | h) = (c(hw) − D(c(hw)) + mass(h) · p(w | h without its first symbol)) / c(h·)
             mass(h)  = D(1) · N₁(h·) + D(2) · N₂(h·) + D(3+) · N₃₊(h·)

         c(h·) is the sum of the counts of all w behind h, N₁(h·) how many w have the count 1. A
         context that was never met leaves it all to the order below. Below order 1 a token is
         spelled: its bytes, and that it ends, one by one, each as often as the documents that the
         model is fitted on have it, and once more; the end of a document is a token of no bytes.
         So what a token takes hangs on what it stands for and not on how many others there are.
         With n₁ to n₄ grams of an order that have the count 1 to 4, and Y = n₁ / (n₁ + 2n₂):

             D(1) = 1 − 2Y·n₂/n₁    D(2) = 2 − 3Y·n₃/n₂    D(3+) = 3 − 4Y·n₄/n₃

         or ½, 1 and 1½ where one of n₁ to n₄ is 0, or some D is not above 0 and up to its count.
Cost.    This model is for reading, and the oracle of the fast one in src/ngram.rs: that one needs
         a look-up an order for each symbol, half a second for two million ids on two threads.
Source.  S. F. Chen, J. Goodman: An Empirical Study of Smoothing Techniques for Language Modeling,
         1998. R. Kneser, H. Ney: Improved Backing-off for M-gram Language Modeling, 1995. The usual
         discounts for small counts are those of KenLM.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from kugiri import _core
from kugiri.encoding import Batch
from kugiri.measure.draws import Floats, Integers

ORDER = 5
"""The order that bits per byte are measured with."""
ONE_IN = 5
"""One document of so many is held out."""
MOST_BITS = 900
"""What a spelled token takes at most: the chance of one of hundreds of bytes is no float."""

Bools = npt.NDArray[np.bool_]
Gram = tuple[int, ...]
USUAL_DISCOUNTS = (0.0, 0.5, 1.0, 1.5)


class NGramModel:
    """The model as the rule says it.

    Args:
        documents: the ids of each.
        order: the length of the longest gram, from 1 to 5.
        below: the chance of each id below order 1, and at last that of the end.

    Example:
        >>> model = NGramModel([[0, 1], [0, 0]], order=1, below=[1 / 3, 1 / 3, 1 / 3])
        >>> # counts: 0 three times, 1 once, the end twice; all of 6. Usual discounts; the mass is
        >>> # 0.5 + 1 + 1.5 = 3, so 0 has (3 − 1.5 + 3/3) / 6.
        >>> [round(model.probability(symbol, ()), 4) for symbol in (0, 1, model.end)]
        [0.4167, 0.25, 0.3333]
    """

    def __init__(
        self, documents: Iterable[Sequence[int]], order: int, below: Sequence[float]
    ) -> None:
        self.order, self.end, self.begin = order, len(below) - 1, len(below)
        self._below = below
        counts: list[Counter[Gram]] = [Counter() for _ in range(order)]
        for document in documents:
            symbols = self._symbols(document)
            for last in range(order - 1, len(symbols)):
                counts[-1][tuple(symbols[last - order + 1 : last + 1])] += 1
        for length in range(order - 1, 0, -1):
            counts[length - 1] = Counter(gram[1:] for gram in counts[length])
        self._counts = counts
        self._discounts = [discounts(of_order) for of_order in counts]
        self._behind: defaultdict[Gram, list[int]] = defaultdict(list)
        for of_order in counts:
            for gram, count in of_order.items():
                self._behind[gram[:-1]].append(count)

    def probability(self, symbol: int, context: Gram) -> float:
        """The probability of an id, or of the end, behind at most `order` − 1 others."""
        below = self.probability(symbol, context[1:]) if context else self._below[symbol]
        counts = self._behind.get(context)
        if not counts:
            return below
        taken = self._discounts[len(context)]
        kinds = Counter(min(count, 3) for count in counts)
        mass = taken[1] * kinds[1] + taken[2] * kinds[2] + taken[3] * kinds[3]
        count = self._counts[len(context)][(*context, symbol)]
        return (count - taken[min(count, 3)] + mass * below) / sum(counts)

    def bits(self, document: Sequence[int]) -> float:
        """What a document and its end take."""
        symbols, longest = self._symbols(document), self.order - 1
        bits = 0.0
        for at in range(longest, len(symbols)):
            bits -= math.log2(self.probability(symbols[at], tuple(symbols[at - longest : at])))
        return bits

    def _symbols(self, document: Sequence[int]) -> list[int]:
        return [self.begin] * (self.order - 1) + [*document, self.end]


def discounts(counts: Counter[Gram]) -> tuple[float, ...]:
    """What is taken from a count of 0, 1, 2, and more."""
    kinds = Counter(counts.values())
    n1, n2, n3, n4 = (kinds[count] for count in (1, 2, 3, 4))
    if not n1 * n2 * n3 * n4:
        return USUAL_DISCOUNTS
    y = n1 / (n1 + 2 * n2)
    found = (0.0, 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    possible = all(0 < found[count] <= count for count in (1, 2, 3))
    return found if possible else USUAL_DISCOUNTS


def spelled(texts: Sequence[bytes], counts: Integers, documents: int) -> Floats:
    """(ids + 1,): the chance of each id below order 1, and at last that of the end.

    Args:
        texts: the bytes that each id stands for.
        counts: how often each occurs in what the model is fitted on.
        documents: how many these are.

    Example:
        >>> # two a, a b and an ab in one document: a three times, b twice, five ends; each once
        >>> # more, and 254 other bytes: 4 + 3 + 6 + 254 = 267
        >>> (spelled([b"a", b"b", b"ab"], np.array([2, 1, 1]), 1) * 267**3).round().tolist()
        [6408.0, 4806.0, 72.0, 427734.0]
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    of_texts = np.frombuffer(b"".join(texts), np.uint8)
    of_bytes = np.bincount(of_texts, np.repeat(counts, lengths), minlength=256) + 1
    of_end = int(counts.sum()) + documents + 1
    total = of_bytes.sum() + of_end
    bits = -np.log2(np.append(of_bytes, of_end) / total)
    sums = np.append(0, np.cumsum(bits[of_texts]))
    ends = np.cumsum(lengths)
    all_bits = np.append(sums[ends] - sums[ends - lengths], 0) + bits[256]
    return np.asarray(np.exp2(-np.minimum(all_bits, MOST_BITS)), np.float64)


def held_out_bits(
    batch: Batch, held_out: Bools, *, order: int, below: Floats, threads: int | None = None
) -> Floats:
    """(documents,): the bits of each that is held out under a model of the others; 0 for these.

    `below` has the chance of each id below order 1, and at last that of the end.

    Example:
        >>> batch = Batch.from_lists([[0, 1], [0, 0], [1]])
        >>> held_out = np.array([False, False, True])
        >>> held_out_bits(batch, held_out, order=1, below=np.full(3, 1 / 3))  # by hand as above
        array([0.    , 0.    , 3.5849625])
    """
    return _core.held_out_bits(batch.ids, batch.offsets, held_out, order, below, threads)


def hold_out(documents: Sequence[str]) -> Bools:
    """(documents,): which are held out, one different text in five, by a hash of the text.

    Copies of a text are all on one side, whatever their order; a single text is not held out.
    """
    texts = [text.encode("utf-8") for text in documents]
    hashes = {text: blake2b(text, digest_size=8).digest() for text in texts}
    count = max(len(hashes) // ONE_IN, 1) if len(hashes) > 1 else 0
    held_out = set(sorted(hashes, key=lambda text: (hashes[text], text))[:count])
    return np.array([text in held_out for text in texts], np.bool_)
