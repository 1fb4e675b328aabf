"""Checking: faults that hide behind others, and tokenizers that only look as if they had them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.check.checks import CHECKS, unreachable
from kugiri.check.completing import completions
from kugiri.corpus import Reading, read_documents
from tests.checked import (
    BYTE_LEVEL,
    BYTES,
    bpe,
    cases,
    found,
    special,
    tokenizer_json,
    word_piece,
    words,
)
from tests.test_check_found import FALLBACK
from tests.test_cli_main import run


def replacing(pattern: str, content: str, kind: str = "String") -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def sequence(*stages: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": list(stages)}


# ── imitations of a special token that the normalizer itself allows ───────────────────────────
IMITATED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a selector is taken away": ("<|end|>", replacing("\ufe0f", ""), "<|e\ufe0fnd|>"),
    "a null is taken away": ("<|end|>", replacing("\0", ""), "<|e\0nd|>"),
    "a return is taken away": ("<eos>", replacing("\r", ""), "<e\ros>"),
    "spaces are taken away": ("<eos>", replacing(" ", ""), "<e os>"),
    "a joiner is taken away": ("<eos>", replacing("\u200d", ""), "<e\u200dos>"),
    "two characters are": ("<eos>", replacing("--", ""), "<e--os>"),
    "one sign stands for another": ("<eos>", replacing("«", "<"), "«eos>"),
    "a part is spelled out": ("<eos>", replacing("&lt;", "<"), "&lt;eos>"),
    "the whole is": ("<s>", replacing("[BOS]", "<s>"), "[BOS]"),
    "inside a sequence": (
        "<eos>", sequence({"type": "Prepend", "prepend": "▁"}, replacing("\r", "")), "<e\ros>",
    ),
    "the token is changed itself": ("＜ｅｏｓ＞", {"type": "NFKC"}, "<eos>"),
    "controls are taken away": (
        "[CLS]",
        {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
         "strip_accents": False, "lowercase": False},
        "[C\0LS]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IMITATED)
def test_what_the_normalizer_makes_a_special_token(name: str) -> None:
    content, normalizer, text = IMITATED[name]
    vocab = words(["a"], normalizer=normalizer, added_tokens=[special(2, content, normalized=True)])
    assert vocab.encode(text, allowed_special="all") == [2]
    (finding,) = kugiri.check(vocab, only=["lookalike"], cases=1000).findings
    assert (finding.id, finding.severity) == ("lookalike.accepted", "error")
    kept = words(["a"], normalizer=normalizer, added_tokens=[special(2, content)])
    assert "accepted" not in found(kept, "lookalike")
    if content != "＜ｅｏｓ＞":
        assert "normalized" in found(kept, "lookalike")


def test_an_imitation_comes_back_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    normalizer = replacing("&lt;", "<")
    words(["a"], normalizer=normalizer, added_tokens=[special(2, "<e>", normalized=True)]).save(
        path
    )
    assert run("check", path, "--only", "lookalike").code == 3
    tok = kugiri.load(path)
    shown = [what for what, _ in cases(tok, "lookalike.accepted")]
    assert shown == ["&lt;e>"]
    assert tok.encode(shown[0], allowed_special="all") == [2]


def test_a_normalizer_that_makes_no_special_token() -> None:
    normalizer = sequence({"type": "NFC"}, replacing("\r\n", "\n"))
    added = [special(2, "<eos>", normalized=True)]
    assert found(words(["a"], normalizer=normalizer, added_tokens=added), "lookalike") == {}


# ── text that vanishes ────────────────────────────────────────────────────────────────────────
GONE = {
    "all but ASCII": (r"[^\x00-\x7f]", ["kana", "kanji", "letters and digits", "signs"]),
    "one kana": ("が", ["が"]),
    "the long sound": ("ー", ["ー"]),
    "one kanji": ("葛", ["葛"]),
    "a kanji of names": ("\ufa11", ["﨑"]),
    "hiragana": ("[ぁ-ん]", ["kana"]),
    "a letter": ("Ä", ["Ä"]),
}


@pytest.mark.parametrize("name", GONE)
@pytest.mark.parametrize("content", ["", " "])
def test_text_that_vanishes(name: str, content: str) -> None:
    pattern, expected = GONE[name]
    tok = words(["a"], normalizer=replacing(pattern, content, "Regex"))
    finding = found(tok, "normalizer")["gone"]
    assert finding.severity == "error"
    assert len(finding.cases) == len(expected)
    for case, name in zip(finding.cases, expected, strict=True):
        assert name in f"{case.what} {case.becomes}"
        assert tok.normalize(case.what).strip() == ""
    assert "case" not in found(tok, "normalizer"), "it is gone, not small"
    assert "voicing" not in found(tok, "normalizer")


@pytest.mark.parametrize(
    "normalizer",
    [
        {"type": "NFKC"},
        {"type": "NFKD"},
        sequence({"type": "NFKD"}, {"type": "StripAccents"}),
        {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
         "strip_accents": True, "lowercase": True},
        sequence({"type": "Nmt"}, {"type": "NFKC"}, replacing(r"\s+", " ", "Regex")),
        {"type": "Strip", "strip_left": True, "strip_right": True},
    ],
    ids=str,
)  # fmt: skip
def test_usual_normalizers_make_nothing_vanish(normalizer: dict[str, Any]) -> None:
    assert "gone" not in found(words(["a"], normalizer=normalizer), "normalizer")


# ── a word that is not known is no pattern that goes back too often ───────────────────────────
def test_a_long_word_without_an_id_is_not_refused() -> None:
    tok = tokenizer_json({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"})
    with pytest.raises(kugiri.EncodingError):
        tok.count("a" * 100_000)
    assert "refused" not in found(tok, "worst-case")


# ── parts of characters, and pieces behind words ──────────────────────────────────────────────
def test_a_part_that_one_second_byte_in_64_completes() -> None:
    # あ and the first byte of 川 are one token, unless another token takes the first two of 川.
    seconds = [BYTES[byte] for byte in range(0x80, 0xC0) if byte != 0xB7]
    first = BYTES[0xE5]
    a = "".join(BYTES[byte] for byte in "あ".encode())
    vocab = [*BYTES, *(first + it for it in seconds), a[:2], a, a + first]
    merges = [*(f"{first} {it}" for it in seconds), f"{a[0]} {a[1]}", f"{a[:2]} {a[2]}",
              f"{a} {first}"]  # fmt: skip
    tok = tokenizer_json(bpe(vocab, merges), pre_tokenizer=BYTE_LEVEL)
    id = vocab.index(a + first)
    assert id in tok.encode("あ川")
    assert id not in tok.encode("あ倀")
    assert "part" not in found(tok, "unreachable")


def test_tokens_that_no_merge_makes_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = [f"dead{number}x" for number in range(3000)]
    tok = tokenizer_json(bpe([*BYTES, "ab", *dead], ["a b"]), pre_tokenizer=BYTE_LEVEL)
    tried: list[str] = []
    take = unreachable._take
    monkeypatch.setattr(unreachable, "_take", lambda subject, rest, before, behind: (
        tried.extend(rest.values()), take(subject, rest, before, behind)
    ))  # fmt: skip
    assert found(tok, "unreachable")["split"].count == 3000
    assert set(tried) == {"ab"}
    whole = tokenizer_json(bpe([*BYTES, "cat"], [], ignore_merges=True), pre_tokenizer=BYTE_LEVEL)
    assert found(whole, "unreachable") == {}


def test_completions_are_what_has_the_bytes() -> None:
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    for part in ("e5", "e3 81", "c2", "f0", "ed", "f4"):
        data = bytes.fromhex(part)
        has = [it for it in every if it.encode().startswith(data)]
        assert sorted(completions(data, 2**21)) == has
        few = completions(data)
        assert set(few) <= set(has)
        assert 0 < len(few) <= 64
    for part in ("81", "82 92", "80 80 80"):
        data = bytes.fromhex(part)
        has = [it for it in every if it.encode().endswith(data) and it.encode() != data]
        assert sorted(completions(data, 2**21)) == has
    for part in ("c0", "f8", "e3 41", "80 80 80 80", "e3 81 82 81", "ff"):
        assert completions(bytes.fromhex(part)) == []


@pytest.mark.parametrize(
    ("pieces", "text"), [(["strong", "##er", "##ly"], "stronger"), (["東京", "##都"], "東京都")]
)
def test_pieces_that_only_a_long_word_has_before_it(pieces: list[str], text: str) -> None:
    tok = word_piece(pieces, pre_tokenizer={"type": "Whitespace"})
    assert tok.encode(text) == [1, 2]
    assert found(tok, "unreachable") == {}
    assert cases(word_piece(["a", "##x", "c##"]), "unreachable.unknown") == [
        ("c##", "[UNK]|[UNK]|[UNK]")
    ]


# ── bytes that a model says it has ────────────────────────────────────────────────────────────
@pytest.mark.parametrize("unknown", [None, "?"])
def test_byte_fallback_without_bytes(unknown: str | None) -> None:
    tok = tokenizer_json(bpe(["a", "?"], [], unk_token=unknown, byte_fallback=True))
    result = found(tok, "soundness")
    assert result["byte"].severity == "error"
    shown = {case.what for case in result["byte"].cases}
    assert {"<00>", "<e3>", "<f0>"} <= shown
    assert "<61>" not in shown, "a has a token"
    assert "soundness.byte" not in kugiri.check(tok, only=["soundness"]).skipped


def test_bytes_that_are_used_or_few() -> None:
    used = tokenizer_json(bpe(["??", *FALLBACK], [], unk_token="??", byte_fallback=True))
    assert found(used, "soundness").keys() == {"special"}
    few = tokenizer_json(bpe(["?", *FALLBACK[:100]], [], unk_token="?"))
    assert found(few, "soundness").keys() == {"special"}


def test_a_name_that_comes_twice_leaves_no_gap() -> None:
    # The unknown token is spelled as an added one with another id.
    tok = tokenizer_json(
        {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0], ["b", -1.0]]},
        added_tokens=[special(2, "a")],
    )
    assert len(tok.vocab) == 2
    assert "gap" not in found(tok, "soundness")


@pytest.mark.parametrize("check", ["kanji", "soundness", "evasion"])
@pytest.mark.parametrize("highest", [2**24, 2**31 - 1, 2**32 - 2])
def test_ids_that_no_table_is_made_of(check: str, highest: int) -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0, "猫": highest}, "unk_token": "a"}
    message = f"2 tokens have ids up to {highest}; at most 4194304 ids may be unused"
    with pytest.raises(kugiri.VocabularyError, match=re.escape(message)):
        kugiri.check(tokenizer_json(model), only=[check])


def test_bytes_that_are_missing_are_the_reason() -> None:
    vocab = [it for it in BYTES if it != "0" and it != BYTES[0xE3]]
    tok = tokenizer_json(bpe(vocab, []), pre_tokenizer=BYTE_LEVEL, decoder={"type": "ByteLevel"})
    assert found(tok, "round-trip", "a b").keys() == {"lost"}
    assert cases(tok, "soundness.byte") == [("<30>", ""), ("<e3>", "")]
    assert "unknown" not in found(tok, "soundness")


@pytest.mark.parametrize("options", [{}, {"lstrip": True}, {"rstrip": True}])
def test_white_space_beside_added_tokens(options: dict[str, bool]) -> None:
    added = [{**special(3, "猫", **options), "special": False}]
    model, fuse = bpe([" ", "a", "b", "猫"], []), {"type": "Fuse"}
    spaced = tokenizer_json(model, added_tokens=added, decoder=fuse)
    assert ("swallowed" in found(spaced, "round-trip")) == bool(options)
    assert "swallowed" not in found(words(["a", "b", "猫"], added_tokens=added), "round-trip")


def test_what_was_no_utf8_is_one_warning_for_each_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_bytes(
        (b"a" * 99 + b"\n") * 80_000 + b"\xff\n" + (b"a" * 99 + b"\n") * 80_000 + b"\xff"
    )
    other.write_bytes(b"\xff")
    with pytest.warns(kugiri.KugiriWarning) as warned:
        documents = list(read_documents([one, other], Reading(errors="replace")))
    assert len(documents) == 160_003
    assert [str(it.message) for it in warned] == [
        f"{one}: 2 invalid UTF-8 sequences were read as U+FFFD",
        f"{other}: 1 invalid UTF-8 sequences were read as U+FFFD",
    ]


# ── options ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("option", ["only", "ignore"])
@pytest.mark.parametrize("given", [5, b"kanji", [5], [None], {"kanji": 1}, [b"kanji"], None])
def test_names_that_are_none(option: str, given: Any) -> None:
    with pytest.raises(kugiri.OptionError, match=f"{option} is a list of names"):
        kugiri.check(words(["猫"]), **{option: given})


def test_the_list_of_checks(tmp_path: Path) -> None:
    kinds = json.loads(run("check", "--list", "--json").out)["kinds"]
    assert [it["finding"] for it in kinds] == [id for it in CHECKS.values() for id in it.ids()]
    assert kinds[0].keys() == {"finding", "severity", "what", "needs"}
    refused = run("check", "--list", tmp_path / "nope.json")
    assert refused.code == 2
    assert "--list asks no tokenizer" in refused.err


def test_one_name_is_a_list_of_one() -> None:
    tok = words(["猫"])
    assert kugiri.check(tok, only="kanji") == kugiri.check(tok, only=["kanji"])
    ignored = kugiri.check(tok, only=iter(["kanji"]), ignore="kanji.single")
    assert (ignored.findings, ignored.unused) == ([], [])
