"""How many instructions encoding takes: `python -m benchmarks.instructions`.

Instructions are the same on a busy machine and on a quiet one, so a test can hold them to a bound
(`instructions.toml`). They are counted by callgrind, which is part of valgrind, for two calls of
`encode` on one text: in the first one every word is new.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import kugiri

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "python" / "kugiri" / "sample"
CHARACTERS = 50_000
TOKENIZERS: dict[str, dict[str, Any]] = {
    "bpe": {"preset": "gpt4o", "vocab_size": 1500},
    "llama2": {"preset": "llama2", "vocab_size": 1500},
    "unigram": {"model": "unigram", "vocab_size": 1000},
}
CASES = ["bpe/english", "bpe/japanese", "llama2/japanese", "unigram/japanese"]
_CALL = "*__pymethod_encode__*"


def bounds() -> dict[str, float]:
    """The most instructions a byte that each case may take."""
    path = Path(__file__).with_suffix(".toml")
    return {case: float(most) for case, most in tomllib.loads(path.read_text("utf-8")).items()}


def count() -> dict[str, float]:
    """Instructions a byte of each case."""
    with tempfile.TemporaryDirectory() as folder:
        texts = sorted(SAMPLE.glob("*.txt"))
        for name, options in TOKENIZERS.items():
            kugiri.train(texts, **options).save(_file(folder, name))
        return {case: _count(folder, case) / len(_text(case).encode()) for case in CASES}


def _count(folder: str, case: str) -> int:
    work = [sys.executable, "-m", "benchmarks.instructions", folder, case]
    return count_calls(work, _CALL, {})


def count_calls(command: list[str], call: str, environment: dict[str, str]) -> int:
    """The instructions of all calls of a function, which may have `*` in its name, in a process."""
    with tempfile.NamedTemporaryFile("r") as out:
        counting = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}"]
        counting += ["--collect-atstart=no", f"--toggle-collect={call}"]
        subprocess.run(
            [*counting, *command],
            cwd=ROOT,
            check=True,
            capture_output=True,
            env=os.environ | environment,
        )
        found = re.search(r"^totals: (\d+)", Path(out.name).read_text(), re.MULTILINE)
    if not found or found[1] == "0":
        raise RuntimeError(f"callgrind has counted nothing in {call}")
    return int(found[1])


def _work(folder: str, case: str) -> None:
    tokenizer, text = kugiri.load(_file(folder, case.split("/")[0])), _text(case)
    for _ in range(2):
        tokenizer.encode(text)


def _file(folder: str, name: str) -> str:
    return f"{folder}/{name}.kugiri.json"


def _text(case: str) -> str:
    text = (SAMPLE / f"{case.split('/')[1]}.txt").read_text(encoding="utf-8")
    return (text * (CHARACTERS // len(text) + 1))[:CHARACTERS]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _work(*sys.argv[1:])
    elif shutil.which("valgrind"):
        for case, instructions in count().items():
            print(f'"{case}" = {instructions:.1f}')
    else:
        sys.exit("valgrind is not installed; on Debian: apt-get install valgrind")
