"""The work of checking: each check asked, its cases put together, what is known left out.

Rule.    What could not be asked, since it needs a text and none came, or something that the
         tokenizer does not have, is named as skipped: the check, or one kind of its findings. So
         what is neither found nor skipped was looked for. An entry of `ignore` is the name of a
         check, the id of a finding, or that with the id of a token behind a slash
         (`unreachable.split/1234`), which leaves out that one case. An entry of what was asked
         that leaves out nothing is named as unused, so that lists do not outlive what they were
         made for.
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from kugiri._version import __version__
from kugiri.check.checks import CHECKS
from kugiri.check.finding import SEVERITIES, Case, Check, Finding, Severity
from kugiri.check.subject import Subject
from kugiri.corpus import Corpus, Reading, read_documents
from kugiri.errors import CorpusError, KugiriWarning, OptionError, choose, described, shown
from kugiri.inputs import as_string, as_whole
from kugiri.tokenizer import Tokenizer

SCHEMA = 1
"""Of the JSON."""


class Findings(msgspec.Struct, frozen=True):
    """What the checks of a tokenizer found.

    Attributes:
        findings: the worst first.
        asked: the checks that were asked.
        skipped: the checks, or kinds of findings, that could not be, each with the reason.
        unused: entries of `ignore` that left out nothing.
        tokenizer: which.
        kugiri: the version of the package.
        schema: the version of this form.
    """

    findings: list[Finding]
    asked: list[str]
    skipped: dict[str, str]
    unused: list[str]
    tokenizer: str
    kugiri: str
    schema: int = SCHEMA

    def worst(self) -> Severity | None:
        """The severity of the worst finding; None if there is none."""
        return self.findings[0].severity if self.findings else None

    def to_json(self) -> str:
        """All of it as JSON."""
        return msgspec.json.encode(self).decode()


def check(
    tokenizer: Tokenizer,
    corpus: Corpus | None = None,
    *,
    only: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    cases: int | None = None,
    reading: Reading | None = None,
) -> Findings:
    """Look for what is wrong, or could go wrong, with a tokenizer.

    Args:
        tokenizer: which.
        corpus: a text like those that it is for; some checks need it.
        only: the names of checks to ask; all if there are none.
        ignore: findings that are known: all of a check (`incomplete`), one (`incomplete.fragment`),
            or one case of it with the id of its token (`incomplete.fragment/1234`).
        cases: how many cases of each finding to keep; None: all.
        reading: how files become documents.

    Raises:
        OptionError: a name is unknown, or a number is none.
        CorpusError: the corpus cannot be read, or has no text.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        >>> [finding.id for finding in check(tok, only=["unreachable"]).findings]
        []
    """
    if not isinstance(tokenizer, Tokenizer):
        raise OptionError(f"a Tokenizer is checked; {described(tokenizer)} came")
    most = None if cases is None else as_whole("cases", cases)
    names = (
        dict.fromkeys(choose("check", name, CHECKS) for name in _entries("only", only)) or CHECKS
    )
    asked = [CHECKS[name] for name in names]
    ignored = _Ignored(_entries("ignore", ignore))
    documents = [] if corpus is None else list(_texts(corpus, reading or Reading()))
    if corpus is not None and not any(documents):
        raise CorpusError("the corpus has no text; give one that has, or none")
    subject = Subject(tokenizer, documents)
    findings: list[Finding] = []
    skipped: dict[str, str] = {}
    able: list[Check] = []
    for each in asked:
        reasons = _reasons(each, subject)
        if reasons.keys() < each.kinds.keys():
            found, more = _findings(each, subject, ignored, most)
            findings += found
            reasons = more | reasons
        if reasons.keys() < each.kinds.keys():
            able.append(each)
        skipped |= _by_id(each, reasons)
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    ids = [id for each in able for id in each.ids() if id not in skipped]
    done = [each.name for each in able]
    unused = ignored.unused(ids)
    return Findings(findings, done, skipped, unused, repr(tokenizer), __version__)


def _entries(name: str, given: object) -> list[str]:
    """The names of an option; a text is one of them."""
    entries = [given] if isinstance(given, str) else given
    if not isinstance(entries, Iterable) or isinstance(entries, (bytes, Mapping)):
        raise OptionError(f"{name} is a list of names; {described(given)} came")
    listed = list(entries)
    for entry in listed:
        if not isinstance(entry, str):
            raise OptionError(f"{name} is a list of names; {described(entry)} is in it")
    return listed


def _reasons(check: Check, subject: Subject) -> dict[str, str]:
    """The kinds that nothing can be said of, each with the reason."""
    reasons = dict(check.cannot(subject))
    if not subject.documents:
        reasons |= dict.fromkeys(check.of_corpus, "needs a text: give a corpus")
    return reasons


def _by_id(check: Check, reasons: dict[str, str]) -> dict[str, str]:
    """What is skipped: the whole check, if one reason holds for all of it."""
    if reasons.keys() == check.kinds.keys() and len(set(reasons.values())) == 1:
        return {check.name: next(iter(reasons.values()))}
    return {f"{check.name}.{kind}": reason for kind, reason in reasons.items()}


def _texts(corpus: Corpus, reading: Reading) -> Iterator[str]:
    return (document.text for document in read_documents(corpus, reading))


def _findings(
    check: Check, subject: Subject, ignored: _Ignored, most: int | None
) -> tuple[list[Finding], dict[str, str]]:
    """What is found, and why nothing can be said of the kinds that could not be looked for."""
    cases: dict[str, list[Case]] = {kind: [] for kind in check.kinds}
    reasons: dict[str, str] = {}
    there: set[str] = set()
    with warnings.catch_warnings():  # what a call would warn of is a finding here
        warnings.simplefilter("ignore", KugiriWarning)
        for kind, case in check.find(subject):
            if isinstance(case, str):
                reasons.setdefault(kind, case)
                continue
            there.add(kind)
            if not ignored.has(f"{check.name}.{kind}", case):
                cases[kind].append(case)
    findings = [
        Finding(
            f"{check.name}.{name}",
            kind.severity,
            len(some),
            kind.message,
            kind.remedy if isinstance(kind.remedy, str) else kind.remedy(subject),
            some[:most],
            None if kind.of is None else kind.of(subject),
        )
        for name, kind in check.kinds.items()
        if (some := cases[name])
    ]
    return findings, {kind: why for kind, why in reasons.items() if kind not in there}


def as_entry(entry: str) -> str:
    """Return what is to be ignored, if it is the name of something.

    Raises:
        OptionError: it is not.
    """
    id, slash, number = as_string("ignore", entry).partition("/")
    name, dot, _ = id.partition(".")
    if name not in CHECKS:
        known = [id for check in CHECKS.values() for id in check.ids()]
        near = difflib.get_close_matches(id, [*CHECKS, *known], n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise OptionError(
            f"unknown finding to ignore {shown(entry)}; {hint}allowed: the name of a check "
            f"({', '.join(CHECKS)}), the id of a finding (`kugiri check --list` has them), or "
            f"that with the id of a token, {known[0]}/1234"
        )
    if dot:
        choose("finding to ignore", id, CHECKS[name].ids())
    if slash and not (dot and number.isascii() and number.isdecimal()):
        raise OptionError(
            f"ignore has {entry!r}; behind the slash stands the id of a token, before it that of a "
            f"finding"
        )
    return entry


class _Ignored:
    """Findings and cases that are left out, and which of them there were."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._unused = dict.fromkeys(map(as_entry, entries))
        self._entries = frozenset(self._unused)

    def has(self, id: str, case: Case) -> bool:
        """Whether a case is left out."""
        for entry in (id.partition(".")[0], id, f"{id}/{case.id}"):
            if entry in self._entries:
                self._unused.pop(entry, None)
                return True
        return False

    def unused(self, asked: Collection[str]) -> list[str]:
        """The entries of findings that were asked for that nothing was like."""
        names = {*asked, *(id.partition(".")[0] for id in asked)}
        return [entry for entry in self._unused if entry.partition("/")[0] in names]
