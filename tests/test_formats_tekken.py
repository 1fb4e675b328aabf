"""tekken.json of Mistral: read, written, refused; the ids as mistral-common has tiktoken make them.

mistral-common builds a tiktoken.Encoding from the pattern and the first tokens of the file, without
special tokens, and adds to each id the number of special tokens. So does `oracle` here.
"""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.errors import FormatError, KugiriWarning
from kugiri.formats import read_content, tekken, write_content
from kugiri.spec import AddedToken
from tests.oracles import oracle_tiktoken
from tests.test_formats_tiktoken import BYTES, byte_bpe
from tools.parity_data import HOW_TO_GET

Json = dict[str, Any]

# Two letters of one case, or one word of mixed case, without contractions; digits one by one.
PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
WORDS = [b"lo", b"low", b" low", "猫".encode()[:2], "猫".encode(), b"er", b"Er"]
TEXTS = ["low lower", "吾輩は猫である", "HTTPServer 123 we're\n\n  x", "<s>low</s>", "", "é́\u3000"]


def document(**changes: Any) -> Json:
    """A small tekken.json with 4 special tokens, and 2 tokens more than there is room for."""
    tokens = [*BYTES, *WORDS]
    config = {
        "pattern": PATTERN,
        "num_vocab_tokens": len(tokens),
        "default_vocab_size": 4 + len(tokens) - 2,
        "default_num_special_tokens": 4,
        "version": "v11",
    }
    rows = [row(rank, token) for rank, token in enumerate(tokens)]
    names = ["<unk>", "<s>", "</s>"]
    return {
        "config": config | changes.pop("config", {}),
        "vocab": rows,
        "special_tokens": [
            {"rank": rank, "token_str": name, "is_control": True} for rank, name in enumerate(names)
        ],
        "image": {"image_patch_size": 16},
    } | changes


def row(rank: int, token: bytes) -> Json:
    try:
        string: str | None = token.decode()
    except UnicodeDecodeError:
        string = None
    return {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": string}


def data(**changes: Any) -> bytes:
    return json.dumps(document(**changes)).encode()


def oracle(described: Json) -> Any:
    """The tiktoken.Encoding that mistral-common makes, and the number of special tokens."""
    tiktoken = pytest.importorskip("tiktoken", reason=f"tiktoken is absent: {HOW_TO_GET}")
    config = described["config"]
    special = config["default_num_special_tokens"]
    ranks = {
        base64.b64decode(each["token_bytes"]): each["rank"]
        for each in described["vocab"][: config["default_vocab_size"] - special]
    }
    return tiktoken.Encoding(
        "tekken", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={}
    ), special


def test_read() -> None:
    read = tekken.read(data())
    assert isinstance(read.model, spec.BPE)
    assert (read.model.unit, read.model.order, read.model.ignore_merges) == ("byte", "rank", True)
    assert read.model.vocab[255:] == [b"\xff", *WORDS[:-2]]
    assert read.model.ids is not None
    assert read.model.ids.values.tolist() == list(range(4, 4 + 261))
    assert read.added_tokens == tuple(
        AddedToken(id, name) for id, name in enumerate(["<unk>", "<s>", "</s>", "<SPECIAL_3>"])
    )
    assert read.pre_tokenizer == spec.Split(spec.Regex(PATTERN), "removed", invert=True)
    assert isinstance(read.post_processor, spec.TemplateProcessing)
    assert read.post_processor.single == (spec.SpecialPiece("<s>"), spec.SequencePiece("A"))


def test_ids_are_those_of_mistral_common() -> None:
    tok = kugiri.load(data())
    theirs, special = oracle(document())
    for text in TEXTS:
        ids = [id + special for id in theirs.encode(text, disallowed_special=())]
        assert tok.encode(text) == ids
        assert tok.encode(text, add_special_tokens=True) == [1, *ids]
        assert tok.decode(ids) == text
    assert tok.encode("<s>low", allowed_special={"<s>"}) == [1, 4 + 257]


@given(st.text(max_size=40))
def test_ids_of_any_text(text: str) -> None:
    theirs, special = oracle(document())
    assert kugiri.load(data()).encode(text) == [id + special for id in theirs.encode_ordinary(text)]


def test_a_large_vocabulary() -> None:
    """The ranks of o200k_base as a tekken.json with a thousand special tokens."""
    ranks = oracle_tiktoken("o200k_base")._mergeable_ranks
    tokens = [*BYTES, *(token for token in ranks if len(token) > 1)][:131_072]
    big = document(
        vocab=[row(rank, token) for rank, token in enumerate(tokens)],
        config={"default_vocab_size": 131_072, "default_num_special_tokens": 1000},
        special_tokens=None,
    )
    tok = kugiri.load(json.dumps(big).encode())
    theirs, special = oracle(big)
    assert tok.vocab_size == 131_072
    assert list(tok.special_tokens)[:4] == ["<unk>", "<s>", "</s>", "[INST]"]
    assert list(tok.special_tokens)[19:21] == ["[TOOL_CONTENT]", "<SPECIAL_20>"]
    for text in TEXTS:
        assert tok.encode(text) == [id + special for id in theirs.encode_ordinary(text)]


# ── writing ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"special_tokens": None},
        {"config": {"default_vocab_size": 4 + 256}},
        {"config": {"version": "v3", "extra": 1}, "multimodal": {"a": [1, 2]}},
        {"vocab": [{"rank": 0, "token_bytes": "AA==", "token_str": "<0x00>"},
                   *document()["vocab"][1:]]},
    ],
)  # fmt: skip
def test_what_was_read_is_written_as_an_equal_document(changes: Json) -> None:
    if "special_tokens" in changes:
        changes = changes | {"config": {"default_num_special_tokens": 20,
                                        "default_vocab_size": 20 + 256}}  # fmt: skip
    written = write_content(tekken.read(data(**changes)), "tekken")["tekken.json"]
    assert json.loads(written) == document(**changes)
    assert tekken.read(written) == tekken.read(data(**changes))


