"""Text out of HTML and Markdown, with blocks of code kept apart.

Rule.    Fenced blocks of Markdown, <pre>, and <code> of several lines are code; everything else
         that a reader sees is text, entities decoded. A fence is one only where it is closed and
         stands in no block of HTML: a line of ~~~ may be an ornament. A block element or <br> ends
         a line; inside an element white space is one space, as in HTML, and outside of all of them
         a line break is one too, as in Markdown. Readings over kanji (<rt>) are left out: they
         repeat the word.
Cost.    One parse of the document, linear in its length; thousands of elements inside one another
         cost the parser more.
Source.  CommonMark 0.31 for fences and for blocks of HTML (its kinds 1 and 6), though there a fence
         may be left open, and tildes may follow one of tildes. The HTML standard for the rest,
         which selectolax (Lexbor) follows as browsers do: unclosed and misplaced tags come out as
         on the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kugiri.corpus.documents import Document
from kugiri.inputs import as_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^`~]*$")
_SPACES = re.compile(r"[ \t\n\r\f]+")

_UNSEEN_NAMES = "head iframe noscript object rp rt script style svg template -comment"
_BLOCK_NAMES = (
    "address article aside blockquote body br center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol "
    "optgroup option p pre search section summary table tbody tfoot thead tr ul"
)
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_RAW_OPENS = re.compile(r" {0,3}<(?:pre|script|style|textarea)(?:[\s>]|$)", re.IGNORECASE)
_RAW_CLOSES = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_BLOCK_OPENS = re.compile(
    rf" {{0,3}}</?(?:{_BLOCK_NAMES.replace(' ', '|')})(?:[\s/>]|$)", re.IGNORECASE
)
_BLANK = re.compile(r"^\s*$")
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


def clean(markup: str, *, markdown: bool = True) -> Cleaned:
    r"""Take the tags and the code out of a document.

    Args:
        markup: HTML, or Markdown, which may hold HTML.
        markdown: whether it may be Markdown, and have fenced blocks of code.

    Raises:
        OptionError: it is no str.

    Example:
        >>> clean("<p>A &amp; <b>B</b></p><pre>x = 1\n  y</pre><ul><li>C<li>D</ul>")
        Cleaned(text='A & B\nC\nD', code=['x = 1\n  y'])
    """
    from selectolax.lexbor import LexborHTMLParser

    outside, code = as_text(markup, "the markup"), list[str]()
    if markdown:
        outside, code = _cut_fences(markup)
    body = LexborHTMLParser(outside).body
    if body is None:
        return Cleaned("", code)
    blocks: list[str] = []
    text = "".join(_text(body, blocks))
    lines = (_SPACES.sub(" ", line).strip(" ") for line in text.split("\n"))
    return Cleaned("\n".join(filter(None, lines)), code + blocks)


def cleaned(documents: Iterable[Document]) -> Iterator[Document]:
    """Each document without its tags, its code apart."""
    for document in documents:
        text, code = clean(document.text)
        yield Document(text, document.path, tuple(code))


def _cut_fences(markup: str) -> tuple[str, list[str]]:
    """The document without its fenced blocks, and these."""
    lines = markup.replace("\r\n", "\n").split("\n")
    outside: list[str] = []
    blocks: list[str] = []
    html_ends: re.Pattern[str] | None = None
    unclosed = {"`": len(markup), "~": len(markup)}  # from this length on no fence is closed
    row = 0
    while row < len(lines):
        line, row = lines[row], row + 1
        html_ends = html_ends or _end_of_html(line)
        fence = "" if html_ends else _fence(line)
        if fence and len(fence) < unclosed[fence[0]]:
            if end := _closed_at(lines, row, fence):
                blocks.append("\n".join(lines[row:end]).strip("\n"))
                row = end + 1
                continue
            unclosed[fence[0]] = len(fence)
        if html_ends and html_ends.search(line):
            html_ends = None
        outside.append(line)
    return "\n".join(outside), [block for block in blocks if block]


def _end_of_html(line: str) -> re.Pattern[str] | None:
    """What ends the block of HTML that a line opens, if it opens one."""
    if _RAW_OPENS.match(line):
        return _RAW_CLOSES
    return _BLANK if _BLOCK_OPENS.match(line) else None


def _fence(line: str) -> str:
    found = _FENCE.match(line)
    return found[1] if found else ""


def _closed_at(lines: Sequence[str], row: int, fence: str) -> int:
    """The row of the fence that closes one, from `row` on; 0 if there is none."""
    for end in range(row, len(lines)):
        if lines[end].lstrip(" ").startswith(fence):
            found = _fence(lines[end])
            if found.startswith(fence) and lines[end].strip(" \t") == found:
                return end
    return 0


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
