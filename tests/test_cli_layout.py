"""Tables on narrow terminals: what stands there in a pipe, with no number and no word broken."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from rich.cells import cell_len

from kugiri.cli.display import shortened
from tests.terminals import on_terminal
from tests.test_cli_main import run, train

SAMPLE = "python/kugiri/sample"
MONEY = ["--price-in", "2.50", "--price-out", "10", "--output-tokens", "500", "--currency", "JPY"]
MODEL = ["--context", "8192", "--layers", "32", "--dimension", "4096"]
COMMANDS = {
    "count": ["count", "-t", "{}", SAMPLE],
    "money": ["count", "-t", "{}", *MONEY, f"{SAMPLE}/law.txt", f"{SAMPLE}/code.txt"],
    "all of it": ["count", "-t", "{}", *MONEY, *MODEL, f"{SAMPLE}/law.txt", f"{SAMPLE}/code.txt"],
    "checks": ["check", "--list"],
    "inspect": ["inspect", "{}", "--dimension", "4096"],
    "measure": ["measure", "-t", "{}", "-t", "the-same-by-a-long-name={}", "--draws", "40",
                "--corpus", f"ja={SAMPLE}/law.txt", "--metric", "tokens", "--metric", "tokens"],
    "plan": ["plan", SAMPLE],
    "verify": ["verify", "{}", "{}", f"{SAMPLE}/law.txt"],
    "trace": ["train", SAMPLE, "--vocab-size", "500", "--quiet", "--trace", "9"],
    "metrics": ["measure", "--list-metrics"],
}  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    text = Path(SAMPLE, "japanese.txt").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("layout") / "a.kugiri.json"
    return train(path, "--vocab-size", "600", text=text)


def drawn(*arguments: str, width: int) -> str:
    """What is on a terminal in the end, without signs that turned and without bars."""
    shown = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]|[█▏▎▍▌▋▊▉]", "", on_terminal(width, *arguments))
    return re.sub("[⠀-⣿] [^\n…]*…", "", shown)


def parts(output: str) -> set[str]:
    """The words of an output; names of files in their parts."""
    return set(re.split(r"\s+|(?<=[/|])", re.sub("[█▏▎▍▌▋▊▉]", "", output)))


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_broken(name: str, width: int, tokenizer: Path) -> None:
    arguments = [it.format(tokenizer) for it in COMMANDS[name]]
    whole = run(*arguments)
    assert whole.code == 0, whole.err
    shown = drawn(*arguments, width=width)
    assert parts(shown) - parts(whole.out) - {""} == set()
    assert max(map(cell_len, shown.splitlines())) <= width


def test_the_columns_without_room_stand_below(tokenizer: Path) -> None:
    arguments = [it.format(tokenizer) for it in COMMANDS["all of it"]]
    shown = drawn(*arguments, width=60)
    firsts = [line.split()[0] for line in shown.splitlines() if line]
    assert [firsts.count(name) for name in ("file", "total", "difference")] == [2, 2, 2]
    document = run(*arguments, "--json").out
    for amount in re.findall(r'"(?:input|output|total)": "([0-9.-]+)"', document):
        assert any(amount in line for line in shown.splitlines()) or Decimal(amount) in (10, 2.5)


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("<BOM>using System;", 18, "<BOM>using System;"),
        ("aaaaaa<U+0085>bbbbbb", 16, "aaaaaa…bbbbbb"),
        ("<4/MSP>aaaaaaaaaaaaaaaaaaaa", 16, "<4/MSP>a…aaaaaaa"),
        ("12 345 6789 1011 1213", 15, "12 345 … 1213"),
        ("<e5 b0 8f e5 b0 8f e5 b0 8f>", 12, "<e5 b0… 8f>"),
    ],
)
def test_what_is_long_is_cut_between_names_and_numbers(text: str, most: int, expected: str) -> None:
    assert shortened(text, most) == expected
