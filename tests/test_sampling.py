"""Sampling: both engines draw the same, from any model, and what is drawn spells the text."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import EncodingError, OptionError, spec
from kugiri.reference import sampling
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.tables import Merges, Tokens
from piece_rows import described
from processes import run_python
from strategies import texts
from tests.oracles import parity_file

SAMPLE = "python/kugiri/sample"
TEXT = "東京の図書館で the library's 本を読む。 <sep> 2026"
seeds = st.integers(-5, 1 << 65)
shares = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])


def bpe(tokens: str, pairs: str, **fields: Any) -> spec.BPE:
    """A model of characters: its tokens, and what it merges as `a+b`."""
    names = tokens.split()
    parts = [pair.split("+") for pair in pairs.split()]
    rows = [[names.index(part) for part in column] for column in zip(*parts, strict=True)]
    joins = [names.index(left + right) for left, right in parts]
    vocab = Tokens.from_iter(name.encode() for name in names)
    return spec.BPE(vocab, unit="char", merges=Merges(*rows, joins), **fields)


def word_piece(tokens: str) -> kugiri.Tokenizer:
    """A WordPiece of these tokens; [UNK] has the id 0."""
    vocab = Tokens.from_iter(token.encode() for token in ["[UNK]", *tokens.split()])
    return kugiri.Tokenizer(
        spec.TokenizerSpec(
            spec.WordPiece(vocab),
            pre_tokenizer=spec.WhitespaceSplit(),
            decoder=spec.WordPieceDecoder(),
        )
    )


def names(tok: kugiri.Tokenizer, ids: list[int]) -> str:
    of = {id: token for token, id in tok.vocab.items()}
    return " ".join(of[id] for id in ids)


@cache
def trained(name: str) -> kugiri.Tokenizer:
    """A tokenizer of the sample, with an added token."""
    options: dict[str, Any] = {
        "bytes": {"vocab_size": 1500, "preset": "japanese"},
        "word-end": {
            "vocab_size": 2500, "unit": "char", "pre_tokenizer": "whitespace",
            "end_of_word": "</w>", "special_tokens": ["<unk>"],
        },
        "wordpiece": {"vocab_size": 2500, "model": "wordpiece"},
        "unigram.model": {"vocab_size": 1800, "model_type": "unigram"},
        "bpe.model": {"vocab_size": 1800, "model_type": "bpe", "byte_fallback": True},
    }[name]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        plain = kugiri.train(SAMPLE, **options).spec
    if not name.endswith(".model"):  # where the model numbers all tokens
        added = spec.AddedToken(len(plain.model.vocab), "<sep>", special=False, normalized=False)
        plain = msgspec.structs.replace(plain, added_tokens=(*plain.added_tokens, added))
    return kugiri.Tokenizer(plain)


@cache
def readable(tok: kugiri.Tokenizer) -> ReferenceTokenizer:
    return ReferenceTokenizer(tok.spec)


TRAINED = ["bytes", "word-end", "wordpiece", "unigram.model", "bpe.model"]
REAL = [
    "tiktoken/r50k_base.tiktoken",
    "npm/llama2/tokenizer.json",
    "npm/llama3/tokenizer.json",
    "spm/botchan_en_bpe_1000.model",
    "spm/kyoto_ja_unigram_8000.model",
]
USUAL = {"BPE": "bpe-dropout", "Unigram": "unigram", "WordPiece": "maxmatch-dropout"}


def methods(tok: kugiri.Tokenizer) -> list[str]:
    """The usual method of a model, and the one for all."""
    return [USUAL[type(tok.spec.model).__name__], "stochastok"]


def check(tok: kugiri.Tokenizer, text: str, alpha: float, seed: int) -> None:
    """Both engines draw the same, and it is the text that encoding spells."""
    plain = tok.encode(text)
    for method in methods(tok):
        drawn = tok.sample(text, method=method, alpha=alpha, seed=seed)
        assert drawn == sampling.sample(readable(tok), text, method, alpha, seed)
        assert tok.decode(drawn) == tok.decode(plain)
        if alpha == 0 and method != "unigram":
            assert drawn == plain
        if method == "stochastok":
            assert len(plain) <= len(drawn) <= len(plain) + int(alpha * len(plain))


@pytest.mark.parametrize("name", TRAINED, scope="module")
@given(text=texts, alpha=shares, seed=seeds)
def test_both_engines_draw_the_same(name: str, text: str, alpha: float, seed: int) -> None:
    check(trained(name), text, alpha, seed)


@cache
def real(file: str) -> kugiri.Tokenizer:
    return kugiri.load(parity_file(file))


@pytest.mark.parametrize("file", REAL, scope="module")
@given(text=texts, alpha=shares, seed=seeds)
def test_of_real_vocabularies(file: str, text: str, alpha: float, seed: int) -> None:
    check(real(file), text, alpha, seed)


parts = st.text("ab", min_size=1, max_size=3)


@given(
    begins=st.sets(parts, max_size=8),
    goes_on=st.sets(parts, max_size=8),
    added=st.sampled_from(["ab", "##ba", "b"]),
    text=st.text("ab #", max_size=12),
    alpha=shares,
    seed=seeds,
)
def test_little_word_pieces(
    begins: set[str], goes_on: set[str], added: str, text: str, alpha: float, seed: int
) -> None:
    """Where draws come to places that nothing fits, where the prefix stands in the text."""
    tokens = sorted({*begins, *(f"##{part}" for part in goes_on), added, "#"})
    plain = word_piece(" ".join(tokens)).spec
    token = spec.AddedToken(tokens.index(added) + 1, "b#", special=False)
    for its in (plain, msgspec.structs.replace(plain, added_tokens=(token,))):
        tok = kugiri.Tokenizer(its)
        for method in methods(tok):
            drawn = tok.sample(text, method=method, alpha=alpha, seed=seed)
            assert drawn == sampling.sample(ReferenceTokenizer(its), text, method, alpha, seed)


@given(text=st.text("ab<x", max_size=12), alpha=shares, seed=seeds)
@pytest.mark.parametrize(
    ("tokens", "pairs", "fields"),
    [
        ("a b x < _ b_ ab aab", "b+_ a+b a+ab", {"end_of_word": "_"}),
        ("a b x < a$ b$ x$ <$ ab$ xab$ ab bb$", "a+b$ a+b x+ab$ b+b$",
         {"end_of_word_suffix": "$"}),
    ],
)  # fmt: skip
def test_marks_of_the_end_of_words(
    tokens: str, pairs: str, fields: dict[str, str], text: str, alpha: float, seed: int
) -> None:
    check(kugiri.Tokenizer(spec.TokenizerSpec(bpe(tokens, pairs, **fields))), text, alpha, seed)


def test_a_mark_of_no_bytes_is_a_symbol_like_others() -> None:
    """`b` with its mark is as long as without it, and no longer merges with the `a` before it."""
    tok = kugiri.Tokenizer(spec.TokenizerSpec(bpe("a b _ b_ ab", "b+_ a+b", end_of_word="_")))
    drawn = {names(tok, tok.sample("ab", alpha=0.01, seed=seed)) for seed in range(9)}
    assert "a b_" in drawn <= {"a b_", "ab _", "a b _"}


# ── alpha ─────────────────────────────────────────────────────────────────────────────────────
def test_everything_dropped_leaves_bytes_or_characters() -> None:
    for name, letters in [("bytes", list("本を the".encode())), ("wordpiece", None)]:
        tok = trained(name)
        drawn = tok.sample("本を the", alpha=1.0, seed=3)
        if letters is None:
            assert names(tok, drawn) == "本 ##を t ##h ##e"
        else:
            assert tok.decode_bytes(drawn) == bytes(letters)
            assert len(drawn) == len(letters)


def test_the_share_of_tokens_is_rounded_down() -> None:
    """3 tokens that can be split once each: a third of 3 is 1, a bit less is nothing."""
    tok = kugiri.Tokenizer(
        spec.TokenizerSpec(bpe("a b ab ; ab;", "a+b"), pre_tokenizer=spec.Punctuation())
    )
    plain = tok.encode("ab;ab")
    assert names(tok, plain) == "ab ; ab"
    for alpha, most in [(0.33, 3), (0.34, 4), (0.67, 5), (1.0, 5)]:
        drawn = [tok.sample("ab;ab", method="stochastok", alpha=alpha, seed=i) for i in range(99)]
        # A pick of ";" is used up all the same.
        assert {len(ids) for ids in drawn} == set(range(3, most + 1))


def test_a_stored_dropout_is_the_usual_alpha_and_no_more() -> None:
    model = bpe("a b ab", "a+b", dropout=1.0)
    tok = kugiri.Tokenizer(spec.TokenizerSpec(model))
    assert names(tok, tok.encode("abab")) == "ab ab"
    assert names(tok, tok.sample("abab", seed=1)) == "a b a b"
    assert names(tok, tok.sample("abab", seed=1, alpha=0.0)) == "ab ab"
    assert tok.sample_batch(["abab"], seed=1).to_lists() == [tok.sample("abab", seed=1)]
    with pytest.raises(OptionError, match="alpha is None, and this tokenizer stores none"):
        tok.sample("abab", method="stochastok", seed=1)


# ── what is never touched ─────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["bytes", "word-end", "wordpiece"])
def test_added_tokens_stay_whole(name: str) -> None:
    tok = trained(name)
    sep = tok.vocab["<sep>"]
    for method in methods(tok):
        for seed in range(20):
            assert tok.sample(TEXT, method=method, alpha=1.0, seed=seed).count(sep) == 1


def test_special_tokens_in_the_text_are_text() -> None:
    made = kugiri.train(["<end> the"] * 9, vocab_size=262, special_tokens=["<end>"])
    for method in methods(made):
        drawn = made.sample("<end>", method=method, alpha=1.0, seed=0)
        assert made.decode(drawn) == "<end>"
        assert made.special_tokens["<end>"] not in drawn


def test_only_ordinary_pieces_are_split_and_come_out() -> None:
    """`ab` could become `a` and `b`, were `b` not unused; `bb` is a symbol; `<0x61>` a byte."""
    pieces = [["a", -1.0], ["b", -1.0, "UNUSED"], ["ab", -1.0], ["bb", 0.0, "USER_DEFINED"],
              ["aa", -1.0], ["abb", -0.5]]  # fmt: skip
    tok = kugiri.Tokenizer(described({"model": "unigram", "pieces": pieces, "bytes": True}))

    def all_of(text: str) -> set[str]:
        return {
            names(tok, tok.sample(text, method="stochastok", alpha=1.0, seed=seed))
            for seed in range(20)
        }

    assert all_of("ab") == {"ab"}
    assert all_of("bb") == {"bb"}
    assert all_of("aa") == {"a a"}
    assert all_of("猫") == {"<0xE7> <0x8C> <0xAB>"}
    unknown = kugiri.Tokenizer(
        described({"model": "unigram", "pieces": [["<", -1.0], ["unk>", -1.0]]})
    )
    assert names(unknown, unknown.sample("猫", method="stochastok", alpha=1.0, seed=0)) == "<unk>"


# ── batches, threads, processes ───────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", TRAINED)
def test_a_batch_is_each_text_by_itself(name: str) -> None:
    tok = trained(name)
    some = [TEXT[at : at + at % 7 + 1] * (at % 5) for at in range(40)] * 90
    assert sum(map(len, some)) > 1 << 14  # several groups of work
    for method in methods(tok):
        how: dict[str, Any] = {"method": method, "alpha": 0.3}
        expected = [tok.sample(text, seed=7 + i, **how) for i, text in enumerate(some)]
        for threads in (1, 2, 7, None):
            drawn = tok.sample_batch(some, seed=7, threads=threads, **how)
            assert drawn.to_lists() == expected
        # A part of a batch has the seed of its first text.
        assert tok.sample_batch(iter(some[50:]), seed=57, **how).to_lists() == expected[50:]
        few = some[:9]
        assert expected[:9] == sampling.sample_batch(readable(tok), few, method, 0.3, 7)


def test_an_empty_batch_and_empty_texts() -> None:
    tok = trained("bytes")
    assert tok.sample_batch([], alpha=0.1, seed=0).to_lists() == []
    for method in methods(tok):
        assert tok.sample_batch(["", ""], method=method, alpha=1.0, seed=0).to_lists() == [[], []]


def test_seeds_count_by_their_lower_64_bits() -> None:
    tok = trained("bytes")
    first = tok.sample_batch([TEXT] * 3, alpha=0.4, seed=-1).to_lists()
    assert first == tok.sample_batch([TEXT] * 3, alpha=0.4, seed=(1 << 64) - 1).to_lists()
    assert first[1:] == tok.sample_batch([TEXT] * 2, alpha=0.4, seed=0).to_lists()
    assert first[0] != first[1] != first[2]


def test_among_the_best_ways() -> None:
    tok = trained("unigram.model")
    best = [tuple(way.ids) for way in tok.nbest(TEXT, 3)]
    drawn = tok.sample_batch([TEXT] * 60, alpha=0.1, seed=0, nbest=3)
    assert {tuple(ids) for ids in drawn.to_lists()} == {*best}


def test_the_same_in_every_thread_and_process() -> None:
    script = f"""
    import warnings, kugiri
    warnings.simplefilter("ignore")
    tok = kugiri.train({SAMPLE!r}, vocab_size=1500, preset="japanese")
    for method in ("bpe-dropout", "stochastok"):
        print(tok.sample({TEXT!r}, method=method, alpha=0.4, seed=11))
    """
    plain = kugiri.Tokenizer(
        msgspec.structs.replace(
            trained("bytes").spec, added_tokens=trained("bytes").spec.added_tokens[:-1]
        )
    )

    def draw(method: str) -> list[int]:
        return plain.sample(TEXT, method=method, alpha=0.4, seed=11)

    expected = [draw("bpe-dropout"), draw("stochastok")]
    printed = {run_python(script, PYTHONHASHSEED=str(number)) for number in (1, 2)}
    assert printed == {f"{expected[0]}\n{expected[1]}\n"}
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(draw, ["bpe-dropout", "stochastok"] * 20))
    assert found == expected * 20


def test_the_same_of_kept_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a load took from KUGIRI_CACHE draws as what it built."""
    file = parity_file("npm/llama3/tokenizer.json")
    monkeypatch.setenv("KUGIRI_CACHE", str(tmp_path))
    loaded = [kugiri.load(file) for _ in range(2)]
    assert [*tmp_path.iterdir()]
    for method in methods(loaded[0]):
        drawn = [tok.sample(TEXT, method=method, alpha=0.4, seed=5) for tok in loaded]
        assert drawn[0] == drawn[1] == real(REAL[2]).sample(TEXT, method=method, alpha=0.4, seed=5)


