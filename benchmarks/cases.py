"""Cases: the groups of cases.toml, spelled out for the texts that are there."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES_FILE = Path(__file__).with_name("cases.toml")
# How the seconds of each task are shown: per byte of text, per sentence, or as they are; not at all
# where memory is what counts.
UNITS = {
    "encode_string": "MB/s",
    "encode_lines": "MB/s",
    "encode_lines_alone": "MB/s",
    "encode_file": "MB/s",
    "encode_to_file": "",
    "count": "MB/s",
    "decode": "M ids/s",
    "sentence": "µs",
    "train": "s",
    "load": "ms",
    "load_cached": "ms",
    "report": "s",
    "import": "ms",
    "help": "ms",
}


@dataclass(frozen=True)
class Case:
    """One thing to measure, with the engines that do it; the first gives the right answer.

    The engines of `once` are known to be far from the fastest: they run once, cold.
    """

    task: str
    engines: tuple[str, ...]
    tokenizer: str = ""
    text: str = ""
    vocab_size: int = 0
    megabytes: int = 0
    budget: float | None = None
    once: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """TASK/TOKENIZER/TEXT, as `--cases` takes it; behind it the size of a text that is made."""
        size = f"{self.vocab_size // 1000}k" if self.vocab_size else ""
        made = f"{self.megabytes}MB" if self.megabytes else ""
        parts = (self.task, self.tokenizer or size, self.text, made)
        return "/".join(part for part in parts if part)

    @property
    def unit(self) -> str:
        """The unit in which the case's times are shown."""
        return UNITS[self.task]


def _spell_out(group: dict[str, Any], texts: list[str], vocab_size: int) -> list[Case]:
    """The cases of one group; texts that are all absent are replaced by `sample`."""
    wanted = [text for text in group.get("texts", [""]) if text in texts or not text]
    return [
        Case(
            task=group["task"],
            engines=tuple(group["engines"]),
            tokenizer=tokenizer,
            text=text,
            vocab_size=min(group.get("vocab_size", 0), vocab_size),
            megabytes=megabytes,
            budget=group.get("budget"),
            once=tuple(group.get("once", ())),
        )
        for tokenizer in group.get("tokenizers", [""])
        for text in wanted or ["sample"]
        for megabytes in group.get("megabytes", [0])
    ]


def load_cases(
    texts: list[str],
    patterns: tuple[str, ...] = (),
    engines: tuple[str, ...] = (),
    vocab_size: int = 1_000_000,
) -> list[Case]:
    """The cases whose name fits one of the patterns, with the engines asked for (all without)."""
    groups = tomllib.loads(CASES_FILE.read_text(encoding="utf-8"))["group"]
    cases = [case for group in groups for case in _spell_out(group, texts, vocab_size)]
    return [
        Case(**{**vars(case), "engines": chosen})
        for case in cases
        if not patterns or any(fnmatchcase(case.name, pattern) for pattern in patterns)
        if (chosen := tuple(name for name in case.engines if not engines or name in engines))
    ]