def test_written_with_other_tokens_in_front() -> None:
    """A spec of another origin that has its special tokens first."""
    read = tekken.read(data())
    own = spec.TokenizerSpec(
        read.model, read.added_tokens, None, read.pre_tokenizer, read.post_processor
    )
    again = read_content("tekken", write_content(own, "tekken"))
    assert (again.model, again.added_tokens) == (own.model, own.added_tokens)


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (byte_bpe((97, 98, 256)), "holds bytes that join by rank, as a .tiktoken file does, not m"),
        (spec.TokenizerSpec(spec.WordPiece(spec.Tokens.from_iter([b"a"]))), "not a WordPiece"),
        (kugiri.load(b"".join(base64.b64encode(b) + b" %d\n" % i for i, b in enumerate(BYTES)),
                     pattern="gpt2", special_tokens={"<|end|>": 256}).spec,
         "no place for the model of this tokenizer (its ids is"),
    ],
)  # fmt: skip
def test_not_written(described: spec.TokenizerSpec, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        write_content(described, "tekken")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocab": []}, "default_vocab_size 265 leaves room for 261 tokens beside 4 special ones"),
        ({"vocab": {}}, "vocab: Expected `array`, got `object`"),
        ({"vocab": [{"rank": "0"}]}, "vocab: Expected `int`, got `str`"),
        ({"config": {"pattern": None}}, "config.pattern: Expected `str`, got `null`"),
        ({"config": {"default_vocab_size": 3}}, "leaves room for -1 tokens"),
        ({"config": {"default_vocab_size": 2**60}}, "the file has 263"),
        ({"config": {"default_num_special_tokens": 2}}, "3 special tokens, and only 2 announced"),
        ({"config": {"default_num_special_tokens": -1}}, "it must be from 0 to"),
        ({"config": {"default_num_special_tokens": 10**9}}, "it must be from 0 to"),
        ({"config": {"default_num_special_tokens": 10**30}}, "it must be from 0 to 100000"),
        ({"special_tokens": [{"rank": 1, "token_str": "a"}]}, "must be 0, 1, 2, … without a hole"),
        ({"special_tokens": [{"rank": 0, "token_str": "<SPECIAL_3>"}]}, "stands twice, or is emp"),
        ({"special_tokens": [{"rank": 0, "token_str": ""}]}, "stands twice, or is empty"),
        ({"special_tokens": 3}, "special_tokens: Expected `array`, got `int`"),
        ({"vocab": [row(0, b"a"), *document()["vocab"][1:]]}, "a token stands twice in vocab"),
        ({"vocab": [row(0, b"\x01"), row(1, b"\x00"), *document()["vocab"][2:]]},
         "the first 256 tokens of vocab must be the bytes in their order"),
        ({"vocab": [*document()["vocab"][:256], row(300, b"lo"), *document()["vocab"][257:]]},
         "vocab[256] is not the token of rank 256 in base64"),
        ({"vocab": [*document()["vocab"][:256], {"rank": 256, "token_bytes": "é"},
                    *document()["vocab"][257:]]},
         "vocab[256] is not the token of rank 256 in base64"),
    ],
)  # fmt: skip
def test_malformed(changes: Json, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        tekken.read(data(**changes))
    assert message in str(caught.value)


@given(st.integers(0, 2000), st.binary(max_size=20))
def test_hostile(place: int, put: bytes) -> None:
    whole = data()
    for hostile in (whole[:place], whole[:place] + put + whole[place + len(put) :]):
        with suppress(FormatError, KugiriWarning):
            tekken.read(hostile)


def test_the_keys_must_be_there() -> None:
    for key in ("config", "vocab"):
        lacking = {name: its for name, its in document().items() if name != key}
        with pytest.raises(FormatError, match=f"the key '{key}' is missing"):
            tekken.read(json.dumps(lacking).encode())
