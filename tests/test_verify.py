"""Two tokenizers compared: how far they agree, and why not."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import kugiri
from kugiri import spec
from kugiri.differences import CAUSES
from kugiri.errors import KugiriWarning, OptionError
from kugiri.random_texts import RANGES, random_texts
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.spec import AddedToken, PieceType
from kugiri.tables import Column
from kugiri.verify import Agreement
from processes import run_python
from tests.conftest import shared_text
from tests.model_files import BOS, BYTE_FALLBACK, BYTES, UNK, model
from tests.sentencepiece_models import oracle_sentencepiece, trained
from tests.test_cli_main import run

TEXTS = ["low lower lowest", "吾輩は猫である", "", "a  b"]


def pieces(**scores: float) -> list[tuple[bytes, float, int]]:
    return [(text.encode(), score, PieceType.NORMAL) for text, score in scores.items()]


def unigram(
    *rows: tuple[bytes, float, int], trainer: bytes | None = None, **change: Any
) -> kugiri.Tokenizer:
    """A Unigram .model that does not normalize; `change` is of its spec."""
    read = kugiri.load(model(UNK, BOS, *rows, trainer=trainer)).spec
    plain = spec.SentencePieceNormalizer(add_dummy_prefix=False, remove_extra_whitespaces=False)
    return kugiri.Tokenizer(msgspec.structs.replace(read, **({"normalizer": plain} | change)))


@pytest.fixture(scope="module")
def byte_level() -> kugiri.Tokenizer:
    return kugiri.train(TEXTS * 3, vocab_size=275, special_tokens=["<|end|>"])


def test_a_tokenizer_is_identical_to_itself(byte_level: kugiri.Tokenizer) -> None:
    found = kugiri.verify(byte_level, byte_level, TEXTS, random=50)
    tokens = sum(map(len, map(byte_level.encode, TEXTS)))
    assert found.identical
    assert found.corpus == Agreement(4, 4, tokens, tokens)
    assert found.random.texts == found.random.same_texts == 50
    assert (found.causes, found.differences, found.by, found.seed) == ({}, [], "ids", 0)
    assert (found.corpus.by_text, found.corpus.by_token) == (1.0, 1.0)


# ── causes ────────────────────────────────────────────────────────────────────────────────────
PLAIN = unigram(*pieces(a=-1.0, b=-1.0, ab=-1.5, ba=-3.0))
SPACES = pieces(**{"▁": -1.0, "▁a": -1.5, "a": -1.0, "b": -1.0})
JOINS = spec.SentencePieceNormalizer(add_dummy_prefix=False)
FOLDS = spec.SentencePieceNormalizer(
    charsmap=compile_charsmap({"A": "a"}), add_dummy_prefix=False, remove_extra_whitespaces=False
)


@pytest.mark.parametrize(
    ("a", "b", "text", "cause", "tokens"),
    [
        (PLAIN, unigram(*pieces(a=-1.0, b=-1.0, ab=-9.0, ba=-3.0)), "bab", "other cut",
         (["ab"], ["a", "b"])),
        (PLAIN, unigram(*pieces(a=-1.0, b=-1.0, ab=-9.0, ba=-1.5)), "aba", "other cut",
         (["ab", "a"], ["a", "ba"])),
        (PLAIN, unigram(*pieces(b=-1.0, a=-1.0, ab=-1.5, ba=-3.0)), "a", "other ids",
         (["a"], ["a"])),
        (PLAIN, unigram(*pieces(a=-1.0, b=-1.0, ab=-1.5, c=-3.0)), "ca", "unknown",
         (["c"], ["c"])),
        (unigram(*SPACES), unigram(*SPACES, normalizer=JOINS), "b  a", "white space",
         (["▁", "▁a"], ["▁a"])),
        (unigram(*pieces(a=-1.0, A=-1.0, b=-1.0)),
         unigram(*pieces(a=-1.0, A=-1.0, b=-1.0), normalizer=FOLDS), "bA", "normalization",
         (["A"], ["a"])),
    ],
)  # fmt: skip
def test_causes(
    a: kugiri.Tokenizer,
    b: kugiri.Tokenizer,
    text: str,
    cause: str,
    tokens: tuple[list[str], list[str]],
) -> None:
    found = kugiri.verify(a, b, [text, ""], random=0)
    assert found.causes == {cause: 1}
    [difference] = found.differences
    assert (difference.cause, difference.number, difference.text) == (cause, 1, text)
    assert (difference.a, difference.b) == tokens


def test_ties() -> None:
    """A public bug report: equal sums, but for the rounding to 32 bits."""
    scores = {"▁": -3.0, "m": -1.1, "mm": -2.2, "mmm": -3.3, "h": -1.7}
    of_32_bits = unigram(*pieces(**scores))
    column = Column([0.0, 0.0, *scores.values()], "float64")
    of_64_bits = unigram(
        *pieces(**scores), model=msgspec.structs.replace(of_32_bits.spec.model, scores=column)
    )
    texts = [" h" + "m" * k for k in (2, 3, 4, 5, 7)]
    found = kugiri.verify(of_32_bits, of_64_bits, texts, random=0)
    assert found.causes == {"ties": 3}
    assert [(each.text, each.a, each.b) for each in found.differences] == [
        (" hmmm", ["mm", "m"], ["mmm"]),
        (" hmmmm", ["m", "mmm"], ["mmm", "m"]),
        (" hmmmmmmm", ["m", "mmm"], ["mmm", "m"]),
    ]


def test_bytes_against_unknown() -> None:
    """As where one of two Unigrams has no byte fallback: all that differs is bytes."""
    rows = pieces(a=-1.0, b=-1.0)
    with_bytes, without = unigram(*rows, *BYTES, trainer=BYTE_FALLBACK), unigram(*rows)
    found = kugiri.verify(with_bytes, without, ["ab", "猫ab", "a猫", "b"], random=0)
    assert found.causes == {"bytes": 2}
    assert found.corpus.by_text == 0.5
    first, second = found.differences
    assert (first.number, first.span, first.b) == (2, (0, 1), ["猫"])
    assert first.a == ["<0xE7>", "<0x8C>", "<0xAB>"]
    assert (second.number, second.span) == (3, (1, 2))


def test_all_that_differs_without_byte_fallback_is_bytes() -> None:
    """Document 003: two Unigrams that differ only where one falls back to bytes."""
    lines = shared_text("neko.txt").splitlines()
    data = io.BytesIO()
    trainer = oracle_sentencepiece().SentencePieceTrainer
    trainer.train(
        sentence_iterator=iter(lines[:600]), model_writer=data, vocab_size=3000,
        byte_fallback=True, character_coverage=0.995, minloglevel=2,
    )  # fmt: skip
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_proto=data.getvalue())
    falls_back = kugiri.load(data.getvalue())
    model = falls_back.spec.model
    assert isinstance(model, spec.Unigram)
    assert model.piece_types is not None
    types = model.piece_types.values
    no_bytes = Column(np.where(types == PieceType.BYTE, PieceType.UNUSED, types), np.uint8)
    plain = msgspec.structs.replace(model, byte_fallback=False, piece_types=no_bytes)
    does_not = kugiri.Tokenizer(msgspec.structs.replace(falls_back.spec, model=plain))
    texts = lines[600:1200]
    in_bytes = sum(any(map(theirs.is_byte, ids)) for ids in theirs.encode(texts))
    found = kugiri.verify(falls_back, does_not, iter(texts), random=0)
    assert found.causes == {"bytes": in_bytes}
    assert found.corpus.same_texts == len(texts) - in_bytes


def test_special_tokens_are_text_unless_one_of_the_two_always_finds_them() -> None:
    tok = kugiri.train(TEXTS * 3, vocab_size=275)
    id = tok.vocab_size
    special, always = (
        kugiri.Tokenizer(
            msgspec.structs.replace(tok.spec, added_tokens=(AddedToken(id, "<e>", special=it),))
        )
        for it in (True, False)
    )
    assert kugiri.verify(tok, special, ["low<e>"], random=0).identical
    found = kugiri.verify(tok, always, ["low<e>"], random=0)
    assert found.causes == {"other cut": 1}
    assert found.differences[0].b == ["<e>"]


def test_not_encoded() -> None:
    words = kugiri.train(["a b"], model="char", vocab_size=4)
    no_unknown = kugiri.Tokenizer(
        msgspec.structs.replace(
            words.spec, model=msgspec.structs.replace(words.spec.model, unk_token=None)
        )
    )
    found = kugiri.verify(words, no_unknown, ["a", "猫", "b", "犬", "a b"], random=0)
    assert found.causes == {"not encoded": 2}
    assert [each.number for each in found.differences] == [2, 4]
    assert found.differences[0].b_ids == []
    # Where neither has ids, they agree.
    assert kugiri.verify(no_unknown, no_unknown, ["a", "猫"], random=0).identical


def test_every_cause_is_explained() -> None:
    assert all(CAUSES.values())


# ── counting ──────────────────────────────────────────────────────────────────────────────────
def test_places_are_not_compared_where_ids_are_the_same() -> None:
    """A normalizer moves the place of a token, not its id."""
    rows = pieces(**{"▁": -1.0, "▁a": -1.5, "a": -1.0})
    keeps = unigram(*rows, normalizer=spec.SentencePieceNormalizer(remove_extra_whitespaces=False))
    strips = unigram(*rows, normalizer=spec.SentencePieceNormalizer())
    found = kugiri.verify(keeps, strips, ["a a", "a "], random=0)
    assert found.causes == {"white space": 1}
    assert (found.differences[0].a, found.differences[0].b) == (["▁"], [])


def test_tokens_in_common_are_those_at_one_place() -> None:
    a = unigram(*pieces(a=-1.0, b=-1.0, ab=-1.5, c=-1.0))
    b = unigram(*pieces(a=-1.0, b=-1.0, ab=-9.0, c=-1.0))
    found = kugiri.verify(a, b, ["cabc", "cc"], random=0)
    assert (a.tokens("cabc"), b.tokens("cabc")) == (["c", "ab", "c"], ["c", "a", "b", "c"])
    assert found.corpus == Agreement(texts=2, same_texts=1, tokens=4 + 2, same_tokens=2 + 2)
    assert found.differences[0].span == (1, 3)


def test_the_same_tokens_under_other_ids() -> None:
    a = unigram(*pieces(a=-1.0, b=-1.0, ab=-1.5))
    b = unigram(*pieces(ab=-1.5, b=-1.0, a=-1.0))
    assert kugiri.verify(a, b, ["abba", "aab"], random=0).causes == {"other ids": 2}
    found = kugiri.verify(a, b, ["abba", "aab"], by="tokens", random=100)
    assert found.identical
    assert found.corpus == Agreement(2, 2, 5, 5)


def test_numbers_go_on_over_files_and_batches(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys.modules["kugiri.verify"], "_BATCH", 3)
    a, b = unigram(*pieces(a=-1.0, b=-1.0, ab=-1.5)), unigram(*pieces(a=-1.0, b=-1.0, ab=-9.0))
    for name in ("1.txt", "2.txt"):
        (tmp_path / name).write_text("a\nb\na\nb\nab\n")
    found = kugiri.verify(a, b, tmp_path, random=0, examples=1)
    assert found.causes == {"other cut": 2}
    assert [each.number for each in found.differences] == [5]
    found = kugiri.verify(a, b, tmp_path, random=0)
    assert [each.number for each in found.differences] == [5, 10]
    assert found.corpus.texts == 10
    whole = kugiri.verify(a, b, tmp_path, random=0, documents="files")
    assert whole.corpus.texts == 2


def test_the_model_and_its_conversion() -> None:
    """Found through kugiri alone; test_convert.py has the original libraries."""
    a = kugiri.load(trained("bpe"))
    b = kugiri.Tokenizer(msgspec.structs.replace(a.spec, added_tokens=()))
    assert kugiri.verify(a, b, ["the cat", "<s>"], random=30).identical


def test_options(byte_level: kugiri.Tokenizer) -> None:
    with pytest.raises(OptionError, match="nothing to compare; give a corpus, or random= more"):
        kugiri.verify(byte_level, byte_level, random=0)
    with pytest.raises(OptionError, match="nothing to compare: the corpus is empty"):
        kugiri.verify(byte_level, byte_level, [], random=0)
    with pytest.raises(OptionError, match="unknown by 'id'; did you mean 'ids'"):
        kugiri.verify(byte_level, byte_level, by="id")
    with pytest.raises(OptionError, match=r"compares two tokenizers; a str \('x'\) came"):
        kugiri.verify(byte_level, "x")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="random"):
        kugiri.verify(byte_level, byte_level, random=-1)


def test_plain_data(byte_level: kugiri.Tokenizer) -> None:
    other = kugiri.train(TEXTS * 3, vocab_size=265)
    found = kugiri.verify(byte_level, other, TEXTS, random=5).to_dict()
    again = json.loads(json.dumps(found))
    assert again["corpus"] == found["corpus"]
    assert again["differences"][0]["cause"] == found["differences"][0]["cause"]
    assert set(found) == {
        "identical", "corpus", "random", "causes", "differences", "by", "seed",
    }  # fmt: skip
    assert found["corpus"]["by_text"] == found["corpus"]["same_texts"] / found["corpus"]["texts"]


# ── random texts ──────────────────────────────────────────────────────────────────────────────
def test_random_texts_repeat(byte_level: kugiri.Tokenizer) -> None:
    first = list(random_texts(3, 30, (byte_level,)))
    assert first == list(random_texts(3, 30, (byte_level,)))
    assert first != list(random_texts(4, 30, (byte_level,)))
    assert first[0] == next(random_texts(3, 1))  # what a text is does not depend on how many come
    assert all(len(text) > 0 and text.encode() for text in first)


def test_random_texts_are_the_same_in_every_process() -> None:
    script = """
    from kugiri.random_texts import random_texts
    print(ascii("".join(random_texts(1, 50))))
    """
    texts = ascii("".join(random_texts(1, 50)))
    for seed in ("1", "2"):
        assert run_python(script, PYTHONHASHSEED=seed).strip() == texts


def test_every_kind_is_drawn() -> None:
    text = "".join(random_texts(0, 600))
    for kind, ranges in RANGES.items():
        assert any(first <= ord(c) <= last for c in text for first, last in ranges), kind


# ── the command line ──────────────────────────────────────────────────────────────────────────
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tokenizers and a text."""
    monkeypatch.chdir(tmp_path)
    kugiri.train(TEXTS * 3, vocab_size=275).save("a.kugiri.json")
    kugiri.train(TEXTS * 3, vocab_size=265).save("b.kugiri.json")
    Path("text.txt").write_text("low lower\n吾輩は猫である\nzz\n", encoding="utf-8")
    return tmp_path


