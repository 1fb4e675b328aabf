"""A vocabulary looked at: lineages, kinds, the longest, and the phrases behind them."""

from __future__ import annotations

import base64
import math
import random
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.errors import VocabularyError
from kugiri.explain.phrases import BESIDE, Phrase, phrases
from kugiri.explain.seed import Seed
from kugiri.explain.training import explain_training
from kugiri.explain.training_structure import UnigramTraining
from kugiri.explain.vocabulary import KINDS, longest, pieces, reading
from kugiri.spec import PieceType
from model_files import BOS, UNK, model
from model_files import BPE as BPE_MODEL
from sample_lines import LINES
from test_reference_vectors import table
from tests.explained import LINES as SEED_LINES
from tests.explained import unigram
from tests.explained_examples import TOKYO


def as_text(part: bytes | str) -> str:
    return part if isinstance(part, str) else part.decode(errors="replace")


# ── lineage ───────────────────────────────────────────────────────────────────────────────────
def test_document_000() -> None:
    seed = table("seeds")["sennrich_word_bpe"]
    tok = kugiri.train(dict(seed["words"]), **seed["options"])
    born = {"".join(merge[:2]): (rank, *merge) for rank, merge in enumerate(seed["merges"])}
    for token, parts in {
        "newest_": ["es", "est", "est_", "ne", "new", "newest_"],
        "low_": ["lo", "low", "low_"],
        "wi": ["wi"],
        "e": [],
        "_": [],
    }.items():
        steps = [(step.rank, step.left, step.right, step.count) for step in tok.lineage(token)]
        assert steps == [born[part] for part in parts]


@pytest.mark.parametrize("options", [{}, {"special_tokens": ["<|end|>"]}, {"unit": "char"}])
def test_a_lineage_is_complete_and_in_order(options: dict[str, Any]) -> None:
    tok = kugiri.train(LINES, vocab_size=1400, **options)
    for merge in random.Random(0).sample(list(tok.merges), 60):
        steps = tok.lineage(merge.result)
        assert [step.rank for step in steps] == sorted({step.rank for step in steps})
        assert steps[-1][1:] == tuple(merge)
        made = {step.result for step in steps}
        for step in steps:
            assert tuple(tok.merges[step.rank]) == step[1:]
            assert all(part in made or len(part) == 1 for part in (step.left, step.right))


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_a_tiktoken_file_has_the_same_lineages(tmp_path: Path) -> None:
    trained = kugiri.train(LINES, vocab_size=700, pre_tokenizer="o200k")
    trained.save(tmp_path / "a.tiktoken")
    ranks = kugiri.load(tmp_path / "a.tiktoken", pattern="o200k")
    assert ranks.spec.model.merges is None  # type: ignore[union-attr]
    for merge in trained.merges:
        ours = [(step.rank + 256, *step[1:4]) for step in trained.lineage(merge.result)]
        theirs = [step[:4] for step in ranks.lineage(merge.result)]
        assert theirs == ours
    assert ranks.lineage("a") == []
    assert ranks.lineage(merge.result)[-1].count is None


def test_a_model_file_has_lineages_by_its_scores() -> None:
    rows = [
        ("て", -9),
        ("み", -9),
        ("た", -9),
        ("てみ", -1),
        ("みた", -3),
        ("てみた", -2),
        ("たたた", 0),
    ]
    normal = [(text.encode(), float(score), PieceType.NORMAL) for text, score in rows]
    tok = kugiri.load(model(UNK, BOS, *normal, trainer=BPE_MODEL), format="sentencepiece")
    assert tok.lineage("てみた") == [
        (5, "て", "み", "てみ", None, None),
        (7, "てみ", "た", "てみた", None, None),
    ]
    assert tok.lineage("て") == []
    with pytest.raises(VocabularyError, match="'たたた' has no lineage: no merges lead to it"):
        tok.lineage("たたた")
    assert [piece.kind for piece in pieces(tok)[:3]] == [
        "unknown token", "special token", "character",
    ]  # fmt: skip
    assert [(each.piece.token, each.alone) for each in longest(tok, pieces(tok), 2)] == [
        ("てみた", None), ("たたた", None),
    ]  # fmt: skip


