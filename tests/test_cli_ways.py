"""`kugiri encode --nbest` and `--sample`, and what `inspect` says of a .model."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import kugiri
from kugiri.spec import Unigram
from test_cli_main import run

TEXT = "図書館で猫を見た"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A Unigram and a BPE .model of the sample."""
    folder = tmp_path_factory.mktemp("models")
    paths = {}
    for name in ("unigram", "bpe"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", kugiri.KugiriWarning)
            tok = kugiri.train("python/kugiri/sample", model_type=name, vocab_size=1600)
        paths[name] = folder / f"{name}.model"
        tok.save(paths[name])
    return paths


def printed(*arguments: object, stdin: str = "") -> str:
    done = run("encode", "-t", *map(str, arguments), stdin=stdin)
    assert done.code == 0, done.err
    return done.out


def test_the_best_ways(models: dict[str, Path]) -> None:
    ways = kugiri.load(models["unigram"]).nbest(TEXT, 3)
    rows = [
        line.split("\t") for line in printed(models["unigram"], "--nbest", 3, TEXT).splitlines()
    ]
    assert [row[2].split("|") for row in rows] == [way.tokens for way in ways]
    assert [row[0] for row in rows] == [f"{way.log_prob:.4f}" for way in ways]
    assert sum(float(row[1]) for row in rows) <= 1
    best = printed(models["unigram"], "--tokens", TEXT).strip()
    assert rows[0][2] == best
    as_ids = printed(models["unigram"], "--nbest", 1, "--ids", TEXT)
    assert as_ids.split("\t")[2].split() == [str(id) for id in ways[0].ids]
    as_json = json.loads(printed(models["unigram"], "--nbest", 2, "--json", TEXT))
    assert [way["token_ids"] for way in as_json["nbest"]] == [way.ids for way in ways[:2]]
    assert as_json["nbest"][0].keys() == {"token_ids", "tokens", "log_prob", "posterior"}


@pytest.mark.parametrize("model", ["unigram", "bpe"])
def test_draws_repeat(models: dict[str, Path], model: str) -> None:
    tok = kugiri.load(models[model])
    arguments = (models[model], "--sample", "--alpha", 0.3, "--seed", 5)
    lines = printed(*arguments, stdin=f"{TEXT}\n" * 3).splitlines()
    expected = [tok.sample(TEXT, alpha=0.3, seed=seed) for seed in (5, 6, 7)]
    assert lines == [" ".join(map(str, ids)) for ids in expected]
    assert printed(*arguments, TEXT).strip() == lines[0]
    tokens = printed(*arguments, "--tokens", TEXT).strip().split("|")
    assert "".join(tokens).replace("▁", "") == TEXT
    as_json = json.loads(printed(*arguments, "--json", TEXT))
    assert (as_json["token_ids"], as_json["tokens"]) == (expected[0], tokens)


def test_another_method(models: dict[str, Path]) -> None:
    arguments = (models["bpe"], "--sample", "--method", "stochastok")
    lines = printed(*arguments, "--alpha", 0.5, stdin=f"{TEXT}\n" * 3).splitlines()
    drawn = kugiri.load(models["bpe"]).sample_batch(
        [TEXT] * 3, method="stochastok", alpha=0.5, seed=0
    )
    assert lines == [" ".join(map(str, ids)) for ids in drawn.to_lists()]
    assert len(set(lines)) > 1
    # Unknown characters and what is split before them keep their places.
    shown = printed(*arguments, "--alpha", 1, "--tokens", f"{TEXT}𠮷{TEXT}").strip().split("|")
    assert "".join(shown).replace("▁", "") == f"{TEXT}𠮷{TEXT}"


def test_the_dropout_of_a_file_is_the_usual_one(tmp_path: Path) -> None:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"], "dropout": 1}
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}))
    assert printed(file, "--sample", "ab") == "0 1\n"
    assert printed(file, "--sample", "--alpha", 0, "ab") == "2\n"


def test_a_draw_among_the_best(models: dict[str, Path]) -> None:
    best = printed(models["unigram"], TEXT)
    assert printed(models["unigram"], "--sample", "--nbest", 1, TEXT) == best


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--alpha", "1"), 2, "--method, --alpha and --seed are for --sample"),
        (("--method", "stochastok"), 2, "are for --sample"),
        (("--sample", "--method", "bpe-dropout"), 2, "allowed for it: unigram, stochastok"),
        (("--nbest", "2", "--add-special-tokens"), 2, "take a text as it is"),
        (("--nbest", "0"), 2, "0 is not in the range"),
        (("--sample", "--alpha", "nan"), 2, "alpha"),
    ],
)
def test_refused(models: dict[str, Path], arguments: tuple[str, ...], code: int, says: str) -> None:
    done = run("encode", "-t", str(models["unigram"]), *arguments, "猫")
    assert done.code == code
    assert says in done.err


def test_inspect_shows_scores_and_types(models: dict[str, Path]) -> None:
    rows = run("inspect", str(models["unigram"]), "--all").out.splitlines()
    assert rows[0].split() == ["id", "token", "kind", "type", "score"]
    assert rows[1].split() == ["0", "<unk>", "unknown", "token", "UNKNOWN", "0"]
    model = kugiri.load(models["unigram"]).spec.model
    assert isinstance(model, Unigram)
    found = json.loads(run("inspect", str(models["unigram"]), "--all", "--json").out)["tokens"]
    assert [piece["score"] for piece in found] == model.scores.values.tolist()
    assert {piece["type"] for piece in found} == {"UNKNOWN", "CONTROL", "NORMAL"}
