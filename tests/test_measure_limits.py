"""Limits: every name can be said, every broken one is, and what cannot be checked hides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import kugiri
from kugiri.measure.example import tokenizer_of
from kugiri.measure.limits import Limit, Measured, parse
from kugiri.measure.wanted import Given
from test_cli_main import run
from tests.aligned_texts import ALIGNED, write_aligned

GIVEN = Given(["ja", "a b", "p, q"], ["en", "zh"], "en", has_reference=True)
TOKENIZERS = ["c", "my, own", "gpt (2)", "x) < 3", "q"]
MEASURED = Measured(GIVEN, GIVEN.places(None), TOKENIZERS)


# ── reading ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("tokens > 1", Limit("tokens", None, None, ">", 1)),
        ("tokens() > 1", Limit("tokens", None, None, ">", 1)),
        ("  tokens ( a b , c ) <= -1.5e-3 ", Limit("tokens", "a b", "c", "<=", -0.0015)),
        ("tokens(ja, my, own) > 1", Limit("tokens", "ja", "my, own", ">", 1)),
        ("tokens(p, q) > 1", Limit("tokens", "p, q", None, ">", 1)),
        ("tokens(p, q, my, own) > 1", Limit("tokens", "p, q", "my, own", ">", 1)),
        ("tokens(zh,gpt (2))>=1", Limit("tokens", "zh", "gpt (2)", ">=", 1)),
        ("tokens(zh, x) < 3) < 4", Limit("tokens", "zh", "x) < 3", "<", 4)),
        ("parity(zh, c) > 2", Limit("parity", "zh", "c", ">", 2)),
        ("gini(my, own) > 1", Limit("gini", None, "my, own", ">", 1)),
        ("longest_pieces(q) > 1", Limit("longest_pieces", None, "q", ">", 1)),
    ],
)
def test_a_limit_as_it_is_written(text: str, limit: Limit) -> None:
    assert parse(text, MEASURED) == limit


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("parity(en) > 1", "parity has no value for 'en'; it has for: zh"),
        ("parity(ja) > 1", "parity has no value for 'ja'; it has for: zh"),
        ("parity(ja, c) > 1", "parity has no value for 'ja'; it has for: zh"),
        ("parity(zhh) > 1", "unknown corpus 'zhh'; did you mean 'zh'?"),
        ("tokens(ja, gpt) > 1", "unknown tokenizer 'gpt'; did you mean 'gpt (2)'?"),
        ("gini(en, c) > 1", "gini takes a tokenizer; 2 came"),
        ("gini(own) > 1", "unknown tokenizer 'own'"),
        ("tokens(ja,) > 1", "a name is missing in (ja,); tokens takes a corpus, a tokenizer"),
        ("tokens(ja, c, q) > 1", "tokens takes a corpus, and a tokenizer; 3 came"),
        ("tokns > 1", "unknown metric 'tokns'; did you mean 'tokens'?"),
    ],
)
def test_a_name_that_there_is_not(text: str, message: str) -> None:
    with pytest.raises(kugiri.OptionError) as raised:
        parse(text, MEASURED)
    assert message in str(raised.value)


def test_two_readings_are_refused() -> None:
    given = Given(["a", "a, b"], [], None, has_reference=False)
    measured = Measured(given, given.places(["tokens"]), ["b", "c"])
    with pytest.raises(kugiri.OptionError, match="it can be read in 2 ways"):
        parse("tokens(a, b) > 1", measured)
    assert parse("tokens(a, b, c) > 1", measured).corpus == "a, b"


def test_what_was_not_asked_for() -> None:
    measured = Measured(GIVEN, GIVEN.places(["tokens"]), TOKENIZERS)
    with pytest.raises(kugiri.OptionError, match="speed is none of the metrics= that were asked"):
        parse("speed > 1", measured)
    alone = Given(["ja"], [], None, has_reference=False)
    for metric, needs in (
        ("gini", "aligned texts; give parallel="),
        ("parity", "aligned texts; give parallel= and reference_language="),
        ("normalized_sequence_length", "a tokenizer to compare with; give reference="),
    ):
        with pytest.raises(kugiri.OptionError) as raised:
            parse(f"{metric} > 1", Measured(alone, alone.places(None), TOKENIZERS))
        assert f"{metric} needs {needs}" in str(raised.value)


# ── on the command line ───────────────────────────────────────────────────────────────────────
@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tokenizer_of(["猫"]).save("cats.kugiri.json")
    Path("ja.txt").write_text("猫がいる\n猫\n", encoding="utf-8")
    return tmp_path


ASKED = ("measure", "--corpus", "ja.txt", "--csv", "--quiet", "-t")


def test_an_undefined_value_hides_no_broken_limit(texts: Path) -> None:
    # A text of some bytes has no speed that can be told.
    asked = [*ASKED, "cats.kugiri.json", "--metric", "speed", "--metric", "tokens",
             "--metric", "longest_pieces"]  # fmt: skip
    undefined = "speed(ja, cats) is not defined, so nothing can be said of it"
    result = run(*asked, "--fail-if", "speed > 0", "--fail-if", "tokens > 1",
                 "--fail-if", "longest_pieces(cats) >= 1", "--fail-if", "tokens > 99")  # fmt: skip
    assert result.code == 3
    lines = result.err.splitlines()
    assert lines[:2] == [
        "kugiri: limit broken: tokens(ja, cats) = 11 > 1",
        "kugiri: limit broken: longest_pieces(cats) = 1 >= 1",
    ]
    assert undefined in lines[2]
    assert len(lines) == 3
    result = run(*asked, "--fail-if", "speed > 0", "--fail-if", "tokens > 99")
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert undefined in result.err
    assert result.out.startswith("metric,tokenizer,")  # the report comes all the same


def test_every_undefined_value_is_said(texts: Path) -> None:
    result = run(*ASKED, "cats.kugiri.json", "-t", "b=cats.kugiri.json", "--metric", "speed",
                 "--fail-if", "speed > 0")  # fmt: skip
    assert result.code == 1
    assert [word in result.err for word in ("speed(ja, cats)", "speed(ja, b)")] == [True, True]


def test_parity_of_what_is_not_aligned_is_refused_before_anything_is_read(texts: Path) -> None:
    write_aligned(texts / "aligned", {name: ALIGNED[name] for name in ("ja", "en")})
    Path("broken.kugiri.json").write_text("{")
    asked = [*ASKED[:1], *ASKED[3:], "broken.kugiri.json", "--corpus", "text=ja.txt"]
    result = run(*asked, "--parallel", "aligned", "--fail-if", "parity(text) > 2")
    assert (result.code, result.out) == (2, "")
    assert "parity has no value for 'text'; it has for: ja" in " ".join(result.err.split())
    assert run(*asked, "--parallel", "aligned", "--fail-if", "parity(ja) > 2").code == 1  # read


def test_names_with_commas_and_parentheses(texts: Path) -> None:
    result = run(*ASKED, "my, (own)=cats.kugiri.json", "--metric", "tokens", "--fail-if",
                 "tokens(ja, my, (own)) > 1")  # fmt: skip
    assert result.err == "kugiri: limit broken: tokens(ja, my, (own)) = 11 > 1\n"
    assert result.code == 3


@pytest.mark.parametrize("length", [300, 5000])
def test_a_very_long_name(length: int, texts: Path) -> None:
    name = "x" * length
    result = run(*ASKED, f"{name}=cats.kugiri.json", "--metric", "tokens")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[1].startswith(f"tokens,{name},ja,11.0")
    shown = run(*[word for word in ASKED if word != "--csv"], f"{name}=cats.kugiri.json",
                "--metric", "tokens")  # fmt: skip
    assert shown.code == 0


def test_an_error_names_the_tokenizer(texts: Path) -> None:
    Path("odd.kugiri.json").write_text("{")
    for typed in ("odd.kugiri.json", "o=odd.kugiri.json"):
        result = run(*ASKED, "cats.kugiri.json", "-t", typed)
        assert result.code == 1
        assert "odd.kugiri.json" in result.err


def test_a_name_cannot_speak_to_the_terminal(texts: Path) -> None:
    name = "a\n\x1b[31mb"
    result = run(*ASKED, f"{name}=cats.kugiri.json", "--metric", "tokens", "--metric", "speed",
                 "--fail-if", f"tokens(ja, {name}) > 1", "--fail-if", "speed > 0")  # fmt: skip
    assert result.code == 3
    assert result.err.splitlines()[0] == ("kugiri: limit broken: tokens(ja, a␊␛[31mb) = 11 > 1")
    assert "\x1b" not in result.err
    result = run(*ASKED, f"{name}=cats.kugiri.json", "--fail-if", "tokens(ja, z) > 1")
    assert result.code == 2
    assert "\x1b" not in result.err
