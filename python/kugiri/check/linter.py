"""The work of checking: each check asked, its cases put together, what is known left out.

Rule.    What could not be asked, since it needs a text and none came, or something that the
         tokenizer does not have, is named as skipped: the check, or one kind of its findings. So
         what is neither found nor skipped was looked for. An
         entry of `ignore` is the id of a finding, or that with the id of a token behind a slash
         (`unreachable.split/1234`), which leaves out that one case. An entry of what was asked and
         that leaves out nothing is named as unused, so that lists do not outlive what they were
         made for.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from kugiri.check.checks import CHECKS
from kugiri.check.finding import SEVERITIES, Case, Check, Finding, Severity
from kugiri.check.subject import Subject
from kugiri.corpus import Corpus, Reading, read_documents
from kugiri.errors import KugiriWarning, OptionError, choose, described
from kugiri.inputs import as_whole
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
        schema: the version of this form.
    """

    findings: list[Finding]
    asked: list[str]
    skipped: dict[str, str]
    unused: list[str]
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
    cases: int = 10,
    reading: Reading | None = None,
) -> Findings:
    """Look for what is wrong, or could go wrong, with a tokenizer.

    Args:
        tokenizer: which.
        corpus: a text like those that it is for; some checks need it.
        only: the names of checks to ask; all if there are none.
        ignore: findings that are known: `incomplete.fragment`, or one case of it with the id of
            its token, `incomplete.fragment/1234`.
        cases: how many cases of each finding to keep.
        reading: how files become documents.

    Raises:
        OptionError: a name is unknown, or a number is none.
        CorpusError: the corpus cannot be read.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        >>> [finding.id for finding in check(tok, only=["unreachable"]).findings]
        []
    """
    if not isinstance(tokenizer, Tokenizer):
        raise OptionError(f"a Tokenizer is checked; {described(tokenizer)} came")
    most = as_whole("cases", cases)
    names = (
        dict.fromkeys(choose("check", name, CHECKS) for name in _entries("only", only)) or CHECKS
    )
    asked = [CHECKS[name] for name in names]
    ignored = _Ignored(_entries("ignore", ignore))
    documents = [] if corpus is None else list(_texts(corpus, reading or Reading()))
    subject = Subject(tokenizer, documents)
    findings: list[Finding] = []
    skipped: dict[str, str] = {}
    able: list[Check] = []
    for each in asked:
        reasons = _reasons(each, subject, corpus is None)
        if reasons.keys() < each.kinds.keys():
            found, more = _findings(each, subject, ignored, most)
            findings += found
            reasons = more | reasons
        if reasons.keys() < each.kinds.keys():
            able.append(each)
        skipped |= _by_id(each, reasons)
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    ids = [id for each in able for id in each.ids() if id not in skipped]
    return Findings(findings, [each.name for each in able], skipped, ignored.unused(ids))


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


def _reasons(check: Check, subject: Subject, none_given: bool) -> dict[str, str]:
    """The kinds that nothing can be said of, each with the reason."""
    reasons = dict(check.cannot(subject))
    if not subject.documents:
        why = "give a corpus" if none_given else "the corpus has none"
        reasons |= dict.fromkeys(check.of_corpus, f"needs a text: {why}")
    return reasons


def _by_id(check: Check, reasons: dict[str, str]) -> dict[str, str]:
    """What is skipped: the whole check, if one reason holds for all of it."""
    if reasons.keys() == check.kinds.keys() and len(set(reasons.values())) == 1:
        return {check.name: next(iter(reasons.values()))}
    return {f"{check.name}.{kind}": reason for kind, reason in reasons.items()}


def _texts(corpus: Corpus, reading: Reading) -> Iterator[str]:
    return (document.text for document in read_documents(corpus, reading))


def _findings(
    check: Check, subject: Subject, ignored: _Ignored, most: int
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
            f"{check.name}.{name}", kind.severity, len(some), kind.message, kind.remedy, some[:most]
        )
        for name, kind in check.kinds.items()
        if (some := cases[name])
    ]
    return findings, {kind: why for kind, why in reasons.items() if kind not in there}


class _Ignored:
    """Findings and cases that are left out, and which of them there were."""

    def __init__(self, entries: Iterable[str]) -> None:
        known = [id for check in CHECKS.values() for id in check.ids()]
        self._unused = dict.fromkeys(entries)
        for entry in self._unused:
            id, slash, number = entry.partition("/")
            choose("finding to ignore", id, known)
            if slash and not (number.isascii() and number.isdecimal()):
                raise OptionError(
                    f"ignore has {entry!r}; behind the slash stands the id of a token"
                )
        self._entries = frozenset(self._unused)

    def has(self, id: str, case: Case) -> bool:
        """Whether a case is left out."""
        for entry in (id, f"{id}/{case.id}"):
            if entry in self._entries:
                self._unused.pop(entry, None)
                return True
        return False

    def unused(self, asked: Collection[str]) -> list[str]:
        """The entries of findings that were asked for that nothing was like."""
        return [entry for entry in self._unused if entry.partition("/")[0] in asked]
