"""`kugiri count`: sizes and ratios, a limit that can be broken."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from test_cli_main import run, train


@pytest.fixture
def tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """猫 is one token; in the current directory lie a text, a packed text and an empty one."""
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    Path("texts", "a.txt").write_text("猫は\n", encoding="utf-8")
    Path("texts", "b.txt.gz").write_bytes(gzip.compress(b"abc"))
    Path("empty.txt").write_text("")
    return train(tmp_path / "a.kugiri.json", "--num-merges", "2", text="猫\n猫\n")


ONE = """\
file         bytes characters tokens bytes/token characters/token
texts/a.txt 7 3 5 1.400 0.600
"""
SEVERAL = f"""\
{ONE}texts/b.txt.gz 3 3 3 1.000 1.000
total 10 6 8 1.250 0.750
"""


@pytest.mark.parametrize(
    ("files", "stdin", "out"),
    [
        pytest.param(["texts/a.txt"], "", ONE, id="file"),
        pytest.param(["texts"], "", SEVERAL, id="folder"),
        pytest.param(["texts/a.txt", "texts/b.txt.gz"], "", SEVERAL, id="files"),
        pytest.param(["texts/*"], "", SEVERAL, id="glob"),
        pytest.param(["-"], "猫は\n", ONE.replace("texts/a.txt", "<stdin>"), id="stdin"),
        pytest.param([], "猫は\n", ONE.replace("texts/a.txt", "<stdin>"), id="stdin by default"),
    ],
)
def test_count(tokenizer: Path, files: list[str], stdin: str, out: str) -> None:
    result = run("count", "-t", tokenizer, *files, stdin=stdin)
    assert (result.code, result.err) == (0, "")
    assert [line.split() for line in result.out.splitlines()] == [
        line.split() for line in out.splitlines()
    ]


def test_nothing_has_no_ratio(tokenizer: Path) -> None:
    result = run("count", "-t", tokenizer, "empty.txt")
    assert result.out.splitlines()[1].split() == ["empty.txt", "0", "0", "0", "–", "–"]
    total = json.loads(run("count", "-t", tokenizer, "--json", "empty.txt").out)["total"]
    assert total["bytes_per_token"] is None


def test_json(tokenizer: Path) -> None:
    result = run("count", "-t", tokenizer, "--json", "texts")
    counted = json.loads(result.out)
    assert [file["path"] for file in counted["files"]] == ["texts/a.txt", "texts/b.txt.gz"]
    assert counted["total"] == {
        "bytes": 10,
        "characters": 6,
        "tokens": 8,
        "bytes_per_token": 1.25,
        "characters_per_token": 0.75,
    }


@pytest.mark.parametrize(("limit", "code"), [("8", 0), ("7", 3), ("0", 3)])
def test_limit(tokenizer: Path, limit: str, code: int) -> None:
    result = run("count", "-t", tokenizer, "--max-tokens", limit, "texts")
    assert result.code == code
    assert result.out.splitlines()[-1].startswith("total")
    assert result.err == ("" if code == 0 else f"kugiri: 8 tokens, {limit} allowed\n")


def test_long_names_are_not_cut_in_a_pipe(tokenizer: Path) -> None:
    name = Path("長い名前" * 20 + ".txt")
    name.write_text("a")
    assert str(name) in run("count", "-t", tokenizer, name).out


def test_invalid_utf8(tokenizer: Path) -> None:
    Path("bad.txt").write_bytes(b"ok\nab\xff")
    result = run("count", "-t", tokenizer, "bad.txt")
    assert (result.code, result.out) == (1, "")
    assert "bad.txt: line 2, byte 3 of the line: 0xff is not UTF-8" in result.err
    replaced = run("count", "-t", tokenizer, "bad.txt", "--errors", "replace")
    assert replaced.code == 0
    assert "bad.txt: 1 invalid UTF-8" in replaced.err
