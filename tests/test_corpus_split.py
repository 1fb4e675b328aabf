"""Dividing a corpus: the same choice everywhere, nothing on both sides, sizes as asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.corpus import Reading
from kugiri.corpus.split import split
from kugiri.errors import CorpusError, OptionError

LINES = [f"{number}番目の文" for number in range(1000)]


def evaluation(corpus: Any, size: int | float, **options: Any) -> list[str]:
    return [document.text for document, held in split(corpus, size, **options) if held]


def test_the_choice_is_the_same_on_every_machine() -> None:
    # What `printf '0\n15\n658番目の文' | b2sum -l 64` and its like say.
    assert evaluation(LINES, 3) == ["658番目の文", "664番目の文", "758番目の文"]
    assert evaluation(LINES, 3, seed=1) == ["42番目の文", "776番目の文", "999番目の文"]
    assert len(evaluation(LINES, 0.05)) == 49
    assert len(evaluation(LINES, 0.05, seed=1)) == 48


@given(
    texts=st.lists(st.text("猫犬魚\n", min_size=1), min_size=2),
    size=st.one_of(st.integers(1, 5), st.floats(0.1, 0.9)),
    seed=st.integers(0, 9),
)
def test_every_document_comes_once_and_equal_ones_stay_together(
    texts: list[str], size: int | float, seed: int
) -> None:
    try:
        sided = [(document.text, held) for document, held in split(texts, size, seed=seed)]
    except CorpusError:
        return  # one side would be empty
    assert [text for text, _ in sided] == texts
    sides = [{text for text, held in sided if held is side} for side in (True, False)]
    held, other = ({" ".join(text.split()) for text in side} for side in sides)
    assert not held & other
    if isinstance(size, int):
        assert len(held - {""}) == size  # what has no text is no unit


def test_order_and_additions_move_nothing() -> None:
    before = set(evaluation(LINES, 0.2))
    after = set(evaluation([*reversed(LINES), "もう一つ"], 0.2))
    assert after - {"もう一つ"} == before


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six files of two lines; the last equals the first."""
    for number in range(6):
        text = f"{number % 5} 一行目\n{number % 5} 二行目\n"
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_file_stays_whole(folder: Path) -> None:
    sides: dict[str, set[bool]] = {}
    for document, held in split(folder, 2, by="file"):
        assert document.path is not None
        sides.setdefault(Path(document.path).name, set()).add(held)
    assert all(len(side) == 1 for side in sides.values())
    assert sides["0.txt"] == sides["5.txt"]
    held = {name for name, side in sides.items() if side == {True}}
    assert len(held - {"5.txt"}) == 2


def test_files_go_by_what_is_in_them(folder: Path) -> None:
    before = evaluation(folder, 2, by="file")
    for file in folder.iterdir():
        file.rename(file.with_name(f"another name {file.name}"))
    assert evaluation(folder, 2, by="file") == before


def test_lines_of_records(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a\\n\\nb\\r\\nc"}\n{"text": "d"}\n')
    lines = [document.text for document, _ in split(tmp_path / "a.jsonl", 1, by="line")]
    assert lines == ["a", "b", "c", "d"]
    documents = [document.text for document, _ in split(tmp_path / "a.jsonl", 1)]
    assert documents == ["a\n\nb\r\nc", "d"]


@pytest.mark.parametrize(
    ("corpus", "size", "by", "error", "message"),
    [
        pytest.param(["a", "b"], 0, "document", OptionError, "size is 0; it must", id="nothing"),
        pytest.param(["a", "b"], 1.0, "document", OptionError, "size is 1.0; it must", id="all"),
        pytest.param(["a", "b"], -1, "document", OptionError, "size is -1; it must", id="negative"),
        pytest.param(["a"], 1, "page", OptionError, "unknown unit 'page'", id="unit"),
        pytest.param(["a"], 1, "file", OptionError, "by='file' is for files, texts came",
                     id="texts as files"),
        pytest.param(["a", "b", "a"], 3, "document", CorpusError,
                     "3 units were asked for evaluation, and the corpus has only 2 different",
                     id="more than there are"),
        pytest.param(["a", "b"], 2, "document", CorpusError,
                     "size=2, by='document' leaves no text for training (2 documents in all)",
                     id="no training text"),
        pytest.param(["a", "b"], 1e-9, "document", CorpusError, "leaves no text for evaluation",
                     id="no evaluation text"),
        pytest.param(iter(["a"]), 1, "document", CorpusError,
                     "to draw 1 documents for evaluation the corpus is read twice",
                     id="number from an iterator"),
        pytest.param("-", 0.5, "file", CorpusError, "to draw files for evaluation", id="stdin"),
    ],
)  # fmt: skip
def test_refused(corpus: Any, size: int | float, by: str, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        list(split(corpus, size, by=by))
    assert message in str(caught.value)


def test_a_share_is_read_once() -> None:
    assert len(evaluation(iter(LINES), 0.05)) == 49


def test_files_as_documents(folder: Path) -> None:
    texts = evaluation(folder, 2, reading=Reading(documents="files"))
    assert all(text.count("\n") == 2 for text in texts)
