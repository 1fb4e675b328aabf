"""Making a charsmap of rules: the trie of their keys as a double array, then the replacements.

Rule.    The keys are laid out as a trie. Of two places where it goes on in the same way, only one
         is kept. The children of a node are a block: the value of the key that ends there, if one
         does, and a unit for each byte that may follow. A block lies in the first place where all
         its units, at its base ^ byte, are free; units that stay free have a label that no byte
         has.
Cost.    A few steps a character of the keys, and for each block a search for a free place.
Source.  The layout is that of charsmap.py. sentencepiece builds with darts-clone, whose blocks lie
         elsewhere: the tables are equal as tables, and of the same size, but not as bytes.
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
"""In how many of the last pages with free places these are looked for."""

_Node = dict[Any, Any]  # character → node, and None → the value of the key that ends here
_Branches = list[tuple[bytes, int]]  # what follows → number of the block of the child there


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
    for key, replacement in sorted(rules.items()):
        node = root
        for character in key:
            node = node.setdefault(character, {})
        node[None] = places[replacement]
    trie = _double_array(_blocks(root))
    return len(trie).to_bytes(4, "little") + trie + bytes(text)


def _check(key: str, replacement: str, rules: Mapping[str, str]) -> None:
    what = f"the rule {key!r} → {replacement!r}"
    if not key or "\0" in key + replacement:
        raise OptionError(f"{what} has an empty key or a null character, which no rule may have")
    if key == replacement:
        raise OptionError(f"{what} changes nothing; leave it out")
    if len(key) < MAX_KEYS_AT_ONE_PLACE:
        return
    beginnings = sum(key[:length] in rules for length in range(1, len(key) + 1))
    if beginnings >= MAX_KEYS_AT_ONE_PLACE:
        raise OptionError(
            f"{what}: {beginnings} keys are each the beginning of the next; at most "
            f"{MAX_KEYS_AT_ONE_PLACE - 1} may be"
        )


def _blocks(root: _Node) -> list[_Block]:
    """The blocks of a trie, equal ones once, each behind those of its children; the root's last."""
    order = []  # parents before children
    open_nodes = [root]
    while open_nodes:
        node = open_nodes.pop()
        order.append(node)
        open_nodes += [child for character, child in node.items() if character is not None]
    numbers: dict[_Block, int] = {}
    number_of: dict[int, int] = {}  # identity of a node → number of its block
    known: dict[tuple[object, ...], int] = {}  # a node, its children as numbers → that number
    for node in reversed(order):
        value = node.pop(None, None)
        children = [(character, number_of[id(child)]) for character, child in node.items()]
        key = (value, *children)
        if key not in known:
            branches = [(character.encode(), number) for character, number in children]
            known[key] = _add_block(value, branches, numbers)
        number_of[id(node)] = known[key]
    return list(numbers)


def _add_block(value: int | None, branches: _Branches, numbers: dict[_Block, int]) -> int:
    """The number of a block, new or known, with blocks for what follows the first bytes."""
    by_byte: dict[int, _Branches] = {}
    for (first, *rest), number in branches:
        by_byte.setdefault(first, []).append((bytes(rest), number))
    children = tuple(
        (byte, below[0][1] if not below[0][0] else _add_block(None, below, numbers))
        for byte, below in by_byte.items()
    )
    return numbers.setdefault(_Block(value, children), len(numbers))


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
        free: the free places of each page, in order.
    """

    def __init__(self) -> None:
        """Begin with one page, whose first place is the root's."""
        self.free = [dict.fromkeys(range(1, PAGE))]
        self._open = [0]  # pages with free places
        self._bases = {0}

    def base(self, labels: list[int]) -> int:
        """Find a base at which all labels have free places, and take these.

        No two blocks have one base, or a byte of one would lead into the other.
        """
        page, low = self._find(labels)
        for label in labels:
            del self.free[page][low ^ label]
        if not self.free[page]:
            self._open.remove(page)
        self._bases.add(page * PAGE + low)
        return page * PAGE + low

    def _find(self, labels: list[int]) -> tuple[int, int]:
        """The page of a base, and its place there."""
        first, *others = labels
        for page in self._open[-OPEN_PAGES:]:
            free = self.free[page]
            for place in free if len(free) >= len(labels) else ():
                low = place ^ first
                if page * PAGE + low not in self._bases:
                    for label in others:
                        if low ^ label not in free:
                            break
                    else:
                        return page, low
        self._open.append(len(self.free))
        self.free.append(dict.fromkeys(range(PAGE)))
        if len(self.free) * PAGE > MAX_UNITS:
            raise OptionError(f"the rules need more than {MAX_UNITS} units; use fewer or shorter")
        return len(self.free) - 1, 0
