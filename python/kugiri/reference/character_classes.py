r"""Classes of characters, written out as what stands between [ and ].

Rule.    A class is the very characters that it means in one Unicode version. Characters are alike
         but for case if their simple case folding is the same.
Cost.    A string of up to hundreds of ranges, made once for each class.
Source.  Classes as the Rust `regex` crate defines them (Unicode Technical Standard 18).
"""

from __future__ import annotations

import sys
from functools import lru_cache

import regex

from kugiri.reference.not_run import not_run
from kugiri.unicode import WHITE_SPACE, case_folding, category, class_body

EVERY = r"\u0000-\U0010ffff"

# What `\w` means: these categories, and some characters that no category tells (the joiners, and
# circled and squared letters).
_WORD = ("L", "M", "Nd", "Nl", "Pc")
_OTHER_WORD = (
    r"\u200c\u200d\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189"
)


def named(name: str, version: str) -> str:
    r"""The inside of a class: that of `\s`, `\d`, `\w` or `\h`, or of `\p{name}`.

    Raises:
        OptionError: there is no such class, or none that this engine has.
    """
    match name:
        case "s":
            return WHITE_SPACE
        case "d":
            return class_body("Nd", version)
        case "w":
            return "".join(class_body(part, version) for part in _WORD) + _OTHER_WORD
        case "h":
            return "0-9A-Fa-f"
    try:
        return class_body(name.removeprefix("{").removesuffix("}"), version)
    except ValueError:
        raise not_run("pattern with", rf"the class \p{name}") from None


@lru_cache
def complement(body: str) -> str:
    """The inside of a class with all the characters that `body` has not."""
    if not body:
        return EVERY
    every = "".join(map(chr, range(sys.maxunicode + 1)))  # character i stands at place i
    return "".join(
        f"{escaped(chr(run.start()))}-{escaped(chr(run.end() - 1))}"
        for run in regex.finditer(f"[^{body}]+", every)
    )


@lru_cache
def in_any_case(body: str, version: str) -> str:
    r"""The inside of a class with the characters of `body`, and all that are alike but for case.

    Example:
        >>> in_any_case("k!", "16.0") == r"k!K\u212a"
        True
    """
    variants = _variants(version)
    found = regex.findall(f"[{body}]", "".join(variants))
    alike = {other for character in found for other in variants[character]}
    return body + "".join(map(escaped, sorted(alike.difference(found))))


@lru_cache
def _variants(version: str) -> dict[str, str]:
    """Character → all that have its case folding, itself among them, where there are several."""
    same: dict[str, str] = {}
    for own, folded in case_folding().items():
        # The table of cases is younger: characters that the version does not have are left out.
        if category(own, version) != "Cn" and category(folded, version) != "Cn":
            same[folded] = same.get(folded, folded) + own
    return {character: "".join(sorted(alike)) for alike in same.values() for character in alike}


def escaped(character: str) -> str:
    """A character as it may stand in a pattern, inside and outside of [ and ]."""
    if character.isascii() and character.isalnum():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
