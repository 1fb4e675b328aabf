"""Rows for models, against tokenizers: truncation, padding, pairs, overflow, places of tokens."""

from __future__ import annotations

import builtins
import pickle
import sys
import tracemalloc
import types
import warnings
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri import Padding, Truncation, spec
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import word_ids
from tests.hf import document
from tests.hf_combinations import COMBINATIONS, trained
from tests.piece_rows import described
from tests.strategies import texts

NAMES = list(COMBINATIONS)
truncations = st.none() | st.builds(
    Truncation,
    max_length=st.integers(0, 14),
    direction=st.sampled_from(["left", "right"]),
    strategy=st.sampled_from(["longest_first", "only_first", "only_second"]),
    stride=st.sampled_from([0, 0, 1, 2, 3]),
)
paddings = st.none() | st.builds(
    Padding,
    length=st.none() | st.integers(0, 20),
    direction=st.sampled_from(["left", "right"]),
    pad_to_multiple_of=st.sampled_from([None, 0, 1, 4, 8]),
    pad_id=st.integers(0, 9),
    pad_type_id=st.integers(0, 3),
)
some_texts = st.lists(st.one_of(texts, st.text("ab 猫", max_size=20)), max_size=4)


@cache
def ours_of(name: str) -> kugiri.Tokenizer:
    return kugiri.load(trained(name).to_str().encode())


def asked_of(theirs: Any, padding: Padding | None, truncation: Truncation | None) -> None:
    """Have the original do the same."""
    theirs.no_padding()
    theirs.no_truncation()
    if padding is not None:
        its = msgspec.structs.asdict(padding)
        theirs.enable_padding(**{**its, "pad_token": theirs.id_to_token(padding.pad_id)})
    if truncation is not None:
        theirs.enable_truncation(**msgspec.structs.asdict(truncation))


def expected_rows(theirs: Any, inputs: list[Any], add: bool) -> list[tuple[int, Any]] | None:
    """Each row with its sample; None where the original ends in an error or a panic."""
    try:
        encodings = theirs.encode_batch(inputs, add_special_tokens=add)
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        return None
    return [(i, row) for i, first in enumerate(encodings) for row in [first, *first.overflowing]]


def compare(
    tok: kugiri.Tokenizer, theirs: Any, firsts: list[str], seconds: list[str] | None, **how: Any
) -> None:
    """Everything that both say of all rows."""
    padding, truncation, add = how["padding"], how["truncation"], how["add_special_tokens"]
    inputs = firsts if seconds is None else list(zip(firsts, seconds, strict=True))
    around = theirs.num_special_tokens_to_add(seconds is not None) if add else 0
    try:
        asked_of(theirs, padding, truncation)
    except ValueError:  # a stride that is not less than the limit: refused even if nothing is cut
        return
    expected = expected_rows(theirs, inputs, add)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            rows = tok.model_inputs(firsts, seconds, overflow=True, allowed_special="all", **how)
        except (kugiri.OptionError, kugiri.EncodingError):
            assert expected is None or truncation.max_length < around
            return
    if truncation is not None and truncation.max_length < around and not firsts:
        return
    assert expected is not None
    assert rows.overflow_to_sample_mapping == [sample for sample, _ in expected]
    theirs_of = [row for _, row in expected]
    lists = rows.to_lists("input_ids", "attention_mask", "token_type_ids", "special_tokens_mask")
    assert lists["input_ids"] == [row.ids for row in theirs_of]
    assert lists["attention_mask"] == [row.attention_mask for row in theirs_of]
    if add or not isinstance(
        tok.spec.post_processor, spec.RobertaProcessing
    ):  # which numbers what it cuts away otherwise
        assert lists["token_type_ids"] == [row.type_ids for row in theirs_of]
    assert lists["special_tokens_mask"] == [row.special_tokens_mask for row in theirs_of]
    assert rows.offset_mapping == [row.offsets for row in theirs_of]
    assert rows.word_ids == [row.word_ids for row in theirs_of]
    if truncation is None and padding is None:  # what is cut or filled has lost this there
        assert rows.sequence_ids == [row.sequence_ids for row in theirs_of]
    unknown = theirs.token_to_id("<unk>")
    for found, row in zip(rows.tokens, theirs_of, strict=True):
        for token, its, id in zip(found, row.tokens, row.ids, strict=True):
            assert token == its or id == unknown
    first_rows = tok.model_inputs(firsts, seconds, allowed_special="all", **how)
    mains = [
        i for i, (sample, _) in enumerate(expected) if sample != (expected[i - 1][0] if i else -1)
    ]
    assert first_rows.to_lists()["input_ids"] == [theirs_of[i].ids for i in mains]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings.default.max_examples // 4)
