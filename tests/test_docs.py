"""The documents say what is true: their examples run, and what they link to is there.

The examples of a page share one folder (with the project's `python/` in it) and one namespace, from
top to bottom. Where a command shows output, that is what it prints; where none, it must only work.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page
    for folder in ("", "docs/**/", "benchmarks/", "python/kugiri/sample/")
    for page in ROOT.glob(f"{folder}*.md")
)
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str
    line: int


def blocks(page: Path, language: str) -> list[Block]:
    """The blocks of a page in one language."""
    text = page.read_text(encoding="utf-8")
    found = (
        Block(match[2], match[3], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    )
    return [block for block in found if block.language == language]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the examples of a page run."""
    (tmp_path / "python").symlink_to(ROOT / "python")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_python_examples(name: str, folder: Path) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    failures: list[str] = []
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(ROOT / name, "python"):
        test = doctest.DocTestParser().get_doctest(block.text, namespace, name, name, block.line)
        assert test.examples, f"{name}, line {block.line}: only what stands behind >>> is run"
        test.globs = namespace  # the parser copies it; the next block goes on where this one ends
        runner.run(test, out=failures.append, clear_globs=False)
    assert not failures, "".join(failures)


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a block, each with the output shown below it."""
    found = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        length = 1
        while lines[length - 1].endswith("\\"):  # the command goes on in the next line
            length += 1
        found.append(("\n".join(lines[:length]), "\n".join(lines[length:])))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_commands(name: str, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"}
    checker = doctest.OutputChecker()
    for block in blocks(ROOT / name, "console"):
        for command, shown in commands(block):
            done = subprocess.run(
                command, shell=True, env=environment, capture_output=True, timeout=120, check=False
            )
            printed = done.stdout.decode()
            assert done.returncode == 0, f"{command}\n{printed}{done.stderr.decode()}"
            if shown.strip():
                assert checker.check_output(shown, printed, FLAGS), f"{command}\n{printed}"


# ── links ─────────────────────────────────────────────────────────────────────────────────────
def prose(page: Path) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """The names of the headings of a page, as they stand in links."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", NAMES)
def test_links(name: str) -> None:
    page = ROOT / name
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


def test_the_four_files_to_read_first() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    _, _, after = text.partition("four files first")
    files = re.findall(r"^(\d)\. \[[^]]+\]\(([^)]+)\)", after, re.MULTILINE)
    assert [number for number, _ in files] == ["1", "2", "3", "4"]
    assert all((ROOT / file).is_file() for _, file in files)
