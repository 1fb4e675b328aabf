"""Pinned Unicode tables, one file a version; both engines read them.

`CURRENT` is the version that new tokenizers are made with; a spec keeps the version its ids were
made with in `unicode_version`. See tools/make_unicode.py for where a table comes from.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

CURRENT = "16.0"
VERSIONS = ("16.0",)

WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""The White_Space property as the inside of a character class: 25 characters, stable since 2014."""


@lru_cache
def ranges(version: str = CURRENT) -> tuple[tuple[int, int, str], ...]:
    """All runs `(first, last, general category)` of one version, ascending, without a gap."""
    text = files(__package__).joinpath(f"categories-{version}.txt").read_text("ascii")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return tuple((int(first, 16), int(last, 16), category) for first, last, category in rows)


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


def _escape(code_point: int) -> str:
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"
