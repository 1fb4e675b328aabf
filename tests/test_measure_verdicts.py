"""Who is called the best, and who is not: cases in which a verdict was wrong."""

from __future__ import annotations

import json
import random
import re
import warnings
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import pytest
import tokenizers

import kugiri
from kugiri import Tokenizer
from kugiri.measure.compare import comparisons, value_of
from kugiri.measure.draws import Draws
from kugiri.measure.example import characters_of, observed, tokenizer_of, value
from kugiri.measure.losses import loss_of
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.report import Report
from kugiri.measure.standing import Standings
from kugiri.spec import Lowercase
from measured import unigram

CODE = "defxifreturngxtg():"


def measured(
    tokenizers: Mapping[str, Tokenizer], documents: Sequence[str], metrics: Sequence[str]
) -> Report:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return kugiri.measure(tokenizers, {"x": list(documents)}, metrics=metrics)


def best(report: Report, metric: str) -> str | None:
    standing = Standings(report).of(metric, "x")
    assert standing is not None
    return standing.alone


def title(report: Report) -> str:
    pytest.importorskip("altair")
    found = re.search("<h1.*?</h1>", report.to_html(), re.DOTALL)
    assert found is not None
    return re.sub("<[^>]*>", "", found[0])


# ── a price that nobody may have to pay ───────────────────────────────────────────────────────
def test_who_needs_more_tokens_does_not_lead_since_the_other_changes_characters() -> None:
    changes = unigram(["▁", "猫", "犬", "1", "犬犬"], normalizer="nmt_nfkc")  # ① → 1
    keeps = unigram(["▁", "猫", "犬", "①"])
    documents = ["猫犬犬" + "①" * (1 + at % 3) for at in range(60)]
    report = measured(
        {"changes": changes, "keeps": keeps}, documents, ["tokens", "bytes_per_token"]
    )
    assert [it.value for it in report.values[:2]] == [300, 360]
    assert best(report, "tokens") is None
    assert best(report, "bytes_per_token") is None
    assert "*" not in report.table().split("↑ more")[0]
    said = title(report)
    assert "changes needs the fewest tokens" in said
    assert "losing" not in said
    assert "keeps needs" not in said


def test_two_that_change_the_same_are_told_apart() -> None:
    few = unigram(["▁", "猫", "犬", "1", "犬犬"], normalizer="nmt_nfkc")
    many = unigram(["▁", "猫", "犬", "1"], normalizer="nmt_nfkc")
    documents = ["猫犬犬" + "①" * (1 + at % 3) for at in range(60)]
    assert best(measured({"few": few, "many": many}, documents, ["tokens"]), "tokens") == "few"


BREAKS = ["broken_characters", "continued_words", "single_token_retention"]


@pytest.mark.parametrize("metric", BREAKS)
def test_a_lost_character_in_three_hundred_does_not_make_the_worse_one_lead(metric: str) -> None:
    tokenizers = {
        "whole": unigram(["▁", "猫", "犬", "と"]),  # loses 鼠, and breaks nothing
        "two broken": tokenizer_of(["猫"]),
        "all broken": tokenizer_of([]),
    }
    report = measured(tokenizers, ["猫と犬"] * 99 + ["猫と鼠"], [metric])
    assert best(report, metric) == "whole"


def test_who_loses_a_third_does_not_lead_in_broken_characters_and_nobody_worse_does() -> None:
    lossy, broken = unigram(["▁", "猫", "と"]), tokenizer_of(["猫", "と"])
    report = measured({"lossy": lossy, "broken": broken}, ["猫と犬"] * 9, ["broken_characters"])
    assert best(report, "broken_characters") is None


def test_lower_case_does_not_lead_in_capitals() -> None:
    keeps = tokenizer_of(["he", "ll", "o"])
    lowers = Tokenizer(msgspec.structs.replace(keeps.spec, normalizer=Lowercase()))
    metrics = ["case_sensitivity", "renyi_efficiency", "continued_words"]
    report = measured(
        {"keeps": keeps, "lowers": lowers}, ["Hello hello", "Yello hello"] * 9, metrics
    )
    assert report.value("case_sensitivity", "lowers", "x").value == 1.0
    assert [best(report, metric) for metric in metrics[:2]] == [None, None]


def test_who_drops_white_space_has_no_star_for_no_lone_space() -> None:
    keeps, drops = unigram(["▁", "東"]), bert()
    documents = ["  東" if at % 2 else " 東" for at in range(20)]
    report = measured({"keeps": keeps, "drops": drops}, documents, ["lone_space_marks"])
    assert report.value("lone_space_marks", "drops", "x").value == 0
    assert best(report, "lone_space_marks") is None


