"""The metrics on small tokenizers of every kind, each value worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import pytest

import kugiri
from kugiri.measure.example import characters_of, observe, observed
from kugiri.measure.metric import Table
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.observation import Observation
from measured import OURS, TOKENIZERS
from oracles import parity_file

# What the tokens are stands in front of each row. B bytes, C characters, N tokens.
ROWS = {
    # 猫 <e3 81> <8c> いる · cat ␠ cat · nothing: B 19, C 11, N 7
    "bytes_bpe": (
        ["猫がいる", "cat cat", ""],
        {
            "tokens": 7,
            "bytes_per_token": 19 / 7,
            "characters_per_token": 11 / 7,
            "tokens_per_character": 7 / 11,
            "tokens_per_document": 7 / 3,
            "unknown_rate": 0,
            "byte_fallback_rate": 2 / 7,
            "broken_characters": 1 / 11,  # が
            "round_trip": 1,
            "case_sensitivity": 7 / 3,  # CAT CAT is seven bytes, cat cat three tokens
            "lone_space_marks": 0,
            # 256 bytes and 猫, いる, cat with their beginnings: 2 + 5 + 2
            "vocabulary_use": 6 / 265,
            "never_used": 259,
            "token_length": (3 + 2 + 1 + 6 + 3 + 1) / 6,
            "longest_pieces": 3,
            "repeated_phrases": 0,
            # cat twice, five others once
            "shannon_entropy": 2 / 7 * np.log2(7 / 2) + 5 / 7 * np.log2(7),
            "renyi_entropy": -np.log2((2**2.5 + 5) / 7**2.5) / 1.5,
            "renyi_efficiency": -np.log2((2**2.5 + 5) / 7**2.5) / 1.5 / np.log2(6),
            "average_token_rank": (2 * 1 + 2 + 3 + 4 + 5 + 6) / 7,
        },
    ),
    # <e7> <8c> <ab e3> <81> <af> <e7> <8c> <ab>: B 9, C 3, N 8
    "straddling_bpe": (
        ["猫は猫"],
        {
            "tokens": 8,
            "bytes_per_token": 9 / 8,
            "characters_per_token": 3 / 8,
            "byte_fallback_rate": 1,
            "broken_characters": 1,
            "round_trip": 1,
            "vocabulary_use": 6 / 257,
            "token_length": 7 / 6,
            "longest_pieces": 1,  # bytes of 0x00 to 0x7f
        },
    ),
    # ab 猫 <unk> · ab ab: B 12, C 8, N 5
    "character_bpe": (
        ["ab猫犬", "abab"],
        {
            "tokens": 5,
            "bytes_per_token": 12 / 5,
            "characters_per_token": 8 / 5,
            "unknown_rate": 1 / 8,
            "byte_fallback_rate": 0,
            "broken_characters": 0,
            "round_trip": 1 / 2,
            "case_sensitivity": 6
            / 3,  # six capitals are six unknown tokens, and ab is there thrice
            "vocabulary_use": 2 / 4,  # ab and 猫, of a, b, ab, 猫
            "never_used": 2,
            "token_length": (3 + 2) / 2,
            "longest_pieces": 2,
        },
    ),
    # a b 猫 <unk> <unk>: C 5, N 5
    "character_level": (
        ["ab猫犬犬"],
        {"tokens": 5, "unknown_rate": 2 / 5, "round_trip": 0, "vocabulary_use": 1},
    ),
    # the cat ##s [UNK] the . · cat ##i 猫 [UNK] [UNK]: C 25, N 11. Lost are "," "☃é" "x" and the
    # NUL, which the normalizer drops; the four spaces are not counted.
    "wordpiece": (
        ["The cats, the.", "cati 猫☃é x\x00"],
        {
            "tokens": 11,
            "characters_per_token": 25 / 11,
            "unknown_rate": 5 / 25,
            "byte_fallback_rate": 0,
            "broken_characters": 0,
            "round_trip": 0,
            "case_sensitivity": 1,
            "vocabulary_use": 1,  # 6 of 6: [PAD] [CLS] [SEP] [MASK] are special, [UNK] is no text
            "token_length": (3 + 3 + 1 + 1 + 1 + 3) / 6,
            "longest_pieces": 3,
        },
    ),
    # ▁ 猫 と 犬 · ▁犬 ▁ ▁ 1 · ▁犬 <unk>: B 21, C 9, N 10
    "identity_unigram": (
        ["猫と犬", "犬  1", "犬①"],
        {
            "tokens": 10,
            "bytes_per_token": 21 / 10,
            "unknown_rate": 1 / 9,
            "round_trip": 2 / 3,
            "lone_space_marks": 1 / 3,
            "vocabulary_use": 1,  # 6 of 6: without <s> and <unk>
            "token_length": (1 + 4 + 3 + 3 + 3 + 1) / 6,
            "longest_pieces": 2,
        },
    ),
    # ▁ 猫 1 ▁ a · ▁ 2 が · ▁ <unk> ▁ 猫: C 14, N 12. 鼠 and NUL are one unknown token; U+200B
    # becomes a space; か and its mark become が; the other spaces are dropped.
    "nfkc_unigram": (
        ["猫①  ａ", " ２か\u3099 ", "鼠\x00\u200b猫"],
        {
            "tokens": 12,
            "unknown_rate": 2 / 14,
            "broken_characters": 0,
            "round_trip": 0,
            "lone_space_marks": 1,
            "case_sensitivity": 1,  # A is one unknown token
        },
    ),
    # 猫 <0xE9> <0xBC> <0xA0> a · <0x0A>: B 8, C 4, N 6. A line end is a whole character.
    "fallback_unigram": (
        ["猫鼠a", "\n"],
        {
            "tokens": 6,
            "bytes_per_token": 8 / 6,
            "unknown_rate": 0,
            "byte_fallback_rate": 4 / 6,
            "broken_characters": 1 / 4,
            "round_trip": 1,
            "vocabulary_use": 6 / 259,  # 256 bytes, three pieces
            "renyi_efficiency": 1,  # all equally frequent
        },
    ),
    # ▁ 猫 and nine bytes of センチ · ▁ three bytes of ﷽ a: C 4, N 16
    "fallback_nfkc_unigram": (
        ["猫㌢", "﷽a"],
        {
            "tokens": 16,
            "byte_fallback_rate": 12 / 16,
            "broken_characters": 2 / 4,
            "unknown_rate": 0,
            "round_trip": 1 / 2,
        },
    ),
}


def value(metric: str, seen: Observation) -> float:
    return float(BY_NAME[metric].values(seen, seen.corpus.draws)[0])


@pytest.mark.parametrize(
    ("name", "metric"), [(name, metric) for name, (_, values) in ROWS.items() for metric in values]
)
def test_value(name: str, metric: str) -> None:
    documents, values = ROWS[name]
    assert value(metric, observed(TOKENIZERS[name](), documents)) == pytest.approx(values[metric])


def test_every_kind_of_tokenizer_is_measured() -> None:
    assert ROWS.keys() == TOKENIZERS.keys()


def table(metric: str, title: str, seen: Observation) -> list[tuple[str | int | float | None, ...]]:
    """The rows of the table whose title begins so; none where it is left out."""
    details = BY_NAME[metric].details
    assert details is not None
    tables: list[Table] = details(seen)
    for found in tables:
        assert all(len(row) == len(found.columns) for row in found.rows)
    return next((found.rows for found in tables if found.title.startswith(title)), [])


DETAILS = [
    (
        "unknown_rate", "Under", "wordpiece", ["☃ cat, ☃"],
        [("☃", "U+2603 SNOWMAN", 2), (",", "U+002C COMMA", 1)],
    ),
    ("unknown_rate", "Dropped", "wordpiece", ["ca\x00t\x00"], [("␀", "U+0000", 2)]),
    ("byte_fallback_rate", "Tokens", "fallback_unigram", ["猫\n\n"], [("<0x0A>", 12, 2)]),
    (
        "broken_characters", "Broken", "bytes_bpe", ["がが猫"],
        [("が", "U+304C HIRAGANA LETTER GA", 2, 2, 1.0)],
    ),
    # は is broken in front of a 猫 only by its own bytes; 猫は has a token of both.
    ("broken_characters", "Tokens", "straddling_bpe", ["猫は猫は猫"], [("<ab e3>", 256, 2)]),
    (
        "round_trip", "Characters that do not", "nfkc_unigram", ["①① ２", "㌔"],
        [
            ("①", "U+2460 CIRCLED DIGIT ONE", 2, 2, "1"),
            ("㌔", "U+3314 SQUARE KIRO", 1, 1, "キロ"),
            ("２", "U+FF12 FULLWIDTH DIGIT TWO", 1, 1, "2"),
        ],
    ),
    (
        "round_trip", "Characters that come", "nfkc_unigram", ["①① ２"],
        [("1", "U+0031 DIGIT ONE", 2), ("2", "U+0032 DIGIT TWO", 1)],
    ),
    (
        "round_trip", "White space", "nfkc_unigram", ["  猫  a   猫 ", "猫\n  a"],
        # ␠␠ at the beginning, ␠ and ␠␠ of three inside, one at the end; a line end becomes a space,
        # so that two spaces of indentation are one space inside.
        [
            ("at the beginning of lines", 4),
            ("at the end of lines", 1),
            ("within lines", 3),
        ],
    ),
    ("round_trip", "The first", "identity_unigram", ["猫", "①"], [(2, "①", "␠⁇␠")]),
    ("lone_space_marks", "Tokens", "identity_unigram", ["猫", "犬 1"],
     [("at the beginning of a document", 1, 0.2), ("anywhere", 2, 0.4)]),
    (
        "case_sensitivity", "Tokens", "bytes_bpe", ["cat Cat"],
        # cat ␠ C a t: 5 as written; lower cat ␠ cat; title and upper have no cat
        [("as written", 5, 1.0), ("lower case", 3, 0.6), ("Title Case", 7, 1.4),
         ("UPPER CASE", 7, 1.4)],
    ),
    (
        "vocabulary_use", "Use", "character_bpe", ["abab", "猫猫a", "a"],
        # Of a, b, ab and 猫, ab stands twice in one document, 猫 too.
        [("used", 3, 0.75), ("once", 0, 0.0), ("in one document only", 2, 0.5),
         ("never", 1, 0.25)],
    ),
    (
        "vocabulary_use", "In one", "character_bpe", ["abab", "猫猫猫a", "a"],
        [("猫", 3, 3, 2), ("ab", 4, 2, 1)],
    ),
    (
        "vocabulary_use", "Never", "character_bpe", ["abab", "猫"],
        [("a", 1), ("b", 2)],
    ),
    (
        "token_length", "Lengths", "character_bpe", ["ab猫犬a"],
        # a b; ab; 猫
        [("1", 2, 0.5, 1 / 3), ("2", 1, 0.25, 1 / 3), ("3", 1, 0.25, 1 / 3)],
    ),
    (
        "tokens_per_document", "Lengths", "character_bpe", ["ab", "a" * 3],
        [(0, 1), (5, 1), (25, 1), (50, 1), (75, 3), (95, 3), (99, 3), (100, 3)],
    ),
    (
        "tokens_per_character", "By script", "bytes_bpe", ["猫 catが"],
        # 猫; ␠; cat; <e3 81> <8c>
        [("Hiragana", 1, 2.0, 0.5), ("Latin", 3, 1.0, 3.0), ("Han", 1, 1.0, 1.0),
         ("Common", 1, 1.0, 1.0)],
    ),
    (
        "tokens_per_character", "By block", "straddling_bpe", ["猫は"],
        # <ab e3> is half of each
        [("Hiragana", 1, 2.5, 0.4), ("CJK Unified Ideographs", 1, 2.5, 0.4)],
    ),
    (
        "renyi_efficiency", "Entropies", "character_level", ["ab"],
        # two of four tokens, equally frequent
        [(order, 1.0, 1.0, 0.5) for order in (0.0, 1.0, 2.0, 2.5, 3.0)],
    ),
    ("zipf_slope", "Counts", "character_level", ["aaaab"], [(1, 4, 4.0), (2, 1, 1.0)]),
    ("zipf_slope", "The line", "character_level", ["aaaab"],
     [("slope", 2.0), ("R²", 1.0), ("ranks", 2)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "title", "name", "documents", "rows"),
    DETAILS,
    ids=[f"{metric}, {title}" for metric, title, *_ in DETAILS],
)
def test_details(
    metric: str, title: str, name: str, documents: list[str], rows: list[tuple[object, ...]]
) -> None:
    found = table(metric, title, observed(TOKENIZERS[name](), documents))
    assert len(found) == len(rows)
    for its, expected in zip(found, rows, strict=True):
        assert list(its) == [
            pytest.approx(part) if isinstance(part, float) else part for part in expected
        ]


def test_a_slope_is_of_the_first_thousand_ranks() -> None:
    # Counts 1500, 1499, … of as many characters; as far as rank 1,500 the line is steeper.
    alphabet = "".join(chr(0x4E00 + at) for at in range(1_500))
    seen = observed(
        characters_of(alphabet),
        ["".join(it * (1_500 - at) for at, it in enumerate(alphabet))],
    )
    x = np.log(np.arange(1, 1_001))
    expected = -np.polyfit(x, np.log(1_501 - np.arange(1, 1_001)), 1)[0]
    assert value("zipf_slope", seen) == pytest.approx(expected)
    assert dict(table("zipf_slope", "The line", seen))["ranks"] == 1_000


def test_speed_is_that_of_the_fastest_of_three_passes_on_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = observe(["low lower"] * 20_000, merges=["low"])
    clock = iter([0.0, 0.5, 10.0, 10.02, 20.0, 20.3])
    asked = []
    encode = type(seen.tokenizer).encode_batch

    def encode_batch(self: object, documents: list[str], threads: int | None = None) -> object:
        asked.append((len(documents), threads))
        return encode(self, documents, threads=threads)  # type: ignore[arg-type]

    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    monkeypatch.setattr(type(seen.tokenizer), "encode_batch", encode_batch)
    values = BY_NAME["speed"].values(seen, seen.corpus.draws)
    assert values[0] == pytest.approx(9 * 20_000 / 1e6 / 0.02)
    assert np.isnan(values[1:]).all()
    assert next(clock, None) is None
    assert asked == [(1, 1), *[(20_000, 1)] * 3]


# ── what others publish ───────────────────────────────────────────────────────────────────────
PICKLED = ["pick", "ed", "pick", "l", "ed", "pick", "les"]  # pick @@ed pick @@l @@ed pick @@les


@pytest.mark.parametrize(
    ("order", "efficiency"), [(1.0, 0.9211854965), (2.5, 0.8265064834), (3.0, 0.8031528501)]
)
def test_the_efficiencies_of_tokenization_scorer(order: float, efficiency: float) -> None:
    rows = table("renyi_efficiency", "Entropies", observe(PICKLED, merges=["pick", "ed", "les"]))
    (found,) = [row[2] for row in rows if row[0] == order]
    assert found == pytest.approx(efficiency, abs=1e-10)


# ── phrases ───────────────────────────────────────────────────────────────────────────────────
NOTICE = "All rights reserved. Do not copy without permission."


@pytest.mark.parametrize(
    ("documents", "repeated"),
    [
        ([NOTICE], 0.0),
        ([NOTICE, NOTICE], 1.0),
        ([NOTICE + NOTICE], 1.0),  # in one document too
        ([NOTICE[:47], NOTICE[:47]], 0.0),  # too short
        ([NOTICE[:48], NOTICE[:48]], 1.0),
        ([NOTICE[:30], NOTICE[30:] + NOTICE], 0.0),  # not across documents
        (["x" * 49], 1.0),  # places may overlap
        ([NOTICE, "ab" + NOTICE], 104 / 106),
        (["", NOTICE, "", NOTICE], 1.0),
    ],
)
def test_the_text_in_repeated_phrases(documents: list[str], repeated: float) -> None:
    seen = observe(documents, merges=[])
    assert seen.corpus.text.repeated.mean() == pytest.approx(repeated)


def test_the_phrases_behind_tokens() -> None:
    seen = observe([NOTICE, "cat " + NOTICE, "cats"], merges=["reserved", "cat"])
    rows = table("repeated_phrases", "The longest", seen)
    assert rows[0] == ("reserved", 262, 2, 2, NOTICE.replace(" ", "␠"))
    assert "cat" not in [row[0] for row in rows]


# ── nothing to measure ────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("documents", [[], [""], ["", "", ""]], ids=["none", "one", "three"])
def test_nothing(name: str, documents: Sequence[str]) -> None:
    seen = observed(TOKENIZERS[name](), documents)
    empty = 1.0 if documents else nan  # empty documents come back exactly
    expected = {
        "tokens": 0.0,
        "tokens_per_document": 0.0 * empty,
        "lone_space_marks": 0.0 * empty,
        "round_trip": empty,
        "vocabulary_use": 0.0,
        "never_used": float(seen.vocabulary.regular.sum()),
        "longest_pieces": value("longest_pieces", seen),
    }
    for metric in OURS:
        values = metric.values(seen, seen.corpus.draws)
        assert values.shape == (len(seen.corpus.draws),)
        found = float(values[0])
        assert found == pytest.approx(expected.get(metric.name, nan), nan_ok=True), metric.name
        if metric.details is not None:
            metric.details(seen)


# ── real vocabularies ─────────────────────────────────────────────────────────────────────────
REAL = {
    "tiktoken/o200k_base.tiktoken": b"",
    "npm/llama3/tokenizer.json": b"",
    "npm/qwen3/tokenizer.json": b"",
    "npm/gptoss/tokenizer.json": b"",
    "npm/gemma3/tokenizer.json": b"",
    "npm/llama2/tokenizer.json": b" ",  # which it puts before a text
    "spm/kyoto_ja_unigram_8000.model": b" ",
}
"""Files with what their tokens stand for beside the text."""


@pytest.mark.parametrize("path", REAL)
def test_tokens_stand_for_the_bytes_of_the_text(path: str) -> None:
    text = "東京都 に cats, 1つの①範囲\n  if x: 鬱鬱👩‍🔧\t"
    if path.startswith("spm"):
        text = "東京 に 行く。"  # what it has pieces for, and does not change
    seen = observed(kugiri.load(parity_file(path)), [text])
    found = b"".join(seen.vocabulary.texts[id] for id in seen.batch.ids.tolist())
    assert found == REAL[path] + text.encode()
    assert value("unknown_rate", seen) == 0
    assert value("round_trip", seen) == 1


# ── the texts of metrics ──────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("metric", OURS, ids=lambda metric: metric.name)
def test_a_metric_says_all_about_itself(metric: object) -> None:
    for field in (
        "name",
        "title",
        "unit",
        "definition",
        "formula",
        "source",
        "misleads",
        "evidence",
    ):
        text = getattr(metric, field)
        assert text, field
        assert "  " not in text, field