def test_no_lineage(tmp_path: Path) -> None:
    tok = kugiri.train(["猫は魚"] * 2, vocab_size=260, special_tokens=["<|end|>"])
    with pytest.raises(
        VocabularyError, match=r"'<\|end\|>' has no lineage: it was added whole, not learned"
    ):
        tok.lineage("<|end|>")
    with pytest.raises(VocabularyError, match="no token '犬' in this vocabulary"):
        tok.lineage("犬")
    with pytest.raises(VocabularyError, match="'猫' has no lineage: CharLevel does not keep how"):
        kugiri.train(["猫"], model="char").lineage("猫")
    lines = [*(bytes([byte]) for byte in range(256)), b"abc"]
    text = b"".join(base64.b64encode(b) + f" {i}\n".encode() for i, b in enumerate(lines))
    (tmp_path / "a.tiktoken").write_bytes(text)
    unreachable = kugiri.load(tmp_path / "a.tiktoken", pattern="o200k")
    with pytest.raises(VocabularyError, match="'abc' has no lineage: no merges lead to it"):
        unreachable.lineage("abc")


# ── seeds ─────────────────────────────────────────────────────────────────────────────────────
def test_a_piece_of_unigram_was_a_seed() -> None:
    tok = unigram(TOKYO)
    score = math.log
    assert tok.lineage("東京都") == Seed(
        "東京都", 4, score(0.03), None, ("東京", "都"), pytest.approx(score(0.03 / 0.05 / 0.03))
    )
    assert tok.lineage("都に") == Seed(
        "都に", 10, score(0.01), None, ("都", "に"), pytest.approx(score(0.01 / 0.03 / 0.08))
    )
    assert tok.lineage("東") == Seed("東", 6, score(0.02), None, (), None)
    assert tok.lineage("住む").instead == ("住", "む")
    with pytest.raises(VocabularyError, match="'<unk>' has no lineage: it was given whole"):
        tok.lineage("<unk>")


def test_others_that_spell_a_piece_may_win() -> None:
    seed = unigram({"a": 0.5, "aa": 0.1}).lineage("aa")
    assert (seed.instead, seed.margin) == (("a", "a"), pytest.approx(math.log(0.1 / 0.25)))


def test_what_is_given_is_no_seed(tmp_path: Path) -> None:
    tok = kugiri.train(
        SEED_LINES, model="unigram", vocab_size=345, byte_fallback=True,
        user_defined_symbols=["猫"], control_symbols=["<cls>"], hard_vocab_limit=False,
    )  # fmt: skip
    for given in ("<0xE7>", "猫", "<cls>", "<unk>"):
        with pytest.raises(VocabularyError, match=r"no lineage: it was (given|added) whole"):
            tok.lineage(given)
    for name in ("a.model", "a.kugiri.json"):
        tok.save(tmp_path / name)
        loaded = kugiri.load(tmp_path / name).lineage("▁")
        kept = None if name == "a.model" else tok.lineage("▁").expected
        assert loaded == tok.lineage("▁")._replace(expected=kept)


def test_the_score_holds_the_count() -> None:
    """As the readable trainer counts them; what is rarer than once is not told apart."""
    asked = {"model": "unigram", "vocab_size": 90, "hard_vocab_limit": False}
    tok, shown = kugiri.train(SEED_LINES, **asked), explain_training(SEED_LINES, **asked)
    assert isinstance(shown.model, UnigramTraining)
    assert sum(piece.expected > 2 for piece in shown.model.pieces) > 20
    for piece in shown.model.pieces:
        seed = tok.lineage(piece.piece)
        assert seed.score == piece.score
        assert seed.expected == pytest.approx(max(piece.expected, 0.5), rel=0.01, abs=0.2)


# ── kinds ─────────────────────────────────────────────────────────────────────────────────────
def test_kinds() -> None:
    tok = kugiri.train(["猫は魚 "] * 2, vocab_size=264, special_tokens=["<|end|>"],
                       pre_tokenizer="none")  # fmt: skip
    by_kind: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for piece in pieces(tok):
        by_kind[piece.kind].append(piece.token)
    assert {kind: len(tokens) for kind, tokens in by_kind.items()} == {
        "special token": 1, "added token": 0, "unknown token": 0, "byte": 256,
        "part of characters": 4, "character": 2, "longer": 1,
    }  # fmt: skip
    assert by_kind["special token"] == ["<|end|>"]
    assert [piece.id for piece in pieces(tok)] == list(range(264))


