"""What options of a training do, as the metrics show it: coverage, byte fallback, marks, rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri import Tokenizer
from kugiri.measure.example import observed
from kugiri.measure.metrics import BY_NAME

SAMPLE = Path(kugiri.__file__).parent / "sample"
pytestmark = pytest.mark.filterwarnings("ignore:character_coverage")

USUAL = {"vocab_size": 1200, "character_coverage": 0.98}


@cache
def lines(name: str) -> list[str]:
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@cache
def trained(**options: Any) -> Tokenizer:
    return kugiri.train(
        lines("japanese"), model="unigram", hard_vocab_limit=False, **{**USUAL, **options}
    )


def value(metric: str, text: str, **options: Any) -> float:
    seen = observed(trained(**options), lines(text))
    return float(BY_NAME[metric].values(seen, seen.corpus.draws)[0])


def test_coverage_leaves_characters_unknown() -> None:
    some, all_ = (
        value("unknown_rate", "japanese", character_coverage=share) for share in (0.98, 1.0)
    )
    assert some == pytest.approx(0.02, abs=0.002)  # what it says, of the text it was trained on
    assert all_ == 0


def test_byte_fallback_makes_bytes_of_the_unknown() -> None:
    without, with_ = ({"byte_fallback": it} for it in (False, True))
    assert value("unknown_rate", "medicine", **without) > 0.02
    assert value("unknown_rate", "medicine", **with_) == 0
    assert value("byte_fallback_rate", "medicine", **without) == 0
    # One token for a character of one byte, three of those of three, which are broken then.
    lost = value("unknown_rate", "medicine", **without)
    assert lost / 2 < value("broken_characters", "medicine", **with_) <= lost
    assert value("byte_fallback_rate", "medicine", **with_) > lost


def test_the_dummy_prefix_stands_alone_before_many_lines() -> None:
    assert value("lone_space_marks", "japanese", add_dummy_prefix=True) > 0.5
    assert value("lone_space_marks", "japanese", add_dummy_prefix=False) == 0


def test_normalization_changes_text_that_identity_gives_back() -> None:
    nfkc, identity = (
        value(
            "round_trip", "emoji", normalization_rule_name=name, byte_fallback=True,
            remove_extra_whitespaces=False,
        )
        for name in ("nmt_nfkc", "identity")
    )  # fmt: skip
    assert identity == 1
    assert nfkc < 1


def test_extra_white_space_is_lost_from_code() -> None:
    code = {"byte_fallback": True, "normalization_rule_name": "identity"}
    assert value("round_trip", "code", remove_extra_whitespaces=False, **code) == 1
    assert value("round_trip", "code", remove_extra_whitespaces=True, **code) < 0.7


def test_letter_case_counts_where_only_one_was_learned() -> None:
    tok = kugiri.train(lines("english"), vocab_size=500)
    seen = observed(tok, lines("english"))
    assert float(BY_NAME["case_sensitivity"].values(seen, seen.corpus.draws)[0]) > 2
