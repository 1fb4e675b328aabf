"""docs/metrics.md is what the metrics say of themselves."""

from __future__ import annotations

import re

import pytest

from kugiri.measure.metric import Metric
from kugiri.measure.metrics import METRICS
from tools.make_metrics import PAGE, spelled


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == spelled(), "run tools/make_metrics.py"


def test_every_metric_has_an_example_that_runs() -> None:
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    assert [section.split("\n")[0] for section in sections] == [metric.name for metric in METRICS]
    assert all(section.count("```python\n>>> from kugiri.") == 1 for section in sections)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_says_all(metric: Metric) -> None:
    assert re.fullmatch("[a-z][a-z0-9_]*", metric.name)
    for name in ("title", "unit", "definition", "formula", "source", "misleads", "evidence"):
        text = getattr(metric, name)
        assert text == text.strip() != "", name
    for name in ("definition", "misleads", "evidence"):
        assert getattr(metric, name).endswith("."), name
    assert "`" not in metric.formula
    assert len(metric.title) <= 40, "it is the first column of a table"
