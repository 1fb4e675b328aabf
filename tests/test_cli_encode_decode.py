"""`kugiri encode` and `kugiri decode`: ids, tokens and JSON, from arguments and from stdin."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from test_cli_main import run, train


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Byte-level BPE: 256 = <8c ab>, 257 = 猫, 258 = <|end|>."""
    folder = tmp_path_factory.mktemp("tokenizer")
    return train(
        folder / "a.kugiri.json",
        *("--vocab-size", "259", "--special-token", "<|end|>"),
        text="猫\n猫\n",
    )


@pytest.mark.parametrize(
    ("arguments", "stdin", "out"),
    [
        pytest.param(["猫 ab"], "", "257 32 97 98\n", id="ids"),
        pytest.param(["--ids", "猫"], "", "257\n", id="ids asked for"),
        pytest.param([""], "", "\n", id="empty text"),
        pytest.param(["猫\n猫"], "", "257 10 257\n", id="a text is one text"),
        pytest.param(["-"], "猫\n\na\r\n猫", "257\n\n97\n257\n", id="a line a text"),
        pytest.param([], "猫\n", "257\n", id="stdin by default"),
        pytest.param([], "", "", id="empty stdin"),
        pytest.param(["--tokens", "猫 魚\n"], "", "猫|␠|<e9>|<ad>|<9a>|␊\n", id="tokens"),
        pytest.param(["--tokens", "-"], "猫猫\na\n", "猫|猫\na\n", id="tokens of lines"),
        pytest.param(["<|end|>"], "", "60 124 101 110 100 124 62\n", id="special token is text"),
        pytest.param(["--allowed-special", "<|end|>", "a<|end|>"], "", "97 258\n", id="allowed"),
        pytest.param(["--allowed-special", "all", "<|end|>"], "", "258\n", id="all allowed"),
    ],
)
def test_encode(tokenizer: Path, arguments: list[str], stdin: bytes | str, out: str) -> None:
    assert run("encode", "-t", tokenizer, *arguments, stdin=stdin) == (0, out, "")


def test_a_text_with_spaces_needs_quotes(tokenizer: Path) -> None:
    result = run("encode", "-t", tokenizer, "猫", "と犬")
    assert (result.code, result.out) == (2, "")
    assert 'a text with spaces stands in quotes: "猫 と犬"' in result.err


def test_tokens_of_visible_characters_are_readable(tokenizer: Path) -> None:
    other = tokenizer.with_name("tokenizer.json")
    assert run("convert", tokenizer, other).code == 0
    assert run("encode", "-t", other, "--tokens", "猫 魚").out == "猫|␠|<e9>|<ad>|<9a>\n"
    assert '"çĮ«"' in run("encode", "-t", other, "--json", "猫").out


def test_replaced_bytes_are_counted_in_a_warning(tokenizer: Path) -> None:
    result = run("encode", "-t", tokenizer, "--errors", "replace", stdin=b"a\xff\n")
    assert (result.code, result.out) == (0, "97 239 191 189\n")
    assert result.err == (
        "kugiri: warning: <stdin>: 1 invalid UTF-8 sequences were read as U+FFFD\n"
    )


def test_encode_json(tokenizer: Path) -> None:
    result = run("encode", "-t", tokenizer, "--json", "猫🚀")
    assert json.loads(result.out) == {
        "text": "猫🚀",
        "utf8_bytes": 7,
        "token_count": 5,
        "token_ids": [257, 240, 159, 154, 128],
        "tokens": ["猫", "<f0>", "<9f>", "<9a>", "<80>"],
        "decoded": "猫🚀",
    }
    assert "猫🚀" in result.out
    assert result.out.count("\n") == 1


def test_encode_json_of_lines(tokenizer: Path) -> None:
    result = run("encode", "-t", tokenizer, "--json", "-", stdin="猫\n\na\n")
    assert [json.loads(line)["token_ids"] for line in result.out.splitlines()] == [[257], [], [97]]


@pytest.mark.parametrize(
    ("arguments", "stdin", "out"),
    [
        pytest.param(["257", "32", "97"], "", "猫 a\n", id="ids"),
        pytest.param(["[257,", "97]"], "", "猫a\n", id="a pasted list"),
        pytest.param(["257,97"], "", "猫a\n", id="commas alone"),
        pytest.param(["-"], "257\n\n97 98\n", "猫\n\nab\n", id="a line a text"),
        pytest.param([], "257", "猫\n", id="stdin by default"),
        pytest.param(["256", "97"], "", "\ufffd\ufffda\n", id="part of a character"),
        pytest.param(["258"], "", "<|end|>\n", id="special token"),
        pytest.param(
            ["--json", "257", "97"], "", '{"token_ids": [257, 97], "text": "猫a"}\n', id="json"
        ),
    ],
)
def test_decode(tokenizer: Path, arguments: list[str], stdin: str, out: str) -> None:
    assert run("decode", "-t", tokenizer, *arguments, stdin=stdin) == (0, out, "")


def test_lines_come_back(tokenizer: Path) -> None:
    text = "猫は魚が好き\n\n\u3000🚀 <|end|>\n"
    ids = run("encode", "-t", tokenizer, stdin=text).out
    assert run("decode", "-t", tokenizer, stdin=ids).out == text


