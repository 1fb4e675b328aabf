"""Corpora read for measuring, each with its draws and with a sample that may stand for it.

Rule.    Documents are those of corpus/reading.py, as for training: of a file of text its lines,
         without their ends and without blank ones, or the whole file, line ends and all.
         What needs more time than the others looks at a sample: documents drawn at random, without
         putting back, until they have so many bytes, in the order of the corpus. Chance is a hash
         of seed and text, so that it does not matter where in the corpus a document stands. A
         corpus that is smaller is its own sample.
         Aligned texts have a document a line, blank ones too, so that line n is the same in all;
         their draws and samples take the same lines in every language.
"""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from kugiri.corpus import Corpus, Reading, Texts, read, read_documents
from kugiri.corpus.sources import SUFFIXES, records_of
from kugiri.errors import CorpusError, EncodingError, KugiriWarning, OptionError, described
from kugiri.inputs import as_text
from kugiri.measure.draws import Draws, Integers
from kugiri.measure.named import named_corpora, names_of
from kugiri.measure.observation import MeasuredCorpus
from kugiri.measure.report import CorpusSize


@dataclass(frozen=True)
class Choices:
    """How corpora are read and drawn from.

    Attributes:
        reading: how files become documents.
        seed, draws: of the intervals; the seed is that of the sample too.
        sample: the bytes of a sample.
        segmenter, word_list: for MeasuredCorpus.
    """

    reading: Reading
    seed: int
    draws: int
    sample: int
    segmenter: str
    word_list: tuple[str, ...] | None

    def corpus(self, name: str, documents: list[str], draws: Draws) -> MeasuredCorpus:
        """A corpus to measure."""
        return MeasuredCorpus(
            name=name,
            documents=documents,
            draws=draws,
            segmenter=self.segmenter,
            word_list=self.word_list,
        )

    def drawn(self, documents: int) -> Draws:
        """Draws of so many documents."""
        return Draws(documents, self.draws, self.seed)

    def sampled(self, texts: Sequence[str], sizes: Integers, most: int) -> Integers | None:
        """Which documents stand for all, in their order; None where all do.

        Args:
            texts: the documents, or what tells them apart.
            sizes: the bytes of each.
            most: the bytes of a corpus that is its own sample.
        """
        if sizes.sum() <= most:
            return None
        met: Counter[str] = Counter()
        chances = []
        for text in texts:
            met[text] += 1  # copies of a text are drawn one by one
            salted = f"{self.seed} {met[text]} {text}".encode()
            chances.append(blake2b(salted, digest_size=8).digest())
        order = np.array(sorted(range(len(texts)), key=chances.__getitem__))
        enough = int(np.searchsorted(np.cumsum(sizes[order]), most)) + 1
        chosen: Integers = np.sort(order[:enough])
        return chosen


@dataclass(frozen=True, eq=False)
class MeasuredText:
    """A corpus and its sample, which may be the corpus itself.

    Attributes:
        whole, sample: all documents, and those that stand for them.
        language: of aligned texts.
        by_lines: whether some of it is lines of files, whose ends are no part of it.
    """

    whole: MeasuredCorpus
    sample: MeasuredCorpus
    language: str | None = None
    by_lines: bool = False

    @property
    def name(self) -> str:
        """As the report calls it."""
        return self.whole.name

    def size(self) -> CorpusSize:
        """What it is, for the report."""
        digest = hashlib.sha256()
        for text in self.whole.documents:
            data = text.encode()
            digest.update(len(data).to_bytes(8, "little") + data)
        return CorpusSize(
            name=self.name,
            language=self.language,
            documents=len(self.whole.documents),
            bytes=int(self.whole.bytes.sum()),
            characters=int(self.whole.characters.sum()),
            sampled_documents=len(self.sample.documents),
            sampled_bytes=int(self.sample.bytes.sum()),
            digest=digest.hexdigest(),
        )


def read_corpora(corpora: Mapping[str, Any], choices: Choices) -> list[MeasuredText]:
    """The documents of all corpora, by their names.

    Raises:
        OptionError: one of them is counts of words.
        CorpusError: one of them cannot be read, or has no document.
        EncodingError: a Python text has a lone surrogate.
    """
    return [_read(name, it, choices) for name, it in corpora.items()]