def test_japanese_says_nothing_of_capitals() -> None:
    """Many tokens of text without case do not make a tokenizer look good."""
    many, few = tokenizer_of(["he", "llo"]), tokenizer_of(["猫", "犬", "he", "llo"])
    report = measured(
        {"many": many, "few": few}, ["猫と犬 hello", "犬 hello"] * 9, ["case_sensitivity"]
    )
    assert [it.value for it in report.values] == [2.5, 2.5]
    assert best(report, "case_sensitivity") is None
    assert measured({"many": many}, ["猫", "犬"], ["case_sensitivity"]).values[0].value is None


# ── white space ───────────────────────────────────────────────────────────────────────────────
def spaces_of(pieces: Sequence[str]) -> Tokenizer:
    """A Unigram that makes a space of all white space, and takes it for ▁."""
    normalizer = {
        "type": "Sequence",
        "normalizers": [
            {"type": "Replace", "pattern": {"Regex": r"\s"}, "content": " "},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        ],
    }
    document = {
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [["<unk>", 0.0], *([piece, -1.0] for piece in dict.fromkeys(pieces))],
            "byte_fallback": False,
        },
    }
    return kugiri.load(json.dumps(document).encode(), format="tokenizer.json")


def test_lines_that_become_spaces_are_other_characters() -> None:
    spaces, keeps = spaces_of(["▁", "▁▁", "▁▁▁", *CODE]), characters_of("\n\t " + CODE)
    documents = ["def f(x):\n\tif x:\n\t\treturn x\n\n\tg(x)\n" * at for at in range(2, 20)]
    loss = loss_of(observed(spaces, documents))
    assert loss is not None
    assert loss.characters == 0
    changed = sum(character in "\n\t" for character in documents[0]) / len(documents[0])
    assert loss.others == pytest.approx(changed)
    metrics = ["tokens", "bits_per_byte"]
    report = measured({"spaces": spaces, "keeps": keeps}, documents, metrics)
    assert [best(report, metric) for metric in metrics] == [None, None]


def test_an_ideographic_space_that_becomes_a_space_is_another_character() -> None:
    loss = loss_of(observed(unigram(["▁", "猫"], normalizer="nmt_nfkc"), ["猫\u3000猫"]))
    assert loss is not None
    assert (loss.characters, loss.others) == (0, pytest.approx(1 / 3))


def bert() -> Tokenizer:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"東京大阪", "the", "cat", "##cat"]
    return kugiri.load("\n".join(words).encode(), format="vocab.txt")


WHITE = {
    "put between all characters": ("東京 大阪", 1),
    "said by the tokens": ("the cat", 0),
    "both": ("the cat 東 京", 2),
    "of two, one is put": ("the  cat", 1),
    "before a text": (" the cat", 1),
}
"""Texts, and the white space that BERT loses of them."""


@pytest.mark.parametrize(("text", "lost"), WHITE.values(), ids=WHITE)
def test_white_space_that_is_put_in_does_not_hide_what_is_lost(text: str, lost: int) -> None:
    tokenizer = bert()
    without = text.replace(" ", "")
    assert (lost > 0) or tokenizer.encode(without) != tokenizer.encode(text)
    loss = loss_of(observed(tokenizer, [text, "東京"]))
    assert loss is not None
    assert loss.white_space * len(text + "東京") == pytest.approx(lost)


def test_text_without_its_white_space_is_lost_though_it_looks_the_same() -> None:
    chosen = bert()
    documents = [" ".join(["東京", "大阪", "京東"][: 1 + at % 3]) for at in range(40)]
    assert chosen.encode("東京 大阪") == chosen.encode("東京大阪")
    metrics = ["tokens", "bits_per_byte"]
    report = measured({"bert": chosen, "keeps": characters_of(" 東京大阪")}, documents, metrics)
    (loss,) = report.losses
    spaces = sum(it.count(" ") for it in documents)
    assert loss.characters == pytest.approx(spaces / sum(map(len, documents)))
    assert "bert" not in [best(report, metric) for metric in metrics]


def test_an_unknown_token_hides_nothing() -> None:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "k", "##n", "##u", "##k"]
    tokenizer = kugiri.load("\n".join(words).encode(), format="vocab.txt")
    loss = loss_of(observed(tokenizer, ["KNUK KNUK 鼬 鼬 鼬 鼬"]))
    assert loss is not None
    assert loss.others * 17 == pytest.approx(8)  # K, N and U of [UNK] are none of the text
    assert loss.characters * 17 == pytest.approx(4)


