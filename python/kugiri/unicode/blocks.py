"""The block of each character: the chart of Unicode that it stands in.

See tools/make_scripts.py for where the table comes from.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

VERSION = "17.0"
NONE = "No block"


@lru_cache
def runs() -> tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]]:
    """First and last code points of all blocks, ascending, and their names.

    Example:
        >>> firsts, lasts, names = runs()
        >>> names[firsts.index(0x3040)]
        'Hiragana'
    """
    text = files(__package__).joinpath(f"blocks-{VERSION}.txt").read_text("ascii")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    firsts, lasts, names = zip(*rows, strict=True)
    return (
        tuple(int(it, 16) for it in firsts),
        tuple(int(it, 16) for it in lasts),
        tuple(name.replace("_", " ") for name in names),
    )
