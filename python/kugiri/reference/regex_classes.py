r"""Split patterns, with their character classes taken from the pinned Unicode tables.

Rule.    `\p{..}`, `\s`, `\d`, `\w` and their opposites (`\P`, `\S`, `\D`, `\W`) are replaced by the
         very characters they mean in one Unicode version, inside and outside of [...]; `$` is the
         end of the text and nothing else. So a pattern means the same on every machine, whatever
         Unicode version its regex library has.
Cost.    One pass over the pattern, and a class of hundreds of ranges to match; kept once compiled.
Source.  Classes as the Rust `regex` crate defines them (Unicode Technical Standard 18).
"""

from __future__ import annotations

import sys
from functools import lru_cache

import regex

from kugiri.errors import OptionError
from kugiri.reference.not_run import not_run
from kugiri.unicode import CURRENT, WHITE_SPACE, class_body

# What matters in a pattern: a named class, any other escape, a class opening (a ] right after it is
# literal) and closing, the end mark, set operations; else one character.
_LEXEME = regex.compile(r"\\[pP]\{\^?\w+\}|\\[pP]\w|\\.|\[\^?\]?|\]|\$|&&|.", regex.DOTALL)

# What `\w` means: these categories, and some characters that no category tells (the joiners, and
# circled and squared letters).
_WORD = ("L", "M", "Nd", "Nl", "Pc")
_OTHER_WORD = (
    r"\u200c\u200d\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189"
)


@lru_cache
def compile_pattern(pattern: str, unicode_version: str = CURRENT) -> regex.Pattern[str]:
    """Compile a pattern whose classes mean the tables of one Unicode version.

    Raises:
        OptionError: the pattern is not a regex, or holds what this engine does not run.
    """
    try:
        return regex.compile(expand_classes(pattern, unicode_version))
    except regex.error as error:
        raise OptionError(
            f"the pattern {pattern!r} is not a regex that kugiri can run: {error}; "
            "name one of patterns.PATTERNS or mend it"
        ) from error


def expand_classes(pattern: str, unicode_version: str = CURRENT) -> str:
    r"""Write the classes of a pattern out as characters.

    Example:
        >>> expand_classes(r"[a\p{Zl}]+\p{Zl}$")
        '[a\\u2028-\\u2028]+[\\u2028-\\u2028]\\Z'
    """
    expanded = []
    inside = False  # between [ and ]
    for lexeme in _LEXEME.findall(pattern):
        if inside and (lexeme.startswith("[") or lexeme == "&&"):
            raise not_run("pattern with", f"a class in a class ({pattern!r})")
        if lexeme[0] == "\\" and lexeme[1] in "pPsSdDwW":
            expanded.append(_class(lexeme, inside, unicode_version))
        elif lexeme == "$" and not inside:
            expanded.append(r"\Z")
        else:
            inside = lexeme.startswith("[") or (inside and lexeme != "]")
            expanded.append(lexeme)
    return "".join(expanded)


def _class(escape: str, inside: bool, unicode_version: str) -> str:
    r"""Write out one of `\p{L}`, `\P{L}`, `\p{^L}`, `\pL`, `\s`, `\S` and the like."""
    kind, name = escape[1], escape[2:].strip("{}")
    opposite = kind.isupper() != name.startswith("^")
    body = _body(kind.lower(), name.lstrip("^"), unicode_version)
    if inside:
        return _complement(body) if opposite else body
    return f"[^{body}]" if opposite else f"[{body}]"


def _body(kind: str, name: str, unicode_version: str) -> str:
    if kind == "s":
        return WHITE_SPACE
    if kind == "d":
        return class_body("Nd", unicode_version)
    if kind == "w":
        categories = (class_body(category, unicode_version) for category in _WORD)
        return "".join(categories) + _OTHER_WORD
    try:
        return class_body(name, unicode_version)
    except ValueError:
        raise not_run("pattern with", rf"the class \p{{{name}}}") from None


@lru_cache
def _complement(body: str) -> str:
    """The inside of a class with all the characters that `body` has not."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))  # character i stands at place i
    return "".join(
        f"\\U{run.start():08x}-\\U{run.end() - 1:08x}"
        for run in regex.finditer(f"[^{body}]+", every)
    )
