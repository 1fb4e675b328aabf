"""What users hold: Tokenizer, Batch, WordCounts, and files of them."""

from __future__ import annotations

import copy
import gzip
import itertools
import pickle
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest

import kugiri
from kugiri.formats.native import write
from kugiri.spec import (
    ByteLevelProcessing,
    PostProcessors,
    SequencePiece,
    SpecialPiece,
    TemplateProcessing,
    TemplateToken,
)

SAMPLE = Path(kugiri.__file__).parent / "sample"
JAPANESE = (SAMPLE / "japanese.txt").read_text(encoding="utf-8").splitlines()
CHAT = (SAMPLE / "chat.txt").read_text(encoding="utf-8").splitlines()
MARKS = ["<|im_start|>", "<|im_end|>"]
TEXT = "図書館で猫を見た。<|im_end|>\n"


@cache
def byte_bpe() -> kugiri.Tokenizer:
    return kugiri.train(JAPANESE, vocab_size=600, special_tokens=MARKS)


@cache
def character_bpe() -> kugiri.Tokenizer:
    return kugiri.train(JAPANESE, unit="char", vocab_size=900, special_tokens=["<unk>", *MARKS])


MADE = {
    "byte BPE": byte_bpe,
    "character BPE": character_bpe,
    "end-of-word": cache(lambda: kugiri.train(SAMPLE, preset="sennrich", num_merges=50)),
    "gpt2": cache(lambda: kugiri.train(SAMPLE, preset="gpt2", vocab_size=400)),
    "words": cache(lambda: kugiri.train(JAPANESE, model="word")),
    "characters": cache(lambda: kugiri.train(JAPANESE, model="char")),
}
made = pytest.mark.parametrize("name", MADE)


# ── a Python object ───────────────────────────────────────────────────────────────────────────
@made
def test_equal_hashable_picklable(name: str) -> None:
    tok, other = MADE[name](), kugiri.train(JAPANESE, vocab_size=300)
    tok.encode(JAPANESE[0])  # with an engine and without one is the same
    same = kugiri.load(write(tok.spec))
    twins = [same, copy.copy(tok), copy.deepcopy(tok), pickle.loads(pickle.dumps(tok))]
    for twin in twins:
        assert twin == tok
        assert hash(twin) == hash(tok)
        assert twin.encode(JAPANESE[0]) == tok.encode(JAPANESE[0])
        assert twin.spec.training == tok.spec.training
    assert {tok, *twins, other} == {tok, other}
    assert tok not in (other, "a tokenizer")
    assert repr(tok).startswith(f"Tokenizer({type(tok.spec.model).__name__}, {tok.vocab_size:,} ")


def test_nothing_in_it_changes() -> None:
    tok = byte_bpe()
    with pytest.raises(AttributeError, match="never changes"):
        tok.spec = tok.spec  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        tok.spec.model.merges.left[0] = 1
    tok.special_tokens.clear()
    tok.training.clear()
    assert (list(tok.special_tokens), "corpus_digest" in tok.training) == (MARKS, True)


# ── the vocabulary ────────────────────────────────────────────────────────────────────────────
@made
def test_names_of_ids(name: str) -> None:
    tok = MADE[name]()
    ids = list(tok.vocab.values())
    assert sorted(ids) == list(range(tok.vocab_size))
    assert {token: tok.token_id(token) for token in tok.vocab} == dict(tok.vocab)
    assert {token: tok.token_id(token) for token in tok.special_tokens} == tok.special_tokens
    if name != "end-of-word":  # there an id stands for its string with a space for the mark
        assert [tok.token_id(tok.token_bytes(id)) for id in ids] == ids


def test_special_tokens_come_last_or_first() -> None:
    assert byte_bpe().special_tokens == {"<|im_start|>": 598, "<|im_end|>": 599}
    like_tokenizers = kugiri.train(JAPANESE, preset="gpt2", vocab_size=400, special_tokens=MARKS)
    assert like_tokenizers.special_tokens == {"<|im_start|>": 0, "<|im_end|>": 1}
    assert like_tokenizers.decode(like_tokenizers.encode(TEXT)) == TEXT


