"""Checking: how checks are asked, and real vocabularies with what is known of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.check.checks import CHECKS
from kugiri.check.finding import SEVERITIES
from kugiri.measure.vocabulary import vocabulary_of
from tests.checked import bpe, cases, found, tokenizer_json
from tests.oracles import parity_file
from tests.test_cli_main import run


# ── the work ──────────────────────────────────────────────────────────────────────────────────
def broken() -> kugiri.Tokenizer:
    return tokenizer_json(
        bpe(["a", "b", "c", "abc", "bca", "cab"], []), normalizer={"type": "Lowercase"}
    )


def test_what_is_known_is_left_out() -> None:
    tok = broken()
    assert [case.id for case in found(tok, "unreachable")["split"].cases] == [3, 4, 5]
    some = kugiri.check(tok, only=["unreachable"], ignore=["unreachable.split/4"], cases=1)
    assert [(it.count, it.cases[0].id) for it in some.findings] == [(2, 3)]
    known = ["unreachable.split", "unreachable.other", "leak.looks"]
    none = kugiri.check(tok, only=["unreachable"], ignore=known)
    assert (none.findings, none.unused) == ([], ["unreachable.other"])
    skipped = kugiri.check(tok, only=["leak"], ignore=["leak.document", "leak.looks/2"])
    assert skipped.unused == ["leak.looks/2"], "what was not asked may yet be needed"


def test_the_worst_comes_first() -> None:
    result = kugiri.check(broken())
    order = [SEVERITIES.index(finding.severity) for finding in result.findings]
    assert order == sorted(order)
    assert result.worst() == result.findings[0].severity
    assert [name for name in CHECKS if name not in result.asked] == ["chat", "kanji", "usage"]
    assert result.skipped.keys() >= {"chat", "kanji", "usage", "leak.document", "evasion.letter"}
    assert kugiri.check(kugiri.train(["a"], vocab_size=256), only=["soundness"]).worst() == "note"
    marked = kugiri.train(["a"], vocab_size=257, special_tokens=["<s>"])
    assert kugiri.check(marked, only=["soundness"]).worst() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"only": ["unreachabel"]}, "unknown check 'unreachabel'; did you mean 'unreachable'"),
        (
            {"ignore": ["unreachabel"]},
            "unknown finding to ignore 'unreachabel'; did you mean 'unreach",
        ),
        (
            {"ignore": ["kanji.singel"]},
            "'kanji.singel'; did you mean 'kanji.single'",
        ),
        ({"ignore": ["kanji/3"]}, "before it that of a finding"),
        ({"ignore": [3]}, r"ignore is a list of names; an int \(3\) is in it"),
        ({"ignore": ["leak.looks/x"]}, "behind the slash stands the id of a token"),
        ({"ignore": ["leak.looks/٣"]}, "behind the slash stands the id of a token"),
        ({"cases": -1}, "cases is -1"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(kugiri.OptionError, match=message):
        kugiri.check(broken(), **options)
    with pytest.raises(kugiri.OptionError, match="a Tokenizer is checked"):
        kugiri.check("x")  # type: ignore[arg-type]


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    broken().save(path)
    shown = run("check", path, "--only", "unreachable")
    assert shown.code == 0
    assert "warning  unreachable.split  3 cases" in shown.out
    assert run("check", path, "--only", "unreachable", "--fail-on", "warning").code == 3
    assert run("check", path, "--only", "unreachable", "--fail-on", "nothing").code == 0
    known = tmp_path / "known.txt"
    known.write_text("# seen\nunreachable.split/3  # ours\nunreachable.split/4\n")
    result = run("check", path, "--only", "unreachable", "--ignore-from", known, "--json")
    assert [case["id"] for case in json.loads(result.out)["findings"][0]["cases"]] == [5]
    assert json.loads(result.out)["schema"] == 1
    assert run("check", path, "--only", "soundness").code == 0
    assert run("check").code == 2
    known.write_text("\ufeffunreachable.split\n", encoding="utf-8")
    result = run("check", path, "--only", "unreachable", "--ignore-from", known, "--json")
    assert json.loads(result.out)["findings"] == []
    known.write_bytes(b"\xff\xfe")
    refused = run("check", path, "--ignore-from", known)
    assert refused.code != 0
    assert "is not UTF-8" in refused.err
    listed = run("check", "--list").out
    assert all(id in listed for check in CHECKS.values() for id in check.ids())
    needs = {line.split()[0] for line in listed.splitlines() if line.endswith(" text")}
    assert needs == {"usage.never", "usage.scaffold", "usage.little", "leak.document"}


def test_the_command_names_what_it_does_not_ask(tmp_path: Path) -> None:
    path, empty, short = (tmp_path / name for name in ("tokenizer.json", "empty.txt", "short.txt"))
    broken().save(path)
    empty.write_text("")
    short.write_text("a\nb\n")
    for corpus, expected in (
        ([], {"usage": "needs a text: give a corpus",
              "leak.document": "needs a text: give a corpus"}),
        (["--corpus", short], {
            "usage.never": "the text is too short to tell",
            "usage.scaffold": "the text is too short to tell",
            "leak.document": "the corpus has 2 documents; with fewer than 20 it cannot tell",
        }),
    ):  # fmt: skip
        asked = ["check", path, "--only", "usage", "--only", "leak", *corpus]
        assert json.loads(run(*asked, "--json").out)["skipped"] == expected
        shown = " ".join(run(*asked).out.split())
        assert all(f"{name} {reason}" in shown for name, reason in expected.items())
    refused = run("check", path, "--corpus", empty)
    assert (refused.code, refused.out) == (1, "")
    assert "the corpus has no text; give one that has, or none" in refused.err


def test_a_check_that_is_named_twice_is_asked_once(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    broken().save(path)
    once, twice = (
        run("check", path, *["--only", "unreachable"] * times, "--json").out for times in (1, 2)
    )
    assert once == twice
    assert json.loads(twice)["asked"] == ["unreachable"]


# ── real vocabularies ─────────────────────────────────────────────────────────────────────────
PUBLISHED = {
    "gpt4o": (787, 647, 11), "llama3": (590, 634, 6), "qwen3": (311, 1009, None),
    "gemma3": (0, 0, 23), "llama2": (0, 0, None),
}  # fmt: skip
"""Straddlers, fragments, tokens with a tag or a control of direction, as counted elsewhere."""
TAGS_AND_CONTROLS = re.compile("[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("name", PUBLISHED)
def test_counts_of_real_vocabularies(name: str) -> None:
    tok = kugiri.load(parity_file(f"npm/{name}/tokenizer.json"))
    result = kugiri.check(tok, only=["incomplete", "invisible"], cases=10_000)
    of_id = {finding.id: finding for finding in result.findings}
    counts = [
        of_id[id].count if id in of_id else 0
        for id in ("incomplete.straddler", "incomplete.fragment")
    ]
    texts = vocabulary_of(tok).texts
    unseen = (
        texts[it.id or 0].decode(errors="ignore")
        for kind in ("stray", "needed", "private")
        for it in (of_id[f"invisible.{kind}"].cases if f"invisible.{kind}" in of_id else [])
    )
    controls = sum(bool(TAGS_AND_CONTROLS.search(text)) for text in unseen)
    expected = PUBLISHED[name]
    assert (*counts, controls if expected[2] is not None else None) == expected


KANJI = {
    "gpt4o": (53.5, 8.1), "llama3": (53.3, 7.0), "qwen3": (77.9, 51.0), "gemma3": (98.9, 70.9),
    "llama2": (32.1, 3.5),
}  # fmt: skip
"""Percent of the kanji of levels 1 and 2 that are one token, as counted elsewhere."""


@pytest.mark.parametrize("name", KANJI)
def test_kanji_of_real_vocabularies(name: str) -> None:
    tok = kugiri.load(parity_file(f"npm/{name}/tokenizer.json"))
    shares = [becomes.rpartition(" ")[2] for _, becomes in cases(tok, "kanji.single")]
    assert shares == [f"{share}%" for share in KANJI[name]]
