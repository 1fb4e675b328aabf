r"""Patterns of tokenizer.json, from Oniguruma's dialect (Ruby's syntax) into ours.

Rule.    Each part of a pattern is one whose meaning there is known and can be said here, or is
         refused by name. What looks alike and differs is said in another way: `^` and `$` are the
         ends of a line, `{1,3}+` repeats and is not possessive, `{2}?` is optional, `\w` has ² in
         it and no joiners, `(?m)` lets the dot match a line end, `(?i)` reaches to the end of its
         group. In a lookbehind nothing that never gives back is known: there it may.
Cost.    One pass over the pattern.
Source.  doc/RE of Oniguruma 6.9; tokenizers 0.23.3, on random patterns and every code point.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from kugiri.errors import OptionError
from kugiri.patterns import known_spelling
from kugiri.reference.case_foldings import others_in_any_case
from kugiri.reference.oniguruma_classes import (
    NAMED,
    PROPERTY,
    WORD,
    Unknown,
    character,
    class_here,
    shown,
)
from kugiri.reference.regex_classes import lexemes

_LEXEME = regex.compile(
    r"""
    \\[pP]\{[^}]*\} | \\x\{[^}]*\} | \\x[0-9A-Fa-f]{1,2} | \\u[0-9A-Fa-f]{4} | \\.
    | (?P<class>\[(?:\\.|\[:\^?[a-z]+:\]|(?&class)|[^\\\[\]])*\])
    | [*+?][?+]? | \{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\}\??
    | \(\?\#[^)]*\) | \(\?(?:[=!>]|<[=!]|[a-z-]*[:)]|<[A-Za-z_]\w*>|.) | .
    """,
    regex.VERBOSE | regex.DOTALL,
)
_ESCAPES = {
    "A": r"\A",
    "z": r"\z",
    "Z": r"(?=\n?\z)",
    "b": f"(?:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))",
    "B": f"(?:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))",
    "w": f"[{WORD}]",
    "W": f"[^{WORD}]",
}
_SIGNS = {".": ".", "^": r"(?:\A|(?<=\n)(?!\z))", "$": r"(?=\n|\z)"}


@lru_cache
def from_oniguruma(pattern: str) -> str:
    r"""Return a pattern that means here what `pattern` means in Oniguruma.

    Raises:
        OptionError: the pattern holds something that is not known here.

    Example:
        >>> from_oniguruma("[a[b]]{1,2}+$"), from_oniguruma(r"a(?i)b|\h")
        ('(?:[a[b]]{1,2})+(?=\\n|\\z)', 'a(?i:b|[0-9A-Fa-f])')
    """
    known = known_spelling(pattern)
    if known is not None:
        return known
    try:
        found = _Translation().of(pattern)
        for other in others_in_any_case((text, "i" in flags) for _, text, flags in lexemes(found)):
            raise Unknown(other)
    except Unknown as unknown:
        raise OptionError(
            f"the pattern {pattern!r} holds {str(unknown)!r}, which means something else in "
            "tokenizer.json and is not run by this version of kugiri; use a tokenizer "
            "without it, or a newer kugiri"
        ) from None
    return found


class _Translation:
    """A pattern in our dialect in the making."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.atom: int | None = None  # where what a quantifier would be about begins
        self.is_quantified = False
        self.groups = [(0, 1)]  # of each that is open: where it begins, how many ) end it
        self.behind = 0  # how many groups are open with the outermost lookbehind; 0 outside of one

    def of(self, pattern: str) -> str:
        for found in _LEXEME.finditer(pattern):
            self.add(found[0])
        self.parts.append(")" * (self.groups[0][1] - 1))
        return "".join(self.parts)

    def add(self, text: str) -> None:
        """Add a part of the pattern."""
        if text[0] == "(":
            self.open(text)
        elif text == ")" and len(self.groups) > 1:
            start, count = self.groups.pop()
            self.parts.append(")" * count)
            self.behind *= len(self.groups) >= self.behind
            self.atom, self.is_quantified = start, False
        elif text[0] in "*+?" or (text[0] == "{" and len(text) > 1):
            self.quantify(text)
        elif text == "|":
            self.parts.append("|")
            self.atom = None
        else:
            self.atom, self.is_quantified = len(self.parts), False
            self.parts.append(_atom(text))

    def open(self, text: str) -> None:
        """Open a group, or with `(?i)` one that reaches to the end of that around it."""
        options = regex.fullmatch(r"\(\?([im]*)(-[im]+)?([:)])", text)
        start, self.atom = len(self.parts), None
        if text.startswith("(?#"):
            return
        if options is None and not regex.fullmatch(r"\((?:\?(?:[=!>]|<[=!]|<\w+>))?", text):
            raise Unknown(text)
        if text == "(?>" and self.behind:
            raise Unknown(text)
        if options is not None and options[3] == ")":
            outer, count = self.groups[-1]
            self.groups[-1] = (outer, count + 1)
        else:
            self.groups.append((start, 1))
        if text.startswith(("(?<=", "(?<!")) and not self.behind:
            self.behind = len(self.groups)
        if options is not None:
            text = f"(?{options[1]}{options[2] or ''}:".replace("m", "s")
        self.parts.append("(?:" if text[2:3] == "<" and text[3] not in "=!" else text)

    def quantify(self, text: str) -> None:
        """Say how often the last atom stands."""
        if self.atom is None or (self.behind and text[1:] == "+"):
            raise Unknown(text)
        bounds = regex.fullmatch(r"\{([0-9]*)(,?)([0-9]*)\}(\??)", text)
        if bounds and bounds[3] and int(bounds[1] or 0) > int(bounds[3]):
            raise Unknown(text)  # it has a meaning of its own there
        atom = "".join(self.parts[self.atom :])
        atom = f"(?:{atom})" if self.is_quantified else atom
        if bounds and not bounds[2] and bounds[4]:
            atom, text = f"(?:{atom}{text[:-1]})", "?"
        self.parts[self.atom :] = [atom + text]
        self.is_quantified = True


def _atom(text: str) -> str:
    """What is no group, no quantifier and no alternative."""
    if text in _SIGNS:
        return _SIGNS[text]
    if text[0] == "[":
        return class_here(text)
    if text[0] != "\\":
        return shown(text)
    if text[1:] in _ESCAPES:
        return _ESCAPES[text[1:]]
    if text[1].lower() in NAMED and len(text) == 2:
        body = NAMED[text[1].lower()]
        return f"[{'^' * text[1].isupper()}{body}]" if body[0] != "\\" else text
    return text if PROPERTY.fullmatch(text) else shown(character(text))
