"""The rows of tests/vectors on the core, through the names that users call."""

from __future__ import annotations

import warnings

import msgspec
import pytest

import kugiri
from kugiri.patterns import PATTERNS
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.vocab import show
from kugiri.spec import (
    AddedToken,
    ByteLevel,
    ByteLevelDecoder,
    PreTokenizer,
    SentencePieceNormalizer,
)
from tests.oracles import parity_file
from vector_rows import (
    Row,
    decode_options,
    decode_spec,
    encode_spec,
    keeping_matches,
    not_said,
    refusal,
    rows,
    table,
    template_sentences,
    training_options,
)

BYTES_ONLY = encode_spec({})


# ── training ──────────────────────────────────────────────────────────────────────────────────
def train(row: Row) -> tuple[kugiri.Tokenizer, list[str]]:
    """Run the corpus and options of a row; the tokenizer and the warnings."""
    options = training_options(row)
    if not options.keys() & {"vocab_size", "num_merges"}:
        options["num_merges"] = 1000  # the row goes on until no pair is left
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", kugiri.KugiriWarning)
        tok = kugiri.train(dict(row["words"]), **options)
    return tok, [str(warning.message) for warning in caught]


def shown(token: bytes | str) -> str:
    """A token as the vectors write it."""
    return token if isinstance(token, str) else show(token)


def strings(tok: kugiri.Tokenizer, ids: list[int]) -> list[str]:
    """The tokens of some ids."""
    return [show(tok.spec.model.vocab[id]) for id in ids]


@pytest.mark.parametrize("row", rows("bpe_train", "case"))
def test_bpe_train(row: Row) -> None:
    tok, said = train(row)
    merges = [[shown(merge.left), shown(merge.right), merge.count] for merge in tok.merges]
    assert merges == row["merges"]
    results = [tok.token_id(merge.result) for merge in tok.merges]
    found = {
        "results": results,
        "applied": [merge.applied for merge in tok.merges],
        "alphabet": strings(tok, list(range(tok.training["alphabet"]))),
    }
    assert {key: found[key] for key in row.keys() & found} == {
        key: row[key] for key in row.keys() & found
    }
    if "dropped" in row:
        characters, occurrences = len(row["dropped"]), sum(row["dropped"].values())
        expected = f"left out {characters} different characters, {occurrences} occurrences in all"
        assert any(expected in message for message in said)
    elif "after" in row:
        words = [word for word, _ in row["words"]]
        assert [" ".join(strings(tok, tok.encode(word))) for word in words] == row["after"]


@pytest.mark.parametrize("row", rows("bpe_train", "refused"))
def test_bpe_train_refuses(row: Row) -> None:
    with pytest.raises(refusal(row)) as refused:
        train(row)
    assert not_said(row, refused.value) == []


# ── encoding ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("row", rows("bpe_encode", "case"))
def test_bpe_encode(row: Row) -> None:
    tok, text = kugiri.Tokenizer(encode_spec(row)), row["text"]
    encoding = tok.encode_with_offsets(text)
    assert encoding.tokens == tok.tokens(text) == row["pieces"]
    assert encoding.ids.tolist() == row["ids"]
    assert [list(span) for span in encoding.byte_spans] == row["spans"]
    assert tok.encode(text) == tok.encode_array(text).tolist() == row["ids"]
    assert tok.encode_batch([text, text]).to_lists() == [row["ids"]] * 2
    assert tok.count(text) == tok.count_batch([text])[0] == len(row["ids"])


@pytest.mark.parametrize("row", rows("bpe_encode", "refused"))
def test_bpe_encode_refuses(row: Row) -> None:
    tok = kugiri.Tokenizer(encode_spec(row))
    for call in (tok.encode, tok.encode_array, tok.count, tok.encode_with_offsets):
        with pytest.raises(refusal(row)) as refused:
            call(row["text"])
        assert not_said(row, refused.value) == []


@pytest.mark.parametrize("row", rows("utf8", "case"))
def test_utf8(row: Row) -> None:
    tok = kugiri.Tokenizer(BYTES_ONLY)
    assert tok.encode(row["text"]) == row["bytes"]
    assert tok.decode(row["bytes"], errors="strict") == row["text"]


LOWER = SentencePieceNormalizer(
    charsmap=compile_charsmap({letter.upper(): letter for letter in "abcd"}),
    add_dummy_prefix=False,
    remove_extra_whitespaces=False,
    escape_whitespaces=False,
)


@pytest.mark.parametrize("row", rows("special_tokens", "case"))
def test_special_tokens(row: Row) -> None:
    """The ids of the row stand above those of the bytes here."""
    added = [AddedToken(**token | {"id": 1000 + token["id"]}) for token in row["added"]]
    origin = row.get("origin", "kugiri")
    spec = msgspec.structs.replace(
        BYTES_ONLY, added_tokens=tuple(added), origin=origin, normalizer=LOWER
    )
    tok = kugiri.Tokenizer(spec)
    expected: list[int] = []
    for part in row["parts"]:
        expected += [1000 + part] if isinstance(part, int) else list(part.encode())
    allowed = row["allowed"] if row["allowed"] == "all" else set(row["allowed"])
    assert tok.encode(row["text"], allowed_special=allowed) == expected
    encoding = tok.encode_with_offsets(row["text"], allowed_special=allowed)
    assert encoding.ids.tolist() == expected
    if "spans" in row:
        spans = [
            list(span) for span, id in zip(encoding.byte_spans, expected, strict=True) if id > 999
        ]
        assert spans == [s for s, p in zip(row["spans"], row["parts"], strict=True) if p != str(p)]
    specials = set(tok.special_tokens.values())
    assert encoding.special == [id in specials for id in expected]


