"""tokenizer.json against tokenizers: ids, places, decoding; files of others, and ours over there.

`make parity` compares all of the large texts; here it is a fixed slice of each.
"""

from __future__ import annotations

import random
import tempfile
import warnings
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.random_texts import random_texts
from kugiri.reference.pipeline import ReferenceTokenizer
from tests.conftest import sliced
from tests.hard_texts import HARD
from tests.hf_combinations import compare
from tests.oracles import oracle_hf, oracle_tiktoken, parity_file
from tests.strategies import texts
from tools.parity import (
    ENCODINGS,
    MODELS,
    TRAINED,
    hf_encoder,
)
from tools.parity_data import HOW_TO_GET
from tools.parity_texts import TEXTS

every_model = pytest.mark.parametrize("name", MODELS, scope="module")


@lru_cache(maxsize=1)
def ours(name: str) -> kugiri.Tokenizer:
    return kugiri.load(parity_file(f"npm/{name}/tokenizer.json"))


def hf_load(path: Path) -> Any:
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    return library.Tokenizer.from_file(str(path))


# ── what is saved as tokenizer.json is the same tokenizer there ───────────────────────────────
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "gpt2": {"preset": "gpt2", "special_tokens": ["<s>", "<|終|>", " a b"]},
    "gpt4, spelled anew for Oniguruma": {"preset": "gpt4"},
    "gpt4o, special tokens": {"preset": "gpt4o", "special_tokens": ["<|end|>"]},
    "llama3": {"preset": "llama3"},
    "japanese, whole characters kept": {"preset": "japanese", "special_tokens": ["<|end|>"]},
    "qwen2": {"pre_tokenizer": "qwen2"},
    "scripts": {"pre_tokenizer": "scripts"},
    "whitespace": {"pre_tokenizer": "whitespace"},
    "none": {"pre_tokenizer": "none"},
    "a regex": {"pre_tokenizer": r"\p{Han}+|\p{L}+|\d|[\s\S]"},
    "characters": {"unit": "char", "special_tokens": ["<unk>"], "limit_alphabet": 400},
}
PIECES = ["<s>", "<|終|>", " a b", "<|end|>", "<unk>", "<|en", "|>", " ", "\n", "日本語", "it's"]


@cache
def saved(name: str) -> tuple[kugiri.Tokenizer, Any, kugiri.Tokenizer]:
    """A tokenizer trained on three languages, and its tokenizer.json as both libraries load it."""
    corpus = [sliced(text_name, 0.005) for text_name in TRAINED]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "limit_alphabet", kugiri.KugiriWarning)
        path = Path(folder) / "tokenizer.json"
        tok = kugiri.train(corpus, vocab_size=2_000, **OPTIONS[name])
        tok.save(path)
        return tok, hf_load(path), kugiri.load(path)


@pytest.mark.parametrize("name", OPTIONS)
def test_saved_ids_of_slices(name: str) -> None:
    tok, theirs, again = saved(name)
    for text_name in TEXTS:
        text = sliced(text_name, 0.005)
        ids = tok.encode(text, allowed_special="all")
        assert ids == theirs.encode(text).ids
        assert ids == again.encode(text, allowed_special="all")


@pytest.mark.parametrize("name", OPTIONS)
@given(text=st.lists(st.one_of(st.sampled_from(PIECES), texts), max_size=6).map("".join))
def test_saved_ids_of_any_text(name: str, text: str) -> None:
    tok, theirs, again = saved(name)
    ids = tok.encode(text, allowed_special="all")
    assert ids == theirs.encode(text).ids
    assert ids == again.encode(text, allowed_special="all")
    if name != "characters":
        expected = theirs.decode(ids, skip_special_tokens=False)
        assert tok.decode(ids) == again.decode(ids) == expected


def test_saved_characters_decode_to_the_same_text(tmp_path: Path) -> None:
    tok = kugiri.train(["日本語の本", "日本の本"], unit="char", pre_tokenizer="none", num_merges=1)
    tok.save(tmp_path / "tokenizer.json")
    ids = tok.encode("日本語の本")
    assert tok.decode(ids) == "日本語の本"
    assert hf_load(tmp_path / "tokenizer.json").decode(ids) == "日本語の本"
    assert kugiri.load(tmp_path / "tokenizer.json").decode(ids) == "日本語の本"


TOKENS = ["a", "Ġ", "çĮ", "«", "çĮ«", "猫", "Ġ猫", "a b", "<0x41>"]


