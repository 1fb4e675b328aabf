"""Checking: where a chat template meets the tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import kugiri
from kugiri.check.checks import chat
from tests.checked import cases, chatting
from tests.test_cli_main import run

TURNS = "{% for m in messages %}{{ m.content }}{% endfor %}"
WITH_BEGIN = "{{ bos_token }}" + TURNS
DOUBLED = {
    "before what begins": (WITH_BEGIN, "<s> $A", "<s>|<s>"),
    "before words": ("犬 {{ bos_token }}" + TURNS, "<s> $A", "<s>|犬|<s>"),
    "behind what ends": (TURNS + "{{ eos_token }}", "$A </s>", "</s>|</s>"),
    "behind words": (TURNS + "{{ eos_token }} 犬", "$A </s>", "</s>|犬|</s>"),
    "by the template": ("{{ bos_token }}" + WITH_BEGIN, "$A", "<s>|<s>"),
    "by the template inside": (TURNS + "</s></s>犬", "$A", "</s>|</s>"),
}
ONCE = {
    "by the template": (WITH_BEGIN, "$A"),
    "by the post-processor": (TURNS, "<s> $A </s>"),
    "at both ends": ("{{ bos_token }}" + TURNS, "$A </s>"),
}


@pytest.mark.parametrize("name", DOUBLED)
def test_a_special_token_twice(name: str) -> None:
    template, single, expected = DOUBLED[name]
    tok = chatting(template, single=single, bos_token="<s>", eos_token="</s>")
    assert cases(tok, "chat.doubled") == [("default", expected)]


@pytest.mark.parametrize("name", ONCE)
def test_a_special_token_once(name: str) -> None:
    template, single = ONCE[name]
    tok = chatting(template, single=single, bos_token="<s>", eos_token="</s>")
    assert cases(tok, "chat.doubled") == []


def test_a_begin_token_inside_a_chat() -> None:
    every = "{% for m in messages %}{{ bos_token }}{{ m.content }}{% endfor %}"
    tok = chatting(every, bos_token="<s>")
    assert cases(tok, "chat.middle") == [("default", "猫|<s>|犬")]
    assert cases(tok, "chat.doubled") == []
    assert cases(chatting(WITH_BEGIN, bos_token="<s>"), "chat.middle") == []
    short = "{% if messages|length > 1 %}{{ raise_exception('one') }}{% endif %}" + every
    assert kugiri.check(chatting(short, bos_token="<s>"), only=["chat"]).findings == []


def test_tokens_that_are_missing() -> None:
    tok = chatting("<|user|>" + TURNS + "<|end|><|end|>[INST] <b>", eos_token="<gone>",
                   bos_token="<s>", special_tokens=("<s>", "<img>"))  # fmt: skip
    assert cases(tok, "chat.missing") == [
        ("<gone>", "eos_token"), ("<img>", "special tokens"),
        ("<|user|>", "the template default"), ("<|end|>", "the template default"),
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:the settings beside this file name tokens")
def test_settings_that_list_special_tokens(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    kugiri.train(["猫"], vocab_size=258, special_tokens=["<s>", "<e>"]).save(path)
    (tmp_path / "special_tokens_map.json").write_text(json.dumps({
        "additional_special_tokens": ["<elder>"], "extra_special_tokens": ["<extra>"],
    }))  # fmt: skip
    for lists, expected in (
        ({}, ["<elder>", "<extra>"]),
        ({"additional_special_tokens": ["<s>", {"content": "<n>"}, "<n>"]}, ["<n>", "<extra>"]),
        ({"additional_special_tokens": [], "extra_special_tokens": {"img": "<img>"}}, ["<img>"]),
        ({"additional_special_tokens": None, "extra_special_tokens": [3, ["x"]]}, []),
    ):  # fmt: skip
        (tmp_path / "tokenizer_config.json").write_text(
            json.dumps({"chat_template": TURNS, **lists})
        )
        assert [what for what, _ in cases(kugiri.load(path), "chat.missing")] == expected


def test_what_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = kugiri.train(["a"], vocab_size=256)
    result = kugiri.check(bare, only=["chat"])
    assert result.skipped == {"chat": "no chat template lies beside the file"}
    assert result.asked == []
    monkeypatch.setattr(chat, "find_spec", lambda name: None)
    result = kugiri.check(chatting(TURNS, eos_token="<gone>"), only=["chat"])
    assert [it.id for it in result.findings] == ["chat.missing"]
    why = "needs the package jinja2; pip install 'kugiri[chat]'"
    assert result.skipped == dict.fromkeys((f"chat.{kind}" for kind in chat._RENDERED), why)
    assert result.asked == ["chat"]


@pytest.mark.filterwarnings("ignore:the settings beside this file name tokens")
def test_a_chat_that_begins_twice(tmp_path: Path) -> None:
    tok = kugiri.train(["猫"], vocab_size=258, special_tokens=["<s>", "<e>"])
    tok.save(tmp_path / "tokenizer.json")
    whole = json.loads((tmp_path / "tokenizer.json").read_text())
    begin = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    whole["post_processor"] = {
        "type": "TemplateProcessing", "single": begin, "pair": begin,
        "special_tokens": {"<s>": {"id": "<s>", "ids": [tok.token_id("<s>")], "tokens": ["<s>"]}},
    }  # fmt: skip
    (tmp_path / "tokenizer.json").write_text(json.dumps(whole))
    settings = {
        "bos_token": "<s>", "eos_token": "<gone>",
        "chat_template": "{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}",
    }  # fmt: skip
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    tok = kugiri.load(tmp_path / "tokenizer.json")
    assert cases(tok, "chat.doubled") == [("default", "<s>|<s>")]
    assert cases(tok, "chat.missing") == [("<gone>", "eos_token")]
    settings["chat_template"] = "{{ raise_exception('no') }}"
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    assert len(cases(kugiri.load(tmp_path), "chat.fails")) == 1
    settings["chat_template"] = "{{ raise_exception('\\x1b[31mno') }}"
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    assert "\x1b" not in cases(kugiri.load(tmp_path), "chat.fails")[0][1]
    assert "\x1b" not in run("check", tmp_path, "--only", "chat").out


WRITTEN = {
    "for an answer": "{% if add_generation_prompt %}<|it|>{% endif %}",
    "for a turn": "{% for m in messages if m.role == 'assistant' %}<|it|>{% endfor %}",
    "for a system message": "{% if messages[0].role == 'system' %}<|it|>{% endif %}",
    "for tools": "{% if tools %}<|it|>{% endif %}",
    "for a call": "{% for m in messages %}{% if m.tool_calls %}<|it|>{% endif %}{% endfor %}",
    "for a result": "{% for m in messages %}{% if m.role == 'tool' %}<|it|>{% endif %}{% endfor %}",
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_tokens_that_some_chats_alone_have(name: str) -> None:
    tok = chatting(WRITTEN[name] + TURNS)
    assert cases(tok, "chat.missing") == [("<|it|>", "the template default")]


@pytest.mark.parametrize("token", ["<start_of_turn>", "<｜User｜>", "<|im_end|>"])
def test_what_is_written_as_a_token(token: str) -> None:
    assert cases(chatting(token + TURNS), "chat.missing") == [(token, "the template default")]


@pytest.mark.parametrize("text", ["[INST]", "<b>", "<tool_call>", "<<SYS>>", "a <= b_of_c"])
def test_what_may_be_text(text: str) -> None:
    assert kugiri.check(chatting(text + TURNS), only=["chat"]).findings == []


LOST = {
    "{% for m in messages %}{{ m.role }}{% endfor %}": ("default: Neko 猫", "nothing"),
    "hi": ("default: Neko 猫", "nothing"),
    "{% for m in messages %}<{{ m.content|upper }}>{% endfor %}": ("default: Neko 猫", "<NEKO 猫>"),
}


@pytest.mark.parametrize("template", LOST)
def test_templates_that_lose_what_is_written(template: str) -> None:
    assert cases(chatting(template), "chat.loses") == [LOST[template]]
    assert cases(chatting("{% for m in messages %}{{ m.content|trim }}{% endfor %}"),
                 "chat.loses") == []  # fmt: skip


BROKEN = {
    "{% for %}": "cannot be compiled",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}": "nested too deeply",
    "{% for i in range(99999) %}{% for j in range(99999) %}a{% endfor %}{% endfor %}":
        "takes too many steps",
    "{% include 'a' %}": "include is not run",
}  # fmt: skip


@pytest.mark.parametrize("template", BROKEN)
def test_templates_that_go_wrong(template: str) -> None:
    (finding,) = kugiri.check(chatting(template), only=["chat"]).findings
    assert (finding.id, finding.severity) == ("chat.broken", "warning")
    assert BROKEN[template] in finding.cases[0].becomes


@pytest.mark.parametrize(
    "template",
    ["{{ raise_exception('no') }}", "{{ messages[1].content.x }}",
     "{% for tool in tools %}{{ tool }}{% endfor %}"],
)  # fmt: skip
def test_templates_for_other_chats_are_not_broken(template: str) -> None:
    (finding,) = kugiri.check(chatting(template), only=["chat"]).findings
    assert (finding.id, finding.severity) == ("chat.fails", "note")


def test_templates_that_ask_for_the_date() -> None:
    tok = chatting("{{ strftime_now('%Y') }}" + TURNS)
    assert cases(tok, "chat.date") == [("default", "strftime_now")]
    assert cases(chatting(TURNS), "chat.date") == []


@pytest.mark.parametrize(
    ("single", "expected"),
    [("<s> <s> $A", [("<s>|<s>", "")]), ("$A </s> </s>", [("</s>|</s>", "")]),
     ("<s> $A </s>", []), ("<s> $A <s>", []), ("$A", [])],
)  # fmt: skip
def test_a_token_that_the_post_processor_puts_twice(
    single: str, expected: list[tuple[str, str]]
) -> None:
    tok = chatting(TURNS, single=single)
    bare = kugiri.Tokenizer(msgspec.structs.replace(tok.spec, chat=None))
    for each in (tok, bare):
        assert cases(each, "soundness.twice") == expected
