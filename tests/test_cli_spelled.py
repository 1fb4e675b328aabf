"""Messages of the library, as the command line says them."""

from __future__ import annotations

import io
import re

import pytest

from kugiri.cli import group
from kugiri.cli.display import say, working
from kugiri.cli.spelled import as_typed, options_of


@pytest.mark.parametrize(
    ("command", "message", "typed"),
    [
        ("train", "use vocab_size=9 or more, unit='byte', or limit_alphabet",
         "use --vocab-size 9 or more, --unit byte, or --limit-alphabet"),
        ("train", "use special_tokens=['<unk>'], or none", "use --special-token '<unk>', or none"),
        ("train", "in Python special_tokens={'a': 9}", "in Python special_tokens={'a': 9}"),
        ("train", "or hard_vocab_limit=False", "or --no-hard-vocab-limit"),
        ("train", "with errors=\"replace\" (--errors replace)", "with --errors replace"),
        ("train", "name one with field= (--field)", "name one with --field"),
        ("sweep", "vocab_size=9 was not reached", "--sizes 9 was not reached"),
        ("sweep", "byte_fallback=True keeps them", "--vary byte-fallback=true keeps them"),
        ("sweep", "the normalizer of unit='char'", "the normalizer of --unit char"),
        ("train", "byte_fallback=True would keep them", "--byte-fallback would keep them"),
        ("corpus", "size=2, by='line' leaves no text", "--eval-size 2, --by line leaves no text"),
        ("decode", "give pattern= (--pattern), a regex", "give --pattern, a regex"),
        ("convert", "(load it with pattern='gpt2', --pattern gpt2); special tokens",
         "(load it with --pattern gpt2); special tokens"),
        ("convert", r"(load it with pattern='[\\s\\S]+', --pattern '[\s\S]+'); .kugiri.json",
         r"(load it with --pattern '[\s\S]+'); .kugiri.json"),
        ("encode", "use vocab_size=9", "use vocab_size=9"),
        ("train", "my_vocab_size.txt: no field or model", "my_vocab_size.txt: no field or model"),
        ("train", "d/vocab_size: gone", "d/vocab_size: gone"),
    ],
)  # fmt: skip
def test_options_as_they_are_typed(command: str, message: str, typed: str) -> None:
    assert as_typed(message, options_of(group, [command])) == typed


def test_a_command_of_a_command() -> None:
    options = options_of(group, ["fetch", "wordpress", "example.org"])
    assert as_typed("timeout is nan; code_out", options) == "timeout is nan; --code-out"
    assert options_of(group, ["unknown"]) == {}


def test_a_warning_stands_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    with working("training …"):
        say("kugiri: warning: [bold]" + "x" * 60)
    shown = re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\r", "", terminal.getvalue())
    assert f"kugiri: warning: [bold]{'x' * 60}" in shown.splitlines()
