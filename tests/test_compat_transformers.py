"""The calls of transformers, asked of transformers and of what stands in for it."""

from __future__ import annotations

import json
import pickle
import warnings
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri.compat.batch_encoding import BatchEncoding
from kugiri.compat.transformers import AutoTokenizer, PreTrainedTokenizerFast
from tests.hf_combinations import trained
from tests.strategies import texts
from tools.parity_data import HOW_TO_GET

NAMES = ["BERT uncased", "RoBERTa", "GPT-2", "Llama 2", "XLM-R", "T5"]
ROLES = {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "[CLS]", "sep_token": "[SEP]"}


@cache
def ours(name: str, **settings: Any) -> PreTrainedTokenizerFast:
    tok = kugiri.load(trained(name).to_str().encode())
    return PreTrainedTokenizerFast(tok, **ROLES, **settings)


@cache
def theirs(name: str, **settings: Any) -> Any:
    library = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}")
    return library.PreTrainedTokenizerFast(tokenizer_object=trained(name), **ROLES, **settings)


def both(name: str, call: str, *arguments: Any, **named: Any) -> None:
    """The same result, or errors on both sides."""
    answers: list[Any] = []
    for tokenizer in (theirs(name), ours(name)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers.append(getattr(tokenizer, call)(*arguments, **named))
            except BaseException as error:
                if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                    raise
                answers.append(error)
    expected, found = answers
    if isinstance(expected, BaseException) or is_ragged(expected):
        assert isinstance(found, kugiri.KugiriError)
    elif hasattr(expected, "data"):
        assert not isinstance(found, BaseException), found
        assert set(found) == set(expected)
        for key in expected:
            assert plain(found[key]) == plain(expected[key]), key
        for row in range(len(expected.encodings or [])):
            assert found.word_ids(row) == expected.word_ids(row)
            assert len(found.tokens(row)) == len(expected.tokens(row))
    else:
        assert plain(found) == plain(expected)


def is_ragged(rows: Any) -> bool:
    """Whether there are arrays of lists in place of arrays, which is an error here."""
    values = rows.values() if hasattr(rows, "data") else []
    return any(isinstance(its, np.ndarray) and its.dtype == object for its in values)


def plain(value: Any) -> Any:
    """Arrays as lists, with their type beside them; tuples as lists."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


calls = st.fixed_dictionaries(
    {},
    optional={
        "add_special_tokens": st.booleans(),
        "padding": st.sampled_from([True, False, "longest", "max_length", "do_not_pad", "most"]),
        "truncation": st.sampled_from(
            [True, False, None, "longest_first", "only_first", "only_second", "do_not_truncate"]
        ),
        "max_length": st.none() | st.integers(4, 16),
        "stride": st.sampled_from([0, 0, 1, 2]),
        "pad_to_multiple_of": st.sampled_from([None, 4, 8]),
        "padding_side": st.sampled_from([None, "left", "right"]),
        "return_tensors": st.sampled_from([None, None, "np"]),
        "return_token_type_ids": st.sampled_from([None, True, False]),
        "return_attention_mask": st.sampled_from([None, True, False]),
        "return_overflowing_tokens": st.booleans(),
        "return_special_tokens_mask": st.booleans(),
        "return_offsets_mapping": st.booleans(),
        "return_length": st.booleans(),
        "split_special_tokens": st.sampled_from([None, True, False]),
    },
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings.default.max_examples // 3)
@given(firsts=st.lists(texts, min_size=1, max_size=3), options=calls, data=st.data())
def test_any_call(name: str, firsts: list[str], options: dict[str, Any], data: Any) -> None:
    if name in ("XLM-R", "T5"):  # there, a piece that is spelled like a special token becomes one
        options["split_special_tokens"] = False
    both(name, "__call__", firsts[0], **options)
    both(name, "__call__", firsts, **options)
    seconds = [data.draw(texts) for _ in firsts]
    both(name, "__call__", firsts, seconds, **options)
    both(name, "__call__", firsts[0], seconds[0] or "a", **options)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(text=texts, skip=st.booleans(), clean=st.sampled_from([None, True, False]))
def test_back_and_forth(name: str, text: str, skip: bool, clean: bool | None) -> None:
    ids = trained(name).encode(text).ids
    options = {"skip_special_tokens": skip, "clean_up_tokenization_spaces": clean}
    both(name, "decode", ids, **options)
    both(name, "decode", [ids, ids], **options)
    both(name, "batch_decode", [ids, []], **options)
    both(name, "decode", np.array(ids, np.int64), **options)
    both(name, "convert_ids_to_tokens", ids, skip_special_tokens=skip)
    tokens = theirs(name).convert_ids_to_tokens(ids)
    both(name, "convert_tokens_to_ids", [*tokens, "no such token"])
    both(name, "encode", text)
    both(name, "encode", text, "b", add_special_tokens=False)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings.default.max_examples // 3)
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=2), options=calls)
def test_pairs_and_the_way_to_characters(
    name: str, pairs: list[tuple[str, str]], options: dict[str, Any]
) -> None:
    options["split_special_tokens"] = False
    both(name, "__call__", pairs, **options)
    both(name, "__call__", [list(pair) for pair in pairs], **options)
    columns = [list(column) for column in zip(*pairs, strict=True)]
    both(name, "__call__", text_target=columns[0], **options)
    both(name, "__call__", columns[0], text_target=columns[1], **options)
    shape: Any = {"truncation": True, "max_length": 12, "return_overflowing_tokens": True}
    rows = [tokenizer(*columns, **shape) for tokenizer in (theirs(name), ours(name))]
    assert rows[0].n_sequences == rows[1].n_sequences == 2
    asked = ["token_to_sequence", "token_to_word", "token_to_chars"]
    from_text = ["char_to_token", "char_to_word", "word_to_tokens"]
    for row in range(len(rows[0].encodings)):
        for index in range(len(rows[0][row])):  # behind the last word they have another answer
            for call in asked:
                found = [getattr(it, call)(row, index) for it in rows]
                assert found[1] == found[0], (call, row, index)
            for call, text in ((call, text) for call in from_text for text in (0, 1)):
                found = [getattr(it, call)(row, index, text) for it in rows]
                assert found[1] == found[0], (call, row, index, text)
        for attribute in ("ids", "type_ids", "offsets", "attention_mask", "special_tokens_mask"):
            assert getattr(rows[1][row], attribute) == getattr(rows[0][row], attribute)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings.default.max_examples // 3)
@given(
    firsts=st.lists(st.lists(texts, max_size=4), min_size=1, max_size=3),
    second=st.lists(texts, min_size=1, max_size=3),
    options=calls,
)
def test_texts_that_are_split_into_words(
    name: str, firsts: list[list[str]], second: list[str], options: dict[str, Any]
) -> None:
    options |= {"split_special_tokens": False, "is_split_into_words": True}
    if all(firsts):
        both(name, "__call__", firsts, **options)
        both(name, "__call__", firsts, [second] * len(firsts), **options)
        both(name, "__call__", [(first, second) for first in firsts], **options)
        both(name, "__call__", firsts[0], **options)
        both(name, "__call__", firsts[0], second, **options)


ways_to_pad = st.fixed_dictionaries(
    {},
    optional={
        "padding": st.sampled_from([True, False, "longest", "max_length", "do_not_pad", "most"]),
        "max_length": st.none() | st.integers(1, 9),
        "pad_to_multiple_of": st.sampled_from([None, 4, 8]),
        "padding_side": st.sampled_from([None, "left", "right"]),
        "return_attention_mask": st.sampled_from([None, True, False]),
        "return_tensors": st.sampled_from([None, None, "np"]),
    },
)


@given(
    rows=st.lists(st.lists(st.integers(3, 99), max_size=6), min_size=1, max_size=3),
    beside=st.sets(st.sampled_from(["attention_mask", "token_type_ids", "special_tokens_mask"])),
    options=ways_to_pad,
    as_arrays=st.booleans(),
)
def test_pad(
    rows: list[list[int]], beside: set[str], options: dict[str, Any], as_arrays: bool
) -> None:
    for row in (rows, rows[0] or [1]):  # one empty row is handed back there as it is
        columns = {"input_ids": row, **{name: row for name in sorted(beside)}}
        both("BERT uncased", "pad", deepcopy(columns), **options)
    made = [{"input_ids": row, "labels": 1, **{name: row for name in beside}} for row in rows]
    if as_arrays:
        made = [{name: np.array(its, np.int64) for name, its in row.items()} for row in made]
    if all(rows):
        both("BERT uncased", "pad", made, **options)


COLLATORS: list[tuple[str, dict[str, Any]]] = [
    ("DataCollatorWithPadding", {}),
    ("DataCollatorForTokenClassification", {}),
    ("DataCollatorForSeq2Seq", {}),
    ("DataCollatorForLanguageModeling", {"mlm": False}),
]


@pytest.mark.parametrize(("collator", "options"), COLLATORS)
def test_collators_take_it(collator: str, options: dict[str, Any]) -> None:
    library = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}")
    batches = []
    for tokenizer in (theirs("GPT-2"), ours("GPT-2")):
        rows = [dict(tokenizer(text)) for text in ("low lower", "a")]
        if collator not in ("DataCollatorWithPadding", "DataCollatorForLanguageModeling"):
            rows = [{**row, "labels": [1] * len(row["input_ids"])} for row in rows]
        make = getattr(library, collator)(tokenizer, return_tensors="np", **options)
        batches.append({name: plain(value) for name, value in make(rows).items()})
    assert batches[0] == batches[1]


def test_pad_what_are_no_rows() -> None:
    of_ids: list[Any] = ["abc", None, 5, [1, [2]], [["a"]], [[[1]]], ["a"]]
    for given_rows in (
        *([], [{"ids": [1]}], {"ids": [1]}, 5, [5], "low", None),
        *({"input_ids": ids} for ids in of_ids),
        {"input_ids": [[1], [2]], "attention_mask": 5},
        {"input_ids": [[1], [2]], "attention_mask": [[[1]], [[1]]]},
    ):
        with pytest.raises(kugiri.OptionError, match="rows"):
            small(pad_token="<pad>").pad(given_rows)
    with pytest.raises(kugiri.OptionError, match="all rows need what the first has: input_ids, la"):
        small(pad_token="<pad>").pad([{"input_ids": [1], "labels": 1}, {"input_ids": [1]}])
    with pytest.raises(kugiri.OptionError, match="unknown padding_side 'up'"):
        small(pad_token="<pad>").pad({"input_ids": [[1], []]}, padding_side="up")


@pytest.mark.parametrize("name", NAMES)
def test_ids_of_every_kind(name: str) -> None:
    row, rows = np.array([5, 6]), np.array([[5, 6], [7, 8]])
    kinds: list[Any] = [[5, 6], (5, 6), [], [[5], []], row, rows, [row, row], [np.int64(5)]]
    for ids in [*kinds, {"input_ids": [5, 6]}]:
        both(name, "batch_decode", ids)
        both(name, "decode", ids)
        both(name, "decode", ids, spaces_between_special_tokens=False)
    for single in (5, np.int64(5), np.array(5)):
        both(name, "decode", single)
    for ids in ([5, 6], row, [np.int64(5)], (5,)):
        both(name, "convert_ids_to_tokens", ids)
        both(name, "get_special_tokens_mask", ids, already_has_special_tokens=True)
    assert ours(name).convert_ids_to_tokens(np.int64(5)) == theirs(name).convert_ids_to_tokens(5)
    both(name, "get_special_tokens_mask", [5])
    tokens = theirs(name).convert_ids_to_tokens(theirs(name)("low lower 図書館")["input_ids"])
    both(name, "convert_tokens_to_string", tokens)
    both(name, "convert_tokens_to_string", [])


@pytest.mark.parametrize("name", ["BERT uncased", "GPT-2"])
def test_a_role_is_set_by_its_id(name: str) -> None:
    answers = []
    for fresh in (theirs.__wrapped__(name), ours.__wrapped__(name)):
        fresh.pad_token = None
        fresh.pad_token_id = fresh.sep_token_id
        padded = fresh(["low", "low cat"], padding=True)
        answers.append([fresh.pad_token, fresh.pad_token_id, fresh.all_special_ids, dict(padded)])
        fresh.pad_token = "<pad>"
        answers[-1] += [fresh.pad_token_id, dict(fresh(["low", "low cat"], padding=True))]
        fresh.pad_token_id = None
        answers[-1] += [fresh.pad_token, fresh.pad_token_id]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_vocabulary(name: str) -> None:
    both(name, "get_vocab")
    both(name, "__len__")
    for pair in (True, False):
        both(name, "num_special_tokens_to_add", pair)
    both(name, "convert_ids_to_tokens", 5)
    both(name, "convert_ids_to_tokens", 10**6)
    both(name, "convert_tokens_to_ids", "<pad>")
    both(name, "tokenize", "low lower", add_special_tokens=True)
    both(name, "get_added_vocab")
    added = ours(name).added_tokens_decoder
    assert [*added] == [*theirs(name).added_tokens_decoder]
    for id, token in theirs(name).added_tokens_decoder.items():
        for field in ("content", "special", "lstrip", "rstrip", "single_word", "normalized"):
            assert getattr(added[id], field) == getattr(token, field)
    for attribute in ("is_fast", "vocab", "pad_token_type_id", "added_tokens_encoder"):
        assert getattr(ours(name), attribute) == getattr(theirs(name), attribute)
    for attribute in ("max_len_single_sentence", "max_len_sentences_pair"):
        limited = [it(name, model_max_length=64) for it in (ours, theirs)]
        assert getattr(limited[0], attribute) == getattr(limited[1], attribute)
    for attribute in ("pad_token", "pad_token_id", "bos_token", "bos_token_id", "vocab_size"):
        assert getattr(ours(name), attribute) == getattr(theirs(name), attribute)
    for attribute in ("special_tokens_map", "all_special_tokens", "all_special_ids"):
        assert getattr(ours(name), attribute) == getattr(theirs(name), attribute)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_settings_of_a_folder(side: str, tmp_path: Path) -> None:
    trained("BERT uncased").save(str(tmp_path / "tokenizer.json"))
    said = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 8,
        "padding_side": side,
        "truncation_side": side,
        "model_input_names": ["input_ids", "attention_mask"],
        **ROLES,
    }
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(said), encoding="utf-8")
    mine = AutoTokenizer.from_pretrained(tmp_path)
    other = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}").AutoTokenizer
    original = other.from_pretrained(str(tmp_path))
    for options in ({"padding": "max_length", "truncation": True}, {"padding": True}, {}):
        found = mine(["a long text of many, many words", "a"], **options)
        assert dict(found) == dict(original(["a long text of many, many words", "a"], **options))
    assert AutoTokenizer.from_pretrained(tmp_path, padding_side="left").padding_side == "left"
    harmless = {"use_fast": True, "trust_remote_code": True, "revision": "v2", "cache_dir": "x"}
    again = AutoTokenizer.from_pretrained(tmp_path, **harmless, token="x", local_files_only=True)
    assert again.padding_side == side
    assert again.name_or_path == str(tmp_path) == original.name_or_path


# ── without transformers ──────────────────────────────────────────────────────────────────────
def small(**settings: Any) -> PreTrainedTokenizerFast:
    tok = kugiri.train(["low lower"] * 2, vocab_size=259, special_tokens=["<pad>"])
    return PreTrainedTokenizerFast(tok, **settings)


def test_a_call() -> None:
    tokenizer = small(pad_token="<pad>")
    rows = tokenizer(["low", "lower"], padding=True, return_tensors="np")
    assert rows.input_ids.tolist() == [[257, 258, 258], [257, 101, 114]]
    assert rows["attention_mask"].tolist() == [[1, 0, 0], [1, 1, 1]]
    assert (rows.tokens(0), rows.word_ids(0)) == (["low", "<pad>", "<pad>"], [0, None, None])
    assert rows.sequence_ids(1) == [0, 0, 0]
    again = pickle.loads(pickle.dumps(rows))
    assert again.tokens(0) == rows.tokens(0)
    assert again.char_to_token(1, 3) == rows.char_to_token(1, 3) == 1
    assert again.input_ids.tolist() == rows.input_ids.tolist()
    assert [len(row) for row in rows[0:2]] == [3, 3]
    assert repr(rows[-1]) == "Row(3 tokens)"
    assert (rows.is_fast, rows.n_sequences) == (True, 1)
    assert tokenizer("low", text_target="lower")["labels"] == [257, 101, 114]
    assert tokenizer("low").convert_to_tensors("np", prepend_batch_axis=True).input_ids.ndim == 2
    with pytest.raises(AttributeError, match="these rows have no 'labels'; they have input_ids"):
        rows.labels  # noqa: B018
    with pytest.raises(kugiri.OptionError, match="only what a call"):
        BatchEncoding({"input_ids": []}).tokens()


def test_rows_put_together_by_hand() -> None:
    rows = BatchEncoding({"input_ids": [[1, 2], [3, 4]]}, tensor_type="np")
    assert rows.input_ids.tolist() == [[1, 2], [3, 4]]
    assert rows[0:1]["input_ids"].tolist() == [[1, 2]]
    assert (rows.encodings, rows.is_fast, rows.n_sequences) == (None, False, None)
    with pytest.raises(KeyError, match="are known by name"):
        rows[0]
    with pytest.raises(KeyError, match="labels"):
        rows["labels"]


class Moved:
    """Stands for a tensor."""

    def to(self, device: str) -> str:
        """Say where."""
        return device


def test_rows_are_moved_where_they_are() -> None:
    rows = BatchEncoding({"input_ids": Moved(), "names": ["a"]})
    assert rows.to("cuda") is rows
    assert dict(rows) == {"input_ids": "cuda", "names": ["a"]}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"padding": True}, "needs a padding token, and this tokenizer names none; set tokenizer.pad"),
    ({"padding": "most"}, "unknown padding 'most'"),
    ({"truncation": "most"}, "unknown truncation 'most'"),
    ({"return_tensors": "tf"}, "unknown return_tensors 'tf'"),
    ({"return_tensors": "np"}, "tensors have rows of one length"),
    ({"is_split_into_words": True, "text_pair": "low"}, "'low' is no list of words"),
    ({"paddings": True}, "unknown argument 'paddings'; did you mean 'padding'"),
    ({"max_length": "a"}, "max_length is 'a'; it must be a whole number"),
    ({"text_target": [["a"]]}, "a batch is of texts, or of pairs of two texts"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(kugiri.OptionError, match=message):
        small()(["low", "lower"], **options)


def test_wrong_settings() -> None:
    with pytest.raises(kugiri.OptionError, match="pad_token is '<none>', which has no id"):
        small(pad_token="<none>")
    with pytest.raises(kugiri.OptionError, match="unknown setting 'padding_sid'"):
        small(padding_sid="left")
    with pytest.raises(kugiri.FormatError, match="there is no such file"):
        PreTrainedTokenizerFast("low")
    with pytest.raises(AttributeError, match="a tokenizer has no 'pad_tokens'"):
        small().pad_tokens  # noqa: B018
    with pytest.raises(kugiri.OptionError, match="pad_token_id is 999, which is no id"):
        small().pad_token_id = 999
    for wrong in ([1], {}, "a"):
        with pytest.raises(kugiri.OptionError, match=r"pad_token_id is .*, which is no id"):
            small().pad_token_id = wrong
    with pytest.raises(kugiri.OptionError, match="model_max_length is 'a'; it must be a number"):
        small(model_max_length="a")("low")
    for wrong in ("ab", None, {5}, {"a": [1]}):
        for call in ("decode", "batch_decode", "convert_ids_to_tokens", "convert_tokens_to_ids"):
            if (call, wrong) not in [("convert_tokens_to_ids", "ab")]:
                with pytest.raises(kugiri.OptionError, match="came"):
                    getattr(small(), call)(wrong)
    with pytest.raises(kugiri.OptionError, match="no text came"):
        small()()
    with pytest.raises(kugiri.OptionError, match="and not of both"):
        small()([["low", "lower"], "low"])
    with pytest.raises(kugiri.VocabularyError, match="'zz' is no token"):
        small().convert_tokens_to_string(["low", "zz"])
    with pytest.raises(kugiri.OptionError, match="no token of the row is of word 5"):
        small()("low").word_to_chars(5)
    with pytest.raises(kugiri.OptionError, match="revision is for the package huggingface_hub"):
        AutoTokenizer.from_pretrained("owner/model", revision="v2")
    limited = small(pad_token="<pad>", model_max_length=10**12)
    with pytest.raises(kugiri.OptionError, match="it must be at most 100,000,000"):
        limited("low", padding="max_length")
