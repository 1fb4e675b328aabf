"""Canonical ids: every answer beside the slow obvious way.

The merge loop of the readable engine is the oracle of both searches for neighbours, the encoding of
whole texts that of what comes next.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, product

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri.errors import OptionError, VocabularyError
from kugiri.reference.models.bpe import RankOf, merge_steps
from kugiri.reference.models.neighbours import Neighbours
from kugiri.spec import BPE, NFC, TokenizerSpec
from kugiri.tables import Merges, Tokens
from kugiri.tokenizer import Tokenizer
from kugiri.tokenizing.canonical import Healed
from tests.conftest import sliced
from tests.oracles import parity_file
from tools.parity_texts import TEXTS


# ── neighbours ────────────────────────────────────────────────────────────────────────────────
def merged(string: bytes, rank_of: RankOf) -> tuple[bytes, ...]:
    """What the merge loop of the readable engine makes of bytes, UTF-8 or not."""
    symbols = tuple(bytes([byte]) for byte in string)
    for step in merge_steps(symbols, rank_of):
        symbols = step.after
    return symbols


def stay(left: bytes, right: bytes, rank_of: RankOf) -> bool:
    return merged(left + right, rank_of) == (left, right)


def as_bytes(token: bytes | str) -> bytes:
    return token.encode() if isinstance(token, str) else token


def check_neighbours(tok: Tokenizer, strings: list[bytes], rank_of: RankOf) -> None:
    """Both engines, for every two tokens."""
    readable = Neighbours(strings, rank_of)
    for left, string in enumerate(strings):
        expected = [right for right in strings if stay(string, right, rank_of)]
        assert readable.after(string) == expected
        assert [strings[id] for id in tok.neighbours(left).tolist()] == expected


letters = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=14)


@settings(max_examples=100, deadline=None)
@given(letters, st.randoms(use_true_random=False))
def test_any_merges(picks: list[tuple[int, int]], draw: random.Random) -> None:
    """In any order, several for one token, before those of their parts, and never reached."""
    strings, rows = [b"a", b"b"], []
    for left, right in picks:
        left, right = left % len(strings), right % len(strings)
        string = strings[left] + strings[right]
        if len(string) > 8:
            continue
        if string not in strings:
            strings.append(string)
        rows.append((left, right, strings.index(string)))
    draw.shuffle(rows)
    ranks = {(strings[left], strings[right]): rank for rank, (left, right, _) in enumerate(rows)}
    columns = np.array(rows, np.uint32).reshape(-1, 3).T
    model = BPE(Tokens.from_iter(strings), merges=Merges(*map(np.ascontiguousarray, columns)))
    check_neighbours(Tokenizer(TokenizerSpec(model)), strings, ranks.get)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("ab", min_size=2, max_size=7), max_size=14, unique=True))
def test_any_ranks(tokens: list[str]) -> None:
    """A vocabulary without merges: each two tokens whose join is one are merged."""
    strings = [b"a", b"b", *map(str.encode, tokens)]
    ids = {string: id for id, string in enumerate(strings)}
    tok = Tokenizer(TokenizerSpec(BPE(Tokens.from_iter(strings), order="rank")))
    check_neighbours(tok, strings, lambda pair: ids.get(pair[0] + pair[1]))


@pytest.mark.parametrize("corpus", ["aaabab abba baab", "ああいあ いいああ", "🐈🐕🐈 ab🐈"])
def test_neighbours_as_merging(corpus: str) -> None:
    tok = kugiri.train([corpus] * 2, num_merges=9, pre_tokenizer="none")
    ranks = {(as_bytes(m.left), as_bytes(m.right)): rank for rank, m in enumerate(tok.merges)}
    strings = [*(bytes([byte]) for byte in range(256)), *(as_bytes(m.result) for m in tok.merges)]
    check_neighbours(tok, strings, ranks.get)


def test_pairs_decide_whole_sequences() -> None:
    tok = kugiri.train(["aaabab abba baab"] * 2, num_merges=9, pre_tokenizer="none")
    ids = [97, 98, *range(256, tok.vocab_size)]
    follow = {id: set(tok.neighbours(id).tolist()) for id in ids}
    alone = {id for id in ids if tok.is_canonical([id])}
    for length in (1, 2, 3, 4):
        for sequence in product(ids, repeat=length):
            by_pairs = sequence[0] in alone and all(
                right in follow[left] for left, right in pairwise(sequence)
            )
            text = b"".join(map(tok.token_bytes, sequence)).decode()
            assert tok.is_canonical(sequence) == by_pairs == (tok.encode(text) == [*sequence])


@pytest.fixture(scope="module", params=["npm/gpt4o", "npm/llama3", "npm/qwen3", "o200k_base"])
def real(request: pytest.FixtureRequest) -> Tokenizer:
    name = request.param
    path = f"{name}/tokenizer.json" if "/" in name else f"tiktoken/{name}.tiktoken"
    return kugiri.load(parity_file(path))


def test_neighbours_of_real_vocabularies(real: Tokenizer) -> None:
    """Beside merging in the readable engine; in Llama 3 many merges rank before their parts'."""
    model = real.spec.model
    assert isinstance(model, BPE)
    draw = random.Random(0)
    ids = sorted(real.tokens_with_prefix(b"").tolist())
    strings = {id: real.token_bytes(id) for id in ids}
    numbers = {string: id for id, string in strings.items()}
    ranks: dict[tuple[bytes, bytes], int] = {}
    if model.merges is not None:
        sides = (model.merges.left.tolist(), model.merges.right.tolist())
        ranks = {(strings[i], strings[j]): k for k, (i, j) in enumerate(zip(*sides, strict=True))}
    rank_of = ranks.get if ranks else lambda pair: numbers.get(pair[0] + pair[1])
    letters = [id for id in ids[:60_000] if strings[id].isalpha() and strings[id].islower()]
    for left in [*draw.sample(letters, 6), *draw.sample(ids, 6)]:
        follow = set(real.neighbours(left).tolist())
        assert follow <= {*ids}
        for right in [*draw.sample(letters, 100), *draw.sample(ids, 100)]:
            assert (right in follow) == stay(strings[left], strings[right], rank_of)


