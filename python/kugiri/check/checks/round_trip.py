"""Whether text comes back.

Rule.    Texts are encoded and decoded: kanji of names and signs that many vocabularies lack, what
         came as a corpus, and random ones of every script; so those that a reader knows are shown
         first. A
         text that comes back otherwise has lost characters to the unknown token, has been changed
         by the normalizer, was taken apart by a pre-tokenizer that drops white space, or has a
         sign that the vocabulary uses for itself; an added token that is no special one may
         take the white space beside it out of ordinary text; or it comes back as something else
         without such a reason, which is an error. A decoder that gets ids one by one must come
         to the same text.
Cost.    Two passes over the texts.
"""

from __future__ import annotations

import re
from itertools import islice

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.remedies import keep_characters, know_unknown
from kugiri.check.subject import Subject, readable
from kugiri.random_texts import random_texts

_RANDOM = 300
_DOCUMENTS = 1000
_STREAMED = 100
_BEFORE = 8
"""Characters of a text that are shown before it differs."""
_RARE = ("鷗", "髙", "﨑", "𠮟", "①", "㈱", "〜")
"""What Japanese names and texts have, and small vocabularies do not."""
_SIGNS = ("a▁b", "<0x41>", "a ##b", "a</w>b", "aĠb", "a@@ b")
"""What vocabularies write for a space, a byte, and the ends of words, as text has it."""
_SIGN = re.compile("▁|<0x[0-9A-F]{2}>|##|</w>|Ġ|@@")


def find(subject: Subject) -> Found:
    """Each text that does not come back, and why."""
    tokenizer = subject.tokenizer
    yield from _swallowed(subject)
    texts = _texts(subject)
    step = len(texts) // _STREAMED + 1
    for number, (text, ids) in enumerate(zip(texts, subject.encode(texts), strict=True)):
        if ids is None:
            if text not in _SIGNS:
                yield "refused", Case(readable(text))
            continue
        back = tokenizer.decode(ids.tolist())
        if back != text:
            unknown = bool(subject.vocabulary.unknown[ids].any())
            kind = "lost" if unknown else _kind(subject, text, back)
            if text not in _SIGNS or kind == "signs":
                before, after = _differing(text, back)
                yield kind, Case(readable(before), readable(after))
        if number % step == 0:
            stream = tokenizer.decoder()
            whole = "".join(stream.feed(id) for id in ids.tolist()) + stream.finish()
            if whole != back:
                yield "streamed", Case(readable(back), readable(whole))


def _texts(subject: Subject) -> list[str]:
    """What is tried; what a reader knows comes first, noise last."""
    return [
        *_RARE,
        *(text[:_LONGEST] for text in islice(subject.documents, _DOCUMENTS)),
        *_SIGNS,
        *(text[:_LONGEST] for text in random_texts(0, _RANDOM, (subject.tokenizer,))),
    ]


def _number(subject: Subject) -> int:
    return len(_texts(subject))


def _swallowed(subject: Subject) -> Found:
    """Added tokens that take white space out of text, where it comes back otherwise."""
    added = [it for it in subject.spec.added_tokens if not it.special and (it.lstrip or it.rstrip)]
    texts = ["a b", *(f"a {token.content} b" for token in added)]
    plain, *rest = subject.encode(texts)
    if plain is None or subject.tokenizer.decode(plain.tolist()) != "a b":
        return
    for token, text, ids in zip(added, texts[1:], rest, strict=True):
        if ids is not None and (back := subject.tokenizer.decode(ids.tolist())) != text:
            yield "swallowed", Case(readable(text), readable(back), token.id)


def _differing(text: str, back: str) -> tuple[str, str]:
    """Where two texts differ first, with some of what is common before it and all behind it."""
    pairs = enumerate(zip(text, back, strict=False))
    same = next((at for at, (it, other) in pairs if it != other), min(len(text), len(back)))
    cut = max(0, same - _BEFORE)
    return text[cut:], back[cut:]


def _kind(subject: Subject, text: str, back: str) -> str:
    """Why a text without unknown tokens comes back otherwise."""
    if not subject.missing_bytes.isdisjoint(text.encode()):
        return "lost"
    normalized = subject.normalize(text)
    if normalized != text and "".join(back.split()) == "".join(normalized.split()):
        return "normalized"
    if "".join(text.split()) == "".join(back.split()):
        return "spaces"
    if subject.drops_unknown:
        return "lost"
    return "signs" if _SIGN.search(text) else "changed"


_LONGEST = 2000
"""Characters of a document that are looked at."""

CHECK = Check(
    name="round-trip",
    question="Does text come back when its ids are decoded?",
    kinds={
        "changed": Kind(
            "error",
            "comes back as another text, for no reason that the file gives",
            "look at `kugiri explain` for this text; mend the decoder, or report it",
            _number,
        ),
        "streamed": Kind(
            "error",
            "comes back otherwise when ids are decoded one by one",
            "report it: this is a fault of kugiri",
        ),
        "refused": Kind(
            "warning",
            "has a character without an id, and there is no unknown token: encoding is an error",
            know_unknown,
            _number,
        ),
        "lost": Kind(
            "warning",
            "characters become the unknown token, or nothing, and are lost",
            keep_characters,
            _number,
        ),
        "swallowed": Kind(
            "warning",
            "white space beside an added token vanishes, wherever it stands",
            "set lstrip and rstrip of the token to false; or make it special, if no text has it",
        ),
        "spaces": Kind(
            "note",
            "white space comes back otherwise",
            "nothing, if nothing is generated with this tokenizer; else use a pre-tokenizer that "
            "keeps white space",
            _number,
        ),
        "signs": Kind(
            "note",
            "text with a sign that the vocabulary uses for itself comes back otherwise",
            "nothing, unless such text (▁, <0x41>, ##) has to come back",
            _number,
        ),
        "normalized": Kind(
            "note",
            "comes back as the normalizer has made it",
            "nothing, if that is meant (see the check `normalizer`)",
            _number,
        ),
    },
    find=find,
)
