"""What the server of the page answers: the library's ids, counts and words, as data."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import kugiri
from kugiri.explain.glyphs import GLYPHS
from tests.asking import ask, get, names
from tests.chats import CHATML, said, trained
from tests.explained import made, unigram
from tests.explained_examples import TOKYO, sennrich
from tests.serving import serving

TOKENIZERS = {
    "low": sennrich(),
    "bytes": made(".kugiri.json"),
    "gpt2": made("tokenizer.json"),
    "tiktoken": made(".tiktoken"),
    "bert": made("vocab.txt"),
    "tokyo": unigram(TOKYO),
    "chat": trained(CHATML),
}
TEXT = "東京に住む猫 🐈 <|endoftext|> lowest\n\u3000x\u200d"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(TOKENIZERS) as found:
        yield found


# ── what is there ─────────────────────────────────────────────────────────────────────────────
def test_state(address: str) -> None:
    state = get(address, "/api/state").json
    assert state["version"] == kugiri.__version__
    assert state["limits"] == {
        "json": 8 << 20, "file": 64 << 20, "text": 4 << 20, "explained": 2_000, "trained": 20_000,
        "chat": 200_000, "tokenizers": 8, "kept": 16, "context": 1_000_000_000, "price": 10**12,
    }  # fmt: skip
    assert names(address) == [*TOKENIZERS]
    assert state["tokenizers"][0] == {
        "name": "low", "kind": "BPE", "vocab_size": 21, "source": "given", "format": "kugiri",
        "chat": False, "samples": False, "special_tokens": [],
    }  # fmt: skip
    assert [it["name"] for it in state["tokenizers"] if it["samples"]] == ["tokyo"]
    assert [it["name"] for it in state["tokenizers"] if it["chat"]] == ["chat"]
    assert state["tokenizers"][4]["special_tokens"] == [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
    ]  # fmt: skip
    assert state["example"].keys() == {"en", "ja"}


def test_the_sample_is_there_where_nothing_is_given() -> None:
    with serving() as found:
        assert names(found) == ["sample BPE", "sample Unigram", "sample WordPiece"]
        state = get(found, "/api/state").json
        assert [it["kind"] for it in state["tokenizers"]] == ["BPE", "Unigram", "WordPiece"]
        chat = {"tokenizer": "sample BPE", "messages": [said("猫")], "add_generation_prompt": True}
        text = "<|im_start|>user\n猫<|im_end|>\n<|im_start|>assistant\n"
        assert ask(found, "chat", chat).json["text"] == text


def test_glyphs(address: str) -> None:
    glyphs = get(address, "/api/glyphs").json
    assert glyphs["3000"], glyphs["20"] == ("<IDSP>", "␠")
    assert {int(code, 16): glyph for code, glyph in glyphs.items()} == GLYPHS


@pytest.mark.parametrize(("path", "kind"), [
    ("/", "text/html; charset=utf-8"),
    ("/static/main.js", "text/javascript; charset=utf-8"),
    ("/static/page.css", "text/css; charset=utf-8"),
    ("/favicon.svg", "image/svg+xml"),
])  # fmt: skip
def test_the_page(address: str, path: str, kind: str) -> None:
    answer = get(address, path)
    assert (answer.status, answer.headers["content-type"]) == (200, kind)


# ── tokens ────────────────────────────────────────────────────────────────────────────────────
def test_tokens_of_the_textbook(address: str) -> None:
    answer = ask(address, "tokens", {"text": "lowest", "tokenizers": ["low", "bytes"]}).json
    low, other = answer.pop("columns")
    assert answer == {"characters": 6, "bytes": 6, "next": None}
    tokens = low.pop("tokens")
    assert low == {
        "name": "low", "count": 2, "bytes_per_token": 3.0, "characters_per_token": 3.0,
        "exact": True, "unknown": 0, "more_than_least": 1.0, "more": None,
        "error": None,
    }  # fmt: skip
    common = {"special": False, "unknown": False, "part": False, "score": None, "differs": False}
    assert tokens == [
        {"id": 15, "text": "low", "bytes": "6c6f77", "start": 0, "end": 3, "rank": 4, **common},
        {"id": 13, "text": "est_", "bytes": "657374", "start": 3, "end": 6, "rank": 2, **common},
    ]
    assert [it["text"] for it in other["tokens"]] == ["low", "est"]
    columns = ask(address, "tokens", {"text": "lower", "tokenizers": ["low", "bytes"]}).json[
        "columns"
    ]
    assert [[(it["text"], it["differs"]) for it in column["tokens"]] for column in columns] == [
        [("low", False), ("e", True), ("r", True), ("_", True)],
        [("low", False), ("er", True)],
    ]
    assert [it["more_than_least"] for it in columns] == [2.0, 1.0]
    assert [it["more"] for it in columns] == [{"percent": "100"}, None]


@pytest.mark.parametrize("name", ["bytes", "gpt2", "tiktoken", "bert", "chat"])
@pytest.mark.parametrize("options", [{}, {"allow_special": True}, {"add_special_tokens": True}])
def test_ids_and_places_are_those_of_the_library(
    address: str, name: str, options: dict[str, bool]
) -> None:
    question = {"text": TEXT, "tokenizers": [name], **options}
    (column,) = ask(address, "tokens", question).json["columns"]
    of_library = TOKENIZERS[name].encode_with_offsets(
        TEXT,
        allowed_special="all" if "allow_special" in options else (),
        add_special_tokens="add_special_tokens" in options,
    )
    tokens = column["tokens"]
    assert [it["id"] for it in tokens] == of_library.ids.tolist()
    assert column["count"] == len(of_library)
    placed = [number is not None for number in of_library.sequence_ids]
    spans = [(it["start"], it["end"]) for it, its in zip(tokens, placed, strict=True) if its]
    expected = [it for it, its in zip(of_library.covering_spans, placed, strict=True) if its]
    assert spans == expected
    assert [it["special"] for it in tokens] == of_library.special


def test_vocabulary_strings_are_readable(address: str) -> None:
    (column,) = ask(address, "tokens", {"text": "a 猫", "tokenizers": ["gpt2"]}).json["columns"]
    text = "".join(it["text"] for it in column["tokens"] if not it["part"])
    assert "Ġ" not in text
    assert " " in text
    question = {"text": "a low 𠮷", "tokenizer": "gpt2"}
    explained = ask(address, "explain", question).json
    assert "Ġ" not in json.dumps(explained, ensure_ascii=False)
    assert explained["visible_bytes"] is False


def test_parts_of_a_character_differ_from_all_of_it(address: str) -> None:
    question = {"text": "都𠮷", "tokenizers": ["bytes", "tokyo"]}
    first, _ = ask(address, "tokens", question).json["columns"]
    assert [it["part"] for it in first["tokens"][-4:]] == [True] * 4
    assert [it["text"] for it in first["tokens"][-4:]] == ["<f0>", "<a0>", "<ae>", "<b7>"]
    assert {it["differs"] for it in first["tokens"][-4:]} == {True}
    assert {(it["start"], it["end"]) for it in first["tokens"][-4:]} == {(1, 2)}


def test_bytes_are_those_of_the_text(address: str) -> None:
    question = {"text": "Unaffable 東x", "tokenizers": ["bert", "tokyo", "bytes"]}
    bert, _, other = ask(address, "tokens", question).json["columns"]
    assert [(it["text"], it["bytes"]) for it in bert["tokens"]] == [
        ("un", b"Un".hex()), ("##aff", b"aff".hex()), ("##able", b"able".hex()),
        ("東", "東".encode().hex()), ("[UNK]", b"x".hex()),
    ]  # fmt: skip
    assert (
        bytes.fromhex("".join(it["bytes"] for it in other["tokens"])) == question["text"].encode()
    )


def test_unknown_and_scores(address: str) -> None:
    (column,) = ask(address, "tokens", {"text": "東京x", "tokenizers": ["bert"]}).json["columns"]
    assert (column["unknown"], column["exact"]) == (1, False)
    assert [it["unknown"] for it in column["tokens"]] == [False, False, True]
    (column,) = ask(address, "tokens", {"text": "東京都", "tokenizers": ["tokyo"]}).json["columns"]
    (token,) = column["tokens"]
    assert (token["text"], round(token["score"], 3), token["rank"]) == ("東京都", -3.507, None)


def test_one_unknown_token_for_a_sentence_is_not_the_fewest(address: str) -> None:
    question = {"text": "東京に住む猫", "tokenizers": ["bert", "bytes", "gpt2"]}
    lost, *others = ask(address, "tokens", question).json["columns"]
    assert (lost["unknown"] > 0, lost["more_than_least"]) == (True, None)
    assert all(it["unknown"] == 0 for it in others)
    least = min(it["count"] for it in others)
    assert lost["count"] < least
    assert [it["more_than_least"] for it in others] == [it["count"] / least for it in others]
    alone = ask(address, "tokens", {**question, "tokenizers": ["bert"]}).json["columns"]
    assert (alone[0]["more_than_least"], alone[0]["more"]) == (None, None)


def test_what_cannot_be_encoded_is_an_error_of_its_column(address: str) -> None:
    question = {"text": "xyz", "tokenizers": ["low", "bytes"]}
    low, other = ask(address, "tokens", question).json["columns"]
    assert low["error"].startswith("'x' at character 0 is not in the vocabulary")
    assert (low["count"], low["tokens"], other["error"]) == (None, [], None)


def test_windows_have_all_tokens_once(address: str) -> None:
    text = TEXT * 50
    seen: dict[str, list[int]] = {"bytes": [], "bert": []}
    start: int | None = 0
    while start is not None:
        question = {"text": text, "tokenizers": [*seen], "start": start, "characters": 37}
        answer = ask(address, "tokens", question | {"add_special_tokens": True}).json
        for column in answer["columns"]:
            seen[column["name"]] += [it["id"] for it in column["tokens"]]
        start = answer["next"]
    for name, ids in seen.items():
        assert ids == TOKENIZERS[name].encode(text, add_special_tokens=True)


def test_an_empty_text(address: str) -> None:
    answer = ask(address, "tokens", {"text": "", "tokenizers": ["bytes", "bert"]}).json
    assert [(it["count"], it["bytes_per_token"]) for it in answer["columns"]] == [(0, None)] * 2
