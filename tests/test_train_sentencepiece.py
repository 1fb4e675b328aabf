"""Training as SentencePiece does: the same pieces, order, scores and types as sentencepiece 0.2.3.

The identity tests train both libraries on slices of Japanese and English; tools/parity.py does the
same with the whole texts.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import kugiri
from kugiri.formats import sentencepiece
from kugiri.reference.pipeline import ReferenceTokenizer
from tests.conftest import shared_text, slice_of
from tests.sentencepiece_models import oracle_sentencepiece
from tests.sentencepiece_trainings import (
    MATRIX,
    PLAIN,
    SIZES,
    Options,
    ours,
    random_training,
    rows,
    theirs,
    with_files,
)


@cache
def lines(name: str) -> tuple[str, ...]:
    return tuple(slice_of(shared_text(name), 0.1).split("\n"))


# ── identity ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("text", SIZES)
@pytest.mark.parametrize("name", MATRIX)
def test_bpe_is_theirs(name: str, text: str, tmp_path: Path) -> None:
    options = {"model_type": "bpe", "vocab_size": SIZES[text], **with_files(MATRIX[name], tmp_path)}
    assert rows(ours(lines(text), options).spec) == rows(
        sentencepiece.read(theirs(lines(text), options))
    )


@pytest.mark.parametrize("text", SIZES)
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("model", ["word", "char"])
def test_words_and_characters_are_theirs(model: str, name: str, text: str) -> None:
    options = {"model_type": model, "vocab_size": SIZES[text], "hard_vocab_limit": False}
    options |= PLAIN[name]
    assert rows(ours(lines(text), options).spec) == rows(
        sentencepiece.read(theirs(lines(text), options))
    )


@pytest.mark.parametrize("seed", range(60))
def test_any_options_give_theirs(seed: int) -> None:
    texts, options = random_training(seed, {name: lines(name) for name in SIZES})
    assert rows(ours(texts, options).spec) == rows(sentencepiece.read(theirs(texts, options)))


@pytest.mark.parametrize("name", ["identity", "llama2", "ids", "symbols", "bytes"])
def test_the_file_is_theirs_byte_by_byte(name: str) -> None:
    options = {"model_type": "bpe", "vocab_size": 700, **MATRIX[name]}
    options["normalization_rule_name"] = "identity"
    texts = lines("botchan.txt")
    assert sentencepiece.write(ours(texts, options).spec) == theirs(texts, options)


@pytest.mark.parametrize("name", ["as usual", "symbols", "bytes", "suffix", "llama2", "rules"])
def test_the_saved_model_gives_the_same_ids_there(name: str, tmp_path: Path) -> None:
    options = {"model_type": "bpe", "vocab_size": 700, **with_files(MATRIX[name], tmp_path)}
    tok = ours(lines("botchan.txt"), options)
    path = tmp_path / "ours.model"
    tok.save(path)
    processor = oracle_sentencepiece().SentencePieceProcessor(model_file=str(path))
    engine = ReferenceTokenizer(tok.spec)
    for text in [*lines("botchan.txt")[:40], *lines("neko.txt")[:10], "<sep>the  1234\u3000ﬁ"]:
        assert [token.id for token in engine.encode(text)] == processor.encode(text)
        assert engine.decode(processor.encode(text)) == processor.decode(processor.encode(text))


@pytest.mark.parametrize(
    ("texts", "options", "pieces"),
    [
        (["abracadabra"], {}, "ab ra abra ad cad abracad abracadabra ac br a b r c d"),
        (["pen", "pineapple", "apple"], {}, "ap le app apple en in ine pen p e a l n i"),
        (["hellohe"], {}, "he ll llo hello hellohe el lo oh hel ohe e h l o"),
        (
            ["pen", "pineapple", "apple"],
            {"user_defined_symbols": ["app"]},
            "app le en in ine pen pine ne pe e l n p i",
        ),
    ],
)
def test_small_results(texts: list[str], options: Options, pieces: str) -> None:
    """The expected results of sentencepiece's own tests of its trainer."""
    tok = kugiri.train(
        texts,
        model_type="bpe",
        vocab_size=3 + len(pieces.split()),
        normalization_rule_name="identity",
        add_dummy_prefix=False,
        **options,
    )
    assert " ".join(piece for piece, _, _ in rows(tok.spec)[3:]) == pieces
    learned = [score for _, score, type in rows(tok.spec) if type == 1]
    assert learned == [-float(place) for place in range(len(learned))]


def test_pieces_that_occur_nowhere_follow_when_the_vocabulary_has_room() -> None:
    options = {"model_type": "bpe", "vocab_size": 18, "normalization_rule_name": "identity"}
    texts = ("ab cd ab", "ab ef")
    pieces = [piece for piece, _, _ in rows(ours(texts, options).spec)]
    assert pieces == [piece for piece, _, _ in rows(sentencepiece.read(theirs(texts, options)))]
    assert pieces[3:10] == ["ab", "▁ab", "cd", "ef", "▁cd", "▁ef", "▁a"]
