"""Special tokens that the settings in a folder add to its tokenizer."""

from __future__ import annotations

import json
import warnings
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri.compat.transformers import AutoTokenizer
from kugiri.errors import KugiriWarning
from kugiri.formats import write_file
from tests.hf import added, document
from tests.model_files import SMALL
from tests.test_chat import CHATML, said
from tests.test_spec import GPT2
from tools.parity_data import HOW_TO_GET

START, END = "<|im_start|>", "<|im_end|>"


def flagged(content: str, **flags: bool) -> dict[str, Any]:
    """A token as it stands in the settings."""
    return {name: its for name, its in added(content, **flags).items() if name != "id"}


def fill(folder: Path, said: dict[str, Any], **files: Any) -> Path:
    """A folder with a tokenizer.json, settings, and files named by their stems."""
    (folder / "tokenizer.json").write_text(
        document(added_tokens=[added("a", special=True) | {"id": 1}])
    )
    for name, its in {"tokenizer_config": said, **files}.items():
        (folder / f"{name}.json").write_text(json.dumps(its))
    return folder


def ids(tok: kugiri.Tokenizer) -> dict[str, int]:
    return {token.content: token.id for token in tok.spec.added_tokens}


def test_the_settings_of_a_folder_add_tokens(tmp_path: Path) -> None:
    pad = {"__type": "AddedToken"} | flagged("<pad>", special=True)
    by_id = {"99": flagged(START, special=True), "12": flagged(END, special=True)}
    told = {"added_tokens_decoder": by_id, "pad_token": pad, "chat_template": CHATML}
    folder = fill(tmp_path, told)
    tok = kugiri.load(folder)
    assert ids(tok) == {"a": 1, END: 10, START: 11, "<pad>": 12}
    chat = tok.encode_chat([said("a" + END)])
    assert [id for id in chat.ids.tolist() if id > 9] == [11, 10]


def test_a_file_by_itself_stays_as_it_is(tmp_path: Path) -> None:
    told = {"extra_special_tokens": [START, END, "<far>"], "chat_template": CHATML}
    path = fill(tmp_path, told) / "tokenizer.json"
    message = r"its chat template needs: '<\|im_start\|>', '<\|im_end\|>'; load the folder to have"
    with pytest.warns(KugiriWarning, match=message):
        tok = kugiri.load(path)
    assert ids(tok) == {"a": 1}
    told["chat_template"] = "{{ messages[0].content }}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kugiri.load(fill(tmp_path, told) / "tokenizer.json")
        kugiri.load(tmp_path)


def test_tables_that_are_kept_know_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUGIRI_CACHE", str(tmp_path / "kept"))
    folder = fill(tmp_path, {"pad_token": "<pad>", "chat_template": START})
    write_file(GPT2, folder / "tokenizer.json")
    for token in ("<pad>", "<pad>", "<fill>", "<fill>"):
        told = {"pad_token": token, "eos_token": START, "chat_template": START}
        (folder / "tokenizer_config.json").write_text(json.dumps(told))
        assert token in ids(kugiri.load(folder))
        with pytest.warns(KugiriWarning, match="load the folder to have them"):
            assert token not in ids(kugiri.load(folder / "tokenizer.json"))
    assert len([*(tmp_path / "kept").iterdir()]) == 2


def test_a_model_of_sentencepiece(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.model").write_bytes(SMALL)
    told = {"unk_token": "<unk>", "extra_special_tokens": ["<sep>", "a", "</s>", START]}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(told))
    (tmp_path / "added_tokens.json").write_text(json.dumps({START: 262, "<more>": 263}))
    tok = kugiri.load(tmp_path)
    assert ids(tok) == {"<s>": 1, "</s>": 2, START: 262, "<more>": 263, "a": 4}
    assert tok.encode(f"a{START}a", allowed_special={START})[-2:] != tok.encode(f"a{START}a")[-2:]
    tok.save(tmp_path / "mine.kugiri.json")
    assert kugiri.load(tmp_path / "mine.kugiri.json") == tok
    with pytest.raises(kugiri.FormatError, match="added tokens that are not its control pieces"):
        tok.save(tmp_path / "mine.model")


