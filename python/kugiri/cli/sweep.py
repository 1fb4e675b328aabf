"""`kugiri sweep`: many vocabularies of one text, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from kugiri.cli.display import print_json, say, several, working
from kugiri.cli.named import named
from kugiri.cli.options import (
    FILE,
    examples,
    given,
    json_option,
    paths,
    quiet_option,
    reading_options,
    training_options,
)
from kugiri.cli.recommended import Wanted, print_recommendations, recommendation_options
from kugiri.cli.sweep_table import print_csv, print_sweep
from kugiri.cli.vary import measure_variants, refuse_with_vary, varied
from kugiri.cli.written import check_writable
from kugiri.corpus import STDIN
from kugiri.sweep import sweep
from kugiri.sweep_result import check_folder, file_of


def _numbers(ctx: click.Context, option: click.Parameter, typed: str) -> list[int]:
    try:
        return [int(word) for word in typed.split(",")]
    except ValueError:
        raise click.BadParameter(f"{typed!r}: sizes are numbers, as in 256,400,800") from None


@click.command(
    "sweep",
    epilog=examples(
        "kugiri sweep train.txt --sizes 256,400,800,1200 --eval eval.txt -o study",
        "kugiri sweep train.txt --sizes 1000,2000 --models bpe,char,word --csv",
        "kugiri sweep train.txt --sizes 2000 --eval eval.txt --vary unit=byte,char",
        "kugiri sweep train.txt --sizes 64000 --eval eval.txt --parameters 125M",
    ),
)
@click.argument("corpus", type=FILE, nargs=-1, required=True)
@click.option(
    "--sizes", required=True, callback=_numbers, metavar="N,N,…", help="Vocabulary sizes."
)
@click.option(
    "--models", default="bpe", metavar="M,M,…", help="bpe, wordpiece, unigram, char, word."
)
@click.option(
    "--eval",
    "evaluation",
    multiple=True,
    callback=named,
    metavar="[NAME=]FILE",
    help="Text not trained on. Repeatable.",
)
@click.option("--sentence", "sentences", multiple=True, help="Show how it is split. Repeatable.")
@click.option(
    "-o", "--output", type=FILE, metavar="DIR", help="Save tokenizers and summary.json here."
)
@click.option(
    "--vary",
    multiple=True,
    callback=varied,
    metavar="OPTION=V,V,…",
    help="Compare these values on --eval. Repeatable.",
)
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="With --vary: what to measure (all)."
)
@recommendation_options
@training_options
@reading_options
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@quiet_option
def command(
    corpus: tuple[str, ...],
    sizes: list[int],
    models: str,
    evaluation: list[tuple[str, str]],
    sentences: tuple[str, ...],
    output: str | None,
    vary: dict[str, list[Any]],
    metrics: tuple[str, ...],
    as_csv: bool,
    as_json: bool,
    quiet: bool,
    parameters: float | None,
    dimension: int | None,
    untied: bool,
    training_bytes: float | None,
    plot: str | None,
    **options: Any,
) -> None:
    """Train vocabularies of several sizes on CORPUS and compare them.

    Tokens are counted on CORPUS and on the text of --eval, which is not trained on. With --vary
    it is the values of an option that are compared, by all metrics of kugiri measure. With
    --parameters a size is recommended, of BPE among all sizes up to the largest.
    """
    wanted = Wanted(parameters, dimension, untied, training_bytes, plot)
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other; give one of them")
    inputs = [*corpus, *(path for _, path in evaluation)]
    texts = _by_name(evaluation)
    is_read_again = parameters is not None and len(texts) > 1  # each text by itself, as well
    if inputs.count(STDIN) + (is_read_again and [Path(STDIN)] in texts.values()) > 1:
        raise click.UsageError("standard input can be read once only; save one text to a file")
    names = [model.strip() for model in models.split(",")]
    wanted.check(names, inputs, is_varied=bool(vary), has_csv=as_csv)
    if vary:
        refuse_with_vary(texts=texts, sentences=sentences, output=output)
        ctx = click.get_current_context()
        is_usual = ctx.get_parameter_source("models") is click.core.ParameterSource.DEFAULT
        measure_variants(
            corpus=paths(corpus),
            vary=vary,
            sizes=sizes,
            models=[] if is_usual else names,
            texts=texts,
            metrics=metrics,
            output={"json": as_json, "csv": as_csv, "quiet": quiet},
            options=options,
        )
        return
    if metrics:
        raise click.UsageError("--metric goes with --vary; without it, tokens are counted")
    if output is not None:
        check_writable(Path(output))
        check_folder(Path(output), [file_of(name, size) for name in names for size in sizes])
    with working("training …", quiet):
        found = sweep(
            paths(corpus),
            sizes=sizes,
            models=names,
            evaluation=[Path(path) for _, path in evaluation] or None,
            sentences=list(sentences) or None,
            **given(options),
        )
        recommended = wanted.recommend(found, texts)
        if output is not None:
            found.save(output)
    if as_json:
        more = {"recommendations": [it.summary() for it in recommended]} if recommended else {}
        print_json(found.summary() | more)
    elif as_csv:
        print_csv(found)
    else:
        print_sweep(found)
        print_recommendations(recommended)
    if not quiet:
        _say_what_is_written(plot, output, len(found.entries))


def _by_name(evaluation: Iterable[tuple[str, str]]) -> dict[str, list[Path]]:
    texts: dict[str, list[Path]] = {}
    for name, path in evaluation:
        texts.setdefault(name, []).append(Path(path))
    return texts


def _say_what_is_written(plot: str | None, output: str | None, tokenizers: int) -> None:
    if plot is not None:
        say(f"kugiri: {plot}: written")
    if output is not None:
        say(f"kugiri: {output}: {several(tokenizers, 'tokenizer')} and summary.json")
