"""Every call of the library with values of every wrong kind: an error of the tree, nothing else."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kugiri
import kugiri.edit
from kugiri.errors import KugiriError, OptionError
from vector_rows import encode_spec

TEXTS = ["low lower lowest 猫がいる"] * 3
BYTES = kugiri.Tokenizer(encode_spec({}))
COUNTS = kugiri.count_words(TEXTS)
HUGE = 10**5000

NUMBERS = [3, -1, 2**70, HUGE, 2.5, float("nan"), float("inf"), 1j, np.float32(3), True]
STRINGS = ["low", "", "\0", "\ud800", "x" * 5000]
BYTE_STRINGS = [b"low", bytearray(b"low"), memoryview(b"low")]
LISTS = [["a"], [1.5], [[1]], [None], [b"a"], np.array([1.5]), np.array([[1]]), np.array(5)]
UNORDERED = [{"a": "3"}, {1: 2}, {1}, {"a"}]
OTHERS = [None, object(), int, Path("nowhere"), Path("a\0b")]

NO_TEXT = [*NUMBERS, *BYTE_STRINGS, *LISTS, *UNORDERED, *OTHERS, "\ud800"]
NO_LIST = [*NUMBERS, *STRINGS, *BYTE_STRINGS, *UNORDERED, *OTHERS, np.array(5)]
NO_TEXTS = [*NO_LIST, [1.5], [None], [b"a"]]
NO_IDS = [*NO_LIST, ["a"], [1.5], [[1]], [None], [True], [HUGE], [-1], np.array([1.5])]
NO_NUMBER = [2.5, float("nan"), 1j, True, *STRINGS, *BYTE_STRINGS, *LISTS, *UNORDERED, *OTHERS]
NO_PATH = [*NUMBERS, *BYTE_STRINGS, *LISTS, *UNORDERED, None, object(), int, "a\0b", "x" * 5000]
NO_NAME = [*NUMBERS, *STRINGS, *BYTE_STRINGS, *LISTS, *UNORDERED, *OTHERS[1:]]

Call = Callable[[Any], Any]


def train(**options: Any) -> kugiri.Tokenizer:
    """A short run, with a size that fits."""
    return kugiri.train(TEXTS, **{"num_merges": 1, **options})


def option(name: str, **beside: Any) -> Call:
    """Training with an option of a value."""
    return lambda value: train(**beside, **{name: value})


def method(name: str) -> Call:
    """A method of a tokenizer that takes one value."""
    return lambda value: getattr(BYTES, name)(value)


def tiktoken(**options: Any) -> kugiri.Tokenizer:
    """A .tiktoken file, loaded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return kugiri.load("t.tiktoken", **options)


ONE_TEXT = ["encode", "encode_array", "count", "tokens", "pre_tokenize", "normalize",
            "encode_with_offsets"]  # fmt: skip
