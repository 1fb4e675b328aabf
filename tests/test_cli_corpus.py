"""`kugiri corpus`: clean, divide, take a part, and say what was left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kugiri.corpus import read_documents
from test_cli_main import run

ARTICLES = [
    f"<h1>記事{number}</h1><p>本文の一行目<p>二行目<pre>x = {number}\n\n  y</pre>"
    for number in range(10)
]


JOINED = "documents line breaks became spaces; name the file .jsonl to keep them"


@pytest.fixture
def articles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Ten articles in HTML; the current directory is theirs."""
    monkeypatch.chdir(tmp_path)
    records = (json.dumps({"id": n, "body": body}) for n, body in enumerate(ARTICLES))
    Path("articles.jsonl").write_text("\n".join(records), encoding="utf-8")
    return "articles.jsonl"


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def test_the_whole_way(articles: str) -> None:
    result = run(
        "corpus", articles, "--field", "body", "--clean", "--lines", "--keep-one-in", "4",
        "-o", "train.txt", "--eval-out", "eval.txt", "--eval-size", "3",
        "--code-out", "code.txt", "--eval-code-out", "eval-code.txt",
    )  # fmt: skip
    assert (result.code, result.out) == (0, "")
    held = [line for line in lines("eval.txt") if line.startswith("記事")]
    assert len(held) == 3
    assert lines("eval.txt") == [
        line for title in held for line in (title, "本文の一行目", "二行目")
    ]
    all_training = [
        line
        for title in (f"記事{n}" for n in range(10))
        if title not in held
        for line in (title, "本文の一行目", "二行目")
    ]
    assert lines("train.txt") == all_training[::4]
    numbers = [title.removeprefix("記事") for title in held]
    assert lines("eval-code.txt") == [f"x = {n} y" for n in numbers]
    assert len(lines("code.txt")) == 7
    assert result.err.splitlines() == [
        "kugiri: train.txt: 6 documents, 24 characters, 68 bytes",
        "kugiri: code.txt: 7 documents, 49 characters, 49 bytes",
        f"kugiri: in 7 {JOINED}",
        "kugiri: eval.txt: 9 documents, 36 characters, 102 bytes",
        "kugiri: eval-code.txt: 3 documents, 21 characters, 21 bytes",
        f"kugiri: in 3 {JOINED}",
        "kugiri: left out 15 documents by --keep-one-in 4",
    ]


def test_a_jsonl_keeps_documents_whole(articles: str) -> None:
    result = run("corpus", articles, "--field", "body", "--clean", "-o", "a.jsonl", "--code-out",
                 "code.jsonl", "--json", "--quiet")  # fmt: skip
    assert (result.code, result.err) == (0, "")
    texts = [json.loads(line)["text"] for line in lines("a.jsonl")]
    assert texts == [f"記事{n}\n本文の一行目\n二行目" for n in range(10)]
    assert json.loads(lines("code.jsonl")[3]) == {"text": "x = 3\n\n  y"}
    described = json.loads(result.out)
    assert described["output"] == {
        "path": "a.jsonl", "documents": 10, "characters": 140, "bytes": 360,
    }  # fmt: skip
    assert described["left_out"] == {"code": 0, "training": 0}


def test_to_standard_output_one_document_a_line(articles: str) -> None:
    result = run("corpus", articles, "--field", "body", "--clean")
    assert result.out.splitlines() == [f"記事{n} 本文の一行目 二行目" for n in range(10)]
    assert result.err.splitlines() == [
        "kugiri: standard output: 10 documents, 140 characters, 360 bytes",
        "kugiri: in 10 documents line breaks became spaces; name the file .jsonl to keep them",
        "kugiri: left out 10 blocks of code; keep them with --code-out FILE",
    ]


def test_standard_input_by_a_share(tmp_path: Path) -> None:
    text = "".join(f"{number}番\n" for number in range(200))
    result = run("corpus", "-", "-o", tmp_path / "a", "--eval-out", tmp_path / "b", "--eval-size",
                 "10%", "--by", "line", stdin=text)  # fmt: skip
    assert result.code == 0
    assert sorted(lines(f"{tmp_path}/a") + lines(f"{tmp_path}/b")) == sorted(text.split())


def test_documents_that_are_all_markup(tmp_path: Path) -> None:
    result = run("corpus", "-", "--clean", stdin="<img src=x>\n猫\n")
    assert result.out == "猫\n"
    assert "kugiri: 1 document had no text\n" in result.err


def test_what_is_written_is_what_will_be_read(tmp_path: Path) -> None:
    texts = ["猫", " \u3000", "a\u2028b\x85c", "犬\r\n鳥\n", "  字下げ"]
    lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    source = tmp_path / "a.jsonl"
    source.write_text(lines, encoding="utf-8")
    for name, documents in ("b.txt", 4), ("b.jsonl", 5):
        result = run("corpus", source, "-o", tmp_path / name)
        assert f"{name}: {documents} documents" in result.err
        read = [document.text for document in read_documents(tmp_path / name)]
        assert len(read) == documents
        assert read[-1] == "  字下げ"
    assert run("corpus", tmp_path / "b.txt").out == (tmp_path / "b.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(["--json"], "--json needs -o FILE", id="json to stdout"),
        pytest.param(["--eval-out", "b"], "--eval-out and --eval-size go together", id="no size"),
        pytest.param(["--eval-size", "5"], "--eval-out and --eval-size go together", id="no file"),
        pytest.param(["--by", "line"], "--by says what is drawn for --eval-out", id="by alone"),
        pytest.param(["--code-out", "c"], "--code-out is for the code that --clean", id="code"),
        pytest.param(["--clean", "--code-out", "c", "--eval-out", "b", "--eval-size", "2"],
                     "code has two places", id="one place for code"),
        pytest.param(["--eval-size", "x"], "'x' is no number and no share", id="size"),
    ],
)  # fmt: skip
def test_wrong_usage(options: list[str], message: str) -> None:
    result = run("corpus", "-", *options)
    assert result.code == 2
    assert message in " ".join(result.err.replace("│", " ").split())


@pytest.mark.parametrize("other", ["a.txt", "./a.txt", "link.txt"])
def test_two_outputs_in_one_place(articles: str, other: str) -> None:
    Path("link.txt").symlink_to("a.txt")
    result = run("corpus", articles, "--field", "body", "-o", "a.txt", "--eval-out", other,
                 "--eval-size", "2")  # fmt: skip
    assert result.code == 1
    assert result.err == (
        f"kugiri: error: {other}: this place is named twice; each output needs its own\n"
    )
    assert not Path("a.txt").exists()


def test_nothing_is_left_when_it_fails(articles: str) -> None:
    result = run("corpus", articles, "--field", "body", "-o", "a.txt", "--eval-out", "b.txt",
                 "--eval-size", "10")  # fmt: skip
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("kugiri: error: --eval-size 10, --by document leaves no text for ")
    assert [file.name for file in Path().iterdir()] == [articles]
