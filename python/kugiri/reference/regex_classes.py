r"""Split patterns, rewritten for the `regex` library so that nothing is left to it but to search.

Rule.    Each part of a pattern is one that is known here, or is refused by name. Classes (`\p{L}`,
         `\s`, `\w`, `\b`) become the very characters that they mean in one Unicode version, "any
         case" the characters that are alike, marks of ends what they look at. No flag reaches the
         library. So a pattern means the same on every machine, whatever version its library has.
Cost.    One pass over the pattern, and a class of hundreds of ranges to match; kept once compiled.
         The library goes back where the core does not have to: what takes it LONGEST is refused.
Source.  The syntax of the Rust `regex` and `fancy-regex` crates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from time import monotonic
from typing import Final

import regex

from kugiri.encoding import Span
from kugiri.errors import EncodingError, OptionError
from kugiri.reference.brackets import (
    CLASS,
    CLASS_ESCAPES,
    ESCAPE,
    class_text,
    literal,
    named_class,
)
from kugiri.reference.character_classes import EVERY, escaped, in_any_case, named
from kugiri.reference.not_run import not_run
from kugiri.spec import Pattern, Regex
from kugiri.unicode import CURRENT

_LEXEME = regex.compile(
    rf"{ESCAPE}|{CLASS}"
    r"|(?:[*+?]|\{(?:[0-9]+|[0-9]*,[0-9]*)\})[?+]?"  # how many times
    r"|\((?:\?(?:<?[=!]|[a-zA-Z-]*[:)]|.))?"  # a group opens
    r"|.",
    regex.DOTALL,
)
_GROUPS = ("(", "(?=", "(?!", "(?<=", "(?<!", "(?>")
# Escapes that look around, in words of W, the inside of `\w`.
_LOOKS = {
    "A": r"\A",
    "z": r"\Z",
    "Z": r"(?=\n*\Z)",
    "b": "(?:(?<=[W])(?![W])|(?<![W])(?=[W]))",
    "B": "(?:(?<=[W])(?=[W])|(?<![W])(?![W]))",
    "<": "(?<![W])(?=[W])",
    ">": "(?<=[W])(?![W])",
    "N": r"[^\n]",
    "O": f"[{EVERY}]",
}

# Signs, without and with their flag: s for the dot, m for the others.
_SIGNS = {
    (".", False): r"[^\n]",
    (".", True): f"[{EVERY}]",
    ("^", False): r"\A",
    ("^", True): r"(?:\A|(?<=\n))",
    ("$", False): r"\Z",
    ("$", True): r"(?=\n|\Z)",
}


LONGEST: Final = 5.0
"""Seconds that a pattern may take on a text; real ones take milliseconds."""


@lru_cache
def compile_pattern(pattern: str, unicode_version: str = CURRENT) -> regex.Pattern[str]:
    """Compile a pattern whose classes mean the tables of one Unicode version.

    Raises:
        OptionError: the pattern is not a regex, or holds what this engine does not run.
    """
    parts = list(_rewritten(pattern, unicode_version))
    try:
        return regex.compile("".join(text for _, text in parts))
    except regex.error as error:
        ends = accumulate(len(text) for _, text in parts)
        behind = (at for (at, _), end in zip(parts, ends, strict=True) if end > (error.pos or 0))
        place = next(behind, len(pattern))
        raise OptionError(
            f"the pattern {pattern!r} is not a regex that kugiri can run: {error.msg} at position "
            f"{place}; name one of patterns.PATTERNS or mend it"
        ) from error


def matches(pattern: Pattern, text: str, unicode_version: str = CURRENT) -> Iterator[Span]:
    """The matches from left to right; behind an empty one the search goes on a character later.

    An empty match directly behind another is none. (`finditer` would look for one that is not empty
    at the same place.)

    Raises:
        EncodingError: it takes too long.
    """
    source = pattern.regex if isinstance(pattern, Regex) else regex.escape(pattern.text)
    compiled = compile_pattern(source, unicode_version)
    at = 0
    last_end = None
    until = monotonic() + LONGEST
    while at <= len(text) and (found := _search(compiled, text, at, until)):
        start, end = found.span()
        if start < end or end != last_end:
            yield start, end
            last_end = end
        at = end + (start == end)


def _search(
    compiled: regex.Pattern[str], text: str, at: int, until: float
) -> regex.Match[str] | None:
    try:
        return compiled.search(text, at, timeout=max(until - monotonic(), 0.01))
    except TimeoutError:
        raise EncodingError(
            "the split pattern goes back too often on this text for the readable engine, which "
            "shows each step; look at a shorter text, or use a pattern with fewer ways to match "
            "the same"
        ) from None


def expand_classes(pattern: str, unicode_version: str = CURRENT) -> str:
    r"""Write the classes of a pattern out as characters.

    Example:
        >>> expand_classes(r"[a\p{Zl}]+\p{Zl}(?i:s)$")
        '[a\\u2028-\\u2028]+[\\u2028-\\u2028](?:[sS\\u017f])\\Z'
    """
    return "".join(text for _, text in _rewritten(pattern, unicode_version))


def _rewritten(pattern: str, version: str) -> Iterator[tuple[int, str]]:
    """Each part of a pattern: where it stands, and what it is rewritten as.

    Raises:
        OptionError: a part is not one of those that are known.
    """
    for place, text, flags in lexemes(pattern):
        if text[0] == "(":
            yield place, text if text in _GROUPS else "(?:" if text[-1] == ":" else ""
        else:
            yield place, _part(text, flags, version)


def lexemes(pattern: str) -> Iterator[tuple[int, str, str]]:
    """The parts of a pattern: where each stands, what it is, and the flags that hold in it.

    A class and how many times something stands are one part each. The flags are i, m and s, and <
    in a look-behind.

    Raises:
        OptionError: a group is not one of those that are known.
    """
    groups = [""]  # the flags of the groups that are open
    for lexeme in _LEXEME.finditer(pattern):
        text, flags = lexeme[0], groups[-1]
        if text[0] == "(":
            inner = _inner_flags(text, flags, lexeme.start() == 0)
            groups[-1:] = [inner] if text[-1] == ")" else [flags, inner]
        elif text == ")":
            del groups[max(1, len(groups) - 1) :]
        yield lexeme.start(), text, flags


def _part(text: str, flags: str, version: str) -> str:
    any_case = "i" in flags
    match text[0]:
        case "\\":
            return _escape(text, any_case, version)
        case "[" if len(text) > 1:
            return class_text(text, any_case, version)
        case "[":
            raise not_run("pattern with", "a class in a class, or one without an end")
        case "{" if len(text) == 1:
            raise not_run("pattern with", "a '{' that counts nothing")
        case "*" | "+" | "?" | "{" if text.endswith("+") and text != "+" and "<" in flags:
            raise not_run("pattern with", "what never goes back, in a look-behind")
        case "*" | "+" | "?" | "{" | "|" | ")":
            return text.replace("{,", "{0,")
        case "." | "^" | "$":
            return _SIGNS[text, ("s" if text == "." else "m") in flags]
        case _:
            return _character(text, any_case, version)


def _inner_flags(group: str, flags: str, at_start: bool) -> str:
    """The flags that hold in a group."""
    if group == "(?>" and "<" in flags:
        raise not_run("pattern with", "what never goes back, in a look-behind")
    if group in _GROUPS:
        return flags + "<" * group.startswith("(?<")
    on, _, off = group[2:-1].partition("-")
    # Flags for what follows are known at the start alone: engines differ in how far they reach.
    if (
        group[-1] not in ":)"
        or not set(on + off) <= set("ims")
        or (group[-1] == ")" and not at_start)
    ):
        raise not_run("pattern with", f"the group {group}")
    return "".join(set(flags + on) - set(off))


def _escape(escape: str, any_case: bool, version: str) -> str:
    kind = escape[1]
    if kind in CLASS_ESCAPES:
        body, opposite = named_class(escape, any_case, version)
        return f"[^{body}]" if opposite else f"[{body}]"
    if kind in _LOOKS:
        return _LOOKS[kind].replace("W", named("w", version))
    return _character(literal(escape), any_case, version)


def _character(character: str, any_case: bool, version: str) -> str:
    own = escaped(character)
    alike = in_any_case(own, version) if any_case else own
    return own if alike == own else f"[{alike}]"
