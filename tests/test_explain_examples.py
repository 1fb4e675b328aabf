"""The fixed examples: what seeds.json says of them, and every field as it was reviewed.

`KUGIRI_SNAPSHOTS=write` writes the snapshots anew; what then differs is to be read before it is
committed.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest

from kugiri.explain.step_structure import BPESteps, UnigramSteps
from kugiri.explain.training_structure import BPETraining, UnigramTraining
from tests.explained_examples import EXAMPLES, TRAININGS
from tests.test_explain_ids import check

SNAPSHOTS = Path(__file__).parent / "snapshots"


def as_data(name: str) -> Any:
    made = TRAININGS[name]() if name in TRAININGS else EXAMPLES[name].explained()
    return json.loads(made.to_json())


def spelled(value: Any, indent: str = "") -> str:
    """JSON for people: what fits into a line is one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 100 or not isinstance(value, dict | list):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        rows = [f"{inner}{json.dumps(key)}: {spelled(its, inner)}" for key, its in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + spelled(its, inner) for its in value) + f"\n{indent}]"


def same(made: Any, kept: Any) -> bool:
    """Whether two are the same, but for the last digits of a float."""
    if isinstance(made, float) or isinstance(kept, float):
        return math.isclose(made, kept, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(made, dict):
        return made.keys() == kept.keys() and all(same(made[key], kept[key]) for key in made)
    if isinstance(made, list):
        return len(made) == len(kept) and all(map(same, made, kept))
    return bool(made == kept)


@pytest.mark.parametrize("name", [*EXAMPLES, *TRAININGS])
def test_every_field_is_as_it_was_reviewed(name: str) -> None:
    made = as_data(name)
    path = SNAPSHOTS / f"{name}.json"
    if os.environ.get("KUGIRI_SNAPSHOTS") == "write":
        path.write_text(spelled(made) + "\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert same(made, kept), f"{path.name} differs; look at it with KUGIRI_SNAPSHOTS=write"


def test_there_is_no_other_snapshot() -> None:
    assert {path.stem for path in SNAPSHOTS.iterdir()} == {*EXAMPLES, *TRAININGS}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_steps_lead_to_the_ids(name: str) -> None:
    example = EXAMPLES[name]
    if not example.options:
        check(example.tokenizer(), example.text)


def test_tokyo_has_its_twelve_paths() -> None:
    model = EXAMPLES["tokyo"].explained().model
    assert isinstance(model, UnigramSteps)
    assert (model.paths, len(model.nbest)) == (12, 12)
    assert [(way.pieces, way.log_prob, way.posterior) for way in model.nbest[:4]] == [
        (["東京都", "に", "住む"], pytest.approx(-9.251162366496438), pytest.approx(0.76530378)),
        (["東京", "都に", "住む"], pytest.approx(-10.819778284410283), pytest.approx(0.15943829)),
        (["東京", "都", "に", "住む"], pytest.approx(-12.24689464), pytest.approx(0.03826519)),
        (["東", "京都", "に", "住む"], pytest.approx(-12.65235975), pytest.approx(0.02551013)),
    ]
    assert sum(way.posterior for way in model.nbest) == pytest.approx(1)
    assert model.nbest[1].margin == pytest.approx(10.819778284410283 - 9.251162366496438)
    shares = {node.piece: node.probability for node in model.lattice}
    having = [way.posterior for way in model.nbest if "東京" in way.pieces]
    assert shares["東京"] == pytest.approx(sum(having))


def test_lowest_is_low_and_est() -> None:
    explained = EXAMPLES["lowest"].explained()
    assert explained.tokens == ["low", "est_", "new", "e", "r", "_"]
    model = explained.model
    assert isinstance(model, BPESteps)
    assert [(it.rank, it.left, it.right) for it in model.merges if it.word == 0] == [
        (0, "e", "s"), (1, "es", "t"), (2, "est", "_"), (3, "l", "o"), (4, "lo", "w"),
    ]  # fmt: skip


def test_shikumi_is_cut_by_the_scripts() -> None:
    explained = EXAMPLES["shikumi"].explained()
    assert [word for word, _ in explained.pre_tokens] == ["仕組", "み"]
    (boundary,) = explained.boundaries
    assert boundary.span == (2, 2)
    assert boundary.step == "Split japanese-scripts"
    assert boundary.rule == "after kanji, before hiragana"


def test_a_sentence_with_words_never_seen() -> None:
    assert EXAMPLES["sentence"].explained().tokens == [
        "猫が", "駅", "で", "本を読み", "ま", "し", "た", "。",
    ]  # fmt: skip


def test_what_looks_like_a_special_token() -> None:
    found, left = EXAMPLES["special"].explained(), EXAMPLES["look-alike"].explained()
    assert found.special_tokens == left.left_as_text == [("<|endoftext|>", (3, 16))]
    assert found.left_as_text == left.special_tokens == []
    assert found.tokens[1] == "<|endoftext|>"


def test_fallback_to_bytes() -> None:
    explained = EXAMPLES["fallback"].explained()
    (fallback,) = explained.fallbacks
    assert (fallback.text, fallback.span, fallback.became) == ("🎉", (6, 7), "bytes")
    assert explained.tokens[-4:] == ["<0xF0>", "<0x9F>", "<0x8E>", "<0x89>"]
    assert explained.decoded.is_exact


def test_word_pieces_that_were_tried() -> None:
    explained = EXAMPLES["word_piece"].explained()
    assert explained.tokens[:4] == ["[CLS]", "un", "##aff", "##able"]
    assert explained.post_process.template == ["[CLS]", "$A", "[SEP]"]
    assert explained.post_process.added == [0, len(explained.ids) - 1]
    assert [it.text for it in explained.fallbacks] == ["x"]


def test_training_as_document_000_has_it() -> None:
    model = TRAININGS["training-sennrich"]().model
    assert isinstance(model, BPETraining)
    assert [(it.left, it.right, it.count) for it in model.steps] == [
        ("e", "s", 9), ("es", "t", 9), ("est", "_", 9), ("l", "o", 7), ("lo", "w", 7),
        ("n", "e", 6), ("ne", "w", 6), ("new", "est_", 6), ("low", "_", 5), ("w", "i", 3),
    ]  # fmt: skip
    assert [" ".join(word.symbols) for word in model.steps[-1].words] == [
        "low_", "low e r _", "newest_", "wi d est_",
    ]  # fmt: skip
    first = model.steps[0]
    assert (first.ties, [it.count for it in first.rivals]) == (2, [9, 9, 8, 7])


def test_every_piece_that_goes_has_its_reason() -> None:
    model = TRAININGS["training-hugs"]().model
    assert isinstance(model, UnigramTraining)
    pieces = model.seeds
    for each in model.rounds:
        pieces += len(each.returned) - len(each.pruned) - len(each.unexpected)
        assert pieces == each.pieces
        assert all(it.why and "".join(it.instead) in (it.piece, "") for it in each.pruned)
    assert len(model.pieces) == pieces