# ── what cannot be asked ──────────────────────────────────────────────────────────────────────
def refused() -> list[tuple[Callable[[], object], str]]:
    tok, unigram, pieces = trained("bytes"), trained("unigram.model"), trained("wordpiece")
    words = kugiri.Tokenizer(described({"model": "word", "pieces": [["a", -1.0]]}))
    letters = kugiri.Tokenizer(described({"model": "char", "pieces": [["a", -1.0]]}))
    return [
        (lambda: tok.sample("a", method="dropout", alpha=0.1, seed=0),
         "unknown method 'dropout'.*allowed: unigram, bpe-dropout, maxmatch-dropout, stochastok"),
        (lambda: tok.sample("a", method="unigram", alpha=0.1, seed=0),
         "is for Unigram, and this model is BPE; allowed for it: bpe-dropout, stochastok"),
        (lambda: unigram.sample("a", method="maxmatch-dropout", alpha=0.1, seed=0),
         "is for WordPiece, and this model is Unigram; allowed for it: unigram, stochastok"),
        (lambda: pieces.sample("a", method="bpe-dropout", alpha=0.1, seed=0),
         "is for BPE, and this model is WordPiece; allowed for it: maxmatch-dropout, stochastok"),
        (lambda: words.sample("a", alpha=0.1, seed=0), "WordLevel has one way to cut a text"),
        (lambda: letters.sample("a", method="stochastok", alpha=0.1, seed=0), "CharLevel has one"),
        (lambda: pieces.sample("a", seed=0), "alpha is None.*give one, as alpha=0.1"),
        (lambda: pieces.sample("a", alpha=1.1, seed=0), "probability that a token is dropped"),
        (lambda: tok.sample("a", method="stochastok", alpha=2, seed=0), "share of the tokens"),
        (lambda: tok.sample("a", alpha=0.1, seed=0, nbest=2), "nbest is for method 'unigram'"),
        (lambda: unigram.sample("a", alpha=0.1, seed=0, nbest=0), "nbest is 0; it must be"),
        (lambda: tok.sample_batch("ab", alpha=0.1, seed=0), "a list of texts"),
        (lambda: tok.sample_batch(["a", b"b"], alpha=0.1, seed=0), "text 1"),
        (lambda: tok.sample_batch(["a"], alpha=0.1, seed=0, threads=0), "threads is 0"),
    ]  # fmt: skip


