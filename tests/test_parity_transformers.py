"""The folders of real models: the same calls of transformers and of what stands in for it."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import kugiri
from chats import said
from kugiri.compat.transformers import AutoTokenizer, PreTrainedTokenizerFast
from oracles import parity_file
from tests.test_compat_transformers import plain
from tools.parity_data import HOW_TO_GET

FOLDERS = ["llama3", "qwen3", "gemma3", "gptoss", "gpt4o", "llama2"]
WITH_TEMPLATES = FOLDERS[:3]
TEXTS = [
    "<|im_start|>user\nHello, 東京!<|im_end|>",
    "<bos>a <image_soft_token> b",
    " x\n\n123 </s> é",
]


def folder(name: str) -> Path:
    return parity_file(f"npm/{name}/tokenizer_config.json").parent


@lru_cache(maxsize=1)
def pair(name: str) -> tuple[Any, PreTrainedTokenizerFast]:
    """Theirs and ours."""
    library = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}")
    theirs = library.PreTrainedTokenizerFast.from_pretrained(str(folder(name)))
    return theirs, PreTrainedTokenizerFast.from_pretrained(folder(name))


@pytest.mark.parametrize("name", FOLDERS)
def test_special_tokens(name: str) -> None:
    theirs, ours = pair(name)
    for attribute in (
        *("all_special_ids", "all_special_tokens", "special_tokens_map", "extra_special_tokens"),
        *("added_tokens_encoder", "model_max_length", "padding_side", "model_input_names"),
        *("vocab_size", "pad_token_id", "clean_up_tokenization_spaces", "chat_template"),
    ):
        assert getattr(ours, attribute) == getattr(theirs, attribute), attribute
    for role in theirs.special_tokens_map:
        assert getattr(ours, f"{role}_id") == getattr(theirs, f"{role}_id")
    assert ours.extra_special_tokens_ids == theirs.extra_special_tokens_ids
    for text in TEXTS:
        ids = theirs(text)["input_ids"]
        assert plain(dict(ours(text))) == plain(dict(theirs(text)))
        for skip in (True, False):
            options = {"skip_special_tokens": skip}
            assert ours.decode(ids, **options) == theirs.decode(ids, **options)
            tokens = ours.convert_ids_to_tokens(ids, **options)
            assert tokens == theirs.convert_ids_to_tokens(ids, **options)
        masks = [
            tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
            for tokenizer in (ours, theirs)
        ]
        assert masks[0] == masks[1]


SIDES = [("llama2", "left"), ("gemma3", "left"), ("qwen3", "right")]


@pytest.mark.parametrize(("name", "side"), SIDES)
def test_the_class_that_the_settings_name(name: str, side: str) -> None:
    library = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}")
    theirs = library.AutoTokenizer.from_pretrained(str(folder(name)))
    ours = AutoTokenizer.from_pretrained(folder(name))
    assert ours.padding_side == theirs.padding_side == side
    assert ours.special_tokens_map == theirs.special_tokens_map


# ── chats ─────────────────────────────────────────────────────────────────────────────────────
SHORT = [said("q 東京"), said("Sure, the ", "assistant")]
LONG = [said("a longer question, indeed")]
MARKED = (
    "{% for m in messages %}x{% generation %}{{ m.content }}{% endgeneration %}y{% endfor %}"
    "{{ eos_token }}"
)
CALLS: list[tuple[Any, dict[str, Any]]] = [
    (SHORT, {}),
    (SHORT, {"tokenize": False}),
    ([SHORT, LONG], {"tokenize": False, "add_generation_prompt": True}),
    ([SHORT, LONG], {}),
    ([SHORT, LONG], {"padding": True, "return_tensors": "np"}),
    ([SHORT, LONG], {"padding": "max_length", "max_length": 17, "truncation": True}),
    (SHORT, {"truncation": True, "max_length": 5, "return_dict": False}),
    (SHORT, {"return_dict": False, "return_tensors": "np"}),
    (SHORT, {"continue_final_message": True}),
    (
        [said("q") | {"n": "a"}],
        {"continue_final_message": "n", "chat_template": "{{ messages[0].n }}z"},
    ),
    (SHORT, {"chat_template": MARKED, "return_assistant_tokens_mask": True}),
    (
        [SHORT, LONG],
        {
            "chat_template": MARKED,
            "return_assistant_tokens_mask": True,
            "padding": True,
            "return_tensors": "np",
        },
    ),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:the chat template leaves out")
@pytest.mark.parametrize("number", range(len(CALLS)))
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", WITH_TEMPLATES)
def test_chats(name: str, side: str, number: int) -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    chat, options = CALLS[number]
    answers = []
    for tokenizer in pair(name):
        tokenizer.padding_side = tokenizer.truncation_side = side
        tokenizer.pad_token = tokenizer.eos_token
        rows = tokenizer.apply_chat_template(chat, **options)
        answers.append(
            {its: plain(value) for its, value in rows.items()}
            if hasattr(rows, "items")
            else plain(rows)
        )
    assert answers[1] == answers[0]


IMITATIONS = ["a {0}\n{0}b", "{0}", " {0} "]


@pytest.mark.filterwarnings("ignore:the chat template leaves out")
@pytest.mark.parametrize("name", WITH_TEMPLATES)
def test_content_makes_no_control_tokens(name: str) -> None:
    """As with sanitize_control_tokens there, which encodes content in other parts."""
    theirs, ours = pair(name)
    controls = [token for token in theirs._get_control_tokens(theirs.chat_template) if token[1:]]
    ids_of_controls = {*theirs.convert_tokens_to_ids(controls)}
    compared = 0
    for token in (*controls[:8], "<|im_end", "＜|im_end|＞", "<think>", "</think>"):
        for form in IMITATIONS:
            text = form.format(token)
            chat = [said(text, "system"), said(text), said(text, "assistant"), said("z")]
            options = {"return_dict": False, "add_generation_prompt": True}
            safe = theirs.apply_chat_template(chat, sanitize_control_tokens=True, **options)
            found = ours.apply_chat_template(chat, **options)
            assert ours.decode(found) == theirs.decode(safe)
            own = [[id for id in ids if id in ids_of_controls] for ids in (found, safe)]
            assert own[0] == own[1], text
            compared += 1
    assert compared > 20


# ── saving ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["qwen3"])
def test_what_is_saved_is_loaded_again(name: str, tmp_path: Path) -> None:
    theirs, ours = pair(name)
    files = ours.save_pretrained(tmp_path / "saved")
    assert [Path(file).name for file in files] == ["tokenizer.json", "tokenizer_config.json"]
    original = type(theirs).from_pretrained(str(tmp_path / "saved"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = PreTrainedTokenizerFast.from_pretrained(tmp_path / "saved")
    for attribute in (
        *("all_special_ids", "special_tokens_map", "model_max_length", "padding_side"),
        *("truncation_side", "added_tokens_encoder", "chat_template", "model_input_names"),
    ):
        assert getattr(again, attribute) == getattr(ours, attribute), attribute
        assert getattr(original, attribute) == getattr(ours, attribute), attribute
    for text in TEXTS:
        assert again(text)["input_ids"] == original(text)["input_ids"] == ours(text)["input_ids"]
    assert isinstance(again.tokenizer, kugiri.Tokenizer)
