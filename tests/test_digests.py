"""What training gives, byte for byte: on every machine, with any number of threads.

The digest is the SHA-256 of the native file, the version of kugiri in its record left out. When one
changes, every user gets other tokenizers from the same text: the reason belongs into CHANGELOG.md,
and only then `python tests/test_digests.py` prints the table anew.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from kugiri.formats.native import write
from processes import run_python

SAMPLE = Path(kugiri.__file__).parent / "sample"
TIES = ["lowest-ids", "first-seen", "greatest-pair", "sentencepiece"]

BPE: dict[str, dict[str, Any]] = {
    "bytes": {"vocab_size": 800},
    "characters": {"unit": "char", "vocab_size": 1200, "special_tokens": ["<unk>"]},
    "end-of-word": {"preset": "sennrich", "num_merges": 200},
    "gpt2": {"preset": "gpt2", "vocab_size": 800, "special_tokens": ["<|endoftext|>"]},
    "japanese": {"preset": "japanese", "vocab_size": 800},
}
RUNS = {
    **{f"{name}, {tie}": {**options, "tie": tie} for name, options in BPE.items() for tie in TIES},
    "words": {"model": "word", "vocab_size": 500},
    "single characters": {"model": "char", "vocab_size": 500},
}
DIGESTS: dict[str, str] = {}


def digest(name: str, threads: int) -> str:
    """Train as a run says, and digest the file."""
    spec = kugiri.train(SAMPLE, threads=threads, **RUNS[name]).spec
    record = {**spec.training, "kugiri": None}
    return hashlib.sha256(write(msgspec.structs.replace(spec, training=record))).hexdigest()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", RUNS)
def test_digest(name: str, threads: int) -> None:
    assert digest(name, threads) == DIGESTS[name]


def test_runs_differ() -> None:
    assert len(set(DIGESTS.values())) == len(RUNS) == len(DIGESTS)


@pytest.mark.parametrize("seed", ["0", "1", "12345"])
def test_digests_do_not_depend_on_the_hash_seed(seed: str) -> None:
    script = f"""
    import sys
    sys.path.insert(0, {str(Path(__file__).parent)!r})
    from test_digests import DIGESTS, digest
    for name in ("bytes, first-seen", "characters, lowest-ids", "words", "single characters"):
        assert digest(name, 2) == DIGESTS[name], name
    """
    run_python(script, PYTHONHASHSEED=seed)


if __name__ == "__main__":
    for name in RUNS:
        print(f"    {name!r}: {digest(name, 2)!r},".replace("'", '"'))
