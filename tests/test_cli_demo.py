"""`kugiri demo`: the whole story on one screen, in a terminal and in a pipe."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from rich.cells import cell_len
from rich.text import Text

from kugiri.cli.demo import BYTE_SIZES, CHARACTER_SIZES, NEXT, SENTENCE
from kugiri.cli.display import readable
from test_cli_main import run


def test_demo_tells_the_whole_story() -> None:
    result = run("demo")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert "\x1b" not in result.out
    rows = (line.split() for line in lines if line.startswith(("BPE of", "byte-level BPE")))
    table = [row for row in rows if row[-1] != "tokens"]
    sizes = [int(row[-3].replace(",", "")) for row in table]
    assert sizes == [*CHARACTER_SIZES, *BYTE_SIZES]
    tokens = [int(row[-2].replace(",", "")) for row in table]
    assert tokens[:4] == sorted(tokens[:4], reverse=True)
    assert tokens[4:] == sorted(tokens[4:], reverse=True)
    assert table[4][-1] == "1.000"
    assert f"  {'|'.join(SENTENCE)}" in lines
    assert "  the same text: yes" in lines
    assert [line.strip() for line in lines[-3:]] == list(NEXT)


def test_every_row_of_the_split_is_the_sentence_again() -> None:
    splits = [line.strip() for line in run("demo").out.splitlines() if "|" in line]
    assert len(splits) == 2 + len(CHARACTER_SIZES) + len(BYTE_SIZES)
    for split in splits:
        if "<" not in split:
            assert split.replace("|", "") == readable(SENTENCE)


def test_a_terminal_gets_colours_and_lines_that_fit() -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "kugiri", "demo"]
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "60", "NO_COLOR": ""}
    with subprocess.Popen(command, stdout=theirs, stdin=theirs, env=env) as process:
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b"")).decode().replace("\r", "")
    assert process.returncode == 0
    assert "\x1b[" in shown
    split_lines = [line for line in Text.from_ansi(shown).plain.splitlines() if "|" in line]
    assert max(map(cell_len, split_lines)) <= 60
    assert all(line.startswith("  ") for line in split_lines)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""
