"""Whether the vocabulary is whole.

Rule.    What a file may lack and still be loaded: ids between others, bytes in a vocabulary of
         bytes, a way to say the unknown, special tokens. What is worse, entries that are there
         twice among them, is refused when the file is loaded.
Cost.    One look at each token, and some 15,000 encodings of characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from kugiri.check.completing import completions
from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.remedies import know_unknown, missing_bytes
from kugiri.check.subject import Subject
from kugiri.reference.vocab import byte_of


def cannot(subject: Subject) -> dict[str, str]:
    """Only some vocabularies are to have all bytes."""
    if _should_have_bytes(subject):
        return {}
    return {"byte": "neither is the vocabulary one of bytes nor has it byte fallback"}


def _should_have_bytes(subject: Subject) -> bool:
    """Whether a model says that any text can be written."""
    falls_back = getattr(subject.spec.model, "byte_fallback", False)
    return subject.of_bytes or falls_back or bool(subject.vocabulary.bytes.any())


def find(subject: Subject) -> Found:
    """What is missing."""
    for first, last in _gaps(subject):
        if first == last:
            yield "gap", Case(f"id {first}", "a row that stands for nothing")
        else:
            rows = f"{last - first + 1:,} rows that stand for nothing"
            yield "gap", Case(f"ids {first} to {last}", rows)
    yield from _missing(subject)
    if not subject.tokenizer.special_tokens:
        yield "special", Case(f"{len(subject.vocabulary):,} tokens, none of them special")
    if dropout := getattr(subject.spec.model, "dropout", None):
        yield "random", Case(f"dropout {dropout}")
    for name in ("truncation", "padding"):
        if getattr(subject.spec, name) is not None:
            yield "limits", Case(name)
    if twice := _put_twice(subject):
        yield "twice", Case(subject.names(twice))


def _put_twice(subject: Subject) -> list[int]:
    """A special token that the post-processor puts beside itself."""
    special = set(subject.tokenizer.special_tokens.values())
    for text, own in zip(_WORDS, subject.encode(_WORDS), strict=True):
        if own is not None and len(own):  # beside no text, all stand together
            ids = subject.tokenizer.encode(text, add_special_tokens=True)
            for pair in pairwise(ids):
                if pair[0] == pair[1] and pair[0] in special - set(own.tolist()):
                    return list(pair)
    return []


_WORDS = ("a", "猫", "1")


def _missing(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Bytes that have no token, where all should, and whether nothing stands for the unknown."""
    table = subject.vocabulary
    if subject.drops_unknown:
        yield "unknown", Case("no unknown token, no bytes")
    if not _should_have_bytes(subject):
        number = sum(byte_of(entry) is not None for entry in subject.spec.model.vocab)
        if number >= _MANY and hasattr(subject.spec.model, "byte_fallback"):
            yield "unset", Case(f"{number} entries like <0x41>", "byte_fallback is off")
        return
    single = table.lengths == 1 if subject.of_bytes else table.bytes
    there = {table.texts[id] for id in np.flatnonzero(single).tolist()}
    for byte in sorted(set(range(256)) - _NEVER):
        missing = bytes([byte]) not in there
        if any(_fails(subject, text, missing) for text in _texts_of(byte)):
            yield "byte", Case(f"<{byte:02x}>")


_MANY = 128
"""Entries that are spelled as bytes by chance are fewer."""
_NEVER = {0xC0, 0xC1, *range(0xF5, 0x100)}
"""Bytes that no text has."""


def _texts_of(byte: int) -> list[str]:
    """Some texts with a byte, which is the first or the last of them."""
    return completions(bytes([byte]))


def _fails(subject: Subject, text: str, missing: bool) -> bool:
    """Whether a text with a byte is refused or loses it."""
    (ids,) = subject.encode([text])
    if ids is None or subject.vocabulary.unknown[ids].any():
        return True
    if not len(ids):  # a pre-tokenizer may drop white space
        return missing and not text.isspace()
    return missing and "\ufffd" in subject.tokenizer.decode(ids.tolist())


def _gaps(subject: Subject) -> Iterator[tuple[int, int]]:
    """First and last of each stretch of ids that stand for nothing."""
    there = np.concatenate([[True], subject.vocabulary.there, [True]])
    edges = np.flatnonzero(np.diff(there.astype(np.int8)))
    for start, end in edges.reshape(-1, 2).tolist():
        yield start, end - 1


CHECK = Check(
    name="soundness",
    question="Is the vocabulary whole?",
    kinds={
        "byte": Kind(
            "error",
            "this byte has no token, or none for where it stands: text with it cannot be written",
            missing_bytes,
        ),
        "unknown": Kind(
            "warning",
            "a character that is not in the vocabulary vanishes, or encoding it is an error",
            know_unknown,
        ),
        "unset": Kind(
            "warning",
            "bytes are there to write unknown characters with, and never used",
            "set byte_fallback to true in the model, or take these entries out",
        ),
        "twice": Kind(
            "warning",
            "the post-processor puts this token twice side by side: a model has never seen that",
            "take one out of the post-processor (TemplateProcessing)",
        ),
        "random": Kind(
            "warning",
            "the file asks for dropout, which is for training: libraries that apply it give other "
            "ids each time (kugiri does not)",
            "set dropout to null in the model",
        ),
        "limits": Kind(
            "note",
            "the file asks for this of every text: libraries that apply it cut text or add to it "
            "(kugiri does so in model_inputs alone, if asked)",
            "nothing, if it is meant; else set it to null",
        ),
        "gap": Kind(
            "note",
            "ids between others stand for nothing",
            "nothing, if they are kept for later; decoding one of them is an error",
        ),
        "special": Kind(
            "note",
            "there is no special token: nothing tells a model where a text begins and ends",
            "add those that your model needs: the begin, the end, padding (special_tokens)",
        ),
    },
    find=find,
    cannot=cannot,
)
