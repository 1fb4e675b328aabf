"""What holds for every text, every row of ids and every corpus, on what users hold."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import kugiri
from kugiri.patterns import PATTERNS
from kugiri.reference.alignment import character_span
from strategies import japanese_corpora, small_corpora, texts, words

TEXTS = [
    "The low lower lowest; hello Hello HELLO, we'RE 1234567 times (x==1)\n\n",
    "図書館で猫の本を読んだ。トーキョー　か\u3099っこう 🐈🐈 カカカカ\r\n",
] * 3

LOSSLESS = ["none", "gpt2", "cl100k", "o200k", "llama3", "qwen2", r"\d+|[ -/]", "(?=[A-Z])"]
"""Pre-tokenizers that leave nothing out: the text comes back exactly."""


def train(**options: Any) -> kugiri.Tokenizer:
    return kugiri.train(TEXTS, num_merges=60, **options)


BYTES = {name: train(pre_tokenizer=name) for name in LOSSLESS}
MARKED = train(special_tokens=["<|end|>", "<|end|>>"])
CHARS = train(unit="char", special_tokens=["<unk>"])
TOKENIZERS = {
    **BYTES,
    "whole characters": train(keep_characters=True),
    "special tokens": MARKED,
    "characters": CHARS,
    "end-of-word": train(unit="char", end_of_word="</w>", special_tokens=["<unk>"]),
    "japanese-scripts": train(pre_tokenizer="scripts"),
    "words": kugiri.train(TEXTS, model="word"),
    "single characters": kugiri.train(TEXTS, model="char"),
}
tokenizers = st.sampled_from(list(TOKENIZERS.values()))
byte_level = st.sampled_from([*BYTES.values(), TOKENIZERS["whole characters"], MARKED])
marked_texts = st.lists(st.one_of(texts, st.just("<|end|>"), st.just("<|end|>>"))).map("".join)


@st.composite
def ids(draw: st.DrawFn) -> tuple[kugiri.Tokenizer, list[int]]:
    """A tokenizer and any ids that it has."""
    tok = draw(tokenizers)
    return tok, draw(st.lists(st.integers(0, tok.vocab_size - 1), max_size=30))


# ── there and back ────────────────────────────────────────────────────────────────────────────
@given(tok=byte_level, text=marked_texts)
def test_a_text_comes_back(tok: kugiri.Tokenizer, text: str) -> None:
    assert tok.decode(tok.encode(text), errors="strict") == text
    assert tok.decode_bytes(tok.encode(text, allowed_special="all")) == text.encode()
    assert "".join(word for word, _ in tok.pre_tokenize(text)) == text


@given(text=st.text(sorted({*"".join(TEXTS)}), max_size=40))
def test_a_text_of_known_characters_comes_back(text: str) -> None:
    assert CHARS.decode(CHARS.encode(text)) == text


@given(made=ids())
def test_any_ids_become_text(made: tuple[kugiri.Tokenizer, list[int]]) -> None:
    tok, row = made
    text = tok.decode(row)
    data = tok.decode_bytes(row)
    assert text == data.decode(errors="replace")
    assert tok.decode(row, errors="ignore") == data.decode(errors="ignore")
    assert tok.decode(np.array(row, np.uint32)) == tok.decode(np.array(row, np.int64)) == text
    assert tok.decode_batch([row, [], row]) == [text, "", text]
    kept = [id for id in row if id not in tok.special_tokens.values()]
    assert tok.decode(row, skip_special_tokens=True) == tok.decode(kept)


@given(made=ids(), errors=st.sampled_from(["replace", "ignore"]))
def test_ids_one_by_one(made: tuple[kugiri.Tokenizer, list[int]], errors: str) -> None:
    tok, row = made
    stream = tok.decoder(errors=errors)
    steps = [stream.feed(id) for id in row]
    assert "".join(steps) + stream.finish() == tok.decode(row, errors=errors)


@given(tok=byte_level, text=texts)
def test_streamed_text_has_no_replacement(tok: kugiri.Tokenizer, text: str) -> None:
    stream = tok.decoder(errors="strict")
    assert "".join(map(stream.feed, tok.encode(text))) + stream.finish() == text


# ── places ────────────────────────────────────────────────────────────────────────────────────
@given(tok=tokenizers, text=marked_texts, allowed=st.sampled_from(["all", frozenset()]))
def test_places(tok: kugiri.Tokenizer, text: str, allowed: Any) -> None:
    encoding = tok.encode_with_offsets(text, allowed_special=allowed)
    assert encoding.ids.tolist() == tok.encode(text, allowed_special=allowed)
    assert encoding.tokens == tok.tokens(text, allowed_special=allowed)
    touched = [character_span(text, *span) for span in encoding.byte_spans]
    assert encoding.covering_spans == touched
    assert all(before[1] <= after[0] for before, after in pairwise(encoding.byte_spans))
    for i, (start, end) in enumerate(encoding.covering_spans):
        assert encoding.special[i] == (encoding.ids[i] in tok.special_tokens.values())
        if encoding.tokens[i].startswith("<|end|>"):
            assert encoding.special[i]
            assert encoding.tokens[i] == text[start:end]


@given(tok=byte_level, text=marked_texts)
def test_bytes_of_tokens_are_bytes_of_the_text(tok: kugiri.Tokenizer, text: str) -> None:
    encoding = tok.encode_with_offsets(text, allowed_special="all")
    data = text.encode()
    bounds = [0, *(end for _, end in encoding.byte_spans)]
    assert encoding.byte_spans == list(pairwise(bounds))
    assert bounds[-1] == len(data)
    for id, (start, end) in zip(encoding.ids.tolist(), encoding.byte_spans, strict=True):
        assert tok.token_bytes(id) == data[start:end]


# ── several at once ───────────────────────────────────────────────────────────────────────────
@given(tok=tokenizers, batch=st.lists(marked_texts, max_size=6), threads=st.sampled_from([1, 3]))
def test_a_batch_is_its_texts(tok: kugiri.Tokenizer, batch: list[str], threads: int) -> None:
    for allowed in ("all", frozenset()):
        rows = [tok.encode(text, allowed_special=allowed) for text in batch]
        made = tok.encode_batch(iter(batch), threads=threads, allowed_special=allowed)
        assert made.to_lists() == rows == [row.tolist() for row in made]
        counts = tok.count_batch(batch, threads=threads, allowed_special=allowed)
        assert counts.tolist() == [len(row) for row in rows]
        assert [tok.count(text, allowed_special=allowed) for text in batch] == counts.tolist()
        for text, row in zip(batch, rows, strict=True):
            array = tok.encode_array(text, allowed_special=allowed)
            assert (array.dtype, array.tolist()) == (np.uint32, row)
        assert tok.decode_batch(made, threads=threads) == list(map(tok.decode, rows))


# ── within a limit ────────────────────────────────────────────────────────────────────────────
@given(tok=tokenizers, text=texts, limit=st.integers(0, 12))
def test_truncate(tok: kugiri.Tokenizer, text: str, limit: int) -> None:
    short = tok.truncate(text, limit)
    assert text.startswith(short)
    assert tok.count(short) <= limit
    assert tok.truncate(short, limit) == short
    if tok.count(text) <= limit:
        assert short == text


@given(tok=tokenizers, text=texts, limit=st.integers(4, 12), overlap=st.integers(0, 3))
def test_chunks(tok: kugiri.Tokenizer, text: str, limit: int, overlap: int) -> None:
    assume(all(tok.count(character) <= limit for character in text))
    parts = tok.chunks(text, limit, overlap)
    end = 0
    for part in parts:
        assert part.text == text[slice(*part.span)]
        assert part.ids.tolist() == tok.encode(part.text)
        assert len(part.ids) <= limit
        assert part.span[0] <= end < part.span[1]
        assert overlap or part.span[0] == end
        end = part.span[1]
    assert end == len(text)
    for before, after in pairwise(parts):
        shared = before.text[after.span[0] - before.span[0] :]
        assert tok.count(shared) <= limit


# ── training ──────────────────────────────────────────────────────────────────────────────────
options = st.fixed_dictionaries(
    {
        "unit": st.sampled_from(["byte", "char"]),
        "tie": st.sampled_from(["lowest-ids", "first-seen", "greatest-pair", "sentencepiece"]),
        "special_tokens": st.sampled_from([[], ["<s>"], ["<s>", "<unk>"]]),
    }
)


def quietly(train: Any, *arguments: Any, **options: Any) -> Any:
    """Train; a corpus that is too small for the size is what is wanted here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return train(*arguments, **options)