@given(
    firsts=some_texts, data=st.data(), truncation=truncations, padding=paddings, add=st.booleans()
)
def test_any_settings(
    name: str,
    firsts: list[str],
    data: Any,
    truncation: Truncation | None,
    padding: Padding | None,
    add: bool,
) -> None:
    tok, theirs = ours_of(name), trained(name)
    seconds = None
    if data.draw(st.booleans()):
        seconds = [data.draw(texts) for _ in firsts]
    how = {"truncation": truncation, "padding": padding, "add_special_tokens": add}
    try:
        compare(tok, theirs, firsts, seconds, **how)
    finally:
        asked_of(theirs, None, None)


# ── what is ours ──────────────────────────────────────────────────────────────────────────────
BERT = {
    "post_processor": {"type": "BertProcessing", "sep": ["<", 5], "cls": [">", 6]},
    "padding": {"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": 4,
                "pad_id": 9, "pad_type_id": 3, "pad_token": "P"},
    "truncation": {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 1},
}  # fmt: skip


@cache
def bert() -> kugiri.Tokenizer:
    """Characters, with BERT's template, and settings for padding and truncation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return kugiri.load(document(**BERT).encode())


def test_the_settings_of_the_file() -> None:
    rows = bert().model_inputs(["abab", "a"], padding=True, truncation=True, overflow=True)
    assert rows.to_lists() == {
        "input_ids": [
            [9, 9, 9, 6, 1, 2, 1, 5],
            [9, 9, 9, 9, 6, 1, 2, 5],
            [9, 9, 9, 9, 9, 6, 1, 5],
        ],
        "attention_mask": [[0, 0, 0, 1, 1, 1, 1, 1], [0] * 4 + [1] * 4, [0] * 5 + [1] * 3],
        "token_type_ids": [[3, 3, 3, 0, 0, 0, 0, 0], [3] * 4 + [0] * 4, [3] * 5 + [0] * 3],
    }
    assert rows.tokens[2] == ["P"] * 5 + [">", "a", "<"]
    assert rows.overflow_to_sample_mapping == [0, 0, 1]
    assert repr(rows) == "ModelInputs(3 rows, 24 ids)"
    untouched = bert().model_inputs(["abab", "a"])
    assert untouched.to_lists("input_ids") == {"input_ids": [[6, 1, 2, 1, 2, 5], [6, 1, 5]]}


@given(firsts=st.lists(texts, max_size=3), truncation=truncations, padding=paddings)
def test_the_settings_of_a_file_that_the_original_wrote(
    firsts: list[str], truncation: Truncation | None, padding: Padding | None
) -> None:
    theirs = trained("BERT cased")
    try:
        asked_of(theirs, padding, truncation)
        file, expected = theirs.to_str(), expected_rows(theirs, list(firsts), True)
    except ValueError:  # a stride that is not less than the limit
        return
    finally:
        asked_of(theirs, None, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        tok = kugiri.load(file.encode())
    asked = {"padding": padding is not None, "truncation": truncation is not None}
    if expected is None or (truncation is not None and truncation.max_length < 2):
        return  # of errors, and what is one here, `test_any_settings` says what there is to say
    rows = tok.model_inputs(firsts, overflow=True, allowed_special="all", **asked)
    assert rows.to_lists()["input_ids"] == [row.ids for _, row in expected]
    assert rows.to_lists()["attention_mask"] == [row.attention_mask for _, row in expected]


def test_places_of_what_was_cut_away() -> None:
    """tokenizers loses the sequence of each token there."""
    rows = bert().model_inputs(["abab"], ["ba"], truncation=Truncation(7, stride=1), overflow=True)
    assert [len(row) for row in rows.tokens] == [7, 7, 7]
    for row, (sequences, words, spans) in enumerate(
        zip(rows.sequence_ids, rows.word_ids, rows.offset_mapping, strict=True)
    ):
        for token, sequence, word, (start, end) in zip(
            rows.tokens[row], sequences, words, spans, strict=True
        ):
            if sequence is None:
                assert (word, start, end) == (None, 0, 0)
            else:
                assert ["abab", "ba"][sequence][start:end] == token
                assert word == start


def test_the_padding_token_is_found() -> None:
    def padded(tok: kugiri.Tokenizer, **fields: Any) -> tuple[list[int], list[str]]:
        rows = tok.model_inputs(["ab", "a"], padding=Padding(**fields))
        return rows.to_lists()["input_ids"][1][1:], rows.tokens[1][1:]

    for name in ("[PAD]", "<pad>", "<|pad|>"):
        tok = kugiri.train(["abc"], vocab_size=258, special_tokens=["<s>", name])
        rows = tok.model_inputs(["ab", "a"], padding=True)
        assert rows.to_lists()["input_ids"] == [[97, 98], [97, 257]]
        for fields in (
            {},
            {"pad_token": name},
            {"pad_id": 257},
            {"pad_token": name, "pad_id": 257},
        ):
            assert padded(tok, **fields) == ([257], [name])
        assert padded(tok, pad_token="<s>") == ([256], ["<s>"])
        assert padded(tok, pad_id=98) == ([98], ["b"])
    with pytest.raises(kugiri.OptionError, match=r"give kugiri\.Padding"):
        padded(kugiri.train(["abc"], vocab_size=256))
    assert padded(bert(), length=5)[0][-2:] == [9, 9]  # as the file says


def test_arrays_and_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = bert().model_inputs(["ab", "a"], padding=Padding(pad_id=0))
    arrays = rows.to_numpy()
    assert list(arrays) == ["input_ids", "attention_mask", "token_type_ids"]
    assert all(its.dtype == np.int64 and its.shape == (2, 4) for its in arrays.values())
    assert arrays["input_ids"].tolist() == rows.to_lists()["input_ids"]
    assert rows.to_numpy("special_tokens_mask")["special_tokens_mask"].tolist() == [
        [1, 0, 0, 1],
        [1, 0, 1, 1],
    ]
    torch = types.SimpleNamespace(from_numpy=lambda array: ("tensor", array.tolist()))
    monkeypatch.setitem(sys.modules, "torch", torch)
    expected = ("tensor", arrays["input_ids"].tolist())
    assert rows.to_torch("input_ids") == {"input_ids": expected}
    original = builtins.__import__

    def without_torch(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return original(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without_torch)
    with pytest.raises(kugiri.OptionError, match="needs the package torch"):
        rows.to_torch()


def test_rows_of_different_lengths_are_no_array() -> None:
    rows = bert().model_inputs(["ab", "a"])
    with pytest.raises(
        kugiri.OptionError, match=r"3 to 4 tokens; ask for padding, or take to_list"
    ):
        rows.to_numpy()
    assert bert().model_inputs([]).to_numpy()["input_ids"].shape == (0, 0)
    assert bert().model_inputs([]).offset_mapping == []


def test_begin_end_and_reverse_of_a_model() -> None:
    pieces = {
        "pieces": [["a", -1.0], ["▁", -1.0], ["<s>", 0.0, "CONTROL"], ["</s>", 0.0, "CONTROL"]]
    }
    described_spec = described({"model": "unigram", **pieces})
    tok = kugiri.Tokenizer(
        msgspec.structs.replace(described_spec, trainer=spec.SentencePieceTrainer())
    )
    for options in ({"add_bos": True}, {"add_eos": True, "reverse": True}):
        rows = tok.model_inputs(["aa", "a"], **options)
        expected = [tok.encode(text, **options) for text in ("aa", "a")]
        assert rows.to_lists()["input_ids"] == expected
        cut = tok.model_inputs(["aa"], truncation=2, **options)
        assert len(cut.input_ids[0]) == 2


@given(text=texts, pair=st.none() | texts, add=st.booleans())
def test_a_row_is_what_encode_gives(text: str, pair: str | None, add: bool) -> None:
    tok = ours_of("RoBERTa")
    rows = tok.model_inputs([text], None if pair is None else [pair], add_special_tokens=add)
    found = tok.encode_with_offsets(text, pair=pair, add_special_tokens=add)
    assert rows.input_ids[0].tolist() == found.ids.tolist()
    assert rows.tokens[0] == found.tokens
    assert rows.offset_mapping[0] == found.spans
    assert rows.token_type_ids[0].tolist() == found.type_ids
    assert (rows.word_ids[0], rows.sequence_ids[0]) == (found.word_ids, found.sequence_ids)
    assert rows.special_tokens_mask[0].tolist() == found.special_tokens_mask
    assert rows.attention_mask[0].tolist() == found.attention_mask


@pytest.mark.parametrize("name", ["Llama 3", "BERT uncased", "XLM-R", "Llama 2", "T5", "CLIP"])
@given(text=texts)
def test_word_ids_of_the_readable_engine(name: str, text: str) -> None:
    tok = ours_of(name)
    reference = ReferenceTokenizer(tok.spec)
    found = tok.encode_with_offsets(text, allowed_special="all")
    assert found.word_ids == word_ids(reference, text, "all")


WRONG: list[tuple[dict[str, Any], str]] = [
    (
        {"truncation": 1},
        "max_length is 1; the tokens around a text alone are 2, so give at least 3",
    ),
    ({"truncation": "long"}, "truncation is a number of tokens, a kugiri.Truncation, or True"),
    ({"truncation": 0}, "truncation is 0; it must be a whole number from 1"),
    ({"truncation": Truncation(9, direction="up")}, "unknown direction 'up'"),
    ({"truncation": Truncation(9, strategy="first")}, "unknown strategy 'first'"),
    ({"truncation": Truncation(5, stride=3)}, "stride is 3; it must be less than the 3 tokens"),
    ({"truncation": Truncation(5, stride=-1)}, "stride is -1; it must be a whole number from 0"),
    ({"truncation": Truncation(5, strategy="only_second")}, "a text came without a second one"),
    ({"padding": "longest"}, "padding is a kugiri.Padding, or True for the file's; a str"),
    ({"padding": Padding(length=-1)}, "the length of padding is -1"),
    ({"padding": Padding(direction="up")}, "unknown direction 'up'"),
    ({"padding": Padding(length=10**12)}, "the length of padding is 1000000000000; it must be at"),
    ({"padding": Padding(pad_to_multiple_of=10**9)}, "pad_to_multiple_of is 1000000000; it must"),
    ({"padding": Padding(pad_token=5)}, "pad_token is 5; it must be a str"),  # type: ignore[arg-type]
    ({"padding": Padding(pad_token="[NOPE]")}, "pad_token '.NOPE.' is not in the vocabulary"),
    ({"padding": Padding(pad_id=1000)}, "pad_id is 1000, which no token of this vocabulary has"),
    ({"padding": Padding(pad_token="<", pad_id=0)}, "pad_token '<' has the id 5, and pad_id is 0"),
    ({"padding": Padding(pad_id="a")}, "ids are whole numbers; 'a' came"),  # type: ignore[arg-type]
    ({"pairs": ["a", "b"]}, "pairs has 2 texts and texts has 1; each needs its second one"),
    ({"pairs": "a"}, "pairs is a list of texts, one text came"),
    ({"add_special_token": True}, "did you mean 'add_special_tokens'"),
]


@pytest.mark.parametrize(("how", "message"), WRONG)
def test_wrong_values(how: dict[str, Any], message: str) -> None:
    with pytest.raises(kugiri.OptionError, match=message):
        bert().model_inputs(["abababab"], **how)


@pytest.mark.parametrize("field", ["pad_id", "pad_type_id"])
@pytest.mark.parametrize("id", [-1, 2**40])
def test_what_is_filled_in_is_an_id(field: str, id: int) -> None:
    with pytest.raises(kugiri.VocabularyError, match=f"id {id} is not in the vocabulary"):
        bert().model_inputs(["ab"], padding=Padding(**{field: id}))


@pytest.mark.parametrize("direction", ["left", "right"])
def test_one_row_without_the_others(direction: Any) -> None:
    """Every part of one text with every part of the other would be a million rows."""
    texts = ["ab " * 3_000], ["ba " * 3_000]
    tracemalloc.start()
    try:
        rows = bert().model_inputs(*texts, truncation=Truncation(6, direction=direction))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(rows) == 1
    assert most < 20_000_000


def test_a_pickle_knows_all_places() -> None:
    how: dict[str, Any] = {"padding": Padding(direction="left"), "truncation": Truncation(5)}
    rows = bert().model_inputs(["ab abab", "b"], ["a", "ba"], overflow=True, **how)
    again = pickle.loads(pickle.dumps(rows))
    assert again.to_lists() == rows.to_lists()
    for name in ("tokens", "offset_mapping", "word_ids", "sequence_ids"):
        assert getattr(again, name) == getattr(rows, name)
    assert again.overflow_to_sample_mapping == rows.overflow_to_sample_mapping
    assert repr(again) == repr(rows)


def test_a_text_that_is_too_short_to_be_cut() -> None:
    cut = Truncation(6, strategy="only_second")
    with pytest.raises(kugiri.EncodingError, match="only 2; give a larger max_length, or 'longest"):
        bert().model_inputs(["abababab"], ["ab"], truncation=cut)


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ({"padding": True}, r"nor the tokenizer's file names .* none \(\[PAD\], <pad>"),
        ({"padding": kugiri.Padding()}, "nor the tokenizer's file names the padding token"),
        ({"truncation": True}, "truncation=True is what the tokenizer's file says"),
    ],
    ids=["padding", "bare padding", "truncation"],
)
def test_a_file_that_says_nothing(setting: dict[str, Any], why: str) -> None:
    tok = kugiri.train(["low lower"] * 2, vocab_size=258)
    with pytest.raises(kugiri.OptionError, match=why):
        tok.model_inputs(["low"], **setting)


# ── a batch of ids ────────────────────────────────────────────────────────────────────────────
@given(
    rows=st.lists(st.lists(st.integers(1, 9), max_size=6), max_size=5),
    direction=st.sampled_from(["left", "right"]),
    multiple=st.sampled_from([None, 1, 4]),
    more=st.none() | st.integers(0, 3),
)
def test_pad(rows: list[list[int]], direction: Any, multiple: int | None, more: int | None) -> None:
    longest = max(map(len, rows), default=0)
    length = None if more is None else longest + more
    padded = kugiri.Batch.from_lists(rows).pad(
        0, length=length, direction=direction, pad_to_multiple_of=multiple
    )
    width = longest if length is None else length
    width = -(-width // (multiple or 1)) * (multiple or 1)
    for given_row, row, mask in zip(rows, *map(np.ndarray.tolist, padded), strict=True):
        rest = [0] * (width - len(given_row))
        ones = [1] * len(given_row)
        assert row == (rest + given_row if direction == "left" else given_row + rest)
        assert mask == (rest + ones if direction == "left" else ones + rest)
    assert padded.input_ids.shape == padded.attention_mask.shape == (len(rows), width)
    assert padded.input_ids.dtype == np.int64


def test_pad_to_less_than_a_text() -> None:
    with pytest.raises(
        kugiri.OptionError, match="length is 1, and a text has 2 tokens; give a lar"
    ):
        kugiri.Batch.from_lists([[1, 2]]).pad(0, length=1)


@pytest.mark.parametrize("option", ["length", "pad_to_multiple_of"])
def test_pad_to_an_absurd_length(option: str) -> None:
    with pytest.raises(kugiri.OptionError, match="is 1000000000000; it must be at most 100,000,0"):
        kugiri.Batch.from_lists([[1]]).pad(0, **{option: 10**12})  # type: ignore[arg-type]


def test_words_that_are_cut_already() -> None:
    tok = kugiri.train(["low lower"] * 2, vocab_size=258)
    rows = tok.model_inputs([["low", "est"], [], ["x", "low"]], [["a"], ["low"], []])
    assert rows.input_ids.to_lists() == [[257, 101, 115, 116, 97], [257], [120, 257]]
    assert rows.word_ids == [[0, 1, 1, 1, 0], [0], [0, 1]]
    assert rows.offset_mapping[0] == [(0, 3), (0, 1), (1, 2), (2, 3), (0, 1)]
    assert tok.model_inputs([("low",)], ["a"]).input_ids.to_lists() == [[257, 97]]
    with pytest.raises(kugiri.OptionError, match=r"text 1 of a batch is a str .*lists of words"):
        tok.model_inputs([["low"], "low"])
    with pytest.raises(kugiri.OptionError, match="pairs has 1 texts and texts has 2"):
        tok.model_inputs([["low"], ["low"]], [["low", "low"]])
    for wrong in (5, None, b"low", ["low"]):
        with pytest.raises(kugiri.OptionError):
            tok.model_inputs([["low", wrong]])