def test_an_unknown_character_is_a_token_without_an_id(tmp_path: Path) -> None:
    file = train(tmp_path / "a.kugiri.json", "--unit", "char", "--num-merges", "1")
    assert run("encode", "-t", file, "--tokens", "猫は駅") == (0, "猫は|駅\n", "")
    result = run("encode", "-t", file, "猫は駅")
    assert result.code == 1
    assert "駅" in result.err


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        pytest.param(["decode", "2x"], "", "'2x' is no id", id="no id"),
        pytest.param(
            ["decode", "２８３"],
            "",
            "'２８３' is no id; ids are numbers in the digits 0 to 9",
            id="full-width digits",
        ),
        pytest.param(["decode", "9" * 5000], "", "at most 10 digits", id="thousands of digits"),
        pytest.param(["decode", "9999"], "", "9999", id="id out of range"),
        pytest.param(["decode", "9" * 30], "", "id", id="id beyond any integer"),
        pytest.param(["decode", "--errors", "strict", "256"], "", "UTF-8", id="strict"),
        pytest.param(["encode"], b"ok\n\xff\n", "<stdin>: line 2, byte 1 ", id="stdin not UTF-8"),
        pytest.param(["encode", "a\udcffb"], "", "1", id="argument not UTF-8"),
    ],
)
def test_refused(tokenizer: Path, arguments: list[str], stdin: bytes | str, message: str) -> None:
    result = run(*arguments, "-t", tokenizer, stdin=stdin)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("kugiri: error: ")
    assert result.err.count("\n") == 1
    assert message in result.err


def test_an_unknown_special_token_is_wrong_usage(tokenizer: Path) -> None:
    result = run("encode", "-t", tokenizer, "--allowed-special", "<|no|>", "a")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("kugiri: error: unknown special token '<|no|>'")


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        pytest.param(["encode"], "猫\n\n猫は駅\n", "line 3: '駅' at character 2", id="ids"),
        pytest.param(["encode", "--json"], "猫\n駅", "line 2: '駅' at character 0", id="json"),
        pytest.param(["decode"], "0\n0 99999\n", "line 2: id 99999 is not in", id="id"),
        pytest.param(["decode"], "0\n\n2x", "line 3: '2x' is no id", id="no id"),
        pytest.param(["encode", "猫駅"], "", "error: '駅' at character 1", id="an argument"),
        pytest.param(["decode", "99999"], "", "error: id 99999 is not in", id="an id"),
    ],
)
def test_the_line_is_named(arguments: list[str], stdin: str, message: str, tmp_path: Path) -> None:
    file = train(tmp_path / "a.kugiri.json", "--unit", "char", "--num-merges", "1")
    result = run(*arguments, "-t", file, stdin=stdin)
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert message in result.err


def test_a_strict_decode_names_the_line(tokenizer: Path) -> None:
    result = run("decode", "-t", tokenizer, "--errors", "strict", stdin="97\n231\n")
    assert (result.code, result.out) == (1, "")
    assert "error: line 2: the ids stand for bytes that are not UTF-8" in result.err


@pytest.mark.parametrize(
    "forms", [["--json", "--tokens"], ["--tokens", "--json"], ["--ids", "--tokens"]]
)
def test_one_form_at_a_time(forms: list[str], tokenizer: Path) -> None:
    result = run("encode", "-t", tokenizer, *forms, "猫")
    assert (result.code, result.out) == (2, "")
    assert "--ids, --tokens and --json exclude each other; JSON has both" in result.err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["encode", "decode", "count"])
def test_closed_streams_are_no_traceback(command: str, closed: str, tokenizer: Path) -> None:
    line = f"{sys.executable} -m kugiri {command} -t {tokenizer} {closed}"
    done = subprocess.run(line, shell=True, capture_output=True, timeout=60, check=False, input=b"")
    assert b"Traceback" not in done.stderr
    which = {"<&-": b"standard input is closed", ">&-": b"standard output is closed"}.get(closed)
    assert done.returncode == (0 if closed == "2>&-" else 1)
    if which:
        assert done.stderr.startswith(b"kugiri: error: " + which)
        assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", ["encode --json", "encode --tokens", "decode"])
def test_a_reader_that_leaves(command: str, tokenizer: Path) -> None:
    line = f"yes 97 | head -n 300000 | {sys.executable} -m kugiri {command} -t {tokenizer}"
    done = subprocess.run(
        f"{line} | head -n 1", shell=True, capture_output=True, timeout=60, check=True
    )
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        pytest.param("a.kugiri.json", None, "a.kugiri.json", id="missing"),
        pytest.param("a.kugiri.json", b"", "a.kugiri.json", id="empty"),
        pytest.param("a.kugiri.json", b"{}", "a.kugiri.json", id="another JSON"),
        pytest.param("a.txt", "猫\n".encode(), "a.txt", id="a text"),
        pytest.param("a.model", bytes(range(256)), "a.model", id="bytes of any kind"),
    ],
)
def test_file_that_is_no_tokenizer(
    name: str, data: bytes | None, message: str, tmp_path: Path
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    result = run("encode", "-t", tmp_path / name, "a")
    assert (result.code, result.out) == (1, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_truncated_tokenizer_and_folder(tokenizer: Path, tmp_path: Path) -> None:
    data = tokenizer.read_bytes()
    for size in (1, len(data) // 2, len(data) - 2):
        (tmp_path / "a.kugiri.json").write_bytes(data[:size])
        result = run("encode", "-t", tmp_path / "a.kugiri.json", "a")
        assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)
    (tmp_path / "folder").mkdir()
    result = run("encode", "-t", tmp_path / "folder", "a")
    assert (result.code, result.err.count("\n")) == (1, 1)