def _read(name: str, corpus: Corpus, choices: Choices) -> MeasuredText:
    if isinstance(corpus, Mapping):
        raise OptionError(
            f"corpus {name!r} is {described(corpus)}; to measure, text is needed: paths or texts"
        )
    found = list(read_documents(corpus, choices.reading))
    documents = [document.text for document in found]
    check_texts(f"corpus {name!r}, document", documents)
    if not documents:
        raise CorpusError(f"corpus {name!r} is empty: no document has a character in it")
    whole = choices.corpus(name, documents, choices.drawn(len(documents)))
    chosen = choices.sampled(documents, whole.bytes, choices.sample)
    files = {document.path for document in found if document.path is not None}
    by_lines = choices.reading.documents == "lines" and not all(map(records_of, files))
    return MeasuredText(whole, _sample(whole, chosen, choices), by_lines=by_lines)


def _sample(whole: MeasuredCorpus, chosen: Integers | None, choices: Choices) -> MeasuredCorpus:
    if chosen is None:
        return whole
    documents = [whole.documents[at] for at in chosen.tolist()]
    sample = choices.corpus(whole.name, documents, choices.drawn(len(documents)))
    return replace(sample, stands_for=int(whole.bytes.sum()) / max(int(sample.bytes.sum()), 1))


def check_texts(what: str, texts: Sequence[str]) -> None:
    """Refuse texts that cannot be encoded.

    Args:
        what: what each is, to be followed by its number.
        texts: documents, or words.

    Raises:
        EncodingError: one of them has a lone surrogate.
    """
    for number, text in enumerate(texts, 1):
        try:
            as_text(text, "the text")
        except EncodingError as error:
            raise EncodingError(f"{what} {number:,}: {error}") from error


# ── aligned texts ─────────────────────────────────────────────────────────────────────────────
def read_parallel(languages: Mapping[str, Any], choices: Choices) -> list[MeasuredText]:
    """Aligned texts, by language.

    Raises:
        CorpusError: there are fewer than two languages, or they differ in their number of lines.
    """
    lines = {name: _lines(it, choices.reading) for name, it in languages.items()}
    for name, documents in lines.items():
        check_texts(f"corpus {name!r}, document", documents)
    if len(lines) < 2:
        raise CorpusError(f"aligned texts are of two languages at least; {len(lines)} came")
    (first, some), *others = lines.items()
    for name, documents in others:
        if len(documents) != len(some):
            raise CorpusError(
                f"aligned texts have as many lines in each language; {first} has {len(some):,}, "
                f"{name} has {len(documents):,}"
            )
    if not some:
        raise CorpusError("the aligned texts are empty: no language has a line")
    draws = choices.drawn(len(some))
    wholes = [choices.corpus(name, documents, draws) for name, documents in lines.items()]
    sizes = np.sum([whole.bytes for whole in wholes], axis=0)
    together = ["\n".join(of_line) for of_line in zip(*lines.values(), strict=True)]
    chosen = choices.sampled(together, sizes, choices.sample * len(wholes))
    return [MeasuredText(it, _sample(it, chosen, choices), language=it.name) for it in wholes]


def languages_of(parallel: Any) -> dict[str, Any]:
    """What holds each language, in the order of their codes: a file or folder called by one.

    Raises:
        OptionError: it is neither a folder nor a mapping of languages.
        CorpusError: there is no such folder.
    """
    if isinstance(parallel, Mapping):
        return dict(sorted(named_corpora(parallel).items()))
    if not isinstance(parallel, (str, PathLike)):
        raise OptionError(
            f"parallel is {described(parallel)}; give a folder with a file a language (ja.txt, "
            f"en.txt), or a mapping language → paths or texts"
        )
    folder = Path(fspath(parallel))
    if not folder.is_dir():
        raise CorpusError(
            f"{folder}: aligned texts are a folder with a file a language (ja.txt, en.txt)"
        )
    there = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    paths = [path for path in there if path.is_dir() or path.name.lower().endswith(SUFFIXES)]
    if others := [path.name for path in there if path not in paths]:
        warnings.warn(
            f"{folder}: left out of this folder: {len(others):,} of its files, for example "
            f"{others[0]}; a language is a folder or a file {', '.join(SUFFIXES)}",
            KugiriWarning,
            stacklevel=4,
        )
    return dict(sorted(zip(names_of(paths), paths, strict=True)))


def _lines(corpus: Corpus, reading: Reading) -> list[str]:
    """All lines of files, blank ones too; in records and Python texts, each of these is one."""
    lines: list[str] = []
    for part in read(corpus, reading, refuse_unused=False):
        lines += part.texts if isinstance(part, Texts) else part.lines(reading.errors)
    return lines
