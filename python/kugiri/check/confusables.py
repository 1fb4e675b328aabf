"""Texts that look alike: what is left of a text when such differences are taken out.

Rule.    A skeleton has none of the characters that nobody sees, the letters and signs of ASCII for
         those that look like them, compatible forms as NFKC writes them, and small letters. Two
         texts with one skeleton look alike, or nearly so. The table is our own and short: what
         imitates the letters and signs that special tokens are written with.
Cost.    Linear in the text.
Source.  Unicode Technical Standard 39 defines skeletons by a table of some 6,000 characters, which
         this one does not replace.
"""

from __future__ import annotations

from unicodedata import normalize

from kugiri.check.unseen import class_of

_LOOKS: dict[str, str] = {
    "a": "аɑα", "c": "сϲ", "d": "ԁ", "e": "е", "g": "ɡ", "h": "һ", "i": "іιı", "j": "ј", "l": "ӏ",
    "n": "ո", "o": "оοօ", "p": "рρ", "q": "ԛ", "s": "ѕ", "u": "υս", "v": "νѵ", "w": "ԝ", "x": "х",
    "y": "у", "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "I": "ІΙ", "J": "Ј", "K": "КΚ",
    "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "X": "ХΧ", "Y": "ҮΥ", "Z": "Ζ",
    "<": "‹⟨〈˂ᐸ❮", ">": "›⟩〉˃ᐳ❯", "|": "ǀ│∣❘⏐׀", "_": "▁‗", "-": "‐‑‒–—−", "/": "∕⁄",
}  # fmt: skip
"""Letters of Cyrillic, Greek and Armenian, and signs, by what they look like."""
_ASCII = {ord(it): ascii for ascii, some in _LOOKS.items() for it in some}
FOREIGN = {ord(ascii): some[0] for ascii, some in _LOOKS.items()}
"""For each character of ASCII that has one, another that looks like it."""
BOLD = {ord("A") + at: 0x1D400 + at for at in range(26)} | {
    ord("a") + at: 0x1D41A + at for at in range(26)
}
"""Letters of mathematics."""
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
"""Full-width letters and signs."""


def skeleton(text: str) -> str:
    r"""What is left of a text without the differences that nobody sees.

    Example:
        >>> skeleton("＜｜ＥОＳ｜＞"), skeleton("<|e\u200bos|>")
        ('<|eos|>', '<|eos|>')
    """
    seen = text if text.isascii() else "".join(it for it in text if class_of(it) is None)
    return normalize("NFKC", seen.translate(_ASCII)).translate(_ASCII).casefold()
