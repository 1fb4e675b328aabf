"""Text that imitates a special token.

Rule.    Each special token is written as somebody would who wants it to pass for the real one: in
         full-width characters, in letters of mathematics, in letters of other alphabets, with
         something invisible inside, in other case; and, where none of that passes, as the
         normalizer itself allows: as it writes the token, with a character that it takes away, with
         one that it makes into a part of the token, with the text that a stage replaces by such a
         part. No such text may become the special token, even where special tokens are allowed;
         and where the normalizer turns one into the very characters of the token, a program that
         normalizes first and looks for special tokens then lets it through. Two tokens that are
         different and look alike, one of them special, are told apart by nobody. What looks alike
         is what NFKC and the case of letters make one, and a table of our own (confusables.py):
         that of Unicode has some thousand pairs more.
Cost.    A handful of short encodings for each special token, one look at each token, and what
         the normalizer makes of each character.
Source.  The skeletons of Unicode Technical Standard 39, in a simpler form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from kugiri.check.confusables import BOLD, FOREIGN, WIDE, skeleton
from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject, parts_of, readable
from kugiri.errors import EncodingError
from kugiri.spec import AddedToken, Literally, Replace

_UNSEEN = "\u200b\u00ad\u0301\u200e\u2060\ufeff\U000e0041"
"""What is not seen, or hardly, inside a word."""
_DRAWN = 4
"""Characters that the normalizer takes away which are tried, evenly drawn."""
_SHORTEST = 3
"""Characters of a special token that others are compared with: of fewer, many look alike."""
_LONGEST = 1000
"""Bytes of a token that are compared."""
_PLAIN = re.compile(r"\s+|[^\W_]+:?")
"""What people write: white space, a word, `Human:`."""
_CONTROL = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")


def _imitations(content: str) -> Iterator[str]:
    """Texts that look like a special token and are not."""
    middle = len(content) // 2
    yield content.translate(WIDE)
    for unseen in _UNSEEN:
        yield f"{content[:middle]}{unseen}{content[middle:]}"
    yield content[:middle] + content[middle:].translate(WIDE)
    yield content.translate(BOLD)
    yield content.translate(FOREIGN)
    yield content.swapcase()


def _made(subject: Subject, content: str) -> Iterator[str]:
    """Texts that the normalizer makes a special token of, as far as one step shows."""
    target = subject.normalize(content)
    middle = len(target) // 2
    yield target
    stages = [it for it in parts_of(subject.spec.normalizer) if isinstance(it, Replace)]
    literal = [(it.pattern.text, it.content) for it in stages if isinstance(it.pattern, Literally)]
    gone = [text for text, after in subject.changed.items() if not after]
    gone = gone[:: len(gone) // _DRAWN + 1] + [text for text, after in literal if not after]
    for text in gone:
        yield f"{target[:middle]}{text}{target[middle:]}"
    for after, text in [*subject.sources.items(), *((after, text) for text, after in literal)]:
        if after and after in target:
            yield target.replace(after, text, 1)


def cannot(subject: Subject) -> dict[str, str]:
    """Where there is nothing to imitate."""
    if any(token.special for token in subject.spec.added_tokens):
        return {}
    kinds = ("accepted", "normalized", "twins", "plain", "swallows")
    return dict.fromkeys(kinds, "there are no special tokens")


def find(subject: Subject) -> Found:
    """What passes for a special token."""
    special = [token for token in subject.spec.added_tokens if token.special]
    tried = 0
    for token in special:
        if _PLAIN.fullmatch(token.content):
            yield "plain", Case(readable(token.content), "", token.id)
        if token.lstrip or token.rstrip:
            sides = [side for side in ("before", "behind") if getattr(token, _STRIPS[side])]
            yield "swallows", Case(readable(token.content), f"{' and '.join(sides)} it", token.id)
        for texts in (_imitations(token.content), _made(subject, token.content)):
            passed = list(_passing(subject, token, texts))
            tried += len(passed)
            yield from (it for it in passed if it is not None)
            if any(passed):
                break
    if special and not tried:
        why = "no text that looks like a special token can be encoded, or it is the unknown token"
        yield from (("accepted", why), ("normalized", why))
    yield from _typed(subject)
    yield from _twins(subject)


def _passing(
    subject: Subject, token: AddedToken, texts: Iterable[str]
) -> Iterator[tuple[str, Case] | None]:
    """What each text that can be encoded shows; None where it does not pass for the token."""
    tokenizer = subject.tokenizer
    strings = {token.content for token in subject.spec.added_tokens if token.special}
    for text in dict.fromkeys(texts):
        if text in strings or token.content in text or subject.vocabulary.unknown[token.id]:
            continue
        try:
            ids = tokenizer.encode(text, allowed_special="all")
        except EncodingError:
            continue
        if token.id in ids:
            yield "accepted", Case(readable(text), subject.names(ids), token.id)
        elif token.content in tokenizer.normalize(text):
            yield "normalized", Case(readable(text), readable(token.content), token.id)
        else:
            yield None


def _twins(subject: Subject) -> Found:
    """Tokens that look like a special one, and are another."""
    table = subject.vocabulary
    special: dict[str, str] = {}
    for token in subject.spec.added_tokens:
        if token.special and len(token.content) >= _SHORTEST:
            first = special.setdefault(skeleton(token.content), token.content)
            if first != token.content:
                yield "twins", Case(readable(token.content), readable(first), token.id)
    if not special:
        yield "twins", f"no special token has {_SHORTEST} characters or more"
    starts = {text[:1] for text in special} | {""}
    begin = cache(skeleton)
    for id in np.flatnonzero(table.regular & (table.lengths >= _SHORTEST)).tolist():
        text = table.texts[id][:_LONGEST].decode(errors="ignore")
        if begin(text[:1])[:1] in starts:
            content = special.get(skeleton(text), text)
            if content != text:
                yield "twins", Case(table.name(id), readable(content), id)


def _typed(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Added tokens that are not special, look as if they were, and that anybody may write."""
    added = [
        token
        for token in subject.spec.added_tokens
        if not token.special and _CONTROL.fullmatch(token.content)
    ]
    for token, ids in zip(added, subject.encode(token.content for token in added), strict=True):
        if ids is not None and token.id in ids:
            yield "typed", Case(readable(token.content), "", token.id)


