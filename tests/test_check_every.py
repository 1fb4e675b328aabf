"""Checking: every finding that `kugiri check --list` names, in a tokenizer made for it."""

from __future__ import annotations

from typing import Any

import pytest

import kugiri
from kugiri.check.checks import CHECKS
from kugiri.check.subject import Subject, characters
from tests.checked import (
    BYTE_LEVEL,
    BYTES,
    PREFIXED,
    bpe,
    chatting,
    found,
    tokenizer_json,
    unigram,
    words,
)
from tests.test_check_found import FOUND
from tests.test_check_prefix import DIGITS

TURNS = "{% for m in messages %}{{ m.content }}{% endfor %}"
STEPS = tokenizer_json(bpe(["a", "b", "ab", "abb", "bb"], ["a b", "ab b", "b b"]))
STEPPED = ["abb"] * 2000 + ["ab"] * 10


def byte_level(model: dict[str, Any] | None = None, **parts: Any) -> kugiri.Tokenizer:
    """All bytes, as they stand unless something says otherwise."""
    stages = {"pre_tokenizer": BYTE_LEVEL, "decoder": {"type": "ByteLevel"}}
    return tokenizer_json(model or bpe(BYTES, []), **{**stages, **parts})


ABCDE = byte_level(bpe([*BYTES, "ab", "abc", "abcd", "abcde"], ["a b", "ab c", "abc d", "abcd e"]))


def slow() -> kugiri.Tokenizer:
    """A pattern that goes back and back."""
    pattern = {"type": "Split", "pattern": {"Regex": r"(?=(a+)+b)a"}, "behavior": "Isolated",
               "invert": False}  # fmt: skip
    steps = {"type": "Sequence", "pretokenizers": [pattern, BYTE_LEVEL]}
    return byte_level(pre_tokenizer=steps)


MADE: dict[str, tuple[kugiri.Tokenizer, list[str]]] = {
    "round-trip.changed": (byte_level(decoder=None), []),
    "round-trip.streamed": (byte_level(), []),  # with a decoder that forgets, see below
    "round-trip.refused": (
        kugiri.train(["猫は魚"] * 2, unit="char", num_merges=1, pre_tokenizer="none"), [],
    ),
    "round-trip.lost": (words(["a"]), []),
    "round-trip.spaces": (words(sorted({*characters()})), []),
    "round-trip.normalized": (byte_level(normalizer={"type": "Lowercase"}), []),
    "prefix.far": (DIGITS, []),
    "prefix.ends": (
        tokenizer_json(bpe(["\n", ".", "a", ".\n"], [". \n"])), ["a.\na.\na"],
    ),
    "prefix.characters": (tokenizer_json(bpe(["a", "b", "ab"], ["a b"])), ["ab"]),
    "worst-case.refused": (slow(), []),
    "worst-case.whole": (byte_level(pre_tokenizer=PREFIXED), []),
    "evasion.letter": (tokenizer_json({
        "type": "Unigram", "unk_id": 0, "byte_fallback": False,
        "vocab": [["?", 0.0], *([letter, -9.0] for letter in "abcdefghijklmnopqrstuvwxyz"),
                  ["select", -1.0], ["ase", -1.0], ["lect", -1.0]],
    }), []),
    "evasion.styles": (ABCDE, []),
    "evasion.spellings": (byte_level(bpe([*BYTES, "or"], ["o r"])), []),
    "chat.doubled": (chatting("<s>" + TURNS, single="<s> $A"), []),
    "chat.middle": (
        chatting("{% for m in messages %}<s>{{ m.content }}{% endfor %}", bos_token="<s>"), [],
    ),
    "chat.missing": (chatting("<|gone|>" + TURNS), []),
    "chat.broken": (chatting("{% for %}"), []),
    "chat.loses": (chatting("hi"), []),
    "chat.date": (chatting("{{ strftime_now('%Y') }}" + TURNS), []),
    "soundness.twice": (chatting(TURNS, single="<s> <s> $A"), []),
    "chat.fails": (chatting("{{ raise_exception('no') }}"), []),
    "invisible.kept": (byte_level(), []),
    "kanji.single": (words(["猫"]), []),
    "incomplete.pairs": (
        byte_level(bpe([*BYTES, "Ġç", "Į«", "çĮ"], ["ç Į", "Ġ ç", "Į «"])), [],
    ),
    "soundness.special": (byte_level(), []),
    "usage.never": (STEPS, STEPPED),
    "usage.scaffold": (STEPS, STEPPED),
    "usage.little": (STEPS, ["abb"]),
    "leak.document": (words(["Nakamura", "the"]), ["the"] * 30 + ["Nakamura " * 6]),
}  # fmt: skip
"""What is not in FOUND already: a tokenizer, and a text where the finding needs one."""


class Forgetful:
    """A decoder of a stream that forgets."""

    def feed(self, id: int) -> str:
        return ""

    def finish(self) -> str:
        return ""


EVERY = [id for check in CHECKS.values() for id in check.ids()]


def test_there_is_a_tokenizer_for_every_finding() -> None:
    assert sorted([*FOUND, *MADE]) == sorted(EVERY)


@pytest.mark.parametrize("id", EVERY)
def test_every_finding_is_provoked(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tok, texts = MADE[id] if id in MADE else (FOUND[id][0], [])
    check, _, kind = id.partition(".")
    if id == "round-trip.streamed":
        assert kind not in found(tok, check)
        monkeypatch.setattr(kugiri.Tokenizer, "decoder", lambda self: Forgetful())
    finding = found(tok, check, *texts)[kind]
    assert finding.count >= 1
    assert finding.severity == CHECKS[check].kinds[kind].severity
    assert all(case.what or case.becomes for case in finding.cases)


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.name)
def test_every_kind_says_what_is_the_matter_and_what_to_do(check: Any) -> None:
    subjects = [Subject(it) for it in (byte_level(), STEPS, words(["a"]), unigram(["a"]))]
    assert check.question.endswith("?")
    assert {*check.of_corpus} <= check.kinds.keys()
    for kind in check.kinds.values():
        assert kind.message[0].islower()
        assert not kind.message.endswith(".")
        for subject in subjects:
            remedy = kind.remedy if isinstance(kind.remedy, str) else kind.remedy(subject)
            assert remedy
            assert not remedy.endswith(".")
