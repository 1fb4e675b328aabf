"""Tokens that no text becomes, as far as trying can tell.

Rule.    Each token is looked for in the text that was given, and in what its own text becomes:
         alone, and between neighbours that make it the beginning, the middle or the end of a word,
         some of them drawn from the vocabulary. One that is no whole characters is looked for in
         what every character becomes, alone and beside others, and in its own bytes with what
         completes the characters at its ends. What is found nowhere is called unreachable: for BPE
         without a pre-tokenizer that is certain, since the merges inside a token do not ask what
         stands around it, and a token that no merge makes is not tried at all; elsewhere it is as
         good as the neighbours that were tried. A dictionary cuts by what stands around: there
         nothing is said. Special tokens are not looked for, text never becomes them; nor are single
         bytes, which a vocabulary has so that there is nothing it cannot spell.
Cost.    One encoding of the vocabulary, and a few hundred of what is not found at once, of a
         limited number in all.
Source.  The classes are those of Land and Bartolo, 2024 (arXiv:2405.05417), who decode and encode.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import numpy as np

from kugiri.check.completing import completions, is_text
from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import CONTEXTS, Subject
from kugiri.encoding import Ids
from kugiri.spec import BPE, dictionaries_of

_AROUND = [
    ("", ""), (" ", ""), ("a", ""), ("«", ""), ("", "«"), ("a", "a"), ("あ", "あ"), ("1", "1"),
    (" a", " "), ("\n", "\n"), ("", "\na"), (" ", " a"), ("'", ""), ("\t", ""),
    *(("", tail) for tail in ("ve", "VE", "re", "RE", "ll", "LL")),
]  # fmt: skip
"""Neighbours: none, those of words and of other scripts, white space, tails of contractions."""
_DRAWN = 48
_TRIED = 4_000_000
"""Characters that are tried with drawn neighbours, at most: a broken vocabulary has many tokens."""
_FEW, _MANY = 256, 4096
"""Ways to complete a token that are tried; many, where no few will do."""
_LIKE_SPECIAL = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")


def cannot(subject: Subject) -> dict[str, str]:
    """Where trying cannot tell, and where there is nothing to try."""
    if dictionaries_of(subject.spec.pre_tokenizer):
        why = "a dictionary cuts by what stands around: trying cannot tell"
        return dict.fromkeys(CHECK.kinds, why)
    parts = subject.vocabulary.parts & (subject.vocabulary.lengths > 1)
    return {} if parts.any() else {"part": "no longer token is a part of characters"}


def find(subject: Subject) -> Found:
    """Each token that is found in no text."""
    table = subject.vocabulary
    tokens = {id: text for id, text in _tokens(subject) if id not in subject.used}
    rest = {id: text.decode() for id, text in tokens.items() if is_text(text)}
    parts = tokens.keys() - rest.keys()
    alone = dict(zip(rest, subject.encode(rest.values()), strict=True))
    limit = _Limit()
    never = _never_made(subject)
    tried = {id: text for id, text in rest.items() if id not in never}
    _search(subject, tried, limit)
    for id in (id for id in rest if id in never or id in tried):
        yield (
            _kind(subject, rest[id], alone[id]),
            Case(table.name(id), _told(subject, alone[id]), id),
        )
    for id in sorted(parts - subject.seen):
        if id in never or not _is_completed(subject, id, tokens[id], limit):
            becomes = "" if completions(tokens[id]) else "no text has these bytes"
            yield "part", Case(table.name(id), becomes, id)


def _is_completed(subject: Subject, id: int, data: bytes, limit: _Limit) -> bool:
    """Whether bytes become their token with characters completed at their ends."""
    for most in (_FEW, _MANY):
        texts = completions(data, most)
        if not limit.allows(len(CONTEXTS) * sum(map(len, texts))):
            break
        around = [before + text for before in CONTEXTS for text in texts]
        if any(ids is not None and id in ids for ids in subject.encode(around)):
            return True
    return False


def _never_made(subject: Subject) -> set[int]:
    """Tokens of several symbols that no merge makes, where text becomes nothing but symbols."""
    model = subject.spec.model
    if not isinstance(model, BPE) or model.order != "list" or model.merges is None:
        return set()
    marks = (model.continuing_subword_prefix, model.end_of_word_suffix, model.end_of_word)
    if model.ignore_merges or any(marks):
        return set()
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    size = len if model.unit == "byte" else lambda entry: len(entry.decode(errors="ignore"))
    longer = {id for id, entry in zip(ids, model.vocab, strict=True) if size(entry) > 1}
    added = {token.id for token in subject.spec.added_tokens}
    return longer - added - set(np.unique(model.merges.result).tolist())


class _Limit:
    """How many characters may yet be tried."""

    def __init__(self) -> None:
        self._left = _TRIED

    def allows(self, number: int) -> bool:
        """Whether so many more may be."""
        self._left -= number
        return self._left > 0


def _search(subject: Subject, rest: dict[int, str], limit: _Limit) -> None:
    """Take out the tokens that are found between some neighbours."""
    for before, behind in _AROUND:
        _take(subject, rest, before, behind)
    for neighbour in _neighbours(subject):
        if not rest or not limit.allows(2 * sum(map(len, rest.values()))):
            break
        _take(subject, rest, neighbour, "")
        _take(subject, rest, "", neighbour)


def _take(subject: Subject, rest: dict[int, str], before: str, behind: str) -> None:
    encoded = subject.encode(before + text + behind for text in rest.values())
    for id, ids in zip(list(rest), encoded, strict=True):
        if ids is not None and id in ids:
            del rest[id]


def _neighbours(subject: Subject) -> list[str]:
    """Letters, digits, and words of the vocabulary, evenly drawn: short ones, or of any length."""
    table = subject.vocabulary
    marked = getattr(subject.spec.model, "continuing_subword_prefix", None)
    longest = table.lengths.max(initial=0) if marked else _SHORT
    drawn = []
    for most in dict.fromkeys((_SHORT, int(longest))):
        some = np.flatnonzero(table.regular & (table.lengths > 0) & (table.lengths <= most))
        texts = [table.texts[id] for id in some.tolist()]
        words = [text.decode() for text in texts if is_text(text) and text.decode().isalnum()]
        drawn += words[:: len(words) // _DRAWN + 1]
    return list(dict.fromkeys([*"qxzjvkwQZ7", *drawn, *string.ascii_letters, *string.digits]))


_SHORT = 4
"""Bytes."""


def _kind(subject: Subject, text: str, ids: Ids | None) -> str:
    if _LIKE_SPECIAL.fullmatch(text):
        return "special"
    if ids is not None and (not len(ids) or subject.vocabulary.unknown[ids].any()):
        return "unknown"
    return "other" if ids is not None and len(ids) == 1 else "split"


def _told(subject: Subject, ids: Ids | None) -> str:
    """What a text becomes, in words."""
    if ids is None:
        return "an error"
    return subject.names(ids) if len(ids) else "nothing"


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
            "looks like a special token, is none, and no text that was tried becomes it",
            "add it as a special token if programs ask for it by name; else it is a wasted row",
        ),
        "other": Kind(
            "warning",
            "its text becomes one other token, and no text that was tried becomes it",
            "two tokens for one text: keep the one that is produced, or mend the normalizer that "
            "changes the text",
        ),
        "split": Kind(
            "warning",
            "its text becomes several other tokens, and no text that was tried becomes it",
            "see with `kugiri explain` why: no merges lead to it, the pre-tokenizer cuts it or the "
            "normalizer changes it; if no text of yours has it either, the row is never trained",
        ),
        "unknown": Kind(
            "warning",
            "its text becomes the unknown token, or nothing, and no text that was tried becomes it",
            "see with `kugiri explain` which characters the pre-tokenizer or normalizer takes away",
        ),
        "part": Kind(
            "note",
            "is no whole characters, and no character that was tried becomes it",
            "nothing, unless there are many: such rows are hardly ever trained",
        ),
    },
    find=find,
    cannot=cannot,
)
