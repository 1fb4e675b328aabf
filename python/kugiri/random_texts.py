"""Random texts that find where tokenizers differ: the same for a seed, in every process.

Rule.    In turn characters of one kind, characters of all kinds, and tokens of the two vocabularies
         side by side: 1 to 40 of them, spaces among them.
Cost.    Linear in what is made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count, islice

from kugiri.tokenizer import Tokenizer

RANGES: dict[str, tuple[tuple[int, int], ...]] = {
    "ASCII": ((0x20, 0x7E),),
    "white space": ((0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x2000, 0x200D),
                    (0x2028, 0x2029), (0x202F, 0x202F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
    "Latin": ((0xA1, 0x24F), (0x300, 0x36F), (0x1E00, 0x1EFF)),
    "kana": ((0x3041, 0x3096), (0x30A1, 0x30FC), (0xFF65, 0xFF9F)),
    "kanji": ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0xF900, 0xFAD9)),
    "Hangul": ((0xAC00, 0xD7A3), (0x1100, 0x11FF)),
    "wide and compatible": ((0xFF01, 0xFF5E), (0x2460, 0x24FF), (0x3200, 0x33FF), (0xFB00, 0xFB06)),
    "right to left": ((0x5D0, 0x5EA), (0x620, 0x64A), (0x200E, 0x200F)),
    "Indic": ((0x900, 0x97F), (0xE00, 0xE5B)),
    "signs": ((0x2010, 0x2027), (0x2030, 0x205E), (0x3001, 0x303F), (0x2190, 0x21FF)),
    "emoji": ((0x1F300, 0x1F64F), (0x1F900, 0x1F9FF), (0x200D, 0x200D), (0xFE0F, 0xFE0F)),
    "controls": ((0x00, 0x1F), (0x7F, 0x9F)),
    "everything": ((0x20, 0xD7FF), (0xE000, 0x10FFFF)),
}  # fmt: skip
"""The kinds of characters, as ranges of code points."""

_LONGEST = 40
_SPACES = 0.15


def random_texts(seed: int, number: int, tokenizers: tuple[Tokenizer, ...] = ()) -> Iterator[str]:
    """Yield random texts, always the same for a seed and tokenizers.

    Example:
        >>> list(random_texts(0, 3)) == list(random_texts(0, 3))
        True
    """
    draw = random.Random(seed)
    kinds = list(RANGES)
    for turn in islice(count(), number):
        length = draw.randint(1, _LONGEST)
        if turn % 3 == 2 and tokenizers and tokenizers[turn % len(tokenizers)].spec.model.vocab:
            parts = [_token(draw, tokenizers[turn % len(tokenizers)]) for _ in range(length)]
        else:
            mixed = turn % 3 == 1
            kind = draw.choice(kinds)
            parts = [_character(draw, draw.choice(kinds) if mixed else kind) for _ in range(length)]
        yield "".join(part if draw.random() >= _SPACES else f"{part} " for part in parts)


def _character(draw: random.Random, kind: str) -> str:
    first, last = draw.choice(RANGES[kind])
    return chr(draw.randint(first, last))


def _token(draw: random.Random, tokenizer: Tokenizer) -> str:
    """The text of a token, the unreadable parts of one left out."""
    row = draw.randrange(max(1, len(tokenizer.spec.model.vocab)))
    ids = tokenizer.spec.model.ids
    id = row if ids is None else int(ids.values[row])
    return tokenizer.decode([id], errors="ignore")
