"""`kugiri train`: what it prints, what it writes, and what it refuses before it starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from test_cli_main import run

WORDS = "low\n" * 5 + "lower\n" * 2 + "newest\n" * 6 + "widest\n" * 3

SENNRICH = """\
 #  merge             count  applied
 1  e + s → es            9        9
 2  es + t → est          9        9
 3  est + _ → est_        9        9
 4  l + o → lo            7        7
 5  lo + w → low          7        7
 6  n + e → ne            6        6
 7  ne + w → new          6        6
 8  new + est_ → newest_  6        6
 9  low + _ → low_        5        5
10  w + i → wi            3        3
"""


def names(folder: Path) -> list[str]:
    """What lies in a folder, hidden files too."""
    return sorted(file.name for file in folder.iterdir())


def test_trace_of_counted_words() -> None:
    result = run(
        "train", "-", "--unit", "char", "--pre-tokenizer", "whitespace", "--end-of-word", "_",
        "--tie", "first-seen", "--num-merges", "10", "--trace", "10", stdin=WORDS,
    )  # fmt: skip
    assert result.code == 0
    assert [line.split() for line in result.out.splitlines()] == [
        line.split() for line in SENNRICH.splitlines()
    ]


def test_trace_shows_parts_of_characters_and_spaces() -> None:
    result = run("train", "-", "--num-merges", "3", "--trace", "9", stdin="a 小\na 小\n")
    assert [line.split() for line in result.out.splitlines()[1:]] == [
        ["1", "␠", "+", "<e5>", "→", "<20", "e5>", "2", "2"],
        ["2", "<b0>", "+", "<8f>", "→", "<b0", "8f>", "2", "2"],
        ["3", "<20", "e5>", "+", "<b0", "8f>", "→", "␠小", "2", "2"],
    ]


def test_saves_and_says_so(tmp_path: Path) -> None:
    output = tmp_path / "a.kugiri.json"
    result = run("train", "-", "-o", output, "--num-merges", "2", stdin=WORDS)
    assert (result.code, result.out) == (0, f"{output}\n")
    assert "kugiri: trained on 4 different words: 2 merges, vocabulary 258, " in result.err
    assert names(tmp_path) == ["a.kugiri.json"]


def test_quiet(tmp_path: Path) -> None:
    output = tmp_path / "a.kugiri.json"
    result = run("train", "-", "-o", output, "--num-merges", "2", "--quiet", stdin=WORDS)
    assert result == (0, f"{output}\n", "")


def test_json(tmp_path: Path) -> None:
    output = tmp_path / "a.kugiri.json"
    result = run(
        "train", "-", "-o", output, "--json", "--trace", "1", "--vocab-size", "258",
        "--special-token", "<|endoftext|>", stdin="a 小\na 小\n",
    )  # fmt: skip
    described = json.loads(result.out)
    assert described["path"] == str(output)
    assert (described["vocab_size"], described["num_merges"]) == (258, 1)
    assert described["merges"] == [
        {"left": " ", "right": "<e5>", "result": "<20 e5>", "count": 2, "applied": 2}
    ]


def test_json_of_characters() -> None:
    result = run("train", "-", "--unit", "char", "--num-merges", "1", "--json", "--trace", "1",
                 stdin="猫は\n猫は\n")  # fmt: skip
    assert json.loads(result.out)["merges"] == [
        {"left": "猫", "right": "は", "result": "猫は", "count": 2, "applied": 2}
    ]


def test_files_folders_and_globs(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("ab\n" * 2)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("ab\n" * 3)
    for corpus in ([tmp_path], [tmp_path / "*.txt", tmp_path / "sub"], [tmp_path / "**/*.txt"]):
        result = run("train", *corpus, "--num-merges", "1", "--trace", "1")
        assert result.out.split()[-6:] == ["a", "+", "b", "→", "ab", "5", "5"][-6:]


def test_replaced_bytes_are_counted_in_a_warning() -> None:
    options = ("--num-merges", "0", "--trace", "0", "--errors", "replace")
    result = run("train", "-", *options, stdin=b"a\xff\xffb")
    assert result.code == 0
    assert "kugiri: warning: " in result.err
    assert "2" in result.err.partition("warning: ")[2].partition("\n")[0]


def test_too_large_a_vocabulary_is_a_warning() -> None:
    result = run("train", "-", "--vocab-size", "9000", "--trace", "0", stdin=WORDS)
    assert result.code == 0
    warning = result.err.partition("kugiri: warning: ")[2].partition("\n")[0]
    assert "9000" in warning.replace(",", "")


def test_no_output_is_refused_early() -> None:
    result = run("train", "no such file", "--vocab-size", "300")
    assert result.code == 2
    assert "say with -o FILE where to save the tokenizer" in result.err


@pytest.mark.parametrize(
    ("options", "stdin", "code", "message"),
    [
        pytest.param(["--num-merges", "1"], "", 1, "empty", id="empty corpus"),
        pytest.param(["--num-merges", "1"], "\n\n \n", 1, "empty", id="blank lines"),
        pytest.param(["--vocab-size", "255"], "x", 1, "256", id="vocabulary below the bytes"),
        pytest.param(
            ["--vocab-size", "1", "--unit", "char"], "猫は", 1, "2", id="below the alphabet"
        ),
        pytest.param([], "x", 2, "--vocab-size", id="no size"),
        pytest.param(
            ["--vocab-size", "300", "--num-merges", "3"], "x", 2, "--num-merges", id="both"
        ),
        pytest.param(
            ["--num-merges", "1"], b"ok\nab\xff", 1, "<stdin>: line 2, byte 3", id="no UTF-8"
        ),
        pytest.param(
            ["--vocab-size", "300", "--tie", "lowest-id"], "x", 2, "'lowest-ids'", id="tie"
        ),
        pytest.param(["--vocab-size", "300", "--model", "bqe"], "x", 2, "'bpe'", id="model"),
        pytest.param(["--vocab-size", "300", "--unit", "bytes"], "x", 2, "'byte'", id="unit"),
        pytest.param(["--vocab-size", "300", "--preset", "gpt3"], "x", 2, "'gpt4'", id="preset"),
        pytest.param(
            ["--vocab-size", "300", "--documents", "line"], "x", 2, "'lines'", id="documents"
        ),
        pytest.param(["--vocab-size", "300", "--pre-tokenizer", "("], "x", 2, "(", id="bad regex"),
        pytest.param(
            ["--vocab-size", "300", "--min-frequency", "-1"], "x", 2, "-1", id="frequency"
        ),
    ],
)
def test_refused(
    options: list[str], stdin: bytes | str, code: int, message: str, tmp_path: Path
) -> None:
    result = run("train", "-", "-o", tmp_path / "a.kugiri.json", *options, stdin=stdin)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("kugiri: error: ")
    assert result.err.count("\n") == 1
    assert message in result.err
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        pytest.param("none.txt", "no such file, folder or glob: '{}'", id="missing"),
        pytest.param(".", "no file of text in it", id="folder without text"),
        pytest.param("*.txt", "no such file, folder or glob", id="glob without match"),
        pytest.param("a.gz", "not a whole gzip file", id="wrong file type"),
    ],
)
def test_corpus_that_cannot_be_read(corpus: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(b"plain")
    folder = tmp_path if corpus == "a.gz" else tmp_path / "empty"
    (tmp_path / "empty").mkdir()
    result = run("train", folder / corpus, "--num-merges", "1", "--trace", "1")
    assert (result.code, result.out) == (1, "")
    assert message.format(folder / corpus) in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("output", "code", "message"),
    [
        pytest.param("", 1, "this is a folder", id="folder"),
        pytest.param("none/a.kugiri.json", 1, "there is no folder", id="no folder"),
        pytest.param("file/a.kugiri.json", 1, "there is no folder", id="file for a folder"),
        pytest.param(
            "a.xyz", 2, "a.xyz: the name must end with one of .kugiri.json", id="unknown format"
        ),
        pytest.param("locked/a.kugiri.json", 1, "no permission", id="no permission"),
    ],
)
def test_output_is_checked_before_training(
    output: str, code: int, message: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "locked").mkdir(mode=0o555)
    if output.startswith("locked") and os.access(tmp_path / "locked", os.W_OK):
        pytest.skip("this user may write everywhere")
    result = run("train", "no such corpus", "-o", tmp_path / output, "--num-merges", "1")
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_ctrl_c_during_training_leaves_nothing(tmp_path: Path) -> None:
    corpus, output = tmp_path / "corpus.txt", tmp_path / "out" / "a.kugiri.json"
    output.parent.mkdir()
    corpus.write_text("".join(f"{i * 7919 % 1000003:x}" for i in range(4_000_000)))
    process = subprocess.Popen(
        [sys.executable, "-m", "kugiri", "train", str(corpus), "-o", str(output),
         "--pre-tokenizer", "none", "--vocab-size", "900000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    time.sleep(1.5)
    assert process.poll() is None, "training ended before it could be stopped"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)  # how soon is no matter of a test on a busy machine
    assert (process.returncode, out) == (130, b"")
    assert err.decode().strip() == "kugiri: stopped"
    assert names(output.parent) == []