def test_what_cannot_be_asked() -> None:
    for ask, says in refused():
        with pytest.raises(OptionError, match=says):
            ask()


def test_a_text_of_a_batch_is_named_by_its_number() -> None:
    tok = kugiri.Tokenizer(spec.TokenizerSpec(bpe("a b ab", "a+b")))
    for method in methods(tok):
        with pytest.raises(EncodingError, match="text 2: '猫' at character 1 is not in the vocab"):
            tok.sample_batch(["ab", "", "a猫"], method=method, alpha=0.1, seed=0)


def test_rows_in_the_template() -> None:
    tok = kugiri.train(["low lower lowest"] * 3, model="wordpiece", vocab_size=24, preset="bert")
    cls, sep = tok.special_tokens["[CLS]"], tok.special_tokens["[SEP]"]
    how: dict[str, Any] = {"alpha": 0.5, "seed": 3}
    bare = tok.sample_batch(["lower low", "", "lowest"], **how).to_lists()
    rows = tok.sample_batch(["lower low", "", "lowest"], **how, add_special_tokens=True)
    assert rows.to_lists() == [[cls, *ids, sep] for ids in bare]
    assert tok.sample("lower low", **how, add_special_tokens=True) == [cls, *bare[0], sep]
    longest = max(map(len, bare)) + 2
    assert rows.pad(0).attention_mask.sum(axis=1).tolist() == [len(ids) + 2 for ids in bare]
    assert rows.pad(0).input_ids.shape == (3, longest)
    plain = kugiri.train(["low"], vocab_size=256)
    assert plain.sample("low", **how, add_special_tokens=True) == plain.sample("low", **how)
    with pytest.raises(OptionError, match="add_special_tokens is 'yes'"):
        plain.sample("low", **how, add_special_tokens="yes")  # type: ignore[arg-type]
