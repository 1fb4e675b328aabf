"""What was published for a metric and against it is said with it."""

from __future__ import annotations

import pytest

from kugiri.measure.metrics import BY_NAME


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("tokens", ["Goldman et al. 2024", "Schmidt et al. 2024", "0.24", "Arnett et al. 2025"]),
        ("renyi_efficiency", ["Zouhar et al. 2023", "Cognetta et al. 2024", "Wegmann et al. 2025"]),
        ("zipf_slope", ["Lotz et al. 2025"]),
        ("vocabulary_use", ["2405.05417", "Lotz et al. 2025"]),
        ("bits_per_byte", ["Lotz et al. 2025", "SuperBPE"]),
        ("fertility", ["Ali et al. 2024"]),
        ("parity", ["Petrov et al. 2023", "Ali et al. 2024", "Arnett et al. 2025"]),
        ("morpheme_boundary_precision", ["MorphScore v2"]),
        ("morpheme_boundary_recall", ["MorphScore v2"]),
        ("case_sensitivity", ["TokSuite 2025"]),
        ("broken_characters", ["2410.23684", "has not been published"]),
    ],
)
def test_published(metric: str, said: list[str]) -> None:
    assert [name for name in said if name not in BY_NAME[metric].evidence] == []
    # Either both sides are named, or it is no matter of sides.
    evidence = BY_NAME[metric].evidence
    assert ("For: " in evidence) == ("Against: " in evidence)
