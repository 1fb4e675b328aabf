"""The normalizers of tokenizer.json, each a text rewritten.

Rule.    A character that stays or becomes another keeps its place. One that composes others is
         named as the first of them, and one that is put in as the character before it.
Cost.    A few steps a character.
Source.  tokenizers 0.23.3. Its normal forms and StripAccents are those of Unicode 9.0, Lowercase
         that of 17.0; BertNormalizer classifies by 8.0 and leaves out the ideographs from U+2B820
         to U+2B91F. A replacement is named as the last character of what it replaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from kugiri import spec
from kugiri.reference.alignment import Aligned, Place
from kugiri.reference.byte_alphabet import show_bytes
from kugiri.reference.normal_forms import Change, Form, normal_forms
from kugiri.reference.not_run import not_run
from kugiri.reference.precompiled import rewritten
from kugiri.reference.regex_classes import matches
from kugiri.reference.rules import NMT_DELETED, NMT_SPACES
from kugiri.unicode import NEWEST, WHITE_SPACE, added_after, category, lower_case


class Tables(NamedTuple):
    """The versions of Unicode that the normal forms and StripAccents follow, and BertNormalizer."""

    forms: str
    bert: str


FROZEN, CURRENT = Tables("9.0", "8.0"), Tables(NEWEST, NEWEST)

MARKS_SINCE, MARKS_ONCE = "\U000111c9", "\u1cf2\u1cf3"
"""Marks of the newest Unicode that were others in 9.0, and the other way round."""

NONSPACING_SINCE, NONSPACING_ONCE = "\u1885\u1886\ua9bd\U000111c9", "\u1734\U0001171e"
"""The same for nonspacing marks and 8.0."""

IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
"""Where BertNormalizer sees ideographs, around which it puts spaces."""

_SPACE = re.compile(f"[{WHITE_SPACE}]")
_NMT_SPACES = {*NMT_SPACES, "\u200d"} - {"\u061c"}  # as sentencepiece once had them
_NMT_DELETED = {*map(chr, NMT_DELETED)}


# ── ways to change a text ─────────────────────────────────────────────────────────────────────
def _changed(text: Aligned, changes: Iterable[Change]) -> Aligned:
    """A text of new characters, which take up those of the old one in order."""
    places: list[Place] = []
    taken = 0
    for change in changes:
        sources = text.spans[change.first : change.last + 1]
        own = min(start for start, _ in sources), max(end for _, end in sources)
        if change.more <= 0:
            named = text.named_before(taken + 1)
            taken += 1 - change.more
        else:
            named = text.named_before(taken)
        places.append(Place(change.character, own, named))
    return text.rewritten(places)


def _spelled(text: Aligned, spellings: Iterable[str]) -> Aligned:
    """A text with each character spelled as several."""
    both = zip(spellings, text.places, strict=True)
    return text.rewritten(
        Place(character, own, named) for spelling, (_, own, named) in both for character in spelling
    )


def _shown(text: Aligned, show: Callable[[str], str]) -> Aligned:
    """A text with each character shown as another."""
    return replace(text, text="".join(map(show, text.text)))


def _kept(text: Aligned, keep: Callable[[str], bool]) -> Aligned:
    """A text without some characters."""
    return text.rewritten(place for place in text.places if keep(place.character))


# ── the normalizers ───────────────────────────────────────────────────────────────────────────
def _normal_form(form: Form, text: Aligned, version: str) -> Aligned:
    return _changed(text, normal_forms(version).changes(form, text.text))


def _lowered(text: Aligned) -> Aligned:
    """Each character in lower case; that of İ is two."""
    lower = ((lower_case().get(c, c) + "\u0307" * (c == "İ")) for c in text.text)
    return _spelled(text, lower)


def _without_accents(text: Aligned, version: str) -> Aligned:
    return _kept(text, lambda character: not _is_mark(character, version))


def _as_nmt(text: Aligned) -> Aligned:
    kept = _kept(text, lambda character: character not in _NMT_DELETED)
    return _shown(kept, lambda character: " " if character in _NMT_SPACES else character)


def _prepended(text: Aligned, prepend: str) -> Aligned:
    """A text with a string before it; put before nothing, the first character has no neighbour."""
    if not len(text):
        return text
    first, *others = text.places
    if not prepend:
        return text.rewritten([first._replace(named=text.named_before(0)), *others])
    added = (Place(character, text.begin(0), first.named) for character in prepend)
    return text.rewritten([*added, first, *others])


def _stripped(text: Aligned, strip: spec.Strip) -> Aligned:
    start, end = 0, len(text)
    while strip.strip_left and start < end and _SPACE.match(text.text[start]):
        start += 1
    while strip.strip_right and start < end and _SPACE.match(text.text[end - 1]):
        end -= 1
    return text.rewritten(text.places[start:end])


def _replaced(text: Aligned, pattern: spec.Pattern, content: str) -> Aligned:
    """A text with each match replaced, if only an empty one; it is named as what it ends with."""
    if not len(text):
        return text
    before = text.places
    places: list[Place] = []
    done = 0
    for start, end in matches(pattern, text.text):
        own = text[start:end].span if start < end else text.begin(start)
        places += before[done:start]
        places += [Place(character, own, text.named_before(end)) for character in content]
        done = end
    return text.rewritten(places + before[done:])


def _bert(text: Aligned, bert: spec.BertNormalizer, version: Tables) -> Aligned:
    """Clean, part ideographs, strip accents, lower-case: each if asked for."""
    if bert.clean_text:
        text = _kept(text, lambda character: not _is_unclean(character, version.bert))
        text = _shown(text, lambda character: " " if _SPACE.match(character) else character)
    if bert.handle_chinese_chars:
        text = _spaced(text)
    if bert.lowercase if bert.strip_accents is None else bert.strip_accents:
        text = _normal_form("NFD", text, version.forms)
        text = _kept(text, lambda character: not _is_nonspacing(character, version.bert))
    return _lowered(text) if bert.lowercase else text


def _spaced(text: Aligned) -> Aligned:
    """A text with a space on both sides of each ideograph."""
    places: list[Place] = []
    for at, place in enumerate(text.places):
        if _is_ideograph(place.character):
            before, behind = (Place(" ", text.begin(side), place.named) for side in (at, at + 1))
            places += [before, place, behind]
        else:
            places.append(place)
    return text.rewritten(places)


# ── kinds of characters ───────────────────────────────────────────────────────────────────────
def _is_mark(character: str, version: str) -> bool:
    if version != NEWEST and character in MARKS_SINCE + MARKS_ONCE:
        return character in MARKS_ONCE
    return category(character, NEWEST)[0] == "M" and character not in added_after(version)


def _is_nonspacing(character: str, version: str) -> bool:
    if version != NEWEST and character in NONSPACING_SINCE + NONSPACING_ONCE:
        return character in NONSPACING_ONCE
    return category(character, NEWEST) == "Mn" and character not in added_after(version)


def _is_ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in IDEOGRAPHS)


def _is_unclean(character: str, version: str) -> bool:
    """Whether BertNormalizer takes it out: the unknown, and what is neither text nor space."""
    if character in "\0\ufffd\t\n\r":
        return character in "\0\ufffd"
    kind = category(character, NEWEST)
    return kind in ("Cc", "Cf", "Co") and character not in added_after(version)


# ── the one asked for ─────────────────────────────────────────────────────────────────────────
FORMS: dict[type[spec.Normalizer], Form] = {
    spec.NFC: "NFC",
    spec.NFD: "NFD",
    spec.NFKC: "NFKC",
    spec.NFKD: "NFKD",
}
BY_CHARACTER: dict[type[spec.Normalizer], Callable[[Aligned], Aligned]] = {
    spec.Lowercase: _lowered,
    spec.Nmt: _as_nmt,
    spec.ByteLevelNormalizer: show_bytes,
}


def rewrite(text: Aligned, normalizer: spec.Normalizer, version: Tables = FROZEN) -> Aligned:
    """Rewrite a text by one normalizer.

    Raises:
        OptionError: one that this engine does not run.

    Example:
        >>> rewrite(Aligned.of("ｶﾞ①"), spec.NFKC())
        Aligned(text='ガ1', spans=((0, 6), (6, 9)), end=9)
    """
    match normalizer:
        case spec.Strip():
            return _stripped(text, normalizer)
        case spec.Prepend():
            return _prepended(text, normalizer.prepend)
        case spec.Replace(pattern, content):
            return _replaced(text, pattern, content)
        case spec.BertNormalizer():
            return _bert(text, normalizer, version)
        case spec.Precompiled(blob):
            return _changed(text, rewritten(text.text, blob))
        case spec.StripAccents():
            return _without_accents(text, version.forms)
        case _ if type(normalizer) in FORMS:
            return _normal_form(FORMS[type(normalizer)], text, version.forms)
        case _ if type(normalizer) in BY_CHARACTER:
            return BY_CHARACTER[type(normalizer)](text)
        case _:
            raise not_run("normalizer", normalizer)
