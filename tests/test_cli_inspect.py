"""`kugiri inspect`: kinds, the longest, their phrases, and lineages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

import kugiri
from test_cli_main import in_terminal, run, train

TEXT = "範囲だけを書いています\n" * 6 + "猫は魚\n猫は鳥\n"


@pytest.fixture
def tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tokenizer of characters, trained on lines of which one comes again and again."""
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text(TEXT, encoding="utf-8")
    options = ("--unit", "char", "--vocab-size", "99", "--pre-tokenizer", "none")
    train(tmp_path / "a.kugiri.json", *options, "--special-token", "<unk>", text=TEXT)
    return "a.kugiri.json"


def words(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_for_people(tokenizer: str) -> None:
    result = run("inspect", tokenizer, "--corpus", "train.txt")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == (
        "BPE of characters: 26 tokens, 11 merges, trained on 3 different words, from kugiri"
    )
    assert words(result.out)[1:] == [
        ["kind", "tokens", "for", "example"],
        ["special", "token", "1", "<unk>"],
        ["character", "14", "い", "け", "す", "だ", "て", "は", "ま", "を"],
        ["longer", "11", *lines[4].split()[2:]],
        [],
        ["The", "longest,", "without", "those", "inside", "a", "longer", "one"],
        ["characters", "count", "alone", "token"],
        ["11", "6", "10", "範囲だけを書いています"],
        ["2", "2", "1", "猫は"],
        [],
        ["The", "phrases", "that", "they", "are", "from"],
        ["found", "documents", "in", "phrase", "phrase"],
        ["6", "6", "6", "範囲だけを書いています"],
        ["2", "2", "2", "猫は"],
    ]


def test_json(tokenizer: str) -> None:
    result = run("inspect", tokenizer, "--json", "--longest", "1", "--corpus", "train.txt")
    described = json.loads(result.out)
    assert described["kinds"]["longer"] == 11
    assert described["special_tokens"] == {"<unk>": 25}
    (first,) = described["longest"]
    assert (first["piece"]["token"], first["alone"]) == ("範囲だけを書いています", 10)
    assert first["phrase"] == {
        "text": "範囲だけを書いています", "occurrences": 6, "token_occurrences": 6, "documents": 6,
    }  # fmt: skip
    plain = json.loads(run("inspect", tokenizer, "--json").out)
    assert "phrase" not in plain["longest"][0]


def test_lineage(tokenizer: str) -> None:
    result = run("inspect", tokenizer, "--lineage", "猫は")
    assert words(result.out)[0] == ["rank", "merge", "count", "applied"]
    assert words(result.out)[-1] == ["10", "猫", "+", "は", "→", "猫は", "2", "2"]
    steps = json.loads(run("inspect", tokenizer, "--lineage", "猫は", "--json").out)["lineage"]
    assert steps == [
        {"rank": 10, "left": "猫", "right": "は", "result": "猫は", "count": 2, "applied": 2}
    ]
    assert (
        run("inspect", tokenizer, "--lineage", "猫").out
        == "猫: of the alphabet, made by no merge\n"
    )


def test_lineage_of_unigram(tmp_path: Path) -> None:
    file = train(
        tmp_path / "a.kugiri.json", "--model", "unigram", "--vocab-size", "9", text="abc ab c\n" * 9
    )
    first, second, third = run("inspect", file, "--lineage", "▁ab").out.splitlines()
    assert first == "▁ab: a seed, there from the beginning and not pruned"
    assert second.startswith("score     -0.75, number 1, expected about ")
    assert third == "without   ▁|a|b, 15.97 worse"
    first, second, third = run("inspect", file, "--lineage", "a").out.splitlines()
    assert first == "a: a character, there from the beginning and not pruned"
    assert second == "score     -5.57, number 4, expected less than once"
    assert third == "without   nothing else spells it"
    seed = json.loads(run("inspect", file, "--lineage", "▁ab", "--json").out)["seed"]
    assert (seed["piece"], seed["place"], seed["instead"]) == ("▁ab", 0, ["▁", "a", "b"])


def test_ranks_without_a_merge_list_are_ids(tmp_path: Path) -> None:
    tok = kugiri.train(["low low"] * 2, vocab_size=258)
    with pytest.warns(kugiri.KugiriWarning, match="does not keep the pattern"):
        tok.save(tmp_path / "t.tiktoken")
    out = run("inspect", tmp_path / "t.tiktoken", "--pattern", "o200k", "--lineage", "low").out
    assert [row[0] for row in words(out)[1:]] == ["256", str(tok.token_id("low"))]


def test_lineage_of_bytes(tmp_path: Path) -> None:
    file = train(tmp_path / "a.kugiri.json", "--num-merges", "3", text="小 小\n" * 2)
    out = run("inspect", file, "--lineage", "小").out
    assert words(out)[1:] == [
        ["0", "<b0>", "+", "<8f>", "→", "<b0", "8f>", "4", "4"],
        ["1", "<e5>", "+", "<b0", "8f>", "→", "小", "4", "4"],
    ]
    assert words(run("inspect", file, "--lineage", "<b0 8f>").out)[1][0] == "0"


@pytest.mark.parametrize("shown", ["␠b", "␊", "<e3 81>", "␠"])
def test_lineage_of_a_token_as_it_is_shown(shown: str, tmp_path: Path) -> None:
    text = json.dumps({"text": "a b\na b\nいああああ"})
    Path(tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    file = tmp_path / "a.kugiri.json"
    assert run("train", tmp_path / "a.jsonl", "--num-merges", "9", "-o", file).code == 0
    result = run("inspect", file, "--lineage", shown)
    assert (result.code, result.err) == (0, "")
    assert shown in result.out


def test_lineage_in_a_file_of_visible_characters(tmp_path: Path) -> None:
    file = train(
        tmp_path / "tokenizer.json", "--preset", "gpt2", "--num-merges", "3", text="小 小\n" * 3
    )
    assert words(run("inspect", file, "--lineage", "小").out)[1:] == [
        ["0", "<b0>", "+", "<8f>", "→", "<b0", "8f>", "–", "–"],
        ["1", "<e5>", "+", "<b0", "8f>", "→", "小", "–", "–"],
    ]
    assert run("inspect", file).out.startswith("BPE of bytes: 259 tokens, 3 merges")
    assert (
        run("inspect", file, "--lineage", "å°ı").out == run("inspect", file, "--lineage", "小").out
    )


def test_what_is_very_long_is_shown_in_part(tmp_path: Path) -> None:
    words = ["あ" * 100, "<unk>"]
    file = train(tmp_path / "a.kugiri.json", "--model", "word", text=words[0])
    out = run("inspect", file).out
    assert f"{'あ' * 16}…{'あ' * 15}\n" in out
    assert f"  {'あ' * 30}…{'あ' * 29}\n" in out
    assert words[0] in run("inspect", file, "--json").out
    assert words[0] in run("inspect", file, "--all").out


def test_all(tokenizer: str) -> None:
    rows = words(run("inspect", tokenizer, "--all").out)
    assert rows[0] == ["id", "token", "kind", "count"]
    assert len(rows) == 27
    assert rows[-1] == ["25", "<unk>", "special", "token", "–"]
    tokens = json.loads(run("inspect", tokenizer, "--all", "--json").out)["tokens"]
    assert [token["id"] for token in tokens] == list(range(26))


def test_in_a_terminal_lines_fit(tokenizer: str) -> None:
    code, shown = in_terminal("inspect", tokenizer, "--corpus", "train.txt", columns=44)
    assert code == 0
    table = shown.partition("kind")[2]
    assert max(map(cell_len, table.splitlines())) <= 44


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.kugiri.json"], "none.kugiri.json"),
        (["a.kugiri.json", "--lineage", "犬"], "no token '犬' in this vocabulary of 26"),
        (["a.kugiri.json", "--lineage", "<unk>"], "it was added whole, not learned"),
        (["a.kugiri.json", "--corpus", "none.txt"], "no such file, folder or glob: 'none.txt'"),
    ],
)
@pytest.mark.usefixtures("tokenizer")
def test_refused(arguments: list[str], message: str) -> None:
    result = run("inspect", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)
    assert message in result.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--lineage", "猫", "--all"],
            "--lineage shows nothing that --all would change; leave one",
        ),
        (["--lineage", "猫", "--longest", "3"], "--lineage shows nothing that --longest would"),
        (["--lineage", "猫", "--corpus", "train.txt"], "--lineage shows nothing that --corpus"),
        (["--all", "--longest", "20"], "--all shows nothing that --longest would change"),
        (["--all", "--corpus", "none.txt"], "--all shows nothing that --corpus would change"),
        (["--documents", "lines"], "--documents says how --corpus is read; name that too"),
        (["--errors", "strict"], "--errors says how --corpus is read; name that too"),
        (["--longest", "0", "--corpus", "none.txt"], "no such file, folder or glob: 'none.txt'"),
    ],
)
def test_options_that_would_do_nothing(tokenizer: str, options: list[str], message: str) -> None:
    result = run("inspect", tokenizer, *options)
    assert result.code in (1, 2)
    assert message in " ".join(result.err.split())
