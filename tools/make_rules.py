"""Write the normalization rules that most trainings ask for, ready made.

Why: making nmt_nfkc from the Unicode tables and compiling its charsmap takes more than a second,
which is longer than training on a book. What is written here is exactly what
kugiri/reference/rules.py makes, and a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from kugiri.reference.rules import table
from kugiri.sentencepiece.normalize import READY_MADE, Rules

FOLDER = Path(__file__).parents[1] / "python/kugiri/unicode"


def main() -> None:
    """Write one file a name."""
    for name in READY_MADE:
        target = FOLDER / f"rules-{name}.z"
        target.write_bytes(Rules.of(table(name)).packed())
        print(f"wrote {target.name}")


if __name__ == "__main__":
    main()
