"""A plan: what training would find, found before it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.cli.plan import command as plan
from kugiri.cli.train import command as train
from kugiri.errors import KugiriWarning, OptionError, TrainingError, VocabularyError
from kugiri.training.character_counts import COVERAGES, Coverage
from sample_lines import LINES, SAMPLE
from test_cli_main import run
from tests.conftest import SHARED

OPTIONS = [
    pytest.param({}, id="bytes"),
    pytest.param({"special_tokens": ["<|end|>", "<|pad|>"]}, id="special tokens"),
    pytest.param({"unit": "char"}, id="characters"),
    pytest.param({"unit": "char", "limit_alphabet": 200}, id="limited alphabet"),
    pytest.param({"unit": "char", "limit_alphabet": 200, "initial_alphabet": "魑魅猫"}, id="more"),
    pytest.param({"unit": "char", "end_of_word": "</w>"}, id="end of word"),
    pytest.param({"pre_tokenizer": "none", "min_frequency": 3}, id="whole lines"),
    pytest.param({"pre_tokenizer": "scripts", "max_piece_length": 4}, id="short pieces"),
    pytest.param({"model": "char", "special_tokens": ["<unk>", "<pad>"]}, id="char"),
    pytest.param({"model": "word"}, id="word"),
    pytest.param({"model": "word", "special_tokens": [*LINES[0].split()[:1], "<unk>"]}, id="both"),
]


# ── sizes ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
@pytest.mark.parametrize("options", OPTIONS)
def test_the_smallest_and_the_largest_are_those_of_training(options: dict[str, Any]) -> None:
    planned = kugiri.plan(LINES, **options)
    assert planned.largest_is_exact
    assert kugiri.train(LINES, vocab_size=planned.smallest, **options).vocab_size == (
        planned.smallest
    )
    with pytest.raises(VocabularyError):
        kugiri.train(LINES, vocab_size=planned.smallest - 1, **options)
    for size in (planned.largest, planned.largest + 999):
        assert kugiri.train(LINES, vocab_size=size, **options).vocab_size == planned.largest


@pytest.mark.parametrize("options", OPTIONS)
def test_from_below_where_words_are_too_many(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = kugiri.plan(LINES, **options)
    # kugiri.plan is the function; its module is found under the same name here.
    monkeypatch.setattr(sys.modules["kugiri.plan"], "MOST_UNITS", 100)
    planned = kugiri.plan(LINES, **options)
    assert planned.largest_is_exact == ("model" in options)
    assert planned.smallest <= planned.largest <= exact.largest
    assert planned.smallest == exact.smallest


def test_the_alphabet() -> None:
    planned = kugiri.plan(["ああああああいいいうえ"], unit="char", pre_tokenizer="none")
    assert (planned.characters, planned.different_characters) == (11, 4)
    whole = Coverage(1.0, 4, 0)
    assert planned.alphabet[-1] == whole
    assert {row.coverage for row in planned.alphabet} == set(COVERAGES)
    counts = Counter("".join(LINES))
    found = kugiri.plan(LINES, pre_tokenizer="none")
    assert found.characters == sum(counts.values())
    for row in found.alphabet:
        kept = [n for _, n in counts.most_common(row.characters)]
        assert sum(kept) >= row.coverage * found.characters > sum(kept[:-1])
        assert row.left_out == found.characters - sum(kept)


def test_counts_can_be_planned_with_and_trained_from() -> None:
    counts = kugiri.count_words(LINES)
    assert kugiri.plan(counts) == kugiri.plan(LINES)
    assert kugiri.plan({"low": 5}).words == 5


# ── warnings ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"vocab_size": 200},
            "vocab_size=200 is below the smallest vocabulary; use vocab_size=256",
        ),
        ({"vocab_size": 500, "unit": "char"}, "or more, unit='byte', or limit_alphabet"),
        ({"vocab_size": 32_000}, "vocab_size=32000 cannot be reached: no further pair occurs 2 ti"),
        ({"vocab_size": 9999, "model": "word"}, "cannot be reached: there are no more words; use"),
        ({"vocab_size": 1000, "unit": "char"}, "the alphabet fills 94% of vocab_size=1000"),
        ({"unit": "char"}, "use special_tokens=['<unk>'], or unit='byte'"),
        ({"unit": "char"}, "limit_alphabet=934 leaves them out"),
        ({"pre_tokenizer": "whitespace"}, "this pre-tokenizer drops white space"),
        ({"pre_tokenizer": "scripts"}, "this pre-tokenizer drops white space"),
    ],
)
def test_warnings(options: dict[str, Any], message: str) -> None:
    assert message in "\n".join(kugiri.plan(LINES, **options).warnings)


def test_nothing_to_warn_of() -> None:
    assert kugiri.plan(LINES, vocab_size=800).warnings == []


def test_replaced_bytes_are_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"ok \xff\n")
    planned = kugiri.plan(tmp_path, errors="replace")
    assert planned.warnings == ["1 invalid UTF-8 sequences were read as U+FFFD"]


def test_refused() -> None:
    with pytest.raises(TrainingError, match="the corpus is empty"):
        kugiri.plan(["", " "[:0]])
    with pytest.raises(OptionError, match="unknown option 'unti'"):
        kugiri.plan(LINES, unti="char")
    with pytest.raises(OptionError, match="unknown model 'bqe'"):
        kugiri.plan(LINES, model="bqe")


def test_memory_is_about_right() -> None:
    corpus = SHARED / "ja.txt.gz"
    if not corpus.exists():
        pytest.skip("ja.txt.gz is absent: the large texts are not part of the project")
    if sys.platform != "linux":
        pytest.skip("peak memory is read from /proc, which only Linux has")
    script = (
        "import kugiri\n"  # ru_maxrss would start with the peak of this very process
        "status = lambda: dict(line.split(':') for line in open('/proc/self/status'))\n"
        "peak = lambda: int(status()['VmHWM'].split()[0]) * 1024\n"
        "kugiri.train(['ab'] * 9, vocab_size=257)\n"
        "before = peak()\n"
        f"kugiri.train({str(corpus)!r}, vocab_size=32000)\n"
        "print(peak() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    taken = int(done.stdout)
    assert 0.5 < kugiri.plan(corpus, vocab_size=32_000).memory / taken < 2


# ── the command ───────────────────────────────────────────────────────────────────────────────
def test_command() -> None:
    result = run("plan", SAMPLE, "--unit", "char", "--vocab-size", "1000")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[:5] == [
        "words                2,522, 1,358 different",
        "characters           14,974, 941 different",
        "smallest vocabulary  941",
        lines[3],
        lines[4],
    ]
    assert lines[3].startswith("largest vocabulary   2,")
    assert lines[4].startswith("memory for training  about ")
    assert [line.split() for line in (lines[6], lines[-1])] == [
        ["coverage", "characters", "left", "out"],
        ["100.00%", "941", "0"],
    ]
    assert result.err.count("kugiri: warning: ") == 3


def test_command_json() -> None:
    result = run("plan", "-", "--json", "--vocab-size", "9", stdin="猫は魚\n")
    planned = json.loads(result.out)
    assert (planned["smallest"], planned["largest"], result.err) == (256, 256, "")
    assert planned["warnings"][0].startswith("vocab_size=9 is below the smallest vocabulary")
    with pytest.warns(KugiriWarning):
        kugiri.train(["猫は魚"], vocab_size=300)


# ── as SentencePiece trains ───────────────────────────────────────────────────────────────────
SPM = [
    pytest.param({"model": "bpe"}, id="bpe"),
    pytest.param({"model": "bpe", "byte_fallback": True, "character_coverage": 0.98}, id="bytes"),
    pytest.param({"model": "word"}, id="word"),
    pytest.param({"model": "unigram"}, id="unigram"),
]


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
@pytest.mark.parametrize("options", SPM)
def test_sizes_of_sentencepiece_are_those_of_training(options: dict[str, Any]) -> None:
    options = {**options, "preset": "sentencepiece"}
    planned = kugiri.plan(LINES, **options)
    assert planned.largest_is_exact
    for size in (planned.smallest, planned.largest):
        assert kugiri.train(LINES, vocab_size=size, **options).vocab_size == size
    too_small = [planned.smallest - 1] if options["model"] != "word" else []  # an id does not fit
    for size in (*too_small, planned.largest + 1):
        with pytest.raises(VocabularyError) as caught:
            kugiri.train(LINES, vocab_size=size, **options)
        assert str(caught.value) in kugiri.plan(LINES, vocab_size=size, **options).warnings


# ── what train takes ──────────────────────────────────────────────────────────────────────────
def test_seeds_and_merges_are_those_of_train() -> None:
    assert kugiri.plan(LINES, seed=3) == kugiri.plan(LINES)
    with pytest.raises(OptionError, match="seed is 'x'; it must be a whole number"):
        kugiri.plan(LINES, seed="x")  # type: ignore[arg-type]
    most = kugiri.plan(LINES).largest - 256
    assert kugiri.plan(LINES, num_merges=most).warnings == []
    (warning,) = kugiri.plan(LINES, num_merges=most + 1).warnings
    assert warning.startswith(f"num_merges={most + 1} cannot be reached: no further pair occurs 2")
    assert f"use num_merges={most} or less" in warning
    with pytest.raises(OptionError, match="num_merges is for model='bpe'; model='word' merges"):
        kugiri.plan(LINES, model="word", num_merges=3)
    with pytest.raises(OptionError, match="vocab_size and num_merges exclude each other"):
        kugiri.plan(LINES, vocab_size=300, num_merges=3)
    result = run("plan", "-", "--seed", "3", "--num-merges", "99", stdin="猫は魚\n" * 9)
    assert result.code == 0
    assert "kugiri: warning: --num-merges 99 cannot be reached" in result.err


def test_an_alphabet_that_does_not_fit_is_kept_as_in_training() -> None:
    options: dict[str, Any] = {"preset": "gpt2", "vocab_size": 100}
    with pytest.warns(KugiriWarning, match="the alphabet alone is larger") as told:
        kugiri.train(LINES, **options)
    assert str(told[0].message) in kugiri.plan(LINES, **options).warnings


def test_a_plan_takes_the_options_of_train() -> None:
    of_train, of_plan = ({param.name for param in each.params} for each in (train, plan))
    assert of_train - of_plan == {"output", "trace"}
    assert of_plan <= of_train
