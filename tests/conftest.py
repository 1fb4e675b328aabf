"""What all tests share: profiles of hypothesis, and the text beside the project."""

from __future__ import annotations

import gzip
import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import browser, opened
from tests.wordpress_site import Site, running

__all__ = ["browser", "opened"]  # fixtures of all tests

# A shell that runs the tests in the background has them ignore Ctrl-C, and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED = Path(__file__).parents[2] / "shared" / "data"

settings.register_profile(
    "fast", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "slow", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def shared_text(name: str) -> str:
    """A text of ../shared/data, unpacked; skips where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is absent: the large texts are not part of the project")
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode()


def slice_of(text: str, share: float = 0.02, parts: int = 8) -> str:
    """A fixed share of a text, from several places, so that a test stays quick."""
    size = int(len(text) * share / parts)
    step = len(text) // parts
    return "".join(text[i * step : i * step + size] for i in range(parts))


@cache
def sliced(name: str, share: float = 0.02) -> str:
    """A slice of a text of ../shared/data."""
    return slice_of(shared_text(name), share)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site that runs; the proxy of the environment is not for this machine."""
    monkeypatch.setenv("no_proxy", "*")
    with running() as site:
        yield site


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been waited; none are."""
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    return waited
