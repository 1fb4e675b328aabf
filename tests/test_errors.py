"""Every error and warning that users can meet: vectors/errors.txt, and one rule in many calls."""

from __future__ import annotations

import gzip
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

import kugiri
from kugiri import errors
from kugiri.errors import (
    CorpusError,
    EncodingError,
    FormatError,
    KugiriError,
    KugiriWarning,
    OptionError,
    VocabularyError,
)
from kugiri.spec import AddedToken
from vector_rows import VECTORS, encode_spec

TABLE = (VECTORS / "errors.txt").read_text(encoding="utf-8")
TEXTS = ["low lower lowest 猫がいる"] * 3
SURROGATE = "猫\ud83d犬"

BYTES = kugiri.Tokenizer(encode_spec({}))
CHARS = kugiri.Tokenizer(encode_spec({"unit": "char", "alphabet": ["猫", "で"]}))
WORDS = kugiri.train(TEXTS, model="word")
MARKED = kugiri.train(TEXTS, vocab_size=260, special_tokens=["<|end|>"])
WITH_HOLES = kugiri.Tokenizer(
    msgspec.structs.replace(BYTES.spec, added_tokens=(AddedToken(999, "<s>"),))
)
COUNTS = kugiri.count_words(TEXTS)
HUGE = kugiri.WordCounts.from_mapping({"low": 2**63})


class Row(NamedTuple):
    """A call, the class of the error or warning that it meets, and the regex of the message."""

    call: str
    meets: type[Exception]
    says: str


def read_rows() -> list[Row]:
    """The rows of the table: a call, and below it what it meets."""
    lines = [line for line in TABLE.splitlines() if line and not line.startswith("#")]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    split = [(call, *below.removeprefix("    ").split(": ", 1)) for call, below in pairs]
    return [
        Row(call, vars(errors)[name], "(?s)" + ".*".join(map(re.escape, says.split(" … "))))
        for call, name, says in split
    ]


ROWS = read_rows()
ERRORS = [row for row in ROWS if row.meets is not KugiriWarning]
WARNINGS = [row for row in ROWS if row.meets is KugiriWarning]


@pytest.fixture
def at(tmp_path: Path) -> Path:
    """A folder with files of all sorts."""
    (tmp_path / "empty.txt").touch()
    (tmp_path / "blank.txt").write_text("\n \n\r\n\u3000\n", encoding="utf-8")
    (tmp_path / "broken.txt").write_bytes(b"ok\nab\xff\nc\xe7\x8c\n")
    (tmp_path / "text.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress(b"abc def\n" * 1000)[:40])
    (tmp_path / "plain.txt.gz").write_text("not packed", encoding="utf-8")
    (tmp_path / "nothing").mkdir()
    MARKED.save(tmp_path / "t.kugiri.json")
    with pytest.warns(KugiriWarning):
        MARKED.save(tmp_path / "t.tiktoken")
    return tmp_path


def train(corpus: Any = TEXTS, **options: Any) -> kugiri.Tokenizer:
    """Train with a size that fits, where none is asked for."""
    if not options.keys() & {"vocab_size", "num_merges"}:
        options["num_merges"] = 3
    return kugiri.train(corpus, **options)


@pytest.mark.parametrize("row", ERRORS, ids=[row.call for row in ERRORS])
def test_error(row: Row, at: Path) -> None:
    before = sorted(at.rglob("*"))
    with pytest.raises(row.meets, match=row.says) as raised:
        eval(row.call, globals() | {"at": at})
    assert type(raised.value) is row.meets
    assert sorted(at.rglob("*")) == before, "something was left in the folder"


@pytest.mark.parametrize("row", WARNINGS, ids=[row.call for row in WARNINGS])
def test_warning(row: Row, at: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = eval(row.call, globals() | {"at": at})
    assert [warning.category for warning in caught] == [KugiriWarning]
    message = str(caught[0].message)
    assert re.search(row.says, message)
    if isinstance(made, kugiri.Tokenizer):
        assert made.training["warnings"] == [message]


# ── the tree of errors.py ─────────────────────────────────────────────────────────────────────
CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, KugiriError) and kind is not KugiriError
}


def test_every_class_is_raised_by_some_row() -> None:
    assert {row.meets for row in ROWS} == {*CLASSES.values(), KugiriWarning}


def test_the_tree_is_as_its_picture() -> None:
    picture = re.findall(r"[├└]── (\w+) \((\w+)\)", errors.__doc__ or "")
    assert dict(picture).keys() == CLASSES.keys()
    for name, builtin in picture:
        assert CLASSES[name].__mro__[1] is KugiriError
        assert CLASSES[name].__mro__[2].__name__ == builtin
        assert getattr(kugiri, name) is CLASSES[name]
    assert issubclass(KugiriWarning, UserWarning)


# ── one rule in every call ────────────────────────────────────────────────────────────────────
ONE_TEXT = ["encode", "encode_array", "count", "encode_with_offsets", "tokens", "pre_tokenize",
            "normalize"]  # fmt: skip
TEXT_CALLS: dict[str, Callable[[kugiri.Tokenizer, str], Any]] = {
    **{name: lambda tok, text, name=name: getattr(tok, name)(text) for name in ONE_TEXT},
    "encode with template": lambda tok, text: tok.encode(text, add_special_tokens=True),
    "tokens with template": lambda tok, text: tok.tokens(text, add_special_tokens=True),
    "encode_batch": lambda tok, text: tok.encode_batch([text]),
    "count_batch": lambda tok, text: tok.count_batch([text]),
    "truncate": lambda tok, text: tok.truncate(text, 9),
    "chunks": lambda tok, text: tok.chunks(text, 9),
    "train": lambda tok, text: train(["low", text]),
    "train, counted": lambda tok, text: train({text: 3}),
    "count_words": lambda tok, text: kugiri.count_words([text]),
}


