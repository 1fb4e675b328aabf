"""What was measured, and how: the end of the page.

Rule.    Folders of the machine that it was made on are nobody else's business: a path that is not
         relative is shown by its last name, and by folders before it where names are alike.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib import metadata
from pathlib import PureWindowsPath

from kugiri.explain.html.elements import Markup, element, named, plainly, table, together
from kugiri.explain.html.frame import section
from kugiri.measure.report import Report
from kugiri.measure.words import BY_WORDS

_WHOLE = "whole files, line ends and all"
_LINES = "lines of files, without line ends and without blank lines; records and texts whole"


def what(report: Report) -> Markup:
    """The tokenizers and the corpora."""
    sources = without_folders([it.source or "–" for it in report.tokenizers])
    tokenizers = [
        (
            named(it.name),
            it.model,
            f"{it.vocab_size:,}",
            named(source),
            _digest(it.digest),
        )
        for it, source in zip(report.tokenizers, sources, strict=True)
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
        ("command", _command(report)),
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


def _command(report: Report) -> Markup:
    """The command as it was typed, without the folders of whose machine it was."""
    if report.command is None:
        return together("from Python")
    try:
        words = shlex.split(report.command)
    except ValueError:  # a report from elsewhere
        return element("code", plainly(report.command))
    shown = without_folders(words)
    left = element("span", " Of paths that are not relative, folders are left out.", class_="soft")
    code = element("code", plainly(shlex.join(shown)))
    return code if shown == words else together(code, left)


def without_folders(paths: Sequence[str]) -> list[str]:
    r"""Paths that are not relative by as much of their ends as tells them apart, NAME=PATH as well.

    Example:
        >>> without_folders(["ja=/home/me/ja.txt", "data/en.txt", "/x/y/", r"C:\a"])
        ['ja=ja.txt', 'data/en.txt', 'y', 'a']
        >>> without_folders(["/home/me/qwen3/tokenizer.json", "/home/me/llama3/tokenizer.json"])
        ['qwen3/tokenizer.json', 'llama3/tokenizer.json']
    """
    whole = {place: PureWindowsPath(place).parts for _, place in map(_parted, paths) if place}
    ends = dict.fromkeys(whole, 1)
    while clashing := _clashing(whole, ends):
        ends |= {place: ends[place] + 1 for place in clashing}
    shown = []
    for path in paths:
        name, place = _parted(path)
        kept = "/".join(whole[place][-ends[place] :]).strip("/\\") if place else path
        shown.append(f"{name}{kept or place}")
    return shown


def _parted(path: str) -> tuple[str, str]:
    """NAME= and a path that is not relative; nothing where it is none."""
    name, sign, place = path.rpartition("=")
    if not (place.startswith(("/", "~")) or PureWindowsPath(place).drive):
        return "", ""
    return f"{name}{sign}", place


def _clashing(whole: dict[str, tuple[str, ...]], ends: dict[str, int]) -> list[str]:
    """Paths that look alike, and have folders left that may tell them apart."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for place, parts in whole.items():
        alike.setdefault(parts[-ends[place] :], []).append(place)
    return [
        place
        for places in alike.values()
        if len(places) > 1
        for place in places
        if ends[place] < len(whole[place]) - 1
    ]


def facts(said: list[tuple[str, str | Markup]]) -> Markup:
    """Names, and what each is."""
    return element(
        "dl", [element("dt", name) + element("dd", what) for name, what in said], class_="facts"
    )
