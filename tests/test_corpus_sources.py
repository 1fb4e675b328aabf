"""What may name a corpus, which files that is, and what is refused."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kugiri.corpus import Block, Corpus, Texts, find_files, read
from kugiri.errors import CorpusError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus folder, with the current directory in it."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "b.txt").write_text("二\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("一\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("not of the corpus\n")
    (tmp_path / "sub" / "c.txt.gz").write_bytes(gzip.compress("三\n".encode()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def whole(corpus: Corpus) -> list[str]:
    """The text of all blocks and batches."""
    parts = read(corpus)
    return [
        text
        for part in parts
        for text in ([part.data.decode()] if isinstance(part, Block) else part.texts)
    ]


@pytest.mark.parametrize(
    ("corpus", "texts"),
    [
        pytest.param("a.txt", ["一\n"], id="path as str"),
        pytest.param(Path("a.txt"), ["一\n"], id="Path"),
        pytest.param(".", ["一\n", "二\n", "三\n"], id="folder, sorted, recursive, gz"),
        pytest.param("*.txt", ["一\n", "二\n"], id="glob"),
        pytest.param("**/*.gz", ["三\n"], id="recursive glob"),
        pytest.param("*", ["not of the corpus\n", "一\n", "二\n"], id="glob names files only"),
        pytest.param([Path("b.txt"), Path("a.txt")], ["二\n", "一\n"], id="Paths, order kept"),
        pytest.param([Path("a.txt"), Path("sub")], ["一\n", "三\n"], id="Path and folder"),
        pytest.param([Path("a.txt"), "b.txt"], ["一\n", "二\n"], id="Path and str"),
        pytest.param(["a.txt", "b.txt"], ["一\n", "二\n"], id="list of names of files"),
        pytest.param(("a.txt", "b.txt"), ["一\n", "二\n"], id="tuple of names of files"),
        pytest.param(["text", "a.txt"], ["text", "a.txt"], id="list of texts"),
        pytest.param([], [], id="nothing"),
        pytest.param(["", "a\0b"], ["", "a\0b"], id="texts that no path can be"),
        pytest.param(["猫" * 5000], ["猫" * 5000], id="text too long for a path"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_corpus(corpus: Corpus, texts: list[str]) -> None:
    assert whole(corpus) == texts


@pytest.mark.usefixtures("folder")
def test_iterators_of_names_are_texts_and_of_paths_are_files() -> None:
    assert whole(iter(["a.txt"])) == ["a.txt"]
    assert sorted(whole(Path().glob("*.txt"))) == ["一\n", "二\n"]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        pytest.param("none.txt", "no such file, folder or glob: 'none.txt'", id="missing"),
        pytest.param("none.txt", "pass a list of texts", id="missing, remedy"),
        pytest.param(
            Path("none.txt"), "no such file, folder or glob: 'none.txt'", id="missing Path"
        ),
        pytest.param("これは文章です", "no such file, folder or glob: 'これは文章です'", id="text"),
        pytest.param("猫" * 5000, f"'{'猫' * 199}…", id="long text, cut"),
        pytest.param("", "no such file, folder or glob: ''", id="empty str"),
        pytest.param("*.csv", "folder or glob: '*.csv'", id="glob without match"),
        pytest.param("empty", "no file of text in it (.txt, .jsonl, ", id="folder without text"),
        pytest.param(
            ["a.txt", "none.txt"], "no such file, folder or glob: 'none.txt'", id="second"
        ),
        pytest.param([Path("a.txt"), 5], "a path is needed, an int (5) came", id="int in paths"),
        pytest.param(b"bytes", "this is a bytes", id="bytes"),
        pytest.param(5, "this is an int", id="int"),
        pytest.param(None, "this is None", id="None"),
        pytest.param({"low": 5}, "this is a dict", id="dict"),
        pytest.param({"low"}, "this is a set", id="set"),
        pytest.param(["ok", b"no"], "text 2 of the corpus is a bytes (b'no')", id="bytes in texts"),
        pytest.param([b"no"], "text 1 of the corpus is a bytes", id="bytes first"),
        pytest.param([None], "text 1 of the corpus is None", id="None first"),
        pytest.param([1, 2], "text 1 of the corpus is an int (1)", id="ints"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_refused(corpus: Corpus, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        whole(corpus)
    assert message in str(caught.value)


def test_folder_that_cannot_be_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def walk(top: str, onerror: Callable[[OSError], None]) -> Iterator[None]:
        onerror(PermissionError(13, "Permission denied", top))
        yield

    monkeypatch.setattr("os.walk", walk)
    with pytest.raises(CorpusError, match="cannot be listed: Permission denied"):
        find_files(folder)


def test_texts_come_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kugiri.corpus.documents.BLOCK_BYTES", 200)
    texts = [f"文章{i}" for i in range(10)]
    batches = [part for part in read(iter(texts)) if isinstance(part, Texts)]
    assert [len(batch.texts) for batch in batches] == [4, 4, 2]
    assert [text for batch in batches for text in batch.texts] == texts
