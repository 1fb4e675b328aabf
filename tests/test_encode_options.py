"""What may be asked of every call that encodes: begin, end, reverse order, special tokens."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from kugiri import OptionError
from kugiri.encoding import Token
from kugiri.formats.sentencepiece import _begin_and_end
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.spec import SentencePieceTrainer
from piece_rows import described
from test_cli_main import run
from tests.sentencepiece_models import ALL, model_file, texts, theirs_of

MARKS = [["<s>", 0.0, "CONTROL"], ["</s>", 0.0, "CONTROL"]]
PIECES = [*MARKS, ["a", -1.0], ["b", -1.0], ["ab", -1.5]]
TEXT = "abb猫"


def made(pieces: list[list[Any]], **fields: Any) -> kugiri.Tokenizer:
    """A tokenizer of a `.model`, with the template that loading one gives."""
    spec = described({"model": "unigram", "pieces": pieces})
    return kugiri.Tokenizer(
        msgspec.structs.replace(
            spec,
            trainer=SentencePieceTrainer({"model_type": 1, **fields}),
            post_processor=_begin_and_end(spec.added_tokens, fields),
        )
    )


TOK = made(PIECES)
ROWS: list[tuple[dict[str, Any], list[int], list[str]]] = [
    ({}, [5, 4, 0], ["ab", "b", "猫"]),
    ({"add_bos": True}, [1, 5, 4, 0], ["<s>", "ab", "b", "猫"]),
    ({"add_eos": True}, [5, 4, 0, 2], ["ab", "b", "猫", "</s>"]),
    ({"reverse": True}, [0, 4, 5], ["猫", "b", "ab"]),
    (
        {"add_bos": True, "add_eos": True, "reverse": True},
        [1, 0, 4, 5, 2], ["<s>", "猫", "b", "ab", "</s>"],
    ),
    ({"add_special_tokens": True}, [1, 5, 4, 0, 2], ["<s>", "ab", "b", "猫", "</s>"]),
    (
        {"add_special_tokens": True, "add_bos": True},
        [1, 1, 5, 4, 0, 2], ["<s>", "<s>", "ab", "b", "猫", "</s>"],
    ),
    ({"add_bos": False, "reverse": False}, [5, 4, 0], ["ab", "b", "猫"]),
]  # fmt: skip


@pytest.mark.parametrize(("options", "ids", "tokens"), ROWS)
def test_every_call(options: dict[str, Any], ids: list[int], tokens: list[str]) -> None:
    assert TOK.encode(TEXT, **options) == ids
    assert TOK.encode_array(TEXT, **options).tolist() == ids
    assert TOK.encode_batch([TEXT, "", TEXT], **options).to_lists()[2] == ids
    assert TOK.count(TEXT, **options) == len(ids)
    assert TOK.count_batch([TEXT], **options).tolist() == [len(ids)]
    assert TOK.tokens(TEXT, **options) == tokens
    encoding = TOK.encode_with_offsets(TEXT, **options)
    assert (encoding.ids.tolist(), encoding.tokens) == (ids, tokens)
    assert encoding.special == [id in (1, 2) for id in ids]
    places = {"ab": (0, 2), "b": (2, 3), "猫": (3, 4)}
    assert encoding.spans == [places.get(token, (0, 0)) for token in tokens]


@pytest.mark.parametrize(("options", "ids", "_"), ROWS)
def test_the_readable_engine(options: dict[str, Any], ids: list[int], _: object) -> None:
    marks = {"add_bos": ("begin", Token(1, b"<s>", 0, 0)), "add_eos": ("end", Token(2, b"", 0, 0))}
    asked = {marks[name][0]: marks[name][1] for name in marks if options.get(name)}
    others = {name: its for name, its in options.items() if name not in marks}
    tokens = ReferenceTokenizer(TOK.spec).encode(TEXT, **others, **asked)
    assert [token.id for token in tokens] == ids


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, [5, 4]),
        ({"add_special_tokens": True}, [1, 5, 2, 1, 4, 2]),
        ({"add_bos": True, "add_eos": True}, [1, 5, 4, 2]),
    ],
)
def test_a_pair(options: dict[str, Any], ids: list[int]) -> None:
    assert TOK.encode("ab", pair="b", **options) == ids
    encoding = TOK.encode_with_offsets("ab", pair="b", add_special_tokens=True)
    assert encoding.type_ids == [0, 0, 0, 1, 1, 1]
    assert encoding.sequence_ids == [None, 0, None, None, 1, None]


@pytest.mark.parametrize("name", ALL)
def test_as_sentencepiece(name: str) -> None:
    data = model_file(name)
    tok, theirs = kugiri.load(data), theirs_of(data)
    lines = texts(name, 40)
    for add_bos, add_eos, reverse in product((False, True), repeat=3):
        options = {"add_bos": add_bos, "add_eos": add_eos, "reverse": reverse}
        if (add_bos and theirs.bos_id() < 0) or (add_eos and theirs.eos_id() < 0):
            with pytest.raises(OptionError, match=r"which this \.model does not have"):
                tok.encode("a", **options)
            continue
        assert tok.encode_batch(lines, **options).to_lists() == theirs.encode(lines, **options)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: TOK.encode("a", add_box=True), "unknown option 'add_box'; did you mean 'add_bos'"),
        (lambda: TOK.count("a", invert=True), "unknown option 'invert'; allowed: .*reverse"),
        (lambda: made(PIECES[2:]).encode("a", add_bos=True), "needs the control piece '<s>'"),
        (lambda: made(PIECES, eos_piece="b").encode("a", add_eos=True), "control piece 'b'"),
        (lambda: kugiri.train(["ab"], num_merges=0).encode("a", add_eos=1), "add_eos is for a"),
    ],
)  # fmt: skip
def test_refused(ask: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        ask()


def test_another_piece_for_begin() -> None:
    tok = made([["[CLS]", 0.0, "CONTROL"], *PIECES[1:]], bos_piece="[CLS]")
    assert tok.tokens("a", add_bos=True, add_eos=True) == ["[CLS]", "a", "</s>"]


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "small.model"
    TOK.save(path)
    every = ("--add-bos", "--add-eos", "--reverse")
    assert run("encode", "-t", str(path), *every, TEXT).out == "1 0 4 5 2\n"
    assert run("encode", "-t", str(path), *every, "--tokens", TEXT).out == "<s>|猫|b|ab|</s>\n"
    refused = run("encode", "-t", str(path), "--nbest", "2", "--reverse", TEXT)
    assert (refused.code, "--reverse" in refused.err) == (2, True)
    drawn = run("encode", "-t", str(path), "--sample", "--alpha", "9", "--tokens", TEXT)
    assert drawn.out == "ab|b|猫\n"
