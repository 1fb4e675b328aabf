"""Characters that nobody sees.

Rule.    Tags, marks of direction, joiners, fillers, selectors and the like carry text past a
         reader: some are needed, none should come as a surprise. Tokens that hold any are listed;
         those that some writing needs, joiners and selectors, are a kind of their own. In Japanese
         a selector behind a kanji says which form of a name is meant (葛󠄀城): a normalizer that
         takes it away changes the name.
Cost.    One look at each token, and an encoding of each class.
Source.  Unicode Technical Standards 37 (ideographic variation sequences) and 39 (security).
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject, readable

CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "tags": ((0xE0000, 0xE007F),),
    "marks of direction": (
        (0x202A, 0x202E), (0x2066, 0x2069), (0x200E, 0x200F), (0x61C, 0x61C),
    ),
    "zero-width spaces and joiners": (
        (0x200B, 0x200D), (0x2060, 0x2060), (0xFEFF, 0xFEFF), (0xAD, 0xAD), (0x34F, 0x34F),
        (0x180E, 0x180E),
    ),
    "fillers": ((0x115F, 0x1160), (0x3164, 0x3164), (0xFFA0, 0xFFA0)),
    "variation selectors": ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF)),
    "marks of annotation": ((0xFFF9, 0xFFFB),),
    "noncharacters": ((0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF)),
}  # fmt: skip
"""What cannot be seen, by what it is for."""
_OF = {
    code: name
    for name, ranges in CLASSES.items()
    for first, last in ranges
    for code in range(first, last + 1)
}
_STEERING = ("tags", "marks of direction", "marks of annotation", "noncharacters", "fillers")
"""Classes that no word needs."""
_NAMES = ("葛\U000e0100城", "辻\U000e0101", "神\ufe00")
"""Kanji with the selector of a form."""


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Tokens with something invisible, and what becomes of invisible text."""
    table = subject.vocabulary
    for id, data in enumerate(table.texts):
        held = {_OF[ord(it)] for it in data.decode(errors="ignore") if ord(it) in _OF}
        if held and table.regular[id]:
            kind = "steering" if held & set(_STEERING) else "joining"
            yield kind, Case(table.name(id), ", ".join(sorted(held)), id)
    for name, ranges in CLASSES.items():
        character = chr(ranges[0][0])
        text = f"a{character}b"
        (ids,) = subject.encode([text])
        if ids is None:
            continue
        if text == subject.tokenizer.decode(ids.tolist()):
            yield "kept", Case(name, f"{readable(text)} is {subject.names(ids)}")
    for text in _NAMES:
        after = subject.normalize(text)
        if after.strip() and text[1] not in after:
            yield "form", Case(readable(text), readable(after))


CHECK = Check(
    name="invisible",
    question="Which tokens hold characters that nobody sees, and what becomes of them in text?",
    kinds={
        "form": Kind(
            "warning",
            "the selector that says which form of a kanji is meant is taken away: names change",
            "leave U+FE00 to U+FE0F and U+E0100 to U+E01EF behind a kanji as they are",
        ),
        "steering": Kind(
            "warning",
            "holds a character that no word needs and that can hide or turn round text",
            "clean such characters out of the training text; the token itself does no harm",
        ),
        "joining": Kind(
            "note",
            "holds an invisible character that some writing needs",
            "nothing, if the token is of a script or an emoji that needs it",
        ),
        "kept": Kind(
            "note",
            "text may hold these: the model gets what the reader cannot see",
            "take them out of what users send where that matters; not with the tokenizer, which "
            "must give back what it was given",
        ),
    },
    find=find,
)
