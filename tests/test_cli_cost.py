"""`kugiri count` with prices, `kugiri inspect --dimension`: what tokens cost."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import kugiri
from chats import CHATML, said, trained
from oracles import parity_file
from test_cli_main import run
from test_cost import WHY, no_network
from tools.parity_data import TIKTOKEN_CACHE_KEYS

__all__ = ["no_network"]  # a fixture

PRICES = ["--price-in", "2.50", "--price-out", "10"]


@pytest.fixture
def bytewise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tokenizer of bytes; in the current directory lie texts of 8, 2, 2 and no bytes."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"long": "abcdefgh", "short": "ab", "other": "cd", "empty": ""}.items():
        Path(f"{name}.txt").write_text(text)
    kugiri.train(["a"], vocab_size=256).save("bytes.kugiri.json")
    return "bytes.kugiri.json"


def table(*arguments: str | Path) -> list[list[str]]:
    """What a command prints, a list a line, and words a cell but for `in percent` and `-75.0 %`."""
    result = run("count", *arguments)
    assert (result.code, result.err) == (0, "")
    text = result.out.replace(" %", "%").replace("in percent", "in-percent").replace(" (", "(")
    lines = text.splitlines()
    meaning = lines.pop() if ": " in lines[-1] else ""
    assert all(part.split(":")[0] in MEANINGS for part in meaning.split("; ") if part)
    return [line.split() for line in lines]


MEANINGS = ("in and out", "context", "fits", "attention", "! does not fit")


def test_one_file(bytewise: str) -> None:
    head, row = table("-t", bytewise, "long.txt", "--price-in", "2.50")
    assert head == ["file", "characters", "tokens", "cost(USD)"]
    assert row == ["long.txt", "8", "8", "0.00002"]


def test_input_output_and_several(bytewise: str) -> None:
    head, *rows = table(
        "-t", bytewise, *PRICES, "--output-tokens", "500", "long.txt", "short.txt", "empty.txt"
    )
    assert head[-3:] == ["in", "out", "cost(USD)"]
    assert [[row[0], *row[-3:]] for row in rows] == [
        ["long.txt", "0.00002", "0.005", "0.00502"],
        ["short.txt", "0.000005", "0.005", "0.005005"],
        ["empty.txt", "0.00", "0.005", "0.005"],
        ["total", "0.000025", "0.015", "0.015025"],
    ]


def test_difference(bytewise: str) -> None:
    rows = {row[0]: row[1:] for row in table("-t", bytewise, *PRICES[:2], "long.txt", "short.txt")}
    assert rows["difference"] == ["-6", "-6", "-0.000015"]
    assert rows["in-percent"] == ["-75.0%", "-75.0%", "-75.0%"]
    rows = {row[0]: row[1:] for row in table("-t", bytewise, *PRICES[:2], "short.txt", "long.txt")}
    assert rows["difference"] == ["+6", "+6", "+0.000015"]
    assert rows["in-percent"] == ["+300.0%"] * 3
    rows = {row[0]: row[1:] for row in table("-t", bytewise, *PRICES[:2], "short.txt", "other.txt")}
    assert (rows["difference"], rows["in-percent"]) == (["+0", "+0", "0.00"], ["+0.0%"] * 3)
    rows = {row[0]: row[1:] for row in table("-t", bytewise, *PRICES[:2], "empty.txt", "long.txt")}
    assert rows["in-percent"] == ["–"] * 3
    for files in (["long.txt"], ["long.txt", "short.txt", "other.txt"]):
        assert "difference" not in {row[0] for row in table("-t", bytewise, *PRICES[:2], *files)}


def test_context_and_attention(bytewise: str) -> None:
    head, *rows = table(
        "-t", bytewise, "--context", "100", "--output-tokens", "20",
        "--layers", "2", "--dimension", "10", "long.txt", "short.txt",
    )  # fmt: skip
    assert head[-3:] == ["context", "fits", "attention"]
    assert [row[-3:] for row in rows] == [
        ["28.0%", "80", "5.12e+03"], ["22.0%", "80", "3.20e+02"], ["–", "–", "–"],
    ]  # fmt: skip
    assert table("-t", bytewise, "--context", "100", "empty.txt")[1][-2:] == ["0.0%", "–"]


def test_json(bytewise: str) -> None:
    printed = json.loads(
        run(
            "count", "-t", bytewise, *PRICES, "--currency", "JPY", "--output-tokens", "500",
            "--context", "1000", "--layers", "2", "--dimension", "10", "--json",
            "long.txt", "short.txt",
        ).out
    )  # fmt: skip
    long, _ = printed["files"]
    assert (long["bytes"], long["tokens"]) == (8, 8)
    assert long["cost"] == {
        "input": "0.00002", "output": "0.005", "total": "0.00502", "currency": "JPY",
    }  # fmt: skip
    assert (long["context_share"], long["characters_that_fit"]) == (0.508, 500)
    assert long["attention_flops"] == 5_120
    assert printed["total"]["cost"]["total"] == "0.010025"
    assert printed["difference"] == {
        "tokens": -6, "tokens_percent": -75.0, "cost_percent": pytest.approx(-0.2988, abs=1e-4),
        "cost": {"input": "-0.000015", "output": "0", "total": "-0.000015", "currency": "JPY"},
    }  # fmt: skip
    assert printed["price"] == {
        "input": "2.5", "output": "10", "per_tokens": 1_000_000, "currency": "JPY", "tiers": [],
    }  # fmt: skip
    assert (printed["output_tokens"], printed["context_window"]) == (500, 1_000)
    assert "model" not in printed


def test_huge_numbers(bytewise: str) -> None:
    answer = str(10**30)
    row = table("-t", bytewise, *PRICES, "--output-tokens", answer, "long.txt")[1]
    assert row[-1] == f"{10**25:,}.00002"


def test_a_chat(bytewise: str) -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    trained(CHATML).save("chat.kugiri.json")
    Path("chat.json").write_text(json.dumps([said("low", "system"), said("lower")]))
    chat = ["-t", "chat.kugiri.json", "--chat", "chat.json", "--price-in", "1000000"]
    head, *rows = table(*chat)
    assert head[-2:] == ["tokens", "cost(USD)"]
    assert all(row[-1] == f"{row[-2]}.00" for row in rows)
    answered = table(*chat, "--price-out", "2000000", "--output-tokens", "3", "--context", "100")
    assert answered[1][-4:] == [rows[0][-1], "–", rows[0][-1], "–"]
    tokens = int(rows[-1][-2])
    assert answered[-1][-4:] == [
        f"{tokens}.00", "6.00", f"{tokens + 6}.00", f"{tokens + 3}.0%",
    ]  # fmt: skip
    printed = json.loads(run("count", *chat, "--json").out)
    assert printed["cost"]["total"] == str(tokens)
    assert [its["cost"]["total"] for its in printed["messages"]] == [
        str(its["tokens"]) for its in printed["messages"]
    ]


def test_what_does_not_fit_is_marked(bytewise: str) -> None:
    sizes = ["--context", "5", "long.txt", "short.txt"]
    printed = run("count", "-t", bytewise, *sizes).out.splitlines()
    assert [line.split()[3:-1] for line in printed[1:3]] == [["!", "160.0%"], ["40.0%"]]
    assert printed[-1] == (
        "context: the share of it that both take; fits: characters that would have room, at as "
        "many tokens for each as here; ! does not fit"
    )
    fitting = run("count", "-t", bytewise, "--context", "8", "long.txt").out
    assert "!" not in fitting
    assert "100.0%" in fitting


def test_two_chats_are_compared(bytewise: str) -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    trained(CHATML).save("chat.kugiri.json")
    Path("a.json").write_text(json.dumps([said("low")]))
    Path("b.json").write_text(json.dumps([said("low"), said("lower")]))
    chats = ["-t", "chat.kugiri.json", "--chat", "a.json", "--chat", "b.json"]
    one, two = (
        json.loads(run("count", *chats[:2], "--chat", name, "--json").out)
        for name in ("a.json", "b.json")
    )
    head, first, second, difference, _ = table(*chats, "--price-in", "1000000")
    assert head == ["chat", "messages", "content", "overhead", "tokens", "cost(USD)"]
    content = [sum(it["content"] for it in chat["messages"]) for chat in (one, two)]
    for row, chat, said_ in zip((first, second), (one, two), content, strict=True):
        sizes = [len(chat["messages"]), said_, chat["tokens"] - said_, chat["tokens"]]
        assert row == [chat["path"], *map(str, sizes), f"{chat['tokens']}.00"]
    more = two["tokens"] - one["tokens"]
    assert difference[:3] == ["difference", "+1", f"+{content[1] - content[0]}"]
    assert difference[-2:] == [f"+{more}", f"+{more}.00"]
    assert json.loads(run("count", *chats, "--json").out) == {"chats": [one, two]}
    assert len(table(*chats, "--chat", "a.json")) == 4, "of three chats there is no difference"
    limit = run("count", *chats, "--max-tokens", str(one["tokens"] + two["tokens"] - 1))
    assert limit.code == 3


@pytest.mark.usefixtures("no_network")
def test_a_model_without_a_published_template(bytewise: str) -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    Path("a.json").write_text(json.dumps([said("low")]))
    asked = ["count", "--model", "gpt-4o", "-t", bytewise, "--price-in", "1", "--chat", "a.json"]
    refused = run(*asked)
    assert (refused.code, refused.out) == (2, "")
    assert "of gpt-4o no chat template is published" in refused.err
    template = refused.err.rpartition("a file of ")[2].strip()
    Path("content.jinja").write_text(template)
    counted = json.loads(run(*asked, "--template", "content.jinja", "--json").out)
    assert [counted["tokens"], counted["messages"][0]["content"]] == [3, 3]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--price-in", "-1"], 2, "the input price is '-1'; it must be a number from 0"),
        (
            [*PRICES[:2], "--price-out", "-0.5", "--output-tokens", "1"],
            2,
            "the output price is '-0.5'",
        ),
        (["--price-in", "1,5"], 2, "it must be a number from 0, as 2.50"),
        (["--price-in", "1", "--currency", "a b"], 2, "the currency is 'a b'"),
        (["--price-out", "1"], 2, "are for --price-in; give that too"),
        (["--currency", "JPY"], 2, "are for --price-in; give that too"),
        (["--model", "gpt-4o", "--currency", "JPY"], 2, "are for --price-in; give that too"),
        (["--output-tokens", "5"], 2, "--output-tokens is for --model, --price-in or --context"),
        (["--price-in", "1", "--output-tokens", "5"], 2, "give --price-out too"),
        (PRICES, 2, "--price-out is that of --output-tokens; give those too"),
        (["--layers", "5"], 2, "give both"),
        (["--dimension", "5"], 2, "give both"),
        (["--context", "0"], 2, "0 is not in the range"),
        (["--price-in", "1", "--output-tokens", "-5"], 2, "-5 is not in the range"),
    ],
)
def test_wrong_usage(bytewise: str, arguments: list[str], code: int, message: str) -> None:
    result = run("count", "-t", bytewise, *arguments, "long.txt")
    assert (result.code, result.out) == (code, "")
    assert message in " ".join(result.err.split())


# ── models ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("model", ["gpt-4o", "claude-sonnet-4-5"])
def test_a_model(bytewise: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("genai_prices", reason=WHY)
    cache = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS['o200k_base']}").parent
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
    Path("prompt.txt").write_text("hello world" * 500, encoding="utf-8")
    result = run("count", "--model", model, "--output-tokens", "500", "prompt.txt")
    assert (result.code, result.err) == (0, "")
    assert f"{model} of " in result.out
    assert "USD for a million tokens (genai-prices " in result.out
    assert ", newest change in force 20" in result.out
    exact = model == "gpt-4o"
    assert f"tokens: {'exact' if exact else 'an estimate'}, " in result.out
    printed = json.loads(run("count", "--model", model, "--json", "prompt.txt").out)
    assert printed["counting"]["name"] == "o200k_base"
    assert printed["counting"]["exact"] is exact
    assert printed["model"]["name"] == model
    tokens, price = printed["files"][0]["tokens"], float(printed["price"]["input"])
    assert float(printed["files"][0]["cost"]["total"]) == pytest.approx(tokens * price / 1e6)


@pytest.mark.usefixtures("no_network", "bytewise")
def test_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of docs/cost.md that needs the package; its date moves on with the days."""
    pytest.importorskip("genai_prices", reason=WHY)
    cache = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS['o200k_base']}").parent
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
    page = (Path(__file__).parents[1] / "docs/cost.md").read_text(encoding="utf-8")
    text = "以下の文章を読んで、内容を要約してください。要約は簡潔にしてください。\n"
    assert text.strip() in page
    Path("long.txt").write_text(text, encoding="utf-8")
    printed = run("count", "--model", "gpt-4o", "--output-tokens", "500", "long.txt").out
    shown = page.partition("```text\n")[2].partition("```")[0]
    day = r"\d{4}-\d\d-\d\d"
    assert re.sub(day, "DAY", printed) == re.sub(day, "DAY", shown)


