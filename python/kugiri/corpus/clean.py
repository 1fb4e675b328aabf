"""Text out of HTML and Markdown, with blocks of code kept apart.

Rule.    Fenced blocks of Markdown, <pre>, and <code> of several lines are code; everything else
         that a reader sees is text, entities decoded. A block element or <br> ends a line; inside
         an element white space is one space, as in HTML, and outside of all of them a line break
         is one too, as in Markdown. Readings over kanji (<rt>) are left out: they repeat the word.
Cost.    One parse of the document, linear in its length; thousands of elements inside one another
         cost the parser more.
Source.  CommonMark 0.31 for fences, the HTML standard for the rest, which selectolax (Lexbor)
         follows as browsers do: unclosed and misplaced tags come out as on the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_SPACES = re.compile(r"[ \t\n\r\f]+")

_UNSEEN_NAMES = "head iframe noscript object rp rt script style svg template -comment"
_BLOCK_NAMES = (
    "address article aside blockquote body br center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol "
    "optgroup option p pre search section summary table tbody tfoot thead tr ul"
)
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_CELLS = frozenset(["td", "th"])
_CODE = frozenset(["pre", "code"])


class Cleaned(NamedTuple):
    """A document in two parts.

    Attributes:
        text: what is to be read, one line a paragraph.
        code: its blocks of code, in order.
    """

    text: str
    code: list[str]


def clean(markup: str) -> Cleaned:
    r"""Take the tags and the code out of a document.

    Example:
        >>> clean("<p>A &amp; <b>B</b></p><pre>x = 1\n  y</pre><ul><li>C<li>D</ul>")
        Cleaned(text='A & B\nC\nD', code=['x = 1\n  y'])
    """
    from selectolax.lexbor import LexborHTMLParser

    outside, code = _cut_fences(markup)
    body = LexborHTMLParser(outside).body
    if body is None:
        return Cleaned("", code)
    blocks: list[str] = []
    text = "".join(_text(body, blocks))
    lines = (_SPACES.sub(" ", line).strip(" ") for line in text.split("\n"))
    return Cleaned("\n".join(filter(None, lines)), code + blocks)


def _cut_fences(markup: str) -> tuple[str, list[str]]:
    """The document without its fenced blocks, and these; one left open runs to the end."""
    outside: list[str] = []
    blocks: list[list[str]] = []
    fence = ""
    for line in markup.replace("\r\n", "\n").split("\n"):
        found = _FENCE.match(line)
        if not fence and found:
            fence = found[1]
            blocks.append([])
        elif fence and found and found[1].startswith(fence) and not line[found.end() :].strip():
            fence = ""
        else:
            (blocks[-1] if fence else outside).append(line)
    code = ("\n".join(block).strip("\n") for block in blocks)
    return "\n".join(outside), [block for block in code if block]


def _text(body: LexborNode, code: list[str]) -> Iterator[str]:
    """The text below a node in reading order; blocks of code are added to `code` instead."""
    for node, opens, depth in _walk(body, code):
        if node.tag in _BLOCKS:
            yield "\n"
        elif node.tag in _CELLS:
            yield " "
        elif opens and node.is_text_node:
            text = node.text_content or ""
            yield text if depth == 1 else _SPACES.sub(" ", text)


def _walk(body: LexborNode, code: list[str]) -> Iterator[tuple[LexborNode, bool, int]]:
    """Each node when it opens and when it closes, with its depth in the body.

    A stack, since pages may nest without end. With each node goes what may be a block of code in
    it: in a <code> of one line no other is one, so no text is looked at more than three times.
    """
    stack = [(body, False, 0, _CODE), (body, True, 0, _CODE)]
    while stack:
        node, opens, depth, may_be_code = stack.pop()
        yield node, opens, depth
        if not opens or node.tag in _UNSEEN:
            continue
        if node.tag in may_be_code:
            if block := _code_block(node):
                code.append(block)
                continue
            may_be_code = may_be_code - _CODE if node.tag == "pre" else may_be_code - {"code"}
        for child in reversed(list(node.iter(include_text=True))):
            stack += [(child, side, depth + 1, may_be_code) for side in (False, True)]


def _code_block(node: LexborNode) -> str:
    """The code that a <pre> or <code> is a block of, if it is one."""
    lines = "".join(
        "\n" if each.tag == "br" else each.text_content or ""
        for each in node.traverse(include_text=True)
        if each.tag == "br" or each.is_text_node
    ).strip("\n")
    return lines if node.tag == "pre" or "\n" in lines else ""
