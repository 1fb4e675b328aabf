"""What a tokenizer of transformers is made of, saved as and asked for; without transformers."""

from __future__ import annotations

import copy
import json
import pickle
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kugiri
from chats import CHATML, GENERATION, said, trained
from kugiri.compat.transformers import AutoTokenizer, PreTrainedTokenizerFast

SAMPLE = "python/kugiri/sample"


def small(**settings: Any) -> PreTrainedTokenizerFast:
    tok = kugiri.train(["low lower"] * 2, vocab_size=259, special_tokens=["<pad>"])
    return PreTrainedTokenizerFast(tok, **settings)


def test_what_it_is_made_of(tmp_path: Path) -> None:
    tok = small().tokenizer
    path = tmp_path / "my.kugiri.json"
    tok.save(path)
    made = [PreTrainedTokenizerFast(path), PreTrainedTokenizerFast(str(path))]
    made += [PreTrainedTokenizerFast(tokenizer_file=path, pad_token="<pad>")]
    made += [PreTrainedTokenizerFast(tokenizer_object=tok)]
    assert [its.tokenizer for its in made] == [tok] * 4
    assert [its.pad_token for its in made] == [None, None, "<pad>", None]
    tokenizers = pytest.importorskip("tokenizers")
    tok.save(tmp_path / "tokenizer.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    ours = PreTrainedTokenizerFast(tokenizer_object=theirs)
    assert ours("low lower")["input_ids"] == theirs.encode("low lower").ids
    for wrong, message in (
        ({}, "none came"),
        ({"tokenizer": tok, "tokenizer_object": tok}, "a tokenizer and tokenizer_object came"),
        ({"tokenizer": 5}, "a kugiri.Tokenizer is needed; an int"),
        ({"tokenizer_object": "low"}, "a kugiri.Tokenizer is needed; a str"),
    ):
        with pytest.raises(kugiri.OptionError, match=message):
            PreTrainedTokenizerFast(**wrong)


def test_roles_of_a_model() -> None:
    tok = kugiri.train(["low lower"] * 2, vocab_size=261, special_tokens=["<pad>", "<img>", "<s>"])
    named = {"extra_special_tokens": {"image_token": "<img>"}, "pad_token": "<pad>"}
    tokenizer = PreTrainedTokenizerFast(tok, **named)
    assert tokenizer.image_token_id == tok.token_id("<img>")
    assert tokenizer.special_tokens_map == {"pad_token": "<pad>", "image_token": "<img>"}
    ids = [tok.token_id(token) for token in ("<pad>", "<img>", "<s>")]
    asked = {"already_has_special_tokens": True}
    assert tokenizer.get_special_tokens_mask(ids, **asked) == [1, 1, 0]
    tokenizer.extra_special_tokens = ["<s>"]
    assert tokenizer.get_special_tokens_mask(ids, **asked) == [1, 1, 1]
    assert tokenizer.extra_special_tokens_ids == ids[2:]
    tokenizer.extra_special_tokens_ids = ids[:1]
    assert tokenizer.extra_special_tokens == ["<pad>"]
    for wrong, message in (
        ({"extra_special_tokens": "<s>"}, "extra_special_tokens is a list of tokens"),
        ({"additional_special_tokens": ["<no>"]}, "'<no>', which has no id"),
        ({"image_token": "<no>"}, "image_token is '<no>', which has no id"),
        ({"split_special": True}, "unknown setting 'split_special'; did you mean 'split_special_t"),
    ):
        with pytest.raises(kugiri.OptionError, match=message):
            PreTrainedTokenizerFast(tok, **wrong)


def test_copies_are_their_own() -> None:
    tokenizer = small(pad_token="<pad>", filler_token="<pad>")
    pickled = pickle.loads(pickle.dumps(tokenizer))
    for again in (copy.copy(tokenizer), copy.deepcopy(tokenizer), pickled):
        again.pad_token = None
        assert (again.pad_token, again.filler_token_id) == (None, 258)
        assert again("low")["input_ids"] == [257]
    assert tokenizer.pad_token == "<pad>"


def test_the_largest_limit_is_that_of_transformers() -> None:
    assert small().model_max_length == int(1e30)


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("add_tokens", "kugiri.train"),
        ("add_special_tokens", "special_tokens"),
        ("backend_tokenizer", "tokenizer.tokenizer is the kugiri.Tokenizer"),
        ("train_new_from_iterator", "kugiri.train"),
        ("push_to_hub", "upload_folder"),
        ("encode_plus", "call the tokenizer itself"),
        ("build_inputs_with_special_tokens", "a call of the tokenizer with texts"),
    ],
)
def test_what_is_not_here_says_what_is(name: str, instead: str) -> None:
    with pytest.raises(AttributeError, match=f"a tokenizer has no '{name}'; .*{instead}"):
        getattr(small(), name)
    assert not hasattr(small(), "nonsense")


