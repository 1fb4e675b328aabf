"""`kugiri corpus`: files → text to train on and text to measure with."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

import click

from kugiri.cli.display import print_json, several
from kugiri.cli.options import (
    FILE,
    Whole,
    examples,
    json_option,
    paths,
    quiet_option,
    reading_options,
)
from kugiri.cli.written import report_left_out, report_written
from kugiri.corpus import Document, Reading, read_documents
from kugiri.corpus.clean import cleaned
from kugiri.corpus.prepare import Side, prepare
from kugiri.corpus.split import UNITS, split
from kugiri.corpus.write import STDOUT, refuse_read, refuse_same, write_documents


def _size(ctx: click.Context, option: click.Parameter, typed: str | None) -> int | float | None:
    """A number of units as an int, a share such as 5% as a float."""
    if typed is None:
        return None
    try:
        return float(typed[:-1]) / 100 if typed.endswith("%") else int(typed)
    except ValueError:
        raise click.BadParameter(f"{typed!r} is no number and no share; write 20, or 5%") from None


@click.command(
    "corpus",
    epilog=examples(
        "kugiri corpus a.jsonl -o train.txt --eval-out eval.txt --eval-size 20",
        "kugiri corpus pages/*.html --clean --code-out code.jsonl -o text.txt",
    ),
)
@click.argument("sources", type=FILE, nargs=-1, required=True)
@click.option(
    "-o", "--output", default=STDOUT, type=FILE, metavar="FILE", help="Where it goes (stdout)."
)
@click.option("--eval-out", type=FILE, metavar="FILE", help="Where text for evaluation goes.")
@click.option("--eval-size", callback=_size, metavar="N|P%", help="How much of it: 20, or 5%.")
@click.option("--by", type=click.Choice(UNITS), help="What is drawn (document).")
@click.option("--seed", type=int, default=0, help="Another seed, another choice.")
@click.option("--clean", "markup", is_flag=True, help="Take out HTML tags and blocks of code.")
@click.option("--code-out", type=FILE, metavar="FILE", help="Where the blocks of code go.")
@click.option("--eval-code-out", type=FILE, metavar="FILE", help="Where those for evaluation go.")
@click.option("--lines", is_flag=True, help="Make each line a document.")
@click.option(
    "--keep-one-in", "every", type=Whole(min=1), default=1, metavar="N",
    help="Of what is for training, keep every Nth.",
)  # fmt: skip
@reading_options
@json_option
@quiet_option
def command(
    sources: tuple[str, ...],
    output: str,
    eval_out: str | None,
    eval_size: int | float | None,
    by: str | None,
    seed: int,
    markup: bool,
    code_out: str | None,
    eval_code_out: str | None,
    lines: bool,
    every: int,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Make text for training and evaluation of SOURCES: files, folders, globs, or -.

    A .jsonl or .csv keeps documents whole; any other file has one document a line.
    """
    _check(as_json and output == STDOUT, "--json needs -o FILE: both would go to standard output")
    _check(bool(eval_out) != (eval_size is not None), "--eval-out and --eval-size go together")
    _check(by is not None and not eval_out, "--by says what is drawn for --eval-out; name that too")
    _check(bool(code_out) and not markup, "--code-out is for the code that --clean takes out")
    _check(
        bool(eval_code_out) != bool(eval_out and code_out),
        "with --eval-out, code has two places: give --code-out and --eval-code-out, or neither",
    )
    corpus = paths(sources)
    how = Reading(**{name: value for name, value in reading.items() if value is not None})
    documents: Iterable[tuple[Document, bool]]
    if eval_size is None:
        read = read_documents(corpus, how)
        documents = ((document, False) for document in (cleaned(read) if markup else read))
    else:
        by = by or "document"
        documents = split(corpus, eval_size, by=by, seed=seed, reading=how, markup=markup)
    places = {
        "output": output, "code": code_out, "evaluation": eval_out, "evaluation_code": eval_code_out
    }  # fmt: skip
    outputs = [path for path in places.values() if path]
    refuse_same(outputs)
    refuse_read(outputs, corpus)
    with ExitStack() as stack:
        writers = {
            name: stack.enter_context(write_documents(path))
            for name, path in places.items()
            if path
        }
        training, evaluation = (
            Side(writers[text], writers.get(code)) if text in writers else None
            for text, code in (("output", "code"), ("evaluation", "evaluation_code"))
        )
        assert training is not None
        left_out = prepare(documents, training, evaluation, lines=lines, every=every)
    if not quiet:
        for name, writer in writers.items():
            report_written(str(places[name]), writer)
        report_left_out(left_out.code)
        if left_out.training:
            skipped = several(left_out.training, "document")
            click.echo(f"kugiri: left out {skipped} by --keep-one-in {every}", err=True)
    if as_json:
        described = {name: {"path": places[name], **it.sizes()} for name, it in writers.items()}
        print_json({**described, "left_out": left_out._asdict()})


def _check(wrong: bool, message: str) -> None:
    if wrong:
        raise click.UsageError(message)
