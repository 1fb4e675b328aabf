"""kugiri.measure: values by hand, intervals, comparisons, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.measure.compare import comparisons
from kugiri.measure.example import tokenizer_of
from kugiri.measure.metrics import BY_NAME, METRICS
from kugiri.measure.report import Report
from kugiri.tables import Column
from tests.explained import MADE, made
from tests.strategies import texts

CATS = tokenizer_of(["猫", "いる"])
"""猫がいる is 猫, two parts of が, いる: 4 tokens; 猫 is one."""
BYTES = tokenizer_of([])
LINES = ["猫がいる", "猫"]


@pytest.fixture(autouse=True)
def _notes_may_come() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        yield


def found(report: Report) -> dict[tuple[str, str, str | None], float | None]:
    return {(it.metric, it.tokenizer, it.corpus): it.value for it in report.values}


def same(report: Report) -> bytes:
    """What must not differ between two runs: all but the speed."""
    kept = [value for value in report.values if BY_NAME[value.metric].repeats]
    apart = [each for each in report.comparisons if BY_NAME[each.metric].repeats]
    return msgspec.structs.replace(report, values=kept, comparisons=apart).to_json()


# ── values ────────────────────────────────────────────────────────────────────────────────────
def test_values_by_hand() -> None:
    report = kugiri.measure(
        {"cats": CATS, "bytes": BYTES}, {"ja": LINES, "en": ["low", "a cat"]}, reference=BYTES,
        metrics=["tokens", "bytes_per_token", "normalized_sequence_length"],
    )  # fmt: skip
    assert found(report) == {
        ("tokens", "cats", "ja"): 5,
        ("tokens", "bytes", "ja"): 15,
        ("tokens", "cats", "en"): 8,
        ("tokens", "bytes", "en"): 8,
        ("bytes_per_token", "cats", "ja"): 3,
        ("bytes_per_token", "bytes", "ja"): 1,
        ("bytes_per_token", "cats", "en"): 1,
        ("bytes_per_token", "bytes", "en"): 1,
        ("normalized_sequence_length", "cats", "ja"): 5 / 15,
        ("normalized_sequence_length", "bytes", "ja"): 1,
        ("normalized_sequence_length", "cats", "en"): 1,
        ("normalized_sequence_length", "bytes", "en"): 1,
    }
    assert report.reference == "bytes"


WIDER = 12.7062047 / 1.9599640 * 2**0.5
"""What two documents widen an interval by: t / z with one degree of freedom, and √(2 / 1)."""


def test_an_interval_by_hand() -> None:
    # Two documents of 4 and 1 tokens: draws have 2, 5 or 8, each end in a quarter of them. No text
    # has fewer than no tokens.
    report = kugiri.measure({"cats": CATS}, {"ja": LINES}, metrics=["tokens"])
    value = report.value("tokens", "cats", "ja")
    assert (value.value, value.low, value.unit) == (5, 0, "tokens")
    assert value.high == pytest.approx(5 + 3 * WIDER)


def test_intervals_stay_within_what_a_value_can_be() -> None:
    corpus = {"ja": ["猫猫猫", "がが猫"] * 2}
    report = kugiri.measure({"cats": CATS, "bytes": BYTES}, corpus, word_list=["猫", "が"])
    assert {it.metric for it in report.values if it.low == 0 or it.high == 1} > {"round_trip"}
    for it in report.values:
        if it.low is not None and it.high is not None and it.value is not None:
            most = BY_NAME[it.metric].most
            assert 0 <= it.low <= it.value <= it.high <= most, it.metric
    shares = {each.name for each in METRICS if "share" in each.unit or each.name == "gini"}
    assert shares == {each.name for each in METRICS if each.most == 1}


def test_comparisons_are_paired() -> None:
    # Of 12 and 4, and 3 and 1 tokens: bytes need 8 and 2 more, so 4, 10 or 16 in all.
    report = kugiri.measure({"cats": CATS, "bytes": BYTES}, {"ja": LINES}, metrics=["tokens"])
    (apart,) = report.comparisons
    assert (apart.first, apart.second, apart.corpus) == ("cats", "bytes", "ja")
    assert (apart.difference, apart.differs) == (10, False)
    assert (apart.low, apart.high) == pytest.approx((10 - 6 * WIDER, 10 + 6 * WIDER))
    # Where the documents differ and what is saved in them does not, two are enough.
    report = kugiri.measure({"cats": CATS, "bytes": BYTES}, {"ja": ["猫", "猫a"]})
    (apart,) = [it for it in report.comparisons if it.metric == "tokens"]
    assert (apart.difference, apart.low, apart.high, apart.differs) == (4, 4, 4, True)
    one, other = (report.value("tokens", name, "ja") for name in ("cats", "bytes"))
    assert (one.high or 0) > (other.low or 0)


def test_a_difference_within_the_noise() -> None:
    # One saves two tokens in one document, the other two in the other.
    first, second = tokenizer_of(["猫"]), tokenizer_of(["犬"])
    report = kugiri.measure({"猫": first, "犬": second}, {"ja": ["猫", "犬"]}, metrics=["tokens"])
    (apart,) = report.comparisons
    assert (apart.difference, apart.differs) == (0, False)
    assert (apart.low, apart.high) == pytest.approx((-4 * WIDER, 4 * WIDER))
    assert "*" not in report.table().partition("↑")[0]


def test_the_best_has_a_star() -> None:
    corpus = {"ja": ["猫", "猫a"]}  # of 1 and 2 tokens, or 3 and 4
    report = kugiri.measure({"cats": CATS, "bytes": BYTES}, corpus, metrics=["tokens"])
    lines = [
        line
        for line in report.table(60).splitlines()
        if "cats" in line or line[:6].strip() or not line
    ]
    assert lines[:7] == [
        "cats needs the fewest tokens on ja (the next 133 % more).",
        "",
        "ja    cats 3.00 tokens; bytes +133 %",
        "",
        "ja: 2 documents, 3 characters, 7 bytes",
        "           cats  bytes  unit",
        "↓ Tokens  3 ±9*   7 ±9  tokens",
    ]


def test_one_document_has_no_interval() -> None:
    with pytest.warns(kugiri.KugiriWarning, match="corpus 'ja' is one document"):
        report = kugiri.measure({"a": CATS, "b": BYTES}, {"ja": ["猫"]}, metrics=["tokens"])
    assert [(value.low, value.high) for value in report.values] == [(None, None)] * 2
    assert report.comparisons == []
    assert len(report.warnings) == 1


def test_no_draws_no_interval() -> None:
    report = kugiri.measure({"a": CATS}, {"ja": LINES}, metrics=["tokens"], draws=0)
    assert report.value("tokens", "a", "ja").low is None


def test_what_documents_do_not_decide_has_no_interval_and_no_winner() -> None:
    report = kugiri.measure(
        {"cats": CATS, "bytes": BYTES}, {"ja": LINES * 60}, word_list=["猫", "犬"]
    )
    undrawn = {
        "single_token_retention", "repeated_phrases", "zipf_slope", "shannon_entropy",
        "average_token_rank", "longest_pieces", "speed",
        "case_sensitivity",  # of a text without case
    }  # fmt: skip
    with_interval = {it.metric for it in report.values if it.low is not None}
    assert {it.metric for it in report.values} - with_interval == undrawn
    assert {it.metric for it in report.comparisons} == with_interval
    assert report.value("single_token_retention", "cats", "ja").value == 1 / 2


def test_seeds_repeat_and_threads_do_not_matter() -> None:
    corpus = {"ja": [f"{LINES[at % 2]}{at}" for at in range(300)]}
    tokenizers = {"cats": CATS, "bytes": BYTES}
    one, other = (
        kugiri.measure(tokenizers, corpus, threads=threads, seed=3, sample=900)
        for threads in (1, 2)
    )
    assert same(one) == same(other)
    assert one.corpora[0].sampled_documents < 300
    assert 900 <= one.corpora[0].sampled_bytes < 3040
    third = kugiri.measure(tokenizers, corpus, seed=4, sample=900)
    assert found(third).keys() == found(one).keys()
    assert third.value("tokens", "cats", "ja").value == one.value("tokens", "cats", "ja").value
    ends = [(it.low, it.high) for it in (report.value("tokens", "cats", "ja")
                                         for report in (one, third))]  # fmt: skip
    assert ends[0] != ends[1]
    assert third.splits != one.splits


@given(st.lists(texts, min_size=1, max_size=8), st.randoms())
def test_the_order_of_documents_does_not_matter(documents: list[str], random: Any) -> None:
    documents = [*documents, "猫"]
    shuffled = random.sample(documents, len(documents))
    one, other = (
        found(kugiri.measure({"a": CATS}, {"x": iter(each)}, draws=0))
        for each in (documents, shuffled)
    )
    assert one == pytest.approx(other, nan_ok=True)


@given(st.lists(texts, min_size=1, max_size=6), st.lists(texts, min_size=1, max_size=6))
def test_tokens_add_up(one: list[str], other: list[str]) -> None:
    def tokens(documents: list[str]) -> float:
        value = kugiri.measure({"a": CATS}, {"x": iter(["猫", *documents])}, metrics=["tokens"])
        return (value.value("tokens", "a", "x").value or 0) - 1

    assert tokens(one + other) == tokens(one) + tokens(other)


# ── names, and what is refused ────────────────────────────────────────────────────────────────
def test_names_of_files(tmp_path: Path) -> None:
    for folder in ("a", "b", "llama3"):
        (tmp_path / folder).mkdir()
    paths = [tmp_path / "a" / "my.kugiri.json", tmp_path / "b" / "my.kugiri.json",
             tmp_path / "llama3" / "tokenizer.json"]  # fmt: skip
    for path in paths:
        kugiri.convert(CATS, "tokenizer.json").save(path)
    (tmp_path / "novel.txt").write_text("猫\n犬\n", encoding="utf-8")
    report = kugiri.measure([*paths, CATS], tmp_path / "novel.txt", metrics=["tokens"])
    names = [each.name for each in report.tokenizers]
    assert names == ["a/my", "b/my", "llama3", "BPE 263"]
    assert [each.source for each in report.tokenizers] == [*map(str, paths), None]
    assert [corpus.name for corpus in report.corpora] == ["novel"]
    assert kugiri.measure(CATS, ["猫", "犬"], metrics=["tokens"]).corpora[0].name == "corpus"


def test_a_reference_by_name_by_path_and_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "all.kugiri.json"
    BYTES.save(path)
    for reference in ("bytes", BYTES, path):
        report = kugiri.measure(
            {"cats": CATS, "bytes": BYTES}, {"ja": LINES}, reference=reference,
            metrics=["normalized_sequence_length"],
        )  # fmt: skip
        assert found(report)[("normalized_sequence_length", "cats", "ja")] == 5 / 15
        assert report.reference == ("all" if reference == path else "bytes")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metrics": ["token"]}, kugiri.OptionError, "unknown metric 'token'; did you mean 'token"),
        ({"metrics": "tokens"}, kugiri.OptionError, "metrics is a list of texts"),
        ({"metrics": ["parity"]}, kugiri.OptionError, "parity needs aligned texts; give parallel="),
        ({"metrics": ["gini"]}, kugiri.OptionError, "gini needs aligned texts; give parallel="),
        (
            {"metrics": ["normalized_sequence_length"]},
            kugiri.OptionError,
            "normalized_sequence_length needs a tokenizer to compare with; give reference=",
        ),
        ({"reference_language": "en"}, kugiri.OptionError, "reference_language is for aligned"),
        ({"reference": "none.model"}, kugiri.FormatError, "none.model"),
        ({"seed": -1}, kugiri.OptionError, "seed is -1"),
        ({"draws": 1.5}, kugiri.OptionError, "draws is 1.5"),
        ({"draws": 1}, kugiri.OptionError, "draws is 1; an interval is from 40 to 10,000 draws"),
        ({"draws": 39}, kugiri.OptionError, "and 0 is for no intervals"),
        ({"draws": 10_001}, kugiri.OptionError, "draws is 10,001; an interval is from 40"),
        ({"draws": 10**9}, kugiri.OptionError, "draws is 1,000,000,000; an interval"),
        ({"draws": -1}, kugiri.OptionError, "draws is -1"),
        ({"sample": 0}, kugiri.OptionError, "sample is 0"),
        ({"threads": 0}, kugiri.OptionError, "threads is 0"),
        ({"documents": "pages"}, kugiri.OptionError, "unknown documents 'pages'"),
        ({"corpora": None}, kugiri.OptionError, "there is no text to measure with"),
        ({"corpora": {"ja": 3}}, kugiri.OptionError, "counts of words came"),
        ({"corpora": {"ja": {"low": 3}}}, kugiri.OptionError, "to measure, text is needed"),
        ({"corpora": {"ja": []}}, kugiri.CorpusError, "corpus 'ja' is empty"),
        ({"corpora": {"ja": "none.txt"}}, kugiri.CorpusError, "no such file"),
        ({"corpora": {3: ["x"]}}, kugiri.OptionError, "the name of a corpus is 3"),
        ({"corpora": {"": ["x"]}}, kugiri.OptionError, "the name of a corpus is empty"),
        ({"corpora": {"ja": ["ok", "\ud800"]}}, kugiri.EncodingError, "corpus 'ja', document 2: "),
        ({"tokenizers": []}, kugiri.OptionError, "there is no tokenizer to measure"),
        ({"tokenizers": {"a": 3}}, kugiri.OptionError, "tokenizer 'a' is an int (3)"),
    ],
)
def test_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    asked = {"tokenizers": {"a": CATS}, "corpora": {"ja": LINES}, **options}
    with pytest.raises(error) as raised:
        kugiri.measure(asked.pop("tokenizers"), asked.pop("corpora"), **asked)
    assert message in str(raised.value)


def test_a_value_that_is_not_there() -> None:
    report = kugiri.measure({"cats": CATS}, {"ja": LINES}, metrics=["tokens"])
    for asked, message in (
        (("bytes_per_token", "cats", "ja"), "unknown metric 'bytes_per_token'"),
        (("tokens", "cat", "ja"), "did you mean 'cats'?"),
        (("tokens", "cats", "en"), "unknown corpus 'en'"),
        (("tokens", "cats"), "tokens has no value for all at once; it has for: ja"),
    ):
        with pytest.raises(kugiri.OptionError) as raised:
            report.value(*asked)
        assert message in str(raised.value)


# ── notes ─────────────────────────────────────────────────────────────────────────────────────
def test_what_does_not_come_back_is_said() -> None:
    folded = kugiri.train(
        ["①②", "猫"], model="unigram", vocab_size=9, hard_vocab_limit=False,
        normalization_rule_name="nfkc",
    )  # fmt: skip
    report = kugiri.measure({"nfkc": folded}, {"ja": ["①②", "猫", "犬"]}, metrics=["tokens"])
    (note,) = report.warnings
    assert note.startswith("tokenizer 'nfkc' does not give back 2 of 3 documents of 'ja'")


def test_two_scripts_are_said() -> None:
    report = kugiri.measure({"a": BYTES}, {"ja": ["猫がいる", "low"]}, metrics=["tokens"])
    assert report.warnings[0].startswith("corpus 'ja' is 57% Chinese and Japanese and 43% Latin")
    report = kugiri.measure({"a": BYTES}, {"ja": ["猫がいる、ねこ", "a"]}, metrics=["tokens"])
    assert report.warnings == []


# ── every model, every text ───────────────────────────────────────────────────────────────────
HOSTILE = [
    "<script>alert(1)</script>", "\u202eright to left", "\x00\x01\x1b[31m", "<|endoftext|>", " ",
    "\u2581", "a\u0301\u200d", "🏴\U000e0067", "\ufeff", "\r\n\x85\u2028",
]  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_every_tokenizer_on_hostile_texts(name: str) -> None:
    report = kugiri.measure({name: made(name)}, {"<b>": iter(HOSTILE), "x": iter(["", "猫"])})
    plain = json.loads(report.to_json())
    assert {value["metric"] for value in plain["values"]} == {
        metric.name for metric in METRICS if metric.over in ("corpus", "vocabulary")
    }
    assert report.value("tokens", name, "<b>").value
    assert "\x1b" not in report.table()
    assert len(list(csv.reader(io.StringIO(report.to_csv())))) == 1 + len(report.values)
    for split in report.splits:
        assert len(split.tokens[name]) == len(split.spans[name])
        assert all(token.isprintable() for token in split.tokens[name])


def test_a_line_of_a_megabyte() -> None:
    report = kugiri.measure({"cats": CATS}, {"x": ["猫" * 350_000, "猫"]})
    assert report.value("tokens", "cats", "x").value == 350_001
    assert max(len(split.text) for split in report.splits) == 60


def test_what_has_no_id_is_one_token() -> None:
    tok = kugiri.train(["low"] * 2, unit="char", num_merges=0)
    report = kugiri.measure({"chars": tok}, {"x": ["low", "猫犬"]}, metrics=["tokens"])
    assert report.value("tokens", "chars", "x").value == 5
    assert report.tokenizers[0].vocab_size == 3


def test_splits_are_beginnings() -> None:
    report = kugiri.measure({"cats": CATS}, {"ja": iter(["", *LINES, "x" * 99])})
    assert {split.text for split in report.splits} == {*LINES, "x" * 60}
    split = next(split for split in report.splits if split.text == "猫がいる")
    assert split.tokens == {"cats": ["猫", "<e3 81>", "<8c>", "いる"]}
    assert split.spans == {"cats": [(0, 1), (1, 2), (1, 2), (2, 4)]}


def test_the_details_of_a_report_are_json() -> None:
    report = kugiri.measure({"cats": CATS, "bytes": BYTES}, {"ja": LINES}, reference=BYTES)
    assert msgspec.json.decode(report.to_json(), type=Report).values == report.values


def test_one_metric_has_a_row_a_corpus() -> None:
    corpora = {"ja": ["猫", "猫a"], "en": ["low", "a ca"]}
    report = kugiri.measure({"cats": CATS, "bytes": BYTES}, corpora, metrics=["tokens"])
    lines = [
        line
        for line in report.table(200).splitlines()
        if "cats" in line or line[:6].strip() or not line
    ]
    assert lines[:5] == [
        "cats needs the fewest tokens on ja (the next 133 % more); on en cats and bytes need the "
        "same number of tokens.",
        "",
        "ja    cats 3.00 tokens; bytes +133 %",
        "en    cats 7.00 tokens; bytes the same",
        "",
    ]
    lines = lines[5:]
    assert (lines[0], lines[1].split()) == ("↓ Tokens", ["cats", "bytes", "unit"])
    assert lines[2].split() == ["ja", "3", "±9*", "7", "±9", "tokens"]
    assert lines[3].split() == ["en", "7", "±9", "7", "±9", "tokens"]
    narrow = [line.split() for line in report.table(14).splitlines()]
    narrow = narrow[narrow.index(["↓", "Tokens"]) :]
    assert narrow.index(["cats"]) < narrow.index(["bytes"])  # the second column follows below


def test_a_vocabulary_whose_ids_have_gaps_is_measured() -> None:
    """What it does not know has an id that none of its tokens has."""
    trained = kugiri.train(["low lower"], model="char")
    model = trained.spec.model
    ids = Column(np.arange(len(model.vocab)) * 2 + 5, "uint32")
    spec = msgspec.structs.replace(trained.spec, model=msgspec.structs.replace(model, ids=ids))
    found = kugiri.measure({"gaps": kugiri.Tokenizer(spec)}, {"en": ["low", "x low"]})
    assert found.value("tokens", "gaps", "en").value == 8
    assert found.value("unknown_rate", "gaps", "en").value == 1 / 8


def test_rounding_is_no_difference() -> None:
    drawn = {"one": np.full(9, 0.1 + 0.2), "other": np.full(9, 0.3)}
    (found,) = comparisons(BY_NAME["tokens"], "ja", drawn)
    assert found.difference != 0
    assert not found.differs


def test_a_sample_has_the_bytes_that_were_asked_for() -> None:
    texts = ["short", "a" * 300, "b" * 300]
    for seed in range(6):
        (corpus,) = kugiri.measure(
            tokenizer_of([]), {"x": texts}, metrics=["tokens"], seed=seed, sample=200
        ).corpora
        assert 200 <= corpus.sampled_bytes <= 500