_STRIPS = {"before": "lstrip", "behind": "rstrip"}

CHECK = Check(
    name="lookalike",
    question="Can text that only looks like a special token become one?",
    kinds={
        "accepted": Kind(
            "error",
            "is not the special token, and becomes it where special tokens are allowed",
            "set normalized to false for this token, so that it is looked for in the text itself; "
            "a program that normalizes first still takes it for one (lookalike.normalized)",
        ),
        "normalized": Kind(
            "warning",
            "is turned into the characters of a special token by the normalizer",
            "never normalize text before special tokens are looked for, and never encode what was "
            "decoded with special tokens allowed",
        ),
        "twins": Kind(
            "warning",
            "looks like a special token and is another token: programs and people mistake it",
            "rename one of them; if this one is not needed, take it out of the vocabulary",
        ),
        "plain": Kind(
            "warning",
            "is a special token, and what people write: where special tokens are looked for in all "
            "text, this text becomes it",
            "spell it as no text is (<|…|>), or make it an ordinary token",
        ),
        "typed": Kind(
            "note",
            "looks like a special token and is an ordinary one, which any text may become",
            "nothing, if users may write it; else make it special, or take it out of their text",
        ),
        "swallows": Kind(
            "note",
            "white space beside this special token vanishes",
            "nothing, if the model was trained so; else set lstrip and rstrip to false",
        ),
    },
    find=find,
    cannot=cannot,
)
