"""The same ids on a machine without AVX2, and without any technique (`src/without.rs`).

The tests of ids run once more, each time with a core that leaves something out and that checks
what it asserts. Both runs go at once: this file is the last of all, and a processor would rest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchmarks import without

TESTS = Path(__file__).parent
LEFT_OUT = {
    "no AVX2": (["masks"], ["equivalence", "parity_tiktoken", "parity_tokenizers"]),
    "no technique": (
        without.techniques(),
        ["equivalence", "parity_tokenizers", "parity_sentencepiece"],
    ),
}


@pytest.fixture(scope="module")
def folder() -> Path:
    if not shutil.which("cargo"):
        pytest.skip("building the core once more needs cargo (https://rustup.rs)")
    return without.build("checked")


@pytest.fixture(scope="module")
def runs(folder: Path) -> Iterator[dict[str, subprocess.Popen[str]]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(_started(folder, *left_out))
            for name, left_out in LEFT_OUT.items()
        }


def _started(folder: Path, techniques: list[str], tests: list[str]) -> subprocess.Popen[str]:
    files = [str(TESTS / f"test_{name}.py") for name in tests]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:xdist", *files],
        env=os.environ | without.environment(folder, *techniques),
        cwd=TESTS.parent,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("name", LEFT_OUT)
def test_ids_are_the_same_without(name: str, runs: dict[str, subprocess.Popen[str]]) -> None:
    printed, _ = runs[name].communicate()
    assert runs[name].returncode == 0, printed[-5000:]


def test_the_core_reads_what_to_leave_out(folder: Path) -> None:
    script = "import kugiri; kugiri.train(['a a'], vocab_size=256).encode('a')"
    left_out = os.environ | without.environment(folder, "speed")
    done = subprocess.run(
        [sys.executable, "-c", script], env=left_out, capture_output=True, text=True
    )
    assert 'KUGIRI_WITHOUT names "speed"' in done.stderr