def test_verify_prints_what_agrees(folder: Path) -> None:
    result = run("verify", "a.kugiri.json", "a.kugiri.json", "text.txt", "--random", "10")
    assert result.code == 0
    assert [line.split() for line in result.out.splitlines()][1][:4] == ["corpus", "3", "3", "100"]


def test_verify_exits_with_3_where_they_differ(folder: Path) -> None:
    result = run("verify", "a.kugiri.json", "b.kugiri.json", "text.txt", "--random", "0")
    assert (result.code, result.err) == (3, "")
    assert "other cut" in result.out
    assert "text 2, characters" in result.out
    assert (
        run("verify", "a.kugiri.json", "b.kugiri.json", "text.txt", "--at-least", "0.3").code == 0
    )
    assert (
        run("verify", "a.kugiri.json", "b.kugiri.json", "text.txt", "--at-least", "0.9").code == 3
    )


def test_verify_as_json(folder: Path) -> None:
    result = run(
        "verify", "a.kugiri.json", "b.kugiri.json", "text.txt", "--json", "--examples", "1"
    )
    found = json.loads(result.out)
    assert result.code == 3
    assert not found["identical"]
    assert len(found["differences"]) == 1
    assert found["random"]["texts"] == 1000


def test_verify_without_files_compares_random_texts(folder: Path) -> None:
    result = run("verify", "a.kugiri.json", "a.kugiri.json", "--random", "7", "--json")
    assert json.loads(result.out)["random"]["texts"] == 7


