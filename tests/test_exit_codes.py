"""Exit codes, one rule for all commands: a wrong option is usage (2), whatever refuses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kugiri
from test_cli_main import run

T = ["-t", "t.kugiri.json"]
MEASURE = ["measure", *T, "--corpus", "a.txt"]
SWEEP = ["sweep", "a.txt", "--sizes", "260"]
VARY = [*SWEEP, "--eval", "a.txt", "--vary"]
COUNT = ["count", *T, "a.txt"]
TRAIN = ["train", "a.txt", "-o", "new.kugiri.json", "--num-merges", "1"]

WRONG = {
    "train": [
        [*TRAIN, "--unit", "x"], [*TRAIN, "--tie", "x"], [*TRAIN, "--pre-tokenizer", "("],
        [*TRAIN, "--normalizer", "x"], [*TRAIN, "--preset", "x"], [*TRAIN, "--threads", "0"],
        [*TRAIN, "--min-frequency", "0"], [*TRAIN, "--documents", "x"], [*TRAIN, "--errors", "x"],
        [*TRAIN, "--vocab-size", "300"], [*TRAIN, "--special-token", ""],
        [*TRAIN, "-o", "a.xyz"], [*TRAIN, "-o", "a.model"],
        ["train", "a.txt", "-o", "a.kugiri.json"],
    ],
    "encode": [
        ["encode", *T, "--allowed-special", "<x>", "a"], ["encode", *T, "--nbest", "0", "a"],
        ["encode", *T, "--sample", "--method", "x", "a"], ["encode", *T, "--add-bos", "a"],
        ["encode", *T, "--sample", "--alpha", "2", "a"], ["encode", *T, "--out", "a.txt", "a.txt"],
    ],
    "decode": [["decode", *T, "--errors", "x", "1"]],
    "count": [
        [*COUNT, "--price-in", "x"], [*COUNT, "--price-in", "-1"], [*COUNT, "--price-in", ""],
        [*COUNT, "--price-in", "1", "--price-out", "nan"], [*COUNT, "--context", "0"],
        [*COUNT, "--price-in", "1", "--currency", ""], [*COUNT, "--max-tokens", "-1"],
        ["count", "--model", "nobody-knows-it", "--price-in", "1", "a.txt"],
        [*COUNT, "--model", ""], [*COUNT, "--layers", "x", "--dimension", "1"],
    ],
    "measure": [
        [*MEASURE, "--metric", "x"], [*MEASURE, "--draws", "1"], [*MEASURE, "--segmenter", "x"],
        [*MEASURE, "--fail-if", "x"], [*MEASURE, "--documents", "x"], [*MEASURE, "--pattern", "x"],
    ],
    "sweep": [
        [*SWEEP, "--models", "x"], [*SWEEP, "--models", ""], [*SWEEP, "--sizes", "0"],
        [*SWEEP, "--sizes", ""], [*SWEEP, "--unit", "x"], [*SWEEP, "--pre-tokenizer", "("],
        [*SWEEP, "--parameters", "0"], [*SWEEP, "--parameters", "9Q"],
        [*SWEEP, "--parameters", "9", "--dimension", "0"],
        [*SWEEP, "--parameters", "9", "--training-bytes", "x"],
        [*SWEEP, "--parameters", "9", "--plot", "x.pdf"], [*SWEEP, "--preset", "llama2"],
        [*SWEEP, "--models", "word", "--tie", "first-seen"], [*SWEEP, "--threads", "0"],
        [*VARY, "x=1"], [*VARY, "unit=x"], [*VARY, "vocab_size=1"], [*VARY, "pre_tokenizer=gpt2,("],
        [*VARY, "seed=x"], [*VARY, "unit=byte,byte"], [*VARY, "unit=byte", "--metric", "x"],
    ],
    "check": [
        ["check", "t.kugiri.json", "--only", "x"], ["check", "t.kugiri.json", "--ignore", "x"],
        ["check", "t.kugiri.json", "--cases", "-1"], ["check", "t.kugiri.json", "--fail-on", "x"],
        ["check", "t.kugiri.json", "--documents", "x"], ["check"],
        ["check", "t.kugiri.json", "--ignore", "leak.looks/x"],
    ],
    "inspect": [
        ["inspect", "t.kugiri.json", "--dimension", "-1"], ["inspect", "t.kugiri.json", "--untied"],
        ["inspect", "t.kugiri.json", "--longest", "-1"],
        ["inspect", "t.kugiri.json", "--corpus", "a.txt", "--documents", "x"],
    ],
    "explain": [
        ["explain", *T, "--allowed-special", "<x>", "a"], ["explain", *T, "--nbest", "0", "a"],
        ["explain", *T, "--why", "x", "a"], ["explain", "--training", "a.txt", "--unit", "x"],
    ],
    "convert": [
        ["convert", "t.kugiri.json", "x.bin"], ["convert", "t.kugiri.json", "x", "--format", "x"],
        ["convert", "t.kugiri.json", "tokenizer.json", "--verify", "a.txt", "--at-least", "2"],
    ],
    "verify": [
        ["verify", "t.kugiri.json", "t.kugiri.json", "--random", "0"],
        ["verify", "t.kugiri.json", "t.kugiri.json", "--random", "-1"],
        ["verify", "t.kugiri.json", "t.kugiri.json", "a.txt", "--documents", "x"],
    ],
    "plan": [
        ["plan", "a.txt", "--unit", "x"], ["plan", "a.txt", "--model", "x"],
        ["plan", "a.txt", "--pre-tokenizer", "("], ["plan", "a.txt", "--vocab-size", "0"],
    ],
    "corpus": [
        ["corpus", "a.txt", "-o", "x.parquet"], ["corpus", "a.txt", "--documents", "x"],
        ["corpus", "a.txt", "--eval-out", "e.txt", "--eval-size", "x"],
        ["corpus", "a.txt", "--eval-out", "e.txt", "--eval-size", "0"],
        ["corpus", "a.txt", "--keep-one-in", "0"],
    ],
    "fetch": [
        ["fetch", "wordpress", "example.org", "-o", "x.txt", "--timeout", "nan"],
        ["fetch", "wordpress", "me:secret@example.org", "-o", "x.txt"],
    ],
    "serve": [["serve", *T, "--port", "70000"]],
}  # fmt: skip
"""What can be seen to be wrong from the command line, or from it and the tokenizer it names."""

FAILS = [
    ["train", "none.txt", "-o", "new.kugiri.json", "--num-merges", "1"],
    ["train", "a.txt", "-o", "none/new.kugiri.json", "--num-merges", "1"],
    ["train", "empty.txt", "-o", "new.kugiri.json", "--num-merges", "1"],
    ["train", "a.txt", "-o", "new.kugiri.json", "--vocab-size", "9"],
    ["encode", "-t", "none.kugiri.json", "a"],
    ["decode", *T, "999"],
    ["count", "-t", "a.txt", "a.txt"],
    ["count", *T, "none.txt"],
    [*SWEEP, "--eval", "none.txt"],
    [*SWEEP, "-o", "a.txt"],
    ["check", "none.kugiri.json"],
    ["check", "pattern.json"],
    ["check", "t.kugiri.json", "--ignore-from", "latin.txt"],
    ["measure", *T, "--corpus", "none.txt"],
    ["inspect", "t.kugiri.json", "--lineage", "猫"],
    ["verify", "t.kugiri.json", "none.kugiri.json"],
]
"""What is wrong with a file, a text or this machine."""


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A folder to work in, with a tokenizer and texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("codes"))
        Path("a.txt").write_text("low lower lowest\n" * 3)
        Path("empty.txt").write_text("")
        Path("latin.txt").write_bytes(b"\xe9")
        model = {"type": "BPE", "vocab": {"a": 0}, "merges": []}
        behind = {"type": "Replace", "pattern": {"Regex": "(?<=a+)b"}, "content": ""}
        Path("pattern.json").write_text(json.dumps({"model": model, "normalizer": behind}))
        kugiri.train("a.txt", vocab_size=258).save("t.kugiri.json")
        yield


@pytest.mark.parametrize(
    "arguments", [row for rows in WRONG.values() for row in rows], ids=" ".join
)
def test_a_wrong_option_is_usage(arguments: list[str]) -> None:
    before = sorted(Path().iterdir())
    result = run(*arguments)
    assert (result.code, result.out) == (2, ""), result.err
    assert "rror: " in result.err
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize("arguments", FAILS, ids=" ".join)
def test_what_is_wrong_elsewhere_fails(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (1, ""), result.err
    assert result.err.startswith("kugiri: error: ")
    assert result.err.count("\n") == 1
