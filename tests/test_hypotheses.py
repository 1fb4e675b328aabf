"""The ways to cut a text: core against readable engine, both against the definitions."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import EncodingError, OptionError, spec
from kugiri.encoding import Hypothesis
from kugiri.reference.hypotheses import Hypotheses
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.sampling import sample_dropout
from kugiri.reference.vocab import show
from kugiri.tables import Column, Merges, Tokens
from piece_rows import described
from tests.oracles import parity_file
from tests.sentencepiece_models import oracle_sentencepiece

LETTERS = "ab▁c"
ALPHAS = st.sampled_from([0.0, 0.1, 1.0, 2.5])
seeds = st.integers(-5, 1 << 65)


@st.composite
def unigrams(draw: st.DrawFn) -> spec.TokenizerSpec:
    """A Unigram model of a few pieces, with sums of 32 or 64 bits."""
    strings = draw(st.sets(st.text(LETTERS[:3], min_size=1, max_size=4), max_size=12))
    scores = st.one_of(st.sampled_from([-1.0, -1.5, -2.0]), st.floats(-20, 0, width=32))
    symbol = [["ba", 0.0, "USER_DEFINED"]] if draw(st.booleans()) else []
    pieces = [[piece, draw(scores)] for piece in sorted(strings - {"ba"})]
    bytes, double = draw(st.booleans()), draw(st.booleans())
    row = {"pieces": [*pieces, *symbol], "bytes": bytes, "float64": double}
    made = described({"model": "unigram", **row})
    if not draw(st.booleans()):
        return made
    # Also words of their own, and a token that is cut out of the text first.
    added = (spec.AddedToken(len(made.model.vocab), "ca", special=False),)
    words = spec.Split(spec.Literally("▁"), "isolated")
    return msgspec.structs.replace(made, pre_tokenizer=words, added_tokens=added)


def same(ours: Hypothesis, expected: Hypothesis) -> None:
    """The same way with the same numbers."""
    assert (ours.ids, ours.tokens) == (expected.ids, expected.tokens)
    assert ours.log_prob == pytest.approx(expected.log_prob, rel=1e-9, abs=1e-12)
    assert ours.posterior == pytest.approx(expected.posterior, rel=1e-9, abs=1e-12)


@given(model=unigrams(), text=st.text(LETTERS, max_size=10), count=st.integers(1, 50))
def test_the_best_ways(model: spec.TokenizerSpec, text: str, count: int) -> None:
    expected = Hypotheses(ReferenceTokenizer(model), text).best(count)
    tok = kugiri.Tokenizer(model)
    found = tok.nbest(text, count)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        same(ours, theirs)
    assert found[0].ids == tok.encode(text)
    assert found[0].tokens == tok.tokens(text)


@given(model=unigrams(), text=st.text(LETTERS, max_size=10), alpha=ALPHAS, seed=seeds)
def test_draws(model: spec.TokenizerSpec, text: str, alpha: float, seed: int) -> None:
    ways, tok = Hypotheses(ReferenceTokenizer(model), text), kugiri.Tokenizer(model)
    for among in (None, 3):
        drawn = tok.sample_with_score(text, alpha=alpha, seed=seed, nbest=among)
        same(drawn, ways.sample(alpha, seed, among))
        assert tok.sample(text, alpha=alpha, seed=seed, nbest=among) == drawn.ids


@given(model=unigrams(), text=st.text(LETTERS, max_size=10), alpha=ALPHAS)
def test_all_ways_at_once(model: spec.TokenizerSpec, text: str, alpha: float) -> None:
    ways, tok = Hypotheses(ReferenceTokenizer(model), text), kugiri.Tokenizer(model)
    assert tok.entropy(text, alpha) == pytest.approx(ways.entropy(alpha), rel=1e-9, abs=1e-9)
    found, expected = tok.marginals(text, alpha), ways.marginals(alpha)
    assert [(its.id, its.token) for its in found] == [
        (token.id, show(token.text)) for token, _ in expected
    ]
    for its, (token, share) in zip(found, expected, strict=True):
        start, end = (len(text.encode()[:byte].decode()) for byte in (token.start, token.end))
        assert its.span == (start, end)
        assert its.probability == pytest.approx(share, rel=1e-9, abs=1e-12)


def test_a_rounded_score_does_not_spoil_the_posterior() -> None:
    """Sums of 32 bits near -20,000 are wrong by a thousandth; the shares still add up to 1."""
    model = described({"model": "unigram", "pieces": [["a", -1.1], ["b", -2000.3], ["aa", -2.7]]})
    text = "b" * 10 + "aaaa"
    for ways in (kugiri.Tokenizer(model), Hypotheses(ReferenceTokenizer(model), text)):
        five = ways.nbest(text, 9) if isinstance(ways, kugiri.Tokenizer) else ways.best(9)
        assert len(five) == 5
        assert sum(way.posterior for way in five) == pytest.approx(1, abs=1e-9)


def test_long_sums_of_32_bits() -> None:
    """The zero of scores moves every thousand characters, and near ties stay apart."""
    model = described({"model": "unigram", "pieces": [["a", -100.0], ["aa", -200.05], ["b", -7.0]]})
    text = "aab" * 1_500
    expected = Hypotheses(ReferenceTokenizer(model), text).best(4)
    for ours, theirs in zip(kugiri.Tokenizer(model).nbest(text, 4), expected, strict=True):
        same(ours, theirs)


# ── dropped merges ────────────────────────────────────────────────────────────────────────────
@st.composite
def scored(draw: st.DrawFn) -> spec.TokenizerSpec:
    """A BPE of a `.model` with equal scores, symbols and unused pieces."""
    strings = sorted(draw(st.sets(st.text("abc", min_size=2, max_size=4), max_size=10)))
    types = st.sampled_from(["NORMAL", "NORMAL", "UNUSED", "USER_DEFINED"])
    pieces = [[piece, -draw(st.integers(0, 3)), draw(types)] for piece in strings]
    return described({"model": "bpe", "pieces": [["a", -9.0], ["b", -9.0], *pieces]})


@st.composite
def listed(draw: st.DrawFn) -> spec.TokenizerSpec:
    """A BPE with a merge list, an end-of-word mark perhaps."""
    mark = draw(st.sampled_from(["", "_"]))
    corpus = draw(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)  # fewer merges than asked for
        trained = kugiri.train(
            ["abc", *corpus], unit="char", pre_tokenizer="whitespace", end_of_word=mark,
            num_merges=draw(st.integers(0, 9)), min_frequency=1,
        )  # fmt: skip
    return trained.spec


@given(
    model=st.one_of(scored(), listed()),
    text=st.text("abc ", max_size=14),
    dropout=st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]),
    seed=seeds,
)
def test_dropped_merges(model: spec.TokenizerSpec, text: str, dropout: float, seed: int) -> None:
    tok = kugiri.Tokenizer(model)
    expected = [
        token.id for token in sample_dropout(ReferenceTokenizer(model), text, dropout, seed)
    ]
    assert tok.sample(text, alpha=dropout, seed=seed) == expected
    if dropout == 0:
        assert expected == tok.encode(text)


Ranks = dict[tuple[str, str], int]
Cuts = Iterator[tuple[tuple[str, ...], float]]


def by_definition(symbols: tuple[str, ...], ranks: Ranks, dropout: float) -> Cuts:
    """How a word is cut, and how likely (Provilkov et al. 2020): in each step every merge that is
    possible is dropped by itself; the best of the others is made; none is left, and it is over.
    """
    places = [(ranks[pair], at) for at, pair in enumerate(pairwise(symbols)) if pair in ranks]
    left = 1.0
    for _, at in sorted(places):
        for cut, share in by_definition(joined(symbols, at), ranks, dropout):
            yield cut, left * (1 - dropout) * share
        left *= dropout
    yield symbols, left


def for_good(
    symbols: tuple[str, ...], ranks: Ranks, dropout: float, out: frozenset[Any] = frozenset()
) -> Cuts:
    """The same as sentencepiece has it: a pair that was dropped is out where it stands."""
    places = accumulate(map(len, symbols), initial=0)
    pairs = list(zip(places, pairwise(symbols), strict=False))
    left = [
        (ranks[its[1]], at) for at, its in enumerate(pairs) if its[1] in ranks and its not in out
    ]
    if not left:
        yield symbols, 1.0
        return
    _, at = min(left)
    for cut, share in for_good(joined(symbols, at), ranks, dropout, out):
        yield cut, share * (1 - dropout)
    for cut, share in for_good(symbols, ranks, dropout, out | {pairs[at]}):
        yield cut, share * dropout


def joined(symbols: tuple[str, ...], at: int) -> tuple[str, ...]:
    """The symbols with one merged with the next."""
    return (*symbols[:at], symbols[at] + symbols[at + 1], *symbols[at + 2 :])


PIECES = ["a", "b", "ab", "ba", "aba", "abab"]
PAIRS = [("a", "b"), ("b", "a"), ("ab", "a"), ("a", "ba"), ("ab", "ab"), ("aba", "b")]


def merge_list() -> tuple[kugiri.Tokenizer, Ranks]:
    """A merge list, and the rank of each pair."""
    columns = [[PIECES.index(part) for part in parts] for parts in zip(*PAIRS, strict=True)]
    merges = Merges(*columns, [PIECES.index(a + b) for a, b in PAIRS])
    vocab = Tokens.from_iter(piece.encode() for piece in PIECES)
    tok = kugiri.Tokenizer(spec.TokenizerSpec(spec.BPE(vocab, unit="char", merges=merges)))
    return tok, {pair: rank for rank, pair in enumerate(PAIRS)}


def scores() -> tuple[kugiri.Tokenizer, Ranks]:
    """Pieces with scores, and the rank of each pair, which is that of its join."""
    pieces = [[piece, -float(rank)] for rank, piece in enumerate(PIECES)]
    tok = kugiri.Tokenizer(described({"model": "bpe", "pieces": pieces}))
    return tok, {(a, b): PIECES.index(a + b) for a, b in PAIRS}


@pytest.mark.parametrize(("made", "rule"), [(merge_list, by_definition), (scores, for_good)])
@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.8])
def test_cuts_are_as_frequent_as_they_are_likely(
    made: Callable[[], tuple[kugiri.Tokenizer, Ranks]], rule: Callable[..., Any], dropout: float
) -> None:
    (tok, ranks), text, draws = made(), "ababa", 20_000
    likely: Counter[tuple[str, ...]] = Counter()
    for cut, share in rule(tuple(text), ranks, dropout):
        likely[cut] += share
    assert sum(likely.values()) == pytest.approx(1)
    names = {id: token for token, id in tok.vocab.items()}
    drawn = Counter(
        tuple(names[id] for id in tok.sample(text, alpha=dropout, seed=seed))
        for seed in range(draws)
    )
    assert drawn.keys() <= likely.keys()
    for cut, share in likely.items():
        # Four standard deviations.
        assert abs(drawn[cut] / draws - share) < 4 * math.sqrt(share * (1 - share) / draws) + 1e-4


# ── the original library ──────────────────────────────────────────────────────────────────────
EN, JA = "When I called at the school", "金閣寺は京都にある"
OF_0_2_1 = [
    ("botchan_en_unigram_1000", EN, {0.1: 8.18852329, 0.5: 1.61100376, 1.0: 0.42713985}),
    ("kyoto_ja_unigram_8000", JA, {0.1: 1.63762724, 0.5: 0.43366617, 1.0: 0.06498624}),
]
"""What its CalculateEntropy gives, which later versions do not have; its sums are of 32 bits."""


@pytest.mark.parametrize(("name", "text", "entropies"), OF_0_2_1)
def test_entropy_as_sentencepiece(name: str, text: str, entropies: dict[float, float]) -> None:
    tok = kugiri.load(parity_file(f"spm/{name}.model"))
    for alpha, expected in entropies.items():
        assert tok.entropy(text, alpha) == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(
    ("name", "text", "tokens", "score"),
    [
        ("botchan_en_unigram_1000", EN, "▁When ▁I ▁called ▁at ▁the ▁school", -0.5566540),
        ("botchan_en_unigram_1000", EN, "▁When ▁I ▁called ▁a t ▁the ▁school", -1.9509773),
        ("kyoto_ja_unigram_8000", JA, "▁ 金 閣 寺 は 京都 にある", -0.1236210),
    ],
)
def test_a_sample_is_scored_as_by_sentencepiece(
    name: str, text: str, tokens: str, score: float
) -> None:
    """SampleEncodeAndScore of 0.2.1 with alpha 0.5 gave this score: the log of the posterior."""
    tok = kugiri.load(parity_file(f"spm/{name}.model"))
    draws = (tok.sample_with_score(text, alpha=0.5, seed=seed) for seed in range(100))
    found = next(way for way in draws if way.tokens == tokens.split())
    assert math.log(found.posterior) == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize(("name", "text", "_"), OF_0_2_1)
def test_nbest_as_sentencepiece(name: str, text: str, _: object) -> None:
    file = parity_file(f"spm/{name}.model")
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_file=str(file))
    ways = kugiri.load(file).nbest(text, 100)
    assert [way.ids for way in ways] == theirs.nbest_encode(text, nbest_size=100)


def test_draws_are_as_frequent_as_those_of_sentencepiece() -> None:
    file = parity_file("spm/botchan_en_unigram_1000.model")
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_file=str(file))
    tok, draws, text = kugiri.load(file), 4_000, "the school"
    ours = Counter(tuple(tok.sample(text, alpha=0.3, seed=seed)) for seed in range(draws))
    its = Counter(
        tuple(theirs.sample_encode_as_ids(text, nbest_size=-1, alpha=0.3)) for _ in range(draws)
    )
    for cut, count in ours.most_common(20):
        assert count / draws == pytest.approx(its[cut] / draws, abs=0.04)


def test_dropped_merges_are_as_frequent_as_those_of_sentencepiece() -> None:
    file = parity_file("spm/botchan_en_bpe_1000.model")
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_file=str(file))
    tok, draws, text = kugiri.load(file), 4_000, "the school"
    ours = Counter(tuple(tok.sample(text, alpha=0.2, seed=seed)) for seed in range(draws))
    its = Counter(
        tuple(theirs.sample_encode_as_ids(text, nbest_size=-1, alpha=0.2)) for _ in range(draws)
    )
    for cut, count in ours.most_common(20):
        assert count / draws == pytest.approx(its[cut] / draws, abs=0.04)


# ── edges ─────────────────────────────────────────────────────────────────────────────────────
def test_very_many_ways() -> None:
    """Fifty letters can be cut in 2⁴⁹ ways; a thousand of them are no more work than any."""
    pieces = [["a" * length, -float(length)] for length in range(1, 51)]
    tok = kugiri.Tokenizer(described({"model": "unigram", "pieces": pieces}))
    ways = tok.nbest("a" * 50, 1_000)
    assert len({tuple(way.ids) for way in ways}) == 1_000
    assert {way.log_prob for way in ways} == {-50.0}
    assert ways[0].tokens == ["a" * 50]
    assert tok.entropy("a" * 50) == pytest.approx(49 * math.log(2))


def test_what_no_id_stands_for() -> None:
    scores = Column([-1.0], np.float64)
    tok = kugiri.Tokenizer(
        spec.TokenizerSpec(spec.Unigram(Tokens.from_iter([b"a"]), scores=scores))
    )
    for ask in (tok.encode, lambda text: tok.nbest(text, 1)):
        with pytest.raises(EncodingError, match="'猫' at character 1 is not in the vocabulary"):
            ask("a猫")
    assert tok.marginals("a猫")[1][:3] == (None, "猫", (1, 2))


def test_refused() -> None:
    words = kugiri.Tokenizer(described({"model": "word", "pieces": [["a", -1.0]]}))
    bpe, _ = scores()
    asked: list[tuple[Callable[[], object], str]] = [
        (lambda: words.sample("a", alpha=0.1, seed=0), "WordLevel has one way to cut a text"),
        (lambda: words.marginals("a"), "Unigram model, not in WordLevel"),
        (lambda: bpe.sample_with_score("a", alpha=0.1, seed=0), "Unigram model, not in BPE"),
        (lambda: bpe.sample("a", alpha=1.5, seed=0), r"alpha is 1\.5; for 'bpe-dropout'"),
        (lambda: bpe.sample("a", alpha=-1, seed=0), "alpha is -1; it must be a finite number"),
        (lambda: words.entropy("a", alpha=-1), "alpha is -1; it must be a finite number from 0"),
    ]
    for ask, says in asked:
        with pytest.raises(OptionError, match=says):
            ask()


@pytest.mark.parametrize(
    ("made", "ask"),
    [
        ("model='unigram', vocab_size=35", "segmentations('吾輩は猫である' * 30, 10**9)"),
        ("num_merges=9, pre_tokenizer='none'", "sample('the ' * 6_000_000, alpha=0.1, seed=1)"),
        (
            "num_merges=9, pre_tokenizer='none'",
            "sample_batch(['the ' * 6_000_000] * 2, alpha=0.1, seed=1)",
        ),
    ],
)  # fmt: skip
def test_ctrl_c(made: str, ask: str) -> None:
    """What takes long ends within a second."""
    code = (
        "import kugiri, signal, threading, time, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "def press():\n    global at; at = time.monotonic(); signal.raise_signal(signal.SIGINT)\n"
        f"tok = kugiri.train(['the school 吾輩は猫である 猫である'] * 9, {made})\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(1.0, press).start()\n"
        f"try: tok.{ask}\n"
        "except KeyboardInterrupt: print(time.monotonic() - at < 1)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.stdout == "True\n", run.stderr