def test_pattern_is_for_the_one_that_lacks_it(folder: Path) -> None:
    with pytest.warns(KugiriWarning):
        kugiri.load("a.kugiri.json").save("c.tiktoken")
    result = run("verify", "a.kugiri.json", "c.tiktoken", "--pattern", "o200k")
    assert result.code == 0
    result = run("verify", "a.kugiri.json", "a.kugiri.json", "--pattern", "o200k")
    assert (result.code, result.out) == (2, "")
    assert "--pattern is for a .tiktoken file" in result.err


@pytest.mark.parametrize("name", ["tokenizer.json", "x.tiktoken", "x.kugiri.json"])
def test_convert(folder: Path, name: str) -> None:
    result = run("convert", "a.kugiri.json", name, "--verify", "text.txt")
    assert result.code == 0
    assert "100 %" in result.out
    tok = kugiri.load(name, pattern="o200k" if name.endswith(".tiktoken") else None)
    assert tok.encode("low lower") == kugiri.load("a.kugiri.json").encode("low lower")


def test_what_is_not_kept_is_said_once(folder: Path) -> None:
    spec = kugiri.load("a.kugiri.json").spec
    replace = msgspec.structs.replace
    drawing = replace(spec, model=replace(spec.model, dropout=0.1))
    kugiri.Tokenizer(drawing).save("drawing.kugiri.json")
    result = run("convert", "drawing.kugiri.json", "drawing.tiktoken")
    assert result.code == 0
    assert (result.err.count("warning"), result.err.count("dropout")) == (1, 1)


