"""Measuring: what a tokenizer does to a text, as numbers with intervals.

observation.py has what metrics look at, draws.py what intervals come from, metric.py what a metric
is, metrics/ one in each file, study.py the work, report.py what comes out.
"""

from __future__ import annotations

from kugiri.measure.report import Report
from kugiri.measure.study import measure

__all__ = ["Report", "measure"]
