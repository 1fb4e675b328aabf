"""What a corpus may be, and which files it names.

Files:  a path, a folder (its files of text and of records, recursively, in sorted order; hidden
        ones are left out, and of others a warning says how many), a glob (each file once, whatever
        links lead to it), "-" for standard input, or several of these.
Texts:  any other iterable of str; each is one document.

Rule.    A str or a Path on its own is always a path. In an iterable, Paths are paths and strs are
         texts. One exception guards against training on file names: a list or tuple of strs whose
         first names an existing file, or ends as one does, is taken for paths. To train on file
         names themselves, pass an iterator of them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from glob import glob
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from kugiri.errors import CorpusError, KugiriWarning, described, shown
from kugiri.inputs import is_list

Corpus: TypeAlias = "str | PathLike[str] | Iterable[str | PathLike[str]]"

STDIN = "-"
PACKED = (".gz", ".zst")
RECORDS = (".jsonl", ".csv", ".tsv", ".parquet")
PAGES = (".html", ".htm")
"""A page of HTML is one document, since no line of it is."""

SUFFIXES = (".txt", *RECORDS, *PACKED)
"""The files of a folder that are text of the corpus; a README.md beside them is not."""

_ABOUT = (".", "readme", "license", "licence")
"""How files begin that say something of a folder, and are no text in it."""

_SHOWN = 200
"""How much of a text taken for a path an error repeats."""


def split_kinds(corpus: Corpus) -> tuple[list[str], Iterator[str]]:
    """Return the files that `corpus` names and the texts that it holds; one of the two is empty.

    Raises:
        CorpusError: it is neither files nor texts, or a path in it does not exist.

    Example:
        >>> files, texts = split_kinds(["low lower", "newest"])
        >>> files, list(texts)
        ([], ['low lower', 'newest'])
    """
    if isinstance(corpus, (str, PathLike)):
        return find_files(corpus), iter(())
    if not is_list(corpus):
        raise CorpusError(
            f"a corpus is a path, several paths, or an iterable of texts (str); "
            f"this is {described(corpus, _SHOWN)}: pass its text in a list of str"
        )
    items = iter(corpus)
    first = list(islice(items, 1))
    listed = isinstance(corpus, (list, tuple))
    if any(isinstance(item, PathLike) or (listed and _is_path(item)) for item in first):
        return [file for path in chain(first, items) for file in find_files(path)], iter(())
    return [], _texts(chain(first, items))


def reads_once(corpus: Corpus) -> bool:
    """Whether a corpus is gone when it has been read: standard input, or an iterator.

    Example:
        >>> reads_once("-"), reads_once(iter(["猫"])), reads_once(["猫"])
        (True, True, False)
    """
    if isinstance(corpus, (str, PathLike)):
        return os.fspath(corpus) == STDIN
    if isinstance(corpus, Iterator):
        return True
    return isinstance(corpus, (list, tuple)) and any(
        isinstance(item, PathLike) and os.fspath(item) == STDIN for item in corpus
    )


def records_of(path: str) -> str | None:
    """The suffix that says a file holds records, packed or not; None for a file of text.

    A page of HTML is a record too, the only one of its file.

    Example:
        >>> records_of("posts.JSONL.gz"), records_of("index.html"), records_of("novel.txt.gz")
        ('.jsonl', '.html', None)
    """
    name = path.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    return next((suffix for suffix in (*RECORDS, *PAGES) if name.endswith(suffix)), None)


def find_files(path: str | PathLike[str]) -> list[str]:
    """Return the files that one path names, in the order in which they are read.

    Raises:
        CorpusError: there are none, or a folder cannot be listed.
    """
    if not isinstance(path, (str, PathLike)):
        raise CorpusError(f"among paths a path is needed, {described(path, _SHOWN)} came")
    name = os.fspath(path)
    if os.path.isdir(name):  # noqa: PTH112 (Path raises for a text too long to be a name)
        return _files_in(name)
    if name == STDIN or os.path.exists(name):  # noqa: PTH110
        return [name]
    matches = sorted(match for match in glob(name, recursive=True) if _is_file(match))  # noqa: PTH207
    # A link to a folder above would bring the same files again and again.
    found = sorted({os.path.realpath(match): match for match in reversed(matches)}.values())
    if not found:
        hint = "check the name"
        if isinstance(path, str):
            hint = "a str on its own is a path; for text itself pass a list of texts"
        raise CorpusError(f"no such file, folder or glob: {shown(name, _SHOWN)}; {hint}")
    return found


def _files_in(folder: str) -> list[str]:
    """The files of a corpus below a folder, sorted; links to folders are not followed."""
    found: list[str] = []
    others: list[str] = []
    try:
        for root, folders, names in os.walk(folder, onerror=_refuse):
            folders[:] = (name for name in folders if not name.startswith("."))
            for name in names:
                kind = found if name.lower().endswith(SUFFIXES) else others
                if not name.lower().startswith("." if kind is found else _ABOUT):
                    kind.append(str(Path(root, name)))
    except OSError as error:
        raise CorpusError(
            f"{error.filename}: this folder cannot be listed: {error.strerror}"
        ) from error
    if not found:
        raise CorpusError(
            f"{folder}: this folder has no file of text in it ({', '.join(SUFFIXES)}); "
            f"name the files themselves, for example {Path(folder, '*')}"
        )
    if others:
        warnings.warn(
            f"{folder}: left out of this folder: {len(others):,} of its files, for example "
            f"{min(others)}; it stands for its files {', '.join(SUFFIXES)}: name others themselves",
            KugiriWarning,
            stacklevel=2,
        )
    return sorted(found)


def _refuse(error: OSError) -> None:
    raise error


def _is_file(name: object) -> bool:
    return isinstance(name, str) and os.path.isfile(name)  # noqa: PTH113


def _is_path(first: object) -> bool:
    """Whether a list that begins so holds paths: it names a file, or would (a slip of the pen)."""
    return _is_file(first) or (isinstance(first, str) and first.endswith(SUFFIXES))


def _texts(items: Iterable[object]) -> Iterator[str]:
    """Each item, which must be a text."""
    for number, item in enumerate(items, 1):
        if not isinstance(item, str):
            raise CorpusError(
                f"text {number} of the corpus is {described(item, _SHOWN)}; a text is a str"
            )
        yield item
