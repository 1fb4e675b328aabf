"""train_variants and `kugiri sweep --vary`: what an option does, all else the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kugiri
from test_cli_main import run

LINES = ["猫は魚が好き", "猫は鳥が好き", "犬は肉が好き"] * 3


def test_every_value_is_trained_as_train_would() -> None:
    found = kugiri.train_variants(
        LINES, vary={"keep_characters": [True, False], "min_frequency": [3]}, vocab_sizes=[264]
    )
    assert list(found) == ["keep_characters=true", "keep_characters=false"]
    for name, value in zip(found, (True, False), strict=True):
        alone = kugiri.train(LINES, vocab_size=264, keep_characters=value, min_frequency=3)
        assert found[name] == alone


def test_all_combinations_and_sizes() -> None:
    found = kugiri.train_variants(
        LINES, vary={"model": ["char", "word"], "special_tokens": [["<pad>"]]}, vocab_sizes=[4]
    )
    assert list(found) == ["model=char", "model=word"]
    found = kugiri.train_variants(
        LINES, vary={"tie": ["lowest-ids", "first-seen"], "min_frequency": [2, 3]},
        vocab_sizes=[258, 260],
    )  # fmt: skip
    assert list(found)[:3] == [
        "tie=lowest-ids, min_frequency=2 258",
        "tie=lowest-ids, min_frequency=2 260",
        "tie=lowest-ids, min_frequency=3 258",
    ]
    assert len(found) == 8
    assert list(kugiri.train_variants(LINES, vary={"min_frequency": [2]}, vocab_sizes=[258])) == [
        "258"
    ]


def test_added_text(tmp_path: Path) -> None:
    (tmp_path / "ja.txt").write_text("\n".join(LINES), encoding="utf-8")
    (tmp_path / "code.txt").write_text("return return return\n" * 9)
    found = kugiri.train_variants(
        tmp_path / "ja.txt", vary={"added": [None, tmp_path / "code.txt"]}, vocab_sizes=[281]
    )
    plain, with_code = found.values()
    assert plain.count("return") == 6
    assert with_code.count("return") < 6
    with pytest.raises(kugiri.CorpusError, match="added text is files"):
        kugiri.train_variants(LINES, vary={"added": [tmp_path / "code.txt"]}, vocab_sizes=[300])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vary": {}}, "vary is option → values"),
        ({"vary": {"tie": "first-seen"}}, "vary has a list of values for tie"),
        ({"vary": {"tie": []}}, "vary has a list of values for tie"),
        (
            {"vary": {"ties": ["first-seen", "x"]}},
            "unknown option to vary 'ties'; did you mean 'tie'?",
        ),
        ({"vary": {"tie": ["first-seen"] * 2}}, "vary has 'tie=first-seen' twice"),
        ({"tie": "first-seen"}, "tie is given, and varied too"),
        (
            {"vary": {"vocab_size": [1, 2]}},
            "vocab_size cannot be varied: give several sizes instead; all other options",
        ),
        (
            {"vary": {"threads": [1, 2]}},
            "threads cannot be varied: the result is the same for any; all other options",
        ),
        ({"vocab_sizes": []}, "vocab_sizes has no size in it"),
        ({"corpus": iter(LINES)}, "each variant reads the corpus"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    asked = {"corpus": LINES, "vary": {"tie": ["lowest-ids"]}, "vocab_sizes": [258], **options}
    with pytest.raises(kugiri.KugiriError) as raised:
        kugiri.train_variants(asked.pop("corpus"), **asked)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "options",
    [
        {"vary": {"unit": ["byte", "bits"]}},
        {"vary": {"tie": ["lowest-ids", "x"]}},
        {"vary": {"min_frequency": [2, 0]}},
        {"vary": {"max_piece_length": [4, "x"]}},
        {"vary": {"preset": ["gpt2", "gpt9"]}},
        {"vary": {"normalizer": ["nfkc", "nfx"]}},
        {"vary": {"compatibility": [None, "x"]}},
        {"vary": {"byte_order": ["value", "x"]}},
        {"vary": {"documents": ["lines", "pages"]}},
        {"vary": {"keep_characters": [True, False], "unit": ["byte", "char"]}},
        {"vary": {"unit": ["char", "byte"], "end_of_word": ["_", "_"]}},
        {"vary": {"model": ["unigram", "bpe"], "character_coverage": [0.99, 1.0]}},
        {"vary": {"model": ["bpe", "unigram"], "unit": ["byte", "char"]}},
        {"vary": {"model": ["bpe", "wordpiece"], "unit": ["byte"]}},
        {"vary": {"model": ["wordpiece", "bpe"], "merge_by": ["frequency"]}},
        {"vary": {"model": ["bpe", "word"], "tie": ["lowest-ids"]}},
        {"vary": {"model": ["bpe", "bogus"]}},
        {"vary": {"preset": ["japanese", "llama2"], "unit": ["char"]}},
        {"model": "unigram", "vary": {"byte_fallback": [True, "x"]}},
        {"model": "unigram", "vary": {"character_coverage": [1.0, 2.0]}},
        {"model": "unigram", "vary": {"normalization_rule_name": ["identity", "x"]}},
        {"vary": {"pre_tokenizer": ["gpt2", "("]}},
        {"vary": {"pre_tokenizer": ["gpt2", "(?<=a+)b"]}},
        {"vary": {"seed": [0, "x"]}},
        {"vary": {"tie": ["lowest-ids", "first-seen"]}, "threads": 0},
        {"model": "wordpiece", "vary": {"special_tokens": [[], ["<a>"]]}},
        {"model": "unigram", "vary": {"normalization_rule_tsv": ["", "nosuch.tsv"]}},
        {"model": "unigram", "vary": {"user_defined_symbols": ["a", "b,b"]}},
        {"vary": {"added": [None, "nosuch.txt"]}, "corpus": [Path(__file__)]},
        {"vary": {"unit": ["byte", "byte"]}},
    ],
    ids=str,
)
def test_nothing_is_trained_before_all_is_checked(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kugiri.training.train_variants.train", lambda *_, **__: pytest.fail("trained")
    )
    asked = {"corpus": LINES, "vocab_sizes": [300], **options}
    with pytest.raises(kugiri.KugiriError):
        kugiri.train_variants(asked.pop("corpus"), **asked)


# ── the command line ──────────────────────────────────────────────────────────────────────────
@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A training text, code, and an evaluation text in the current directory."""
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text("\n".join(LINES), encoding="utf-8")
    Path("code.txt").write_text("return x\nif x:\n" * 5)
    Path("eval.txt").write_text("鳥は魚が好き\n馬は草が好き\n", encoding="utf-8")
    return tmp_path


