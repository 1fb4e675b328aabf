"""Glyphs for what cannot be seen: white space, controls, marks that steer what is beside them.

Rule.    A control character or a space of ASCII becomes its picture of Unicode (␊, ␠). All else
         that has no ink is named between angle brackets, by the abbreviation that Unicode gives it
         (ZWJ, NBSP, VS16), a tag by its letter, and by its code point where it has no name of its
         own. A mark that would stand on nothing gets a circle to stand on.
Cost.    One look-up a character.
Source.  The abbreviations of Unicode's NameAliases.txt and code charts; the property
         Default_Ignorable_Code_Point says which characters are meant to have no ink.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kugiri.unicode import NEWEST, category

_NAMED = {
    0x85: "NEL", 0xA0: "NBSP", 0xAD: "SHY", 0x34F: "CGJ", 0x61C: "ALM", 0x115F: "HCF",
    0x1160: "HJF", 0x1680: "OGSP", 0x17B4: "AQ", 0x17B5: "AA", 0x180B: "FVS1", 0x180C: "FVS2",
    0x180D: "FVS3", 0x180E: "MVS", 0x180F: "FVS4", 0x2000: "NQSP", 0x2001: "MQSP", 0x2002: "ENSP",
    0x2003: "EMSP", 0x2004: "3/MSP", 0x2005: "4/MSP", 0x2006: "6/MSP", 0x2007: "FSP", 0x2008: "PSP",
    0x2009: "THSP", 0x200A: "HSP", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM",
    0x200F: "RLM", 0x2028: "LSEP", 0x2029: "PSEP", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF",
    0x202D: "LRO", 0x202E: "RLO", 0x202F: "NNBSP", 0x205F: "MMSP", 0x2060: "WJ", 0x2061: "F()",
    0x2062: "×", 0x2063: ",", 0x2064: "+", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
    0x2069: "PDI", 0x2800: "BRAILLE SP", 0x3000: "IDSP", 0x3164: "HF", 0xFEFF: "BOM",
    0xFFA0: "HWHF", 0xFFF9: "IAA", 0xFFFA: "IAS", 0xFFFB: "IAT", 0xFFFC: "OBJ",
    0xE0001: "LANG TAG", 0xE007F: "TAG END",
}  # fmt: skip

GLYPHS: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x21)},  # ␀ … ␠
    0x7F: "␡",
    **{code: f"<U+{code:04X}>" for code in range(0x80, 0xA0)},
    **{0xFE00 + number: f"<VS{number + 1}>" for number in range(16)},
    **{0xE0100 + number: f"<VS{number + 17}>" for number in range(240)},
    **{0xE0000 + code: f"<TAG {chr(code)}>" for code in range(0x21, 0x7F)},
    0xE0020: "<TAG ␠>",
    **{code: f"<{name}>" for code, name in _NAMED.items()},
}
"""Each character that cannot be seen, with what is shown for it."""

_NO_INK = {"Cf", "Zs", "Zl", "Zp", "Cc", "Cs"}
_IGNORED = re.compile("[\u2065\ufff0-\ufff8\ufffe\uffff\U000e0000-\U000e0fff]")
"""No characters yet, and none to be seen."""
_BYTES = re.compile("<[0-9a-f]{2}(?: [0-9a-f]{2})*>")


def glyphs(text: str) -> Iterator[tuple[str, bool]]:
    r"""The characters of a text as they are shown, and whether each is a glyph for another one.

    Example:
        >>> list(glyphs("a\u3000"))
        [('a', False), ('<IDSP>', True)]
    """
    for at, character in enumerate(text):
        if (glyph := GLYPHS.get(ord(character))) is not None:
            yield glyph, True
        elif character.isascii():
            yield character, False
        elif (its := category(character, NEWEST)) in _NO_INK or _IGNORED.match(character):
            yield f"<U+{ord(character):04X}>", True
        elif at == 0 and its in ("Mn", "Me"):
            yield f"◌{character}", False
        else:
            yield character, False


def visible(text: str) -> str:
    r"""A text with nothing in it that cannot be seen; bytes like `<e5 b0>` stay as they are.

    Example:
        >>> visible("a\u200db \u3000"), visible("❤\ufe0f"), visible("<e5 b0>")
        ('a<ZWJ>b␠<IDSP>', '❤<VS16>', '<e5 b0>')
        >>> visible("\U0001f3f4\U000e0067\u202e"), visible("\u0301") == "\u25cc\u0301"
        ('🏴<TAG g><RLO>', True)
    """
    if is_bytes(text):
        return text
    return "".join(glyph for glyph, _ in glyphs(text))


def is_bytes(token: str) -> bool:
    """Whether a token is shown by its bytes, as a part of a character is.

    Example:
        >>> is_bytes("<e5 b0>"), is_bytes("<EB>")
        (True, False)
    """
    return _BYTES.fullmatch(token) is not None
