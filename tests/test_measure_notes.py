"""Notes of a report: they say what the metrics say, and what was left out of the text."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import kugiri
from kugiri.measure.example import characters_of, tokenizer_of
from kugiri.measure.report import Report
from test_cli_main import run

pytestmark = pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")

BYTES = tokenizer_of([])
NO_DOGS = characters_of("猫")
CODE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"


def measured(tokenizer: kugiri.Tokenizer, corpus: object, **options: object) -> Report:
    return kugiri.measure({"tok": tokenizer}, {"text": corpus}, draws=0, **options)  # type: ignore[arg-type]


# ── copies ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("documents", "said"),
    [
        (["猫"] * 500, "'text' is 500 documents, of which 1 is different: copies say nothing new"),
        (["猫", "犬"] * 10, "is 20 documents, of which 2 are different"),
        (["猫", "犬"] * 9, ""),
        (["猫", "犬", "猫と", "犬と", "猫"], ""),
        (["猫"], ""),
    ],
)
def test_copies_are_said(documents: list[str], said: str) -> None:
    notes = [it for it in measured(BYTES, documents, metrics=["tokens"]).warnings if "copies" in it]
    assert len(notes) == bool(said)
    assert said in "".join(notes)


# ── documents that do not come back ───────────────────────────────────────────────────────────
def test_a_loss_late_in_the_text_is_said() -> None:
    # 300,000 characters come back; the only one that does not is the last.
    report = measured(NO_DOGS, ["猫" * 300, *["猫" * 300] * 999, "犬"], metrics=["round_trip"])
    assert report.value("round_trip", "tok", "text").value == pytest.approx(1000 / 1001)
    copies, note = report.warnings
    assert "copies say nothing new" in copies
    assert note.startswith("tokenizer 'tok' does not give back 1 of 1,001 documents of 'text' as")


@pytest.mark.parametrize("sample", [1000, 100_000])
@pytest.mark.parametrize("metrics", [["round_trip"], ["round_trip", "longest_pieces"]])
def test_a_note_agrees_with_its_metric(sample: int, metrics: list[str]) -> None:
    documents = ["猫" * number if number % 3 else "犬" + "猫" * number for number in range(100)]
    report = measured(NO_DOGS, documents, metrics=metrics, sample=sample)
    (size,) = report.corpora
    kept = report.value("round_trip", "tok", "text").value
    assert kept is not None
    changed = round((1 - kept) * size.sampled_documents)
    sampled = " (a sample)" if size.sampled_documents < size.documents else ""
    assert changed
    assert report.warnings[0].startswith(
        f"tokenizer 'tok' does not give back {changed:,} of {size.sampled_documents:,} documents "
        f"of 'text'{sampled} as they were"
    )


def test_it_is_said_whatever_was_asked_for() -> None:
    for name in ("tokens", "longest_pieces"):
        assert (
            "does not give back 1 of 2"
            in measured(NO_DOGS, ["犬", "猫"], metrics=[name]).warnings[0]
        )
    assert measured(NO_DOGS, ["猫", "猫"], metrics=["tokens"]).warnings == []


# ── scripts ───────────────────────────────────────────────────────────────────────────────────
def test_scripts_are_counted_to_the_end() -> None:
    report = measured(BYTES, ["猫" * 200_000, "cat " * 50_000], metrics=["tokens"])
    assert report.warnings[0].startswith("corpus 'text' is 57% Chinese and Japanese and 43% Latin")


# ── line ends ─────────────────────────────────────────────────────────────────────────────────
@pytest.fixture
def code(tmp_path: Path) -> Path:
    path = tmp_path / "code.txt"
    path.write_text(CODE)
    return path


def test_line_ends_of_code_are_missed(code: Path) -> None:
    report = measured(BYTES, code, metrics=["tokens"])
    assert report.documents == "lines"
    assert report.value("tokens", "tok", "text").value == len(CODE) - CODE.count("\n")
    (note,) = report.warnings
    assert note.startswith("corpus 'text' is read line by line, and 50% of its lines are indented")
    assert "as kugiri corpus FILES --documents files -o code.jsonl puts them into one" in note


def test_whole_files_have_their_line_ends(code: Path) -> None:
    (code.parent / "more.txt").write_text("\n\n  a\n")
    report = measured(BYTES, code.parent, metrics=["tokens"], documents="files")
    assert report.documents == "files"
    assert report.value("tokens", "tok", "text").value == len(CODE) + len("\n\n  a\n")
    assert report.warnings == []


def test_whole_files_are_what_count_counts(code: Path) -> None:
    tok = code.parent / "cats.kugiri.json"
    tokenizer_of([":\n    ", "return"]).save(tok)
    asked = ("measure", "-t", str(tok), "--corpus", str(code), "--metric", "tokens", "--csv")
    whole, by_lines = run(*asked, "--documents", "files"), run(*asked)
    tokens = [result.out.splitlines()[1].split(",")[3] for result in (whole, by_lines)]
    counted = json.loads(run("count", "-t", str(tok), str(code), "--json").out)
    assert tokens == [f"{counted['total']['tokens']}.0", "30.0"]
    assert "kugiri corpus FILES --documents files -o code.jsonl" in by_lines.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain.txt", "a\nb\nc\n"),
        ("novel.txt", "　吾輩は猫である。\n　名前はまだ無い。\n"),  # indented as prose is
        ("records.jsonl", '{"text": " a\\n b"}\n{"text": "  c"}\n'),  # line ends are in the text
        ("few.txt", "a\n" * 10 + "  b\n"),
    ],
)
def test_nothing_is_said_where_lines_are_the_text(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert measured(BYTES, path, metrics=["tokens"]).warnings == []


def test_texts_from_python_are_whole() -> None:
    report = measured(BYTES, [CODE, "  a\n"], metrics=["tokens"])
    assert report.value("tokens", "tok", "text").value == len(CODE) + 4
    assert report.warnings == []


def test_the_report_says_what_documents_are(code: Path) -> None:
    from kugiri.measure.html.making import made

    for documents, words in (("lines", "without line ends"), ("files", "line ends and all")):
        report = measured(BYTES, code, metrics=["tokens"], documents=documents)
        assert words in made(report)
        assert msgspec.json.decode(report.to_json())["documents"] == documents


@pytest.mark.parametrize("is_measured", [True, False])
def test_a_reference_that_loses_text_is_said(is_measured: bool) -> None:
    reference: object = "lossy" if is_measured else NO_DOGS
    tokenizers = {"bytes": BYTES, "lossy": NO_DOGS} if is_measured else {"bytes": BYTES}
    report = kugiri.measure(
        tokenizers,
        {"text": ["猫犬", "猫"]},
        reference=reference,  # type: ignore[arg-type]
        metrics=["normalized_sequence_length"],
    )
    (note,) = [it for it in report.warnings if it.startswith("the reference ")]
    assert "loses 33 % of characters of 'text'" in note
    assert "too high" in note
    kept = kugiri.measure({"lossy": NO_DOGS}, {"text": ["猫犬"] * 2}, reference=BYTES, draws=0)
    assert not [it for it in kept.warnings if it.startswith("the reference ")]
