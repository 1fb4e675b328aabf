"""Checking: what is wrong, or could go wrong, with a tokenizer.

finding.py has what a check says, subject.py what it looks at, completing.py, unseen.py and
confusables.py what several checks know of characters, checks/ one check in each file,
linter.py the work.
"""

from __future__ import annotations

from kugiri.check.finding import Finding
from kugiri.check.linter import Findings, check

__all__ = ["Finding", "Findings", "check"]
