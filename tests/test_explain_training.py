"""Training step by step leads to what `kugiri.train` gives."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.cli import explain, train
from kugiri.errors import OptionError
from kugiri.explain.training import explain_training
from kugiri.explain.training_limits import LARGEST
from kugiri.explain.training_structure import MOST_WORDS, BPETraining, UnigramTraining
from kugiri.explain.vocabulary import pieces
from kugiri.reference.vocab import show
from tests.explained import LINES

BPE: dict[str, dict[str, Any]] = {
    "bytes": {"vocab_size": 290},
    "characters": {"unit": "char", "vocab_size": 90},
    "end of word": {"unit": "char", "end_of_word": "</w>", "num_merges": 20},
    "greatest pair": {"unit": "char", "tie": "greatest-pair", "num_merges": 20},
    "sentencepiece": {"unit": "char", "tie": "sentencepiece", "num_merges": 20},
    "gpt2": {"preset": "gpt2", "vocab_size": 290},
    "japanese": {"preset": "japanese", "vocab_size": 290},
    "short pieces": {"max_piece_length": 4, "num_merges": 10, "min_frequency": 1},
}
UNIGRAM: dict[str, dict[str, Any]] = {
    "usual": {"vocab_size": 90},
    "llama2": {"preset": "llama2", "model": "unigram", "vocab_size": 350},
    "one sub-iteration": {"vocab_size": 90, "num_sub_iterations": 1, "shrinking_factor": 0.5},
}


@pytest.mark.parametrize("name", BPE)
def test_bpe(name: str) -> None:
    tok, training = kugiri.train(LINES, **BPE[name]), explain_training(LINES, **BPE[name])
    model = training.model
    assert isinstance(model, BPETraining)
    assert [(it.left, it.right, it.result, it.count, it.applied) for it in model.steps] == [
        (*(it if isinstance(it, str) else show(it) for it in merge[:3]), merge.count, merge.applied)
        for merge in tok.merges
    ]
    assert training.different_words == tok.training["words"]
    assert model.tokens == tok.training["initial_tokens"]
    for step in model.steps:
        counts = [rival.count for rival in step.rivals]
        assert counts == sorted(counts, reverse=True)
        assert all(count <= step.count for count in counts)
        assert step.ties == counts.count(step.count)
        assert all(step.result in step.words[number].symbols for number in step.changed)


@pytest.mark.parametrize("name", UNIGRAM)
def test_unigram(name: str) -> None:
    asked = {"model": "unigram", **UNIGRAM[name]}
    tok, model = kugiri.train(LINES, **asked), explain_training(LINES, **asked).model
    assert isinstance(model, UnigramTraining)
    learned = [piece.decode() for piece in tok.spec.model.vocab][-len(model.pieces) :]
    assert [it.piece for it in model.pieces] == learned
    rounds = tok.training["rounds"]
    assert [it.pieces for it in model.rounds] == [its["pieces"] for its in rounds]
    for name in ("objective", "tokens", "tokens_per_piece"):
        found = [getattr(it, name) for it in model.rounds]
        assert found == pytest.approx([its[name] for its in rounds])
    left = model.seeds
    for each in model.rounds:
        left += len(each.returned) - len(each.pruned) - len(each.unexpected)
        assert left == each.pieces
        losses = [it.loss for it in each.pruned if it.loss is not None]
        assert losses == sorted(losses)
        assert all("".join(it.instead) == it.piece for it in each.pruned)
        for it in each.pruned:
            told = re.fullmatch(r"its own string is cut better, by ([0-9.]+)", it.why)
            assert it.better == (None if told is None else pytest.approx(float(told[1]), abs=5e-4))


@pytest.mark.parametrize(
    "asked",
    [
        {"model_type": "bpe", "vocab_size": 90},
        {"preset": "llama2", "vocab_size": 350},
        *(
            {"preset": "llama2", "auto_character_coverage": True, "vocab_size": size}
            for size in (270, 330, 350)
        ),
    ],
)
def test_bpe_of_sentencepiece(asked: dict[str, Any]) -> None:
    tok, model = kugiri.train(LINES, **asked), explain_training(LINES, **asked).model
    assert isinstance(model, BPETraining)
    longer = [piece.id for piece in pieces(tok) if piece.kind == "longer"]
    assert [step.id for step in model.steps] == longer
    assert longer or asked["vocab_size"] == 270  # where characters save more than any merge
    for step in model.steps:
        assert tok.token_id(step.result) == step.id
        assert all(step.result in step.words[number].symbols for number in step.changed)
        assert step.applied <= step.count


COUNTED = st.dictionaries(
    st.text("abc", min_size=1, max_size=6), st.integers(1, 9), min_size=1, max_size=MOST_WORDS
)


@given(COUNTED)
def test_words_are_what_the_merges_so_far_make_of_them(words: dict[str, int]) -> None:
    model = explain_training(words, unit="char", num_merges=4, min_frequency=1).model
    assert isinstance(model, BPETraining)
    tokens = model.tokens
    for step in model.steps:
        tokens -= step.applied
        assert sum(len(word.symbols) * word.count for word in step.words) == tokens
        assert ["".join(word.symbols) for word in step.words] == list(words)


def test_only_the_most_frequent_words_are_shown() -> None:
    words = {f"w{number}": 1 + number % 7 for number in range(MOST_WORDS + 10)}
    model = explain_training(words, unit="char", num_merges=1).model
    assert isinstance(model, BPETraining)
    assert (len(model.words), model.words_left_out) == (MOST_WORDS, 10)
    assert {word.count for word in model.words} == {2, 3, 4, 5, 6, 7}


def test_what_is_too_large_or_not_shown_is_refused() -> None:
    with pytest.raises(OptionError, match="too many to show each step; take a part of it"):
        explain_training(["a" * (LARGEST + 1)], vocab_size=300)
    letters = ["".join(map(chr, range(0x4E00, 0x4E00 + 1_100)))]
    with pytest.raises(OptionError, match="more than 1,000 merges, too many to show each"):
        explain_training(letters, unit="char", min_frequency=1, num_merges=1_050)
    bits = "".join(f"{3**at % 65_537:016b}" for at in range(750))  # few strings come twice
    with pytest.raises(OptionError, match=r"begins with 1\d,\d+ pieces, and at most 10,000 can"):
        explain_training([bits], model="unigram", vocab_size=30)
    with pytest.raises(OptionError, match="the steps of model='word' are not shown"):
        explain_training(LINES, model="word")
    with pytest.raises(OptionError, match="the steps of model_type='char' are not shown"):
        explain_training(LINES, model_type="char")
    with pytest.raises(OptionError, match="did you mean"):
        explain_training(LINES, vocab_sise=300)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    path = tmp_path / "small.txt"
    path.write_text("低い 低い 低さ\n" * 3, encoding="utf-8")
    return str(path)


def test_the_command_shows_merges(corpus: str) -> None:
    run = CliRunner().invoke(
        explain.command, ["--training", corpus, "--unit", "char", "--num-merges", "1"]
    )
    assert run.output == (
        "3 different words\n"
        "     3  低|い\n"
        "     3  ␠|低|い\n"
        "     3  ␠|低|さ\n"
        "\n"
        "1  ␠ + 低 → ␠低\n"
        "6 times; 2 pairs tie, and the rule chose; 6 tokens fewer\n"
        "   pair   count\n"
        "*  ␠ 低       6  ████████████████\n"
        "   低 い      6  ████████████████\n"
        "   低 さ      3  ████████\n"
        "     3  ␠低|い\n"
        "     3  ␠低|さ\n"
    )


def test_the_command_writes_json(corpus: str) -> None:
    asked = ["--training", corpus, "--model", "unigram", "--vocab-size", "8", "--json"]
    shown = json.loads(CliRunner().invoke(explain.command, asked).output)
    assert (shown["schema"], shown["model"]["type"]) == (1, "Unigram")


def test_the_trace_of_train_has_the_rounds_of_unigram(corpus: str) -> None:
    asked = [corpus, "--model", "unigram", "--vocab-size", "8", "--trace", "2", "--quiet"]
    lines = CliRunner().invoke(train.command, asked).output.splitlines()
    assert lines[0].split() == ["#", "pieces", "objective", "tokens", "tokens/piece"]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2"]


def test_a_page_of_many_merges_says_what_it_leaves_out() -> None:
    text = ["".join(map(chr, range(0x4E00, 0x4E00 + 310)))]
    html = explain_training(text, unit="char", min_frequency=1, num_merges=305).to_html()
    assert "5 more merges are in the table and in the data of this page." in html


@pytest.mark.parametrize("unit", ["byte", "char"])
def test_signs_of_word_piece_in_a_text_of_bpe(unit: str) -> None:
    """`##` is a piece like any other here."""
    lines = ["## a ##b `##` x##", "# ## ### `##"] * 3
    shown = explain_training(lines, unit=unit, num_merges=6).model
    assert isinstance(shown, BPETraining)
    trained = kugiri.train(lines, unit=unit, num_merges=6)
    results = [merge.result for merge in trained.merges]
    assert [step.result for step in shown.steps] == [
        it if isinstance(it, str) else it.decode() for it in results
    ]
