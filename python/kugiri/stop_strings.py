"""Stop strings: where a stream of text ends, because one of some strings has come.

Rule.    The stop that is whole first counts; of those that end at one place the longest. So a
         stream ends as early as it can, and where does not depend on how the text is cut into
         tokens. What may be the beginning of a stop is held back, all else is given out at once;
         the stop and what comes behind it never are.
Cost.    A look-up for each character, of a string no longer than the longest stop.
Source.  The automaton of Aho and Corasick (1975), with strings for its nodes.
"""

from __future__ import annotations

from collections.abc import Iterable

from kugiri.errors import OptionError
from kugiri.inputs import as_text, as_texts


class StopStrings:
    """Looks for some strings in a text that comes part by part.

    Attributes:
        found: the stop that was met, None as long as there is none.

    Example:
        >>> stops = StopStrings(["###", "#!"])
        >>> [stops.feed(part) for part in ("a#", "b##", "#c")], stops.found
        (['a', '#b', ''], '###')
    """

    def __init__(self, stops: Iterable[str]) -> None:
        """Keep the stops.

        Raises:
            OptionError: one is empty or no str, or they are no list.
            EncodingError: one has a lone surrogate.
        """
        listed = [as_text(stop, "a stop") for stop in as_texts(stops, "stop")]
        if "" in listed:
            raise OptionError("a stop is empty, and would end every text; leave it out")
        self.found: str | None = None
        self._held = ""
        """The longest end of the text so far that is the beginning of a stop."""
        whole, lengths = set(listed), sorted(set(map(len, listed)), reverse=True)
        self._whole: dict[str, str | None] = {"": None}
        """Of each beginning of a stop the longest stop that is an end of it."""
        for beginning in {stop[:end] for stop in listed for end in range(1, len(stop) + 1)}:
            ends = (beginning[-length:] for length in lengths)
            self._whole[beginning] = next((end for end in ends if end in whole), None)

    def feed(self, text: str) -> str:
        """Take more of the text; return what is certain to stand before every stop."""
        given: list[str] = []
        for character in text if self.found is None else "":
            held = self._held + character
            first = next(i for i in range(len(held) + 1) if held[i:] in self._whole)
            given.append(held[:first])
            self._held = held[first:]
            self.found = self._whole[self._held]
            if self.found is not None:
                given.append(self._held.removesuffix(self.found))
                self._held = ""
                break
        return "".join(given)

    def finish(self) -> str:
        """Return what was held back for a stop that never became whole."""
        held, self._held = self._held, ""
        return held
