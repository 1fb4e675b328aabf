"""Round trip: the share of documents that come back exactly.

Example:
    >>> from kugiri.measure.example import observed, unigram_of, value
    >>> seen = observed(unigram_of(["▁", "猫", "と"]), ["猫と猫", "猫  と", "猫と犬"])
    >>> [seen.tokenizer.decode(seen.tokenizer.encode(text)) for text in seen.corpus.documents]
    ['猫と猫', '猫 と', '猫と ⁇ ']
    >>> value(METRIC, seen)  # the first of three
    0.3333
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np

from kugiri.explain.glyphs import visible
from kugiri.measure.characters import MOST, name, shown
from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.tokenizer import Tokenizer

EXAMPLES = 5
BESIDE = 12
"""Characters that an example shows before and behind the first difference."""


def _values(seen: Observation, draws: Draws) -> Floats:
    same = seen.comes_back
    return ratio(draws.sum(same), draws.sum(np.ones(len(same))))


def _details(seen: Observation) -> list[Table]:
    before, lost, put_in = Counter[str](), Counter[str](), Counter[str]()
    spaces = Counter[str]()
    for _, text, back in _changed(seen):
        its, theirs = Counter(text), Counter(back)
        lost += its - theirs
        put_in += theirs - its
        spaces += _spaces(text) - _spaces(back)
    for text in seen.corpus.documents if lost else ():
        before.update(character for character in text if character in lost)
    tables = [
        Table(
            "Characters that do not come back, most frequent first",
            ("character", "name", "in the text", "lost", "normalized to"),
            [
                (shown(it), name(it), before[it], count, _normalized(seen.tokenizer, it))
                for it, count in _most(lost)
            ],
        ),
        Table(
            "Characters that come back instead, most frequent first",
            ("character", "name", "more"),
            [(shown(it), name(it), count) for it, count in _most(put_in)],
        ),
        Table("White space that is lost", ("where", "characters"), list(spaces.items())),
        Table(
            "The first documents that change, where they do",
            ("document", "text", "comes back"),
            [_example(*row) for row in islice(_changed(seen), EXAMPLES)],
        ),
    ]
    return [table for table in tables if table.rows]


def _changed(seen: Observation) -> Iterator[tuple[int, str, str]]:
    """Number, text and what comes back, of the documents that do not come back exactly."""
    pairs = zip(seen.corpus.documents, seen.decoded, strict=True)
    return ((number, text, back) for number, (text, back) in enumerate(pairs, 1) if text != back)


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST]


def _normalized(tokenizer: Tokenizer, character: str) -> str:
    """What the normalizer makes of a character inside a text; empty if it leaves it as it is.

    Between two letters, since the ends of a text are treated differently.
    """
    around, whole = tokenizer.normalize("xx"), tokenizer.normalize(f"x{character}x")
    made = whole[len(around) - 1 : len(whole) - 1].replace("▁", " ")
    if made == character:
        return ""
    return visible(made) if made else "nothing"


def _spaces(text: str) -> Counter[str]:
    """How much white space stands at the beginnings of lines, at their ends and within them."""
    counts = Counter[str]()
    for line in text.split("\n"):
        inside = line.strip()
        begin = len(line) - len(line.lstrip()) if inside else 0
        counts["at the beginning of lines"] += begin
        counts["at the end of lines"] += len(line) - len(inside) - begin
        counts["within lines"] += sum(map(str.isspace, inside))
    return counts


def _example(number: int, text: str, back: str) -> tuple[int, str, str]:
    pairs = enumerate(zip(text, back, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(text), len(back)))
    first = max(0, at - BESIDE)
    cut = slice(first, at + BESIDE)
    dots = "…" if first else ""
    return number, dots + visible(text[cut]), dots + visible(back[cut])


METRIC = Metric(
    name="round_trip",
    title="Documents that come back",
    unit="share",
    better="more",
    definition="The share of documents that are the same after encoding and decoding, to the last "
    "space. The tables say which characters are lost and what the normalizer makes of them, where "
    "white space is lost, and show the first documents that change.",
    formula="documents x with decode(encode(x)) = x / documents. A document loses a character as "
    "often as it has it more often than what comes back",
    source="common; tokenizerbench gives the place of the first difference too",
    misleads="It is a matter of documents: the longer they are, the fewer come back. A model that "
    "only reads may well do without indentation; one that writes code may not.",
    evidence="None needed where text must come back; NFKC and lost spaces are among the most "
    "reported faults of tokenizers.",
    values=_values,
    weight=lambda seen: len(seen.corpus.documents),
    sampled=True,
    details=_details,
)
