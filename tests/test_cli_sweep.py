"""`kugiri sweep`: tables, bars and splits for people, JSON and CSV for machines."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path

import pytest
from rich.cells import cell_len

from test_cli_main import in_terminal, run

SAMPLE = Path(str(files("kugiri").joinpath("sample", "japanese.txt")))
TRAINING = "猫は魚が好き\n猫は鳥が好き\n犬は肉が好き\n" * 3
HELD_OUT = "鳥は魚が好き\n馬は草が好き\n"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A training and an evaluation text in the current directory."""
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text(TRAINING, encoding="utf-8")
    Path("eval.txt").write_text(HELD_OUT, encoding="utf-8")
    return tmp_path


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_for_people(texts: Path) -> None:
    result = run(
        "sweep", "train.txt", "--sizes", "256,264", "--models", "bpe,char", "--eval", "eval.txt",
        "--sentence", "馬 が好き",
    )  # fmt: skip
    assert result.code == 0
    assert result.err.splitlines() == [
        f"kugiri: warning: --sizes {size} was not reached: there are no more characters; the "
        f"largest vocabulary possible here is 10"
        for size in (256, 264)
    ]
    lines = result.out.splitlines()
    assert lines[0] == "Training text: 9 documents, 54 characters, 162 bytes"
    table = [line[:-1] for line in words("\n".join(lines[2:5]))]
    assert table == [
        ["bpe", "256", "162", "0", "1.000", "0.333", "–", "–"],
        ["bpe", "264", "72", "0", "2.250", "0.750", "55.6%", "100.0%"],
        ["char", "10", "54", "0", "3.000", "1.000", "–", "–"],
    ]
    assert lines[6] == "Evaluation text: 2 documents, 12 characters, 36 bytes"
    assert lines[10].split()[:4] == ["char", "10", "12", "2"]
    assert lines.pop(11).startswith("gain: tokens fewer than with the size before; ×2: the same")
    assert lines[12] == "Tokens of the evaluation text"
    assert lines[13] == f"  bpe 256  {'█' * 40} 36"
    assert lines[15] == "  char 10  █████████████▍ 12 (2 unknown)"
    assert lines[17:] == [
        "馬␠が好き",
        "bpe 256: 13 tokens",
        "  <e9>|<a6>|<ac>|␠|<e3>|<81>|<8c>|<e5>|<a5>|<bd>|<e3>|<81>|<8d>",
        "bpe 264: 5 tokens",
        "  <e9>|<a6>|<ac>|␠|が好き",
        "char 10: 5 tokens (2 unknown)",
        "  ⁇馬|⁇␠|が|好|き",
    ]


def test_json_and_saved(texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "264,256", "--eval", "eval.txt", "--eval",
                 "train.txt", "--json", "-o", "study")  # fmt: skip
    assert result.err == (
        "kugiri: warning: 81.8% of the evaluation text stands in the training text too, line by "
        "line: it takes fewer tokens than new text; give text that is not trained on\n"
        "kugiri: study: 2 tokenizers and summary.json\n"
    )
    summary = json.loads(result.out)
    assert summary["evaluation"]["documents"] == 11
    assert [entry["size"] for entry in summary["entries"]] == [256, 264]
    saved = json.loads(Path("study", "summary.json").read_text(encoding="utf-8"))
    assert saved["training"] == summary["training"]
    files = [entry["file"] for entry in saved["entries"]]
    assert files == ["bpe-256.kugiri.json", "bpe-264.kugiri.json"]
    assert run("encode", "-t", f"study/{files[1]}", "--tokens", "馬が好き").out.endswith(
        "|が好き\n"
    )