@pytest.mark.parametrize("tok", [BYTES, CHARS, WORDS], ids=["bytes", "characters", "words"])
@pytest.mark.parametrize("call", TEXT_CALLS)
def test_a_lone_surrogate(call: str, tok: kugiri.Tokenizer) -> None:
    with pytest.raises(EncodingError, match=r"lone surrogate at position 1\b|character 1 is the"):
        TEXT_CALLS[call](tok, SURROGATE)


@pytest.mark.parametrize("option", ["pre_tokenizer", "end_of_word", "special_tokens"])
def test_a_lone_surrogate_in_an_option(option: str) -> None:
    value = [SURROGATE] if option == "special_tokens" else SURROGATE
    with pytest.raises(OptionError, match="lone surrogate"):
        train(unit="char", **{option: value})


ID_CALLS = {
    "decode": lambda ids: BYTES.decode(ids),
    "decode_bytes": lambda ids: BYTES.decode_bytes(ids),
    "decode_batch": lambda ids: BYTES.decode_batch([[97], ids]),
}
WRONG_IDS = [
    ([97, 256], "id 256 is not in the vocabulary; ids go from 0 to 255"),
    ([-1], "id -1 is not in the vocabulary"),
    ([2**40], "id 1099511627776 is not in the vocabulary"),
    ([97, 1.0], "ids are whole numbers; 1.0 came"),
    (["a"], "ids are whole numbers; 'a' came"),
    ("a", "ids are a list or an array of whole numbers; a str ('a') came"),
    (97, "ids are a list or an array of whole numbers; an int (97) came"),
    (None, "ids are a list or an array of whole numbers; None came"),
    ({97}, "ids are a list or an array of whole numbers; a set ({97}) came"),
    ([[97]], "ids are whole numbers; [97] came"),
    ([None], "ids are whole numbers; None came"),
    ([True], "ids are whole numbers; True came"),
    (np.array([256], np.uint32), "id 256 is not in the vocabulary; ids go from 0 to 255"),
    (np.array([-1]), "id -1 is not in the vocabulary"),
    (np.array([[97]]), "ids are whole numbers; [97] came"),
    (np.array([1.0]), "ids are whole numbers; 1.0 came"),
    (np.array(97), "ids are a list or an array of whole numbers; a ndarray (array(97)) came"),
]


@pytest.mark.parametrize("call", ID_CALLS)
@pytest.mark.parametrize(("ids", "says"), WRONG_IDS, ids=repr)
def test_ids_that_are_none(call: str, ids: Any, says: str) -> None:
    row = "row 1: " if call == "decode_batch" else ""
    meets = VocabularyError if "vocabulary" in says else OptionError
    with pytest.raises(meets, match=f"^{re.escape(row + says)}"):
        ID_CALLS[call](ids)


THREAD_CALLS: dict[str, Callable[[Any], Any]] = {
    "train": lambda threads: train(threads=threads),
    "count_words": lambda threads: kugiri.count_words(TEXTS, threads=threads),
    "encode_batch": lambda threads: BYTES.encode_batch(TEXTS, threads=threads),
    "count_batch": lambda threads: BYTES.count_batch(TEXTS, threads=threads),
    "decode_batch": lambda threads: BYTES.decode_batch([[97]], threads=threads),
}


@pytest.mark.parametrize("call", THREAD_CALLS)
@pytest.mark.parametrize("threads", [0, -1, "2", 1.5, True, 2**70])
def test_threads_that_are_no_number(call: str, threads: Any) -> None:
    with pytest.raises(OptionError, match=f"threads is {threads!r}; it must be .* from 1, or None"):
        THREAD_CALLS[call](threads)


# ── places, and files cut short ───────────────────────────────────────────────────────────────
def test_errors_carry_their_place(at: Path) -> None:
    with pytest.raises(CorpusError) as corpus:
        train(at / "broken.txt")
    assert corpus.value.path == str(at / "broken.txt")
    assert (corpus.value.line, corpus.value.byte) == (2, 3)
    with pytest.raises(FormatError) as format:
        kugiri.load(at / "t.tiktoken", format="kugiri")
    assert (format.value.path, format.value.offset) == (str(at / "t.tiktoken"), 0)


@pytest.mark.parametrize("name", ["t.kugiri.json", "tokenizer.json", "t.tiktoken", "counts.npz"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.7, 0.9])
def test_a_file_cut_short(name: str, share: float, at: Path) -> None:
    whole = at / name
    COUNTS.save(whole) if name == "counts.npz" else MARKED.save(at / "tokenizer.json")
    whole.write_bytes(whole.read_bytes()[: int(share * whole.stat().st_size)])
    with pytest.raises(FormatError) as raised:
        kugiri.WordCounts.load(whole) if name == "counts.npz" else kugiri.load(whole)
    assert str(raised.value.path) == str(whole)


def test_a_message_lists_no_hundreds_of_names() -> None:
    names = [f"<|{number}|>" for number in range(300)]
    with pytest.raises(OptionError, match=re.escape("<|63|>, … (300 in all)")):
        errors.choose("special token", "<|x|>", names)


@pytest.mark.parametrize(
    ("given", "near"), [("mecab", "mecab-ipadic"), ("bert-ja", "bert-japanese"), ("gtp2", "gpt2")]
)
def test_the_nearest_name(given: str, near: str) -> None:
    names = ["bert", "gpt2", "mecab-ipadic", "mecab-unidic-lite", "bert-japanese"]
    with pytest.raises(errors.OptionError, match=f"did you mean '{near}'"):
        errors.choose("preset", given, names)
