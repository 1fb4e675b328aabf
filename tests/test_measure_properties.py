"""What holds for the metrics on any text: against plain formulas, shuffled, added, drawn."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby, islice, pairwise
from math import log, log2, nan
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hard_texts import HARD
from kugiri import Tokenizer
from kugiri.measure.different_tokens import sum_of_used
from kugiri.measure.draws import Draws
from kugiri.measure.example import characters_of, observed
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.observation import Observation
from kugiri.measure.places import TextBytes
from kugiri.measure.repeated import WIDTH, repeated_bytes
from kugiri.unicode import WHITE_SPACE
from measured import OURS, TOKENIZERS
from strategies import texts

PIECES = [
    "猫",
    "犬",
    "は",
    "いる",
    "が",
    "cat",
    "ab",
    "a",
    " ",
    "  ",
    "①",
    "㌢",
    "é",
    "か\u3099",
    "☃",
    "\x00",
    "\n",
]
documents_of = st.lists(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), texts), max_size=6
)
names = st.sampled_from(sorted(TOKENIZERS))
tokenizer = cache(lambda name: TOKENIZERS[name]())


def seen_by(name: str, documents: list[str]) -> Observation:
    return observed(tokenizer(name), documents)


def value(metric: str, seen: Observation) -> float:
    return float(BY_NAME[metric].values(seen, seen.corpus.draws)[0])


# ── plain formulas ────────────────────────────────────────────────────────────────────────────
def over(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else nan


def ids(tok: Tokenizer, documents: list[str]) -> list[int]:
    return [id for text in documents for id in tok.encode(text)]


def characters(documents: list[str]) -> int:
    return sum(map(len, documents))


def regular(tok: Tokenizer) -> int:
    """All of the vocabulary but special tokens and the unknown one."""
    return len(tok.vocab.keys() - {"[PAD]", "[CLS]", "[SEP]", "[MASK]", "<s>", *UNKNOWN})


def used(tok: Tokenizer, documents: list[str]) -> int:
    return len(set(ids(tok, documents)) - {tok.vocab.get(name) for name in UNKNOWN})


def with_case(text: str) -> str:
    """Its runs of letters with two cases."""
    runs = groupby(text, lambda character: character.lower() != character.upper())
    return " ".join("".join(run) for is_cased, run in runs if is_cased)


def lost(tok: Tokenizer, text: str) -> int:
    encoding = tok.encode_with_offsets(text)
    known = set[int]()
    for id, (start, end) in zip(encoding.ids.tolist(), encoding.covering_spans, strict=True):
        if id not in map(tok.vocab.get, UNKNOWN):
            known |= set(range(start, end))
    around = tok.normalize("xx")
    dropped = {at for at, it in enumerate(text) if tok.normalize(f"x{it}x") == around}
    unknown = {at for start, end in encoding.covering_spans for at in range(start, end)} - known
    gone = set(range(len(text))) - known
    missing = (gone | dropped) - {at for at, it in enumerate(text) if it in SPACES}
    return len(unknown | missing)


UNKNOWN = ("<unk>", "[UNK]")
SPACES = set(filter(re.compile(f"[{WHITE_SPACE}]").match, map(chr, range(0x3001))))


def broken(tok: Tokenizer, text: str) -> int:
    """Of a tokenizer that changes nothing: the characters that two tokens share."""
    tokens_on = Counter[int]()
    for start, end in tok.encode_with_offsets(text).covering_spans:
        tokens_on.update(range(start, end))
    return sum(count > 1 for count in tokens_on.values())


def is_part(tok: Tokenizer, id: int) -> bool:
    if tok.tokens(tok.decode([id]))[:1] and list(tok.vocab)[id].startswith("<0x"):
        return True
    try:
        tok.decode_bytes([id]).decode()
    except UnicodeDecodeError:
        return True
    return False


def shares_of(tok: Tokenizer, documents: list[str]) -> list[float]:
    counts = Counter(ids(tok, documents))
    return [count / counts.total() for count in counts.values()]


def renyi(tok: Tokenizer, documents: list[str]) -> float:
    shares = shares_of(tok, documents)
    return log2(sum(share**2.5 for share in shares)) / -1.5 if shares else nan


def slope(tok: Tokenizer, documents: list[str]) -> float:
    counts = sorted(Counter(ids(tok, documents)).values(), reverse=True)
    if len(counts) < 2:
        return nan
    x = [log(rank) for rank in range(1, len(counts) + 1)]
    return float(-np.polyfit(x, np.log(counts), 1)[0])


def average_rank(tok: Tokenizer, documents: list[str]) -> float:
    counts = sorted(Counter(ids(tok, documents)).values(), reverse=True)
    return over(sum(rank * count for rank, count in enumerate(counts, 1)), sum(counts))


PLAIN: MappingProxyType[str, Callable[[Tokenizer, list[str]], float]] = MappingProxyType({
    "tokens": lambda tok, its: len(ids(tok, its)),
    "bytes_per_token": lambda tok, its: over(len("".join(its).encode()), len(ids(tok, its))),
    "characters_per_token": lambda tok, its: over(characters(its), len(ids(tok, its))),
    "tokens_per_character": lambda tok, its: over(len(ids(tok, its)), characters(its)),
    "tokens_per_document": lambda tok, its: over(len(ids(tok, its)), len(its)),
    "unknown_rate": lambda tok, its: over(sum(lost(tok, text) for text in its), characters(its)),
    "byte_fallback_rate": lambda tok, its: over(
        sum(is_part(tok, id) for id in ids(tok, its)), len(ids(tok, its))
    ),
    "round_trip": lambda tok, its: over(
        sum(tok.decode(tok.encode(text)) == text for text in its), len(its)
    ),
    "case_sensitivity": lambda tok, its: over(
        len(ids(tok, [with_case(text).upper() for text in its])),
        len(ids(tok, [with_case(text) for text in its])),
    ),
    "lone_space_marks": lambda tok, its: over(
        sum(tok.encode(text)[:1] in ([tok.vocab.get(it)] for it in "▁ ") for text in its),
        len(its),
    ),
    "vocabulary_use": lambda tok, its: used(tok, its) / regular(tok),
    "never_used": lambda tok, its: regular(tok) - used(tok, its),
    "zipf_slope": slope,
    "shannon_entropy": lambda tok, its: (
        sum(share * -log2(share) for share in shares_of(tok, its)) if ids(tok, its) else nan
    ),
    "renyi_entropy": renyi,
    "renyi_efficiency": lambda tok, its: over(
        renyi(tok, its), log2(max(1, len(set(ids(tok, its)))))
    ),
    "average_token_rank": average_rank,
})  # fmt: skip


@pytest.mark.parametrize("metric", PLAIN)
@given(name=names, documents=documents_of)
def test_the_first_draw_is_the_plain_formula(metric: str, name: str, documents: list[str]) -> None:
    expected = PLAIN[metric](tokenizer(name), documents)
    found = value(metric, seen_by(name, documents))
    assert found == pytest.approx(expected, nan_ok=True, abs=1e-9)


@given(
    name=st.sampled_from(["bytes_bpe", "straddling_bpe", "fallback_unigram", "character_bpe"]),
    documents=documents_of,
)
def test_broken_characters_are_those_that_tokens_share(name: str, documents: list[str]) -> None:
    expected = sum(broken(tokenizer(name), text) for text in documents)
    seen = seen_by(name, documents)
    found = value("broken_characters", seen)
    assert found == pytest.approx(over(expected, characters(documents)), nan_ok=True)


@given(documents=documents_of, width=st.integers(1, 9))
def test_repeated_bytes_are_those_of_phrases_that_come_twice(
    documents: list[str], width: int
) -> None:
    text = TextBytes(documents)
    parts = [document.encode() for document in documents]
    phrases = Counter(
        part[at : at + width] for part in parts for at in range(len(part) - width + 1)
    )
    expected = [False] * len(text.data)
    for part, start in zip(parts, text.byte_starts.tolist(), strict=False):
        for at in range(len(part) - width + 1):
            if phrases[part[at : at + width]] > 1:
                expected[start + at : start + at + width] = [True] * width
    assert repeated_bytes(text.data, text.byte_starts, width).tolist() == expected


@given(
    name=st.sampled_from(["bytes_bpe", "straddling_bpe", "fallback_unigram"]),
    parts=st.lists(st.sampled_from([*PIECES, "cat が猫" * 5, "いる" * 9]), max_size=12),
    cut=st.integers(0, 12),
)
def test_pieces_in_repeated_phrases(name: str, parts: list[str], cut: int) -> None:
    documents = ["".join(parts[:cut]), "".join(parts[cut:])]
    encoded = [text.encode() for text in documents]
    phrases = Counter(
        data[at : at + WIDTH] for data in encoded for at in range(len(data) - WIDTH + 1)
    )
    inside, counts = Counter[int](), Counter[int]()
    for text, data in zip(documents, encoded, strict=True):
        repeated = set[int]()
        for at in range(len(data) - WIDTH + 1):
            if phrases[data[at : at + WIDTH]] > 1:
                repeated |= set(range(at, at + WIDTH))
        encoding = tokenizer(name).encode_with_offsets(text)
        for id, (start, end) in zip(encoding.ids.tolist(), encoding.byte_spans, strict=True):
            counts[id] += 1
            inside[id] += set(range(start, end)) <= repeated
    expected = over(sum(inside[id] > count / 2 for id, count in counts.items()), len(counts))
    found = value("repeated_phrases", seen_by(name, documents))
    assert found == pytest.approx(expected, nan_ok=True)


# ── shuffling, adding, bounds ─────────────────────────────────────────────────────────────────
@given(name=names, documents=documents_of, seed=st.integers(0, 99))
def test_the_order_of_documents_changes_nothing(name: str, documents: list[str], seed: int) -> None:
    shuffled = random.Random(seed).sample(documents, len(documents))
    one, other = seen_by(name, documents), seen_by(name, shuffled)
    for metric in (each.name for each in OURS):
        assert value(metric, one) == pytest.approx(value(metric, other), nan_ok=True), metric


WEIGHTS = {
    "tokens": None,
    "bytes_per_token": "tokens",
    "characters_per_token": "tokens",
    "tokens_per_character": "characters",
    "tokens_per_document": "documents",
    "unknown_rate": "characters",
    "byte_fallback_rate": "tokens",
    "broken_characters": "characters",
    "round_trip": "documents",
    "lone_space_marks": "documents",
}
"""Metrics that are a sum, or a sum divided by what is named."""


def whole(metric: str, seen: Observation) -> float | None:
    """The sum that a metric is made of; None where it divides by nothing."""
    weights = {
        None: 1,
        "tokens": int(seen.tokens.sum()),
        "characters": int(seen.corpus.characters.sum()),
        "documents": len(seen.tokens),
    }
    weight = weights[WEIGHTS[metric]]
    return value(metric, seen) * weight if weight else None


@given(name=names, some=documents_of, others=documents_of)
def test_sums_add_up(name: str, some: list[str], others: list[str]) -> None:
    one, other, both = (seen_by(name, its) for its in (some, others, some + others))
    for metric in WEIGHTS:
        parts = [whole(metric, one), whole(metric, other)]
        # Where there is nothing to divide by, the sum is not to be had from the value.
        if None not in parts:
            assert whole(metric, both) == pytest.approx(sum(parts)), metric


SHARES = [metric.name for metric in OURS if metric.unit == "share"]


@given(name=names, documents=documents_of)
def test_shares_are_from_0_to_1(name: str, documents: list[str]) -> None:
    seen = seen_by(name, documents)
    for metric in SHARES:
        found = value(metric, seen)
        assert np.isnan(found) or -1e-12 <= found <= 1 + 1e-12, metric


# ── draws ─────────────────────────────────────────────────────────────────────────────────────
def drawn(documents: list[str], draws: Draws) -> Iterator[list[str]]:
    """The documents of each draw, one that came twice two times."""
    times = [draws.sum(of_one) for of_one in np.eye(len(documents))]
    for row in range(len(draws)):
        yield [
            text
            for text, often in zip(documents, times, strict=True)
            for _ in range(int(often[row]))
        ]


@given(name=names, documents=documents_of)
def test_a_draw_of_a_sum_is_the_metric_of_the_documents_drawn(
    name: str, documents: list[str]
) -> None:
    seen = seen_by(name, documents)
    draws = seen.corpus.draws
    for row, its in islice(enumerate(drawn(documents, draws)), 3):
        again = seen_by(name, its)
        for metric in WEIGHTS:
            found = float(BY_NAME[metric].values(seen, draws)[row])
            assert found == pytest.approx(value(metric, again), nan_ok=True), metric


def test_draws_of_renyi_entropy_spread_as_that_of_the_documents_drawn() -> None:
    source = random.Random(1)
    words = "".join(chr(0x4E00 + at) for at in range(200))
    weights = [1 / (at + 1) for at in range(200)]
    documents = [
        "".join(source.choices(words, weights, k=source.randint(10, 90))) for _ in range(99)
    ]
    seen = observed(characters_of(words), documents, draws=60)
    draws = seen.corpus.draws
    real = [
        value("renyi_entropy", observed(seen.tokenizer, its)) for its in drawn(documents, draws)
    ]
    spread = BY_NAME["renyi_entropy"].values(seen, draws)[1:].std()
    assert spread == pytest.approx(np.std(real[1:]), rel=0.2)


def test_a_draw_of_different_tokens_moves_by_what_one_document_has_alone() -> None:
    documents = ["abx", "a", ""]  # b and x are in the first alone
    seen = observed(tokenizer("bytes_bpe"), documents)
    draws = seen.corpus.draws
    found = sum_of_used(seen, draws, np.ones(len(seen.vocabulary)))
    often = draws.sum(np.array([1, 0, 0]))
    assert found.tolist() == (3 + 2 * (often - 1)).tolist()


# ── hostile texts ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", TOKENIZERS)
def test_hard_texts(name: str) -> None:
    seen = seen_by(name, [*HARD, "<script>alert(1)</script>", "\u202e\x00\ufffe", ""])
    for metric in OURS:
        values = metric.values(seen, seen.corpus.draws)
        assert values.shape == (len(seen.corpus.draws),)
        assert np.isfinite(values[0]), metric.name
        for table in metric.details(seen) if metric.details else ():
            for row in table.rows:
                assert len(row) == len(table.columns)
                for cell in row:
                    assert cell is None or isinstance(cell, (str, int, float)), metric.name
                    assert not isinstance(cell, np.generic), metric.name
                    shown = cell if isinstance(cell, str) else ""
                    assert not set(shown) & set("\x00\n\t\u202e\u202b"), metric.name


@pytest.mark.parametrize("name", ["bytes_bpe", "fallback_unigram", "character_bpe"])
def test_a_line_of_one_megabyte(name: str) -> None:
    line = "".join(random.Random(0).choices("猫が いる abc①", k=400_000))
    seen = seen_by(name, ["猫", line, ""])
    for metric in OURS:
        assert np.isfinite(metric.values(seen, seen.corpus.draws)[0]), metric.name
        if metric.details is not None:
            metric.details(seen)


@given(name=names, documents=documents_of)
def test_places_are_those_of_encode_with_offsets(name: str, documents: list[str]) -> None:
    seen = seen_by(name, documents)
    bounds = pairwise(seen.batch.offsets.tolist())
    for text, start, (first, end) in zip(
        documents, seen.corpus.text.byte_starts.tolist(), bounds, strict=False
    ):
        encoding = seen.tokenizer.encode_with_offsets(text)
        assert encoding.ids.tolist() == seen.batch.ids[first:end].tolist()
        places = zip(
            (seen.places.starts[first:end] - start).tolist(),
            (seen.places.ends[first:end] - start).tolist(),
            strict=True,
        )
        assert list(places) == encoding.byte_spans
