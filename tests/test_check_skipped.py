"""Checking: what could not be looked for is named as skipped, each kind with its reason."""

from __future__ import annotations

import msgspec
import pytest

import kugiri
from kugiri.check.checks import CHECKS, chat
from kugiri.spec import ChatTemplates
from tests.checked import bpe, chatting, special, tokenizer_json, words

TURNS = "{% for m in messages %}{{ m.content }}{% endfor %}"
REFUSING = "{{ raise_exception('no') }}"
ONE = "{% if messages|length > 1 %}{{ raise_exception('one') }}{% endif %}" + TURNS
NOTHING = {"type": "Replace", "pattern": {"Regex": r"[\s\S]"}, "content": ""}


def refusing(character: str) -> kugiri.Tokenizer:
    """One that knows a single character, and refuses text with any other."""
    return kugiri.train([character] * 2, unit="char", num_merges=0, pre_tokenizer="none")


NO_TEMPLATE = "no chat template lies beside the file"
REFUSED = "no template renders a chat of one user message"
NO_BEGIN = "the settings name no begin token (bos_token) that is in the vocabulary"
UNKNOWN = tokenizer_json(
    {"type": "WordLevel", "vocab": {"<unk>": 0, "a": 1}, "unk_token": "<unk>"},
    added_tokens=[special(0, "<unk>")],
)


def settings_alone() -> kugiri.Tokenizer:
    tok = chatting(TURNS)
    settings = ChatTemplates({}, {"eos_token": "<gone>"}, ())
    return kugiri.Tokenizer(msgspec.structs.replace(tok.spec, chat=settings))


SKIPPED: list[tuple[str, kugiri.Tokenizer, list[str], dict[str, str]]] = [
    ("chat", kugiri.train(["a"], vocab_size=256), [], {"chat": NO_TEMPLATE}),
    ("chat", settings_alone(), [],
     dict.fromkeys((f"chat.{kind}" for kind in chat._RENDERED), NO_TEMPLATE)),
    ("chat", chatting(REFUSING, bos_token="<s>"), [], {
        "chat.doubled": REFUSED, "chat.loses": REFUSED,
        "chat.missing": f"of the templates: {REFUSED}",
        "chat.middle": "no template renders a chat of three messages",
    }),
    ("chat", chatting(ONE, bos_token="<s>"), [],
     {"chat.middle": "no template renders a chat of three messages"}),
    ("chat", chatting(TURNS), [], {"chat.middle": NO_BEGIN}),
    ("chat", chatting(TURNS, bos_token="<gone>"), [], {"chat.middle": NO_BEGIN}),
    ("chat", chatting(TURNS, bos_token="<s>"), [], {}),
    ("prefix", refusing("a"), ["aaa"],
     {"prefix.ends": "no text with a line or sentence has an id for each character"}),
    ("worst-case", refusing("☃"), [],
     {"worst-case": "no part of the texts made for it has an id for each character"}),
    ("normalizer", words(["a"], normalizer=NOTHING), [],
     dict.fromkeys(
         (f"normalizer.{kind}" for kind in CHECKS["normalizer"].kinds if kind != "gone"),
         "each text made for it has a character of which the normalizer leaves none",
     )),
    ("invisible", words(["a"], normalizer=NOTHING), [],
     {"invisible.form": "the normalizer leaves nothing of the names made for it"}),
    ("evasion", words(["instructions"]), [], {
        "evasion.letter": "a word with a letter before it has unknown characters",
        "evasion.styles": "letters that look alike are unknown characters",
        "evasion.spellings": "the texts made for it have unknown characters, or tokens stand for "
        "other text where others are beside them",
    }),
    ("lookalike", UNKNOWN, [], dict.fromkeys(
        ("lookalike.accepted", "lookalike.normalized"),
        "no text that looks like a special token can be encoded, or it is the unknown token",
    )),
    ("lookalike", tokenizer_json(bpe(["a", "#"], []), added_tokens=[special(1, "#")]), [],
     {"lookalike.twins": "no special token has 3 characters or more"}),
    ("usage", words(["aa"]), ["aa"], {
        "usage.never": "the text is too short to tell", "usage.scaffold": "the model has no merges",
    }),
    ("leak", refusing("☃"), ["a"] * 20,
     {"leak.document": "every document has a character without an id"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "tok", "documents", "expected"), SKIPPED, ids=[row[0] for row in SKIPPED]
)
def test_what_is_not_looked_for_is_named(
    check: str, tok: kugiri.Tokenizer, documents: list[str], expected: dict[str, str]
) -> None:
    result = kugiri.check(tok, documents or None, only=[check])
    assert result.skipped == expected
    found = {finding.id for finding in result.findings}
    assert not found & expected.keys(), "what is found was looked for"
    kinds = {f"{check}.{kind}" for kind in CHECKS[check].kinds}
    is_asked = expected.keys() not in ({check}, kinds)
    assert result.asked == [check] * is_asked


def test_without_a_renderer_what_templates_name_is_not_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chat, "find_spec", lambda name: None)
    why = "needs the package jinja2; pip install 'kugiri[chat]'"
    result = kugiri.check(chatting("<|gone|>" + TURNS), only=["chat"])
    assert result.findings == []
    assert result.skipped == {
        **dict.fromkeys((f"chat.{kind}" for kind in chat._RENDERED), why),
        "chat.missing": f"of the templates: {why}",
    }


def test_what_is_found_and_ignored_is_not_skipped() -> None:
    tok = chatting(REFUSING, eos_token="<gone>")
    result = kugiri.check(tok, only=["chat"], ignore=["chat.missing"])
    assert [finding.id for finding in result.findings] == ["chat.fails"]
    assert "chat.missing" not in result.skipped
    assert result.unused == []
