"""What holds for every text and every corpus on the readable engine."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.patterns import PATTERNS
from kugiri.reference.byte_alphabet import CHARACTER_OF
from kugiri.reference.models.bpe import MergeStep, merge_steps
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.train.bpe import train_steps
from kugiri.reference.train.bpe_start import TIES, Options, start
from kugiri.reference.train.word_counts import count_words
from kugiri.spec import BPE, ByteLevel, ByteLevelDecoder, Regex, Split, TokenizerSpec
from kugiri.tables import Merges, Tokens

LOSSLESS = [name for name in PATTERNS if name != "japanese-scripts"]

# Text as people write it, with what is hard in it: marks, joiners, NUL, unassigned code points.
tricky = "aabbc  \n\r'sS12、。あいかがアー小さ猫東京🐈🏽\u3099\u0301\u200d\u0000\u0378"
texts = st.text(
    st.one_of(st.sampled_from(tricky), st.characters(exclude_categories=["Cs"])), max_size=40
)
tiny_words = st.text(st.sampled_from("abc"), min_size=1, max_size=9).map(str.encode)
japanese_words = st.text(st.sampled_from("あいう小さ猫a"), min_size=1, max_size=6).map(str.encode)


def corpora(words: st.SearchStrategy[bytes]) -> st.SearchStrategy[dict[bytes, int]]:
    """Small corpora of words with counts."""
    return st.dictionaries(words, st.integers(1, 5), min_size=1, max_size=8)


def trained(counts: dict[bytes, int], pattern: str) -> ReferenceTokenizer:
    """A byte-level tokenizer trained on words to the end."""
    vocab = [bytes([byte]) for byte in range(256)]
    steps = list(train_steps(counts, Options(num_merges=40))) if counts else []
    vocab += [step.left + step.right for step in steps]
    ids = {token: id for id, token in enumerate(vocab)}
    merges = Merges(
        [ids[step.left] for step in steps],
        [ids[step.right] for step in steps],
        [step.result for step in steps],
    )
    model = BPE(Tokens.from_iter(vocab), merges=merges)
    return ReferenceTokenizer(TokenizerSpec(model, pre_tokenizer=Split(Regex(PATTERNS[pattern]))))


def last(steps: list[MergeStep], symbols: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The symbols after the last of some merges."""
    return steps[-1].after if steps else symbols


# ── encoding ──────────────────────────────────────────────────────────────────────────────────
@given(corpus=st.lists(texts, min_size=1, max_size=5), text=texts, name=st.sampled_from(LOSSLESS))
@settings(deadline=None)
def test_round_trip_is_exact(corpus: list[str], text: str, name: str) -> None:
    counts = count_words([*corpus, text, text], Split(Regex(PATTERNS[name])))
    tokenizer = trained(counts, name)
    tokens = tokenizer.encode(text)
    assert tokenizer.decode([token.id or 0 for token in tokens], errors="strict") == text


@given(corpus=st.lists(texts, min_size=1, max_size=5), text=texts, name=st.sampled_from(LOSSLESS))
@settings(deadline=None)
def test_spans_rebuild_the_text(corpus: list[str], text: str, name: str) -> None:
    tokens = trained(count_words(corpus, Split(Regex(PATTERNS[name]))), name).encode(text)
    data = text.encode()
    assert [data[token.start : token.end] for token in tokens] == [token.text for token in tokens]
    assert b"".join(token.text for token in tokens) == data


@given(text=texts)
@settings(deadline=None)
def test_visible_bytes_are_the_bytes(text: str) -> None:
    """A byte-level tokenizer.json, in visible characters, gives the ids of plain bytes."""
    plain = trained({}, "gpt2")
    vocab = Tokens.from_iter(CHARACTER_OF[byte].encode() for byte in range(256))
    visible = ReferenceTokenizer(
        TokenizerSpec(
            BPE(vocab, unit="char", merges=Merges.empty()),
            pre_tokenizer=ByteLevel(add_prefix_space=False),
            decoder=ByteLevelDecoder(),
        )
    )
    tokens = visible.encode(text)
    assert [token.id for token in tokens] == [token.id for token in plain.encode(text)]
    assert [(token.start, token.end) for token in tokens] == list(pairwise(range(len(tokens) + 1)))
    assert visible.decode([token.id or 0 for token in tokens], errors="strict") == text