@pytest.mark.usefixtures("no_network")
def test_a_given_tokenizer_is_an_estimate(bytewise: str) -> None:
    lines = run(
        "count", "--model", "gpt-4o", "-t", bytewise, *PRICES[:2], "long.txt"
    ).out.splitlines()
    assert lines[-1] == (
        "tokens: an estimate, counted with bytes.kugiri.json; gpt-4o has the encoding o200k_base"
    )


@pytest.mark.usefixtures("no_network")
def test_another_pattern_is_an_estimate(bytewise: str) -> None:
    file = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS['o200k_base']}")
    exact = ["count", "--model", "gpt-4o", "-t", file, *PRICES[:2], "long.txt"]
    assert run(*exact).out.splitlines()[-1].startswith("tokens: exact, ")
    last = run(*exact, "--pattern", "gpt2").out.splitlines()[-1]
    assert last.startswith("tokens: an estimate, split by --pattern; gpt-4o has")


@pytest.mark.usefixtures("no_network")
def test_what_is_absent(bytewise: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "genai_prices.data_snapshot", None)
    result = run("count", "--model", "gpt-4o", "-t", bytewise, "long.txt")
    assert (result.code, result.out) == (1, "")
    assert "pip install 'kugiri[prices]', or give the prices themselves" in result.err
    result = run("count", "--model", "gpt-4o", *PRICES[:2], "long.txt")
    assert (result.code, result.out) == (1, "")
    assert "the encoding o200k_base, which is not here" in result.err
    result = run("count", "long.txt")
    assert result.code == 2
    assert "Missing option '-t' / '--tokenizer'" in result.err


# ── the embedding ─────────────────────────────────────────────────────────────────────────────
def test_embedding(bytewise: str) -> None:
    last = [
        run("inspect", bytewise, "--dimension", "4096", *flags).out.splitlines()[-1]
        for flags in ([], ["--untied"])
    ]
    assert last == [
        "The embedding: 256 × 4,096 = 1,048,576 parameters",
        "The embedding: 2 × 256 × 4,096 = 2,097,152 parameters",
    ]
    printed = json.loads(run("inspect", bytewise, "--dimension", "4096", "--json").out)
    assert printed["embedding_parameters"] == 1_048_576
    assert "embedding_parameters" not in json.loads(run("inspect", bytewise, "--json").out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--untied"], "give its --dimension too"),
        (["--all", "--dimension", "5"], "--all shows nothing that --dimension would change"),
        (["--lineage", "a", "--dimension", "5"], "--lineage shows nothing that --dimension"),
    ],
)
def test_embedding_of_nothing(bytewise: str, arguments: list[str], message: str) -> None:
    result = run("inspect", bytewise, *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())
