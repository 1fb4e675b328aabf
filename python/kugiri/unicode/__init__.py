"""Pinned Unicode tables, one file a property and version; both engines read them.

`CURRENT` is the version that patterns classify by. What normalizing needs has versions of its own,
those of the libraries that are followed: NEWEST, and through `added_after` older ones. A spec says
in `unicode_version` whose normalizers its ids were made with: CURRENT for those of the libraries,
NEWEST for the newest tables. See tools/make_unicode.py
for where a table comes from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

CURRENT = "16.0"
NEWEST = "17.0"
"""The newest version, which decompositions, combining classes and cases are kept in."""

WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""The White_Space property as the inside of a character class: 25 characters, stable since 2014."""


@lru_cache
def ranges(version: str = CURRENT) -> tuple[tuple[int, int, str], ...]:
    """All runs `(first, last, general category)` of one version, ascending, without a gap."""
    rows = _rows(f"categories-{version}")
    return tuple((int(first, 16), int(last, 16), category) for first, last, category in rows)


@lru_cache
def _firsts(version: str) -> list[int]:
    """Where the runs of one version begin."""
    return [first for first, _, _ in ranges(version)]


def category(character: str, version: str = CURRENT) -> str:
    """The general category of a character.

    Example:
        >>> category("猫"), category("①")
        ('Lo', 'No')
    """
    return ranges(version)[bisect_right(_firsts(version), ord(character)) - 1][2]


@lru_cache
def class_body(name: str, version: str = CURRENT) -> str:
    r"""The inside of a character class for `\p{name}`: a category (`Lu`) or its first letter (`L`).

    Example:
        >>> class_body("Lt").startswith(r"\u01c5-\u01c5")
        True
    """
    body = "".join(
        f"{_escape(first)}-{_escape(last)}"
        for first, last, category in ranges(version)
        if category.startswith(name)
    )
    if not body:
        raise ValueError(f"no general category {name!r} in Unicode {version}")
    return body


@cache
def decompositions(version: str = NEWEST) -> dict[str, tuple[str, str]]:
    """Character → kind and mapping, one step, of the characters that a version has.

    The kind is "=" for a canonical mapping, "!" for a canonical one that never composes again, and
    "~" for a compatibility one. The syllables of Hangul are not among them.

    Example:
        >>> decompositions()["①"], decompositions()["㎞"]
        (('~', '1'), ('~', 'km'))
    """
    newer = added_after(version)
    rows = ((_char(own), kind, to) for own, kind, *to in _rows(f"decompositions-{NEWEST}"))
    return {own: (kind, "".join(map(_char, to))) for own, kind, to in rows if own not in newer}


@cache
def combining_classes(version: str = NEWEST) -> dict[str, int]:
    """Character → combining class, where it is not 0, of the characters that a version has."""
    newer = added_after(version)
    runs = _rows(f"combining-{NEWEST}")
    classes = ((own, int(number, 16)) for first, last, number in runs for own in _run(first, last))
    return {own: number for own, number in classes if own not in newer}


@cache
def lower_case() -> dict[str, str]:
    """Character → its simple lower case, where that is another."""
    return {_char(own): _char(to) for own, to, _ in _rows(f"cases-{NEWEST}") if own != to}


@cache
def case_folding() -> dict[str, str]:
    """Character → its simple case folding, where that is another."""
    return {_char(own): _char(to) for own, _, to in _rows(f"cases-{NEWEST}") if own != to}


@cache
def added_after(version: str) -> frozenset[str]:
    """The characters that a version did not have yet, and the newest has."""
    runs = _rows(f"added-{version}-{NEWEST}") if version != NEWEST else ()
    return frozenset(own for first, last in runs for own in _run(first, last))


def _rows(name: str) -> Iterator[list[str]]:
    """The lines of a table, each split into its columns."""
    text = files(__package__).joinpath(f"{name}.txt").read_text("ascii")
    return (line.split() for line in text.splitlines() if not line.startswith("#"))


def _char(code_point: str) -> str:
    return chr(int(code_point, 16))


def _run(first: str, last: str) -> Iterator[str]:
    return map(chr, range(int(first, 16), int(last, 16) + 1))


def _escape(code_point: int) -> str:
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"
