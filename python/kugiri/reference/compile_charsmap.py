"""Making a charsmap of rules: the trie of their keys as a double array, then the replacements.

Rule.    The keys are laid out as a trie. Of two places where it goes on in the same way, only one
         is kept. The children of a node are a block: the value of the key that ends there, if one
         does, and a unit for each byte that may follow. A block lies where all its units, at its
         base ^ byte, are free; units that stay free have a label that no byte has.
Cost.    A few steps a unit, and for each block a search for a free place.
Source.  The layout is that of charsmap.py. sentencepiece builds with darts-clone, whose blocks lie
         elsewhere: the tables are equal as tables, not as bytes.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping
from typing import Any, NamedTuple

from kugiri.errors import OptionError
from kugiri.reference.charsmap import MAX_KEYS_AT_ONE_PLACE

VALUE = 1 << 31
HAS_VALUE = 1 << 8
MAX_UNITS = 1 << 21
"""From there on an offset would need the wider form, which no table of Unicode comes near."""

PAGE = 256
"""Units that a block reaches by its bytes: base ^ byte stays on the page of the base."""

OPEN_PAGES = 16
"""On how many of the last pages free places are looked for."""

_Node = dict[Any, Any]  # byte → node, and None → the value of the key that ends here


class _Block(NamedTuple):
    """The children of a node: the value that ends there, and byte → number of the child's block."""

    value: int | None
    children: tuple[tuple[int, int], ...]

    def labels(self) -> list[int]:
        """The bytes of its units; 0 for the value."""
        return [0] * (self.value is not None) + [byte for byte, _ in self.children]


def compile_charsmap(rules: Mapping[str, str]) -> bytes:
    """Make a charsmap of rules, key → replacement.

    Raises:
        OptionError: a rule that sentencepiece would not take.

    Example:
        >>> from kugiri.reference.charsmap import Charsmap
        >>> Charsmap(compile_charsmap({"Ａ": "A", "ｶﾞ": "ガ"})).rules()
        {'Ａ': 'A', 'ｶﾞ': 'ガ'}
    """
    if not rules:
        return b""
    for key, replacement in rules.items():
        _check(key, replacement, rules)
    places: dict[str, int] = {}
    text = bytearray()
    for replacement in sorted(set(rules.values())):
        places[replacement] = len(text)
        text += replacement.encode() + b"\0"
    root: _Node = {}
    for key, replacement in rules.items():
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[None] = places[replacement]
    trie = _double_array(_blocks(root))
    return len(trie).to_bytes(4, "little") + trie + bytes(text)


def _check(key: str, replacement: str, rules: Mapping[str, str]) -> None:
    what = f"the rule {key!r} → {replacement!r}"
    if not key or "\0" in key + replacement:
        raise OptionError(f"{what} has an empty key or a null character, which no rule may have")
    if key == replacement:
        raise OptionError(f"{what} changes nothing; leave it out")
    beginnings = sum(key[:length] in rules for length in range(1, len(key) + 1))
    if beginnings >= MAX_KEYS_AT_ONE_PLACE:
        raise OptionError(
            f"{what}: {beginnings} keys are each the beginning of the next; at most "
            f"{MAX_KEYS_AT_ONE_PLACE - 1} may be"
        )


def _blocks(root: _Node) -> list[_Block]:
    """The blocks of a trie, equal ones once, each behind those of its children; the root's last."""
    order = [root]
    for node in order:  # grows: parents before children
        order += [child for byte, child in node.items() if byte is not None]
    numbers: dict[_Block, int] = {}
    number_of: dict[int, int] = {}  # identity of a node → number of its block
    for node in reversed(order):
        bytes_in_order = sorted(byte for byte in node if byte is not None)
        children = tuple((byte, number_of[id(node[byte])]) for byte in bytes_in_order)
        block = _Block(node.get(None), children)
        number_of[id(node)] = numbers.setdefault(block, len(numbers))
    return list(numbers)


def _double_array(blocks: list[_Block]) -> bytes:
    """The units of blocks, the root's first."""
    pages = _Pages()
    bases = [pages.base(block.labels()) for block in reversed(blocks)][::-1]
    units = array("I", [VALUE] * (len(pages.free) * PAGE))
    units[0] = bases[-1] << 10
    for base, block in zip(bases, blocks, strict=True):
        if block.value is not None:
            units[base] = VALUE | block.value
        for byte, child in block.children:
            flag = HAS_VALUE if blocks[child].value is not None else 0
            units[base ^ byte] = (base ^ byte ^ bases[child]) << 10 | flag | byte
    if sys.byteorder == "big":
        units.byteswap()
    return units.tobytes()


class _Pages:
    """The places of units, page by page.

    Attributes:
        free: the free places of each page.
    """

    def __init__(self) -> None:
        """Begin with one page, whose first place is the root's."""
        self.free = [set(range(1, PAGE))]
        self._bases = {0}

    def base(self, labels: list[int]) -> int:
        """Find a base at which all labels have free places, and take these.

        No two blocks have one base, or a byte of one would lead into the other.
        """
        for page in range(max(0, len(self.free) - OPEN_PAGES), len(self.free)):
            for place in sorted(self.free[page]):
                low = place ^ labels[0]
                fits = all(low ^ label in self.free[page] for label in labels)
                if fits and page * PAGE + low not in self._bases:
                    return self._take(page, low, labels)
        self.free.append(set(range(PAGE)))
        if len(self.free) * PAGE > MAX_UNITS:
            raise OptionError(f"the rules need more than {MAX_UNITS} units; use fewer or shorter")
        return self._take(len(self.free) - 1, 0, labels)

    def _take(self, page: int, low: int, labels: list[int]) -> int:
        self.free[page] -= {low ^ label for label in labels}
        self._bases.add(page * PAGE + low)
        return page * PAGE + low


def parse_rules(tsv: str) -> dict[str, str]:
    r"""Read rules from a table as sentencepiece has it: code points in hexadecimal, tab between.

    A line with one column deletes; what follows a second tab is a comment.

    Raises:
        OptionError: a line is no rule.

    Example:
        >>> parse_rules("FF21\t41\tfull width\nU+0041 U+0042\t43\n200B\n")
        {'Ａ': 'A', 'AB': 'C', '\u200b': ''}
    """
    rules = {}
    for number, line in enumerate(tsv.splitlines(), 1):
        key, replacement = [*line.split("\t"), ""][:2]
        try:
            rules[_characters(key)] = _characters(replacement)
        except (ValueError, OverflowError):
            raise OptionError(
                f"line {number} of the rules is {line!r:.60}; it must be code points in "
                "hexadecimal with spaces between them, a tab, and those that they become"
            ) from None
    return rules


def _characters(code_points: str) -> str:
    codes = [code.removeprefix("U+") for code in code_points.split(" ") if code]
    return b"".join(chr(int(code, 16)).encode() for code in codes).decode()
