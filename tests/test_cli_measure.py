"""`kugiri measure`: tables for people, CSV and JSON for machines, limits for scripts."""

from __future__ import annotations

import csv
import io
import json
import os
from importlib import import_module
from pathlib import Path

import pytest
from rich.cells import cell_len

import kugiri
from kugiri.measure.example import tokenizer_of
from kugiri.measure.metrics import METRICS
from kugiri.measure.report import Report
from test_cli_main import run
from tests.aligned_texts import ALIGNED, write_aligned
from tests.terminals import codes, on_terminal, plain
from tests.test_explain_schema import validator


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tokenizers and two texts in the current directory."""
    monkeypatch.chdir(tmp_path)
    tokenizer_of(["猫", "いる"]).save("cats.kugiri.json")
    tokenizer_of([]).save("bytes.kugiri.json")
    Path("ja.txt").write_text("猫がいる\n猫\n", encoding="utf-8")
    Path("en.txt").write_text("low\na cat\n")
    return tmp_path


BOTH = ("-t", "cats.kugiri.json", "-t", "bytes.kugiri.json")


# ── what is printed ───────────────────────────────────────────────────────────────────────────
def test_values_by_hand(texts: Path) -> None:
    # 猫がいる is 4 tokens or 12, 猫 is 1 or 3: draws of two have 2, 5 or 8 of the one, and so on,
    # and two documents widen what they move by t / z · √2.
    result = run(
        "measure", *BOTH, "--corpus", "ja.txt", "--reference", "bytes", "--metric", "tokens",
        "--metric", "normalized_sequence_length", "--csv",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    head, *rows = csv.reader(io.StringIO(result.out))
    assert head == ["metric", "tokenizer", "corpus", "value", "low", "high", "unit"]
    assert [row[:4] for row in rows] == [
        ["tokens", "cats", "ja", "5.0"],
        ["tokens", "bytes", "ja", "15.0"],
        ["normalized_sequence_length", "cats", "ja", str(5 / 15)],
        ["normalized_sequence_length", "bytes", "ja", "1.0"],
    ]
    wider = 12.7062047 / 1.9599640 * 2**0.5
    assert [float(end) for row in rows for end in row[4:6]] == pytest.approx(
        [0, 5 + 3 * wider, 0, 15 + 9 * wider, 5 / 15, 5 / 15, 1, 1]
    )


def test_what_has_no_value_is_empty(texts: Path) -> None:
    result = run("measure", *BOTH[:2], "--corpus", "ja.txt", "--metric", "speed", "--csv")
    assert result.out.splitlines()[1] == "speed,cats,ja,,,,MB/s"
    result = run("measure", *BOTH[:2], "--corpus", "ja.txt", "--metric", "speed", "--json")
    assert json.loads(result.out)["values"][0]["value"] is None


def test_a_table_for_people(texts: Path) -> None:
    result = run("measure", *BOTH, "--corpus", "ja.txt", "--corpus", "both=en.txt", "--corpus",
                 "both=ja.txt", "--metric", "tokens", "--metric", "bytes_per_token")  # fmt: skip
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[:6] == [
        "On ja and both cats and bytes cannot be told apart.",  # of tokens, by two lines
        "",
        "ja    cats 3.00 bytes/token; bytes alike",
        "both  cats 1.77 bytes/token; bytes alike",
        "      ! corpus 'both' is 58% Latin and 42% Chinese and Japanese by its letters: its "
        "ratios are a mixture, and another mixture has others; measure each as a corpus of its own",
        "",
    ]
    lines = lines[6:]
    assert lines[:6] == [
        "ja: 2 documents, 5 characters, 15 bytes",
        "                            cats          bytes  unit",
        "↓ Tokens                   5 ±28         15 ±83  tokens",
        "↑ Bytes per token  3.000 ±0.000*   1.000 ±0.000  bytes/token",
        "",
        "both: 4 documents, 13 characters, 23 bytes",
    ]
    assert [lines[7].split()[number] for number in (2, 4)] == ["13", "23"]
    assert [lines[8].split()[number] for number in (4, 6)] == ["1.769", "1.000"]  # 23 / 13
    assert lines[10] == "All corpora, macro / micro"
    assert [lines[12].split()[number] for number in (4, 5, 6)] == ["2.385", "/", "2.111"]  # 38 / 18
    assert lines[14] == (
        "↑ more is better, ↓ less; ± the wider side of the interval of 95% (1,000 draws, seed 0); "
        "* better than all others beyond noise; macro: every corpus weighs the same, micro: all "
        "their text as one"
    )
    assert not [line for line in result.out.splitlines() if line.endswith(" ")]
    assert result.err == ""  # what warns of a text stands at its corpus
    for machine in ("--csv", "--json"):
        said = run("measure", *BOTH, "--corpus", "b=en.txt", "--corpus", "b=ja.txt", machine).err
        assert said.startswith("kugiri: warning: corpus 'b' is 58% Latin and 42% Chinese and")


def test_a_brief_table_says_what_it_leaves_out(texts: Path) -> None:
    asked = ("measure", *BOTH, "--corpus", "ja.txt")
    brief = run(*asked).out.splitlines()
    rows = [line.split("  ")[0] for line in brief if line[:1] in ("↓", "↑", " ")]
    assert rows[1:] == ["↓ Tokens", "↑ Bytes per token", "↓ Fertility", "↓ Bits per byte",
                        "↓ Characters lost", "↓ Broken characters",
                        "↑ Documents that come back", "↑ more is better, ↓ less; ± the wider side "
                        "of the interval of 95% (1,000 draws, seed 0); * better than all others "
                        "beyond noise; words by icu (ICU4X 2.4.0, Unicode 18.0)"]  # fmt: skip
    assert brief[-1] == (
        "7 of 29 metrics: --metric NAME shows one of the others, --html, --json and --csv have all"
    )
    one = run(*asked, "--metric", "zipf_slope").out
    assert "Zipf slope" in one
    assert "metrics:" not in one


def test_json_is_as_its_schema_says(texts: Path) -> None:
    write_aligned(texts / "aligned")
    typed = ["measure", *BOTH, "--corpus", "x=en.txt", "--parallel", "aligned", "--reference",
             "cats.kugiri.json", "--json"]  # fmt: skip
    result = run(*typed)
    assert result.code == 0, result.err
    report = json.loads(result.out)
    validator("measure").validate(report)
    assert report["schema"] == 1
    assert not validator("measure").is_valid({**report, "schema": 2})
    assert report["command"] == " ".join(["kugiri", *typed])
    assert [each["source"] for each in report["tokenizers"]] == [*BOTH[1::2]]
    assert [each["name"] for each in report["corpora"]] == ["x", "en", "ja", "zh"]
    assert {each["metric"] for each in report["values"]} == {metric.name for metric in METRICS}
    assert report["reference"] == "cats"


def test_standard_input(texts: Path) -> None:
    asked = ("measure", *BOTH[:2], "--metric", "tokens", "--csv", "--quiet")
    result = run(*asked, "--corpus", "in=-", stdin="猫\n猫\n")
    assert result.out.splitlines()[1].startswith("tokens,cats,in,2.0,")


@pytest.mark.parametrize("width", [60, 200])
def test_on_a_terminal_lines_fit_and_stars_need_no_colour(texts: Path, width: int) -> None:
    arguments = ["measure", "--quiet", "--metric", "tokens", "--metric", "bytes_per_token",
                 "--corpus", str(texts / "ja.txt")]  # fmt: skip
    for name in ("cats", "bytes", "one", "two", "three"):
        file = "cats" if name == "cats" else "bytes"
        arguments += ["-t", f"{name}={texts / file}.kugiri.json"]
    shown = on_terminal(width, *arguments)
    lines = plain(shown).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert plain(shown).count("±0.000*") == 1
    assert codes(shown) <= {"0", "1", "2"}  # bold and dim only: readable with any sixteen colours
    heads = [line for line in lines if line.startswith(" ") and "three" in line]
    assert ("cats" in heads[0]) == (width == 200)
    without = on_terminal(width, *arguments, NO_COLOR="1")
    assert plain(without).splitlines() == lines


# ── limits ────────────────────────────────────────────────────────────────────────────────────
def limited(*limits: str, metrics: tuple[str, ...] = ("tokens", "bytes_per_token")) -> list[str]:
    asked = [word for metric in metrics for word in ("--metric", metric)]
    return ["measure", *BOTH, "--corpus", "ja.txt", "--corpus", "en.txt", "--csv", *asked,
            *(word for limit in limits for word in ("--fail-if", limit))]  # fmt: skip


@pytest.mark.parametrize(
    ("limits", "lines"),
    [
        (["bytes_per_token(ja, cats) < 3"], []),
        (["bytes_per_token(ja,cats)<=3.0"], ["bytes_per_token(ja, cats) = 3 <= 3"]),
        (["bytes_per_token(ja) < 3.2"], ["bytes_per_token(ja, cats) = 3 < 3.2",
                                         "bytes_per_token(ja, bytes) = 1 < 3.2"]),
        (["tokens(ja) > 5"], ["tokens(ja, bytes) = 15 > 5"]),
        (["tokens(ja, cats) >= 5", "tokens(en, cats) < 1e3"],
         ["tokens(ja, cats) = 5 >= 5", "tokens(en, cats) = 8 < 1000"]),
        (["tokens > 14"], ["tokens(ja, bytes) = 15 > 14"]),
        (["tokens(ja, cats) < 5.0000001"], ["tokens(ja, cats) = 5 < 5.0000001"]),
        (["tokens(ja) < 0", "tokens(en) < 0"], []),
    ],
)  # fmt: skip
def test_limits(limits: list[str], lines: list[str], texts: Path) -> None:
    result = run(*limited(*limits))
    assert result.err.splitlines() == [f"kugiri: limit broken: {line}" for line in lines]
    assert result.code == (3 if lines else 0)
    assert result.out.startswith("metric,tokenizer,")  # the report comes all the same


@pytest.mark.parametrize(
    ("limit", "code", "message"),
    [
        ("bytes_per_token(jp) < 3", 2, "unknown corpus 'jp'; allowed: ja, en"),
        ("bytes_per_token(ja, cat) < 3", 2, "did you mean 'cats'?"),
        ("bytes_per_tokens(ja) < 3", 2, "did you mean 'bytes_per_token'?"),
        ("speed(ja) < 3", 2, "speed is none of the --metric that were asked for"),
        ("tokens(ja) = 3", 2, "a limit is METRIC(CORPUS, TOKENIZER)"),
        ("tokens(ja < 3", 2, "a limit is METRIC(CORPUS, TOKENIZER)"),
        ("tokens(ja) < three", 2, "'three' is no finite number"),
        ("tokens(ja) < nan", 2, "'nan' is no finite number"),
        ("tokens(ja) < inf", 2, "'inf' is no finite number"),
        ("tokens(ja, cats, en) < 3", 2, "tokens takes a corpus, and a tokenizer; 3 came"),
        ("tokens(, cats) < 3", 2, "tokens takes a corpus"),
        ("gini(ja, cats) < 3", 2, "gini needs aligned texts; give --parallel"),
        ("", 2, "a limit is METRIC"),
    ],
)
def test_limits_that_say_nothing(limit: str, code: int, message: str, texts: Path) -> None:
    result = run(*limited("tokens(ja) < 0", limit))
    assert (result.code, result.out) == (code, "")
    assert message in " ".join(result.err.split())


def test_a_limit_needs_what_its_metric_needs(texts: Path) -> None:
    asked = ("measure", *BOTH, "--corpus", "ja.txt", "--fail-if")
    for limit, needs in (
        ("gini > 0", "gini needs aligned texts; give --parallel"),
        ("parity(ja) > 0", "parity needs aligned texts; give --parallel"),
        ("normalized_sequence_length(ja) > 1", "needs a tokenizer to compare with; give --ref"),
    ):
        result = run(*asked, limit)
        assert (result.code, result.out) == (2, "")
        assert needs in " ".join(result.err.split())
    assert run(*asked, "normalized_sequence_length(ja) > 1", "--reference", "cats").code == 3


def test_an_undefined_value_never_passes(texts: Path) -> None:
    result = run(*limited("speed(ja, cats) < 0", metrics=("speed",)))
    assert result.code == 1
    assert "speed(ja, cats) is not defined, so nothing can be said of it" in result.err
    write_aligned(texts / "aligned", {name: ALIGNED[name] for name in ("ja", "en")})
    asked = ["measure", *BOTH[:2], "--parallel", "aligned", "--fail-if", "parity(en) > 0"]
    result = run(*asked)
    assert (result.code, result.out) == (2, "")
    assert "parity has no value for 'en'; it has for: ja" in " ".join(result.err.split())
    assert run(*asked[:-1], "gini(ja, cats) > 3").code == 2
    assert run(*asked[:-1], "gini(cats) > 0").code == 3
    assert run(*asked[:-1], "parity(ja) > 9").code == 0


# ── the rest ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--corpus", "ja.txt"], 2, "Missing option '-t'"),
        ([*BOTH], 2, "there is no text to measure with; give --corpus or --parallel"),
        ([*BOTH, "--corpus", "ja.txt", "--csv", "--json"], 2, "exclude each other"),
        ([*BOTH, "--corpus", "a=-", "--corpus", "b=-"], 2, "standard input can be read once only"),
        ([*BOTH, "--corpus", "=ja.txt"], 2, "give NAME=PATH, or a path alone"),
        ([*BOTH, "--corpus", "ja="], 2, "give NAME=PATH, or a path alone"),
        ([*BOTH, "-t", "cats=bytes.kugiri.json", "--corpus", "ja.txt"], 2,
         "two tokenizers are called 'cats'; name them: -t NAME=FILE"),
        ([*BOTH, "--corpus", "none.txt"], 1, "no such file, folder or glob: 'none.txt'"),
        ([*BOTH, "--corpus", "ja.txt", "--metric", "token"], 2, "did you mean 'tokens'?"),
        ([*BOTH, "--corpus", "ja.txt", "--metric", "parity"], 2,
         "parity needs aligned texts; give --parallel"),
        ([*BOTH, "--corpus", "ja.txt", "--html", "no/page.html"], 1, "there is no folder no"),
        ([*BOTH, "--corpus", "ja.txt", "--plots", "ja.txt"], 1, "ja.txt: this is a file"),
        (["-t", "none.model", "--corpus", "ja.txt"], 1, "none.model"),
        (["--explain-metric", "tokns"], 2, "did you mean 'tokens'?"),
        ([*BOTH, "--corpus", "ja.txt", "--segmenter", "sudachi"], 2, "did you mean 'sudachi-"),
        ([*BOTH, "--corpus", "ja.txt", "--documents", "line"], 2, "did you mean 'lines'?"),
        ([*BOTH, "--corpus", "ja.txt", "--draws", "-1"], 2, "draws is -1"),
        ([*BOTH, "--corpus", "ja.txt", "--draws", "7"], 2, "an interval is from 40 to 10,000"),
        ([*BOTH, "--corpus", "ja.txt", "--sample", "0"], 2, "0 is not in the range"),
        ([*BOTH, "--corpus", "ja.txt", "--reference-language", "en"], 2,
         "--reference-language is for aligned texts; give them with --parallel"),
        ([*BOTH, "--corpus", "ja.txt", "--pattern", "gpt2"], 2,
         "--pattern is for a .tiktoken file"),
        (["-t", "x=" + "y" * 9000, "--corpus", "ja.txt"], 1, "yyy"),
        (["-t", "x" * 300 + "=none.model", "--corpus", "ja.txt"], 1, "none.model"),
        ([*BOTH, "--corpus", "x" * 5000 + "="], 2, "xxx…: give NAME=PATH"),
    ],
)  # fmt: skip
def test_refused(options: list[str], code: int, message: str, texts: Path) -> None:
    result = run("measure", *options)
    assert (result.code, result.out) == (code, "")
    assert message in " ".join(result.err.split())


def test_a_page_is_written_whole_or_not(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("measure", *BOTH, "--corpus", "ja.txt", "--html", "page.html", "--csv")
    monkeypatch.setattr(Report, "to_html", lambda report: "<p>猫")
    assert run(*asked).err == "kugiri: page.html: written\n"
    assert Path("page.html").read_text(encoding="utf-8") == "<p>猫"

    def fails(report: Report) -> str:
        raise kugiri.KugiriError("no page")

    monkeypatch.setattr(Report, "to_html", fails)
    result = run(*asked)
    assert (result.code, result.err) == (1, "kugiri: error: no page\n")
    assert result.out.startswith("metric,tokenizer,")  # what was measured is not lost
    assert Path("page.html").read_text(encoding="utf-8") == "<p>猫"
    assert not [name for name in os.listdir() if name.startswith(".page")]  # noqa: PTH208


def test_what_there_is_to_measure() -> None:
    listed = run("measure", "--list-metrics")
    assert [line.split()[0] for line in listed.out.splitlines()[1:]] == [it.name for it in METRICS]
    explained = run("measure", "--explain-metric", "bytes_per_token")
    assert "UTF-8 bytes of the text to its tokens." in explained.out


def test_a_pattern_is_for_the_file_that_lacks_it(texts: Path) -> None:
    with pytest.warns(kugiri.KugiriWarning):
        kugiri.train(["low lower"] * 2, vocab_size=258, pre_tokenizer="gpt2").save("g.tiktoken")
    asked = ("measure", "-t", "g.tiktoken", *BOTH, "--corpus", "en.txt", "--metric", "tokens")
    assert "give --pattern" in run(*asked).err
    assert run(*asked, "--pattern", "gpt2", "--csv").out.count("\n") == 4
    result = run("measure", *BOTH, "--corpus", "en.txt", "--pattern", "gpt2")
    assert (result.code, result.out) == (2, "")
    assert "say themselves how they split, so leave it out" in " ".join(result.err.split())
    bad = run(*asked, "--pattern", "(")
    assert bad.code == 2
    assert bad.err.startswith("kugiri: error: g.tiktoken: the pattern ")


def test_a_name_is_not_broken_in_a_word(texts: Path) -> None:
    name = "新しい日本語トークナイザー"  # 26 cells
    asked = (
        "measure",
        "-t",
        f"{name}=cats.kugiri.json",
        "--corpus",
        "ja.txt",
        "--metric",
        "tokens",
    )
    assert name in run(*asked).out.splitlines()[5]
    long = "kyoto_ja_unigram_8000"
    heads = run("measure", "-t", f"{long}=cats.kugiri.json", *asked[3:]).out.splitlines()[5:7]
    assert [line.split()[0] for line in heads] == ["kyoto_ja_", "unigram_8000"]


def test_names_are_names(texts: Path) -> None:
    tokenizer = f"[/b] (x)={texts / 'cats.kugiri.json'}"
    shown = on_terminal(
        100, "measure", "-t", tokenizer, "--corpus", f"<b>[red]={texts / 'ja.txt'}",
        "--metric", "tokens", "--fail-if", "tokens(<b>[red], [/b] (x)) > 5",
    )  # fmt: skip
    lines = [line.split() for line in plain(shown).splitlines()]
    assert ["[/b]", "(x)", "unit"] in lines
    assert ["↓", "Tokens", "5", "±28", "tokens"] in lines
    assert "<b>[red]: 2 documents" in plain(shown)


def test_what_is_read_is_not_written_over(texts: Path) -> None:
    before = Path("ja.txt").read_bytes()
    result = run("measure", *BOTH, "--corpus", "ja.txt", "--html", "./ja.txt")
    assert (result.code, result.out) == (1, "")
    assert "this is read too" in result.err
    assert Path("ja.txt").read_bytes() == before


def test_names_cannot_speak_to_the_terminal(texts: Path) -> None:
    name, corpus = "a\x1b[31m\u202eb", "\x1b]0;x\x07c"
    asked = ("measure", "-t", f"{name}={texts / 'cats.kugiri.json'}", "--corpus",
             f"{corpus}={texts / 'ja.txt'}", "--metric", "tokens")  # fmt: skip
    shown = on_terminal(100, *asked)  # the words beside the sign that turns as well
    assert "a␛[31m<RLO>b" in plain(shown)
    limited = run(*asked, "--fail-if", "tokens > 3")
    assert limited.code == 3
    assert "limit broken: tokens(␛]0;x␇c, a␛[31m<RLO>b) = 5 > 3" in limited.err
    refused = run(*asked, "--fail-if", f"tokens({corpus}, {name}) > none")
    assert refused.code == 2
    for printed in (shown, limited.out + limited.err, refused.err):
        assert not {"\x1b[31m", "\x1b]", "\x07", "\u202e"} & {
            printed[at : at + size] for size in (1, 2, 5) for at in range(len(printed))
        }


def test_the_table_comes_before_the_pictures(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*asked: object) -> None:
        raise kugiri.KugiriError("no pictures")

    monkeypatch.setattr(import_module("kugiri.measure.html"), "save_plots", fails)
    asked = ("measure", *BOTH, "--corpus", "ja.txt", "--metric", "tokens", "--plots", "p")
    result = run(*asked, "--html", "page.html")
    assert (result.code, result.err) == (1, "kugiri: error: no pictures\n")
    assert "↓ Tokens" in result.out


# ── what is refused, and what is made readable ────────────────────────────────────────────────
REFUSED = {
    "no threads": (("--threads", "0"), "--threads': 0 is not in the range x>=1"),
    "no draws": (("--draws", "-1"), "draws is -1"),
    "a page on standard output": (("--html", "-"), "--html writes a file, and - is none"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_wrong_usage_has_one_code(options: tuple[str, ...], message: str, texts: Path) -> None:
    result = run("measure", *BOTH, "--corpus", "ja.txt", "--metric", "tokens", *options)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())
    assert not Path("-").exists()


def test_a_list_without_a_word_is_refused(texts: Path) -> None:
    Path("none.txt").write_text(" \n\n")
    asked = ("--corpus", "ja.txt", "--word-list", "none.txt", "--metric", "single_token_retention")
    result = run("measure", *BOTH, *asked)
    assert (result.code, result.out) == (1, "")
    assert "has no word in it; give words, one a line" in " ".join(result.err.split())


@pytest.mark.parametrize("form", ["--json", "--csv", "--html"])
def test_names_of_files_that_are_no_utf8_are_shown(form: str, texts: Path) -> None:
    strange = os.fsdecode(b"c\xff.txt")
    try:
        Path(strange).write_text("猫\n猫がいる\n", encoding="utf-8")
        Path("cats.kugiri.json").rename(os.fsdecode(b"t\xff.kugiri.json"))
    except OSError:
        pytest.skip("this file system has names of UTF-8 only")
    if form == "--html":
        pytest.importorskip("altair")
    tokenizer = os.fsdecode(b"t\xff.kugiri.json")
    form_options = (form, "page.html") if form == "--html" else (form,)
    asked = ("-t", tokenizer, "--corpus", strange, "--metric", "tokens", *form_options)
    result = run("measure", *asked, "--quiet")
    assert (result.code, result.err) == (0, "")
    said = Path("page.html").read_text(encoding="utf-8") if form == "--html" else result.out
    assert r"c\udcff" in said.replace("\\\\", "\\")
    assert r"t\udcff" in said.replace("\\\\", "\\")


def test_languages_whose_files_are_no_utf8_are_shown(texts: Path) -> None:
    Path("p").mkdir()
    for name in (b"en.txt", b"\xff.txt"):
        try:
            Path("p", os.fsdecode(name)).write_text("low\nlow\n")
        except OSError:
            pytest.skip("this file system has names of UTF-8 only")
    result = run("measure", *BOTH, "--parallel", "p", "--metric", "parity", "--json", "--quiet")
    assert result.code == 0
    assert {it["corpus"] for it in json.loads(result.out)["values"]} == {r"\udcff"}


def test_an_explained_metric_says_all(texts: Path) -> None:
    result = run("measure", "--explain-metric", "broken_characters")
    assert result.code == 0
    heads = {line.split()[0] for line in result.out.splitlines()[1:] if line[:1].strip()}
    assert heads >= {"definition", "formula", "better", "needs", "looks", "misleads", "example"}
    assert ">>> value(METRIC, seen)" in result.out
