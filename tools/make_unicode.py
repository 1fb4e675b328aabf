"""Write the pinned Unicode tables (needs unicodedata2 of that version, see make_unicode.py).

Why a pinned table: token ids depend on which characters are letters, numbers and marks, and
Python, Rust and Oniguruma each carry tables of their own age. tiktoken 0.14.0 and tokenizers
0.23.3 both classify every code point as Unicode 16.0 does, so that is the table of this project.
Both engines read the same file: one line a run of equal general category, `start end category`
in hexadecimal, runs ascending, together covering U+0000 to U+10FFFF.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import unicodedata2

VERSION = "16.0"
TARGET = Path(__file__).parents[1] / "python/kugiri/unicode" / f"categories-{VERSION}.txt"


def runs() -> list[str]:
    """One line a run of code points with the same general category."""
    lines = []
    by_category = groupby(range(0x110000), key=lambda cp: unicodedata2.category(chr(cp)))
    for category, group in by_category:
        code_points = list(group)
        lines.append(f"{code_points[0]:X} {code_points[-1]:X} {category}")
    return lines


def main() -> None:
    """Write the table, after checking that the installed data is the pinned version."""
    found = unicodedata2.unidata_version
    if not found.startswith(VERSION):
        raise SystemExit(f"unicodedata2 has Unicode {found}; install unicodedata2=={VERSION}.0")
    header = f"# Unicode {VERSION} general categories; written by tools/make_unicode.py"
    TARGET.write_text("\n".join([header, *runs()]) + "\n", encoding="ascii")
    print(f"wrote {TARGET.name}")


if __name__ == "__main__":
    main()
