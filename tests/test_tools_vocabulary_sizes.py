"""The table of docs/vocabulary_size.md is what the trainings give."""

from __future__ import annotations

import pytest

from tools.make_vocabulary_sizes import NAMES, PAGE, TEXTS, spelled


def test_the_table_is_current() -> None:
    if not all((TEXTS / name).exists() for name in NAMES):
        pytest.skip("ja.txt.gz and en.txt.gz are absent: the large texts are not in the project")
    assert PAGE.read_text(encoding="utf-8") == spelled(), "run tools/make_vocabulary_sizes.py"
