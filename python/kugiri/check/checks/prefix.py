"""How ids change as a text goes on.

Rule.    A text is cut behind each of its characters. Ids of what stands before the cut that are not
         the first ids of the whole text are what changes when the text goes on. How often this is
         so, and how far back it reaches, is said for short texts made for it and for stretches of
         the text that was given: of all cuts, and of those behind a line or a sentence, where
         prompts end. Nearly every tokenizer changes the word at the cut. Where an id changes that
         belongs to neither the last pre-token of the beginning nor the pre-token of the whole that
         the cut is in, nothing that was sent is safe.
Cost.    The square of the length of each text, which is short: some 2 MB are encoded.
Source.  What a prompt that ends within a token does to a model: Vieira et al., 2024
         (arXiv:2412.03719); prompts that heal: `Tokenizer.heal`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject, readable
from kugiri.encoding import Ids, Span

_OWN = (
    "彼は「東京へ行く。」と言った。葛\U000e0100城市は奈良県だ。\n\n",
    "が と か\u3099、プログラミング言語。ﾃｽﾄです！\n次の行",
    "I don't know. We've seen 1234567 of them,   and they'll  stay!\n",
    "Internationalization isn't hard.\n\nYou're NOT done: 3.14, 2,000,000 or 1e-5?  Go on",
    "def f(x):\n    if x == 10000000:\n\n        return [x, -1.5e10]  # done\r\n\treturn None\n\n",
    "今天天气很好。我们去公园吧！ 한국어는 조사가 있다. 좋아요.\n",
    "ภาษาไทยไม่มีวรรค हिन्दी में संयुक्त अक्षर। العربية لغة جميلة. עברית.\n",
    "e\u0301te\u0301 ΣΑΣ ΣΑΣ. ﬁn 👩‍👩‍👧‍👦 ❤️ 🇯🇵🇫🇷 https://example.org/a_b-c?d=1 ...\n",
)  # fmt: skip
"""Texts made for it: contractions, numbers, spaces, marks, scripts without spaces."""
_LENGTH = 160
"""Characters of a stretch."""
_STRETCHES = 100
_END = re.compile(r"[.!?]+[”\"')]*(?=\s)|[。！？।]+[」』）]*|\n")
"""A line or a sentence."""
_SHOWN = 20
"""Characters before a cut that are shown."""


@dataclass(frozen=True)
class _Change:
    """What becomes of ids behind a cut.

    Attributes:
        characters: from the first id that changes to the cut.
        before: the ids that change.
        after: those that the whole text has in their place.
        far: whether it reaches over a pre-token.
        text: what stands before the cut.
    """

    characters: int
    before: list[int]
    after: list[int]
    far: bool
    text: str


def cannot(subject: Subject) -> dict[str, str]:
    """Texts with characters that have no id tell nothing."""
    texts = [*_OWN, *_stretches(subject.documents)]
    if all(ids is None for ids in subject.encode(texts)):
        return dict.fromkeys(CHECK.kinds, "no text made for it has an id for each character")
    return {}


def find(subject: Subject) -> Found:
    """How often ids change, and what changes furthest back."""
    tried = 0
    for name, texts in (("texts made for it", _OWN), ("the text", _stretches(subject.documents))):
        changes: dict[str, list[_Change]] = {"characters": [], "ends": []}
        cuts = dict.fromkeys(changes, 0)
        for text in texts:
            ends = {match.end() for match in _END.finditer(text)}
            for cut, change in _cuts(subject, text):
                for kind in ("characters", "ends") if cut in ends else ("characters",):
                    cuts[kind] += 1
                    changes[kind] += [] if change is None else [change]
        for kind, some in changes.items():
            if some:
                share = f"{len(some):,} of {cuts[kind]:,} cuts in {name}, "
                yield kind, Case(f"{share}{len(some) / cuts[kind]:.1%}", _worst(subject, some))
        yield from _far(subject, changes["characters"])
        tried += cuts["ends"]
    if not tried:
        yield "ends", "no text with a line or sentence has an id for each character"


def _stretches(documents: Sequence[str]) -> list[str]:
    """Stretches of the documents, evenly drawn."""
    starts = [(number, at) for number, text in enumerate(documents) for at in _starts(text)]
    drawn = starts[:: len(starts) // _STRETCHES + 1]
    return [documents[number][at : at + _LENGTH] for number, at in drawn]


def _starts(text: str) -> range:
    return range(0, len(text), _LENGTH)


def _cuts(subject: Subject, text: str) -> Iterator[tuple[int, _Change | None]]:
    """Each cut of a text, with the change behind it, if there is one."""
    (whole,) = subject.encode([text])
    if whole is None:
        return
    cuts = range(1, len(text))
    spans = subject.tokenizer.encode_with_offsets(text).covering_spans
    words = [span for _, span in subject.tokenizer.pre_tokenize(text)]
    for cut, ids in zip(cuts, subject.encode(text[:cut] for cut in cuts), strict=True):
        if ids is not None:
            yield cut, _change(subject, text, whole, spans, words, cut, ids)


def _change(
    subject: Subject,
    text: str,
    whole: Ids,
    spans: list[Span],
    words: list[Span],
    cut: int,
    ids: Ids,
) -> _Change | None:
    shorter = min(len(ids), len(whole))
    other = np.flatnonzero(ids[:shorter] != whole[:shorter])
    same = int(other[0]) if len(other) else shorter
    if same == len(ids):
        return None
    start = min(spans[same][0], cut) if same < len(spans) else cut
    until = next((at for at in range(same, len(spans)) if spans[at][1] >= cut), len(spans) - 1)
    return _Change(
        characters=cut - start,
        before=ids[same:].tolist(),
        after=whole[same : until + 1].tolist(),
        far=_is_far(subject, text[:cut], words, start),
        text=text[max(0, cut - _SHOWN) : cut],
    )


def _is_far(subject: Subject, before: str, words: list[Span], start: int) -> bool:
    """Whether a place lies before the word at the end, in the beginning and in the whole."""
    at = next((word[0] for word in words if word[1] >= len(before)), len(before))
    if start >= at:
        return False
    last = subject.tokenizer.pre_tokenize(before)[-1:]
    return all(start < span[0] for _, span in last)


def _worst(subject: Subject, changes: list[_Change]) -> str:
    """The change that reaches furthest back, in words."""
    worst = max(changes, key=lambda it: (it.characters, len(it.before)))
    unit = "character" if worst.characters == 1 else "characters"
    return f"{worst.characters} {unit} back at most: {_told(subject, worst)}"


def _told(subject: Subject, change: _Change) -> str:
    return f"{subject.names(change.before)}, then {subject.names(change.after) or 'nothing'}"


def _far(subject: Subject, changes: list[_Change]) -> Iterator[tuple[str, Case]]:
    """Each change that reaches over a word, the same text once."""
    for change in {it.text: it for it in changes if it.far}.values():
        yield "far", Case(readable(change.text), _told(subject, change))


CHECK = Check(
    name="prefix",
    question="Do the ids of a beginning stay as the text goes on?",
    kinds={
        "far": Kind(
            "warning",
            "behind this, ids further back than the last word change as the text goes on",
            "cut by what stands before, not by what comes: no look-ahead over more than a "
            "character, digits grouped from the left, no dictionary; or encode whole texts only",
        ),
        "ends": Kind(
            "note",
            "behind lines and sentences, ids change as the text goes on",
            "end a prompt where the model is to go on without what ends it (a space, a line end), "
            "or take back the last tokens with Tokenizer.heal",
        ),
        "characters": Kind(
            "note",
            "between characters, ids change as the text goes on",
            "nothing: the last word is not yet whole. Encode a growing text anew from its last "
            "word, and count the tokens of the whole, not of its parts",
        ),
    },
    find=find,
    cannot=cannot,
)
