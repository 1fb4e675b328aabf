"""Running Python code in a process of its own, for what could hang or depends on how it starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from textwrap import dedent

import pytest

SECONDS = 60
"""The limit of a process; each needs a few."""


def run_python(script: str, **environment: str) -> str:
    """Return what a script prints; one that hangs is ended with all its children, and fails."""
    process = subprocess.Popen(
        [sys.executable, "-c", dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"still running after {SECONDS} s: {process.communicate()}")
    assert (process.returncode, err) == (0, ""), out
    return out