def test_convert_writes_nothing_where_too_few_agree(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = kugiri.load("b.kugiri.json")
    monkeypatch.setattr(kugiri, "convert", lambda tok, format: other)
    result = run("convert", "a.kugiri.json", "tokenizer.json", "--verify", "text.txt")
    assert result.code == 3
    assert result.err == "kugiri: tokenizer.json is not written: not all texts agree\n"
    assert not Path("tokenizer.json").exists()
    result = run(
        "convert", "a.kugiri.json", "tokenizer.json", "--verify", "text.txt", "--at-least", "0"
    )
    assert result.code == 0
    assert Path("tokenizer.json").exists()


def test_convert_verifies_on_a_file_that_is_not_utf8(folder: Path) -> None:
    Path("bad.txt").write_bytes(b"low\xff\n")
    command = ("convert", "a.kugiri.json", "tokenizer.json", "--verify", "bad.txt")
    result = run(*command)
    assert result.code == 1
    assert result.err.endswith("replace such bytes by U+FFFD with --errors replace\n")
    assert run(*command, "--errors", "replace").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a.kugiri.json", "x.bin"], 2, "x.bin: the end of this name is that of no format"),
        (["a.kugiri.json", "x.json", "--format", "jsn"], 2, "unknown format 'jsn'"),
        (["a.kugiri.json", "vocab.txt"], 1, "holds a WordPiece model, not a BPE"),
        (["a.kugiri.json", "vocab.json"], 1, "no place for the pre-tokenizer"),
        (["a.kugiri.json", "tokenizer.json", "--json"], 2, "--json prints what --verify finds"),
        (["absent.json", "tokenizer.json"], 1, "there is no such file"),
    ],
)
def test_convert_refuses(folder: Path, arguments: list[str], code: int, message: str) -> None:
    result = run("convert", *arguments)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.kugiri.json", "b.kugiri.json", "text.txt",
    ]  # fmt: skip
