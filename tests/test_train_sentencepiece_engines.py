"""The parts of a SentencePiece training against their obvious forms, and against sentencepiece."""

from __future__ import annotations

import io
from collections import Counter
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.formats import sentencepiece
from kugiri.reference.rules import charsmap
from kugiri.reference.train.auto_coverage import divide
from kugiri.reference.train.bpe_pieces import merge_pieces
from kugiri.reference.train.sentences import (
    choose_alphabet,
    cut_into_words,
    cut_out,
    given_pieces,
    word_pattern,
)
from kugiri.reference.train.valid_pieces import PieceRules
from kugiri.sentencepiece.corpus import count_words, draw
from kugiri.sentencepiece.learn import Prepared, learn_merges
from kugiri.sentencepiece.normalize import READY_MADE, charsmap_of, normalizer_of
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.tables import Tokens
from kugiri.training.character_counts import count_characters
from kugiri.training.word_counts import WordCounts
from tests.sentencepiece_models import PARTS, WHOLE, oracle_sentencepiece

FLAGS = st.fixed_dictionaries(
    {
        "split_by_unicode_script": st.booleans(),
        "split_by_number": st.booleans(),
        "split_by_whitespace": st.booleans(),
        "split_digits": st.booleans(),
        "treat_whitespace_as_suffix": st.booleans(),
        "allow_whitespace_only_pieces": st.booleans(),
        "max_sentencepiece_length": st.sampled_from([1, 2, 3, 5, 16]),
    }
)
WORDS = st.dictionaries(
    st.text("ab▁1猫ー\x1f\u0301", min_size=1, max_size=9), st.integers(1, 3), min_size=1, max_size=8
)


def counted(words: dict[str, int]) -> WordCounts:
    texts = Tokens.from_iter(word.encode() for word in words)
    return WordCounts(texts, np.array(list(words.values()), np.uint64))


# ── bpe: the core, the readable engine, sentencepiece ─────────────────────────────────────────
@given(words=WORDS, flags=FLAGS, most=st.sampled_from([3, 40]))
def test_both_engines_merge_the_same(
    words: dict[str, int], flags: dict[str, Any], most: int
) -> None:
    options = SentencePieceOptions(model_type="bpe", **flags)
    prepared = Prepared(options, counted(words), {}, {}, 0, None)
    merged = learn_merges(prepared, "ab▁1猫ー", most)
    readable = merge_pieces(words, set("ab▁1猫ー"), PieceRules(**flags))
    assert list(merged.items()) == list(islice(readable, most))


@given(words=st.lists(st.text("ab 猫1", min_size=1, max_size=12), min_size=1, max_size=6))
def test_the_readable_engine_merges_as_sentencepiece(words: list[str]) -> None:
    """To the end, so that pairs that stand nowhere any more are merged too."""
    options: dict[str, Any] = {"normalization_rule_name": "identity", "character_coverage": 1.0}
    flags: dict[str, Any] = {"allow_whitespace_only_pieces": True, "split_by_number": False}
    writer = io.BytesIO()
    spaces = {"remove_extra_whitespaces": False, "hard_vocab_limit": False}
    oracle_sentencepiece().SentencePieceTrainer.train(
        sentence_iterator=iter(words), model_writer=writer, model_type="bpe", vocab_size=2000,
        minloglevel=2, num_threads=1, **options, **flags, **spaces,
    )  # fmt: skip
    theirs = [piece.decode() for piece in sentencepiece.read(writer.getvalue()).model.vocab][3:]
    pattern = word_pattern(as_suffix=False, spaces_together=True)
    counts = Counter(
        word for text in words for word in pattern.findall("▁" + text.replace(" ", "▁"))
    )
    alphabet = count_characters(counted(counts))
    merged = [piece for piece, _ in merge_pieces(counts, alphabet, PieceRules(**flags))]
    assert [*merged, *alphabet] == theirs


# ── the front ─────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["identity", "nmt_nfkc", "nfkc_cf"])
@given(
    texts=st.dictionaries(
        st.one_of(st.sampled_from(WHOLE), st.lists(st.sampled_from(PARTS)).map("".join)),
        st.integers(1, 3),
    ),
    given=st.sampled_from([[], ["<sep>", "<sep>2", "a"], ["▁▁", "猫", "猫で"]]),
    delimiter=st.sampled_from(["", "は", "▁"]),
    flags=st.fixed_dictionaries(
        dict.fromkeys(
            ["add_dummy_prefix", "remove_extra_whitespaces", "treat_whitespace_as_suffix",
             "allow_whitespace_only_pieces", "split_by_whitespace"],
            st.booleans(),
        )
    ),
)  # fmt: skip
def test_both_engines_count_the_same_words(
    name: str, texts: dict[str, int], given: list[str], delimiter: str, flags: dict[str, bool]
) -> None:
    options = SentencePieceOptions(
        model_type="bpe",
        normalization_rule_name=name,
        pretokenization_delimiter=delimiter,
        **flags,  # type: ignore[arg-type]
    )
    normalizer = normalizer_of(options)
    pattern = word_pattern(options.treat_whitespace_as_suffix, options.allow_whitespace_only_pieces)
    expected: Counter[str] = Counter()
    for text, count in texts.items():
        words = pattern if options.split_by_whitespace else None
        for word in cut_into_words(text, normalizer, given_pieces(given), delimiter, words):
            expected[word] += count
    found = count_words(texts, normalizer, given, options, 2)
    assert [(word.decode(), count) for word, count in found.items()] == list(expected.items())


