"""Encoding takes no more instructions than it did, however busy the machine is."""

from __future__ import annotations

import platform
import shutil

import pytest

from benchmarks import instructions


@pytest.mark.skipif(
    not shutil.which("valgrind") or platform.machine() != "x86_64",
    reason="counts are of valgrind on x86-64; run `make valgrind`",
)
@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_no_case_has_become_slower() -> None:
    counted, bounds = instructions.count(), instructions.bounds()
    assert list(counted) == list(bounds) == instructions.CASES
    slower = {case: (counted[case], most) for case, most in bounds.items() if counted[case] > most}
    assert not slower, "more instructions a byte than benchmarks/instructions.toml allows"
    assert all(counted[case] > most / 4 for case, most in bounds.items()), "nothing was counted"