@given(ids=st.lists(st.integers(0, 255)))
def test_any_ids_decode(ids: list[int]) -> None:
    assert trained({}, "gpt2").decode(ids) == bytes(ids).decode(errors="replace")


@given(word=tiny_words, pairs=st.lists(st.tuples(tiny_words, tiny_words), max_size=8, unique=True))
def test_each_step_is_one_merge(word: bytes, pairs: list[tuple[bytes, bytes]]) -> None:
    symbols = tuple(bytes([byte]) for byte in word)
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    for step in merge_steps(symbols, ranks.get):
        assert step.before == symbols
        at = step.position
        assert symbols[at : at + 2] == (step.left, step.right)
        present = [ranks[pair] for pair in pairwise(symbols) if pair in ranks]
        assert step.rank == ranks[step.left, step.right] == min(present)
        symbols = step.after
    assert b"".join(symbols) == word
    assert not any(pair in ranks for pair in pairwise(symbols))


# ── training ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("tie", TIES)
@given(
    counts=st.one_of(corpora(tiny_words), corpora(japanese_words)),
    keep=st.booleans(),
    longest=st.sampled_from([None, 2, 3, 5]),
)
@settings(deadline=None)
def test_encoding_is_the_training_state(
    tie: str, counts: dict[bytes, int], keep: bool, longest: int | None
) -> None:
    """After k merges, the words are what encoding with k merges makes of them."""
    options = Options(
        tie=tie, min_frequency=1, num_merges=25, keep_characters=keep, max_piece_length=longest
    )
    words = start(counts, options).words
    tokens = sum(len(word.symbols) * word.count for word in words)
    ranks: dict[tuple[bytes, bytes], int] = {}
    for step in train_steps(counts, options):
        assert (step.left, step.right) not in ranks
        ranks[step.left, step.right] = len(ranks)
        for word, after in zip(words, step.words, strict=True):
            assert last(list(merge_steps(word.symbols, ranks.get)), word.symbols) == after.symbols
        tokens -= step.applied
        assert tokens == sum(len(word.symbols) * word.count for word in step.words)


@given(counts=st.one_of(corpora(tiny_words), corpora(japanese_words)), tie=st.sampled_from(TIES))
@settings(deadline=None)
def test_training_is_merging_from_left_to_right(counts: dict[bytes, int], tie: str) -> None:
    """The form of the algorithm that papers print gives the same words."""
    options = Options(unit="char", tie=tie, min_frequency=1, num_merges=25)
    words = [word.symbols for word in start(counts, options).words]
    for step in train_steps(counts, options):
        words = [merged(word, (step.left, step.right)) for word in words]
        assert words == [word.symbols for word in step.words]


def merged(symbols: tuple[bytes, ...], pair: tuple[bytes, bytes]) -> tuple[bytes, ...]:
    """Merge a pair from left to right, never taking a symbol twice."""
    out: list[bytes] = []
    at = 0
    while at < len(symbols):
        width = 2 if symbols[at : at + 2] == pair else 1
        out.append(b"".join(symbols[at : at + width]))
        at += width
    return tuple(out)


@given(counts=corpora(tiny_words), size=st.integers(0, 12), tie=st.sampled_from(TIES))
@settings(deadline=None)
def test_fewer_merges_are_the_first_of_more(counts: dict[bytes, int], size: int, tie: str) -> None:
    few = list(train_steps(counts, Options(num_merges=size, tie=tie)))
    more = list(train_steps(counts, Options(num_merges=15, tie=tie)))
    assert few == more[:size]


@given(counts=corpora(tiny_words), tie=st.sampled_from(TIES))
@settings(deadline=None)
def test_rivals_come_next_in_order(counts: dict[bytes, int], tie: str) -> None:
    for step in train_steps(counts, Options(num_merges=5, tie=tie, min_frequency=1)):
        seen = [step.count, *(count for _, count in step.rivals)]
        assert seen == sorted(seen, reverse=True)
        assert (step.left, step.right) not in [pair for pair, _ in step.rivals]


@given(counts=corpora(japanese_words))
@settings(deadline=None)
def test_keep_characters_leaves_no_mixed_token(counts: dict[bytes, int]) -> None:
    """Every token is whole characters, or the beginning of a single one."""
    options = Options(keep_characters=True, min_frequency=1, num_merges=60)
    for step in train_steps(counts, options):
        token = step.left + step.right
        whole = token.decode(errors="ignore").encode()
        assert whole in (token, b"")
        assert token.decode(errors="replace").count("\ufffd") == (whole != token)
