"""Canonical ids: every answer beside the slow obvious way."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri.canonical import Healed, Neighbours
from kugiri.errors import OptionError, VocabularyError
from kugiri.reference.models.bpe import merge_steps
from kugiri.spec import BPE
from kugiri.tables import Merges, Tokens
from kugiri.tokenizer import Tokenizer
from tests.oracles import parity_file


def merged(string: bytes, ranks: dict[tuple[bytes, bytes], int]) -> tuple[bytes, ...]:
    """What the merge loop of the readable engine makes of bytes, UTF-8 or not."""
    symbols = tuple(bytes([byte]) for byte in string)
    for step in merge_steps(symbols, ranks.get):
        symbols = step.after
    return symbols


def as_bytes(token: bytes | str) -> bytes:
    return token.encode() if isinstance(token, str) else token


@pytest.mark.parametrize("corpus", ["aaabab abba baab", "ああいあ いいああ", "🐈🐕🐈 ab🐈"])
def test_neighbours_as_merging(corpus: str) -> None:
    tok = kugiri.train([corpus] * 2, num_merges=9, pre_tokenizer="none")
    ranks = {(as_bytes(m.left), as_bytes(m.right)): rank for rank, m in enumerate(tok.merges)}
    alphabet = sorted({*corpus.encode()})
    ids = [*alphabet, *range(256, tok.vocab_size)]
    for left in ids:
        follow = set(tok.next_tokens([left]).tolist())
        for right in ids:
            parts = (tok.token_bytes(left), tok.token_bytes(right))
            assert (right in follow) == (merged(b"".join(parts), ranks) == parts), parts


def test_pairs_decide_whole_sequences() -> None:
    tok = kugiri.train(["aaabab abba baab"] * 2, num_merges=9, pre_tokenizer="none")
    ids = [97, 98, *range(256, tok.vocab_size)]
    follow = {id: set(tok.next_tokens([id]).tolist()) for id in ids}
    alone = {id for id in ids if tok.is_canonical([id])}
    for length in (1, 2, 3, 4):
        for sequence in product(ids, repeat=length):
            by_pairs = sequence[0] in alone and all(
                right in follow[left] for left, right in pairwise(sequence)
            )
            text = b"".join(map(tok.token_bytes, sequence)).decode()
            assert tok.is_canonical(sequence) == by_pairs == (tok.encode(text) == [*sequence])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=12))
def test_any_merges(picks: list[tuple[int, int]]) -> None:
    """Merges in any order, several for one token, and tokens that none of them reaches."""
    strings, rows = [b"a", b"b"], []
    for left, right in picks:
        left, right = left % len(strings), right % len(strings)
        string = strings[left] + strings[right]
        if len(string) > 8:
            continue
        if string not in strings:
            strings.append(string)
        rows.append((left, right, strings.index(string)))
    ranks = {(strings[left], strings[right]): rank for rank, (left, right, _) in enumerate(rows)}
    columns = np.array(rows, np.uint32).reshape(-1, 3).T
    model = BPE(Tokens.from_iter(strings), merges=Merges(*map(np.ascontiguousarray, columns)))
    try:
        neighbours = Neighbours(model, list(range(len(strings))), strings)
    except OptionError:
        return
    for left, left_string in enumerate(strings):
        expected = [
            right
            for right, string in enumerate(strings)
            if merged(left_string + string, ranks) == (left_string, string)
        ]
        assert neighbours.after(left).tolist() == expected


@pytest.fixture(scope="module", params=["gpt4o", "qwen3"])
def real(request: pytest.FixtureRequest) -> Tokenizer:
    return kugiri.load(parity_file(f"npm/{request.param}/tokenizer.json"))


def test_real_vocabularies(real: Tokenizer) -> None:
    """Neighbours inside a word of letters, which no pattern cuts."""
    rng = np.random.default_rng(0)
    words = [id for id in range(1000, 40_000) if real.token_bytes(id).isalpha()]
    words = [id for id in words if real.token_bytes(id).islower()]
    for left in rng.choice(words, 6).tolist():
        follow = set(real.next_tokens([left]).tolist())
        for right in rng.choice(words, 400).tolist():
            if len(real.encode(real.decode([left, right]))) > 1:  # else a word taken whole
                assert (right in follow) == real.is_canonical([left, right])


def test_a_merge_before_those_of_its_parts() -> None:
    strings = [b"a", b"b", b"c", b"ab", b"abc"]
    merges = Merges([3, 0], [2, 1], [4, 3])  # ab c → abc ranks before a b → ab
    with pytest.raises(OptionError, match="the tokens 3 and 2 have a merge that comes before"):
        Neighbours(BPE(Tokens.from_iter(strings), merges=merges), list(range(5)), strings)


def test_prefix_and_healing_as_looking_at_all() -> None:
    tok = kugiri.train(["低い low lower 低い"] * 2, num_merges=9, special_tokens=["<lo>"])
    strings = {
        id: tok.token_bytes(id)
        for id in range(tok.vocab_size)
        if id not in [*tok.special_tokens.values()]
    }
    for prefix in (b"", b"l", b"lo", b"\xe4", b"zz", "低".encode()):
        expected = sorted((s, id) for id, s in strings.items() if s.startswith(prefix))
        assert tok.tokens_with_prefix(prefix).tolist() == [id for _, id in expected]
    for ids in (tok.encode("a lo"), list("x低".encode())[:-1], [tok.special_tokens["<lo>"]], []):
        ends = [
            (place, end)
            for place in range(len(ids) + 1)
            if all(id in strings for id in ids[place:])
            for end in [b"".join(strings[id] for id in ids[place:])]
            if end and any(s.startswith(end) and s != end for s in strings.values())
        ]
        cut, prefix = ends[0] if ends else (len(ids), b"")
        assert tok.heal(ids) == Healed(ids[:cut], prefix)


def test_not_utf8_is_not_canonical() -> None:
    tok = kugiri.train(["ab"], vocab_size=256)
    assert tok.is_canonical([0xE7, 0x8C, 0xAB])
    assert not tok.is_canonical([0xE7, 0x8C])
    assert tok.is_canonical([])


def test_refused() -> None:
    tok = kugiri.train(["ab ab"], vocab_size=256)
    with pytest.raises(OptionError, match="next_tokens needs the id"):
        tok.next_tokens([])
    with pytest.raises(OptionError, match=r"use text\.encode\(\)"):
        tok.tokens_with_prefix("a")  # type: ignore[arg-type]
    with pytest.raises(VocabularyError):
        tok.next_tokens([999])
    words = kugiri.train(["ab ab"] * 3, unit="char", num_merges=1)
    with pytest.raises(OptionError, match="not byte-level"):
        words.tokens_with_prefix(b"a")
