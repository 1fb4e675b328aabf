"""Tokens that no text becomes.

Rule.    Each token is looked for in what its own text becomes: alone, and between neighbours that
         make it the beginning, the middle or the end of a word. One that is no whole characters is
         looked for in what every character becomes, alone and beside others, and in its own bytes
         with what completes the characters at its ends. What is found nowhere is called
         unreachable: for BPE without a pre-tokenizer that is certain, since the merges inside a
         token do not ask what stands around it; elsewhere it is as good as the neighbours that
         were tried. Special tokens are not looked for, text never becomes them; nor are single
         bytes, which a vocabulary has so that there is nothing it cannot spell.
Cost.    One encoding of the vocabulary, and a few of what is not found at once.
Source.  The classes are those of Land and Bartolo, 2024 (arXiv:2405.05417), who decode and encode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject, completions, is_text
from kugiri.encoding import Ids

_AROUND = [
    ("", ""), (" ", ""), ("a", ""), ("«", ""), ("", "«"), ("a", "a"), ("あ", "あ"), ("1", "1"),
    (" a", " "), ("\n", "\n"), ("", "\na"), (" ", " a"), ("'", ""), ("\t", ""),
]  # fmt: skip
"""Neighbours: none, those of words and of other scripts, white space before and behind."""
_MOST = 256
"""Ways to complete a token that are tried."""
_LIKE_SPECIAL = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Each token that is found in no text."""
    table = subject.vocabulary
    alone: dict[int, Ids | None] = {}
    tokens = dict(_tokens(subject))
    rest = {id: text.decode() for id, text in tokens.items() if is_text(text)}
    parts = tokens.keys() - rest.keys()
    for before, behind in _AROUND:
        encoded = subject.encode(before + text + behind for text in rest.values())
        if not alone:
            alone = dict(zip(rest, encoded, strict=True))
        found = zip(list(rest), encoded, strict=True)
        for id in [id for id, ids in found if ids is not None and id in ids]:
            del rest[id]
    for id, text in rest.items():
        ids = alone[id]
        becomes = "an error" if ids is None else subject.names(ids)
        case = Case(table.name(id), becomes, id)
        if _LIKE_SPECIAL.fullmatch(text):
            yield "special", case
        else:
            yield ("other" if ids is not None and len(ids) == 1 else "split"), case
    for id in sorted(parts - subject.seen):
        texts = list(islice(completions(tokens[id]), _MOST))
        if not any(ids is not None and id in ids for ids in subject.encode(texts)):
            becomes = "" if texts else "no text has these bytes"
            yield "part", Case(table.name(id), becomes, id)


def _tokens(subject: Subject) -> Iterator[tuple[int, bytes]]:
    """What text could become; of a vocabulary of bytes not the bytes themselves."""
    table = subject.vocabulary
    of_bytes = subject.of_bytes
    for id in np.flatnonzero(table.regular & ~table.unknown & ~table.bytes).tolist():
        text = table.texts[id]
        if text and not (of_bytes and len(text) == 1):
            yield id, text


CHECK = Check(
    name="unreachable",
    question="Is there a text that becomes each token?",
    kinds={
        "special": Kind(
            "warning",
            "looks like a special token, is none, and text never becomes it",
            "add it as a special token if programs ask for it by name; else it is a wasted row",
        ),
        "other": Kind(
            "warning",
            "its text always becomes one other token",
            "two tokens for one text: keep the one that is produced, or mend the normalizer that "
            "changes the text",
        ),
        "split": Kind(
            "warning",
            "its text always becomes several other tokens",
            "no merges lead to it, the pre-tokenizer cuts it or the normalizer changes it: a row "
            "that is never trained; load with ignore_merges if the original does, or prune it",
        ),
        "part": Kind(
            "note",
            "is no whole characters, and no character that was tried becomes it",
            "nothing, unless there are many: such rows are hardly ever trained",
        ),
    },
    find=find,
)
