"""The texts that `make parity` compares, beside the large ones as a whole."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.conftest import shared_text
from tests.strategies import CONTRACTIONS, SPACES, WORDS

TEXTS = ("ja.txt.gz", "en.txt.gz", "zh.txt.gz", "code.txt.gz", "neko.txt", "botchan.txt")


def random_texts(count: int, seed: int = 0) -> list[str]:
    """Strings of up to 24 pieces: what split patterns are about, and characters of all planes."""
    chance = random.Random(seed)

    def piece() -> str:
        if chance.random() < 0.5:
            return chance.choice(CONTRACTIONS + SPACES + WORDS)
        code = chance.randrange(chance.choice([0x80, 0x3000, 0x11000, 0x110000]))
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)

    return ["".join(piece() for _ in range(chance.randrange(25))) for _ in range(count)]


def texts_of_every_character() -> list[str]:
    """Each character beside a letter, a sign, a space and a digit; 1,024 of them a text."""
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    around = [f"a{character}B'{character} {character}1" for character in characters]
    return ["".join(around[start : start + 1024]) for start in range(0, len(around), 1024)]


def lines_of_every_text(number: int) -> Iterator[str]:
    """So many lines of each text, from all over it, with their ends."""
    for name in TEXTS:
        lines = shared_text(name).splitlines(keepends=True)
        yield from lines[:: max(1, len(lines) // number)]
