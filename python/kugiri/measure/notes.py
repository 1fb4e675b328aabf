"""What a reader must know before comparing: found in the texts and the tokenizers, not guessed.

Rule.    Each is a sentence that names the corpus and the tokenizer, and what to do. Looking is done
         at some documents of the sample, and how many is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from kugiri.measure.corpora import MeasuredText
from kugiri.measure.losses import lost
from kugiri.measure.report import Loss
from kugiri.unicode.scripts import COMMON, INHERITED, script

_CHARACTERS = 200_000
"""How much of a sample is looked at."""

_SECOND = 0.2
"""From which share of the letters on a second script is no loan word any more."""

_ONE_WRITING = {
    "Han": "Chinese and Japanese", "Hiragana": "Chinese and Japanese",
    "Katakana": "Chinese and Japanese", "Bopomofo": "Chinese and Japanese",
}  # fmt: skip
"""Scripts that are written together."""


def notes(texts: Sequence[MeasuredText], losses: Sequence[Loss], language: str | None) -> list[str]:
    """All that applies."""
    aligned = [text for text in texts if text.language is not None]
    return [
        *(note for text in texts for note in _of_text(text)),
        *_of_alignment(aligned, language),
        *map(_of_loss, losses),
    ]


def _of_text(text: MeasuredText) -> Iterator[str]:
    if len(text.whole.documents) == 1:
        yield (
            f"corpus {text.name!r} is one document: there is nothing to draw from, so its values "
            f"have no interval and no difference can be told from noise; give it as several"
        )
    letters = Counter(_beginning(text))
    scripts: Counter[str] = Counter()
    for character, count in letters.items():
        name = script(character)
        if name not in (COMMON, INHERITED):
            scripts[_ONE_WRITING.get(name, name)] += count
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


def _of_loss(loss: Loss) -> str:
    """A tokenizer that saw another text than the corpus is."""
    what = (
        f"it loses {lost(loss)}, which costs nothing, so that it looks better than it is wherever "
        f"tokens are compared with the text"
        if loss.characters
        else "it loses none of the text but makes other characters of some, so its tokens stand "
        "for another text than the one whose bytes are counted"
    )
    return (
        f"tokenizer {loss.tokenizer!r} does not give back {loss.changed:,} of {loss.documents:,} "
        f"documents of {loss.corpus!r} as they were: {what}"
    )


def _beginning(text: MeasuredText) -> str:
    return "".join(_first(text.sample.documents))[:_CHARACTERS]


def _first(documents: Sequence[str]) -> list[str]:
    """So many of the documents as are looked at, one at least."""
    ends = accumulate(map(len, documents))
    fit = sum(1 for _ in (end for end in ends if end <= _CHARACTERS))
    return list(documents[: max(1, fit)])
