"""What a reader must know before comparing: found in the texts and the tokenizers, not guessed.

Rule.    Each is a sentence that names the corpus and the tokenizer, and what to do. Scripts and
         documents that do not come back are counted on all that the metrics look at: the sample,
         which is the corpus where that is small. So a note and a metric never disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from kugiri.measure.characters import occurrences
from kugiri.measure.corpora import MeasuredText
from kugiri.measure.losses import in_percent, lost
from kugiri.measure.report import Loss
from kugiri.unicode.scripts import COMMON, INHERITED, script

_SECOND = 0.2
"""From which share of the letters on a second script is no loan word any more."""

_INDENTED = 0.1
"""From which share of indented lines on a text is taken for one whose line ends say something."""

_COPIES = 0.1
"""Up to which share of different documents on a corpus is mostly copies."""

_MANY = 20
"""Fewer documents are looked at, not counted."""

_ONE_WRITING = {
    "Han": "Chinese and Japanese", "Hiragana": "Chinese and Japanese",
    "Katakana": "Chinese and Japanese", "Bopomofo": "Chinese and Japanese",
}  # fmt: skip
"""Scripts that are written together."""


def notes(texts: Sequence[MeasuredText], losses: Sequence[Loss], language: str | None) -> list[str]:
    """All that applies."""
    aligned = [text for text in texts if text.language is not None]
    named = {text.name: text for text in texts}
    return [
        *(note for text in texts for note in _of_text(text)),
        *_of_alignment(aligned, language),
        *(_of_loss(loss, named[loss.corpus]) for loss in losses),
    ]


def is_about(note: str, corpus: str) -> bool:
    """Whether a note is about a corpus, be it with a tokenizer.

    Example:
        >>> is_about("corpus 'ja' is one document: …", "ja"), is_about("corpus 'ja' is …", "j")
        (True, False)
    """
    return note.startswith(f"corpus {corpus!r} ") or f" documents of {corpus!r}" in note


def is_of(note: str, tokenizer: str, corpus: str) -> bool:
    """Whether a note says what a tokenizer makes of a corpus."""
    return note.startswith(f"tokenizer {tokenizer!r} does not give") and is_about(note, corpus)


def _of_text(text: MeasuredText) -> Iterator[str]:
    documents = text.whole.documents
    if len(documents) == 1:
        yield (
            f"corpus {text.name!r} is one document: there is nothing to draw from, so its values "
            f"have no interval and no difference can be told from noise; give it as several, as "
            f"lines, files or records"
        )
    indented = sum(document.startswith((" ", "\t")) for document in documents) / len(documents)
    if text.by_lines and indented >= _INDENTED:
        yield (
            f"corpus {text.name!r} is read line by line, and {indented:.0%} of its lines are "
            f"indented, as in code: line ends and blank lines are left out, and so are their "
            f"tokens; give whole files, several of them, as kugiri corpus FILES --documents files "
            f"-o code.jsonl puts them into one, beside which other corpora are read line by line"
        )
    different = len(set(documents))
    if len(documents) >= _MANY and different <= _COPIES * len(documents):
        yield (
            f"corpus {text.name!r} is {len(documents):,} documents, of which {different:,} "
            f"{'is' if different == 1 else 'are'} different: copies say nothing new, so its "
            f"intervals are too narrow; give each text once"
        )
    yield from _of_scripts(text)


def _of_scripts(text: MeasuredText) -> Iterator[str]:
    counts = occurrences(text.sample.text.code_points)
    scripts: Counter[str] = Counter()
    for code in np.flatnonzero(counts).tolist():
        name = script(chr(code))
        if name not in (COMMON, INHERITED):
            scripts[_ONE_WRITING.get(name, name)] += int(counts[code])
    (first, most), (second, next_most) = [*scripts.most_common(2), ("", 0), ("", 0)][:2]
    share = next_most / max(scripts.total(), 1)
    if share >= _SECOND:
        yield (
            f"corpus {text.name!r} is {most / scripts.total():.0%} {first} and {share:.0%} "
            f"{second} by its letters: its ratios are a mixture, and another mixture has others; "
            f"measure each as a corpus of its own"
        )


def _of_alignment(aligned: Sequence[MeasuredText], language: str | None) -> Iterator[str]:
    if not aligned:
        return
    if language is None:
        yield (
            "the aligned texts have no English, so no ratio to a reference language was computed; "
            "name one with reference_language"
        )
    blank = {text.name: _blank(text) for text in aligned}
    for name, lines in blank.items():
        others = next((each for each in blank if blank[each] != lines), None)
        if others is not None and lines - blank[others]:
            yield (
                f"line {min(lines - blank[others]) + 1:,} of {name} is blank and that of {others} "
                f"is not: are the texts aligned?"
            )


def _blank(text: MeasuredText) -> set[int]:
    return {at for at, line in enumerate(text.whole.documents) if not line.strip()}


def _of_loss(loss: Loss, text: MeasuredText) -> str:
    """A tokenizer that saw another text than the corpus is."""
    what = (
        f"it loses {lost(loss)}, which costs nothing, so that it looks better than it is wherever "
        f"tokens are compared with the text"
        if loss.characters
        else f"it makes other characters of {in_percent(loss.others)}, so its tokens stand for "
        f"another text than the one whose bytes are counted"
        if loss.others
        else "it loses no character, but puts white space otherwise"
    )
    of = f"{loss.documents:,} documents of {loss.corpus!r}"
    if text.sample is not text.whole:
        of += " (a sample)"
    which = (
        f"{loss.changed:,} of {of} as they were"
        if loss.changed
        else f"all white space of {of}, though what its decoder puts between tokens looks like it"
    )
    return f"tokenizer {loss.tokenizer!r} does not give back {which}: {what}"


def of_reference(loss: Loss) -> str:
    """A reference tokenizer that saw another text, so that ratios to it are of two texts."""
    does = (
        f"loses {lost(loss)}"
        if loss.characters
        else f"makes other characters of {in_percent(loss.others)}"
    )
    return (
        f"the reference {loss.tokenizer!r} {does} of {loss.corpus!r}, which costs it nothing: the "
        f"ratios of all others to it may be too high"
    )
