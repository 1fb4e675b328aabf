"""The texts of a batch, each a str or a list of words that somebody else has cut.

Rule.    Words are encoded one by one, and their tokens stand side by side. The word of a token is
         that of the caller, and its span counts from the begin of the word.
Cost.    That of encoding each word.
Source.  tokenizers 0.23.3 (`is_pretokenized`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from kugiri.encoding import Batch
from kugiri.errors import OptionError, described
from kugiri.inputs import as_texts, is_list


class Texts(NamedTuple):
    """A column of texts.

    Attributes:
        strings: the texts, or the words of all of them.
        bounds: where the words of each begin, and the end; None if each is a str.
    """

    strings: list[Any]
    bounds: list[int] | None

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.strings if self.bounds is None else self.bounds[1:])

    def strings_of(self, sample: int) -> list[Any]:
        """The words of a text; one that is a str is one word."""
        if self.bounds is None:
            return [self.strings[sample]]
        return self.strings[self.bounds[sample] : self.bounds[sample + 1]]

    def joined(self, batch: Batch) -> Batch:
        """The ids of the texts, made of those of all strings."""
        if self.bounds is None:
            return batch
        return Batch(batch.ids, batch.offsets[np.array(self.bounds, np.int64)])


def as_column(texts: Iterable[Any], name: str = "a batch") -> Texts:
    """Texts, all of them str or all of them lists of words.

    Raises:
        OptionError: they are something else.
    """
    listed = as_texts(texts, name)
    if not any(map(is_list, listed)):
        return Texts(listed, None)
    for number, words in enumerate(listed):
        if not is_list(words):
            raise OptionError(
                f"text {number} of {name} is {described(words)}, and others are lists of words; "
                "give either"
            )
    rows = [list(words) for words in listed]
    return Texts([word for row in rows for word in row], [0, *accumulate(map(len, rows))])