# ── saving ────────────────────────────────────────────────────────────────────────────────────
def test_saving(tmp_path: Path) -> None:
    named = trained(CHATML, GENERATION, bos_token="<s>")
    tokenizer = PreTrainedTokenizerFast(
        named, pad_token="<|end|>", model_max_length=9, padding_side="left"
    )
    files = tokenizer.save_pretrained(tmp_path / "a" / "b")
    assert files == tuple(
        str(tmp_path / "a" / "b" / name) for name in ("tokenizer.json", "tokenizer_config.json")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = AutoTokenizer.from_pretrained(tmp_path / "a" / "b")
    assert again.chat_template == {"default": CHATML, "tool_use": GENERATION}
    assert (again.model_max_length, again.padding_side, again.pad_token) == (9, "left", "<|end|>")
    texts = ["low<|end|>", "猫"]
    assert dict(again(texts, padding=True)) == dict(tokenizer(texts, padding=True))
    for option in ({"push_to_hub": True}, {"filename_prefix": "x"}):
        with pytest.raises(kugiri.OptionError, match=f"not {next(iter(option))}"):
            tokenizer.save_pretrained(tmp_path, legacy_format=None, **option)
    (tmp_path / "file").write_text("")
    with pytest.raises(kugiri.FormatError, match=r"no folder: .*; name another"):
        tokenizer.save_pretrained(tmp_path / "file")


def test_saving_words_of_a_dictionary(tmp_path: Path) -> None:
    pytest.importorskip("fugashi", reason="words of MeCab need kugiri[ja]")
    pytest.importorskip("unidic_lite", reason="words of MeCab need kugiri[ja]")
    tok = kugiri.train(SAMPLE, preset="bert-japanese", vocab_size=1800)
    tokenizer = PreTrainedTokenizerFast(tok, pad_token="[PAD]", model_max_length=512)
    with pytest.warns(kugiri.KugiriWarning, match="does not keep the version"):
        files = tokenizer.save_pretrained(tmp_path)
    assert [Path(file).name for file in files] == ["vocab.txt", "tokenizer_config.json"]
    said_there = json.loads((tmp_path / "tokenizer_config.json").read_text())
    assert said_there["tokenizer_class"] == "BertJapaneseTokenizer"
    with pytest.warns(kugiri.KugiriWarning, match="nothing of the version"):
        again = AutoTokenizer.from_pretrained(tmp_path)
    assert dict(again("図書館で本")) == dict(tokenizer("図書館で本"))
    assert (again.model_max_length, again.pad_token) == (512, "[PAD]")


def test_a_file_alone_has_its_usual_roles(tmp_path: Path) -> None:
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    tok = kugiri.train(["low lower"] * 2, vocab_size=263, special_tokens=special)
    tok.save(tmp_path / "x.kugiri.json")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "x.kugiri.json")
    roles = ("unk_token", "cls_token", "sep_token", "pad_token", "mask_token")
    assert tokenizer.special_tokens_map == dict(
        zip(("unk_token", "sep_token", "pad_token", "cls_token", "mask_token"),
            ("[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"), strict=True)
    )  # fmt: skip
    assert [getattr(tokenizer, f"{role}_id") for role in roles] == [
        tok.token_id(token) for token in special
    ]
    pad = tok.token_id("[PAD]")
    assert tokenizer(["low", "lower"], padding=True)["input_ids"][0][-1] == pad
    rows = tok.model_inputs(["low", "lower"], padding=True)
    assert rows.input_ids.to_lists()[0][-1] == pad
    assert rows.tokens[0][-1] == "[PAD]"


# ── chats ─────────────────────────────────────────────────────────────────────────────────────
def test_chats() -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    tok = trained(CHATML, GENERATION)
    tokenizer = PreTrainedTokenizerFast(tok)
    assert tokenizer.get_chat_template() == CHATML
    assert tokenizer.get_chat_template(tools=[{}]) == GENERATION
    chat = [said("low<|im_end|>"), said("猫", "assistant")]
    rows = tokenizer.apply_chat_template(chat)
    assert rows["input_ids"] == tok.encode_chat(chat).ids.tolist()
    assert rows["attention_mask"] == [1] * len(rows["input_ids"])
    end = tok.token_id("<|im_end|>")
    assert rows["input_ids"].count(end) == 2
    open_ended = tok.encode_chat(chat, continue_final_message=True)
    assert open_ended.text == "<|im_start|>user\nlow<|im_end|><|im_end|>\n<|im_start|>assistant\n猫"
    assert open_ended.ids.tolist().count(end) == 1
    assert sum(its.tokens for its in open_ended.messages) == len(open_ended) - open_ended.frame
    tokenizer.chat_template = "{{ messages[0].content }}"
    chats = [chat[:1], chat[1:]]
    assert tokenizer.apply_chat_template(chats, tokenize=False) == ["low<|im_end|>", "猫"]


