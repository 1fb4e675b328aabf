r"""A regex of tokenizer.json said in our dialect: that of Oniguruma with Ruby's syntax, parsed.

Rule.    `^` and `$` are the ends of lines, and `^` none behind the last line; `(?m:` lets the dot
         take line feeds; `(?i)` reaches to the end of its group; `{2}?` may be left out and
         `{1,3}+` repeats; ruby_classes.py has the classes. What is not known here is refused by
         name.
Cost.    One pass over the pattern.
Source.  doc/RE of Oniguruma 6.9; tokenizers 0.23.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex

from kugiri.errors import OptionError
from kugiri.formats.ruby_classes import CLASSES, IN_WORDS, POSIX, PROPERTY, WORD, simplest
from kugiri.reference.character_classes import escaped

_LOOKS = {
    "A": r"\A",
    "z": r"\z",
    "Z": r"(?=\n?\z)",
    "b": f"(?:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))",
    "B": f"(?:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))",
}
_ANY = {
    "R": r"(?>\r\n|[\n-\r\u0085\u2028\u2029])",
    "N": r"[^\n]",
    "O": r"[\s\S]",
}
_SIGNS = {"^": r"(?:\A|(?<=\n)(?!\z))", "$": r"(?=\n|\z)"}
_CONTROLS = dict(zip("nrtfvae", "\n\r\t\f\v\a\x1b", strict=True))
_LOOKING = ("(?=", "(?!", "(?<=", "(?<!")
_GROUPS = ("(?:", "(?>", *_LOOKING)

_ESCAPE = r"\\(?:[pP]\{[^}]*\}|x\{[0-9A-Fa-f]{1,6}\}|x[0-7][0-9A-Fa-f]|u[0-9A-Fa-f]{4}|.)"
_LEXEME = regex.compile(
    rf"{_ESCAPE}|\[\^?"
    r"|\(\?#[^)]*\)|\((?:\?(?:[:=!>]|<[=!]|<[A-Za-z_]\w*>|[a-z]*-?[a-z]*[:)]|.?))?"
    r"|[*+?]|\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\}|.",
    regex.DOTALL,
)
_LEXEME_IN_CLASS = regex.compile(rf"{_ESCAPE}|\[:\^?[a-z]+:\]|\[\^?|\]|&&|.", regex.DOTALL)


@lru_cache
def from_ruby(pattern: str) -> str:
    r"""Return a regex that means here what `pattern` means in tokenizer.json.

    Raises:
        OptionError: it holds something that this version does not run.

    Example:
        >>> from_ruby(r"^\h{2}+(?m:.)")
        '(?:\\A|(?<=\\n)(?!\\z))(?:[0-9A-Fa-f]{2})+(?:[\\s\\S])'
    """
    return _Reader(pattern).read()


class _Reader:
    """A pattern while it is read."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def read(self) -> str:
        """The whole pattern."""
        said = self._alternatives("")
        if self._at < len(self._pattern):
            raise self._refused(")")
        return said

    def _next(self, lexeme: regex.Pattern[str] = _LEXEME) -> str:
        """The next part, "" at the end."""
        found = lexeme.match(self._pattern, self._at)
        return found[0] if found else ""

    def _take(self, lexeme: regex.Pattern[str] = _LEXEME) -> str:
        taken = self._next(lexeme)
        if not taken:
            raise self._refused("a group or class without an end")
        self._at += len(taken)
        return taken

    def _refused(self, what: str) -> OptionError:
        return OptionError(
            f"the pattern {self._pattern!r} holds {what!r}, which means something else in "
            "tokenizer.json and is not run by this version of kugiri; use a tokenizer "
            "without it, or a newer kugiri"
        )

    # ── sequences and groups ──────────────────────────────────────────────────────────────────
    def _alternatives(self, flags: str) -> str:
        """What stands up to the end of a group."""
        return "".join(self._parts(flags))

    def _parts(self, flags: str) -> Iterator[str]:
        while self._next() not in ("", ")"):
            lexeme = self._take()
            if lexeme.startswith("(?#"):
                continue
            if lexeme == "|":
                yield "|"
            elif lexeme.startswith("(?") and lexeme[-1] == ")":  # flags up to the end of the group
                flags, opening = self._flags(lexeme, flags)
                yield f"{opening}{self._alternatives(flags)})"
            else:
                yield self._repeated(*self._one(lexeme, flags))

    def _one(self, lexeme: str, flags: str) -> tuple[str, bool]:
        """One part, and whether it may be repeated."""
        match lexeme[0]:
            case "\\" if lexeme[1:] in _LOOKS:
                return _LOOKS[lexeme[1]], False
            case "\\":
                return self._escape(lexeme), True
            case "[":
                return simplest(self._class(lexeme)), True
            case "(":
                return self._group(lexeme, flags), lexeme not in _LOOKING
            case ".":
                return _ANY["O" if "m" in flags else "N"], True
            case "^" | "$":
                return _SIGNS[lexeme], False
            case "*" | "+" | "?" | "{" if lexeme != "{":
                raise self._refused(lexeme)
            case "{" | "}" | "]":
                return escaped(lexeme), True
        return lexeme, True

    def _group(self, opening: str, flags: str) -> str:
        if opening[-1] == ":" and opening != "(?:":
            flags, said = self._flags(opening, flags)
        elif opening == "(" or opening[-1] == ">" and opening != "(?>":  # nothing refers to them
            said = "(?:"
        elif opening in _GROUPS:
            said = opening
        else:
            raise self._refused(opening)
        inner = self._alternatives(flags)
        self._take()
        return f"{said}{inner})"

    def _flags(self, opening: str, flags: str) -> tuple[str, str]:
        """The flags that hold behind `(?i-m:` or `(?i)`, and how the group is opened here."""
        on, _, off = opening[2:-1].partition("-")
        if not set(on + off) <= set("im"):
            raise self._refused(opening)
        now = "".join(sorted(set(flags + on) - set(off)))
        return now, "(?i:" if "i" in now else "(?-i:" if "i" in flags else "(?:"

    def _repeated(self, part: str, may_be: bool) -> str:
        """A part with how many times it stands."""
        if not self._is_count():
            return part
        times = self._take()
        if not may_be:
            raise self._refused(f"{part}{times}")
        said = f"{part}{times.replace('{,', '{0,')}"
        is_exact = times[0] == "{" and "," not in times
        match self._next():
            case "?" if not is_exact:
                said += self._take()
            case "+" if times[0] != "{":
                said += self._take()
            case "?" | "+":
                said = f"(?:{said}){self._take()}"
        if self._is_count():
            raise self._refused(f"{times}{self._next()}")
        return said

    def _is_count(self) -> bool:
        lexeme = self._next()
        return lexeme[:1] in ("*", "+", "?") or (lexeme[:1] == "{" and len(lexeme) > 1)

    # ── characters and classes ────────────────────────────────────────────────────────────────
    def _escape(self, escape: str) -> str:
        kind = escape[1]
        if kind.lower() in CLASSES:
            return f"[{'^' if kind.isupper() else ''}{CLASSES[kind.lower()]}]"
        if kind in _ANY:
            return _ANY[kind]
        if kind in "pP":
            found = PROPERTY.fullmatch(escape)
            if found is None:
                raise self._refused(escape)
            return rf"\{'p' if (kind == 'p') != bool(found[1]) else 'P'}{{{found[2]}}}"
        return escaped(self._character(escape))

    def _character(self, escape: str) -> str:
        """The character that an escape stands for."""
        kind, code = escape[1], escape[2:].strip("{}")
        if kind in _CONTROLS:
            return _CONTROLS[kind]
        if code and int(code, 16) < 0x110000 and not 0xD800 <= int(code, 16) < 0xE000:
            return chr(int(code, 16))
        if code or kind.isalnum():
            raise self._refused(escape)
        return kind

    def _class(self, opening: str) -> str:
        """A class, with those that stand in it."""
        said = opening
        if self._next(_LEXEME_IN_CLASS) == "]":
            raise self._refused(f"{opening}]")
        while (lexeme := self._take(_LEXEME_IN_CLASS)) != "]":
            if lexeme == "&&" and (said == opening or self._next(_LEXEME_IN_CLASS) in ("]", "&&")):
                raise self._refused("&& with nothing beside it")
            said += "&&" if lexeme == "&&" else self._in_class(lexeme)
        return f"{said}]"

    def _in_class(self, lexeme: str) -> str:
        if lexeme in ("[", "[^"):
            return self._class(lexeme)
        if lexeme[0] == "[":
            name = lexeme.strip("[:^]")
            if name not in POSIX:
                raise self._refused(lexeme)
            return f"[^{POSIX[name]}]" if "^" in lexeme else POSIX[name]
        if lexeme in (r"\w", r"\W"):
            return IN_WORDS if lexeme == r"\w" else f"[^{IN_WORDS}]"
        if lexeme[0] == "\\" and lexeme[1].lower() in (*CLASSES, "p"):
            said = self._escape(lexeme)
            return said if said[:2] in (r"\p", r"\P", "[^") else said[1:-1]
        return self._range(lexeme)

    def _range(self, lexeme: str) -> str:
        """A character in a class, or all from it to another."""
        first = self._bound(lexeme)
        if self._next(_LEXEME_IN_CLASS) != "-" or self._pattern[self._at :].startswith("-]"):
            return first
        if lexeme == "-":
            raise self._refused("--")
        self._take(_LEXEME_IN_CLASS)
        return f"{first}-{self._bound(self._take(_LEXEME_IN_CLASS))}"

    def _bound(self, lexeme: str) -> str:
        if lexeme[0] == "\\" and lexeme[1] not in _LOOKS and lexeme[1] not in _ANY:
            return escaped(self._character(lexeme))
        if len(lexeme) > 1 or lexeme == "[":
            raise self._refused(lexeme)
        return escaped(lexeme)