def test_csv(texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "256,264", "--eval", "eval.txt", "--csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [row["training_tokens"] for row in rows] == ["162", "72"]
    assert (rows[0]["evaluation_gain"], rows[1]["training_gain"]) == ("", str((162 - 72) / 162))
    plain = run("sweep", "train.txt", "--sizes", "256", "--csv")
    assert "evaluation" not in plain.out


def test_a_warning_is_said_once(texts: Path) -> None:
    Path("bad.txt").write_bytes(b"\xff\xe7\x8c\xab\n")
    result = run("sweep", "train.txt", "--sizes", "256", "--models", " bpe, char", "--eval",
                 "bad.txt", "--errors", "replace", "--csv")  # fmt: skip
    assert [row["model"] for row in csv.DictReader(io.StringIO(result.out))] == [
        "bpe", "char",
    ]  # fmt: skip
    assert result.err.splitlines() == [
        "kugiri: warning: bad.txt: 1 invalid UTF-8 sequences were read as U+FFFD",
        "kugiri: warning: --sizes 256 was not reached: there are no more characters; the "
        "largest vocabulary possible here is 10",
    ]


def test_tables_end_without_spaces(texts: Path) -> None:
    out = run("sweep", "train.txt", "--sizes", "256", "-o", "study").out
    out += run("inspect", "study/bpe-256.kugiri.json", "--all").out
    assert [line for line in out.splitlines() if line.endswith(" ")] == []


def test_standard_input_and_options(texts: Path) -> None:
    result = run("sweep", "-", "--sizes", "11,13", "--unit", "char", "--special-token", "<unk>",
                 "--pre-tokenizer", "none", "--json", stdin=TRAINING)  # fmt: skip
    assert result.code == 0, result.err
    entries = json.loads(result.out)["entries"]
    assert [entry["training"]["tokens"] for entry in entries] == [45, 30]


def test_in_a_terminal_lines_fit(texts: Path) -> None:
    code, shown = in_terminal(
        "sweep", "train.txt", "--sizes", "256,264", "--eval", "eval.txt", columns=64
    )
    assert code == 0
    assert max(map(cell_len, shown.splitlines())) <= 64
    assert f"  bpe 256  {'█' * 49} 36" in shown


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--sizes", "256,x"], 2, "'256,x': sizes are numbers"),
        (["-", "--eval", "-", "--sizes", "256"], 2, "standard input can be read once only"),
        (["--sizes", "256", "--csv", "--json"], 2, "exclude each other"),
        (["--sizes", "256", "--models", "bqe"], 2, "unknown model 'bqe'; did you mean 'bpe'?"),
        (["--sizes", "256", "-o", "train.txt"], 1, "train.txt: this is a file; name a folder"),
        (["--sizes", "256", "-o", "train.txt/a/b"], 1, "train.txt: this is a file; name a folder"),
        (["--sizes", "256", "--eval", "none.txt"], 1, "no such file, folder or glob: 'none.txt'"),
        (["--sizes", "256", "--plot", "x.svg"], 2, "--plot is about the model that a size is"),
        (["--sizes", "256", "--untied"], 2, "for; give --parameters too"),
        (["--sizes", "256", "--parameters", "1e6", "--plot", "x.pdf"], 2, "FILE.svg or FILE.png"),
        (["--sizes", "256", "--parameters", "0"], 2, "must be a finite number from 1"),
        (["--sizes", "256", "--parameters", "125X"], 2, "'125X' is no number; write it as 125000"),
        (["--sizes", "256", "--parameters", "M"], 2, "125e6, 125M or 7B (k, M, B, T)"),
        (["--sizes", "256", "--parameters", "9", "--training-bytes", "2GiB"], 2, "500MB or 2GB (B"),
        (["--sizes", "256", "--pre-tokenizer", "("], 2, "is not a regex that kugiri can run"),
        (["--sizes", "256", "--models", "bpe,word", "--normalizer", "x"], 2, "unknown normalizer"),
        (["--sizes", "256", "--parameters", "9", "--csv"], 2, "--parameters has no CSV; use --js"),
        (
            ["--sizes", "256", "--parameters", "9", "--vary", "unit=byte", "--eval", "train.txt"],
            2,
            "--parameters compares sizes, --vary the values of an option",
        ),
        (
            ["--sizes", "9", "--parameters", "9", "--models", "char"],
            2,
            "words and characters lose text where they are few",
        ),
        (["--sizes", "100"], 1, "256"),
        (["--sizes", "256", "--eval", "empty.txt"], 1, "the evaluation text is empty"),
        (["--sizes", "256", "-o", "old"], 1, "old: bpe-9.kugiri.json is here, and 1 tokenizers in"),
        (["--sizes", "256", "-o", "odd"], 1, "odd/summary.json: this is a folder; name a file in"),
    ],
)
def test_refused(options: list[str], code: int, message: str, texts: Path) -> None:
    Path("empty.txt").write_text("\n")
    Path("old").mkdir()
    Path("old", "bpe-9.kugiri.json").write_text("{}")
    Path("odd", "summary.json").mkdir(parents=True)
    result = run("sweep", "train.txt", *options)
    assert (result.code, result.out) == (code, "")
    assert [file.name for file in Path("odd").iterdir()] == ["summary.json"]
    assert message in result.err