@pytest.mark.parametrize("wrong", [{"pad_token": 5}, {"added_tokens_decoder": {"a": {}}}])
def test_settings_that_cannot_be_read_are_a_warning(tmp_path: Path, wrong: Any) -> None:
    folder = fill(tmp_path, wrong)
    with pytest.warns(KugiriWarning, match="special tokens of the settings .* are left out"):
        assert ids(kugiri.load(folder)) == {"a": 1}


# ── asked of transformers ─────────────────────────────────────────────────────────────────────
contents = st.sampled_from(["<x>", "<y>", "<z>", "a", "b", "猫", START, END])
flags = st.fixed_dictionaries(
    {name: st.booleans() for name in ("lstrip", "rstrip", "normalized", "single_word", "special")}
)
tables = st.dictionaries(st.integers(0, 20).map(str), st.tuples(contents, flags), max_size=4)
objects = tables.map(lambda table: {id: flagged(its, **how) for id, (its, how) in table.items()})
lists = st.lists(contents, max_size=3, unique=True)
told = st.fixed_dictionaries(
    {},
    optional={
        "added_tokens_decoder": objects,
        "pad_token": contents,
        "bos_token": contents,
        "image_token": contents,
        "extra_special_tokens": lists | st.dictionaries(st.just("x_token"), contents, min_size=1),
        "additional_special_tokens": lists,
    },
)
olds = st.fixed_dictionaries({}, optional={"eos_token": contents | contents.map(flagged)})
olds |= st.fixed_dictionaries({"additional_special_tokens": lists})
numbers = st.dictionaries(contents, st.integers(0, 20), max_size=3)


@settings(max_examples=settings.default.max_examples // 2, deadline=None)
@given(said=told, old=olds, numbered=numbers)
def test_the_ids_are_those_of_transformers(
    said: dict[str, Any], old: dict[str, Any], numbered: dict[str, int]
) -> None:
    library = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}")
    with TemporaryDirectory() as name:
        folder = fill(Path(name), said, special_tokens_map=old, added_tokens=numbered)
        theirs = library.PreTrainedTokenizerFast.from_pretrained(str(folder))
        ours = AutoTokenizer.from_pretrained(folder)
        assert ours.added_tokens_encoder == theirs.added_tokens_encoder
        if numbered and "additional_special_tokens" in {**said, **old}:
            # of added_tokens.json, there, these are not special
            return
        for id, token in theirs.added_tokens_decoder.items():
            for field in ("special", "lstrip", "rstrip", "single_word", "normalized"):
                assert getattr(ours.added_tokens_decoder[id], field) == getattr(token, field)


def test_a_folder_with_a_model_is_that_of_transformers(tmp_path: Path) -> None:
    library = pytest.importorskip("transformers", reason=f"absent: {HOW_TO_GET}")
    trainer = pytest.importorskip("sentencepiece", reason=f"absent: {HOW_TO_GET}")
    pytest.importorskip("google.protobuf", reason="transformers reads a .model with protobuf")
    written = BytesIO()
    trainer.SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower lowest new newer"] * 9),
        model_writer=written, vocab_size=40, model_type="bpe", hard_vocab_limit=False,
        minloglevel=2,
    )  # fmt: skip
    (tmp_path / "tokenizer.model").write_bytes(written.getvalue())
    by_id = {"90": flagged(START, special=True), "95": flagged("<more>", normalized=True)}
    chat_template = (
        "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.content }}{{ eos_token }}"
        "{% endfor %}"
    )
    told = {"added_tokens_decoder": by_id, "bos_token": "<s>", "eos_token": END}
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps({**told, "chat_template": chat_template}))
    theirs = library.PreTrainedTokenizerFast.from_pretrained(str(tmp_path))
    ours = kugiri.load(tmp_path)
    found = {token: id for token, id in theirs.added_tokens_encoder.items() if token != "<unk>"}
    assert ids(ours) == found
    assert len(found) == 5
    chat = [said("low newer"), said("lowest", "assistant")]
    expected = theirs.apply_chat_template(chat, return_dict=False)
    assert ours.encode_chat(chat).ids.tolist() == expected
