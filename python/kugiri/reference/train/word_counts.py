"""Word counts: all that a trainer needs to know of a corpus.

Rule.    Each text is normalized and cut into pre-tokens; equal ones are counted together, in the
         order in which they first occur. That order is what the tie rule "first-seen" looks at.
Cost.    One dictionary entry a different word, however long the corpus.
Source.  Sennrich et al. 2016 train on a dictionary of words; the order is ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kugiri.reference.alignment import Aligned
from kugiri.reference.normalize import normalize
from kugiri.reference.pre_tokenize import pre_tokenize
from kugiri.spec import Normalizer, PreTokenizer
from kugiri.unicode import CURRENT


def count_words(
    texts: Iterable[str],
    pre_tokenizer: PreTokenizer | None = None,
    unicode_version: str = CURRENT,
    normalizer: Normalizer | None = None,
) -> Counter[bytes]:
    """Count the pre-tokens of all texts.

    Example:
        >>> from kugiri.spec import WhitespaceSplit
        >>> count_words(["low lower low", "new"], WhitespaceSplit())
        Counter({b'low': 2, b'lower': 1, b'new': 1})
    """
    counts: Counter[bytes] = Counter()  # a dictionary: it keeps the order of first occurrence
    for text in texts:
        normalized = normalize(Aligned.of(text), normalizer, None, unicode_version)
        for word in pre_tokenize(normalized, pre_tokenizer, unicode_version):
            counts[word.text.encode()] += 1
    return counts