# ── what comes next ───────────────────────────────────────────────────────────────────────────
def comes_next(tok: Tokenizer, ids: list[int], id: int) -> bool:
    """Whether ids are the beginning of what a text is encoded to that ends with their last char."""
    data, with_it = tok.decode_bytes([*ids, id]), [*ids, id]
    if not tok.token_bytes(id):
        return False
    texts = list(whole_characters(data))
    encoded = tok.encode_batch(texts).to_lists()
    if len(texts) == 1 and texts[0].encode() == data:
        return encoded == [with_it]
    return any(row[: len(with_it)] == with_it for row in encoded)


def whole_characters(data: bytes) -> Iterator[str]:
    """A text, or all texts that have one more whole character; of four bytes only some."""
    try:
        yield data.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return
        lead, known = data[error.start], len(data) - error.start
        length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        few = range(0x80, 0xC0, 1 if length < 4 else 9)
        for rest in product(few, repeat=length - known):
            with suppress(UnicodeDecodeError):
                yield (data + bytes(rest)).decode()


CORPUS = ["低い low lower 低い、 12 123 don't\n  x  y", "éa ea\n\n  ああいあ 🐈🐕"]
BEGINNINGS = ["", "lo", "low ", "x  ", "12", "低い", "don'", "a\n", "low lower 低い、 lo", "é"]


@pytest.mark.parametrize("pattern", ["o200k", "gpt2", "none", r"a(?=b)|\S+|\s+"])
@pytest.mark.parametrize("how", ["list", "whole words", "rank", "NFC"])
def test_next_as_trying_all(pattern: str, how: str) -> None:
    tok = kugiri.train(CORPUS * 2, num_merges=30, pre_tokenizer=pattern, special_tokens=["<s>"])
    tok = changed(tok, how)
    for text in BEGINNINGS:
        ids = tok.encode(text)
        tails = (
            [ids, ids[:-1]] if text != "é" else [ids, *(tok.encode("é🐈あ")[:n] for n in (1, 3))]
        )
        for beginning in tails:
            follow = set(tok.next_tokens(beginning).tolist())
            assert follow <= {*range(tok.vocab_size)} - {tok.special_tokens["<s>"]}
            for id in range(0, tok.vocab_size):
                if id in (*range(0xE0, 0xF8), tok.special_tokens["<s>"]) and id % 5:
                    continue  # a lead byte alone has thousands of characters
                assert (id in follow) == comes_next(tok, beginning, id), (beginning, id)


def changed(tok: Tokenizer, how: str) -> Tokenizer:
    """The same vocabulary, used in another way; some tokens are never merged."""
    spec, model = tok.spec, tok.spec.model
    assert isinstance(model, BPE)
    replace = msgspec.structs.replace
    if how == "NFC":
        return Tokenizer(replace(spec, normalizer=NFC()))
    if how == "whole words":
        strings = [bytes(token) for token in model.vocab]
        extra = [b"lowl", " 低".encode(), b"12\n", b"lo lo"]
        vocab = Tokens.from_iter([*strings, *(token for token in extra if token not in strings)])
        return Tokenizer(replace(spec, model=replace(model, vocab=vocab, ignore_merges=True)))
    if how == "rank":
        return Tokenizer(replace(spec, model=replace(model, merges=None, order="rank")))
    return tok


def test_only_what_is_behind_a_special_token_counts() -> None:
    tok = kugiri.train(["low lower"] * 2, num_merges=3, special_tokens=["<s>"])
    special = tok.special_tokens["<s>"]
    assert tok.next_tokens([special]).tolist() == tok.next_tokens([]).tolist()
    lo = tok.encode("lo")
    assert tok.next_tokens([108, 111, special, *lo]).tolist() == tok.next_tokens(lo).tolist()
    assert not len(tok.next_tokens(list(b"lo")))  # not canonical itself


@pytest.mark.parametrize("number", range(2))
def test_next_in_real_texts(real: Tokenizer, number: int) -> None:
    draw = random.Random(number)
    text = sliced(TEXTS[number], 0.002)
    start = draw.randrange(len(text) - 200)
    ids = real.encode(text[start : start + 200])
    all_ids = real.tokens_with_prefix(b"").tolist()
    for end in draw.sample(range(len(ids)), 2):
        follow = set(real.next_tokens(ids[:end]).tolist())
        inside = [id for id in follow if real.token_bytes(id)[-1] >= 0x80][:6]
        for id in [*draw.sample(all_ids, 80), ids[end], *inside]:
            assert (id in follow) == comes_next(real, ids[:end], id), (ids[:end], id)


# ── prefixes, healing, all ids ────────────────────────────────────────────────────────────────
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
    with pytest.raises(OptionError, match=r"use text\.encode\(\)"):
        tok.tokens_with_prefix("a")  # type: ignore[arg-type]
    with pytest.raises(VocabularyError):
        tok.next_tokens([999])
    with pytest.raises(VocabularyError):
        tok.neighbours(999)
    words = kugiri.train(["ab ab"] * 3, unit="char", num_merges=1)
    for ask in (lambda: words.tokens_with_prefix(b"a"), lambda: words.next_tokens([0])):
        with pytest.raises(OptionError, match="not byte-level"):
            ask()