def test_values_by_hand(texts: Path) -> None:
    # が好き is a token of both, は of the bytes too; 鳥, 魚, 馬, 草 are three bytes or a character.
    result = run("sweep", "train.txt", "--sizes", "264", "--vary", "unit=byte,char", "--eval",
                 "eval.txt", "--metric", "tokens", "--min-frequency", "9", "--csv")  # fmt: skip
    assert result.code == 0, result.err
    assert [line.rsplit(",", 3)[0] for line in result.out.splitlines()[1:]] == [
        "tokens,unit=byte,eval,16.0",
        "tokens,unit=char,eval,8.0",
    ]


@pytest.mark.parametrize(
    "vary",
    [
        ["character_coverage=0.98,1.0"],
        ["byte-fallback=true,false"],
        ["add_dummy_prefix=true,false"],
        ["normalization_rule_name=identity,nmt_nfkc"],
        ["added=,code.txt"],
    ],
    ids=lambda value: value[0].partition("=")[0],
)
def test_what_an_option_of_sentencepiece_does(vary: list[str], texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "300", "--models", "unigram", "--eval",
                 "eval.txt", "--eval", "code.txt", "--vary", "hard_vocab_limit=false", "--json",
                 *(word for each in vary for word in ("--vary", each)))  # fmt: skip
    assert result.code == 0, result.err
    report = json.loads(result.out)
    name, _, values = vary[0].partition("=")
    values = values.replace("added=,", "none,")
    expected = [f"{name}={value or 'none'}" for value in values.split(",")]
    assert [each["name"] for each in report["tokenizers"]] == expected
    assert [each["name"] for each in report["corpora"]] == ["eval", "code"]
    assert {each["model"] for each in report["tokenizers"]} == {"Unigram"}


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--vary", "unit=byte,char"], 2, "--vary measures on text that is not trained on"),
        (["--vary", "unit", "--eval", "eval.txt"], 2, "give an option and its values"),
        (["--vary", "unit=x,char", "--eval", "eval.txt"], 2, "unknown unit 'x'"),
        (["--vary", "unit=byte,char", "--eval", "eval.txt", "-o", "x"], 2, "saves no tokenizers"),
        (["--vary", "unit=byte,char", "--eval", "eval.txt", "--sentence", "x"], 2, "shows and"),
        (["--metric", "tokens"], 2, "--metric goes with --vary"),
        (["--vary", "unit=byte,char", "--eval", "nosuch.txt"], 1, "nosuch.txt"),
        (["--vary", "unit=byte,char", "--unit", "byte", "--eval", "eval.txt"], 2, "varied too"),
    ],
)
def test_refused_by_the_command(options: list[str], code: int, message: str, texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "264", *options)
    assert (result.code, result.out) == (code, "")
    assert message in " ".join(result.err.split())


