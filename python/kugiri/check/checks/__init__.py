"""All checks, in the order in which a tokenizer is best mended."""

from __future__ import annotations

from kugiri.check.checks import incomplete, unreachable
from kugiri.check.finding import Check

CHECKS: dict[str, Check] = {each.CHECK.name: each.CHECK for each in (unreachable, incomplete)}
