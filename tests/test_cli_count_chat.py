"""`kugiri count --chat`: what a chat costs, message by message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chats import CHATML, TOOLS, said, trained
from test_cli_main import run

pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")

MESSAGES = [said("low", "system"), said("lower<|im_end|>")]


@pytest.fixture
def tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tokenizer with templates; in the current directory lies a chat."""
    monkeypatch.chdir(tmp_path)
    trained(CHATML, TOOLS).save("a.kugiri.json")
    Path("chat.json").write_text(json.dumps(MESSAGES))
    return "a.kugiri.json"


def expected(messages: Any, **options: Any) -> list[list[str]]:
    """The rows of the table."""
    chat = trained(CHATML, TOOLS).encode_chat(messages, **options)
    rows = [[str(i), its.role, its.content, its.overhead] for i, its in enumerate(chat.messages)]
    rows += [["other", chat.other, 0]] if chat.other else []
    rows += [["frame", 0, chat.frame]] if chat.frame else []
    content, overhead = (sum(row[column] for row in rows) for column in (-2, -1))
    rows.append(["total", content, overhead])
    assert content + overhead == len(chat)
    return [[*map(str, row), str(row[-2] + row[-1])] for row in rows]


@pytest.mark.parametrize("stdin", [False, True])
@pytest.mark.parametrize("prompt", [False, True])
def test_messages(tokenizer: str, stdin: bool, prompt: bool) -> None:
    name, text = ("-", json.dumps(MESSAGES)) if stdin else ("chat.json", "")
    flags = ["--generation-prompt"] if prompt else []
    result = run("count", "-t", tokenizer, "--chat", name, *flags, stdin=text)
    assert (result.code, result.err) == (0, "")
    head, *rows = [line.split() for line in result.out.splitlines()]
    assert head == ["message", "role", "content", "overhead", "tokens"]
    assert rows == expected(MESSAGES, add_generation_prompt=prompt)


def test_tools_and_json(tokenizer: str) -> None:
    tools = [{"name": "low"}]
    text = json.dumps({"messages": MESSAGES, "tools": tools})
    result = run("count", "-t", tokenizer, "--chat", "-", stdin=text)
    assert [line.split() for line in result.out.splitlines()[1:]] == expected(MESSAGES, tools=tools)
    printed = json.loads(run("count", "-t", tokenizer, "--json", "--chat", "-", stdin=text).out)
    assert printed["path"] == "<stdin>"
    assert printed["messages"][0] == {
        "role": "system", "content": 1, "overhead": printed["messages"][0]["tokens"] - 1,
        "tokens": printed["messages"][0]["tokens"],
    }  # fmt: skip
    parts = [its["tokens"] for its in printed["messages"]] + [printed["other"], printed["frame"]]
    assert sum(parts) == printed["tokens"]


def test_templates_and_variables(tokenizer: str) -> None:
    template = "{% for m in messages %}{{ m.content }}{{ x }}{{ y }}{{ z }}{% endfor %}"
    Path("own.jinja").write_text(template)
    for name, given in (("own.jinja", template), ("tool_use", "tool_use")):
        values = {"x": False, "y": "low: lower", "z": [1]} if given == template else {}
        written = [f"--set={key}={value}" for key, value in
                   {"x": "false", "y": "low: lower", "z": "[1]"}.items() if values]  # fmt: skip
        result = run("count", "-t", tokenizer, "--chat", "chat.json", "--template", name, *written)
        wanted = expected(MESSAGES, template=given, **values)
        assert [line.split() for line in result.out.splitlines()[1:]] == wanted


def test_a_request_as_it_is_sent(tokenizer: str) -> None:
    request = {"model": "m", "temperature": 0, "messages": MESSAGES}
    text = "\ufeff" + json.dumps(request)
    result = run("count", "-t", tokenizer, "--chat", "-", stdin=text)
    assert [line.split() for line in result.out.splitlines()[1:]] == expected(MESSAGES)
    assert result.err == (
        "kugiri: warning: of <stdin>, only messages and tools are counted; left out: model, "
        "temperature\n"
    )


def test_without_a_template(tokenizer: str) -> None:
    trained().save("b.kugiri.json")
    result = run("count", "-t", "b.kugiri.json", "--chat", "chat.json")
    assert result.code == 2
    assert "as chat_template.jinja or in tokenizer_config.json; give --template" in result.err


def test_columns_without_any_value_are_left_out(tokenizer: str) -> None:
    result = run("count", "-t", tokenizer, "--chat", "chat.json", "--context", "100")
    assert result.out.splitlines()[0].split() == [
        "message", "role", "content", "overhead", "tokens", "context"
    ]  # fmt: skip


def test_limit(tokenizer: str) -> None:
    result = run("count", "-t", tokenizer, "--chat", "chat.json", "--max-tokens", "3")
    assert result.code == 3
    assert result.err.endswith("tokens, 3 allowed\n")


def test_roles_do_not_speak_to_the_terminal(tokenizer: str) -> None:
    text = json.dumps([said("low", "\u001b[31mred")])
    result = run("count", "-t", tokenizer, "--chat", "-", stdin=text)
    assert "\u001b" not in result.out


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "match"),
    [
        (["--chat", "-"], "[", 1, "<stdin> is no JSON"),
        (["--chat", "-"], '{"a": 1}', 1, "<stdin> is no chat; a chat is a list of messages"),
        (["--chat", "-"], "3", 1, "is no chat"),
        (["--chat", "-"], "[]", 1, "<stdin>: there is no message in the chat"),
        (["--chat", "-"], "[3]", 1, "messages[0] is an int"),
        (["--chat", "none.json"], "", 1, "none.json: No such file"),
        (["--chat", "chat.json", "chat.json"], "", 2, "leave out FILES"),
        (["--generation-prompt", "chat.json"], "", 2, "--set are for --chat"),
        (["--template", "default", "chat.json"], "", 2, "--set are for --chat"),
        (["--chat", "-"], '{"model": "m", "temperature": 0}', 1, "its fields are model, temp"),
        (["--chat", "-"], '[{"role": "user", "content": "\\ud800"}]', 1, "lone surrogate"),
        (["--chat", "-"], '{"messages": [{}], "tools": 5}', 1, "tools are a list"),
        (["--chat", "chat.json", "--template", "tool_us"], "", 2, "did you mean 'tool_use'?"),
        (["--chat", "chat.json", "--template", "{{x}}"], "", 2, "unknown chat template '{{x}}'"),
        (["--chat", "chat.json", "--set", "thinking=1"], "", 2, "unknown variable of the chat"),
        (["--chat", "chat.json", "--set", "tools=1"], "", 2, "--set is NAME=VALUE"),
        (["--chat", "chat.json", "--set", "thinking"], "", 2, "'thinking' came"),
    ],
)
def test_errors(tokenizer: str, arguments: list[str], stdin: str, code: int, match: str) -> None:
    result = run("count", "-t", tokenizer, *arguments, stdin=stdin)
    assert result.code == code
    assert match in result.err