def test_going_on_with_the_last_message() -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    tok = trained("{% for m in messages %}<s>{{ m.content | trim }}<|end|>{% endfor %}")
    mark = "WHERE_THE_LAST_MESSAGE_ENDS"
    for content, text in ((" a b  ", "<s>a b"), ("", "<s>"), (mark, f"<s>{mark}")):
        assert tok.encode_chat([said(content)], continue_final_message=True).text == text
    parts = [{"type": "text", "text": "a "}, {"type": "image"}]
    chat = [said(parts)]
    template = "{% for p in messages[0].content %}{{ p.text }}|{% endfor %}"
    found = tok.encode_chat(chat, continue_final_message=True, template=template)
    assert found.text == "a "
    assert parts == [{"type": "text", "text": "a "}, {"type": "image"}]
    for options, message in (
        ({"continue_final_message": 5}, "True, False or the name of a field; an int .5. came"),
        ({"add_generation_prompt": True}, "give one of them"),
        ({"continue_final_message": "thought"}, "unknown field of the last message 'thought'"),
        ({"continue_final_message": "role", "template": "{{ 1 }}"}, "not write the last message"),
    ):
        with pytest.raises(kugiri.KugiriError, match=message):
            tok.encode_chat([said("a")], **{"continue_final_message": True, **options})
    with pytest.raises(kugiri.OptionError, match="the content of the last message is an int"):
        tok.encode_chat([said(5)], continue_final_message=True)


def test_wrong_chats() -> None:
    tokenizer = PreTrainedTokenizerFast(trained(CHATML))
    for options, message in (
        ({"tokenizer_kwargs": {"padding": True}}, "tokenizer_kwargs are not here"),
        ({"return_assistant_tokens_mask": True, "tokenize": False}, "needs return_dict=True"),
        ({"sort": True}, "unknown variable of the chat template 'sort'"),
        ({"tools": [print]}, r"tools\[0\] is"),
    ):
        with pytest.raises(kugiri.OptionError, match=message):
            tokenizer.apply_chat_template([said("a")], **options)
    with pytest.raises(kugiri.OptionError, match="there is no message in the chat"):
        tokenizer.apply_chat_template([])
    tokenizer.chat_template = 5
    with pytest.raises(kugiri.OptionError, match="or several by their names; an int"):
        tokenizer.get_chat_template()
    tokenizer.chat_template = None
    with pytest.raises(kugiri.OptionError, match=r"set tokenizer\.chat_template"):
        tokenizer.get_chat_template()


# ── tensors ───────────────────────────────────────────────────────────────────────────────────
class Tensor:
    """Stands for a tensor of torch."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def tolist(self) -> Any:
        return self.array.tolist()


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stands for torch."""
    module: Any = types.ModuleType("torch")
    module.from_numpy = Tensor
    module.tensor = lambda value: Tensor(np.array(value, np.int64))
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def shape(tensor: Any) -> tuple[str, tuple[int, ...]]:
    return str(tensor.array.dtype), tensor.array.shape


def test_tensors(torch: Any) -> None:
    tokenizer = small(pad_token="<pad>")
    asked = {"return_offsets_mapping": True, "return_length": True, "return_tensors": "pt"}
    rows = tokenizer(["low", "lower"], padding=True, **asked)
    assert {name: shape(tensor) for name, tensor in rows.items()} == {
        "input_ids": ("int64", (2, 3)),
        "attention_mask": ("int64", (2, 3)),
        "offset_mapping": ("int64", (2, 3, 2)),
        "length": ("int64", (2,)),
    }
    assert rows.input_ids.tolist() == [[257, 258, 258], [257, 101, 114]]
    assert tokenizer.batch_decode(rows.input_ids, skip_special_tokens=True) == ["low", "lower"]
    for ids in (torch.tensor(257), torch.tensor([257]), {"input_ids": torch.tensor([257])}):
        assert tokenizer.decode(ids) == "low"
    padding = kugiri.Padding(pad_id=258, pad_token="<pad>")
    inputs = tokenizer.tokenizer.model_inputs(["low", "lower"], padding=padding)
    for name, tensor in inputs.to_torch().items():
        assert shape(tensor) == ("int64", (2, 3)), name
    assert inputs.to_torch("input_ids")["input_ids"].tolist() == rows.input_ids.tolist()


def test_tensors_of_torch_itself() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    tokenizer = small(pad_token="<pad>")
    rows = tokenizer(["low", "lower"], padding=True, return_tensors="pt")
    assert rows.input_ids.dtype == torch.int64
    assert rows.to("cpu").input_ids.tolist() == [[257, 258, 258], [257, 101, 114]]
    assert tokenizer.decode(torch.tensor(257)) == tokenizer.decode(torch.tensor([257])) == "low"
