"""Precompiled: the charsmap of a .model, as tokenizers looks things up in it.

Rule.    Each grapheme cluster of fewer than 6 bytes is looked up by the shortest key that it begins
         with, and all of it becomes the replacement; where there is no such key, and in longer
         clusters, each character is looked up alone.
Cost.    A few steps a byte.
Source.  tokenizers 0.23.3, which takes what is left over of a cluster up with the character before.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from kugiri.reference.charsmap import charsmap
from kugiri.reference.normal_forms import Change

LONG_CLUSTER = 6


def rewritten(text: str, blob: bytes) -> list[Change]:
    """The characters of a text rewritten by a charsmap; the empty one rewrites nothing.

    Example:
        >>> from kugiri.reference.compile_charsmap import compile_charsmap
        >>> [new.character for new in rewritten("ｶﾞa", compile_charsmap({"ｶﾞ": "ガ", "a": "xy"}))]
        ['ｶ', 'ﾞ', 'x', 'y']
    """
    found: list[Change] = []
    for start, part, replacement in _parts(text, blob):
        last = start + len(part) - 1
        found += [
            Change(character, int(at >= len(part)), start, last)
            for at, character in enumerate(replacement)
        ]
        left_over = len(part) - len(replacement)
        if left_over > 0 and found:
            found[-1] = found[-1]._replace(more=found[-1].more - left_over)
    return found


def _parts(text: str, blob: bytes) -> Iterator[tuple[int, str, str]]:
    """Each part that is looked up, where it stands, and what it becomes."""
    look_up = charsmap(blob).shortest if blob else lambda part: None
    for cluster in regex.finditer(r"\X", text):
        start, whole = cluster.start(), cluster[0]
        replacement = look_up(whole) if len(whole.encode()) < LONG_CLUSTER else None
        if replacement is not None:
            yield start, whole, replacement
            continue
        for at, character in enumerate(whole, start):
            replacement = look_up(character)
            yield at, character, character if replacement is None else replacement
