"""What training gives, byte for byte: on every machine, with any number of threads.

A digest is the SHA-256 of the native file; only the version of kugiri and the list of options are
left out of its record, since they change without any effect. When a digest changes, people get
other tokenizers or other files from the same text: the reason belongs into CHANGELOG.md, and then
`python tests/test_digests.py` prints the table anew.
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
    "marked": {"preset": "sennrich", "num_merges": 200},
    "gpt2": {"preset": "gpt2", "vocab_size": 800, "special_tokens": ["<|endoftext|>"]},
    "japanese": {"preset": "japanese", "vocab_size": 800},
}
RUNS = {
    **{f"{name}, {tie}": {**options, "tie": tie} for name, options in BPE.items() for tie in TIES},
    "words": {"model": "word", "vocab_size": 500},
    "single characters": {"model": "char", "vocab_size": 500},
    "unigram": {"model": "unigram", "vocab_size": 2000, "character_coverage": 1.0},
    "word pieces": {"model": "wordpiece", "vocab_size": 1800},
    "word pieces, likelihood": {"model": "wordpiece", "merge_by": "likelihood", "vocab_size": 1800},
    "bert": {"preset": "bert", "vocab_size": 1800},
}
DIGESTS = {
    "bytes, lowest-ids": "52c0dd26e92d9c67727fbbda4e79e5587cf61b54c9bb674545fb6f919789dbf0",
    "bytes, first-seen": "6da19072b13f2eba3e23571da8d06122b6145e4babe274be515f0f5de67bb684",
    "bytes, greatest-pair": "7a12e3208b1f14de501d869ec47e5561ee62c6e9b2c1a81d4e038a8306864b81",
    "bytes, sentencepiece": "35b9dd9ccc99401ab430c2c810f728dea85a5a4bb2aa48e28ec497fb0ac2e269",
    "characters, lowest-ids": "735590908a28b26a590215dcb7a3a41f87ca491b783df3b4bf13f309a51a6084",
    "characters, first-seen": "ba5c3754a93a55ce77b5d74af335886580f9e7b90bb8d6488219db9b55d4efb8",
    "characters, greatest-pair": "b0f28feb8bf4bb80b79df26de9adb0e4bde96982a7aac296c2435013acc36dc4",
    "characters, sentencepiece": "11c816f1f90b38cbd148792bf9342440dfcf97543e2afd9bd2744db8b841ec35",
    "marked, lowest-ids": "d661d0aedbdc04b044923fd8016afef2fcfb7d10d174758d72f05d196fa5dfca",
    "marked, first-seen": "527bd71bf1a47c7c2f8f1aec87d0d6abac38b62d067e9d7c341a9ee0bf3f1609",
    "marked, greatest-pair": "d83b66a12f288686c912289d68e277d5bf8a247d14f4290ca47f69f8b4edb392",
    "marked, sentencepiece": "7746e524d4d41ff3b59544febd86c4849dd914014e208c68e84fa65299933a2b",
    "gpt2, lowest-ids": "b544e44a061b071f40fdb57c11d03c79c15534d10b21ceb4c784530fc1e751e0",
    "gpt2, first-seen": "67496b15e080b55b6730df6303e80f69099cfab88a500217c7f874e8b22b2157",
    "gpt2, greatest-pair": "0a3fd664d86c9e4f1c6880f7bc18ea3ff0a74d5f9a77c309441a168b8c12eb11",
    "gpt2, sentencepiece": "803b3f68ee7ad617903c512baf4668a3b1c9c8ecf4dce55e15a2c5dda2f751aa",
    "japanese, lowest-ids": "b8d18c2f879271d0da5f830ed007aa3bccfee930b44c7134ac5e91713730f54d",
    "japanese, first-seen": "329ea7dd71c1093d797051e4f420d7123828274bb2eac3c27cd967db10a70d9f",
    "japanese, greatest-pair": "daf62ed2516df019774a21c7e8c59cd4c128d498f21543b3eacd010092d756f1",
    "japanese, sentencepiece": "a9c57cdf3ff02ee22231207ce3f84801f3d7be98af2364b2aa35017cf9af39ee",
    "words": "5ffd6155359046e0f8a87c40f45bbd82f50b1cbdae4b4ecdd4ae87bd9ab8ed66",
    "single characters": "6fea33d63c2093811a4d9b76b5b5045a297062795cdacca772597364c1514218",
    "unigram": "afde568ff1e66e56b61239f2cca40ff72523a3a5d45a32201b32feec500b195f",
    "word pieces": "91e543e406e39e6518205b07f0f08935bb1cc692717ce3ef7b948cfe2e26fb51",
    "word pieces, likelihood": "c8bc4b6fe2c6197d796f3443ddf719f3367b22081bba3d72262e225202a5f8ec",
    "bert": "8646e0ec30418a928430de95423ab66df8a65192a5e1e9e68567546bbac51c69",
}


def digest(name: str, threads: int) -> str:
    """Train as a run says, and digest the file."""
    spec = kugiri.train(SAMPLE, threads=threads, **RUNS[name]).spec
    record = {key: it for key, it in spec.training.items() if key not in ("kugiri", "options")}
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
    for name in ("bytes, first-seen", "characters, lowest-ids", "words", "bert"):
        assert digest(name, 2) == DIGESTS[name], name
    """
    run_python(script, PYTHONHASHSEED=seed)


if __name__ == "__main__":
    for name in RUNS:
        print(f"    {name!r}: {digest(name, 2)!r},".replace("'", '"'))
