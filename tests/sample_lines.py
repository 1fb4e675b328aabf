"""The lines of the bundled texts: one half to train on, the other one held out."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

SAMPLE = Path(str(files("kugiri").joinpath("sample")))
LINES = [
    line
    for file in sorted(SAMPLE.glob("*.txt"))
    for line in file.read_text(encoding="utf-8").split("\n")
    if line.strip()
]
TRAINING, HELD_OUT = LINES[::2], LINES[1::2]
