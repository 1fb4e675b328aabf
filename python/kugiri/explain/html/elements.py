"""Elements of HTML, escaped where they are made: no text can become markup.

Rule.    A `str` is text and is escaped; only `element` makes `Markup`, which is not. A part of a
         text is isolated, so that writing from right to left turns nothing round beside it, and
         glyphs and bytes are marked as what they are.
Cost.    One pass over each text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from kugiri.explain.glyphs import glyphs, is_bytes, visible
from kugiri.reference.vocab import SPACE

_NAME = 60
"""Characters of a name that are shown,"""
_TITLE = 1_000
"""and that are there to be pointed at."""


class Markup(str):
    """Text that is HTML already; two of them put together are, too."""

    __slots__ = ()

    def __add__(self, other: str) -> Markup:
        """Both, one after another; what is no markup is escaped."""
        return together(self, other)


def element(tag: str, /, *content: str | Markup | Iterable[str], **attributes: object) -> Markup:
    r"""An element; None leaves an attribute out, `class_` and `for_` are class and for.

    Example:
        >>> element("b", "1 < 2", class_="x", title="a\0")
        '<b class="x" title="a␀">1 &lt; 2</b>'
    """
    shown = "".join(
        f' {key.strip("_").replace("_", "-")}="{html.escape(_of_attribute(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if tag in ("br", "col", "input", "meta", "wbr"):
        return Markup(f"<{tag}{shown}>")
    return Markup(f"<{tag}{shown}>{together(*content)}</{tag}>")


def _of_attribute(value: str) -> str:
    """It may hold a name of the user's: nothing in it that cannot be seen."""
    return value if value.isascii() and value.isprintable() else plainly(value)


def together(*content: str | Markup | Iterable[str]) -> Markup:
    """Texts and elements one after another."""
    parts = []
    for each in content:
        if isinstance(each, Markup):
            parts.append(str(each))
        elif isinstance(each, str):
            parts.append(html.escape(each))
        else:
            parts.append(together(*each))
    return Markup("".join(parts))


def quoted(text: str, before: str = "", class_: str = "") -> Markup:
    """A text of the user's with glyphs for what cannot be seen; bytes as bytes.

    Args:
        text: the text.
        before: what stands before it in the same element.
        class_: what it is besides.

    Example:
        >>> quoted("a\u200d<b>")
        '<bdi>a<i class="glyph">ZWJ</i>&lt;b&gt;</bdi>'
        >>> quoted("<e5 b0>")
        '<bdi class="bytes">e5 b0</bdi>'
    """
    if is_bytes(text):
        return element("bdi", before, text[1:-1], class_=f"bytes {class_}".strip())
    shown = [_glyph(it) if is_glyph else it for it, is_glyph in _shown(text)]
    return element("bdi", before, shown, class_=class_ or None)


def _shown(text: str) -> Iterator[tuple[str, bool]]:
    for shown, is_glyph in glyphs(text):
        yield shown, is_glyph or shown == SPACE


def _glyph(shown: str) -> Markup:
    """A glyph by its name; spaces are drawn by the style, since few fonts have the signs."""
    if shown == "␠":
        return element("i", " ", class_="space")
    if shown == SPACE:
        return element("i", shown, class_="mark")
    name = _CONTROLS.get(shown) or re.sub("^<(.+)>$", r"\1", shown)
    return element("i", name, class_="glyph")


_NAMES = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR",
    "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
    "FS", "GS", "RS", "US",
)  # fmt: skip
_CONTROLS = {"␡": "DEL", **{chr(0x2400 + code): name for code, name in enumerate(_NAMES)}}
"""The names of the pictures of control characters."""


def plainly(words: str) -> str:
    """Words of ours that may hold some of the user's: spaces stay spaces."""
    return visible(words).replace("␠", " ")


def named(name: str) -> Markup:
    """A name that the user gave; a long one is cut, and whole where it is pointed at.

    Example:
        >>> named("my model\u202e")
        '<bdi>my model&lt;RLO&gt;</bdi>'
    """
    shown = plainly(name)
    if len(shown) <= _NAME:
        return element("bdi", shown)
    return element("bdi", f"{shown[: _NAME - 1]}…", title=shown[:_TITLE])


def parted(name: str) -> Markup:
    """A name that the user gave, for a narrow place: a line may end behind its signs.

    Example:
        >>> parted("kyoto_ja-8000")
        '<bdi>kyoto_<wbr>ja-<wbr>8000</bdi>'
    """
    shown = plainly(name)
    kept = shown if len(shown) <= _NAME else f"{shown[: _NAME - 1]}…"
    parts = [together(part, element("wbr")) for part in re.split(r"(?<=[_/-])(?=[^_/-])", kept)]
    inner = Markup("".join(parts).removesuffix("<wbr>"))
    return element("bdi", inner, title=None if kept == shown else shown[:_TITLE])


def cut(parts: Iterable[str], text: str) -> Markup:
    """Parts of a text in a row, with a cut between each two."""
    return element(
        "span", [element("span", part) for part in parts], class_="cut", lang=language(text)
    )


def bar(share: float, kind: str = "") -> Markup:
    """A bar of this share of the longest, which the style knows."""
    return element("span", class_=f"bar {kind}".strip(), style=f"--share:{share:.3f}")


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()
) -> Markup:
    """A table; the columns that are named in `numbers` are set as such."""
    kinds = ["number" if column in numbers else None for column in columns]
    head = element(
        "tr",
        [
            element("th", column, scope="col", class_=kind) if column else element("td")
            for column, kind in zip(columns, kinds, strict=True)
        ],
    )
    body = [
        element(
            "tr", [element("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)]
        )
        for row in rows
    ]
    whole = element("table", element("thead", head), element("tbody", body))
    return scrolling(whole, ", ".join(filter(None, columns)))


def scrolling(content: Markup, name: str) -> Markup:
    """What may be wider than the page, and can then be moved with the keyboard."""
    return element("div", content, class_="wide", tabindex=0, role="group", aria_label=name)


def language(text: str) -> str | None:
    """The language that decides how Chinese characters are drawn, where the text shows it.

    Example:
        >>> language("東京都に"), language("서울"), language("low")
        ('ja', 'ko', None)
    """
    for name, characters in ("ja", "[\u3041-\u30ff]"), ("ko", "[\uac00-\ud7a3]"):
        if re.search(characters, text):
            return name
    return "ja" if re.search("[\u4e00-\u9fff]", text) else None
