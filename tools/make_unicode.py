"""Write the pinned Unicode tables.

    make_unicode.py          with unicodedata2==16.0.0 installed: the general categories
    make_unicode.py FOLDER   with unicodedata2==17.0.0, Node, and in FOLDER
                             `npm install @unicode/unicode-{8,9,17}.0.0`:
                             the newest categories, and what normalizing needs

Why pinned tables: ids depend on which characters are letters, and on what normalizing makes of
them; Python, Rust and Oniguruma each carry tables of their own age. Which version each library
follows was found by comparing every code point:

- tiktoken 0.14.0 and tokenizers 0.23.3 classify as Unicode 16.0 does;
- the rules of sentencepiece 0.2.3 are those of Unicode 17.0, and so is Lowercase of tokenizers;
- NFC, NFD, NFKC, NFKD and StripAccents of tokenizers follow Unicode 9.0. Unicode never changes the
  normal forms of a character, so theirs are the tables of 17.0 without what 9.0 did not have;
- BertNormalizer of tokenizers classifies by Unicode 8.0.

One file a property, ascending, numbers in hexadecimal; both engines read the same files.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

import unicodedata2

TARGET = Path(__file__).parents[1] / "python/kugiri/unicode"
HANGUL = range(0xAC00, 0xD7A4)

folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None


def runs(values: Iterable[tuple[int, str]]) -> Iterator[str]:
    """`first last value` for each run of code points with the same value."""
    # Within a run, the code point less its place is always the same.
    for _, run in groupby(enumerate(values), key=lambda row: (row[1][0] - row[0], row[1][1])):
        codes = [row for _, row in run]
        yield f"{codes[0][0]:X} {codes[-1][0]:X} {codes[0][1]}".rstrip()


def from_node(module: str) -> dict[int, int]:
    """A mapping, or a list of code points as its values, of the npm package `@unicode`."""
    path = f"./node_modules/@unicode/{module}/code-points.mjs"
    script = (
        f"import x from '{path}'; console.log(JSON.stringify(x.entries ? [...x.entries()] : x))"
    )
    command = ["node", "--input-type=module", "--eval", script]
    return dict(json.loads(subprocess.run(command, cwd=folder, stdout=-1, check=True).stdout))


def categories() -> Iterator[str]:
    """`first last category`, together covering U+0000 to U+10FFFF."""
    return runs((code, unicodedata2.category(chr(code))) for code in range(0x110000))


def decompositions() -> Iterator[str]:
    """`code kind mapping`, one step each; the syllables of Hangul follow a formula.

    The kind is `=` for a canonical one, `!` for a canonical one that never composes again, and `~`
    for a compatibility one.
    """
    for code in range(0x110000):
        mapping = unicodedata2.decomposition(chr(code))
        if not mapping or code in HANGUL:
            continue
        parts = [int(part, 16) for part in mapping.split() if not part.startswith("<")]
        composed = unicodedata2.normalize("NFC", "".join(map(chr, parts)))
        canonical = "=" if composed == chr(code) else "!"
        kind = "~" if mapping.startswith("<") else canonical
        yield f"{code:X} {kind} {' '.join(f'{part:X}' for part in parts)}"


def combining() -> Iterator[str]:
    """`first last class` of the characters whose combining class is not 0."""
    classes = ((code, unicodedata2.combining(chr(code))) for code in range(0x110000))
    return runs((code, f"{value:X}") for code, value in classes if value)


def cases() -> Iterator[str]:
    """`code lowercase folded` where one of them is another; the simple mappings of both."""
    lower = from_node("unicode-17.0.0/Simple_Case_Mapping/Lowercase")
    folded = from_node("unicode-17.0.0/Case_Folding/C") | from_node("unicode-17.0.0/Case_Folding/S")
    for code in sorted(lower.keys() | folded.keys()):
        yield f"{code:X} {lower.get(code, code):X} {folded.get(code, code):X}"


def added_after(version: str) -> Iterator[str]:
    """`first last` of the characters that an older version did not have yet."""
    unassigned = from_node(f"unicode-{version}/General_Category/Unassigned").values()
    return runs((code, "") for code in unassigned if unicodedata2.category(chr(code)) != "Cn")


TABLES: dict[str, list[tuple[str, str, Callable[[], Iterator[str]]]]] = {
    "16.0.0": [("categories-16.0", "16.0 general categories", categories)],
    "17.0.0": [
        ("categories-17.0", "17.0 general categories", categories),
        ("decompositions-17.0", "17.0 decompositions", decompositions),
        ("combining-17.0", "17.0 combining classes", combining),
        ("cases-17.0", "17.0 simple lower case and case folding", cases),
        ("added-8.0-17.0", "17.0 characters that 8.0 did not have", partial(added_after, "8.0.0")),
        ("added-9.0-17.0", "17.0 characters that 9.0 did not have", partial(added_after, "9.0.0")),
    ],
}


def main() -> None:
    """Write the tables of the version that is installed."""
    found = unicodedata2.unidata_version
    if found not in TABLES:
        raise SystemExit(f"unicodedata2 has Unicode {found}; install {' or '.join(TABLES)}")
    for name, title, rows in TABLES[found]:
        header = f"# Unicode {title}; written by tools/make_unicode.py"
        text = "\n".join([header, *rows()]) + "\n"
        (TARGET / f"{name}.txt").write_text(text, encoding="ascii")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main()
