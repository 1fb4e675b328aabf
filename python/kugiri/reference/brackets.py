r"""Classes in brackets, written out: `[a-z\d]`, `[^a[b]]`, `[\p{L}&&[^a]]`.

Rule.    A class holds characters, ranges, escapes that are a class, and classes; `&&` keeps what
         both sides hold, and binds less. `^` turns all of it round.
Cost.    One pass over the class, and one over all characters where the opposite of one is in it.
Source.  The syntax of the Rust `regex` crate.
"""

from __future__ import annotations

import regex

from kugiri.reference.character_classes import EVERY, complement, escaped, in_any_case, named
from kugiri.reference.not_run import not_run

ESCAPE = (
    r"\\(?:[pP]\{[^}]*\}|[pP]\w|[xuU]\{[0-9A-Fa-f]{1,6}\}"
    r"|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)"
)
CLASS = rf"(?P<class>\[\^?\]?(?:{ESCAPE}|(?&class)|[^\\\[\]])*\])"
"""A class; a ] right after its opening is literal."""
IN_CLASS = regex.compile(rf"{ESCAPE}|{CLASS}|&&|.", regex.DOTALL)

CLASS_ESCAPES = "sSdDwWhHpP"
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}


def class_text(text: str, any_case: bool, version: str) -> str:
    r"""A class with all that it holds written out.

    Example:
        >>> class_text(r"[a-c\p{Zl}[x]]", any_case=False, version="16.0")
        '[a-c\\u2028-\\u2028x]'
    """
    body, opposite = _inside(text, any_case, version)
    if not body:  # there is no way to write a class of nothing
        body, opposite = EVERY, not opposite
    return f"[^{body}]" if opposite else f"[{body}]"


def _inside(text: str, any_case: bool, version: str) -> tuple[str, bool]:
    """The inside of a class; and whether the class is the opposite of that."""
    opposite = text.startswith("[^")
    items = [found[0] for found in IN_CLASS.finditer(text[1 + opposite : -1])]
    sides: list[list[str]] = [[]]
    for item in items:
        if item == "&&":
            sides.append([])
        else:
            sides[-1].append(item)
    if not all(sides):
        raise not_run("pattern with", f"&& beside nothing in a class ({text})")
    if any(operator in items for operator in ("--", "~~")) or "--" in text or "~~" in text:
        raise not_run("pattern with", f"-- or ~~ in a class ({text})")
    bodies = [_united(side, text, version) for side in sides]
    body = bodies[0]
    if len(bodies) > 1:  # what no side lacks
        body = complement("".join(map(complement, bodies)))
    return in_any_case(body, version) if any_case else body, opposite


def _united(items: list[str], text: str, version: str) -> str:
    """What any of the items holds."""
    body, at = "", 0
    while at < len(items):
        item, following = items[at], items[at + 1 : at + 3]
        inner = _class_within(item, version)
        if inner is not None:
            body, at = body + inner, at + 1
        elif len(following) == 2 and following[0] == "-":
            body += f"{_bound(item, text)}-{_bound(following[1], text)}"
            at += 3
        elif item == "-" and 0 < at < len(items) - 1:
            raise not_run("pattern with", f"a '-' between other things than two ends ({text})")
        else:
            body, at = body + _bound(item, text), at + 1
    return body


def _class_within(item: str, version: str) -> str | None:
    """The inside of what is a class within a class; None for a character."""
    if item[0] == "[" and len(item) > 1:
        body, opposite = _inside(item, False, version)
    elif item[0] == "\\" and item[1] in CLASS_ESCAPES:
        body, opposite = named_class(item, False, version)
    else:
        return None
    return complement(body) if opposite else body


def _bound(item: str, text: str) -> str:
    """A character in a class."""
    if item[0] != "\\":
        return escaped(item)
    if item[1] in CLASS_ESCAPES:
        raise not_run("pattern with", f"a range that ends in a class ({text})")
    return escaped(literal(item))


def named_class(escape: str, any_case: bool, version: str) -> tuple[str, bool]:
    r"""The inside of `\p{L}`, `\P{L}`, `\p{^L}`, `\pL`, `\s`, `\S`; and whether it is not that."""
    kind, name = escape[1], escape[2:].replace("{^", "{", 1)
    body = named(name or kind.lower(), version)
    return in_any_case(body, version) if any_case else body, kind.isupper() != ("{^" in escape)


def literal(escape: str) -> str:
    """The character that an escape stands for."""
    kind, code = escape[1], escape[2:].strip("{}")
    if kind in _CONTROLS:
        return _CONTROLS[kind]
    if kind in "xuU" and code and int(code, 16) < 0x110000:
        return chr(int(code, 16))
    if not kind.isascii() or kind.isalnum() or kind in "<>":
        raise not_run("pattern with", f"the escape {escape}")
    return kind
