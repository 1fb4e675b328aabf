"""Little tokenizers of tokenizers 0.23.3, made part by part, and ours of the same file."""

from __future__ import annotations

import json
from typing import Any

import pytest

import kugiri
from kugiri.reference.pipeline import ReferenceTokenizer
from tools.parity_data import HOW_TO_GET

WORDS = {"[U]": 0, "a": 1, "b": 2, " ": 3, "x": 4, "<": 5, ">": 6, "猫": 7, "\u0120": 8, "\t": 9}


def added(content: str, **flags: Any) -> dict[str, Any]:
    """An added token as it stands in the file."""
    every = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": 0, "content": content} | dict.fromkeys(every, False) | flags


def document(**parts: Any) -> str:
    """A tokenizer.json whose model knows single characters, with some parts set."""
    empty = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    model = {"type": "WordLevel", "vocab": WORDS, "unk_token": "[U]"}
    cut = {
        "type": "Split",
        "pattern": {"Regex": r"[\s\S]"},
        "behavior": "Isolated",
        "invert": False,
    }
    start = {"version": "1.0", "added_tokens": []} | dict.fromkeys(empty)
    return json.dumps(start | {"pre_tokenizer": cut, "model": model} | parts)


def both(**parts: Any) -> tuple[kugiri.Tokenizer, Any]:
    """Ours and theirs."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    file = document(**parts)
    return kugiri.load(file.encode()), library.Tokenizer.from_str(file)


def asked(theirs: Any, *texts: str, **options: Any) -> Any:
    """Their encoding, or None where they panic: what is not said there is not compared."""
    try:
        return theirs.encode(*texts, **options)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


def compare(ours: kugiri.Tokenizer, theirs: Any, *texts: str, add: bool = True) -> None:
    """Everything that both say of a text or a pair, and the ids of the readable engine."""
    for allowed in ("all", frozenset[str]()):
        theirs.encode_special_tokens = allowed != "all"
        expected = asked(theirs, *texts, add_special_tokens=add)
        # The model makes no special token of text here; there it may.
        if expected is None or WORDS.keys() & ours.special_tokens.keys():
            continue
        pair = texts[1] if len(texts) > 1 else None
        found = ours.encode_with_offsets(
            texts[0], pair=pair, add_special_tokens=add, allowed_special=allowed
        )
        assert found.ids.tolist() == expected.ids
        assert found.tokens == expected.tokens
        assert found.spans == expected.offsets
        assert found.type_ids == expected.type_ids
        mask = [int(number is None) for number in found.sequence_ids]
        assert mask == expected.special_tokens_mask
        assert found.sequence_ids == expected.sequence_ids
        tokens = ReferenceTokenizer(ours.spec).encode(texts[0], allowed, add, pair)
        assert [token.id for token in tokens] == expected.ids
        ids = ours.encode(texts[0], pair=pair, add_special_tokens=add, allowed_special=allowed)
        assert ids == expected.ids
