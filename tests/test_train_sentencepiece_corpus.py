"""Training as SentencePiece does: what a corpus may be, what is left out, refused and preset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.errors import (
    CorpusError,
    EncodingError,
    KugiriWarning,
    OptionError,
    TrainingError,
    VocabularyError,
)
from tests.conftest import shared_text, slice_of
from tests.sentencepiece_trainings import Options, rows, theirs

LEFT_OUT_OF_NEKO = (
    "50 sentences longer than max_sentence_length=4192 bytes were left out: 353,457 bytes, "
    "31.7% of the text"
)


# ── the corpus ────────────────────────────────────────────────────────────────────────────────
COUNTED = {"low lower": 5, "newest": 6, "widest": 3}


@pytest.mark.parametrize("form", ["counts", "counted words", "texts", "iterator", "tsv"])
def test_a_corpus_in_any_form_is_the_same(form: str, tmp_path: Path) -> None:
    texts = [text for text, count in COUNTED.items() for _ in range(count)]
    tsv = tmp_path / "counts.txt"
    tsv.write_text("".join(f"{text}\t{count}\n" for text, count in COUNTED.items()))
    corpora: Options = {
        "counts": COUNTED,
        "counted words": kugiri.count_words(COUNTED),
        "texts": texts,
        "iterator": iter(texts),
        "tsv": tsv,
    }
    more = {"input_format": "tsv"} if form == "tsv" else {}
    tok = kugiri.train(corpora[form], model_type="bpe", vocab_size=20, **more)
    assert [piece for piece, _, _ in rows(tok.spec)][3:7] == ["we", "lo", "▁lo", "st"]
    assert tok.training["sentences"] == 14


def test_lines_that_are_left_out_are_counted() -> None:
    texts = ["a b" * 40, "a ▅", "a b a b", "a b"]
    with pytest.warns(KugiriWarning) as caught:
        tok = kugiri.train(texts, model_type="bpe", vocab_size=6, max_sentence_length=100)
    assert [str(one.message) for one in caught] == tok.training["warnings"]
    long, reserved = tok.training["warnings"]
    assert long == (
        "1 sentences longer than max_sentence_length=100 bytes were left out: 120 bytes, "
        "88.9% of the text"
    )
    assert reserved.startswith("1 sentences with U+2585")
    assert tok.training["sentences"] == 2


def test_what_is_no_utf8_is_refused_or_counted(tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_bytes(b"a b a b\na \xff\xffb\n")
    options: Options = {"model_type": "bpe", "vocab_size": 8, "character_coverage": 1.0}
    with pytest.raises(CorpusError, match="line 2, byte 3"):
        kugiri.train(path, **options)
    with pytest.warns(KugiriWarning, match="2 invalid UTF-8 sequences were read as U"):
        kugiri.train(path, errors="replace", **options)
    with pytest.raises(EncodingError, match="lone surrogate at position 2"):
        kugiri.train(["a ", "a \ud800"], **options)


def test_threads_change_nothing() -> None:
    texts = slice_of(shared_text("neko.txt"), 0.1).split("\n")
    options: Options = {"model_type": "bpe", "vocab_size": 2000, "byte_fallback": True}
    one = kugiri.train(texts, threads=1, **options)
    assert one == kugiri.train(texts, threads=2, **options)
    assert one == kugiri.train(texts, num_threads=3, **options)
    with pytest.raises(OptionError):
        kugiri.train(texts, threads=0, **options)


def test_documents_may_be_files(tmp_path: Path) -> None:
    path = tmp_path / "two lines.txt"
    path.write_text("a b\nb a\n")
    tok = kugiri.train(path, documents="files", model_type="bpe", vocab_size=6)
    assert tok.training["sentences"] == 1


def test_neko_loses_a_third_to_the_usual_length_and_nothing_without() -> None:
    texts = shared_text("neko.txt").split("\n")
    options: Options = {"model_type": "bpe", "vocab_size": 4000}
    with pytest.warns(KugiriWarning) as caught:
        kugiri.train(texts, preset="sentencepiece", **options)
    assert str(caught[0].message) == LEFT_OUT_OF_NEKO
    with pytest.warns(KugiriWarning, match="character_coverage=0.9995 left out") as caught:
        tok = kugiri.train(texts, **options)
    assert len(caught) == 1
    assert tok.training["sentences"] == sum(1 for text in texts if text.rstrip("\r\n"))


def test_sentences_are_drawn_by_the_seed() -> None:
    texts = [f"w{number}" for number in range(1000)]
    options: Options = {"model_type": "word", "vocab_size": 150, "hard_vocab_limit": False}
    options["character_coverage"] = 1.0

    def words(**more: Any) -> set[str]:
        tok = kugiri.train(texts, input_sentence_size=101, **options, **more)
        return {piece for piece, _, _ in rows(tok.spec)[3:]}

    assert words(seed=1) == words(seed=1) != words(seed=2)
    assert len(words()) == 101
    first = {f"▁w{number}" for number in range(101)}
    assert words(shuffle_input_sentence=False) == first != words()


# ── what is refused ───────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"vocab_size": 5}, VocabularyError, "below the 14 that this corpus needs (11 characters"),
        ({"vocab_size": 99}, VocabularyError, "gives 50 pieces, given ones included; use vocab_"),
        ({"character_coverage": 0.5}, OptionError, "character_coverage is 0.5; it must be 0.98"),
        ({"split_digits": 1}, OptionError, "split_digits is 1; it must be True or False"),
        ({"model_type": "bert"}, OptionError, "unknown model_type 'bert'"),
        ({"vocabsize": 9}, OptionError, "did you mean 'vocab_size'?"),
        ({"model_prefix": "m"}, OptionError, "model_prefix is refused: tok.save(path)"),
        ({"input_sentence_size": 7}, OptionError, "it must be 0, for all, or more than 100"),
        ({"escape_whitespaces": False}, OptionError, "the models need ▁"),
        ({"unk_id": -1}, OptionError, "unk_id=-1 needs byte_fallback=True"),
        ({"unk_id": 1}, OptionError, "have one id 1; give them different ones"),
        ({"bos_piece": "</s>"}, OptionError, "have one string '</s>'"),
        ({"bos_piece": ""}, OptionError, "bos_piece is empty"),
        ({"eos_id": 40}, VocabularyError, "eos_id=40 is outside of the vocabulary"),
        ({"control_symbols": ["a", "a"]}, OptionError, "the symbol 'a' is given twice"),
        ({"control_symbols": ["<unk>"]}, OptionError, "is the piece of the unknown"),
        ({"control_symbols": [1]}, OptionError, "control_symbols is a list of str"),
        ({"control_symbols_file": "no such"}, OptionError, "no such cannot be read: No such file"),
        ({"required_chars": "a b"}, OptionError, "required_chars has ' '"),
        ({"required_chars": "xy", "control_symbols": ["y"]}, OptionError, "'y' is in required_ch"),
        ({"use_all_vocab": True}, OptionError, "use_all_vocab is for word and char"),
        ({"auto_character_coverage": True}, OptionError, "byte_fallback=True"),
        ({"normalization_rule_name": "nfx"}, OptionError, "unknown normalization_rule_name"),
        ({"unk_surface": "\ud800"}, OptionError, "lone surrogate"),
    ],
)
def test_refused(options: Options, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        kugiri.train(COUNTED, **{"model_type": "bpe", "vocab_size": 20, **options})
    assert says in str(caught.value)


def test_sizes_that_do_not_fit_are_those_of_sentencepiece() -> None:
    texts = tuple(text for text, count in COUNTED.items() for _ in range(count))
    for size, numbers in [(5, ["5", "14"]), (99, ["99", "50"])]:
        with pytest.raises(RuntimeError) as caught:
            theirs(texts, {"model_type": "bpe", "vocab_size": size})
        assert all(number in str(caught.value) for number in numbers)


@pytest.mark.parametrize("texts", [[], ["", "\n"], ["▅"], [" ", "\u3000"]])
def test_a_corpus_without_text_is_an_error(texts: list[str]) -> None:
    with pytest.raises(TrainingError):
        kugiri.train(texts, model_type="bpe", vocab_size=20)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"model": "bpe", "model_type": "word"}, "exclude each other; give one"),
        ({"model": "unigram", "preset": "gpt2"}, "unknown preset of SentencePiece 'gpt2'"),
        ({"preset": "gpt2", "split_digits": True}, "is an option of spm_train; it goes with"),
        ({"model": "bert", "preset": "t5"}, "unknown model 'bert'"),
        ({"preset": "sentencepiece", "special_tokens": ["<a>"]}, "use control_symbols, or"),
        ({"preset": "sentencepiece", "unit": "char"}, "unit= is no option of spm_train, whose"),
    ],
)
def test_models_and_presets_that_do_not_go_together(arguments: Options, says: str) -> None:
    with pytest.raises(OptionError) as caught:
        kugiri.train(COUNTED, **arguments)
    assert says in str(caught.value)


# ── presets ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("preset", "model", "first"),
    [
        ("sentencepiece", "Unigram", ["<unk>", "<s>", "</s>"]),
        ("llama2", "BPE", ["<unk>", "<s>", "</s>", "<0x00>", "<0x01>"]),
        ("t5", "Unigram", ["<pad>", "</s>", "<unk>"]),
    ],
)
def test_presets(preset: str, model: str, first: list[str]) -> None:
    tok = kugiri.train(COUNTED, preset=preset, vocab_size=300, hard_vocab_limit=False)
    assert type(tok.spec.model).__name__ == model
    assert [piece for piece, _, _ in rows(tok.spec)][: len(first)] == first
    assert tok.training["preset"] == preset


def test_japanese_is_a_preset_of_both_families() -> None:
    texts = ["吾輩は猫である。名前はまだ無い。"] * 9
    unigram = kugiri.train(texts, model="unigram", preset="japanese", vocab_size=280)
    assert rows(unigram.spec)[3][0] == "<0x00>"
    assert [piece for piece, _, _ in rows(unigram.spec) if "▁" in piece] == ["▁"]
    for text in ("ｶﾞｷﾞ①　全角", "吾輩  は猫 ", "👩‍🔧"):
        assert unigram.decode(unigram.encode(text)) == text
    assert kugiri.train(texts, preset="japanese", vocab_size=290).merges