CALLS: list[tuple[str, list[Any], Call]] = [
    *((name, NO_TEXT, method(name)) for name in ONE_TEXT),
    ("truncate", NO_TEXT, lambda value: BYTES.truncate(value, 3)),
    ("chunks", NO_TEXT, lambda value: BYTES.chunks(value, 3)),
    ("sample", NO_TEXT, lambda value: BYTES.sample(value, alpha=0.1, seed=1)),
    ("nbest", NO_TEXT, lambda value: BYTES.nbest(value, 1)),
    ("encode_batch", NO_TEXTS, method("encode_batch")),
    ("count_batch", NO_TEXTS, method("count_batch")),
    ("restrict, pieces", [*NO_TEXTS[:-9], [1.5]], lambda v: kugiri.edit.restrict(BYTES, v)),
    ("restrict", [*NO_LIST, TEXTS], lambda value: kugiri.edit.restrict(value, ["a"])),
    ("decode", NO_IDS, method("decode")),
    ("decode_bytes", NO_IDS, method("decode_bytes")),
    ("decode_batch", [*NO_LIST, [97], [["a"]], [[1.5]], [None]], method("decode_batch")),
    ("from_lists", [*NO_LIST, [97], [["a"]], [[1.5]], [None]], kugiri.Batch.from_lists),
    ("Batch", [*NO_LIST, [1]], lambda value: kugiri.Batch(value, value)),
    ("token_bytes", [*NO_NUMBER, -1, 256, HUGE], method("token_bytes")),
    ("feed", [*NO_NUMBER, -1, 256, HUGE], lambda value: BYTES.decoder().feed(value)),
    ("token_id", [*NUMBERS, *LISTS, *UNORDERED, *OTHERS], method("token_id")),
    ("lineage", [*NUMBERS, *LISTS, *UNORDERED, *OTHERS], method("lineage")),
    ("max_tokens", [*NO_NUMBER, -1], lambda value: BYTES.truncate("low", value)),
    ("max_tokens of chunks", [*NO_NUMBER, 0], lambda value: BYTES.chunks("low", value)),
    ("overlap", [*NO_NUMBER, -1, 3, HUGE], lambda value: BYTES.chunks("low", 3, value)),
    ("alpha", [*NO_NUMBER[1:], HUGE], lambda value: BYTES.sample("a", alpha=value, seed=1)),
    ("seed", NO_NUMBER, lambda value: BYTES.sample("a", alpha=0.1, seed=value)),
    ("limit", NO_NUMBER, lambda value: BYTES.segmentations("a", value)),
    ("errors", NO_NAME, lambda value: BYTES.decode([97], errors=value)),
    ("errors of a batch", NO_NAME, lambda value: BYTES.decode_batch([[97]], errors=value)),
    ("errors of a stream", NO_NAME, lambda value: BYTES.decoder(errors=value)),
    ("allowed_special", [3, "low", b"low", ["a"], {"a"}, [1.5], {1, "a"}, object()],
     lambda value: BYTES.encode("a", allowed_special=value)),
    ("encode_files", NO_PATH, method("encode_files")),
    ("save", NO_PATH, method("save")),
    ("format of save", NO_NAME, lambda value: BYTES.save("t.kugiri.json", value)),
    ("Tokenizer", [*NO_TEXT, "low"], kugiri.Tokenizer),
    ("load", [*NO_PATH, *STRINGS], kugiri.load),
    ("format of load", NO_NAME, lambda value: kugiri.load("t.tiktoken", format=value)),
    ("pattern", [*NUMBERS, *BYTE_STRINGS, *LISTS, *UNORDERED, "low", "\ud800"],
     lambda value: tiktoken(pattern=value)),
    ("special_tokens of load",
     [*NUMBERS, "low", b"low", *LISTS, {"a": "3"}, {"a": 300.0}, {"a": -1}, {"a": HUGE},
      {"a": None}, {3: 300}, {b"a": 300}, {"": 300}, {1}],
     lambda value: tiktoken(pattern="gpt2", special_tokens=value)),
    ("train", [*NO_LIST, [1.5], [None], [b"a"]], lambda value: kugiri.train(value, num_merges=1)),
    ("count_words", [*NO_LIST, [1.5], [None], [b"a"]], kugiri.count_words),
    ("from_mapping", [*NUMBERS, *STRINGS, *LISTS, {"a": "3"}, {1: 2}, {"a": -1}, {"a": HUGE}],
     kugiri.WordCounts.from_mapping),
    ("merge", [*NO_TEXT, {"low": 3}], COUNTS.merge),
    ("save counts", NO_PATH, COUNTS.save),
    ("load counts", [*NO_PATH, "nowhere"], kugiri.WordCounts.load),
    ("model", NO_NAME, option("model")),
    ("preset", NO_NAME, option("preset")),
    ("seed of train", NO_NUMBER, option("seed")),
    ("vocab_size", [*NO_NUMBER[:-5], "300", -1, 2**70, HUGE],
     lambda value: kugiri.train(TEXTS, vocab_size=value)),
    *((name, [*NO_NUMBER[:-5], -1, HUGE], option(name, unit="char"))
      for name in ("num_merges", "min_frequency", "max_piece_length", "limit_alphabet")),
    *((name, NO_NAME, option(name))
      for name in ("unit", "tie", "byte_order", "documents", "errors", "compatibility")),
    *((name, [3, HUGE, b"low", ["a"], {"a"}, "\ud800", object()], option(name, unit="char"))
      for name in ("pre_tokenizer", "end_of_word", "field", "column")),
    *((name, [3, HUGE, b"low", [3], [None], {"a": 1}, ["\ud800"], object()],
       option(name, unit="char")) for name in ("special_tokens", "initial_alphabet")),
    *((name, [3, HUGE, "yes", b"low", [True], object()], option(name))
      for name in ("keep_characters", "keep_newlines")),
    ("pre_tokenizer of count_words", [*NO_TEXT, "low"],
     lambda value: kugiri.count_words(TEXTS, pre_tokenizer=value)),
    ("vocab_sizes", [*NO_LIST, ["300"], [300.0], []],
     lambda value: kugiri.train_sizes(TEXTS, vocab_sizes=value)),
    ("sizes", [*NO_LIST, ["300"], [300.0], []], lambda value: kugiri.sweep(TEXTS, sizes=value)),
    ("models", [*NO_LIST, ["low"], [3], []],
     lambda value: kugiri.sweep(TEXTS, sizes=[300], models=value)),
    ("sentences", [*(value for value in NO_TEXTS if value is not None), [3]],
     lambda value: kugiri.sweep(TEXTS, sizes=[300], sentences=value)),
    ("plan", [*NO_LIST, [1.5], [None], [b"a"]], kugiri.plan),
]  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder to work in, with one file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("values"))
        with pytest.warns(kugiri.KugiriWarning):
            BYTES.save("t.tiktoken")
        yield


@pytest.mark.parametrize(("values", "call"), [row[1:] for row in CALLS], ids=[c[0] for c in CALLS])
def test_a_wrong_value_is_an_error_of_the_tree(values: list[Any], call: Call) -> None:
    before = sorted(Path().iterdir())
    for value in values:
        with pytest.raises(KugiriError) as raised:
            call(value)
        message = str(raised.value)
        assert message, "an error says something"
        assert len(message) < 6000, "a long value is cut"
        assert "\0" not in message
    assert sorted(Path().iterdir()) == before, "something was written"


def test_a_wrong_type_is_a_type_error_by_the_custom_of_python() -> None:
    assert issubclass(OptionError, TypeError)


def test_a_batch_that_ends_is_an_index_error_as_loops_need_it() -> None:
    batch = BYTES.encode_batch(["low"])
    for index in (1, -2, 2**70, HUGE):
        with pytest.raises(IndexError, match="of 1"):
            batch[index]
