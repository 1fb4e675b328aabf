"""Tokens that tell where the vocabulary comes from.

Rule.    A token that reads like an address, a key or a telephone number, and one that comes in a
         single document of the text and there often: a name, a key, boilerplate that was repeated.
         Whoever has the vocabulary knows that it stood in the training text.
Cost.    One look at each token; an encoding of the text.
Source.  Vocabularies as a witness of their training text: Hayase et al., 2024 (arXiv:2407.16607);
         Tong et al., 2025 (arXiv:2510.05699).
"""

from __future__ import annotations

import re

import numpy as np

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject

_LOOKS = {
    "an address of mail": re.compile(r"[\w.+-]+@[\w-]+\.\w{2,}"),
    "a web address": re.compile(r"https?://\S{4,}|www\.\S{4,}"),
    "a number of a network": re.compile(r"(?<!\d)\d{1,3}(\.\d{1,3}){3}(?!\d)"),
    "a telephone number": re.compile(r"(?<!\d)0\d{1,4}-\d{1,4}-\d{4}(?!\d)|\+\d{2,3}[ -]?\d{6,}"),
    "a key": re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9+/_-]{20,}={0,2}|[0-9a-f]{16,}"),
    "a long number": re.compile(r"(?<!\d)\d{9,}(?!\d)"),
}
_CHARACTERS = 4
"""What is shorter tells nothing."""
_LONGEST = 1000
"""Bytes of a token that are looked at."""
_OFTEN = 5
"""Times that a token of one document comes there, at least."""
_DOCUMENTS = 20
"""Fewer say nothing."""


def cannot(subject: Subject) -> dict[str, str]:
    """Of few documents, a token that is in one of them tells nothing."""
    number = len(subject.documents)
    if number < _DOCUMENTS:
        few = f"{number} document{'s' if number > 1 else ''}"
        return {"document": f"the corpus has {few}; with fewer than {_DOCUMENTS} it cannot tell"}
    return {}


def find(subject: Subject) -> Found:
    """Each token that looks like what is nobody's business, and each of one document."""
    table = subject.vocabulary
    for id in np.flatnonzero(table.regular & (table.lengths >= _CHARACTERS)).tolist():
        text = table.texts[id][:_LONGEST].decode(errors="ignore")
        if len(set(text)) > 2:
            for what, pattern in _LOOKS.items():
                if pattern.search(text):
                    yield "looks", Case(table.name(id), what, id)
                    break
    if len(subject.documents) >= _DOCUMENTS:
        yield from _of_one_document(subject)


def _of_one_document(subject: Subject) -> Found:
    table = subject.vocabulary
    counts = np.zeros(len(table), np.int64)
    documents = np.zeros(len(table), np.int64)
    last = np.zeros(len(table), np.int64)
    for number, ids in enumerate(subject.encoded_documents, 1):
        found, times = np.unique(ids, return_counts=True)
        counts[found] += times
        documents[found] += 1
        last[found] = number
    if not counts.any():
        yield "document", "every document has a character without an id"
    candidates = (documents == 1) & (counts >= _OFTEN) & table.regular
    for id in np.flatnonzero(candidates).tolist():
        if len(table.texts[id].decode(errors="ignore").strip()) >= _CHARACTERS:
            yield (
                "document",
                Case(
                    table.name(id),
                    f"{counts[id]:,} times in document {last[id]:,}, in no other",
                    id,
                ),
            )


CHECK = Check(
    name="leak",
    question="Which tokens tell what stood in the training text?",
    kinds={
        "looks": Kind(
            "note",
            "reads like an address, a key or a number that may belong to somebody",
            "see whose it is: many are constants, examples or names of programs; if it is "
            "somebody's, clean the training text and train anew, or remove the token",
        ),
        "document": Kind(
            "warning",
            "comes in one document alone (a line, where lines are documents), and there often",
            "count words in how many documents they are, or take repeated text out before training",
        ),
    },
    find=find,
    of_corpus=("document",),
    cannot=cannot,
)
