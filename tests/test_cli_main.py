"""What all commands share: help, exit codes, one line for an error, UTF-8, pipes, start-up."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.text import Text

import kugiri
from kugiri.cli import COMMANDS, main


class Result(NamedTuple):
    """What a command line did."""

    code: int
    out: str
    err: str


def run(*arguments: str | Path, stdin: bytes | str = b"") -> Result:
    """Run a command line in this process."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = (io.TextIOWrapper(io.BytesIO(), newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        patch.setattr("warnings.showwarning", None)
        with pytest.raises(SystemExit) as exit_:
            main([str(argument) for argument in arguments])
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return Result(int(exit_.value.code or 0), *texts)


def spawn(
    *arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kugiri", *map(str, arguments)],
        input=stdin, capture_output=True, check=False, timeout=60, env=os.environ | (env or {}),
    )  # fmt: skip


def in_terminal(*arguments: str | Path, columns: int = 80) -> tuple[int, str]:
    """Run a command line in a terminal; give its code and what it shows, without colours."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "kugiri", *map(str, arguments)]
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(columns), "NO_COLOR": ""}
    with subprocess.Popen(command, stdout=theirs, stdin=theirs, env=env) as process:
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b"")).decode().replace("\r", "")
    os.close(ours)
    return process.returncode, Text.from_ansi(shown).plain


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""


def train(path: Path, *options: str, text: str = "猫は魚\n猫は鳥\n") -> Path:
    """Train on a text and save to `path`."""
    result = run("train", "-", "-o", path, *options, stdin=text)
    assert result.code == 0, result.err
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_shows_an_example(command: str) -> None:
    result = run(command, "--help")
    assert (result.code, result.err) == (0, "")
    assert f"Example:\n    kugiri {command}" in result.out
    shown = result.out.partition("Example:\n")[2].splitlines()
    assert max(map(len, shown)) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_option_texts_fill_one_line(command: str) -> None:
    options = run(command, "--help").out.partition("Options:\n")[2].partition("\n\n")[0]
    assert all(line.startswith("  -") for line in options.splitlines())


def test_help_lists_the_commands_in_their_order() -> None:
    listing = run("--help").out.partition("Commands:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in listing.splitlines()] == list(COMMANDS)


def test_version() -> None:
    assert run("--version") == (0, f"kugiri {kugiri.__version__}\n", "")


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys, kugiri.cli\n"
        "try: kugiri.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print({'numpy', 'rich', 'msgspec', 'kugiri._core', 'kugiri.cli.train'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"set()"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["trian"], "No such command 'trian'", id="command"),
        pytest.param(["train", "x", "--vocab-sice", "8"], "--vocab-size", id="option, nearest"),
        pytest.param(["train"], "Missing argument 'CORPUS...'", id="no corpus"),
        pytest.param(["encode", "x"], "Missing option '-t'", id="no tokenizer"),
        pytest.param(["encode", "-t", "f", "a", "b"], "stands in quotes", id="two texts"),
        pytest.param(["count", "-t", "f", "--max-tokens", "-1"], "-1", id="negative limit"),
        pytest.param(["count", "--context", "128k", "x"], "all its digits", id="no number"),
        pytest.param(["inspect", "x", "--dimension", "0"], "x>=1", id="no dimension"),
        pytest.param(
            ["decode", "-t", "f", "--errors", "ignore"], "'replace', 'strict'", id="choice"
        ),
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "", "--num-merges", "1", "--json"],
        ["sweep", "", "--sizes", "256"],
        ["plan", ""],
        ["corpus", ""],
        ["corpus", "a", "-o", ""],
        ["corpus", "a", "--eval-out", "", "--eval-size", "2"],
        ["corpus", "a", "--clean", "--code-out", ""],
        ["train", "a", "--num-merges", "1", "-o", ""],
        ["sweep", "a", "--sizes", "256", "-o", ""],
        ["fetch", "wordpress", "example.org", "-o", ""],
        ["fetch", "wordpress", "example.org", "-o", "a", "--code-out", ""],
        ["encode", "-t", "", "a"],
        ["decode", "-t", "", "1"],
        ["count", "-t", "a", ""],
        ["inspect", ""],
        ["inspect", "a", "--corpus", ""],
    ],
)
def test_an_empty_name_is_no_folder(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "an empty name came where a file is needed" in result.err


def test_a_failure_is_one_line_and_exits_with_1() -> None:
    result = run("encode", "-t", "none.kugiri.json", "x")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("kugiri: error: ")
    assert "none.kugiri.json" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "env",
    [
        pytest.param({"LC_ALL": "C", "PYTHONIOENCODING": ""}, id="C"),
        pytest.param(
            {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="ASCII"
        ),
        pytest.param({"PYTHONIOENCODING": "ascii"}, id="PYTHONIOENCODING=ascii"),
        pytest.param({"PYTHONIOENCODING": "shift_jis"}, id="PYTHONIOENCODING=shift_jis"),
    ],
)
def test_japanese_is_utf8_in_any_locale(env: dict[str, str], tmp_path: Path) -> None:
    file = train(tmp_path / "a.kugiri.json", "--num-merges", "3")
    done = spawn("encode", "-t", file, "--tokens", stdin="猫 は".encode(), env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "<e7>|<8c ab>|␠|は\n"
    failed = spawn("train", "-", "-o", tmp_path / "無" / "a.kugiri.json", stdin=b"x", env=env)
    assert "無" in failed.stderr.decode()


def test_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    file = train(tmp_path / "a.kugiri.json", "--num-merges", "0")
    command = f"yes 猫 | head -n 200000 | {sys.executable} -m kugiri encode -t {file} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, check=True, timeout=60)
    assert done.stdout == b"231 140 171\n"
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_full_disk_is_an_error(tmp_path: Path) -> None:
    file = train(tmp_path / "a.kugiri.json", "--num-merges", "0")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kugiri", "encode", "-t", str(file), "猫"],
            stdout=full, stderr=subprocess.PIPE, check=False, timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, b"kugiri: error: No space left on device\n")
