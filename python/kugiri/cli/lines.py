"""What `encode` and `decode` work on: their argument, or the lines of standard input.

Many lines are worked on at once. Where that fails, they are gone through one by one, so that the
error can name the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from kugiri.corpus import STDIN, read_blocks
from kugiri.errors import EncodingError, VocabularyError

T = TypeVar("T")


class Lines(NamedTuple):
    """Several texts.

    Attributes:
        texts: the argument alone, or lines.
        first: the number of the first line; None for an argument.
    """

    texts: list[str]
    first: int | None = None

    def each(self, work: Callable[[str], T]) -> Iterator[T]:
        """What becomes of each text.

        Raises:
            EncodingError, VocabularyError: with the line in front.
        """
        for number, text in enumerate(self.texts, self.first or 0):
            try:
                made = work(text)
            except (EncodingError, VocabularyError) as error:
                place = "" if self.first is None else f"line {number}: "
                raise type(error)(f"{place}{error}") from error
            yield made

    def at_once(self, work: Callable[[list[str]], T], each: Callable[[str], Any]) -> T:
        """What becomes of all texts; `each` does the same for one, to find the line of an error.

        Raises:
            EncodingError, VocabularyError: with the line in front.
        """
        try:
            return work(self.texts)
        except (EncodingError, VocabularyError):
            for _ in self.each(each):
                pass
            raise


def lines_of(argument: str | None, errors: str = "strict") -> Iterator[Lines]:
    """The argument of a command, or where it is None or `-` the lines of standard input."""
    if argument not in (None, STDIN):
        text = str(argument)
        lone = next((i for i, c in enumerate(text) if "\ud800" <= c <= "\udfff"), None)
        if lone is not None:
            raise EncodingError(
                f"the text on the command line is not UTF-8 at position {lone}; give it on "
                "standard input, where --errors replace repairs it, or in a terminal of UTF-8"
            )
        yield Lines([text])
        return
    for block in read_blocks(STDIN):
        yield Lines(block.lines(errors), block.first_line)
