"""`kugiri train`: files → a tokenizer file."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

import kugiri
from kugiri.cli.display import print_json, print_table, readable, spelled, working
from kugiri.cli.options import (
    FILE,
    Whole,
    examples,
    given,
    json_option,
    model_option,
    paths,
    quiet_option,
    reading_options,
    training_options,
)
from kugiri.cli.sentencepiece_options import TrainingCommand, sentencepiece_options
from kugiri.formats import FORMATS
from kugiri.formats.recognise import by_name as format_of
from kugiri.presets import WORD_PIECE_PRESETS
from kugiri.sentencepiece.asked import by_name


@click.command(
    "train",
    cls=TrainingCommand,
    epilog=examples(
        "kugiri train a.txt --preset japanese --vocab-size 800 -o a.kugiri.json",
        "kugiri train texts/ --unit char --num-merges 60 --trace 20",
        "kugiri train texts/ --preset llama2 --vocab-size 8000 -o small.model",
    ),
)
@click.argument("corpus", type=FILE, nargs=-1, required=True)
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="Where to save; the name says the format."
)
@model_option
@click.option("--vocab-size", type=int, help="Entries of the vocabulary, all counted.")
@click.option("--num-merges", type=int, help="Merges to learn, instead of --vocab-size.")
@training_options
@reading_options
@sentencepiece_options
@click.option("--trace", type=Whole(min=0), metavar="N", help="Print N merges or rounds.")
@json_option
@quiet_option
def command(
    corpus: tuple[str, ...],
    output: str | None,
    trace: int | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Train a tokenizer on CORPUS: files, folders, globs, or - for standard input."""
    if output is None and trace is None and not as_json:
        raise click.UsageError(
            "say with -o FILE where to save the tokenizer, or ask for --trace N or --json"
        )
    if output is not None:
        _check_writable(Path(output))
    asked = given(options)
    of_spm_train = by_name(asked.get("model"), asked.get("preset"), asked)
    if trace is not None:
        of_preset = "wordpiece" if asked.get("preset") in WORD_PIECE_PRESETS else ""
        _check_traced(asked.get("model") or of_preset, of_spm_train)
    if output is not None:
        _check_format(Path(output), asked, of_spm_train is not None)
    with working("training …", quiet):
        tok = kugiri.train(paths(corpus), **asked)
    if output is not None:
        tok.save(output)
    if not quiet:
        click.echo(_summary(tok), err=True)
    merges = list(tok.merges[:trace]) if trace is not None else None
    if as_json:
        print_json(_described(tok, output, merges))
        return
    if merges is not None:
        _print_trace(tok, merges, trace)
    if output is not None:
        click.echo(output)


def _check_traced(model: str, of_spm_train: dict[str, Any] | None) -> None:
    """Refuse to trace what has neither merges nor rounds."""
    if model == "wordpiece":
        raise click.UsageError(
            "--trace shows merges or rounds, and WordPiece keeps its pieces alone, in the order in "
            "which they were made: `kugiri inspect` shows them"
        )
    if of_spm_train is not None and of_spm_train.get("model_type", "unigram") != "unigram":
        raise click.UsageError(
            "--trace shows merges or rounds, and this training gives scores in their place: "
            "`kugiri inspect` shows its pieces, and with --lineage what made one"
        )


def _check_writable(output: Path) -> None:
    """Refuse an output that could not be written before time is spent on training."""
    folder = output.absolute().parent
    if output.is_dir():
        raise kugiri.KugiriError(f"{output}: this is a folder; name a file in it")
    if not output.name.lower().endswith(ends := tuple(it.suffix for it in FORMATS.values())):
        raise kugiri.OptionError(f"{output}: the name must end with one of {', '.join(ends)}")
    if not folder.is_dir():
        raise kugiri.KugiriError(f"{output}: there is no folder {folder}; make it first")
    if not os.access(output if output.exists() else folder, os.W_OK):
        raise kugiri.KugiriError(f"{output}: no permission to write here; name another place")


def _check_format(output: Path, asked: dict[str, Any], of_spm_train: bool) -> None:
    """Refuse a format that cannot hold such a tokenizer, by writing one trained on two words.

    Raises:
        KugiriError: it cannot.
    """
    if format_of(output) == "sentencepiece" and not of_spm_train:
        raise kugiri.OptionError(
            f"{output}: a .model holds what --model unigram, --model-type, or a preset of "
            "sentencepiece, llama2, t5 trains; say one of these, or name a .kugiri.json"
        )
    small = {**asked, "vocab_size": None, "num_merges": 1}
    if of_spm_train:
        small = {**asked, "hard_vocab_limit": False, "input_format": "text"}
    small |= {"documents": None, "field": None, "column": None}
    with warnings.catch_warnings(), TemporaryDirectory() as folder:
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        try:
            kugiri.train(["a a"], **small).save(Path(folder, output.name))
        except kugiri.FormatError as error:
            error.path = str(output)
            raise
        except (kugiri.TrainingError, kugiri.VocabularyError, kugiri.OptionError):
            pass  # what is wrong with the run itself, the run says


def _summary(tok: kugiri.Tokenizer) -> str:
    record = tok.training
    merges = f"{len(tok.merges):,} merges, " if tok.merges else ""
    return (
        f"kugiri: trained on {record['words']:,} different words: {merges}"
        f"vocabulary {tok.vocab_size:,}, {record['seconds']:.2f} s"
    )


def _described(
    tok: kugiri.Tokenizer, output: str | None, merges: list[kugiri.Merge] | None
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "path": output,
        "vocab_size": tok.vocab_size,
        "num_merges": len(tok.merges),
        "training": tok.training,
    }
    if merges is not None:
        described["merges"] = [
            {
                "left": spelled(merge.left),
                "right": spelled(merge.right),
                "result": spelled(merge.result),
                "count": merge.count,
                "applied": merge.applied,
            }
            for merge in merges
        ]
    return described


def _print_trace(tok: kugiri.Tokenizer, merges: list[kugiri.Merge], trace: int | None) -> None:
    if "rounds" in tok.training:
        _print_rounds(tok.training["rounds"][:trace])
    else:
        _print_merges(merges)


def _print_rounds(rounds: list[dict[str, Any]]) -> None:
    print_table(
        ["#", "pieces", "objective", "tokens", "tokens/piece"],
        [
            (
                str(number),
                f"{its['pieces']:,}",
                f"{its['objective']:.4f}",
                f"{its['tokens']:,.1f}",
                f"{its['tokens_per_piece']:.2f}",
            )
            for number, its in enumerate(rounds, 1)
        ],
        text=(),
    )


def _print_merges(merges: list[kugiri.Merge]) -> None:
    print_table(
        ["#", "merge", "count", "applied"],
        [
            (
                str(number),
                f"{readable(merge.left)} + {readable(merge.right)} → {readable(merge.result)}",
                f"{merge.count:,}",
                f"{merge.applied:,}",
            )
            for number, merge in enumerate(merges, 1)
        ],
        text="merge",
    )
