"""Aligned texts: parity, Gini, the dearest language, and what is refused."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import kugiri
from kugiri.measure import study
from kugiri.measure.draws import Draws
from kugiri.measure.example import tokenizer_of
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.observation import MeasuredCorpus, Observation
from tests.aligned_texts import ALIGNED, write_aligned
from tests.oracles import oracle_tiktoken, parity_file
from tools.parity_data import TIKTOKEN_CACHE_KEYS

CAT = tokenizer_of(["cat", "low"])
SMALL = {"en": ["a cat", "low"], "ja": ["猫", "低い"]}
"""In English 3 and 1 tokens, in Japanese 3 and 6: one a byte."""


def test_values_by_hand(tmp_path: Path) -> None:
    report = kugiri.measure({"cat": CAT}, parallel=write_aligned(tmp_path / "texts", SMALL))
    assert report.reference_language == "en"
    assert [corpus.language for corpus in report.corpora] == ["en", "ja"]
    values = {(it.metric, it.corpus): it for it in report.values}
    assert values[("parity", "ja")].value == 9 / 4
    assert ("parity", "en") not in values
    # |9 - 4| twice, to 2 · 2² · 6.5; 9 to 4.
    assert values[("gini", None)].value == 10 / 52
    assert values[("cost_ratio", None)].value == 9 / 4
    # Draws take the same lines of both: two of the first (6 to 6), one of each, or 12 to 2. Two
    # documents widen that by t / z · √2; no ratio is below 0.
    wider = 12.7062047 / 1.9599640 * 2**0.5
    assert values[("parity", "ja")].low == 0
    assert values[("parity", "ja")].high == pytest.approx(9 / 4 + (6 - 9 / 4) * wider)


def test_details_have_the_single_lines() -> None:
    report = kugiri.measure({"cat": CAT}, parallel=SMALL, metrics=["parity", "gini"])
    (of_parity, of_gini) = report.details
    spread, lines = of_parity.tables
    assert spread.title == "Ratios of 2 lines"
    assert dict(spread.rows)["median"] == (3 / 3 + 6 / 1) / 2
    assert lines.rows[0] == (2, 6.0, 6, 1, "低い", "low")
    assert of_gini.tables[0].rows == [("en", 4, 2.0, 8), ("ja", 9, 4.5, 9)]


def test_three_languages_by_hand() -> None:
    texts = {"a": ["low"], "b": ["猫"], "c": ["低い"]}
    with pytest.warns(kugiri.KugiriWarning, match="is one document"):
        report = kugiri.measure({"cat": CAT}, parallel=texts, reference_language="b")
    values = {(it.metric, it.corpus): it.value for it in report.values}
    # Of 1, 3 and 6 tokens the differences are 2, 5 and 3, each twice, to 2 · 3² · 10/3.
    assert values[("gini", None)] == pytest.approx(20 / 60)
    assert values[("cost_ratio", None)] == 6
    assert (values[("parity", "a")], values[("parity", "c")]) == (1 / 3, 2)


def formula(costs: npt.NDArray[np.float64]) -> float:
    apart = np.abs(costs[:, None] - costs[None, :]).sum()
    return float(apart / (2 * len(costs) ** 2 * costs.mean()))


def test_gini_is_its_formula_in_every_draw_and_takes_no_square_of_the_languages() -> None:
    languages = 400
    chance = np.random.default_rng(0)
    texts = {f"{at:03}": ["a" * int(it) for it in chance.integers(1, 50, 60)]
             for at in range(languages)}  # fmt: skip
    draws = Draws(60, 1_000, seed=0)
    tokenizer = tokenizer_of([])
    seen = [
        Observation("a", tokenizer, MeasuredCorpus(name, lines, draws))
        for name, lines in texts.items()
    ]
    tracemalloc.start()
    found = BY_NAME["gini"].values(seen, draws)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * languages * len(draws) * 8
    tokens = np.array([draws.sum(one.tokens) for one in seen])
    expected = [formula(tokens[:, draw]) for draw in range(0, len(draws), 99)]
    assert found[0] == pytest.approx(expected[0])
    moved = found[::99][1:] - expected[1:]  # all by as much, until their mean is the value
    assert moved == pytest.approx(moved[0])
    assert found[1:].mean() == pytest.approx(found[0])


def test_a_language_is_a_folder_or_a_file(tmp_path: Path) -> None:
    folder = write_aligned(tmp_path / "texts", {"en": SMALL["en"]})
    (folder / "ja").mkdir()
    for number, line in enumerate(SMALL["ja"]):
        (folder / "ja" / f"{number}.txt").write_text(f"{line}\n", encoding="utf-8")
    (folder / "notes.md").write_text("not a language")
    with pytest.warns(kugiri.KugiriWarning, match="1 of its files, for example notes.md"):
        report = kugiri.measure({"cat": CAT}, parallel=folder, metrics=["parity"])
    assert report.value("parity", "cat", "ja").value == 9 / 4


def test_blank_lines_keep_their_place() -> None:
    texts = {"en": iter(["low", "", "low"]), "ja": iter(["猫", "", "低い"])}
    report = kugiri.measure({"cat": CAT}, parallel=texts, metrics=["parity"])
    assert report.corpora[0].documents == 3
    assert report.value("parity", "cat", "ja").value == 9 / 2


def test_a_line_that_is_blank_in_one_language_is_said() -> None:
    texts = {"en": ["low", "low"], "ja": iter(["猫", " "])}
    with pytest.warns(kugiri.KugiriWarning, match="line 2 of ja is blank and that of en is not"):
        kugiri.measure({"cat": CAT}, parallel=texts, metrics=["parity"])


def test_without_english_no_parity() -> None:
    texts = {"ja": SMALL["ja"], "zh": ["猫", "低"]}
    with pytest.warns(kugiri.KugiriWarning, match="have no English"):
        report = kugiri.measure({"cat": CAT}, parallel=texts)
    assert report.reference_language is None
    assert "parity" not in {note.name for note in report.metrics}
    assert "gini" in {note.name for note in report.metrics}


def test_a_sample_takes_the_same_lines() -> None:
    english = [f"low {at}" for at in range(400)]
    texts = {"en": english, "ja": [f"猫 {at}" for at in range(400)]}
    seen: list[list[str]] = []
    parity = BY_NAME["parity"]

    def values(observation: object, draws: object) -> object:
        seen.append(observation.corpus.documents)  # type: ignore[attr-defined]
        seen.append(observation.translation.corpus.documents)  # type: ignore[attr-defined]
        return parity.values(observation, draws)  # type: ignore[arg-type]

    sampled = replace(parity, values=values, sampled=True)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(study.BY_NAME, "parity", sampled)
        report = kugiri.measure({"cat": CAT}, parallel=texts, metrics=["parity"], sample=1_000)
    here, there = seen
    assert 0 < len(here) < 400
    assert [line.split()[1] for line in here] == [line.split()[1] for line in there]
    assert report.corpora[0].sampled_documents == len(here)


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        ({"en": ["a", "b", "c"], "ja": ["猫", "犬"]}, {}, "en has 3, ja has 2"),
        ({"en": ["a"]}, {}, "two languages at least; 1 came"),
        ({"en": [], "ja": []}, {}, "the aligned texts are empty"),
        ({"en": ["a"], "ja": ["\ud800"]}, {}, "corpus 'ja', document 1"),
        ("nowhere", {}, "nowhere: aligned texts are a folder"),
        (3, {}, "parallel is an int (3)"),
        (SMALL, {"reference_language": "jp"}, "unknown reference_language 'jp'; allowed: en, ja"),
        (SMALL, {"corpora": {"ja": ["x"]}}, "'ja' is a corpus and a language"),
    ],
)
def test_refused(texts: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(kugiri.KugiriError) as raised:
        kugiri.measure({"cat": CAT}, parallel=texts, **options)  # type: ignore[arg-type]
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base", "o200k_base"])
def test_parity_is_that_of_tiktoken(name: str) -> None:
    oracle = oracle_tiktoken(name)
    path = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[name]}")
    tokenizer = kugiri.load(path.read_bytes(), format="tiktoken")
    report = kugiri.measure({name: tokenizer}, parallel=ALIGNED, metrics=["parity"])
    tokens = {
        language: sum(len(oracle.encode(line)) for line in lines)
        for language, lines in ALIGNED.items()
    }
    for language in ("ja", "zh"):
        expected = tokens[language] / tokens["en"]
        assert report.value("parity", name, language).value == expected
    # As published, Japanese costs more than English, and less so from one generation to the next.
    assert tokens["ja"] > tokens["en"]


PUBLISHED = {"r50k_base": 3.00, "cl100k_base": 2.30, "llama2": 2.24}
"""Premiums of Japanese over English, on 2,009 sentences of FLORES-200 (A. Petrov et al. 2023)."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_premiums_are_near(name: str) -> None:
    # Other sentences, a dozen of them: within 15 %, and in the same order.
    if name in TIKTOKEN_CACHE_KEYS:
        path = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[name]}")
        tokenizer = kugiri.load(path.read_bytes(), format="tiktoken")
    else:
        tokenizer = kugiri.load(parity_file(f"npm/{name}/tokenizer.json"))
    report = kugiri.measure({name: tokenizer}, parallel=ALIGNED, metrics=["parity"])
    value = report.value("parity", name, "ja")
    assert value.value == pytest.approx(PUBLISHED[name], rel=0.15)


TOKSCOPE = {"o200k_base": (195, 3.4000, 1.5476), "cl100k_base": (259, 2.5598, 2.0394)}
"""What tokscope 0.2.0 prints for the Japanese text as one file, with the English one as reference:
tokens, bytes per token (line ends counted), premium."""


@pytest.mark.parametrize("name", TOKSCOPE)
def test_as_tokscope_has_it(name: str, tmp_path: Path) -> None:
    path = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[name]}")
    tokenizer = kugiri.load(path.read_bytes(), format="tiktoken")
    folder = write_aligned(tmp_path / "texts")
    with pytest.warns(kugiri.KugiriWarning, match="is one document"):
        report = kugiri.measure(
            {name: tokenizer}, folder / "ja.txt", documents="files",
            metrics=["tokens", "bytes_per_token"],
        )  # fmt: skip
    parity = kugiri.measure({name: tokenizer}, parallel=folder, metrics=["parity"])
    found = (
        report.value("tokens", name, "ja").value,
        round(report.value("bytes_per_token", name, "ja").value or 0, 4),
        round(parity.value("parity", name, "ja").value or 0, 4),
    )
    assert found == TOKSCOPE[name]
