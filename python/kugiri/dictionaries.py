"""Dictionaries of Japanese, and where they say that words are.

Rule.    A name stands for a library and a dictionary; which version of it cuts is for the caller to
         compare, since each has other words. A text is cut into segments, without a gap: morphemes,
         and what is passed over between them (white space for MeCab, the ends of lines).
         Dictionaries take a short text at a time, so theirs is a line; one of more than 1,000
         characters is taken in parts, which end behind a 。 where there is one.
Cost.    0.3 to 1 s for 1 MB. Neither library lets other threads cut at the same time.
Source.  K. Takaoka et al.: Sudachi, a Japanese Tokenizer for Business, 2018. T. Kudo, K. Yamamoto,
         Y. Matsumoto: Applying Conditional Random Fields to Japanese Morphological Analysis, 2004
         (MeCab).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kugiri.errors import KugiriError, choose
from kugiri.lazy import imported, lazy_module

if TYPE_CHECKING:
    from importlib import metadata
else:
    metadata = lazy_module("importlib.metadata")

Span: TypeAlias = tuple[int, int]
Cutter: TypeAlias = Callable[[str], Iterable[Span]]
"""The morphemes of a part of a text, in characters, in order."""


class Packages(NamedTuple):
    """What a name needs: a library, and one of some dictionaries, of which the first is taken."""

    library: str
    dictionaries: tuple[str, ...]


_SUDACHI = Packages("sudachipy", ("sudachidict-core", "sudachidict-small", "sudachidict-full"))

DICTIONARIES: dict[str, Packages] = {
    "sudachi-a": _SUDACHI,
    "sudachi-b": _SUDACHI,
    "sudachi-c": _SUDACHI,
    "mecab-ipadic": Packages("fugashi", ("ipadic",)),
    "mecab-unidic-lite": Packages("fugashi", ("unidic-lite",)),
}
"""By name. Sudachi's modes cut short (a), middle and long (c)."""


class Installed(NamedTuple):
    """The packages of a dictionary that are there, each with its version."""

    library: tuple[str, str]
    dictionary: tuple[str, str]


def installed(name: str, dictionary: str | None = None) -> Installed:
    """What cuts for a name, with a certain dictionary or the first that there is.

    Raises:
        OptionError: there is no such name.
        KugiriError: a package is not there.
    """
    library, dictionaries = DICTIONARIES[choose("dictionary", name, DICTIONARIES)]
    if dictionary is not None:
        dictionaries = (choose(f"dictionary for {name!r}", dictionary, dictionaries),)
    found = next(filter(_is_there, dictionaries), None)
    if found is None or not _is_there(library):
        wanted = "sudachidict-small" if dictionaries == _SUDACHI.dictionaries else dictionaries[0]
        raise KugiriError(
            f"{name!r} needs packages that are not installed; pip install {library} {wanted} "
            f"(or 'kugiri[ja]' for those of Japanese)"
        )
    return Installed((library, _version(library)), (found, _version(found)))


class Words:
    """What cuts texts by a dictionary; threads may share it."""

    def __init__(self, make: Callable[[], Cutter]) -> None:
        """Take what makes a cutter; each thread that cuts at the time has one of its own."""
        self._make = make
        self._free: list[Cutter] = []

    def segments(self, text: str) -> list[tuple[int, bool]]:
        """Where each segment of a text ends, in characters, and whether it is a morpheme."""
        cut = self._free.pop() if self._free else self._make()
        segments: list[tuple[int, bool]] = []
        last = 0
        for part in _PART.finditer(text):
            begin, line = part.start(), part[part.lastindex or 0]
            for start, end in cut(line) if line else ():
                # Of ㍿, several morphemes to Sudachi, all but the first have no characters.
                if start == end:
                    continue
                if begin + start > last:
                    segments.append((begin + start, False))
                last = begin + end
                segments.append((last, True))
        self._free.append(cut)
        if last < len(text):
            segments.append((len(text), False))
        return segments

    def ends(self, text: str) -> list[int]:
        """Where each segment of a text ends, in characters."""
        return [end for end, _ in self.segments(text)]


_PART = re.compile(r"([^\n\0]{0,999})(?:[\n\0]|\Z)|([^\n\0]{0,999}。)|([^\n\0]{1,1000})")
"""A line, or a part of one that is long. What ends it is not shown to a dictionary: to MeCab,
which is written in C, a NUL would be the end of the text."""


@lru_cache
def opened(name: str, dictionary: str) -> Words:
    """What cuts by a dictionary that is installed.

    Raises:
        KugiriError: it is not.

    Example:
        >>> from kugiri import dictionaries
        >>> words = dictionaries.opened("mecab-ipadic", "ipadic")  # doctest: +SKIP
        >>> words.ends("すもももももももものうち")  # doctest: +SKIP
        [3, 4, 6, 7, 9, 10, 12]
    """
    installed(name, dictionary)
    if name.startswith("sudachi"):
        return Words(_sudachi(name[-1], dictionary.removeprefix("sudachidict-")))
    return Words(_mecab(_module(dictionary)))


def _sudachi(mode: str, size: str) -> Callable[[], Cutter]:
    sudachipy = imported("sudachipy")
    opened = sudachipy.Dictionary(dict=size)
    make = getattr(opened, "tokenizer", None) or opened.create  # its name before 0.7
    split_mode = getattr(sudachipy.SplitMode, mode.upper())

    def cutter() -> Cutter:
        tokenize = make(mode=split_mode).tokenize
        return lambda part: [(each.begin(), each.end()) for each in tokenize(part)]

    return cutter


_MECAB_FORMS = r'-O "" -F "%pS\n%m\n" -U "%pS\n%m\n" -E "."'
"""A line for the spaces before a morpheme, and one for it. Something visible stands at the end,
where fugashi takes white space away."""


def _mecab(module: str) -> Callable[[], Cutter]:
    fugashi, folder = imported("fugashi"), imported(module).DICDIR
    arguments = f'-r "{folder}/mecabrc" -d "{folder}" {_MECAB_FORMS}'

    def cutter() -> Cutter:
        parse = fugashi.GenericTagger(arguments).parse
        return lambda part: _spans(parse(part).split("\n"))

    return cutter


def _spans(lines: list[str]) -> Iterable[Span]:
    """The spans of morphemes, each of which has two lines."""
    place = 0
    for spaces, morpheme in zip(lines[::2], lines[1::2], strict=False):
        start = place + len(spaces)
        place = start + len(morpheme)
        yield start, place


def _is_there(package: str) -> bool:
    return find_spec(_module(package)) is not None


def _module(package: str) -> str:
    return package.replace("-", "_")


@lru_cache
def _version(package: str) -> str:
    return metadata.version(package)
