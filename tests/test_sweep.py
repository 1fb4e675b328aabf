"""A sweep: the numbers of document 000, and the same as training and encoding one by one."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from kugiri.errors import (
    EncodingError,
    KugiriWarning,
    OptionError,
    TrainingError,
    VocabularyError,
)
from kugiri.sweep import sweep
from kugiri.sweep_result import Sweep
from kugiri.training.tally import Tally, tally, tally_words
from kugiri.training.texts import Size
from sample_lines import HELD_OUT, SAMPLE, TRAINING
from test_reference_vectors import table


def tokens(found: Sweep, text: str = "training") -> list[int]:
    return [getattr(entry, text).tokens for entry in found.entries]


def encoded(tok: kugiri.Tokenizer, texts: list[str]) -> int:
    return int(tok.count_batch(texts).sum())


def test_document_000() -> None:
    seed = table("seeds")["template_sentences"]
    drawn = random.Random(0)
    parts = seed["subjects"], seed["places"], seed["actions"]
    sentences = ["".join(map(drawn.choice, parts)) + "。" for _ in range(2200)]
    sizes = [size for size, _ in seed["mean_tokens"]]
    found = sweep(
        sentences[:2000],
        sizes=sizes,
        evaluation=sentences[2000:],
        sentences=[row["text"] for row in seed["encode"]],
        unit="char",
        pre_tokenizer="none",
        tie="first-seen",
    )
    means = [
        [entry.size, round(entry.evaluation.tokens_per_document, 1)]
        for entry in found.entries
        if entry.evaluation and entry.evaluation.tokens_per_document
    ]
    assert means == seed["mean_tokens"]
    largest = found.entries[-1]
    assert (largest.vocab_size, largest.merges) == (100, seed["options"]["num_merges"])
    assert largest.splits == [row["pieces"] for row in seed["encode"]]
    merges = found.tokenizers[-1].merges
    assert [merge.result for merge in merges[:12]] == seed["first_12"]
    assert [entry.evaluation.unknown for entry in found.entries if entry.evaluation] == [0] * 4


# ── the same as one by one ────────────────────────────────────────────────────────────────────
OPTIONS = [
    pytest.param({}, [256, 400, 800], id="bytes"),
    pytest.param({"pre_tokenizer": "none", "keep_characters": True}, [256, 300, 500], id="keep"),
    pytest.param({"tie": "first-seen", "special_tokens": ["<|end|>"]}, [257, 600], id="special"),
    pytest.param({"unit": "char", "tie": "greatest-pair"}, [1000, 1200, 1500], id="characters"),
    pytest.param({"unit": "char", "pre_tokenizer": "scripts"}, [1000, 1100], id="scripts"),
    pytest.param({"unit": "char", "end_of_word": "_"}, [1000, 1300], id="end of word"),
    pytest.param({"unit": "char", "limit_alphabet": 300}, [300, 500], id="limited alphabet"),
    pytest.param({"preset": "gpt2"}, [256, 700], id="gpt2"),
]


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
@pytest.mark.parametrize(("options", "sizes"), OPTIONS)
def test_bpe_is_what_separate_training_gives(options: dict[str, Any], sizes: list[int]) -> None:
    found = sweep(TRAINING, sizes=sizes, evaluation=HELD_OUT, **options)
    for size, tok, entry in zip(sizes, found.tokenizers, found.entries, strict=True):
        alone = kugiri.train(TRAINING, vocab_size=size, **options)
        assert tok == alone
        assert entry.evaluation is not None
        assert [Tally(entry.evaluation.tokens, entry.evaluation.unknown)] == tally(
            [alone], [HELD_OUT]
        )
        assert [Tally(entry.training.tokens, entry.training.unknown)] == tally([alone], [TRAINING])
        if options.get("unit") != "char":
            assert entry.evaluation.tokens == encoded(alone, HELD_OUT)


@pytest.mark.parametrize(("model", "pre_tokenizer"), [("char", "none"), ("word", "whitespace")])
def test_baselines(model: str, pre_tokenizer: str) -> None:
    with pytest.warns(KugiriWarning, match="vocab_size=5000 was not reached: there are no more"):
        found = sweep(TRAINING, sizes=[100, 5000], models=[model], evaluation=HELD_OUT)
    for tok, entry in zip(found.tokenizers, found.entries, strict=True):
        alone = kugiri.train(TRAINING, model=model, vocab_size=min(entry.size, entry.vocab_size))
        assert tok.vocab == alone.vocab
        for counted, texts in (entry.training, TRAINING), (entry.evaluation, HELD_OUT):
            assert counted is not None
            ids = [id for text in texts for id in tok.encode(text)]
            assert counted.tokens == len(ids)
            assert counted.unknown == ids.count(tok.special_tokens["<unk>"])
    small, large = found.entries
    assert small.training.unknown > large.training.unknown == 0
    assert large.evaluation is not None
    assert large.evaluation.unknown > 0


def test_options_of_bpe_are_not_for_the_baselines_beside_it() -> None:
    options = {"unit": "char", "tie": "first-seen", "limit_alphabet": 50}
    with pytest.warns(KugiriWarning, match="limit_alphabet=50 left out"):
        found = sweep(TRAINING, sizes=[100], models=["bpe", "word"], **options)
    assert found.tokenizers[1] == kugiri.train(TRAINING, model="word", vocab_size=100)
    with pytest.raises(OptionError, match="is for model='bpe'"):
        sweep(TRAINING, sizes=[100], models=["word"], unit="char")


def test_what_cannot_be_encoded_is_counted() -> None:
    (tok,) = sweep(["猫は魚"] * 2, sizes=[3], unit="char", pre_tokenizer="none").tokenizers
    with pytest.raises(EncodingError):
        tok.encode("駅は")
    assert tally([tok], [["駅は", "犬"]]) == [Tally(3, 2)]
    words = kugiri.count_words(["駅は 猫は 駅は"], pre_tokenizer="whitespace")
    assert tally_words([tok], words) == [Tally(6, 2)]


def test_golden_run_over_the_sample() -> None:
    with pytest.warns(KugiriWarning, match="possible here is 942|possible here is 974") as warned:
        found = sweep(SAMPLE, sizes=[256, 400, 800, 1200], models=["bpe", "char", "word"])
    assert len(warned) == 2
    assert found.training == Size(404, 14_974, 31_677)
    assert [
        (entry.model, entry.vocab_size, entry.training.tokens, entry.training.unknown)
        for entry in found.entries
    ] == [
        ("bpe", 256, 31_677, 0),
        ("bpe", 400, 16_500, 0),
        ("bpe", 800, 11_864, 0),
        ("bpe", 1200, 9_979, 0),
        ("char", 256, 14_974, 1398),
        ("char", 400, 14_974, 781),
        ("char", 800, 14_974, 142),
        ("char", 942, 14_974, 0),
        ("word", 256, 1456, 718),
        ("word", 400, 1456, 574),
        ("word", 800, 1456, 174),
        ("word", 974, 1456, 0),
    ]


# ── numbers ───────────────────────────────────────────────────────────────────────────────────
def test_ratios_and_gains() -> None:
    first, second = sweep(["ab"] * 4, sizes=[256, 257], evaluation=["猫ab"]).entries
    assert msgspec.to_builtins(first.training) == {
        "tokens": 8, "unknown": 0, "bytes_per_token": 1.0, "characters_per_token": 1.0,
        "tokens_per_document": 2.0, "gain": None, "gain_per_doubling": None,
    }  # fmt: skip
    assert second.training.gain == 0.5
    assert second.evaluation is not None
    assert (second.evaluation.tokens, second.evaluation.gain) == (4, 0.2)
    assert second.evaluation.characters_per_token == 0.75


def test_nothing_to_count() -> None:
    for empty in ([""], []):
        with pytest.raises(TrainingError, match="the evaluation text is empty: no document has a"):
            sweep(["ab"], sizes=[256], evaluation=empty)


def test_a_size_that_is_not_reached() -> None:
    with pytest.warns(KugiriWarning, match="the largest vocabulary possible here is 257"):
        found = sweep(["ab"] * 2, sizes=[256, 999])
    assert [entry.vocab_size for entry in found.entries] == [256, 257]


def test_sentences_to_show() -> None:
    found = sweep(["low " * 99], sizes=[256], evaluation=["slow " * 99])
    assert found.sentences == [("slow " * 99)[:40]]
    assert found.entries[0].splits == [list(("slow " * 99)[:40])]
    shown = sweep(["小"], sizes=[256], sentences=["小 a"]).entries[0].splits
    assert shown == [["<e5>", "<b0>", "<8f>", " ", "a"]]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"sizes": []}, OptionError, "sizes has no size in it"),
        ({"models": []}, OptionError, "at least one model"),
        ({"vocab_size": 300}, OptionError, "and no size beside its sizes"),
        ({"models": ["bqe"]}, OptionError, "unknown model 'bqe'; did you mean 'bpe'"),
        ({"preset": "t5"}, OptionError, "'t5' has the options of spm_train, which sweep does not"),
        ({"unti": "char"}, OptionError, "unknown option 'unti'; did you mean 'unit'"),
        ({"sizes": [100]}, VocabularyError, "256"),
        ({"sizes": [3, 6], "unit": "char"}, VocabularyError, "vocab_size=3 is too small"),
    ],
)
def test_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sweep(["abcd" * 9], **{"sizes": [300], **options})


def test_saved(tmp_path: Path) -> None:
    found = sweep(TRAINING, sizes=[256, 300], models=["bpe", "word"], evaluation=HELD_OUT)
    found.save(tmp_path / "study" / "one")
    folder = tmp_path / "study" / "one"
    assert sorted(file.name for file in folder.iterdir()) == [
        "bpe-256.kugiri.json", "bpe-300.kugiri.json", "summary.json",
        "word-256.kugiri.json", "word-300.kugiri.json",
    ]  # fmt: skip
    summary = msgspec.json.decode((folder / "summary.json").read_bytes())
    assert summary["schema"] == 1
    for entry, tok in zip(summary["entries"], found.tokenizers, strict=True):
        assert kugiri.load(folder / entry.pop("file")) == tok
    assert summary == msgspec.json.decode(msgspec.json.encode(found.summary()))


@pytest.mark.filterwarnings("ignore:character_coverage=0.9995 left out")
def test_unigram_beside_bpe() -> None:
    """Unigram is trained for each size; its tokens are those of encoding."""
    sizes = [1100, 1300]
    found = sweep(TRAINING, sizes=sizes, models=["bpe", "unigram"], evaluation=HELD_OUT)
    assert [(entry.model, entry.size) for entry in found.entries] == [
        (model, size) for model in ("bpe", "unigram") for size in sizes
    ]
    for size, entry, tok in zip(sizes, found.entries[2:], found.tokenizers[2:], strict=True):
        alone = kugiri.train(TRAINING, model="unigram", vocab_size=size)
        assert tok.vocab == alone.vocab
        assert entry.training.tokens == encoded(alone, TRAINING)
        assert entry.evaluation is not None
        assert entry.evaluation.tokens == encoded(alone, HELD_OUT)


@pytest.mark.parametrize(
    "options",
    [
        {"pre_tokenizer": "("},
        {"normalizer": "x"},
        {"models": ["bpe", "wordpiece"], "special_tokens": ["<a>"]},
        {"models": ["wordpiece"], "preset": "gpt2"},
        {"models": ["word"], "tie": "first-seen"},
        {"threads": 0},
        {"seed": "x"},
    ],
    ids=str,
)
def test_options_are_refused_before_any_text_is_read(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["kugiri.sweep"]  # `kugiri.sweep` is the function
    monkeypatch.setattr(module, "size_of", lambda *_: pytest.fail("read"))
    with pytest.raises(kugiri.OptionError):
        sweep(["low lower"] * 3, sizes=[300], **options)


@pytest.mark.parametrize("model_type", ["unigram", "bpe", "word", "char"])
def test_unknown_tokens_of_sentencepiece_are_counted(model_type: str) -> None:
    tok = kugiri.train(
        ["low lower lowest"] * 9, model_type=model_type, vocab_size=14, hard_vocab_limit=False
    )
    # ☃ is no character of the training text; the words of it are there, whole or in parts.
    ids = tok.encode("low ☃")
    assert ids.count(tok.vocab["<unk>"]) == 1
    assert tally([tok], [["low ☃"]]) == [Tally(len(ids), 1)]
