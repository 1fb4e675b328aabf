"""Characters that nobody sees.

Rule.    Tags, marks of direction, joiners, blanks, selectors and the like carry text past a reader:
         some are needed, none should come as a surprise. Tokens that hold any are listed; those
         that some writing needs where they stand are a kind of their own, and so are those of
         private use, whose look depends on the font. In Japanese a selector behind a kanji says
         which form of a name is meant (葛󠄀城): a normalizer that takes it away changes the name.
         What is needed where is said in unseen.py.
Cost.    One look at each token, and a few hundred short encodings.
Source.  Unicode Technical Standards 37 (ideographic variation sequences) and 39 (security).
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject, readable
from kugiri.check.unseen import CLASSES, PRIVATE, class_of, unseen

_NAMES = ("葛\U000e0100城", "辻\U000e0101", "神\ufe00")
"""Kanji with the selector of a form."""
_JOINED = ("❤\ufe0f", "👩\u200d👧", "می\u200cروم")
"""An emoji with the selector of its look, one that is made of two, and a Persian word."""
_TRIED = 256
"""Characters of a class that are looked for in text, evenly drawn."""
_LONGEST = 1000
"""Characters of a token that are looked at."""


def find(subject: Subject) -> Found:
    """Tokens with something invisible, and what becomes of invisible text."""
    table = subject.vocabulary
    for id, data in enumerate(table.texts):
        if table.regular[id] and not data.isascii():
            text = data.decode(errors="ignore")[:_LONGEST]
            if held := list(unseen(text)):
                yield _kind(held), Case(table.name(id), _told(held), id)
    for name in CLASSES:
        yield from _kept(subject, name)
    names = [(text, after) for text in _NAMES if (after := subject.normalize(text)).strip()]
    if not names:
        yield "form", "the normalizer leaves nothing of the names made for it"
    for text, after in names:
        if text[1] not in after:
            yield "form", Case(readable(text), readable(after))
    for text in _JOINED:
        seen = "".join(it for it in text if class_of(it) is None)
        if text not in (after := subject.normalize(text)) and seen in after:
            yield "joins", Case(readable(text), readable(after))


def _kind(held: list[tuple[str, str, bool]]) -> str:
    if not all(needed for _, _, needed in held):
        return "stray"
    return "private" if any(name == PRIVATE for _, name, _ in held) else "needed"


def _told(held: list[tuple[str, str, bool]]) -> str:
    """The classes, each with the code point of its first character."""
    first = {name: ord(character) for character, name, _ in reversed(held)}
    return ", ".join(f"{name} (U+{first[name]:04X})" for name in sorted(first))


def _kept(subject: Subject, name: str) -> Iterator[tuple[str, Case]]:
    """How many characters of a class come back, and the ids of the first."""
    characters = [
        chr(code) for first, last in CLASSES[name].ranges for code in range(first, last + 1)
    ]
    drawn = characters[:: len(characters) // _TRIED + 1]
    texts = [f"a{character}b" for character in drawn]
    kept = [
        (text, ids)
        for text, ids in zip(texts, subject.encode(texts), strict=True)
        if ids is not None and subject.tokenizer.decode(ids.tolist()) == text
    ]
    if kept:
        text, ids = kept[0]
        share = f"{len(kept):,} of {len(drawn):,} that were tried"
        yield "kept", Case(name, f"{share}: {readable(text)} is {subject.names(ids)}")


CHECK = Check(
    name="invisible",
    question="Which tokens hold characters that nobody sees, and what becomes of them in text?",
    kinds={
        "form": Kind(
            "warning",
            "the selector that says which form of a kanji is meant is taken away: names change",
            "leave U+FE00 to U+FE0F and U+E0100 to U+E01EF behind a kanji as they are",
        ),
        "joins": Kind(
            "warning",
            "a joiner or selector that an emoji or a word needs is taken away: it looks otherwise",
            "leave U+200C, U+200D and U+FE0F as they are",
        ),
        "stray": Kind(
            "warning",
            "holds a character that nobody sees and that no writing needs where it stands",
            "clean such characters out of the training text; the token itself does no harm",
        ),
        "needed": Kind(
            "note",
            "holds an invisible character that some writing needs, as far as the token tells",
            "nothing, if the token is of a script or an emoji that needs it",
        ),
        "private": Kind(
            "note",
            "holds a character of private use: what it shows depends on the font",
            "nothing, or clean signs of fonts out of the training text",
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