@given(ids=st.lists(st.integers(0, len(TOKENS)), max_size=6))
def test_a_byte_level_decoder_alone(ids: list[int]) -> None:
    """Visible characters become bytes, whether or not the text was split into them."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    theirs = library.Tokenizer(library.models.BPE({t: id for id, t in enumerate(TOKENS)}, []))
    theirs.decoder = library.decoders.ByteLevel()
    theirs.add_special_tokens(["<s>"])
    tok = kugiri.load(theirs.to_str().encode())
    assert tok.decode(ids) == theirs.decode(ids, skip_special_tokens=False)
    assert tok.decode(ids, skip_special_tokens=True) == theirs.decode(ids)
    assert tok.decode(ids) == ReferenceTokenizer(tok.spec).decode(ids)


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_public_encoding_saved_as_tokenizer_json(name: str, tmp_path: Path) -> None:
    """Ranks become merges; tokenizers then gives the ids of tiktoken."""
    path = tmp_path / "tokenizer.json"
    kugiri.load(parity_file(f"tiktoken/{name}.tiktoken")).save(path)
    theirs = hf_load(path)
    for text_name in TEXTS:
        text = sliced(text_name, 0.005)
        assert theirs.encode(text).ids == oracle_tiktoken(name).encode_ordinary(text)


# ── other people's tokenizer.json ─────────────────────────────────────────────────────────────
@every_model
@pytest.mark.parametrize("text_name", TEXTS)
def test_encoding_a_slice(name: str, text_name: str) -> None:
    compare(ours(name), oracle_hf(name), sliced(text_name, 0.01), False)


@every_model
@pytest.mark.parametrize("add_special_tokens", [False, True])
def test_hard_strings(name: str, add_special_tokens: bool) -> None:
    for text in HARD:
        compare(ours(name), oracle_hf(name), text, add_special_tokens)


@every_model
def test_random_strings_and_its_own_tokens(name: str) -> None:
    for text in random_texts(0, 600, (ours(name),)):
        compare(ours(name), oracle_hf(name), text, True)


SPECIAL = ["<|endoftext|>", "<|begin_of_text|>", "<|eot_id|>", "<|start|>", "<|end|>", "<|en", "|>"]
texts_with_special_tokens = st.lists(st.one_of(st.sampled_from(SPECIAL), texts), max_size=8).map(
    "".join
)


@every_model
@given(text=texts_with_special_tokens)
def test_encoding_any_text(name: str, text: str) -> None:
    compare(ours(name), oracle_hf(name), text, True)
    tok = ours(name)
    if name not in ("gemma3", "llama2"):  # which write ▁ for a space, and perhaps one before all
        assert tok.decode(tok.encode(text)) == tok.normalize(text)


@every_model
def test_text_that_looks_like_a_special_token_is_text(name: str) -> None:
    for text in ("a<|endoftext|>b", "<|begin_of_text|>", "<|start|><|end|>", "".join(SPECIAL)):
        as_text = ours(name).encode(text)
        assert not set(as_text) & set(ours(name).special_tokens.values())
        assert [as_text] == as_text_in_tokenizers(name, [text])


def as_text_in_tokenizers(name: str, texts: list[str]) -> list[list[int]]:
    oracle = oracle_hf(name)
    try:
        return hf_encoder(name)(texts)
    finally:
        oracle.encode_special_tokens = False


@every_model
@given(data=st.data())
def test_decoding_any_ids(name: str, data: Any) -> None:
    tok, theirs = ours(name), oracle_hf(name)
    known = known_ids(name)
    places = data.draw(st.lists(st.integers(0, len(known) - 1), max_size=12))
    ids = [known[place] for place in places]
    for skip in (False, True):
        expected = theirs.decode(ids, skip_special_tokens=skip)
        assert tok.decode(ids, skip_special_tokens=skip) == expected


@lru_cache(maxsize=1)
def known_ids(name: str) -> list[int]:
    return sorted(oracle_hf(name).get_vocab().values())


@every_model
def test_the_vocabulary(name: str) -> None:
    assert ours(name).vocab == oracle_hf(name).get_vocab()


def test_unigram_of_64_bits() -> None:
    """Scores that nearly tie, unknown letters, any text: both engines cut as tokenizers does."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    source = random.Random(1)
    letters = "abc猫犬 "
    for _ in range(40):
        known = [letter for letter in letters if source.random() < 0.85]
        longer = ("".join(source.choices(letters, k=source.randrange(2, 6))) for _ in range(25))
        scores = {"<unk>": 0.0}
        scores |= {piece: -source.choice([1.1, 1.3, 2.2, 2.4, 3.3]) for piece in [*known, *longer]}
        hf = library.Tokenizer(library.models.Unigram(list(scores.items()), 0, False))
        core = kugiri.load(hf.to_str().encode())
        readable = ReferenceTokenizer(core.spec)
        for _ in range(40):
            text = "".join(source.choices(letters + "z", k=source.randrange(30)))
            expected = hf.encode(text).ids
            assert core.encode(text) == expected, text
            assert [token.id for token in readable.encode(text)] == expected, text
