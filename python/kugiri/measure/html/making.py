"""What was measured, and how: the end of the page.

Rule.    Folders of the machine that it was made on are nobody else's business: a path that is not
         relative is shown by its last name.
"""

from __future__ import annotations

import shlex
from importlib import metadata
from pathlib import PureWindowsPath

from kugiri.explain.html.elements import Markup, element, named, plainly, table
from kugiri.explain.html.frame import section
from kugiri.measure.report import Report
from kugiri.measure.words import BY_WORDS

_WHOLE = "whole files, line ends and all"
_LINES = "lines of files, without line ends and without blank lines; records and texts whole"


def what(report: Report) -> Markup:
    """The tokenizers and the corpora."""
    tokenizers = [
        (
            named(it.name),
            it.model,
            f"{it.vocab_size:,}",
            named(without_folders(it.source or "–")),
            _digest(it.digest),
        )
        for it in report.tokenizers
    ]
    corpora = [
        (
            named(it.name), it.language or "–", f"{it.documents:,}", f"{it.bytes:,}",
            f"{it.characters:,}", f"{it.sampled_documents:,}", f"{it.sampled_bytes:,}",
            _digest(it.digest),
        )
        for it in report.corpora
    ]  # fmt: skip
    sizes = ("documents", "bytes", "characters", "in the sample", "bytes of it")
    return section(
        "What was measured",
        table(("tokenizer", "model", "vocabulary", "from", "SHA-256"), tokenizers, ["vocabulary"]),
        table(("corpus", "language", *sizes, "SHA-256"), corpora, sizes),
        id="what",
    )


def _digest(digest: str) -> Markup:
    return element("code", digest[:12], title=digest)


def made(report: Report) -> Markup:
    """Versions, command, seed."""
    drawing = {name: metadata.version(name) for name in ("altair", "vl-convert-python")}
    versions = ", ".join(f"{name} {it}" for name, it in (report.versions | drawing).items())
    said: list[tuple[str, str | Markup]] = [
        ("kugiri", report.kugiri),
        ("with", versions),
        ("command", element("code", plainly(_command(report)))),
        ("draws", f"{report.draws:,} of documents, seed {report.seed}"),
    ]
    said.append(("documents", _WHOLE if report.documents == "files" else _LINES))
    if BY_WORDS & {it.name for it in report.metrics}:
        said.append(("words", report.segmenter))
    if report.reference:
        said.append(("reference", named(report.reference)))
    if report.reference_language:
        said.append(("language of reference", report.reference_language))
    return section("How it was made", facts(said), id="made")


def _command(report: Report) -> str:
    """The command as it was typed, without the folders of whose machine it was."""
    if report.command is None:
        return "from Python"
    try:
        words = shlex.split(report.command)
    except ValueError:  # a report from elsewhere
        return report.command
    return shlex.join(without_folders(word) for word in words)


def without_folders(path: str) -> str:
    r"""A path that is not relative as its last name, that of NAME=PATH as well.

    Example:
        >>> paths = "ja=/home/me/ja.txt", "data/en.txt", "/x/y/", r"C:\a"
        >>> [without_folders(path) for path in paths]
        ['ja=ja.txt', 'data/en.txt', 'y', 'a']
    """
    name, sign, place = path.rpartition("=")
    if not (place.startswith(("/", "~")) or PureWindowsPath(place).drive):
        return path
    return f"{name}{sign}{PureWindowsPath(place).name or place}"


def facts(said: list[tuple[str, str | Markup]]) -> Markup:
    """Names, and what each is."""
    return element(
        "dl", [element("dt", name) + element("dd", what) for name, what in said], class_="facts"
    )
