r"""What the classes of Oniguruma hold, said in our dialect.

Rule.    `\w` has ² and ³, and no joiners, but within brackets it has not; `\h` is a hexadecimal
         digit. A class may stand in a class, and `&&` takes what both sides have: such a class is
         written out, unless it names a script, which only the core knows.
Cost.    A pass over all characters for each class in a class.
Source.  tokenizers 0.23.3, each class compared on every code point.
"""

from __future__ import annotations

import regex

from kugiri.reference.character_classes import EVERY, complement, named
from kugiri.unicode import CURRENT

CATEGORIES = "C[cfno]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?"
SCRIPTS = (
    "Han|Hiragana|Katakana|Hangul|Latin|Cyrillic|Greek|Arabic|Hebrew|Thai|Devanagari|Common"
    "|Inherited|Bopomofo|Tamil|Bengali|Georgian|Armenian|Lao|Khmer|Myanmar|Tibetan|Mongolian"
    "|Ethiopic"
)
PROPERTY = regex.compile(rf"\\[pP]\{{(\^?)({CATEGORIES}|{SCRIPTS})\}}")

IN_WORDS = (
    r"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169"
    r"\U0001f170-\U0001f189"
)
r"""`[\w]`; by itself `\w` has six signs of Latin-1 more, which is a fault of Oniguruma."""

WORD = f"{IN_WORDS}²³¹¼-¾"

CLASSES = {"s": r"\s", "d": r"\d", "h": "0-9A-Fa-f", "w": WORD}
"""Escape → the inside of a class; in capitals it is what is not in it."""

POSIX = {
    "digit": r"\p{Nd}",
    "space": r"\s",
    "blank": r"\t\p{Zs}",
    "cntrl": r"\p{Cc}",
    "punct": r"\p{P}\p{S}",
    "word": IN_WORDS,
    "xdigit": "0-9A-Fa-f",
    "ascii": r"\x00-\x7f",
}
"""Name between [: and :] → the inside of a class."""

_LEXEME = regex.compile(
    r"\\(?:[pP]\{[^}]*\}|U[0-9a-f]{8}|u[0-9a-f]{4}|x[0-7][0-9a-f]|.)|\[\^?|\]|&&|.", regex.DOTALL
)
_HOLDS_ANOTHER = regex.compile(r"(?:\\.|[^\\])*?(?:(?<!\\)\[|&&)", regex.DOTALL)
_NAMES_SCRIPT = regex.compile(rf"\\[pP]\{{(?:{SCRIPTS})\}}")


def simplest(said: str) -> str:
    r"""A class in our syntax without classes in it, as far as that can be.

    Example:
        >>> simplest(r"[a-c&&[^b]]"), simplest(r"[\s&&[^\p{Han}]]")
        ('[a-ac-c]', '[\\s&&[^\\p{Han}]]')
    """
    if not _HOLDS_ANOTHER.match(said, 1) or _NAMES_SCRIPT.search(said):
        return said
    body, _ = _written_out(_LEXEME.findall(said), 1)
    return f"[{_opposite(body) if said[1] == '^' else body}]" if body else f"[^{EVERY}]"


def _written_out(lexemes: list[str], at: int) -> tuple[str, int]:
    """The inside of the class that was opened before a place, and where it ends."""
    sides = [""]  # of &&
    while (lexeme := lexemes[at]) != "]":
        at += 1
        if lexeme == "&&":
            sides.append("")
        elif lexeme in ("[", "[^"):
            inner, at = _written_out(lexemes, at)
            sides[-1] += _opposite(inner) if lexeme == "[^" else inner
        elif lexeme[0] == "\\" and lexeme[1] in "pPsSdD":
            body = named(lexeme[2:] or lexeme[1].lower(), CURRENT)
            sides[-1] += complement(body) if lexeme[1].isupper() else body
        else:
            sides[-1] += lexeme
    body, *others = sides
    for side in others:
        body = _opposite(_opposite(body) + _opposite(side))
    return body, at + 1


def _opposite(body: str) -> str:
    """The inside of a class with all that another has not."""
    return complement(body) if body else EVERY
