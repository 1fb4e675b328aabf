"""`kugiri train` and `kugiri plan` with the options of spm_train."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

import kugiri
from kugiri.sentencepiece.options import SentencePieceOptions
from test_cli_main import run

USUAL = ["<unk>", "<s>", "</s>"]
TEXT = "low lower low\nnewest widest newest\n" * 9


def pieces(path: Path) -> list[str]:
    return [piece.decode() for piece in kugiri.load(path).spec.model.vocab]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (["--model-type", "bpe"], [*USUAL, "es"]),
        (["--preset", "sentencepiece", "--model", "bpe"], [*USUAL, "es"]),
        (["--model-type", "bpe", "--bos-id", "-1"], ["<unk>", "es", "</s>"]),
        (["--model-type", "word", "--control-symbols", 'x,"a,b"'], [*USUAL, "x", "a,b"]),
        (["--model-type", "char", "--no-add-dummy-prefix"], [*USUAL, "e"]),
        (["--model", "unigram"], USUAL),
        (["--preset", "t5"], ["<pad>", "</s>", "<unk>"]),
    ],
)  # fmt: skip
def test_a_model_is_trained(options: list[str], first: list[str], corpus: Path) -> None:
    model = corpus.with_name("words.model")
    size = ["--vocab-size", "24", "--no-hard-vocab-limit"]
    result = run("train", corpus, "-o", model, *size, *options)
    assert (result.code, result.out) == (0, f"{model}\n")
    assert result.err.startswith("kugiri: trained on ")
    assert "merges" not in result.err
    assert pieces(model)[: len(first)] == first


def test_the_help_has_every_option() -> None:
    shown = run("train", "--help").out
    for option in fields(SentencePieceOptions):
        assert f"--{option.name.replace('_', '-')}" in shown
    assert "Options of spm_train" in shown
    assert "needs --byte-fallback" in shown
    assert "Options of spm_train" in run("plan", "--help").out


def test_warnings_are_told(corpus: Path) -> None:
    corpus.write_text(TEXT + "x" * 99 + "\n")
    result = run(
        "train", corpus, "-o", corpus.with_name("a.model"), "--quiet", "--model-type", "bpe",
        "--vocab-size", 20, "--max-sentence-length", 50,
    )  # fmt: skip
    assert result.err.startswith(
        "kugiri: warning: 1 sentences longer than --max-sentence-length 50 bytes were left out: 99 "
    )


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--model-type", "bpe", "--vocab-size", "9"], 1, "below the 14 that this corpus needs"),
        (["--model-type", "bpe", "--vocab-size", "99"], 1, "use --vocab-size 47 or less"),
        (["--preset", "gpt2", "--split-digits"], 2, "--split-digits is an option of spm_train"),
        (["--model-type", "bpe", "--unit", "char"], 2, "--unit is no option of spm_train"),
        (["--model", "unigram", "--num-merges", "9"], 2, "takes; use --vocab-size"),
        (["--preset", "t5", "--special-token", "<a>"], 2, "takes; use --control-symbols, or"),
        (["--preset", "t"], 2, "bert, bert-japanese, sentencepiece, llama2, t5\n"),
        (["--preset", "japanese", "--split-digits"], 2, "preset of sentencepiece, llama2, t5\n"),
        (["--model-type", "bpe", "--character-coverage", "2"], 2, "it must be 0.98 to 1.0"),
        (["--model-type", "bpe", "--character-coverage", "all"], 2, "not a valid float"),
        (["--model-type", "bpe", "--trace", "3"], 2, "scores in their place"),
        (["--model-prefix", "m"], 2, "--model-prefix is refused: tok.save(path) writes"),
        (["--model_prefix=m"], 2, "--model_prefix is refused: tok.save(path) writes"),
        (["--vocab_size", "9"], 2, "--vocab-size"),
    ],
)
def test_refused(options: list[str], code: int, says: str, corpus: Path) -> None:
    result = run("train", corpus, "-o", corpus.with_name("words.model"), *options)
    assert (result.code, says in result.err) == (code, True), result.err
    assert [path.name for path in corpus.parent.iterdir()] == ["words.txt"]


def test_a_format_that_cannot_hold_it_is_refused_before_training(corpus: Path) -> None:
    options = ["--model-type", "bpe", "--vocab-size", "20"]
    result = run("train", corpus, "-o", corpus.with_name("words.tiktoken"), *options)
    assert result.code == 1
    assert "words.tiktoken" in result.err


@pytest.mark.parametrize("options", [["--preset", "japanese"], ["--model", "word"], []])
def test_a_model_file_needs_a_training_of_that_family(options: list[str], corpus: Path) -> None:
    model = corpus.with_name("words.model")
    result = run("train", corpus, "-o", model, "--vocab-size", "300", *options)
    assert (result.code, result.out, model.exists()) == (2, "", False)
    assert f"{model}: a .model holds what --model unigram, --model-type, or a preset" in result.err


def test_plan(corpus: Path) -> None:
    result = run("plan", corpus, "--model-type", "bpe", "--vocab-size", "99", "--json")
    planned = json.loads(result.out)
    assert (planned["model"], planned["smallest"], planned["largest"]) == ("bpe", 14, 47)
    assert "use vocab_size=47 or less" in planned["warnings"][-1]
