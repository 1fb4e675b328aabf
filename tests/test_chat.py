"""Chats: what templates make of messages, where control tokens are, and what each message costs."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from chats import (
    CHATML,
    GENERATION,
    MARKS,
    NAMED,
    TEXT,
    TOOLS,
    TRIMMED,
    said,
    trained,
    with_template,
)
from processes import run_python

jinja2 = pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
BOS = {"bos_token": "<s>", "eos_token": "<|im_end|>"}


@pytest.fixture(scope="module")
def tok() -> kugiri.Tokenizer:
    return trained(CHATML, TOOLS, **BOS)


# ── the text ──────────────────────────────────────────────────────────────────────────────────
def plain_jinja(template: str, **values: Any) -> str:
    """What Jinja itself makes of a template, set up as transformers does."""
    from jinja2 import ext
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[ext.loopcontrols]
    )
    return environment.from_string(template).render(**BOS, **values)


EXPRESSIONS = [
    "{{ messages[0].content | trim }}{{ messages[-1]['content'] | upper }}",
    "{{ messages | map(attribute='content') | join(', ') }}",
    "{{ messages[0].content.split('a')[-1].lstrip('\n') ~ 3 ~ none ~ true }}",
    "{{ messages[0].content | replace('a', '<x>') }}{{ 'ab' | replace('b', messages[0].content) }}",
    "{% set ns = namespace(s='') %}{% for m in messages[::-1] %}{% set ns.s = ns.s + m.role %}"
    "{% endfor %}{{ ns.s }}",
    "{% macro tag(m) %}<{{ m.role }}>{{ caller() }}{% endmacro %}{% for m in messages %}"
    "{% call tag(m) %}{{ m.content }}{% endcall %}{% endfor %}",
    "{% for m in messages if m.role != 'system' %}{{ loop.index }}{{ loop.last }}{{ m.content }}"
    "{% if loop.first %}{% continue %}{% endif %}!{% else %}none{% endfor %}",
    "{% filter upper %}a{{ messages[0].content }}{% endfilter %}",
    "{% set x %}<s>{{ messages[0].content }}{% endset %}{{ x | length }}{{ x }}{{ x[:3] }}",
    "{{ messages[0].content | indent(2, true) }}|{{ 'a\n\nb' | indent }}|{{ 'a' | title }}",
    "{{ messages[0].items() | list | length }}{{ messages[0].nothing }}{{ messages[0] }}",
    "   {% if messages %}\n  a\n  {% endif %}\n{# note #}\n{{- 1.5 }}{{ [1, 'a'] }}",
    "{{ 7 // 2 * 'a' }}{{ messages[0].content * 2 }}{{ -3 % 2 }}",
    "{{ messages | selectattr('role', 'equalto', 'user') | list | length }}{{ 'a' in 'ab' }}",
    "{{ (messages | first).content | default('x') }}{{ range(3) | list | last }}{{ 2 ** 3 }}",
    "{{ messages[0].content | string | safe | capitalize }}{{ ['b', 'a'] | sort | join }}",
]
CHATS = [
    [said("hallo ａ\n", "system"), said(" b <|im_end|> "), said("猫", "assistant")],
    [said("")],
    [said("a\n\na\r\n "), said("A")],
]


@pytest.mark.parametrize("template", [CHATML, TRIMMED, NAMED, *EXPRESSIONS])
@pytest.mark.parametrize("messages", CHATS)
@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_text_is_that_of_jinja(
    tok: kugiri.Tokenizer, template: str, messages: list[dict[str, Any]]
) -> None:
    for prompt in (False, True):
        chat = tok.encode_chat(messages, template=template, add_generation_prompt=prompt)
        wanted = plain_jinja(template, messages=messages, add_generation_prompt=prompt)
        assert chat.text == wanted
        assert tok.decode(chat.ids) == wanted


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ {'a': '<&>猫'} | tojson }}", '{"a": "<&>猫"}'),
        ("{{ messages | tojson(indent=1) }}",
         '[\n {\n  "role": "user",\n  "content": "a\\"b"\n }\n]'),
        ("{{ {'b': 1, 'a': [none, true]} | tojson(sort_keys=true, separators=(',', ':')) }}",
         '{"a":[null,true],"b":1}'),
        ("{{ 'é' | tojson(ensure_ascii=true) }}", '"\\u00e9"'),
        ("{{ strftime_now('%Y') }}", str(datetime.now().year)),
        ("{{ dict(a=1).a }}", "1"),
        ("{{ x }}{{ flag }}", "variableFalse"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_what_transformers_adds(tok: kugiri.Tokenizer, template: str, text: str) -> None:
    given = {"x": "variable", "flag": False} if "flag" in template else {}
    assert tok.encode_chat([said('a"b')], template=template, **given).text == text


# ── what belongs to what ──────────────────────────────────────────────────────────────────────
def test_each_token_and_message(tok: kugiri.Tokenizer) -> None:
    chat = tok.encode_chat([said("low", "system"), said("lower")], add_generation_prompt=True)
    rows = zip(chat.tokens, chat.content, chat.numbers, strict=True)
    assert [row for row in rows if row[0] in MARKS or row[1]] == [
        ("<|im_start|>", False, 0), ("low", True, 0), ("<|im_end|>", False, 0),
        ("<|im_start|>", False, 1), ("low", True, 1), ("er", True, 1), ("<|im_end|>", False, 1),
        ("<|im_start|>", False, None),
    ]  # fmt: skip
    first, second = chat.messages
    assert (first.role, first.content, first.spans) == ("system", 1, [(19, 22)])
    assert chat.text[19:22] == "low"
    around = len(tok.encode("<|im_start|>system\n", allowed_special="all")) + 2
    assert (first.overhead, first.tokens) == (around, around + 1)
    assert second.content == 2
    assert [chat.text[slice(*span)] for its in chat.messages for span in its.spans] == [
        "low", "lower"
    ]  # fmt: skip
    assert chat.frame == len(tok.encode("<|im_start|>assistant\n", allowed_special="all"))
    assert len(chat) == len(chat.ids) == first.tokens + second.tokens + chat.frame


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}",
        "{% set e = '<|im_end|>' %}{% for m in messages %}{{ m.content }}{{ e }}{% endfor %}",
    ],
)
def test_what_a_loop_puts_out_is_of_its_message(tok: kugiri.Tokenizer, template: str) -> None:
    chat = tok.encode_chat([said("low"), said("low")], template=template)
    assert [(its.content, its.overhead) for its in chat.messages] == [(1, 1)] * 2
    assert chat.frame == 0


@pytest.mark.parametrize("special", [True, False])
def test_a_control_token_that_takes_in_a_space_of_content(
    tok: kugiri.Tokenizer, special: bool
) -> None:
    added = tuple(
        msgspec.structs.replace(it, rstrip=True, special=special) for it in tok.spec.added_tokens
    )
    wide = kugiri.Tokenizer(msgspec.structs.replace(tok.spec, added_tokens=added))
    for content in (" low", " low<s>"):
        chat = wide.encode_chat([said(content)], template="<s>{{ messages[0].content }}")
        rows = list(zip(chat.spans, chat.content, strict=True))
        assert rows[:2] == [((0, 4), False), ((4, 7), True)]
        assert all(its for _, its in rows[1:])


def test_the_role_of_an_enum_is_its_text(tok: kugiri.Tokenizer) -> None:
    class Role(str, Enum):
        USER = "user"

    chat = tok.encode_chat([said("low", Role.USER)])
    assert (chat.messages[0].role, chat.text[12:16]) == ("user", "user")


def test_a_message_in_itself(tok: kugiri.Tokenizer) -> None:
    message = said("low")
    message["x"] = message
    with pytest.raises(kugiri.OptionError, match="too deeply") as caught:
        tok.encode_chat([message])
    assert len(str(caught.value)) < 200


def test_extra_special_tokens_have_names(tmp_path: Path) -> None:
    tok = kugiri.train(TEXT, vocab_size=285, special_tokens=MARKS)
    tok.save(tmp_path / "tokenizer.json")
    template = "{{ image_token }}{{ pad }}{{ messages[0].content }}"
    extra = {"image_token": "<|im_end|>", "pad": {"content": "<s>"}, "messages": "<s>"}
    config = {"chat_template": template, "extra_special_tokens": extra}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    chat = kugiri.load(tmp_path).encode_chat([said("low")])
    assert chat.tokens == ["<|im_end|>", "<s>", "low"]


def test_generation_blocks(tok: kugiri.Tokenizer) -> None:
    chat = tok.encode_chat([said("low"), said("lower", "assistant")], template=GENERATION)
    marked = [token for token, its in zip(chat.tokens, chat.generated, strict=True) if its]
    assert marked == ["low", "er", "<|im_end|>"]
    assert chat.numbers[-1] == 1


# ── which template, and errors ────────────────────────────────────────────────────────────────
def test_which_template() -> None:
    tok = trained(
        "usual{{ messages[0].content }}", "with tools{{ tools }}{{ messages[0].content }}"
    )
    assert tok.encode_chat([said("a")]).text == "usuala"
    assert tok.encode_chat([said("a")], tools=[{"n": 1}]).text == "with tools[{'n': 1}]a"
    assert tok.encode_chat([said("a")], template="tool_use").text == "with toolsNonea"
    assert tok.encode_chat([said("a")], template="{{ messages[0].content }}").text == "a"


def test_warnings(tok: kugiri.Tokenizer) -> None:
    with pytest.warns(kugiri.KugiriWarning, match="no place for tools"):
        tok.encode_chat([said("a")], tools=[{"n": 1}], template=CHATML)
    only_users = "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}"
    with pytest.warns(kugiri.KugiriWarning, match=r"leaves out .* messages: 1 \('owner'\)"):
        tok.encode_chat([said("a"), said("b", "owner")], template=only_users)


def test_what_a_template_drops_of_a_message(tok: kugiri.Tokenizer) -> None:
    calls = [{"type": "function", "function": {"name": "f", "arguments": {"x": "low"}}}]
    answer = {"role": "assistant", "content": "low", "tool_calls": calls, "reasoning_content": "er"}
    lost = r"messages: 1 \('assistant', reasoning_content\), 1 \('assistant', tool_calls\)$"
    with pytest.warns(kugiri.KugiriWarning, match=lost):
        tok.encode_chat([said("a"), answer], template=CHATML)
    with pytest.warns(
        kugiri.KugiriWarning, match=r"messages: 0 \('assistant', reasoning_content\)$"
    ):
        tok.encode_chat([answer], template=TOOLS)
    all_of_it = "{% for m in messages %}{{ m | tojson }}{% endfor %}"
    assert tok.encode_chat([answer], template=all_of_it).messages[0].content > 0


def test_content_in_parts_that_python_writes(tok: kugiri.Tokenizer) -> None:
    parts = [{"type": "text", "text": "low"}]
    template = "{% for m in messages %}<s>{{ m.content }}{% endfor %}"
    with pytest.warns(kugiri.KugiriWarning, match="content of message 1 as Python writes a list"):
        chat = tok.encode_chat([said("a"), said(parts)], template=template)
    assert chat.text == f"<s>a<s>{parts}"
    assert (chat.other, chat.messages[1].spans) == (0, [(7, len(chat.text))])


def test_a_message_without_content_is_named(tok: kugiri.Tokenizer) -> None:
    with pytest.raises(kugiri.EncodingError, match=r"message 1 \(assistant\) has no content$"):
        tok.encode_chat([said("a"), said(None, "assistant")], template=CHATML)


def test_variables_are_what_a_template_reads_first(tok: kugiri.Tokenizer) -> None:
    template = (
        "{% macro show(text) %}{{ text }}{% endmacro %}{% if not date is defined %}"
        "{% set date = 'today' %}{% endif %}{% set low = low | default('lowest') %}"
        "{% for m in messages %}{% if m.content %}{% set content = m.content %}{% endif %}"
        "{% set role = m.role %}{{ content }}{{ show(date) }}{% endfor %}{{ low }}{{ content }}"
        "{{ text }}{{ role }}"
    )
    chat = tok.encode_chat([said("a")], template=template, date="now", low="er")
    assert chat.text == "anower"
    with pytest.raises(kugiri.OptionError, match=r"'content'; allowed: date, low$"):
        tok.encode_chat([said("a")], template=template, content="zzz")


def test_a_short_repr(tok: kugiri.Tokenizer) -> None:
    chat = tok.encode_chat([said("low" * 1000)])
    assert repr(chat) == f"ChatEncoding({len(chat):,} tokens, 1 message)"


def test_two_begins_side_by_side_are_named(tok: kugiri.Tokenizer) -> None:
    with pytest.warns(kugiri.KugiriWarning, match="the begin of text '<s>' twice"):
        tok.encode_chat([said("a")], template="{{ bos_token }}<s>{{ messages[0].content }}")


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"messages": "a"}, kugiri.OptionError, "messages are a list of messages"),
        ({"messages": []}, kugiri.OptionError, "no message"),
        ({"messages": ["a"]}, kugiri.OptionError, r"messages\[0\] is a str"),
        ({"messages": [said(b"a")]}, kugiri.OptionError, r"messages\[0\]\['content'\] is a bytes"),
        ({"messages": [{"role": {"a": b"x"}}]}, kugiri.OptionError, r"\['a'\] is a bytes"),
        ({"messages": [{1: 2}]}, kugiri.OptionError, "has the key an int"),
        ({"tools": [print]}, kugiri.OptionError, r"tools\[0\] is a"),
        ({"tools": [{"a": print}]}, kugiri.OptionError, r"tools\[0\]\['a'\] is a"),
        ({"tools": 5}, kugiri.OptionError, "tools are a list of JSON schemas .* an int .5. came"),
        ({"tools": {"name": "f"}}, kugiri.OptionError, "tools are a list of JSON schemas"),
        ({"template": 3}, kugiri.OptionError, "template is a name or"),
        ({"template": "defaul"}, kugiri.OptionError, "did you mean 'default'"),
        ({"thinking": True}, kugiri.OptionError, "unknown variable of the chat template"),
        ({"add_generation_prompt": "yes"}, kugiri.OptionError, "add_generation_prompt is 'yes'"),
        ({"messages": [said("\ud800")]}, kugiri.EncodingError, "lone surrogate"),
        ({"template": "{{ raise_exception('roles must alternate') }}"}, kugiri.EncodingError,
         "cannot be rendered: roles must alternate"),
        ({"template": "a\n{% if %}"}, kugiri.EncodingError, "cannot be compiled: line 2:"),
    ],
)  # fmt: skip
def test_errors(
    tok: kugiri.Tokenizer, arguments: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        tok.encode_chat(**{"messages": [said("a")], **arguments})


def test_too_little_memory_is_said_to_be_that(
    tok: kugiri.Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kugiri.chat.engine import Environment

    def no_memory(*arguments: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Environment, "step", no_memory)
    with pytest.raises(kugiri.EncodingError, match="cannot be rendered: Python has too little mem"):
        tok.encode_chat([said("a")])


def test_without_a_template() -> None:
    tok = kugiri.train(TEXT, vocab_size=285)
    with pytest.raises(kugiri.OptionError, match="no chat template"):
        tok.encode_chat([said("a")])
    assert tok.encode_chat([said("a")], template=CHATML).text == "<|im_start|>user\na<|im_end|>\n"


def test_without_jinja() -> None:
    printed = run_python(
        """
        import sys, kugiri
        sys.modules["jinja2"] = None
        tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        try:
            tok.encode_chat([{"role": "user", "content": "a"}], template="{{ messages }}")
        except kugiri.OptionError as error:
            print(error)
        """
    )
    assert printed.strip() == "encode_chat needs the package jinja2; pip install 'kugiri[chat]'"


def test_a_pickle_keeps_the_templates(tok: kugiri.Tokenizer) -> None:
    again = pickle.loads(pickle.dumps(tok))
    assert again == tok != with_template(tok, TRIMMED)
    assert again.encode_chat([said("low")]).text == tok.encode_chat([said("low")]).text


def test_threads_do_not_meet(tok: kugiri.Tokenizer) -> None:
    chats = [[said("low" * n, "system"), said("猫")] for n in range(1, 41)]
    alone = [tok.encode_chat(messages) for messages in chats]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(tok.encode_chat, chats))
    assert [its.messages for its in together] == [its.messages for its in alone]
