"""`kugiri explain`: what becomes of a text, and how a tokenizer learns, stage by stage."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import click

import kugiri
from kugiri.cli.display import paged
from kugiri.cli.lines import Lines, lines_of
from kugiri.cli.options import (
    FILE,
    Whole,
    examples,
    given,
    model_option,
    paths,
    pattern_option,
    reading_options,
    training_options,
)
from kugiri.cli.sentencepiece_options import sentencepiece_options
from kugiri.cli.written import check_file
from kugiri.corpus import STDIN
from kugiri.files import write_beside

if TYPE_CHECKING:
    from kugiri.explain.structure import Explanation
    from kugiri.explain.training_structure import Training
    from kugiri.tokenizing.encode_options import EncodeOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _hidden_training_options(command: _Command) -> _Command:
    """All options of `kugiri train` that say how; the help names that command instead."""
    before = len(getattr(command, "__click_params__", []))
    for decorate in (
        sentencepiece_options,
        reading_options,
        training_options,
        click.option("--num-merges", type=int),
        click.option("--vocab-size", type=int),
        model_option,
    ):
        command = decorate(command)
    for parameter in command.__click_params__[before:]:  # type: ignore[attr-defined]
        parameter.hidden = parameter.name != "errors"
    return command


@click.command(
    "explain",
    epilog=examples(
        'kugiri explain -t my.model "ｶﾞｯｺｳ ①"',
        'kugiri explain -t my.model --why 東京 "東京都に住む"',
        'kugiri explain -t tokenizer.json --html page.html "東京の図書館"',
        "kugiri explain --training small.txt --unit char --num-merges 20",
    ),
)
@click.argument("text", required=False, default=STDIN)
@click.option("-t", "--tokenizer", type=FILE, metavar="FILE", help="A file, folder or name.")
@pattern_option
@click.option("--why", "piece", metavar="PIECE", help="Say why PIECE is not one token.")
@click.option("--nbest", type=Whole(min=1), metavar="N", help="Ways to cut (12; Unigram).")
@click.option(
    "--allowed-special", multiple=True, metavar="TOKEN|all",
    help="Recognize it in the text. Repeatable.",
)  # fmt: skip
@click.option("--add-special-tokens", is_flag=True, help="Add the special tokens around a text.")
@click.option(
    "--training", "corpus", multiple=True, type=FILE, metavar="FILE",
    help="Show how one learns; options as of train.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a text.")
@click.option("--html", type=FILE, metavar="FILE", help="Write one HTML page; it needs no network.")
@_hidden_training_options
def command(
    text: str,
    tokenizer: str | None,
    pattern: str | None,
    piece: str | None,
    nbest: int | None,
    allowed_special: tuple[str, ...],
    add_special_tokens: bool,
    corpus: tuple[str, ...],
    as_json: bool,
    html: str | None,
    **options: Any,
) -> None:
    """Show what becomes of TEXT: normalized, cut into pre-tokens, and made tokens, step by step.

    Without TEXT or with -, each line of standard input. Spans are characters of the text.
    With --training, show how a tokenizer learns from a small corpus.
    """
    if as_json and html is not None:
        raise click.UsageError("--json and --html exclude each other; the page holds the JSON too")
    if html is not None:
        check_file(html)
    errors = options.pop("errors") or "strict"
    asked = given(options)
    if corpus:
        of_text = {
            "TEXT": text if text != STDIN else None,
            "-t": tokenizer,
            "--why": piece,
            "--nbest": nbest,
            "--allowed-special": allowed_special or None,
            "--add-special-tokens": add_special_tokens or None,
        }
        _refuse(of_text, "is for a text; leave it out with --training")
        _show_training(corpus, {**asked, "errors": errors}, as_json, html)
        return
    typed = {f"--{name.replace('_', '-')}": its for name, its in asked.items()}
    _refuse(typed, "is an option of a training; name its corpus with --training FILE")
    if tokenizer is None:
        raise click.UsageError("name a tokenizer with -t FILE, or a corpus with --training FILE")
    tok = kugiri.load(tokenizer, pattern=pattern)
    how: EncodeOptions = {
        "allowed_special": "all" if "all" in allowed_special else frozenset(allowed_special),
        "add_special_tokens": add_special_tokens,
    }
    if piece is not None:
        _refuse({"--html": html}, "makes no page of --why, which is answered in lines or as JSON")
        _refuse({"--nbest": nbest}, "is for the ways to cut a text; leave it out with --why")
        for lines in lines_of(text, errors):
            for reason in lines.each(lambda each: tok.why(each, piece, **how)):
                print(reason.to_json() if as_json else reason)
        return
    for lines in lines_of(text, errors) if html is None else _one_text(text, errors):
        for explained in lines.each(lambda each: tok.explain(each, nbest=nbest or 12, **how)):
            _show(explained, as_json, html)


def _one_text(text: str, errors: str) -> list[Lines]:
    """The only text there is; a page has no room for more."""
    first = list(islice(lines_of(text, errors), 2))  # a second block has lines too
    came = sum(len(lines.texts) for lines in first)
    if came != 1:
        what = "several lines" if came else "none"
        raise click.UsageError(f"--html makes a page of one text; {what} came")
    return first


def _refuse(given: dict[str, Any], why: str) -> None:
    """Refuse an option that would do nothing."""
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(f"{name} {why}")


def _show(explained: Explanation, as_json: bool, html: str | None) -> None:
    if as_json or html is not None:
        _write(explained, html)
        return
    from kugiri.cli.explanation import draw

    draw(explained)


def _show_training(
    corpus: tuple[str, ...], options: dict[str, Any], as_json: bool, html: str | None
) -> None:
    from kugiri.cli.training_pages import draw_training
    from kugiri.explain.training import explain_training

    training = explain_training(paths(corpus), **options)
    if as_json or html is not None:
        _write(training, html)
        return
    with paged():
        draw_training(training)


def _write(explained: Explanation | Training, html: str | None) -> None:
    """Write the page of an explanation, or print its JSON."""
    if html is None:
        print(explained.to_json())
        return
    with write_beside(html) as file:
        file.write(explained.to_html().encode())
    click.echo(html)