def test_the_space_of_an_unknown_token_hides_none() -> None:
    tokenizer = unigram(["▁", "猫"], normalizer="nmt_nfkc")  # unknown is decoded to " ⁇ "
    losses = [loss_of(observed(tokenizer, [it])) for it in ("猫  猫  猫", "猫  猫  猫鼬猫鼬猫")]
    counts = [round(it.white_space * size) for it, size in zip(losses, (7, 11), strict=True) if it]
    assert counts == [2, 2]


def test_white_space_that_is_unknown_is_lost_once() -> None:
    for text, lost in (("   ", 3), ("猫 猫　犬", 3)):
        loss = loss_of(observed(characters_of("猫"), [text]))
        assert loss is not None
        assert loss.characters * len(text) == pytest.approx(lost)


# ── intervals ─────────────────────────────────────────────────────────────────────────────────
def test_a_language_more_is_no_reason_for_a_star() -> None:
    """Ten languages that cost the same, but for chance, beside ten that do not at all."""
    chance = random.Random(3)
    lines = [chance.randint(2, 40) for _ in range(20)]
    texts = {}
    for number in range(10):
        more = int(number == 9)
        these = chance.sample(lines, len(lines))
        texts[f"l{number}"] = ["b" * (20 + more) + "a" * (length - more) for length in these]
    letters, groups = tokenizer_of([]), tokenizer_of(["a" * 64], pattern="a+|b")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        report = kugiri.measure(
            {"letters": letters, "groups": groups},
            parallel=texts,
            metrics=["cost_ratio", "gini"],
            reference_language="l0",
        )
    assert not any(it.differs for it in report.comparisons)
    for it in report.values:
        assert it.value is not None
        assert it.low is not None
        assert it.high is not None
        assert it.low <= it.value <= it.high
        assert it.metric != "cost_ratio" or it.low >= 1


def test_a_difference_is_on_the_side_of_its_interval() -> None:
    drawn = {"a": np.array([1.0, 2.0, 2.1, 2.2]), "b": np.array([1.1, 1.0, 1.0, 1.0])}
    (compared,) = comparisons(BY_NAME["gini"], None, drawn)
    assert compared.difference > 0 > compared.high
    assert not compared.differs


@pytest.mark.parametrize("documents", [999, 1000, 1001, 1500, 2500])
def test_equal_documents_have_equal_sums_in_any_number(documents: int) -> None:
    report = measured({"a": tokenizer_of([])}, ["the cat"] * documents, ["tokens", "never_used"])
    for it in report.values:
        assert it.low == it.value == it.high


def test_the_interval_of_a_sum_is_as_wide_above_a_thousand_documents() -> None:
    chance = np.random.default_rng(0)
    sizes = chance.integers(55, 80, 1_500)
    draws = Draws(1_500, 1_000, seed=0)
    wide = float(np.std(draws.total(sizes)))
    plain = float(np.std(chance.choice(sizes, (1_000, 1_500)).sum(axis=1)))
    assert wide == pytest.approx(plain, rel=0.1)


def test_no_value_lies_outside_its_interval_by_rounding() -> None:
    value = value_of(BY_NAME["tokens"], "a", "x", np.array([0.3, 0.1 + 0.2, 0.1 + 0.2]))
    assert value.low == value.value == value.high


# ── bytes in visible characters ───────────────────────────────────────────────────────────────
BYTE_LEVEL = {
    "first of two": {
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "ByteLevel", "add_prefix_space": False},
                {"type": "Digits", "individual_digits": True},
            ],
        }
    },
    "as a normalizer": {"normalizer": {"type": "ByteLevel"}},
}


@pytest.mark.parametrize("stages", BYTE_LEVEL.values(), ids=BYTE_LEVEL)
def test_bytes_are_seen_wherever_they_become_visible(stages: dict[str, object]) -> None:
    vocab = {
        character: id for id, character in enumerate(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    }
    stages = {"normalizer": None, "pre_tokenizer": None, "post_processor": None} | stages
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    document = {"added_tokens": [], "decoder": {"type": "ByteLevel"}, "model": model, **stages}
    seen = observed(kugiri.load(json.dumps(document).encode(), format="tokenizer.json"), ["猫 é"])
    assert seen.decoded == ["猫 é"]
    assert value(BY_NAME["byte_fallback_rate"], seen) == round(5 / 6, 4)
    assert value(BY_NAME["broken_characters"], seen) == round(2 / 3, 4)
    assert value(BY_NAME["token_length"], seen) == 1
