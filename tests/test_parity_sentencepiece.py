"""The readable engine and the format against sentencepiece 0.2.3: all equal, nothing excused."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest

from kugiri.formats import sentencepiece
from kugiri.formats.protobuf import read_fields
from kugiri.reference.charsmap import Charsmap
from kugiri.reference.hypotheses import Hypotheses
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import sentencepiece_spans
from kugiri.spec import BPE, PieceType, SentencePieceNormalizer, Unigram
from kugiri.tables import Column
from kugiri.tokenizing.stream import PieceStreamDecoder
from piece_rows import decoding, described, normalizer_of
from tests.conftest import shared_text
from tests.sentencepiece_models import (
    ALL,
    compare,
    core_of,
    model_file,
    oracle_sentencepiece,
    pair,
    random_text,
    texts,
    theirs_of,
)
from vector_rows import rows


@pytest.mark.parametrize("name", ALL)
def test_same_as_sentencepiece(name: str) -> None:
    for text in texts(name, 400):
        compare(*pair(name), text)


@pytest.mark.parametrize("name", ALL)
def test_any_ids_are_decoded_alike(name: str) -> None:
    ours, theirs = pair(name)
    source = random.Random(name)
    size = theirs.vocab_size()
    for _ in range(400):
        # The first ids are control pieces and bytes, which matter most.
        highest = source.choice([size, min(size, 300), 12])
        ids = [source.randrange(highest) for _ in range(source.randrange(12))]
        expected = theirs.decode(ids)
        assert ours.decode(ids) == core_of(ours).decode(ids) == expected, ids
        stream = PieceStreamDecoder(ours.vocabulary.piece, ours.spec)
        assert "".join([*map(stream.feed, ids), stream.finish()]) == expected, ids


@pytest.mark.parametrize("name", ALL)
def test_written_as_it_was(name: str) -> None:
    data = model_file(name)
    assert sentencepiece.write(sentencepiece.read(data)) == data


@pytest.mark.parametrize("name", ["unigram rules", "botchan_en_bpe_1000"])
def test_a_charsmap_is_read_whole(name: str) -> None:
    normalizer = pair(name)[0].spec.normalizer
    assert isinstance(normalizer, SentencePieceNormalizer)
    theirs = oracle_sentencepiece().SentencePieceNormalizer(model_proto=model_file(name))
    assert Charsmap(normalizer.charsmap).rules() == dict(theirs.decompile())


# ── the rows of the vectors ───────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("row", rows("pieces", "case"))
def test_rows_of_pieces(row: dict[str, Any]) -> None:
    if row.get("float64"):
        pytest.skip("a .model has scores of 32 bits")
    theirs = theirs_of(sentencepiece.write(described(row)))
    expected = theirs.encode(row["text"], return_type="offset_mapping")
    assert (row["ids"], row["tokens"]) == (expected["ids"], expected["pieces"])
    assert (
        sentencepiece_spans(ReferenceTokenizer(described(row)), row["text"]) == expected["offsets"]
    )


@pytest.mark.parametrize("row", rows("normalize", "case"))
def test_rows_of_normalize(row: dict[str, Any]) -> None:
    """Their offsets are the byte where each byte of the normalized text comes from."""
    symbols = [[symbol, 0.0, "USER_DEFINED"] for symbol in row.get("user_defined", [])]
    base = described({"model": "char", "pieces": [["a", 0.0], *symbols]})
    model = msgspec.structs.replace(base, normalizer=normalizer_of(row))
    theirs = theirs_of(sentencepiece.write(model))
    text, offsets = theirs.normalize(row["text"].encode(), with_offsets=True)
    assert text.decode() == row["normalized"]
    ours = [
        start
        for character, (start, _) in zip(row["normalized"], row["spans"], strict=True)
        for _ in character.encode()
    ]
    assert offsets == ([*ours, row["end"]] if row["normalized"] else [])


@pytest.mark.parametrize("row", rows("decode", "pieces"))
def test_rows_of_decode(row: dict[str, Any]) -> None:
    theirs = theirs_of(sentencepiece.write(decoding(row)))
    assert theirs.decode(row["ids"]) == row["text"]


# ── what is rare ──────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["bpe", "bpe bytes", "unigram japanese", "word", "char symbols"])
def test_pieces_that_are_unused(name: str) -> None:
    """A third of the pieces are set to unused; BPE takes them apart again."""
    spec = sentencepiece.read(model_file(name))
    types: Column = spec.model.piece_types  # type: ignore[union-attr, assignment]
    chosen = np.random.default_rng(0).random(len(types)) < 0.33
    unused = np.where(chosen & (types.values == PieceType.NORMAL), PieceType.UNUSED, types.values)
    model = msgspec.structs.replace(spec.model, piece_types=Column(unused, np.uint8))
    changed = msgspec.structs.replace(spec, model=model)
    ours, theirs = ReferenceTokenizer(changed), theirs_of(sentencepiece.write(changed))
    for text in texts(name, 300):
        compare(ours, theirs, text)


def test_scores_that_tie() -> None:
    """Few different scores: nearly every choice is decided by the tie rule."""
    for name in ("bpe", "unigram"):
        spec = sentencepiece.read(model_file(name))
        model = spec.model
        assert isinstance(model, BPE | Unigram)
        assert model.scores is not None
        coarse = (
            np.round(model.scores.values / 3) * 3
            if name == "unigram"
            else -model.scores.values // 50
        )
        changed = msgspec.structs.replace(
            spec, model=msgspec.structs.replace(model, scores=Column(coarse, np.float32))
        )
        ours, theirs = ReferenceTokenizer(changed), theirs_of(sentencepiece.write(changed))
        for text in texts(name, 300):
            compare(ours, theirs, text)


def test_a_null_character_as_a_piece() -> None:
    """Newer versions run it as unused; our own writing of it loads there too."""
    spec = described({"model": "bpe", "bytes": True, "pieces": [["a", -1.0], ["\0", -2.0]]})
    data = sentencepiece.write(spec)
    ours, theirs = ReferenceTokenizer(sentencepiece.read(data)), theirs_of(data)
    for text in ("\0", "a\0a", "\0\0"):
        compare(ours, theirs, text)


def test_a_very_long_text() -> None:
    """Sums far beyond what 32 bits can tell apart, without a break."""
    ours, theirs = pair("kyoto_ja_unigram_8000")
    novel = shared_text("neko.txt").replace("\n", "")
    text = "".join(novel[i : i + 40] + "🐈" * 20 for i in range(0, 12_000, 40))
    assert sum(way.log_prob for way in Hypotheses(ours, text).best(1)) < -150_000
    assert [token.id for token in ours.encode(text)] == theirs.encode(text)


def test_symbols_that_are_nested_very_deep() -> None:
    """Of symbols that each begin with the one before, 64 are looked at."""
    symbols = [["x" * length, 0.0, "USER_DEFINED"] for length in range(1, 101)]
    spec = described({"model": "bpe", "pieces": [["a", -1.0], *symbols]})
    ours, theirs = ReferenceTokenizer(spec), theirs_of(sentencepiece.write(spec))
    for text in ("x" * 30, "x" * 64, "x" * 65, "x" * 300, "a" + "x" * 99 + "a"):
        compare(ours, theirs, text)


def nbest(theirs: Any, text: str, count: int) -> list[tuple[list[int], float]]:
    """Their best ways: ids and score, as a protocol buffer has them."""
    data = theirs.nbest_encode(text, nbest_size=count, return_type="serialized_proto")
    ways = []
    for way in read_fields(data):
        parts = list(read_fields(way.as_bytes()))
        pieces = [list(read_fields(part.as_bytes())) for part in parts if part.number == 2]
        ids = [part.as_int() for piece in pieces for part in piece if part.number == 2]
        ways.append((ids, next(part.as_float() for part in parts if part.number == 3)))
    return ways


@pytest.mark.parametrize("name", ["unigram", "unigram japanese", "kyoto_ja_unigram_8000"])
def test_the_best_ways(name: str) -> None:
    """The same sums; where they differ enough to say which goes first, the same ways."""
    ours, theirs = pair(name)
    source = random.Random(name)
    for _ in range(60):
        text = random_text(source)
        ways = Hypotheses(ours, text).best(8)
        assert [way.ids for way in core_of(ours).nbest(text, 8)] == [way.ids for way in ways]
        scores = [way.log_prob for way in ways]
        expected = nbest(theirs, text, 8)
        assert scores == pytest.approx([score for _, score in expected], rel=1e-5, abs=1e-5)
        for i, (ids, _) in enumerate(expected):
            near = [way.ids for way in ways if abs(way.log_prob - scores[i]) < 1e-3]
            is_last_tie = abs(scores[i] - scores[-1]) < 1e-3
            assert is_last_tie or ids in near, text
