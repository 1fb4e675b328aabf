"""The texts of the benchmark, as plain UTF-8 files in the ignored folder `.cache/bench`.

Real text is taken from `../shared/data` where that folder is there. Elsewhere one text is made from
the project's sample corpus: good to see that everything runs, too uniform to be quoted.
"""

from __future__ import annotations

import gzip
import random
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REAL = ROOT.parent / "shared" / "data"
SAMPLE = ROOT / "python" / "kugiri" / "sample"
CACHE = ROOT / ".cache" / "bench"
NAMES = ("en", "ja", "zh", "code", "neko", "botchan")
QUICK_BYTES = 1_000_000
GENERATED_CHARACTERS = 1_000_000


def real_texts() -> list[str]:
    """The names of the real texts that are present."""
    return [name for name in NAMES if _source(name).is_file()]


def _source(name: str) -> Path:
    """The file of a real text: long ones are packed, novels are not."""
    packed = REAL / f"{name}.txt.gz"
    return packed if packed.is_file() else REAL / f"{name}.txt"


def describe() -> str:
    """One line that says which texts are used, and which are not there."""
    present = real_texts()
    absent = [name for name in NAMES if name not in present]
    if not present:
        return "no real text in ../shared/data: one text is generated from the sample corpus"
    missing = f"; absent: {', '.join(absent)}" if absent else ""
    return f"real text from ../shared/data: {', '.join(present)}{missing}"


@cache
def prepare(name: str, *, quick: bool) -> Path:
    """The file of a text; with `quick` its first megabyte, cut after a line."""
    whole = CACHE / f"{name}.txt"
    if name == "sample" or not whole.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        beside = whole.with_suffix(".partial")
        _generate(beside) if name == "sample" else _unpack(name, beside)
        beside.replace(whole)
    if not quick:
        return whole
    part = CACHE / f"{name}-quick.txt"
    with whole.open("rb") as text:
        part.write_bytes(text.read(QUICK_BYTES) + text.readline())
    return part


def write_sized(source: Path, size: int, target: Path) -> None:
    """Write so many bytes of a text and of its copies, no line of which is as it was."""
    with target.open("wb") as file:
        for line in _lines_without_end(source):
            if len(line) >= size:
                file.write(line[:size].decode("utf-8", "ignore").encode())
                return
            size -= file.write(line)


def _lines_without_end(source: Path) -> Iterator[bytes]:
    with source.open("rb") as lines:
        yield from lines
    chance = random.Random(0)
    while True:  # with a number at the end, so that a long file has words that nobody has met
        with source.open("rb") as lines:
            for line in lines:
                yield b"%s %08x\n" % (line.rstrip(b"\n"), chance.getrandbits(32))


def _unpack(name: str, target: Path) -> None:
    # Streamed: the peak memory of a child process starts from that of its parent.
    path = _source(name)
    open_packed = gzip.open if path.suffix == ".gz" else open
    with open_packed(path, "rb") as source, target.open("wb") as file:
        shutil.copyfileobj(source, file)


def _generate(target: Path) -> None:
    """Lines of 60 to 100 characters, each made of random cuts of the sample's lines."""
    lines = [
        line
        for path in sorted(SAMPLE.rglob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    if not lines:
        raise FileNotFoundError(f"no text to measure with: neither {REAL} nor {SAMPLE} has any")
    chance = random.Random(0)
    size = 0
    with target.open("w", encoding="utf-8", newline="\n") as file:
        while size < GENERATED_CHARACTERS:
            made = ""
            while len(made) < 60:
                line = chance.choice(lines)
                start = chance.randrange(len(line))
                made += line[start : start + 40]
            size += file.write(made + "\n")
