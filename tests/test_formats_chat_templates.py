"""Chat templates beside a tokenizer's file: where they are looked for, and where they are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from chats import CHATML, TEXT, trained
from kugiri.spec import ChatTemplates

CONFIG = "tokenizer_config.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a model, without settings."""
    kugiri.train(TEXT, vocab_size=285).save(tmp_path / "tokenizer.json")
    return tmp_path


def write(folder: Path, files: dict[str, Any]) -> None:
    """Files by name, JSON where the content is no text."""
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")


NAMED = [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]


@pytest.mark.parametrize(
    ("files", "chat"),
    [
        ({}, None),
        ({CONFIG: {"bos_token": "<s>"}}, None),
        ({CONFIG: {"chat_template": "a", "bos_token": "<s>", "eos_token": {"content": "</s>"},
                   "pad_token": None, "add_bos_token": True}},
         ({"default": "a"}, {"bos_token": "<s>", "eos_token": "</s>"})),
        ({CONFIG: {"chat_template": NAMED}}, ({"default": "a", "tool_use": "b"}, {})),
        ({CONFIG: {"chat_template": {"default": "a", "rag": "c"}}},
         ({"default": "a", "rag": "c"}, {})),
        ({"chat_template.jinja": "猫\n"}, ({"default": "猫\n"}, {})),
        ({"chat_template.json": {"chat_template": "j"}}, ({"default": "j"}, {})),
        ({CONFIG: {"chat_template": NAMED}, "chat_template.jinja": "new",
          "chat_template.json": {"chat_template": "old"}},
         ({"default": "new", "tool_use": "b"}, {})),
        ({"chat_template.jinja": "a", "additional_chat_templates/rag.jinja": "r"},
         ({"default": "a", "rag": "r"}, {})),
        ({CONFIG: {"chat_template": "a"},
          "special_tokens_map.json": {"bos_token": "<b>", "eos_token": "<e>"}},
         ({"default": "a"}, {"bos_token": "<b>", "eos_token": "<e>"})),
    ],
)  # fmt: skip
def test_beside(
    folder: Path, files: dict[str, Any], chat: tuple[dict[str, str], dict[str, str]] | None
) -> None:
    write(folder, files)
    expected = None if chat is None else ChatTemplates(*chat)
    assert kugiri.load(folder).spec.chat == expected
    assert kugiri.load((folder / "tokenizer.json").read_bytes()).spec.chat is None


def test_a_prefix_is_common_to_all(folder: Path) -> None:
    (folder / "tokenizer.json").rename(folder / "my-tokenizer.json")
    write(folder, {"chat_template.jinja": "other", "my-chat_template.jinja": "mine"})
    chat = kugiri.load(folder / "my-tokenizer.json").spec.chat
    assert chat == ChatTemplates({"default": "mine"})


@pytest.mark.parametrize(
    ("files", "match"),
    [
        ({CONFIG: "{"}, f"{CONFIG} is malformed"),
        ({CONFIG: {"chat_template": 3}}, "must be a template, or a list"),
        ({CONFIG: {"chat_template": []}}, "must be a template, or a list"),
        ({CONFIG: {"chat_template": [{"name": "x"}]}}, "`template`"),
        ({CONFIG: [1]}, f"{CONFIG} is malformed"),
    ],
)
def test_what_cannot_be_read_is_a_warning(folder: Path, files: dict[str, Any], match: str) -> None:
    write(folder, files)
    with pytest.warns(kugiri.KugiriWarning, match=f"chat template beside .* left out: .*{match}"):
        tok = kugiri.load(folder / "tokenizer.json")
    assert tok.spec.chat is None
    assert tok.encode("low")


def test_bytes_that_are_no_text_are_a_warning(folder: Path) -> None:
    (folder / "chat_template.jinja").write_bytes(b"a\xff")
    with pytest.warns(kugiri.KugiriWarning, match="not UTF-8 at byte 1"):
        kugiri.load(folder)


def test_the_native_format_keeps_them(tmp_path: Path) -> None:
    tok = trained(CHATML, "tools", bos_token="<s>")
    tok.save(tmp_path / "a.kugiri.json")
    assert kugiri.load(tmp_path / "a.kugiri.json") == tok


def test_settings_of_vocab_json_keep_them(tmp_path: Path) -> None:
    tok = kugiri.train(TEXT, vocab_size=285, preset="gpt2", special_tokens=["<|endoftext|>"])
    for templates in ({"default": "a"}, {"default": "a", "rag": "b"}):
        chat = ChatTemplates(templates)
        named = kugiri.Tokenizer(msgspec.structs.replace(tok.spec, chat=chat))
        named.save(tmp_path / "vocab.json")
        again = kugiri.load(tmp_path / "vocab.json").spec.chat
        assert again is not None
        assert again.templates == templates


def test_other_formats_name_the_loss(tmp_path: Path) -> None:
    tok = trained(CHATML)
    with pytest.warns(kugiri.KugiriWarning, match="does not keep the chat template"):
        tok.save(tmp_path / "tokenizer.json")
    assert kugiri.load(tmp_path / "tokenizer.json").spec.chat is None


def test_what_is_kept_in_a_folder_is_the_tokenizer_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUGIRI_CACHE", str(tmp_path / "cache"))
    for template in ("first", "second"):
        write(folder, {"chat_template.jinja": template})
        chat = kugiri.load(folder / "tokenizer.json").spec.chat
        assert chat == ChatTemplates({"default": template})
    (folder / "chat_template.jinja").unlink()
    assert kugiri.load(folder / "tokenizer.json").spec.chat is None
