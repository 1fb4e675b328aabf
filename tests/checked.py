"""Small tokenizers for the tests of checks, and what is found in them."""

from __future__ import annotations

import json
from typing import Any

import msgspec

import kugiri
from kugiri.check.finding import Finding
from kugiri.reference.byte_alphabet import CHARACTER_OF
from kugiri.spec import ChatTemplates


def tokenizer_json(model: dict[str, Any], **parts: Any) -> kugiri.Tokenizer:
    whole: dict[str, Any] = {"version": "1.0", "truncation": None, "padding": None}
    whole |= dict.fromkeys(["normalizer", "pre_tokenizer", "post_processor", "decoder"])
    whole |= {"added_tokens": [], "model": model} | parts
    return kugiri.load(json.dumps(whole).encode())


def bpe(vocab: list[str], merges: list[str], **options: Any) -> dict[str, Any]:
    ids = {token: id for id, token in enumerate(vocab)}
    return {"type": "BPE", "vocab": ids, "merges": merges, **options}


def special(id: int, content: str, **options: bool) -> dict[str, Any]:
    flags = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    return {"id": id, "content": content, "special": True, **flags, **options}


def words(vocab: list[str], **parts: Any) -> kugiri.Tokenizer:
    """A tokenizer of whole words."""
    ids = {token: id for id, token in enumerate(["?", *vocab])}
    model = {"type": "WordLevel", "vocab": ids, "unk_token": "?"}
    return tokenizer_json(model, **{"pre_tokenizer": {"type": "Whitespace"}, **parts})


def unigram(pieces: list[str], **parts: Any) -> kugiri.Tokenizer:
    rows = [["<unk>", 0.0], *([piece, -1.0] for piece in pieces)]
    return tokenizer_json({"type": "Unigram", "unk_id": 0, "vocab": rows}, **parts)


def chatting(
    template: str,
    *,
    single: str = "$A",
    special_tokens: tuple[str, ...] = (),
    **roles: str,
) -> kugiri.Tokenizer:
    """A tokenizer with <s> and </s>, a post-processor that puts `single` there, and a template."""
    vocab = {"?": 0, "猫": 1, "犬": 2, "鳥": 3, "<s>": 4, "</s>": 5}
    ids = {token: vocab[token] for token in ("<s>", "</s>")}
    parts = [
        {"Sequence": {"id": "A", "type_id": 0}} if it == "$A"
        else {"SpecialToken": {"id": it, "type_id": 0}}
        for it in single.split()
    ]  # fmt: skip
    tok = tokenizer_json(
        {"type": "WordLevel", "vocab": vocab, "unk_token": "?"},
        pre_tokenizer={"type": "Whitespace"},
        added_tokens=[special(id, token) for token, id in ids.items()],
        post_processor={
            "type": "TemplateProcessing", "single": parts, "pair": parts,
            "special_tokens": {
                token: {"id": token, "ids": [id], "tokens": [token]} for token, id in ids.items()
            },
        },
    )  # fmt: skip
    chat = ChatTemplates({"default": template}, roles, special_tokens)
    return kugiri.Tokenizer(msgspec.structs.replace(tok.spec, chat=chat))


def found(tok: kugiri.Tokenizer, check: str, *documents: str) -> dict[str, Finding]:
    """The findings of one check, by kind."""
    result = kugiri.check(tok, list(documents) or None, only=[check], cases=1000)
    return {finding.id.partition(".")[2]: finding for finding in result.findings}


def cases(tok: kugiri.Tokenizer, id: str, *documents: str) -> list[tuple[str, str]]:
    """What one finding has, and what becomes of it."""
    check, _, kind = id.partition(".")
    findings = found(tok, check, *documents)
    return [(case.what, case.becomes) for case in findings[kind].cases] if kind in findings else []


def word_piece(pieces: list[str], **parts: Any) -> kugiri.Tokenizer:
    vocab = {piece: id for id, piece in enumerate(["[UNK]", *pieces])}
    model = {
        "type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]",
        "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
    }  # fmt: skip
    return tokenizer_json(model, **{"pre_tokenizer": {"type": "BertPreTokenizer"}, **parts})


BYTES = [CHARACTER_OF[byte] for byte in range(256)]
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
PREFIXED = {**BYTE_LEVEL, "add_prefix_space": True, "use_regex": False}