def test_a_special_token_in_a_text_is_text() -> None:
    tok = byte_bpe()
    end = tok.special_tokens["<|im_end|>"]
    assert end not in tok.encode(TEXT)
    assert tok.encode(TEXT, allowed_special={"<|im_start|>"}) == tok.encode(TEXT)
    for allowed in ("all", {"<|im_end|>"}, ["<|im_end|>"]):
        assert tok.encode(TEXT, allowed_special=allowed).count(end) == 1
    ids = tok.encode(TEXT, allowed_special="all")
    assert tok.decode(ids) == TEXT
    assert tok.decode(ids, skip_special_tokens=True) == TEXT.replace("<|im_end|>", "")


def test_merges() -> None:
    for tok in (byte_bpe(), character_bpe()):
        merges = tok.merges
        first = merges[0]
        assert len(merges) == tok.vocab_size - tok.training["alphabet"] - len(tok.special_tokens)
        assert first == merges[:1][0] == next(iter(merges)) == merges[-len(merges)]
        assert all(merge.left + merge.right == merge.result for merge in merges)
        counts = [merge.count for merge in merges]
        assert counts == sorted(counts, reverse=True)
        assert all(0 < merge.applied <= merge.count for merge in merges)
    assert byte_bpe().merges[0][:3] == (b"\xe3", b"\x81", b"\xe3\x81")
    assert character_bpe().merges[0][:3] == ("ま", "す", "ます")
    assert len(MADE["words"]().merges) == 0


def test_tokens_against_vocabulary_in_one_run() -> None:
    """How many tokens the corpus has after each merge, against training each size on its own."""
    tok = byte_bpe()
    saved = itertools.accumulate((merge.applied for merge in tok.merges), initial=0)
    curve = [tok.training["initial_tokens"] - tokens for tokens in saved]
    assert curve[0] == sum(len(line.encode()) for line in JAPANESE)
    for merges in (0, 1, 100, 342):
        alone = kugiri.train(JAPANESE, num_merges=merges)
        assert alone.count_batch(JAPANESE).sum() == curve[merges]
    assert curve[-1] == curve[342] == tok.count_batch(JAPANESE).sum()


def test_the_record_of_a_training() -> None:
    record = byte_bpe().training
    assert record["kugiri"] == kugiri.__version__
    assert record["corpus_digest"] == kugiri.count_words(JAPANESE).digest()
    assert record["options"]["vocab_size"] == 600
    assert (record["warnings"], record["model"], record["preset"]) == ([], "bpe", None)
    assert record["seconds"] > 0
    assert kugiri.load(write(byte_bpe().spec)).training == {**record, "seconds": 0.0}


# ── files ─────────────────────────────────────────────────────────────────────────────────────
@made
def test_the_native_file_is_the_tokenizer(name: str, tmp_path: Path) -> None:
    tok = MADE[name]()
    tok.save(tmp_path / "t.kugiri.json")
    loaded = kugiri.load(tmp_path / "t.kugiri.json")
    assert loaded == tok
    assert loaded.encode_batch(JAPANESE).to_lists() == tok.encode_batch(JAPANESE).to_lists()


@pytest.mark.parametrize("name", ["byte BPE", "gpt2", "character BPE"])
def test_tokenizer_json_gives_the_same_ids(name: str, tmp_path: Path) -> None:
    tok = MADE[name]()
    tok.save(tmp_path / "tokenizer.json")
    loaded = kugiri.load(tmp_path / "tokenizer.json")
    for allowed in (frozenset(), "all"):
        for text in JAPANESE if name == "character BPE" else [*JAPANESE, *CHAT, TEXT]:
            ids = tok.encode(text, allowed_special=allowed)
            assert loaded.encode(text, allowed_special=allowed) == ids
            assert loaded.decode(ids) == tok.decode(ids)
    loaded.save(tmp_path / "again.tokenizer.json")
    assert kugiri.load(tmp_path / "again.tokenizer.json") == loaded


def test_tiktoken_gives_the_same_ids(tmp_path: Path) -> None:
    tok = byte_bpe()
    with pytest.warns(kugiri.KugiriWarning, match="does not keep the pattern"):
        tok.save(tmp_path / "t.tiktoken")
    loaded = kugiri.load(
        tmp_path / "t.tiktoken", pattern="o200k", special_tokens=tok.special_tokens
    )
    for text in [*JAPANESE, *CHAT, TEXT]:
        assert loaded.encode(text) == tok.encode(text)
        assert loaded.tokens(text, allowed_special="all") == tok.tokens(text, allowed_special="all")


