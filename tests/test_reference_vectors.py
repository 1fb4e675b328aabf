"""The rows of tests/vectors on the readable engine."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

import kugiri
from kugiri.encoding import Token
from kugiri.patterns import PATTERNS
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.bpe import merge_steps
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from kugiri.reference.special_tokens import AddedTokens
from kugiri.reference.train.bpe import TrainStep, train_steps
from kugiri.reference.train.bpe_start import Options, Start, Word, start
from kugiri.reference.vocab import show
from kugiri.spec import BPE, AddedToken, PreTokenizer, TokenizerSpec
from kugiri.tables import Tokens
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


# ── training ──────────────────────────────────────────────────────────────────────────────────
def train(row: Row) -> tuple[Start, list[TrainStep]]:
    """Run the corpus and options of a row."""
    counts = {word.encode(): count for word, count in row["words"]}
    options = Options(**training_options(row))
    return start(counts, options), list(train_steps(counts, options))


def shown(words: list[Word]) -> list[str]:
    """Words as the vectors write them."""
    return [" ".join(map(show, word.symbols)) for word in words]


@pytest.mark.parametrize("row", rows("bpe_train", "case"))
def test_bpe_train(row: Row) -> None:
    begin, steps = train(row)
    assert [[show(step.left), show(step.right), step.count] for step in steps] == row["merges"]
    words = steps[-1].words if steps else begin.words
    found = {
        "results": [step.result for step in steps],
        "applied": [step.applied for step in steps],
        "after": shown(words),
        "alphabet": [show(symbol) for symbol in begin.alphabet],
        "dropped": begin.dropped,
    }
    assert {key: found[key] for key in row.keys() & found} == {
        key: row[key] for key in row.keys() & found
    }


@pytest.mark.parametrize("row", rows("bpe_train", "refused"))
def test_bpe_train_refuses(row: Row) -> None:
    with pytest.raises(refusal(row)) as refused:
        train(row)
    assert not_said(row, refused.value) == []


# ── encoding ──────────────────────────────────────────────────────────────────────────────────
def tokenizer(row: Row) -> ReferenceTokenizer:
    """Build the tokenizer that a row of bpe_encode.toml describes."""
    return ReferenceTokenizer(encode_spec(row))


@pytest.mark.parametrize("row", rows("bpe_encode", "case"))
def test_bpe_encode(row: Row) -> None:
    tokens = tokenizer(row).encode(row["text"])
    assert [show(token.text) for token in tokens] == row["pieces"]
    assert [token.id for token in tokens] == row["ids"]
    assert [[token.start, token.end] for token in tokens] == row["spans"]


@pytest.mark.parametrize("row", rows("bpe_encode", "refused"))
def test_bpe_encode_refuses(row: Row) -> None:
    with pytest.raises(refusal(row)) as refused:
        tokenizer(row).encode(row["text"])
    assert not_said(row, refused.value) == []


@pytest.mark.parametrize("row", rows("utf8", "case"))
def test_utf8(row: Row) -> None:
    bytes_only = tokenizer({})
    assert [token.id for token in bytes_only.encode(row["text"])] == row["bytes"]
    assert bytes_only.decode(row["bytes"], errors="strict") == row["text"]


@pytest.mark.parametrize("row", rows("special_tokens", "case"))
def test_special_tokens(row: Row) -> None:
    added = msgspec.convert(row["added"], tuple[AddedToken, ...])
    tokens = AddedTokens(added, str.lower, row.get("origin") == "tokenizer.json")
    parts: list[Aligned | Token] = []
    for part in tokens.split(Aligned.of(row["text"]), row["allowed"]):
        if isinstance(part, Token):
            parts.append(part)
        else:
            lower = dataclasses.replace(part, text=part.text.lower())
            parts += tokens.split_normalized(lower, row["allowed"])
    assert [part.id if isinstance(part, Token) else part.text for part in parts] == row["parts"]
    if "spans" in row:
        spans = [part[2:] if isinstance(part, Token) else part.span for part in parts]
        assert list(map(list, spans)) == row["spans"]


# ── pre-tokenizing ────────────────────────────────────────────────────────────────────────────
def cut(text: str, pre_tokenizer: PreTokenizer) -> list[tuple[str, tuple[int, int]]]:
    """The pre-tokens of a text."""
    spec = TokenizerSpec(BPE(Tokens.from_iter([])), pre_tokenizer=pre_tokenizer)
    return pre_tokens(ReferenceTokenizer(spec), text)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("row", rows("pre_tokenize", "text"))
def test_named_patterns(row: Row, pattern: str) -> None:
    found = cut(row["text"], keeping_matches(PATTERNS[pattern]))
    assert [piece for piece, _ in found] == row[pattern]


@pytest.mark.parametrize("row", rows("pre_tokenize", "step"))
def test_pre_tokenizers(row: Row) -> None:
    found = cut(row["text"], msgspec.convert(row["pre_tokenizer"], PreTokenizer))
    assert [piece for piece, _ in found] == row["pieces"]
    assert [list(span) for _, span in found] == row["spans"]


# ── decoding ──────────────────────────────────────────────────────────────────────────────────
def decode(row: Row) -> str:
    """Decode as a row of decode.toml asks."""
    return ReferenceTokenizer(decode_spec(row)).decode(row["ids"], **decode_options(row))


@pytest.mark.parametrize("row", rows("decode", "case"))
def test_decode(row: Row) -> None:
    assert decode(row) == row["text"]


@pytest.mark.parametrize("row", rows("decode", "refused"))
def test_decode_refuses(row: Row) -> None:
    with pytest.raises(refusal(row)) as refused:
        decode(row)
    assert not_said(row, refused.value) == []


# ── the worked examples of the documents ──────────────────────────────────────────────────────
def encode_with(steps: list[TrainStep], symbols: list[str]) -> list[str]:
    """Encode one word with the merges of a training run."""
    ranks = {(step.left, step.right): rank for rank, step in enumerate(steps)}
    after = tuple(symbol.encode() for symbol in symbols)
    for merge in merge_steps(after, ranks.get):
        after = merge.after
    return [symbol.decode() for symbol in after]


def test_seed_sennrich_word_bpe() -> None:
    seed = table("seeds")["sennrich_word_bpe"]
    _, steps = train(seed)
    assert [[show(step.left), show(step.right), step.count] for step in steps] == seed["merges"]
    assert shown(steps[-1].words) == seed["after"]
    for row in seed["encode"]:
        assert encode_with(steps, [*row["word"], "_"]) == row["pieces"]


def test_seed_template_sentences() -> None:
    seed = table("seeds")["template_sentences"]
    training, testing = template_sentences(seed)
    counts: dict[str, int] = {}
    for sentence in training:
        counts[sentence] = counts.get(sentence, 0) + 1
    begin, steps = train({"words": counts.items(), "options": seed["options"]})
    assert [show(step.left + step.right) for step in steps[:12]] == seed["first_12"]
    for vocab_size, mean in seed["mean_tokens"]:
        merges = steps[: vocab_size - len(begin.alphabet)]
        tokens = [len(encode_with(merges, list(sentence))) for sentence in testing]
        assert round(sum(tokens) / 200, 1) == mean
    for row in seed["encode"]:
        assert encode_with(steps, list(row["text"])) == row["pieces"]


def test_seed_script_pattern() -> None:
    seed = table("seeds")["script_pattern"]
    assert PATTERNS["japanese-scripts"] == seed["pattern"]
    found = cut(seed["text"], keeping_matches(seed["pattern"]))
    assert [piece for piece, _ in found] == seed["pieces"]


def test_seed_cl100k() -> None:
    reference = ReferenceTokenizer(kugiri.load(parity_file("tiktoken/cl100k_base.tiktoken")).spec)
    for row in table("seeds")["cl100k"]["encode"]:
        assert [token.id for token in reference.encode(row["text"])] == row["ids"]
        assert reference.decode(row["ids"]) == row["text"]
