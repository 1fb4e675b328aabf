"""`make parity`: what it says of a difference, and what it writes where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import kugiri
from tools import parity

TEXT = "low lower\n猫 lowest\n"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of its own, two short texts, and no training."""
    page = tmp_path / "page.md"
    page.write_text(f"before\n{parity.BLOCK_START}\nold\n{parity.BLOCK_END}\nafter\n")
    monkeypatch.setattr(parity, "PAGE", page)
    monkeypatch.setattr(parity, "ROOT", tmp_path)
    monkeypatch.setattr(parity, "TEXTS", ("one", "two"))
    monkeypatch.setattr(parity, "TRAINED", ())
    monkeypatch.setattr(parity, "MODEL_FILES", ())
    monkeypatch.setattr(parity, "RANDOM_TEXTS", 10)
    monkeypatch.setattr(parity, "compare_places", lambda models: iter(()))
    monkeypatch.setattr(parity, "texts_of_every_character", lambda: ["é"])
    monkeypatch.setattr(parity, "shared_text", lambda name: TEXT)
    return page


def pair(*, wrong: str = "") -> parity.Pair:
    """kugiri compared with itself; one text is wrong."""
    ours = kugiri.train([TEXT] * 2, vocab_size=260)

    def encode(texts: list[str]) -> list[list[int]]:
        return [ours.encode(text)[: -1 if text == wrong else None] for text in texts]

    tokens = {id: ours.token_bytes(id) for id in range(ours.vocab_size)}
    return parity.Pair("mine", "itself", ours, encode, (tokens, tokens))


def both_sides(one: parity.Pair) -> Iterator[parity.Pair]:
    yield one


def test_the_table_is_written(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parity, "both_sides", lambda: both_sides(pair()))
    assert parity.main() == 0
    written = page.read_text()
    assert written.startswith(f"before\n{parity.BLOCK_START}\nWritten by `make parity`")
    assert written.endswith(f"{parity.BLOCK_END}\nafter\n")
    assert "old" not in written
    count = pair().ours.count(TEXT)
    assert f"| mine | itself | {4 * count} |" in written  # two texts, each whole and by line
    assert "| 260 |" in written


def test_a_difference_is_named_and_nothing_written(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = page.read_text()
    monkeypatch.setattr(parity, "both_sides", lambda: both_sides(pair(wrong="猫 lowest\n")))
    assert parity.main() == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "mine, lines of one, text 1 '猫 lowest\\n', place" in said
    assert "10 here, None there" in said
    assert page.read_text() == before


def test_texts_that_are_absent_end_the_run(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> str:
        pytest.skip(f"{name} is absent")

    monkeypatch.setattr(parity, "both_sides", lambda: both_sides(pair()))
    monkeypatch.setattr(parity, "shared_text", absent)
    assert parity.main() == 1
    assert "one is absent" in capsys.readouterr().err
