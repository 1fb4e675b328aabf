"""Checking: where a chat template meets the tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

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
    assert result.skipped == dict.fromkeys(("chat.doubled", "chat.middle", "chat.fails"), why)
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
