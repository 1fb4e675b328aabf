"""What a person at the page can provoke: a kind and values, and words for it in both languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import msgspec
import pytest

import kugiri
from kugiri import Tokenizer, formats
from kugiri.formats.recognise import _OTHERS
from kugiri.spec import ChatTemplates
from kugiri.web import answers, bodies, desk, samples, store
from tests.asking import ask, drop, send
from tests.explained import made
from tests.serving import serving

STATIC = Path(answers.__file__).parent / "static"
MESSAGES = (STATIC / "messages_refused.js").read_text("utf-8")

DROPS = "{% for m in messages if m.role != 'tool' %}{{ m.content }}{% endfor %}"


def with_template(template: str, **tokens: str) -> Tokenizer:
    chat = ChatTemplates({"default": template}, tokens)
    return Tokenizer(msgspec.structs.replace(made(".kugiri.json").spec, chat=chat))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    tokenizers = {
        "bytes": made(".kugiri.json"), "drops": with_template(DROPS),
        "refuses": with_template("{{ raise_exception('no system here') }}"),
    }  # fmt: skip
    with serving(tokenizers) as found:
        yield found


TEXT = {"text": "low", "tokenizer": "bytes"}
CHAT = {"messages": [{"role": "user", "content": "low"}], "tokenizer": "bytes"}
TABLE: list[tuple[str, object, int, str, dict[str, Any]]] = [
    ("tokens", {"text": "a" * 4_194_305, "tokenizers": ["bytes"]}, 413, "long text",
     {"size": 4_194_305, "most": 4_194_304}),
    ("explain", TEXT | {"text": "a" * 2_001}, 413, "long stretch", {"size": 2_001, "most": 2_000}),
    ("why", TEXT | {"start": 0, "end": 9}, 400, "library", {}),
    ("sample", TEXT | {"alpha": 101}, 422, "question", {}),
    ("sample", TEXT | {"seed": -1}, 422, "question", {}),
    ("explain", TEXT | {"tokenizer": "gone"}, 404, "no tokenizer", {"name": "gone"}),
    ("chat", CHAT, 400, "no template", {"name": "bytes"}),
    ("chat", CHAT | {"tokenizer": "refuses"}, 400, "template",
     {"words": "the chat template cannot be rendered: no system here"}),
    ("chat", CHAT | {"tokenizer": "refuses", "messages": [{"role": "a" * 200_000}]}, 413,
     "long chat", {"size": 200_020, "most": 200_000}),
    ("chat", CHAT | {"tokenizer": "refuses", "messages": []}, 400, "library",
     {"words": "there is no message in the chat; give at least one"}),
    ("train", {"text": "a" * 20_001}, 413, "long training", {"size": 20_001, "most": 20_000}),
    ("train", {"text": "", "num_merges": 5}, 400, "training", {}),
    ("train", {"text": "low lower", "model": "unigram", "vocab_size": 5_000}, 400, "training", {}),
    ("train", {"text": "low lower", "model": "unigram", "vocab_size": 2}, 400, "training", {}),
    ("cost", {"tokens": 5, "price_out": 1}, 400, "price", {}),
    ("cost", {"tokens": 5, "price_in": 1, "context": 10**13}, 422, "question", {}),
]  # fmt: skip


@pytest.mark.parametrize(("route", "question", "status", "kind", "values"), TABLE)
def test_questions(
    address: str, route: str, question: object, status: int, kind: str, values: dict[str, Any]
) -> None:
    answer = ask(address, route, question)
    assert answer.refusal[:2] == (status, kind)
    assert answer.refusal[2].items() >= values.items()
    assert answer.refusal[2].keys() == places(kind)


FILES = r"tokenizer\.json|tekken\.json|vocab\.\w+|\.tiktoken|\.model|kugiri(\.json)?|git lfs pull"
"""What is called so in every language."""


def places(kind: str, of: str = "refused") -> set[str]:
    """The values that the words of a kind name, which are the same in both languages."""
    both = re.findall(rf'"{of}\.{kind}": "(.*)",', MESSAGES)
    assert len(both) == 2, kind
    english, japanese = (set(re.findall(r"\{(\w+)\}", words)) for words in both)
    assert english == japanese
    assert not re.search("[a-z]{3}", re.sub(rf"\{{\w+\}}|{FILES}", "", both[1]))
    return english


def test_a_file_is_named(address: str) -> None:
    for name, called in (
        ("models/my.json", "my.json"),
        ("猫\0.model", "猫.model"),
        ("", "tokenizer"),
    ):
        answer = drop(address, name, b"PK\x03\x04" + bytes(99))
        status, kind, values = answer.refusal
        assert (status, kind, values) == (400, "archive", {"name": called})
        assert answer.json["error"].startswith(f"{called}: this is a ZIP archive; unpack it")


MODEL: dict[str, Any] = {"type": "WordLevel", "vocab": {"?": 0, "low": 1}, "unk_token": "?"}


def words(**changed: Any) -> bytes:
    """A tokenizer.json of words, changed."""
    return json.dumps({"version": "1.0", "model": MODEL} | changed).encode()


SENTENCEPIECE = formats.write_content(made(".model, unigram").spec, "sentencepiece")[".model"]
WRONG_FILES: list[tuple[str, bytes, str, dict[str, Any]]] = [
    ("x.png", b"\x89PNG\r\n\x1a\n\0\0", "unknown format", {}),
    ("list.json", b"[1, 2]", "unknown format", {}),
    ("empty.json", b" \n", "empty file", {}),
    ("cut.json", words()[:30], "damaged file", {"at": 29}),
    ("cut.model", SENTENCEPIECE[:-3], "damaged file", {"at": ANY}),
    ("row.tiktoken", b"YQ== 0\nYg== x\n", "damaged file", {"at": 7}),
    ("type.json", words(model=MODEL | {"type": "X"}), "unknown type",
     {"part": "model", "type": "'X'"}),
    ("part.json", words(pre_tokenizer={"type": "Zap"}), "unknown type",
     {"part": "pre_tokenizer", "type": "'Zap'"}),
    ("key.json", words(model={"type": "BPE"}), "missing key", {"key": "vocab"}),
    ("lfs.json", b"version https://git-lfs.github.com/spec/v1", "git lfs", {}),
    ("page.json", b"<!DOCTYPE html><p>", "web page", {}),
    ("a.gz", b"\x1f\x8b\0", "archive", {}),
    ("merges.txt", b"#version: 0.2\na b\n", "merges", {}),
    ("tokenizer_config.json", b'{"tokenizer_class": "X"}', "settings file", {}),
    ("other.json", words(version=5), "file", {"words": ANY}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "kind", "values"), WRONG_FILES)
def test_what_is_wrong_with_a_file(
    address: str, name: str, data: bytes, kind: str, values: dict[str, Any]
) -> None:
    refusal = drop(address, name, data).refusal
    assert refusal == (400, kind, {"name": name, **values})
    assert refusal[2].keys() == places(kind)


def test_a_file_without_a_template(address: str) -> None:
    status, kind, values = drop(address, "bytes", b'{"a": 1}', "tokenizers/config").refusal
    assert (status, kind, values.keys()) == (400, "template file", places("template file"))
    gone = drop(address, "gone", b"{{ messages }}", "tokenizers/config")
    assert gone.refusal == (404, "no tokenizer", {"name": "gone"})


def test_tokenizers_that_stay_or_do_not_fit(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stays = send(address, "DELETE", "/api/tokenizers?name=bytes")
    assert stays.refusal == (403, "stays", {"name": "bytes"})
    monkeypatch.setattr(store, "MOST_KEPT", 0)
    full = ask(address, "train", {"text": "low lower", "num_merges": 1, "keep": True})
    assert full.refusal == (409, "full", {"most": 0})


def test_a_server_that_has_too_much(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MOST_HELD", 10)
    assert ask(address, "explain", TEXT).refusal == (503, "busy", {})
    monkeypatch.undo()
    monkeypatch.setattr(desk, "WAITING", 0)
    assert ask(address, "explain", TEXT).refusal == (503, "busy", {})
    large = drop(address, "x", bytes((64 << 20) + 1))
    assert large.refusal == (413, "large", {"most": 64 << 20})


def test_ways_that_take_too_long(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "SECONDS", -1.0)
    answer = ask(address, "sample", TEXT | {"number": 30, "alpha": 0.1})
    assert answer.refusal == (413, "long sampling", {"drawn": 0, "number": 30})
    assert answer.refusal[2].keys() == places("long sampling")


def of_one_letter(kind: str, most: int) -> Tokenizer:
    """A vocabulary of a, aa, aaa, …"""
    pieces = ["a" * length for length in range(1, most + 1)]
    model: dict[str, Any] = {"type": "Unigram", "unk_id": 0}
    if kind == "BPE":
        merges = [[left, "a"] for left in pieces[:-1]]
        model = {"type": "BPE", "vocab": {it: id for id, it in enumerate(pieces)}, "merges": merges}
    else:
        model["vocab"] = [["<unk>", 0], *([it, -1.0 - 0.01 * len(it)] for it in pieces)]
    names = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    empty = dict.fromkeys(names)
    file = {"version": "1.0", "added_tokens": [], **empty, "model": model}
    return kugiri.load(json.dumps(file).encode())


def test_a_vocabulary_of_which_there_is_too_much_to_tell() -> None:
    tokenizers = {"merges": of_one_letter("BPE", 1_000), "pieces": of_one_letter("Unigram", 100)}
    with serving(tokenizers) as address:
        # 2 + 3 + … + 1,000 characters
        assert ask(address, "lineage", {"tokenizer": "merges", "id": 998}).status == 200
        answer = ask(address, "lineage", {"tokenizer": "merges", "id": 999})
        assert answer.refusal == (413, "long lineage", {"size": 500_499, "most": 500_000})
        assert answer.refusal[2].keys() == places("long lineage")
        # 100 pieces begin at each character but the last 99: 100 n - 4,950
        for characters, shown in ((249, 19_950), (250, 0)):
            question = {"text": "a" * characters, "tokenizer": "pieces"}
            model = ask(address, "explain", question).json["model"]
            assert (model["is_shown"], len(model["lattice"])) == (shown > 0, shown)
        drawn = ask(address, "sample", question | {"alpha": 0, "number": 3}).json
        assert (drawn["nodes"], len(drawn["ways"])) == ([], 3)


def test_a_column_says_why_it_is_not_there() -> None:
    only_a = kugiri.load(
        json.dumps({
            "version": "1.0", "added_tokens": [], "truncation": None, "padding": None,
            "normalizer": {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 1_000},
            "pre_tokenizer": None, "post_processor": None, "decoder": None,
            "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []},
        }).encode()
    )  # fmt: skip
    with serving({"grows": only_a, "bytes": made(".kugiri.json")}) as address:
        question = {"text": "a" * 100_000, "tokenizers": ["grows", "bytes"]}
        grows, fits = ask(address, "tokens", question).json["columns"]
    assert (grows["kind"], grows["values"]) == (
        "grows",
        {"name": "grows", "came": 100_000, "made": 100_000_000, "most": 67_108_864},
    )
    assert grows["values"].keys() == places("grows")
    assert fits["error"] is fits.get("kind") is None


def kinds(tree: ast.AST) -> Iterator[str]:
    """The kinds that a module of the server gives, each where a failure is made."""
    place = {"Failure": 2, "of_library": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            at = place.get(node.func.id, len(node.args))
            if at < len(node.args) and isinstance(kind := node.args[at], ast.Constant):
                yield str(kind.value)
            yield from (str(it.value.value) for it in node.keywords
                        if node.func.id == "FormatError" and it.arg == "kind"
                        and isinstance(it.value, ast.Constant))  # fmt: skip


def test_every_kind_has_words() -> None:
    files = [*STATIC.parent.glob("*.py"), *(Path(formats.__file__).parent.glob("*.py"))]
    modules = (ast.parse(path.read_text("utf-8")) for path in files)
    told = {"library", *(kind for module in modules for kind in kinds(module))}
    told |= {kind for kind, _ in _OTHERS.values()}
    worded = {*re.findall(r'"refused\.([a-z ]+)"', MESSAGES)}
    assert told == worded - {"gone", "status"}  # which the page finds out itself
