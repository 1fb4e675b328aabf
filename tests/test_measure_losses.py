"""What tokenizers lose of a text: how much, that it is said, and that nobody leads by it."""

from __future__ import annotations

import warnings

import msgspec
import pytest

import kugiri
from kugiri.measure.example import characters_of, observed, unigram_of
from kugiri.measure.losses import loss_of, lost
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.price import PRICED, price, price_of_lost
from kugiri.measure.report import Loss, Report
from kugiri.measure.standing import Standings

BYTES = kugiri.train(["low"], vocab_size=256)
KNOWN = "猫とが住む"
MODEL = unigram_of(["▁", *KNOWN])

TEXTS = {
    "it knows all": (["猫と猫", "が"], 0, 0, 0),
    "a character of three bytes": (["猫犬"], 1, 0, 3),
    "one of four bytes": (["猫🐈"], 1, 0, 4),
    "two bytes and one": (["猫éa"], 2, 0, 3),
    "a space of two": (["猫  と"], 1, 1, 1),
    "indentation": (["   猫 と"], 3, 3, 3),
    "a space that is unknown": (["\u3000猫"], 1, 1, 3),
}
"""Documents, and the characters, white space and bytes of them that are lost."""


@pytest.mark.parametrize(("documents", "characters", "spaces", "size"), TEXTS.values(), ids=TEXTS)
def test_so_much_is_lost(documents: list[str], characters: int, spaces: int, size: int) -> None:
    loss = loss_of(observed(MODEL, documents))
    if not characters:
        assert loss is None
        return
    assert loss is not None
    whole = sum(map(len, documents))
    assert loss.characters == pytest.approx(characters / whole)
    assert loss.white_space == pytest.approx(spaces / whole)
    assert loss.bytes == pytest.approx(size / sum(len(it.encode()) for it in documents))


def test_spaces_between_all_words_do_not_hide_the_indentation() -> None:
    words = kugiri.train(["( x )"] * 2, model="wordpiece", vocab_size=8, preset="bert")
    seen = observed(words, ["    (x)"])
    assert seen.decoded == ["( x )"]
    loss = loss_of(seen)
    assert loss is not None
    assert loss.white_space == pytest.approx(4 / 7)


def test_a_normalizer_that_spells_otherwise_loses_nothing() -> None:
    nfkc = kugiri.train(["①②"], unit="byte", normalizer="nfkc", vocab_size=256)
    loss = loss_of(observed(nfkc, ["①②", "12"]))
    assert loss is not None
    assert (loss.characters, loss.changed) == (0, 1)


def measured(lossy: kugiri.Tokenizer, **asked: object) -> Report:
    documents = [f"{KNOWN}犬犬{'猫' * at}" for at in range(9)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kugiri.measure({"bytes": BYTES, "lossy": lossy}, {"ja": documents}, **asked)


def test_who_loses_text_does_not_lead_by_it() -> None:
    report = measured(characters_of("犬"))  # loses most, and has a token for each character lost
    standing = Standings(report).of("bytes_per_token", "ja")
    assert standing is not None
    assert report.value("bytes_per_token", "lossy", "ja").value == 3.0
    assert standing.alone == "bytes"
    assert "3.000 ±" in report.table()
    assert "3.000*" not in report.table()
    assert "; lossy −67 %, loses 82 % of the text" in report.table()
    assert "! loses text; what is lost" in report.table()


def test_who_would_lead_at_the_price_leads() -> None:
    standing = Standings(measured(characters_of(KNOWN))).of("tokens", "ja")
    assert standing is not None
    assert standing.alone == "lossy"  # three bytes of 犬 twice are fewer than what it saves


def test_a_lossless_one_is_not_marked() -> None:
    report = measured(characters_of(KNOWN + "犬"))
    assert report.losses == []
    assert "!" not in report.table()
    assert not [it for it in report.warnings if "give back" in it]


def test_too_little_to_speak_of_is_not_marked() -> None:
    report = measured(characters_of(KNOWN))
    tiny = [msgspec.structs.replace(it, characters=0.00009) for it in report.losses]
    report = msgspec.structs.replace(report, losses=tiny, warnings=[])
    assert "!" not in report.table()


LOSS = Loss("a", "ja", 10, 3, characters=0.1, white_space=0.0, others=0.0, bytes=0.2, tokens=0.25,
            words=0.3, different_words=0.4)  # fmt: skip
PRICES = {
    "tokens": (100.0, 25.0),
    "bytes_per_token": (5.0, 1.0),
    "bits_per_byte": (2.0, 1.6),
    "broken_characters": (0.0, 0.1),
    "continued_words": (0.5, 0.3),
    "single_token_retention": (0.5, 0.4),
    "lone_space_marks": (0.0, 0.3),
    "morpheme_boundary_recall": (0.9, float("inf")),
    "renyi_efficiency": (0.5, float("inf")),
    "case_sensitivity": (1.2, float("inf")),
    "byte_fallback_rate": (0.0, 0.2),
    "gini": (0.1, 0.25),
    "speed": (99.0, 0.0),
    "round_trip": (0.5, 0.0),
}


@pytest.mark.parametrize(("metric", "values"), PRICES.items())
def test_prices(metric: str, values: tuple[float, float]) -> None:
    value, priced = values
    assert price(metric, value, [LOSS]) == pytest.approx(priced)
    assert price(metric, value, []) == 0.0


def test_what_becomes_another_character_has_a_price() -> None:
    nfkc = kugiri.train(["①②"], unit="byte", normalizer="nfkc", vocab_size=256)
    loss = loss_of(observed(nfkc, ["①② ab", "12"]))
    assert loss is not None
    assert (loss.characters, loss.others) == (0, pytest.approx(2 / 7))
    assert loss.bytes == pytest.approx(6 / 11)  # ① and ② have three bytes each
    assert price("bits_per_byte", 2.0, [loss]) == pytest.approx(8 * 6 / 11)
    assert price("fertility", 2.0, [loss]) == pytest.approx(2 * loss.tokens)
    assert price_of_lost("fertility", 2.0, [loss]) == 0


def test_the_metrics_that_have_a_price_are_there() -> None:
    assert set(BY_NAME) >= PRICED


def test_what_favours_small_vocabularies_has_no_better_direction() -> None:
    assert BY_NAME["never_used"].better is None
    assert BY_NAME["vocabulary_use"].better is None


@pytest.mark.parametrize(
    ("share", "said"),
    [(1.0, "100 %"), (0.364, "36 %"), (0.0324, "3.2 %"), (0.00051, "0.05 %"),
     (0.00001, "less than 0.01 %")],
)  # fmt: skip
def test_shares_in_words(share: float, said: str) -> None:
    assert lost(msgspec.structs.replace(LOSS, characters=share)) == f"{said} of characters"


# ── the legend ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("metric", "is_there"), [("tokens", False), ("fertility", True), ("broken_characters", False)]
)
def test_words_are_explained_where_there_are_some(metric: str, is_there: bool) -> None:
    assert ("words by" in measured(BYTES, metrics=[metric]).table()) is is_there


@pytest.mark.parametrize(("metric", "is_there"), [("tokens", False), ("fertility", True)])
def test_a_sample_is_explained_where_there_is_one(metric: str, is_there: bool) -> None:
    table = measured(BYTES, metrics=[metric], sample=40).table()
    assert ("~ from a sample" in table) is is_there
    assert ("(~ of" in table) is is_there


def test_no_arrows_where_there_is_no_direction() -> None:
    table = measured(BYTES, metrics=["zipf_slope"]).table()
    assert "more is better" not in table
    assert "better than all others" not in table