@pytest.mark.parametrize("name", READY_MADE)
def test_rules_that_are_ready_made_are_those_that_would_be_made(name: str) -> None:
    assert charsmap_of(name) == charsmap(name)


@pytest.mark.parametrize(
    ("as_suffix", "together", "sentence", "words"),
    [
        (False, False, "▁a▁b", ["▁a", "▁b"]),
        (False, False, "a▁▁b▁", ["a", "▁", "▁b", "▁"]),
        (False, True, "a▁▁b▁", ["a", "▁▁b", "▁"]),
        (False, True, "▁▁▁", ["▁▁▁"]),
        (True, False, "a▁b▁", ["a▁", "b▁"]),
        (True, False, "▁▁a▁▁b", ["▁", "▁", "a▁", "▁", "b"]),
        (True, True, "▁▁a▁▁b", ["▁▁", "a▁▁", "b"]),
        (False, False, "a\nb", ["a\nb"]),
        (False, False, "", []),
    ],
)
def test_words(as_suffix: bool, together: bool, sentence: str, words: list[str]) -> None:
    assert word_pattern(as_suffix, together).findall(sentence) == words


@pytest.mark.parametrize(
    ("pieces", "sentence", "expected"),
    [
        ([], "a.b", "a.b"),
        (["."], "a.b", "a\x1fb"),
        (["<a>", "<a>b"], "x<a>bc<a>", "x\x1fc\x1f"),
        (["aa"], "aaa", "\x1fa"),
        (["a\nb"], "a\nb", "\x1f"),
    ],
)
def test_given_pieces_are_cut_out(pieces: list[str], sentence: str, expected: str) -> None:
    assert cut_out(sentence, given_pieces(pieces)) == expected


@pytest.mark.parametrize(
    ("counts", "coverage", "required", "alphabet"),
    [
        ({"a": 98, "b": 1, "c": 1}, 0.98, "", "a"),
        ({"a": 98, "b": 1, "c": 1}, 0.981, "", "ab"),
        ({"a": 98, "c": 1, "b": 1}, 0.99, "", "ab"),
        ({"a": 98, "b": 1, "c": 1}, 1.0, "", "abc"),
        ({"a": 98, "b": 1, "c": 1}, 0.98, "cz", "acz"),
        ({"a": 98, "\0": 50, "c": 2}, 1.0, "\0", "ac"),
        ({"\x1f": 60, "a": 39, "b": 1}, 0.98, "", "a"),
    ],
)
def test_alphabet(counts: dict[str, int], coverage: float, required: str, alphabet: str) -> None:
    chosen = choose_alphabet(counts, coverage, required)
    assert "".join(chosen) == alphabet
    assert all(count == counts.get(it, 0) for it, count in chosen.items())


@given(
    merges=st.dictionaries(st.text("ab猫犬だ", min_size=2, max_size=3), st.integers(0, 9)),
    characters=st.dictionaries(st.sampled_from("ab猫犬だéß"), st.integers(1, 9), min_size=1),
    room=st.integers(0, 12),
)
def test_dividing_is_the_best_of_all(
    merges: dict[str, int], characters: dict[str, int], room: int
) -> None:
    characters |= {it: characters.get(it, 1) for it in set("".join(merges))}

    def saved(pieces: list[str]) -> int:
        return sum(
            merges[it] if len(it) > 1 else characters[it] * (len(it.encode()) - 1) for it in pieces
        )

    def fill(k: int) -> list[str]:
        """The first k merges, their characters, and the best of the others."""
        inside = set("".join(list(merges)[:k]))
        others = sorted(characters.keys() - inside, key=lambda it: -saved([it]))
        useful = [it for it in others if saved([it])]
        left = room - k - len(inside)
        return [*list(merges)[:k], *inside, *useful[:left]] if left >= 0 else []

    best = max(saved(fill(k)) for k in range(len(merges) + 1))
    pieces = divide(merges, characters, room)
    assert saved(pieces) == best
    assert len(pieces) <= room


def test_each_sentence_is_drawn_as_often() -> None:
    drawn = Counter(
        text for seed in range(2000) for text, _ in draw([(it, 1) for it in "abcdefgh"], 2, seed)
    )
    assert sum(drawn.values()) == 4000
    assert all(400 < count < 600 for count in drawn.values())