def test_a_vocabulary_in_visible_bytes_is_read_as_text(tmp_path: Path) -> None:
    trained = kugiri.train(LINES, vocab_size=900, preset="gpt2", special_tokens=["<|end|>"])
    trained.save(tmp_path / "tokenizer.json")
    loaded = kugiri.load(tmp_path / "tokenizer.json")
    ours, theirs = pieces(trained), pieces(loaded)
    assert [(p.id, p.token, p.kind) for p in theirs] == [(p.id, p.token, p.kind) for p in ours]
    assert {p.kind for p in ours} == set(KINDS) - {"added token", "unknown token"}
    assert theirs[-1].rank == ours[-1].rank
    assert theirs[-1].count is None
    name = loaded.tokens("です")[0]
    assert [reading(loaded, name), reading(trained, trained.tokens("です")[0])] == [
        "です".encode(), "です",
    ]  # fmt: skip


def test_baselines_have_kinds_too() -> None:
    found = pieces(kugiri.train(["猫 は魚"], model="word"))
    assert [(piece.token, piece.kind) for piece in found] == [
        ("は魚", "longer"), ("猫", "character"), ("<unk>", "special token"),
    ]  # fmt: skip


# ── the longest ───────────────────────────────────────────────────────────────────────────────
def test_longest() -> None:
    words = {"確かめた範囲だけ": 9, "範囲だけ": 1, "確かめる": 3}
    tok = kugiri.train(words, unit="char", pre_tokenizer="none", vocab_size=17, min_frequency=3)
    found = longest(tok, pieces(tok), 9)
    assert [(each.piece.token, each.characters) for each in found] == [
        ("確かめた範囲だけ", 8), ("確かめる", 4),
    ]  # fmt: skip
    assert found[0].piece.count == 9
    # 確か and 確かめ are of use for 確かめる too; nothing else is.
    shared = {"確か", "確かめ", "かめ"} & {str(merge.result) for merge in tok.merges}
    assert found[0].alone == len(tok.merges) - len(shared) - 1
    assert found[1].alone == 1
    assert longest(tok, pieces(tok), 0) == []


def test_longest_are_no_part_of_one_another() -> None:
    tok = kugiri.train(LINES, vocab_size=2000)
    found = longest(tok, pieces(tok), 30)
    assert len(found) == 30
    lengths = [each.characters for each in found]
    assert lengths == sorted(lengths, reverse=True)
    texts = [each.piece.token for each in found]
    assert not [(a, b) for a in texts for b in texts if a != b and a in b]


# ── phrases ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("token", "documents", "phrase"),
    [
        pytest.param("b", ["abc", "abc", "xbz"], Phrase("abc", 2, 3, 3), id="half share it"),
        pytest.param("b", ["abc", "xbz", "ybw"], Phrase("b", 3, 3, 3), id="nobody shares"),
        pytest.param("b", ["abcabc"], Phrase("abc", 2, 2, 1), id="twice in one document"),
        pytest.param("b", ["b", "b"], Phrase("b", 2, 2, 2), id="to the ends of documents"),
        pytest.param("b", ["abc"], Phrase("b", 1, 1, 1), id="once is no phrase"),
        pytest.param("b", ["x"], Phrase("b", 0, 0, 0), id="nowhere"),
        pytest.param("aa", ["aaaa"], Phrase("aa", 2, 2, 1), id="occurrences do not overlap"),
        pytest.param("b", ["z" * 200 + "b"] * 2, Phrase("z" * BESIDE + "b", 2, 2, 2), id="long"),
        pytest.param("囲", ["範囲だけを", "範囲だけで", "範囲と", "周囲だ"],
                     Phrase("範囲だけ", 2, 4, 4), id="half of all, not of those that are left"),
    ],
)  # fmt: skip
def test_phrases(token: str, documents: list[str], phrase: Phrase) -> None:
    assert phrases([token], documents) == [phrase]
    assert phrases([token, token], iter(documents)) == [phrase, phrase]


def test_a_mark_is_one_sign() -> None:
    tok = kugiri.train({"low": 5, "lowest": 2}, unit="char", end_of_word="</w>", num_merges=7)
    kinds = {piece.token: piece.kind for piece in pieces(tok)}
    assert kinds["</w>"] == "character"
    assert [(each.piece.token, each.characters) for each in longest(tok, pieces(tok), 2)] == [
        ("lowest</w>", 7), ("low</w>", 4),
    ]  # fmt: skip
