"""How an explanation looks on a terminal and in a pipe: the tokens first, then stage by stage."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from rich.cells import cell_len
from rich.text import Text

from kugiri.cli.display import bar, console, print_table, shortened
from kugiri.cli.lattice import print_lattice
from kugiri.cli.symbols import near, strip, style
from kugiri.encoding import Span
from kugiri.explain.glyphs import visible
from kugiri.explain.readings import read_tokens, readable
from kugiri.explain.step_structure import (
    LONGEST,
    BPESteps,
    Lookups,
    Merge,
    UnigramSteps,
    Word,
    WordPieceSteps,
)
from kugiri.explain.structure import Explanation

_TRIED = 8
"""Searches that are shown of a word piece; --json has them all."""
_BYTES = 12
"""Bytes of a token that are shown."""
_NAME = 14
"""Columns before what a line says."""
_WIDE = 100
"""Columns from which bars are long."""
_NOTHING = "(nothing)"
_RANKS = {
    "list": "a rank is a row of the merge list",
    "rank": "a rank is the id of the join",
    "score": "a rank is the place of a score",
}


def draw(explained: Explanation) -> None:
    """Print an explanation, stage by stage."""
    _text(explained)
    _normalization(explained)
    _pre_tokens(explained)
    model = explained.model
    if isinstance(model, BPESteps):
        _bpe(model, explained.visible_bytes)
    elif isinstance(model, WordPieceSteps):
        _word_piece(model)
    elif isinstance(model, UnigramSteps):
        _unigram(model)
    elif isinstance(model, Lookups):
        _line("model", "words, or characters, are looked up as they stand")
    _too_long(model.words)
    _result(explained)


# ── before the model ──────────────────────────────────────────────────────────────────────────
def _text(explained: Explanation) -> None:
    _line("text", visible(explained.text) or _NOTHING)
    tokens = [visible(token) for token in read_tokens(explained)]
    _line("tokens", strip(tokens) if tokens else _NOTHING)
    for token, span in explained.special_tokens:
        _line("cut out", f"{visible(token)} at {shown(span)}")
    for token, span in explained.left_as_text:
        _line("left", f"{visible(token)} at {shown(span)} is text: not allowed as a special token")


def _normalization(explained: Explanation) -> None:
    normalization = explained.normalization
    if not normalization.changes:
        _line("normalized", "as it is")
        return
    _line("normalized", visible(normalization.after) or _NOTHING)
    rows = [
        (shown(change.span), *_told_apart(change.before, change.after), shown(change.after_span))
        for change in normalization.changes
    ]
    columns = ("span", "before", "after", "span after")
    print_table(columns, rows, text=columns)


def _told_apart(*before_after: str) -> Iterator[str]:
    """What was and what became of it for the eye; in code points where both look alike."""
    alike = len({unicodedata.normalize("NFC", text) for text in before_after}) == 1
    for text in before_after:
        yield " ".join(f"U+{ord(it):04X}" for it in text) if alike else visible(text)


def _pre_tokens(explained: Explanation) -> None:
    words = [readable(word, explained.visible_bytes) for word, _ in explained.pre_tokens]
    _line("pre-tokens", strip(words) if words else _NOTHING)
    rows = [
        (
            shown(it.span) if it.span[0] != it.span[1] else str(it.span[0]),
            it.step,
            visible(it.rule).replace("␠", " "),
        )
        for it in explained.boundaries
    ]
    if rows:
        print_table(("cut at", "made by", "rule"), rows, text=("cut at", "made by", "rule"))


# ── the model ─────────────────────────────────────────────────────────────────────────────────
def _bpe(model: BPESteps, visible_bytes: bool) -> None:
    _line("model", f"BPE; {_RANKS[model.order]}")

    def read(token: str) -> str:
        return readable(token, visible_bytes)

    whole = [read(word.text) for word in model.words if word.is_whole]
    if whole:
        _line("as it stands", strip(whole))
    for number in range(len(model.words)):
        merges = [merge for merge in model.merges if merge.word == number]
        if merges:
            _merges(model.words[number], merges, read)
            _line("tree", _tree(model, number, visible_bytes))


def _merges(word: Word, merges: list[Merge], read: Callable[[str], str]) -> None:
    """The merges of a word, a line each: what does not fit beside the new symbol is `…`."""
    names = [
        (f"{it.rank:,}", f"{read(it.left)} + {read(it.right)} → {read(it.result)}") for it in merges
    ]
    ranks, pairs = (max(map(cell_len, column)) for column in zip(*names, strict=True))
    room = max(console().width - max(ranks, 4) - pairs - 6, 20)
    rows = [("", "", near([read(it) for it in word.symbols], None, room))]
    rows += [
        (*name, near([read(it) for it in merge.after], merge.position, room))
        for name, merge in zip(names, merges, strict=True)
    ]
    print_table(("rank", "merge", "symbols"), rows, text=("merge", "symbols"))


def _tree(model: BPESteps, number: int, visible_bytes: bool) -> str:
    """How the symbols of a word were put together, in brackets."""
    word = model.words[number]
    names = [readable(symbol, visible_bytes) for symbol in word.symbols]
    for merge in (it for it in model.merges if it.word == number):
        left, right = merge.parts
        names.append(f"({names[left]} {names[right]})")
    return " ".join(names[root] for root in word.roots)


def _word_piece(model: WordPieceSteps) -> None:
    _line("model", "WordPiece: from left to right, the longest token that fits")
    rows = []
    for match in model.matches:
        tried = [visible(it) for it in match.tried]
        more = ["…", *tried[-2:]] if len(tried) > _TRIED else tried[_TRIED - 3 :]
        found = "nothing: unknown" if match.found is None else visible(match.found)
        word = model.words[match.word].text
        rows.append((visible(word), str(match.start), " ".join(tried[: _TRIED - 3] + more), found))
    print_table(("word", "from", "tried", "found"), rows, text=("word", "tried", "found"))


def _unigram(model: UnigramSteps) -> None:
    if not model.is_shown:
        return
    _line(
        "model",
        f"Unigram: {model.paths:,.0f} ways to cut it, entropy {model.entropy:.3f} nats",
    )
    print_lattice(model)
    best = model.nbest[0].posterior if model.nbest else 1.0
    rows = [
        (
            str(place),
            f"{way.log_prob:.3f}",
            f"{way.margin:.3f}",
            f"{way.posterior:.4f}",
            bar(way.posterior, best, 16 if console().width >= _WIDE else 4),
            strip([visible(piece) for piece in way.pieces]),
        )
        for place, way in enumerate(model.nbest, 1)
    ]
    columns = ("#", "log prob", "margin", "probability", "", "way")
    print_table(columns, rows, text=("way", ""))


def _too_long(words: list[Word]) -> None:
    for word in words:
        if not word.is_shown:
            _line(
                "",
                f"{visible(shortened(word.text, 20))} is too long to be shown step by step: "
                f"more than {LONGEST} units",
            )


# ── the result ────────────────────────────────────────────────────────────────────────────────
def _result(explained: Explanation) -> None:
    for it in explained.fallbacks:
        became = f"became {it.became}" if it.became == "bytes" else "is unknown"
        _line("no token", f"{visible(it.text)} at {shown(it.span)} {became}")
    template = explained.post_process.template
    if len(template) > 1:
        added = "added" if explained.post_process.added else "not asked for"
        _line("template", f"{' '.join(visible(it) for it in template)} ({added})")
    tokens = read_tokens(explained)
    rows = [
        (
            str(id),
            Text(visible(tokens[at]), style(at)),
            _hex(explained.bytes[at]),
            shown(explained.spans[at]),
        )
        for at, id in enumerate(explained.ids)
    ]
    print_table(("id", "token", "bytes", "span"), rows, text=("token", "bytes", "span"))
    decoded = explained.decoded
    if decoded.is_exact:
        _line("decoded", "the same text")
    else:
        text = visible(decoded.text) or _NOTHING
        _line("decoded", f"{text}, other from character {decoded.differs_at} on")


def _hex(data: str) -> str:
    data = bytes.fromhex(data).hex(" ")
    return data if len(data) <= 3 * _BYTES else f"{data[: 3 * _BYTES]}…"


def _line(name: str, content: str | Text) -> None:
    """Words with their name before them; what is too wide goes on under its beginning."""
    out = console()
    text = Text(content) if isinstance(content, str) else content
    rows = text.wrap(out, max(out.width - _NAME, 20), overflow="fold") or [Text()]
    for number, row in enumerate(rows):
        row.rstrip()
        label = Text().append(f"{'' if number else name:{_NAME}}", style="bold")
        out.print(label.append_text(row), soft_wrap=True)


def shown(span: Span) -> str:
    """A span as it is read."""
    return f"{span[0]}–{span[1]}"