def test_encode_files(tmp_path: Path) -> None:
    tok = byte_bpe()
    whole = "\n".join(JAPANESE)
    (tmp_path / "a.txt").write_text(whole, encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    paths = [tmp_path / "b.txt.gz", str(tmp_path / "a.txt")]
    expected = [tok.encode(text, allowed_special="all") for text in (TEXT, whole)]
    assert tok.encode_files(paths, allowed_special="all").to_lists() == expected
    assert tok.encode_files(tmp_path / "a.txt").to_lists() == expected[1:]
    assert tok.encode_files(tmp_path).to_lists() == [tok.encode(whole), tok.encode(TEXT)]


def test_counts_on_disk(tmp_path: Path) -> None:
    counts = kugiri.count_words(SAMPLE)
    counts.save(tmp_path / "counts.npz")
    loaded = kugiri.WordCounts.load(tmp_path / "counts.npz")
    assert loaded.items() == counts.items()
    assert (loaded.pre_tokenizer, loaded.digest()) == (counts.pre_tokenizer, counts.digest())
    of_counts, of_text = (kugiri.train(corpus, vocab_size=700) for corpus in (loaded, SAMPLE))
    assert of_counts.spec.model == of_text.spec.model
    assert of_counts.spec.pre_tokenizer == of_text.spec.pre_tokenizer
    assert of_counts.training["corpus_digest"] == of_text.training["corpus_digest"]


def test_a_mapping_is_words_that_are_counted() -> None:
    counted = kugiri.train({"low low": 2, "lower": np.int64(1)}, vocab_size=260)
    assert [(merge.result, merge.count) for merge in counted.merges[:2]] == [
        (b"lo", 5),
        (b"low", 5),
    ]
    assert counted.merges[-1].result == b"low low"
    assert [word for word, _ in counted.pre_tokenize("low low")] == ["low low"]


# ── special tokens around a text ──────────────────────────────────────────────────────────────
@pytest.mark.parametrize("nested", [False, True])
def test_a_template(nested: bool) -> None:
    bos, end = (byte_bpe().special_tokens[mark] for mark in MARKS)
    template = TemplateProcessing(
        single=(SpecialPiece("<|im_start|>"), SequencePiece("A"), SpecialPiece("<|im_end|>")),
        special_tokens={
            "<|im_start|>": TemplateToken("<|im_start|>", (bos,), ("<|im_start|>",)),
            "<|im_end|>": TemplateToken("<|im_end|>", (end,), ("<|im_end|>",)),
        },
    )
    whole = (
        PostProcessors((ByteLevelProcessing(trim_offsets=False), template)) if nested else template
    )
    tok = kugiri.Tokenizer(msgspec.structs.replace(byte_bpe().spec, post_processor=whole))
    ids = [bos, *tok.encode(TEXT), end]
    assert tok.encode(TEXT) == byte_bpe().encode(TEXT)
    assert tok.encode(TEXT, add_special_tokens=True) == ids
    assert tok.encode_array(TEXT, add_special_tokens=True).tolist() == ids
    assert tok.count(TEXT, add_special_tokens=True) == len(ids)
    assert tok.encode_batch([TEXT, ""], add_special_tokens=True).to_lists() == [ids, [bos, end]]
    encoding = tok.encode_with_offsets(TEXT, add_special_tokens=True)
    assert encoding.ids.tolist() == ids
    assert encoding.tokens == tok.tokens(TEXT, add_special_tokens=True)
    assert encoding.special == [True, *[False] * (len(ids) - 2), True]
    assert {encoding.covering_spans[0], encoding.byte_spans[-1]} == {(0, 0)}
    plain = tok.encode_with_offsets(TEXT)
    assert encoding.byte_spans[1:-1] == plain.byte_spans
    assert encoding.covering_spans[1:-1] == plain.covering_spans
    assert tok.decode(ids, skip_special_tokens=True) == TEXT