def test_a_folder_is_whole_or_as_it_was(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("sweep", "train.txt", "--sizes", "256,264", "-o", "study", "--quiet")
    assert run(*command).code == 0
    before = {file.name: file.read_bytes() for file in Path("study").iterdir()}
    assert set(before) == {"bpe-256.kugiri.json", "bpe-264.kugiri.json", "summary.json"}

    def full(*_: object, **__: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("msgspec.json.format", full)
    result = run(*command, "--unit", "byte")
    assert (result.code, "study: cannot be written: No space left" in result.err) == (1, True)
    assert {file.name: file.read_bytes() for file in Path("study").iterdir()} == before


def test_one_run_has_one_time(texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "256,260,264", "--eval", "eval.txt", "--json")
    assert len({entry["seconds"] for entry in json.loads(result.out)["entries"]}) == 1
    shown = run("sweep", "train.txt", "--sizes", "256", "--eval", "eval.txt").out
    assert shown.count("seconds") == 1


def test_a_recommendation(texts: Path) -> None:
    pytest.importorskip("vl_convert")
    Path("more.txt").write_text(SAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    command = ("sweep", "more.txt", "--sizes", "1300,1400", "--models", "bpe,wordpiece", "--eval",
               "train.txt", "--parameters", "1e5", "--dimension", "64")  # fmt: skip
    for name, begins in (("size.svg", b"<svg"), ("size.svg", b"<svg"), ("SIZE.PNG", b"\x89PNG")):
        result = run(*command, "--plot", name)
        assert (result.code, result.err) == (0, f"kugiri: {name}: written\n")
        assert Path(name).read_bytes().startswith(begins)
    summary = json.loads(run(*command, "--json").out)
    curves = [(it["model"], it["text"], it["every_size"]) for it in summary["curves"]]
    assert curves == [
        ("bpe", "training", True), ("bpe", "evaluation", True),
        ("wordpiece", "training", False), ("wordpiece", "evaluation", False),
    ]  # fmt: skip
    bpe, word_piece = summary["recommendations"]
    assert (bpe["model"], word_piece["model"]) == ("bpe", "wordpiece")
    assert bpe["size"] in {point["size"] for point in bpe["steps"]}
    for it in (bpe, word_piece):
        heading = f"{it['size']:,} entries of {it['model']} for 100,000 parameters beside the voca"
        assert heading in result.out
        assert all(f"- {reason}" in result.out.splitlines() for reason in it["reasons"])
        rows = [line.split() for line in result.out.splitlines() if line.startswith("→")]
        assert [row[1] for row in rows] == [f"{each['size']:,}" for each in (bpe, word_piece)]
    assert "recommendations" not in json.loads(run(*command[:4], "--json").out)


def test_where_it_is_flat_is_said_under_the_table(texts: Path) -> None:
    Path("more.txt").write_text("abcd\n" * 50_000 + SAMPLE.read_text(encoding="utf-8"), "utf-8")
    command = ("sweep", "more.txt", "--sizes", "256,1200")
    (curve,) = json.loads(run(*command, "--json").out)["curves"]
    said = f"bpe: from {curve['flat_from']:,} on, a doubling saves less than 5 % of the tokens"
    assert said in run(*command).out.splitlines()


@pytest.mark.parametrize(
    ("plot", "said"),
    [
        ("nosub/x.svg", "nosub/x.svg: there is no folder nosub; make it first"),
        ("train.svg", "train.svg: this is read too; name another place to write to"),
    ],
)
def test_a_plot_that_cannot_be_written_is_refused_before_the_training(
    plot: str, said: str, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the training began")

    monkeypatch.setattr("kugiri.cli.sweep.sweep", never)
    Path("train.txt").rename("train.svg")
    result = run("sweep", "train.svg", "--sizes", "256", "--parameters", "1e6", "--plot", plot)
    assert (result.code, result.out, result.err) == (1, "", f"kugiri: error: {said}\n")


def test_a_warning_names_what_this_command_has(texts: Path) -> None:
    Path("more.txt").write_text(SAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    command = ("sweep", "more.txt", "--models", "unigram", "--sizes", "1200")
    assert "they are <unk>; --vary byte-fallback=true would keep them" in run(*command).err
    varied = run(*command, "--vary", "byte-fallback=false", "--eval", "eval.txt")
    assert "they are <unk>; byte-fallback=true would keep them" in varied.err


def test_named_evaluation_texts_have_a_size_each(texts: Path) -> None:
    Path("more.txt").write_text(SAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    command = ("sweep", "more.txt", "--sizes", "1400", "--parameters", "1e5", "--dimension", "64")
    named = ("--eval", "ja=train.txt", "--eval", "馬=eval.txt", "--eval", "馬=eval.txt")
    summary = json.loads(run(*command, *named, "--json").out)
    assert summary["evaluation"]["documents"] == 9 + 2 + 2
    (it,) = summary["recommendations"]
    assert [part["name"] for part in it["alone"]] == ["ja", "馬"]
    assert "- alone they want: ja " in run(*command, *named).out
    assert json.loads(run(*command, "--eval", "ja=train.txt", "--json").out)["recommendations"][0][
        "alone"
    ] == []  # fmt: skip
    wrong = run(*command, "--eval", "=train.txt")
    assert (wrong.code, "'=train.txt': give NAME=PATH, or a path alone" in wrong.err) == (2, True)
    again = run(*command, "--eval", "a=-", "--eval", "b=train.txt", stdin=HELD_OUT)
    assert (again.code, "standard input can be read once only" in again.err) == (2, True)
