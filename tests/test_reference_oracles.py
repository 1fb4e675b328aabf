"""The readable engine against the original libraries, on texts and corpora made by hypothesis.

Nothing is fetched: the oracles are given the same pattern, vocabulary and merges.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kugiri.patterns import EQUIVALENT, PATTERNS
from kugiri.reference.alignment import Aligned
from kugiri.reference.byte_alphabet import CHARACTER_OF
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.pre_tokenize import pre_tokenize
from kugiri.reference.train.bpe import train_steps
from kugiri.reference.train.bpe_start import Options, start
from kugiri.spec import BPE, Regex, Split, TokenizerSpec
from kugiri.tables import Merges, Tokens
from kugiri.tokenizer import Tokenizer

tiktoken: Any = pytest.importorskip("tiktoken", reason="tiktoken is absent: run `make parity-data`")
tokenizers: Any = pytest.importorskip(
    "tokenizers", reason="tokenizers is absent: run `make parity-data`"
)

# Letters of contractions, and one or two characters of each class that a pattern tells apart.
tricky = (
    "aBcsStTdDrReEvVlLmM''   \n\r\t12½①,.!/_-ſǅʰª٣あかがアー々漢字"
    "\u3099\u0301\u3000\u0085\u001c👍🏽🐈"
)
texts = st.text(
    st.one_of(st.sampled_from(tricky), st.characters(exclude_categories=["Cs"])), max_size=25
)
corpora = st.dictionaries(
    st.text(st.sampled_from("abあ猫"), min_size=1, max_size=9),
    st.integers(1, 5),
    min_size=1,
    max_size=8,
)


def tiktoken_encoding(pattern: str, tokens: list[bytes]) -> Any:
    """A tiktoken encoding whose tokens are the bytes and what is given."""
    vocab = dict.fromkeys([bytes([byte]) for byte in range(256)] + tokens)
    ranks = {token: rank for rank, token in enumerate(vocab)}
    return tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@pytest.mark.parametrize("pattern", [*PATTERNS.values(), *EQUIVALENT])
@given(text=texts)
@settings(deadline=None)
def test_patterns_cut_as_tiktoken_does(pattern: str, text: str) -> None:
    # A word that is a token is one token: with every part of the text in the vocabulary, the tokens
    # are the words.
    parts = [text[i:j].encode() for i in range(len(text)) for j in range(i + 1, len(text) + 1)]
    encoding = tiktoken_encoding(pattern, parts)
    expected = encoding.decode_tokens_bytes(encoding.encode_ordinary(text))
    found = pre_tokenize(Aligned.of(text), Split(Regex(pattern), "removed", invert=True))
    assert [word.text.encode() for word in found] == expected


@given(
    text=texts,
    tokens=st.lists(
        st.one_of(
            st.text("abあ猫", min_size=1, max_size=4).map(str.encode),
            st.lists(st.sampled_from(b"a\xc3\xa9\xe0\x83\xe3"), min_size=1, max_size=4).map(bytes),
        ),
        max_size=12,
    ),
)
@example(text="aé", tokens=[b"\xe0\x83", b"\xe0\x83\xa9"])  # three bytes that spell é wrongly
@settings(deadline=None)
def test_rank_order_encodes_as_tiktoken_does(text: str, tokens: list[bytes]) -> None:
    text += b"".join(tokens).decode(errors="ignore")
    encoding = tiktoken_encoding(r"[\s\S]+", tokens)
    vocab = [encoding.decode_single_token_bytes(id) for id in range(encoding.n_vocab)]
    spec = TokenizerSpec(BPE(Tokens.from_iter(vocab), order="rank", ignore_merges=True))
    expected = encoding.encode_ordinary(text)
    assert [token.id for token in ReferenceTokenizer(spec).encode(text)] == expected
    assert Tokenizer(spec).encode(text) == expected


def hf_train(counts: dict[str, int], **options: Any) -> Any:
    """A tokenizers BPE trained on words; NUL parts them."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("\0", "removed")
    trainer = tokenizers.trainers.BpeTrainer(show_progress=False, **options)
    tokenizer.train_from_iterator(["\0".join([word] * n) for word, n in counts.items()], trainer)
    return tokenizer


@given(counts=corpora, room=st.integers(0, 12), min_frequency=st.integers(1, 3))
@settings(deadline=None)
def test_training_merges_as_tokenizers_does(
    counts: dict[str, int], room: int, min_frequency: int
) -> None:
    size = len(set("".join(counts))) + room
    hf = hf_train(counts, vocab_size=size, min_frequency=min_frequency)
    options = Options(unit="char", vocab_size=size, min_frequency=min_frequency)
    steps = list(train_steps({word.encode(): n for word, n in counts.items()}, options))
    merges = json.loads(hf.to_str())["model"]["merges"]
    assert [[step.left.decode(), step.right.decode()] for step in steps] == merges


@given(counts=corpora, room=st.integers(0, 12))
@settings(deadline=None)
def test_byte_order_gpt2_is_that_of_tokenizers(counts: dict[str, int], room: int) -> None:
    visible = {
        "".join(CHARACTER_OF[byte] for byte in word.encode()): count
        for word, count in counts.items()
    }
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    hf = hf_train(visible, vocab_size=256 + room, min_frequency=2, initial_alphabet=alphabet)
    options = Options(byte_order="gpt2", vocab_size=256 + room)
    steps = train_steps({word.encode(): n for word, n in counts.items()}, options)
    found = [
        ["".join(CHARACTER_OF[byte] for byte in side) for side in (step.left, step.right)]
        for step in steps
    ]
    assert found == json.loads(hf.to_str())["model"]["merges"]


@given(
    counts=corpora, text=st.text(st.sampled_from("abcあ猫犬駅"), max_size=20), fuse=st.booleans()
)
@settings(deadline=None)
def test_characters_encode_as_tokenizers_does(
    counts: dict[str, int], text: str, fuse: bool
) -> None:
    options = Options(unit="char", num_merges=12)
    encoded = {word.encode(): count for word, count in counts.items()}
    steps = list(train_steps(encoded, options))
    alphabet = start(encoded, options).alphabet
    tokens = [*alphabet, *(step.left + step.right for step in steps), b"<unk>"]
    ids = {token: id for id, token in enumerate(tokens)}
    merges = [(step.left, step.right) for step in steps]

    hf = tokenizers.models.BPE(
        vocab={token.decode(): id for token, id in ids.items()},
        merges=[(left.decode(), right.decode()) for left, right in merges],
        unk_token="<unk>",
        fuse_unk=fuse,
    )
    model = BPE(
        Tokens.from_iter(tokens),
        unit="char",
        merges=Merges(
            [ids[left] for left, _ in merges],
            [ids[right] for _, right in merges],
            [ids[left + right] for left, right in merges],
        ),
        unk_token="<unk>",
        fuse_unk=fuse,
    )
    found = ReferenceTokenizer(TokenizerSpec(model)).encode(text)
    # The spans of tokenizers' models are in bytes of the word.
    assert [(token.id, (token.start, token.end)) for token in found] == [
        (token.id, token.offsets) for token in hf.tokenize(text)
    ]
