"""Text that imitates a special token.

Rule.    Each special token is written as somebody would who wants it to pass for the real one: in
         full-width characters, with something invisible inside, with spaces around it, in other
         case. No such text may become the special token, even where special tokens are allowed;
         and where the normalizer turns one into the very characters of the token, a program that
         normalizes first and looks for special tokens then lets it through.
Cost.    A handful of short encodings for each special token.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject, readable
from kugiri.errors import EncodingError

_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}


def _imitations(content: str) -> Iterator[str]:
    """Texts that look like a special token and are not."""
    middle = len(content) // 2
    yield content.translate(_WIDE)
    yield f"{content[:middle]}\u200b{content[middle:]}"
    yield f"{content[:middle]}\u00ad{content[middle:]}"
    yield content[:middle] + content[middle:].translate(_WIDE)
    yield content.swapcase()


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """What passes for a special token."""
    tokenizer = subject.tokenizer
    special = [token for token in subject.spec.added_tokens if token.special]
    strings = {token.content for token in special}
    for token in special:
        if token.lstrip or token.rstrip:
            sides = [side for side in ("before", "behind") if getattr(token, _STRIPS[side])]
            yield "swallows", Case(readable(token.content), f"{' and '.join(sides)} it", token.id)
        for text in dict.fromkeys(_imitations(token.content)):
            if text in strings:
                continue
            try:
                ids = tokenizer.encode(text, allowed_special="all")
            except EncodingError:
                continue
            if token.id in ids:
                yield "accepted", Case(readable(text), subject.names(ids), token.id)
            elif token.content in tokenizer.normalize(text):
                yield "normalized", Case(readable(text), readable(token.content), token.id)


_STRIPS = {"before": "lstrip", "behind": "rstrip"}

CHECK = Check(
    name="lookalike",
    question="Can text that only looks like a special token become one?",
    kinds={
        "accepted": Kind(
            "error",
            "is not the special token, and becomes it where special tokens are allowed",
            "set normalized to false for this token, so that it is looked for in the text itself",
        ),
        "normalized": Kind(
            "warning",
            "is turned into the characters of a special token by the normalizer",
            "never normalize text before special tokens are looked for, and never encode what was "
            "decoded with special tokens allowed",
        ),
        "swallows": Kind(
            "note",
            "white space beside this special token vanishes",
            "nothing, if the model was trained so; else set lstrip and rstrip to false",
        ),
    },
    find=find,
)
