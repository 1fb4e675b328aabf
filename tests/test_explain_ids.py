"""The steps of an explanation lead to the ids of encode, for every format, on hard text."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.explain.step_structure import LONGEST, BPESteps, UnigramSteps, Word, WordPieceSteps
from kugiri.explain.structure import Explanation
from kugiri.spec import PieceType
from tests.explained import MADE, made
from tests.hard_texts import HARD
from tests.oracles import parity_file
from tests.strategies import texts

REAL = [
    *(f"npm/{name}/tokenizer.json" for name in (
        "llama3", "qwen3", "gptoss", "gpt4o", "llama2", "gemma3",
    )),
    *(f"tiktoken/{name}.tiktoken" for name in (
        "r50k_base", "p50k_base", "cl100k_base", "o200k_base",
    )),
    *(f"spm/{name}.model" for name in (
        "botchan_en_bpe_1000", "botchan_en_unigram_1000", "kyoto_ja_unigram_8000",
    )),
]  # fmt: skip


LONG = {".kugiri.json", "tokenizer.json", "vocab.txt", ".model, unigram", ".model, bpe"}
"""The formats that the longest texts are tried with, which takes seconds."""


def check(tok: kugiri.Tokenizer, text: str) -> None:
    """An explanation is true: its ids, and the steps that lead to them."""
    explained = tok.explain(text)
    assert explained.ids == tok.encode(text)
    assert explained.tokens == tok.tokens(text)
    assert bytes.fromhex("".join(explained.bytes)) == b"".join(map(tok.token_bytes, explained.ids))
    words = explained.model.words
    if all(word.is_shown for word in words):
        check_ids(explained, list(chain.from_iterable(word.ids for word in words)))
        check_steps(tok, explained)
    assert len(explained.boundaries) >= len(words) - 1
    assert explained.decoded.text == tok.decode(explained.ids)


def check_ids(explained: Explanation, ids: list[int | None]) -> None:
    if not explained.special_tokens:
        assert ids == explained.ids
        return
    rest = iter(explained.ids)  # the words' ids are what is left without the added tokens
    assert all(id in rest for id in ids)
    assert len(ids) <= len(explained.ids)


def check_steps(tok: kugiri.Tokenizer, explained: Explanation) -> None:
    model = explained.model
    if isinstance(model, BPESteps):
        types = getattr(tok.spec.model, "piece_types", None)
        has_unused = types is not None and PieceType.UNUSED in types.values
        for number, word in enumerate(model.words):
            names, left = replayed(model, word, number)
            assert left == word.roots
            if not word.is_whole and tok.spec.origin != "sentencepiece" and not has_unused:
                assert [names[root] for root in left] == word.tokens
    elif isinstance(model, WordPieceSteps):
        for number, word in enumerate(model.words):
            found = [match.found for match in model.matches if match.word == number]
            assert word.tokens == found or (None in found or not found)
    elif isinstance(model, UnigramSteps) and model.is_shown:
        assert model.nbest[0].ids == explained.ids
        best = [node for node in model.lattice if node.is_best]
        assert "".join(model.text[node.start : node.end] for node in best) == model.text
        assert all(way.margin >= 0 for way in model.nbest)
        core = tok.nbest(explained.text, len(model.nbest))
        assert [way.ids for way in model.nbest] == [way.ids for way in core]
        assert [way.posterior for way in model.nbest] == pytest.approx(
            [way.posterior for way in core], abs=1e-6
        )
        shares = [its.probability for its in tok.marginals(explained.text)]
        assert [node.probability for node in model.lattice] == pytest.approx(shares, abs=1e-6)


def replayed(model: BPESteps, word: Word, number: int) -> tuple[list[str], list[int]]:
    """The names of all nodes of a word, and those that stand when its merges are done."""
    names, standing = list(word.symbols), list(range(len(word.symbols)))
    for merge in (it for it in model.merges if it.word == number):
        assert [names[node] for node in standing] == merge.before
        assert tuple(standing[merge.position : merge.position + 2]) == merge.parts
        standing[merge.position : merge.position + 2] = [len(names)]
        names.append(merge.result)
        assert [names[node] for node in standing] == merge.after
    return names, standing


@pytest.mark.parametrize("name", MADE)
def test_every_format_on_hard_text(name: str) -> None:
    for text in HARD:
        if len(text) < 2_000:
            check(made(name), text)
        elif name in LONG:
            assert made(name).explain(text).ids == made(name).encode(text)


@pytest.mark.parametrize("path", REAL, scope="module")
def test_real_vocabularies_on_hard_text(path: str) -> None:
    tok = kugiri.load(parity_file(path))
    for text in HARD:
        if len(text) < 300:
            check(tok, text)
        else:
            assert tok.explain(text).ids == tok.encode(text)


@given(name=st.sampled_from(sorted(MADE)), text=texts)
def test_every_format_on_random_text(name: str, text: str) -> None:
    check(made(name), text)


def test_what_is_too_long_has_ids_and_no_steps() -> None:
    explained = made(".kugiri.json").explain("a" * (LONGEST + 1))
    (word,) = explained.model.words
    assert not word.is_shown
    assert (word.symbols, word.tokens) == ([], [])
    assert explained.ids == made(".kugiri.json").encode("a" * (LONGEST + 1))


@pytest.mark.parametrize("name", ["vocab.txt", ".model, unigram", ".kugiri.json"])
def test_with_special_tokens(name: str) -> None:
    tok = made(name)
    text = "low<|endoftext|>"
    for options in ({"add_special_tokens": True}, {"allowed_special": "all"}):
        explained = tok.explain(text, **options)
        assert explained.ids == tok.encode(text, **options)
    for role in ("add_bos", "add_eos") if name.startswith(".model") else ():
        explained = tok.explain(text, **{role: True})
        assert explained.ids == tok.encode(text, **{role: True})
        assert len(explained.post_process.added) == 1
