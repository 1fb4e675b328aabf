"""Write the normalization rule that most trainings ask for, ready made.

Why: making nmt_nfkc from the Unicode tables and compiling its charsmap takes more than a second,
which is longer than training on a book. What is written here is exactly what
kugiri/reference/rules.py makes, and a test compares the two.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from kugiri.reference.rules import charsmap
from kugiri.sentencepiece.normalize import READY_MADE

FOLDER = Path(__file__).parents[1] / "python/kugiri/unicode"


def main() -> None:
    """Write one file a name."""
    for name in READY_MADE:
        target = FOLDER / f"charsmap-{name}.z"
        target.write_bytes(zlib.compress(charsmap(name), 9))
        print(f"wrote {target.name}")


if __name__ == "__main__":
    main()
