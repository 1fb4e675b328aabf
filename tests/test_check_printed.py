"""`kugiri check`: what a person reads first and last, and what a program gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kugiri
from kugiri.check.remedies import keep_characters, know_unknown, missing_bytes, more_kanji
from kugiri.check.subject import Subject
from tests.checked import BYTE_LEVEL, BYTES, bpe, found, special, tokenizer_json, unigram, words
from tests.terminals import on_terminal, plain
from tests.test_cli_main import run
from tests.test_explain_schema import validator


@pytest.fixture
def strayed(tmp_path: Path) -> Path:
    """Twelve tokens with what no writing needs, and kanji."""
    path = tmp_path / "tokenizer.json"
    words([*(f"\ufeffa{letter}" for letter in "bcdefghijklm"), "猫"]).save(path)
    return path


ONLY = ["--only", "invisible", "--only", "kanji"]


def test_notes_take_a_line_and_the_last_line_names_what_is_bad(strayed: Path) -> None:
    lines = run("check", strayed).out.splitlines()
    assert "warning  invisible.stray  12 cases" in lines
    assert "         · 1  <BOM>ab  →  byte order marks (U+FEFF)" in lines
    assert "         … and 7 more (--cases 12)" in lines
    assert lines.index("warning  invisible.stray  12 cases") < next(
        at for at, line in enumerate(lines) if line.startswith("kanji.single ")
    )
    assert not any("kanji of level 1" in line for line in lines)
    bad = "3 warnings (round-trip.lost, invisible.stray, unreachable.unknown)"
    assert lines[-1] == f"11 checks: no errors, {bad}, 3 notes"


def test_notes_in_full(strayed: Path) -> None:
    whole = run("check", strayed, "--notes").out
    assert "         · kanji of level 1  →  1 of 2,965, 0.0%" in whole.splitlines()
    assert "To do: nothing, if it was trained by others; else train anew on" in whole
    one = run("check", strayed, "--only", "kanji").out
    assert "         · kanji of level 1  →  1 of 2,965, 0.0%" in one.splitlines()
    assert one.splitlines()[-1] == "1 check: no errors, no warnings, 1 note"


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_fails_is_named_where_errors_are(strayed: Path, more: list[str]) -> None:
    result = run("check", strayed, *ONLY, "--fail-on", "warning", *more)
    assert (result.code, result.err) == (3, "kugiri: failed: invisible.stray (--fail-on warning)\n")
    assert run("check", strayed, *ONLY, *more).err == ""
    note = run("check", strayed, *ONLY, "--fail-on", "note", *more)
    assert note.err.startswith("kugiri: failed: invisible.stray, kanji.single (--fail-on note)")


def test_what_a_program_gets_is_whole(strayed: Path) -> None:
    whole = json.loads(run("check", strayed, "--json").out)
    validator("check").validate(whole)
    assert (whole["tokenizer"], whole["kugiri"]) == (str(strayed), kugiri.__version__)
    assert all(len(it["cases"]) == it["count"] for it in whole["findings"])
    assert {it["id"]: it["count"] for it in whole["findings"]}["invisible.stray"] == 12
    two = json.loads(run("check", strayed, "--json", "--cases", "2").out)
    validator("check").validate(two)
    assert [len(it["cases"]) for it in two["findings"]] == [
        min(2, it["count"]) for it in whole["findings"]
    ]
    assert kugiri.check(kugiri.load(strayed)).tokenizer.startswith("Tokenizer(WordLevel, ")


@pytest.mark.parametrize("width", [60, 80])
def test_lines_keep_their_indent(strayed: Path, width: int) -> None:
    shown = plain(on_terminal(width, "check", str(strayed), "--notes")).splitlines()
    assert max(map(len, shown)) <= width
    start = shown.index("warning  invisible.stray  12 cases")
    end = shown.index("", start)
    assert all(line.startswith(" " * 9) for line in shown[start + 1 : end])
    remedy = next(at for at in range(start, end) if "To do:" in shown[at])
    assert all(line.startswith(" " * 16) for line in shown[remedy + 1 : end])


def test_names_are_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    words(["\ufeffInternationalization" + "<U+0085>" * 2]).save(path)
    (line,) = [
        it for it in run("check", path, "--only", "invisible").out.splitlines() if "BOM" in it
    ]
    assert line == (
        "         · 1  <BOM>Internationalization<U+0085><U+0085>  →  byte order marks (U+FEFF)"
    )


def test_a_list_says_which_line_is_wrong(strayed: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("# seen\ninvisible\nkanji.singel # typo\n")
    refused = run("check", strayed, "--ignore-from", known)
    assert refused.code == 2
    assert (
        f"{known}, line 3: unknown finding to ignore 'kanji.singel'; did you mean 'kanji.single'?"
        in refused.err
    )
    assert len(refused.err) < 400
    known.write_text("invisible\nkanji\nleak\n")
    result = json.loads(run("check", strayed, *ONLY, "--ignore-from", known, "--json").out)
    assert (result["findings"], result["unused"]) == ([], [])
    unused = json.loads(run("check", strayed, "--only", "chat", "--ignore", "chat", "--json").out)
    assert unused["unused"] == [], "what could not be asked may yet be needed"


def test_where_nothing_could_be_looked_for(strayed: Path) -> None:
    assert run("check", strayed, "--only", "usage").out.splitlines()[-1] == (
        "0 checks: nothing could be looked for"
    )


def test_losses_are_shown_by_what_a_reader_knows() -> None:
    lost = found(words(["あ"]), "round-trip", "高い山")["lost"]
    assert [case.what for case in lost.cases[:8]] == [
        "鷗",
        "髙",
        "﨑",
        "𠮟",
        "①",
        "㈱",
        "〜",
        "高い山",
    ]
    assert lost.of is not None
    assert len(lost.cases) == lost.count < lost.of == 314


BYTES_LEFT_OUT = tokenizer_json(bpe(BYTES[:-9], []), pre_tokenizer=BYTE_LEVEL)
CHARACTERS = tokenizer_json(bpe(["a", "b", "ab"], ["a b"]))
ENDED = tokenizer_json(bpe([*BYTES[:99]], [], end_of_word_suffix="</w>"), pre_tokenizer=BYTE_LEVEL)


@pytest.mark.parametrize(
    ("tok", "expected"),
    [
        (BYTES_LEFT_OUT, "add the bytes that are missing (see the check `soundness`)"),
        (CHARACTERS, "train anew with unit='byte', or on text that has these characters"),
        (unigram(["a"]), "train anew with byte_fallback=True, or with a larger character_coverage"),
        (words(["a"]),
         "train anew on text that has these characters, or train BPE with unit='byte'"),
    ],
)  # fmt: skip
def test_remedies_fit_the_model(tok: kugiri.Tokenizer, expected: str) -> None:
    subject = Subject(tok)
    assert keep_characters(subject) == expected
    assert know_unknown(subject) == f"add an unknown token; or {expected}"
    assert ("character_coverage" in more_kanji(subject)) == ("byte_fallback" in expected)


def test_remedies_of_bytes_and_special_tokens() -> None:
    assert missing_bytes(Subject(BYTES_LEFT_OUT)) == "put all 256 bytes into the vocabulary"
    assert missing_bytes(Subject(ENDED)).endswith(", with </w> and without")
    assert "special" in found(words(["a"]), "soundness")
    marked = words(["a"], added_tokens=[special(2, "<s>")])
    assert "special" not in found(marked, "soundness")


def test_remedies_spell_options_as_they_are_typed(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    unigram(["a"]).save(path)
    shown = run("check", path, "--only", "round-trip").out
    assert "To do: train anew with --byte-fallback, or with a larger --character-coverage" in shown