# ── names as they are written ─────────────────────────────────────────────────────────────────
def test_an_option_may_be_spelled_as_on_the_command_line() -> None:
    found = kugiri.train_variants(LINES, vary={"keep-characters": [True, False]}, vocab_sizes=[264])
    assert list(found) == ["keep-characters=true", "keep-characters=false"]
    assert found["keep-characters=true"] == kugiri.train(
        LINES, vocab_size=264, keep_characters=True
    )
    with pytest.raises(kugiri.OptionError, match="vary has min-frequency twice"):
        kugiri.train_variants(
            LINES, vary={"min_frequency": [2], "min-frequency": [3]}, vocab_sizes=[264]
        )


@pytest.mark.parametrize("spelled", ["keep-characters", "keep_characters"])
def test_a_table_has_the_name_that_was_typed(spelled: str, texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "264", "--vary", f"{spelled}=true,false",
                 "--eval", "eval.txt", "--metric", "tokens", "--csv")  # fmt: skip
    names = [line.split(",")[1] for line in result.out.splitlines()[1:]]
    assert names == [f"{spelled}=true", f"{spelled}=false"]


@pytest.mark.parametrize(
    ("vary", "code", "message"),
    [
        (["byte-fallback=true,false"], 2, "byte-fallback is an option of spm_train"),
        (["byte_fallback=true,false"], 2, "byte_fallback is an option of spm_train"),
        (["limit_alphabet=0,3"], 2, "limit_alphabet is 0; it must be"),
        (["limit-alphabet=x,3"], 2, "limit-alphabet is 'x'; it must be"),
        (["ty-e=1,2"], 2, "unknown option to vary 'ty-e'"),
        (["unit=byte", "unit=char"], 2, "unit is varied twice"),
        (["min-frequency=2", "min_frequency=3"], 2, "min_frequency is varied twice"),
    ],
)
def test_a_message_has_the_name_that_was_typed(
    vary: list[str], code: int, message: str, texts: Path
) -> None:
    typed = [word for each in vary for word in ("--vary", each)]
    result = run("sweep", "train.txt", "--sizes", "264", "--eval", "eval.txt", *typed)
    assert (result.code, result.out) == (code, "")
    assert message in " ".join(result.err.split())


def test_an_unknown_metric_is_refused_before_training(texts: Path) -> None:
    result = run("sweep", "train.txt", "--sizes", "264", "--eval", "eval.txt", "--vary",
                 "tie=none,of,these", "--metric", "tokns")  # fmt: skip
    assert (result.code, result.out) == (2, "")
    assert "did you mean 'tokens'?" in result.err
    result = run("sweep", "train.txt", "--sizes", "264", "--eval", "eval.txt", "--vary",
                 "tie=none,of,these", "--metric", "parity")  # fmt: skip
    assert (result.code, result.out) == (2, "")
    assert "--metric parity compares with another" in " ".join(result.err.split())


def test_how_bytes_are_read_and_special_tokens_may_be_varied(texts: Path) -> None:
    Path("bad.txt").write_bytes(b"low lower \xff\n" * 3)
    asked = ("sweep", "train.txt", "--sizes", "264", "--eval", "eval.txt", "--metric", "tokens",
             "--csv")  # fmt: skip
    for vary, names in (
        ("errors=strict,replace", ["errors=strict", "errors=replace"]),
        ("special_tokens=<a>,", ["special_tokens=<a>", "special_tokens=none"]),
    ):
        result = run(*asked, "--vary", vary)
        assert [line.split(",")[1] for line in result.out.splitlines()[1:]] == names, result.err
    result = run("sweep", "bad.txt", *asked[2:], "--vary", "errors=strict,replace")
    assert (result.code, result.out) == (1, "")
    assert "bad.txt: line 1, byte 11" in result.err


def test_what_cannot_be_varied_is_told_with_what_can(texts: Path) -> None:
    asked = ("sweep", "train.txt", "--sizes", "264", "--eval", "eval.txt", "--vary")
    for vary, said in (
        ("vocab-size=1,2", "vocab-size cannot be varied: give several sizes instead; all other"),
        ("num_threads=1,2", "num_threads cannot be varied: the result is the same for any"),
        ("erors=x", "unknown option to vary 'erors'; did you mean 'errors'? allowed: add-dummy-"),
    ):
        result = run(*asked, vary)
        assert (result.code, result.out) == (2, "")
        assert said in result.err
