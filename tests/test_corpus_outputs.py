"""What `kugiri corpus` promises of its files: where a document ends, which side it is on, names."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kugiri.corpus import Document, find_files, read_documents
from kugiri.corpus.split import split
from kugiri.corpus.wordpress import fetch
from kugiri.errors import CorpusError, KugiriError, KugiriWarning
from test_cli_main import run

PAGE = "<html><head><script>\nlet x = 1\n</script>\n<!--\nnone\n-->\n<p>猫\nは<pre>\na\nb</pre>\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def records(path: str, *texts: str) -> None:
    lines = (json.dumps({"text": text}) + "\n" for text in texts)
    Path(path).write_text("".join(lines), encoding="utf-8")


def texts(path: str) -> list[str]:
    return [document.text for document in read_documents(path)]


# ── where a document ends ─────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["a.html", "a.HTM", "a.html.gz"])
@pytest.mark.parametrize("documents", ["lines", "files"])
@pytest.mark.usefixtures("here")
def test_a_page_is_one_document(name: str, documents: str) -> None:
    data = PAGE.encode()
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert texts(name) == [PAGE]
    result = run("corpus", name, "--documents", documents, "--clean", "--code-out", "c.jsonl")
    assert (result.code, result.out) == (0, "猫 は\n")
    assert texts("c.jsonl") == ["a\nb"]


@pytest.mark.usefixtures("here")
def test_a_page_that_is_no_utf_8() -> None:
    Path("a.html").write_bytes(b"a\n\xff")
    with pytest.raises(CorpusError, match=r"a\.html: line 2, byte 1 of the line: 0xff is not UTF"):
        texts("a.html")


@pytest.mark.usefixtures("here")
def test_what_a_folder_stands_for() -> None:
    for name in ("a.txt", "b.html", "c.json", ".d.txt", "README.md", "LICENSE", "e.txt.part"):
        Path(name).write_text("x\n")
    Path(".git").mkdir()
    Path(".git", "f.txt").write_text("x\n")
    message = r"left out of this folder: 3 of its files, for example b\.html; it stands for"
    with pytest.warns(KugiriWarning, match=message):
        assert find_files(".") == ["a.txt"]
    assert "kugiri: warning: .: left out of this folder: 3 of its files" in run("corpus", ".").err


# ── which side a document is on ───────────────────────────────────────────────────────────────
MARKED_UP = [f"{open}猫{n}{close}" for n in range(20) for open, close in (
    ("<p>", "</p>"), ("<div><b>", "</b></div>  "), ("", " "), (f"<p class=c{n}>", "<pre>x</pre>"),
)]  # fmt: skip


@pytest.mark.parametrize("size", ["5", "30%"])
@pytest.mark.parametrize("by", ["document", "line"])
@pytest.mark.usefixtures("here")
def test_what_is_equal_when_written_is_on_one_side(by: str, size: str) -> None:
    records("a.jsonl", *MARKED_UP)
    result = run("corpus", "a.jsonl", "--clean", "--by", by, "-o", "t.txt", "--eval-out", "e.txt",
                 "--eval-size", size)  # fmt: skip
    assert result.code == 0
    training, evaluation = texts("t.txt"), texts("e.txt")
    assert not set(training) & set(evaluation)
    assert len(training + evaluation) == len(MARKED_UP)
    assert size == "30%" or len(set(evaluation)) == 5


def test_white_space_makes_no_other_text() -> None:
    same = ["a b", "a\nb", "a\r\nb\n", " a  b"]
    others = [f"{n}" for n in range(20)]
    sided = list(split([*same, *others], 0.5))
    assert len({held for document, held in sided if document.text in same}) == 1


@pytest.mark.usefixtures("here")
def test_no_line_is_on_both_sides_when_lines_are_drawn() -> None:
    records("a.jsonl", *(f"<p>見出し<p>本文{n}<pre>y = {n}</pre>" for n in range(50)))
    result = run("corpus", "a.jsonl", "--clean", "--by", "line", "-o", "t.txt", "--eval-out",
                 "e.txt", "--eval-size", "10", "--code-out", "c.jsonl", "--eval-code-out",
                 "d.jsonl", "--quiet")  # fmt: skip
    assert (result.code, result.err) == (0, "")
    assert not set(texts("t.txt")) & set(texts("e.txt"))
    assert len(set(texts("e.txt"))) == 10
    assert len(texts("c.jsonl") + texts("d.jsonl")) == 50


def test_code_goes_with_its_text() -> None:
    markup = [f"猫{n}<pre>{n}</pre>" for n in range(20)]
    for document, held in split(markup, 5, markup=True):
        assert document == Document(f"猫{document.code[0]}", None, document.code)
        assert held in (True, False)
    assert sum(held for _, held in split(markup, 5, markup=True)) == 5


# ── names ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.jsonl.gz", "a.csv.gz", "a.CSV.zst"])
@pytest.mark.usefixtures("here")
def test_records_come_back(name: str) -> None:
    if name.endswith(".zst"):
        pytest.importorskip("zstandard")
    written = ['一\n二, "三"', "text", "a\r\nb", "  x", "'"]
    records("source.jsonl", *written)
    assert run("corpus", "source.jsonl", "-o", name).code == 0
    assert texts(name) == written


@pytest.mark.usefixtures("here")
def test_packed_lines_are_packed() -> None:
    Path("a.txt").write_text("一\n二\n", encoding="utf-8")
    assert run("corpus", "a.txt", "-o", "b.gz").code == 0
    assert gzip.decompress(Path("b.gz").read_bytes()).decode() == "一\n二\n"


@pytest.mark.parametrize("name", ["x.parquet", "x.tsv", "x.html", "x.Json", "x.parquet.gz"])
@pytest.mark.usefixtures("here")
def test_names_that_say_what_is_not_written(name: str) -> None:
    Path("a.txt").write_text("x\n")
    result = run("corpus", "a.txt", "-o", name)
    assert result.code == 2
    assert f"{name}: no .{name.split('.')[1].lower()} is written here; name a .txt" in result.err
    assert [file.name for file in Path().iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("source", "output"),
    [("d", "d/out.txt"), ("d", "d/e/out.txt"), ("d/a.txt", "d/a.txt"), ("d/*", "d/a.txt")],
)
@pytest.mark.usefixtures("here")
def test_nothing_is_written_into_what_is_read(source: str, output: str) -> None:
    Path("d", "e").mkdir(parents=True)
    Path("d", "a.txt").write_text("x\n")
    result = run("corpus", source, "-o", output)
    assert (result.code, result.out) == (1, "")
    assert f"{output}: this place is part of what is read, {source}; write it elsewh" in result.err
    assert run("corpus", "d", "-o", "out.txt").code == 0


def test_a_fetch_packs_nothing() -> None:
    with pytest.raises(KugiriError, match=r"x\.gz: no \.gz is written here"):
        fetch("example.org", "x.gz")