@given(corpus=st.one_of(small_corpora, japanese_corpora), asked=options, data=st.data())
def test_sizes_at_once_are_sizes_one_by_one(corpus: Any, asked: Any, data: st.DataObject) -> None:
    whole = quietly(kugiri.train, corpus, num_merges=40, **asked)
    smallest = whole.training["alphabet"] + len(asked["special_tokens"])
    sizes = data.draw(st.lists(st.integers(smallest, whole.vocab_size + 9), min_size=1))
    toks = quietly(kugiri.train_sizes, corpus, vocab_sizes=sizes, **asked)
    assert list(toks) == sorted(set(sizes))
    for size, tok in toks.items():
        alone = quietly(kugiri.train, corpus, vocab_size=size, **asked)
        assert tok == alone, "the record is of its own size too: options, warnings"
        assert tok.vocab_size == min(size, toks[max(sizes)].vocab_size)
        left = tok.training["initial_tokens"] - sum(merge.applied or 0 for merge in tok.merges)
        assert left == tok.count_batch(corpus).sum()


@given(shards=st.lists(st.lists(words, max_size=6), min_size=1, max_size=4), asked=options)
def test_counts_of_shards_are_counts_of_all(shards: list[list[str]], asked: Any) -> None:
    whole = [word for shard in shards for word in shard]
    counts = kugiri.count_words(shards[0], pre_tokenizer="none")
    for shard in shards[1:]:
        counts = counts.merge(kugiri.count_words(shard, pre_tokenizer="none"))
    once = kugiri.count_words(whole, pre_tokenizer="none")
    expected = {word.encode(): whole.count(word) for word in dict.fromkeys(whole)}
    assert counts.items() == once.items() == list(expected.items())
    assert counts.digest() == once.digest()
    if whole:
        asked = {"num_merges": 30, **asked}
        of_counts = quietly(kugiri.train, counts, **asked)
        of_texts = quietly(kugiri.train, whole, pre_tokenizer="none", **asked)
        assert of_counts.merges[:] == of_texts.merges[:]
        assert of_counts.spec.model == of_texts.spec.model


@pytest.mark.parametrize("name", PATTERNS)
@given(corpus=st.lists(texts, min_size=1, max_size=4))
def test_counted_words_are_pre_tokens(name: str, corpus: list[str]) -> None:
    tok = TOKENIZERS[name]
    counts = kugiri.count_words(iter(corpus), pre_tokenizer=name)  # a list might be one of paths
    found = [word.encode() for text in corpus for word, _ in tok.pre_tokenize(text)]
    assert list(counts) == list(dict.fromkeys(found))
    assert sum(counts.values()) == len(found)