# ── pre-tokenizing ────────────────────────────────────────────────────────────────────────────
def cutting(pre_tokenizer: PreTokenizer) -> kugiri.Tokenizer:
    """A tokenizer of bytes with this pre-tokenizer."""
    return kugiri.Tokenizer(msgspec.structs.replace(BYTES_ONLY, pre_tokenizer=pre_tokenizer))


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("row", rows("pre_tokenize", "text"))
def test_named_patterns(row: Row, pattern: str) -> None:
    """By the scanner that the core has for the pattern, and by its regex as any other."""
    for regex in (PATTERNS[pattern], f"(?:{PATTERNS[pattern]})"):
        found = cutting(keeping_matches(regex)).pre_tokenize(row["text"])
        assert [piece for piece, _ in found] == row[pattern]


@pytest.mark.parametrize("row", rows("pre_tokenize", "step"))
def test_pre_tokenizers(row: Row) -> None:
    tok = cutting(msgspec.convert(row["pre_tokenizer"], PreTokenizer))
    found = tok.pre_tokenize(row["text"])
    assert [piece for piece, _ in found] == row["pieces"]
    assert [list(span) for _, span in found] == row["spans"]


# ── decoding ──────────────────────────────────────────────────────────────────────────────────
def decoding(row: Row) -> list[kugiri.Tokenizer]:
    """The tokenizer of a row of decode.toml; for ByteLevel also one that splits into its bytes."""
    spec = decode_spec(row)
    specs = [spec]
    if isinstance(spec.decoder, ByteLevelDecoder):
        visible = ByteLevel(add_prefix_space=False)
        specs.append(msgspec.structs.replace(spec, pre_tokenizer=visible))
    return list(map(kugiri.Tokenizer, specs))


@pytest.mark.parametrize("row", rows("decode", "case"))
def test_decode(row: Row) -> None:
    options = decode_options(row)
    for tok in decoding(row):
        assert tok.decode(row["ids"], **options) == row["text"]
        assert tok.decode_batch([row["ids"], []], **options) == [row["text"], ""]


@pytest.mark.parametrize("row", rows("decode", "refused"))
def test_decode_refuses(row: Row) -> None:
    for tok in decoding(row):
        with pytest.raises(refusal(row)) as refused:
            tok.decode(row["ids"], **decode_options(row))
        assert not_said(row, refused.value) == []


# ── the worked examples of the documents ──────────────────────────────────────────────────────
def test_seed_sennrich_word_bpe() -> None:
    seed = table("seeds")["sennrich_word_bpe"]
    tok, _ = train(seed)
    assert [[merge.left, merge.right, merge.count] for merge in tok.merges] == seed["merges"]
    assert [" ".join(tok.tokens(word)) for word, _ in seed["words"]] == seed["after"]
    for row in seed["encode"]:
        assert tok.tokens(row["word"]) == row["pieces"]
        assert strings(tok, tok.encode(row["word"])) == row["pieces"]


def test_seed_template_sentences() -> None:
    seed = table("seeds")["template_sentences"]
    training, testing = template_sentences(seed)
    tok = kugiri.train(training, pre_tokenizer="none", **seed["options"])
    assert [merge.result for merge in tok.merges[:12]] == seed["first_12"]
    for row in seed["encode"]:
        assert tok.tokens(row["text"]) == row["pieces"]
    options = {name: seed["options"][name] for name in ("unit", "tie")}
    sizes = [size for size, _ in seed["mean_tokens"]]
    toks = kugiri.train_sizes(training, vocab_sizes=sizes, pre_tokenizer="none", **options)
    means = [[size, round(tok.count_batch(testing).mean(), 1)] for size, tok in toks.items()]
    assert means == seed["mean_tokens"]


def test_seed_script_pattern() -> None:
    seed = table("seeds")["script_pattern"]
    for name in ("japanese-scripts", "scripts", seed["pattern"]):
        corpus = [seed["text"]] * 2
        tok = kugiri.train(corpus, num_merges=7, pre_tokenizer=name, tie=seed["tie"])
        words = [word for word, _ in tok.pre_tokenize(seed["text"])]
        assert words == seed["pieces"] == tok.tokens(seed["text"])


def test_seed_cl100k() -> None:
    tok = kugiri.load(parity_file("tiktoken/cl100k_base.tiktoken"))
    seed = table("seeds")["cl100k"]["encode"]
    texts, ids = [row["text"] for row in seed], [row["ids"] for row in seed]
    assert tok.encode_batch(texts).to_lists() == [tok.encode(text) for text in texts] == ids
    assert tok.decode_batch(ids) == texts


def test_seed_bytes_of_an_emoji() -> None:
    """Document 003: what stands for an emoji that the vocabulary does not have."""
    tok = kugiri.Tokenizer(BYTES_ONLY)
    assert tok.tokens("🎉") == ["<f0>", "<9f>", "<8e>", "<89>"]
