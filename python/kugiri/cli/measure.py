"""`kugiri measure`: what tokenizers do to texts, as numbers with intervals."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from kugiri.cli import FAILED, LIMIT_BROKEN
from kugiri.cli.display import console, print_without_ends, say, working
from kugiri.cli.measured import measured
from kugiri.cli.metrics import explain_metric, list_metrics
from kugiri.cli.named import named
from kugiri.cli.options import (
    Whole,
    examples,
    given,
    json_option,
    load_lacking,
    pattern_option,
    quiet_option,
    reading_options,
)
from kugiri.cli.written import check_apart, check_file, check_writable
from kugiri.corpus import STDIN, Reading
from kugiri.errors import choose, shown
from kugiri.files import write_beside
from kugiri.lazy import imported
from kugiri.measure.corpora import languages_of
from kugiri.measure.limits import Limit, Measured, parse
from kugiri.measure.named import readable
from kugiri.measure.study import as_draws
from kugiri.measure.wanted import Given, reference_language
from kugiri.segmenters import SEGMENTERS

if TYPE_CHECKING:
    from kugiri.measure.report import Report


@click.command(
    "measure",
    epilog=examples(
        "kugiri measure -t my.kugiri.json -t o200k_base --corpus ja=novel.txt",
        "kugiri measure -t my.model --corpus ja=novel.txt --corpus 'py=src/*.py' \\",
        "    --fail-if 'bytes_per_token(ja) < 3.2'",
    ),
)
@click.option(
    "-t",
    "--tokenizer",
    "tokenizers",
    multiple=True,
    required=True,
    callback=named,
    metavar="[NAME=]FILE",
    help="A file, folder or name. Repeatable.",
)
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    callback=named,
    metavar="[NAME=]PATH",
    help="Text; a name again adds to it. Repeatable.",
)
@click.option("--parallel", metavar="FOLDER", help="Aligned texts: ja.txt, en.txt, …")
@click.option("--reference", metavar="FILE", help="A tokenizer to compare with.")
@click.option("--reference-language", metavar="CODE", help="The language to compare with (en).")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="What to measure (all). Repeatable."
)
@click.option("--segmenter", metavar="NAME", help="Says where words are: icu, sudachi-a, …")
@click.option("--word-list", metavar="FILE", help="Words to look at, one a line.")
@click.option("--seed", type=Whole(0), help="Of intervals and samples (0).")
@click.option("--draws", type=int, metavar="N", help="For intervals: 0, or 40 to 10,000 (1000).")
@click.option("--sample", type=Whole(1), metavar="BYTES", help="Of slow metrics (2000000).")
@click.option("--threads", type=Whole(1), help="Threads to use; the result is the same.")
@pattern_option
@reading_options
@click.option(
    "--fail-if",
    "limits",
    multiple=True,
    metavar="LIMIT",
    help="Exit with 3 if it holds. Repeatable.",
)
@click.option("--html", metavar="FILE", help="Write a page that needs nothing else.")
@click.option("--plots", metavar="FOLDER", help="Write the plots as PNG and SVG.")
@click.option(
    "--list-metrics",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=list_metrics,
    help="Say which metrics there are.",
)
@click.option(
    "--explain-metric",
    is_eager=True,
    expose_value=False,
    callback=explain_metric,
    metavar="NAME",
    help="Say what a metric is.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, a value a row.")
@json_option
@quiet_option
def command(
    tokenizers: list[tuple[str, str]],
    corpora: list[tuple[str, str]],
    pattern: str | None,
    limits: tuple[str, ...],
    html: str | None,
    plots: str | None,
    as_csv: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Measure what tokenizers do to texts.

    Values have intervals of 95 % where a corpus has several documents, and a star where one is
    better than all others by more than noise.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other; give one of them")
    if [*(path for _, path in corpora), options["word_list"]].count(STDIN) > 1:
        raise click.UsageError("standard input can be read once only; save one text to a file")
    if not corpora and options["parallel"] is None:
        raise click.UsageError("there is no text to measure with; give --corpus or --parallel")
    sources = _once(tokenizers)
    texts: dict[str, list[Path]] = {}
    for name, path in corpora:
        texts.setdefault(name, []).append(Path(path))
    named = {path: name for name, path in sources.items()}
    options["reference"] = named.get(options["reference"], options["reference"])
    checked = _checked(limits, list(sources), list(texts), options)
    _check_places(html, plots, [*sources.values(), *(path for _, path in corpora)])
    with working("measuring …", quiet) as tell:
        loaded = dict(zip(sources, load_lacking(sources.values(), pattern), strict=True))
        found = measured(
            loaded, texts or None, tell=tell, is_table=not (as_json or as_csv), **given(options)
        )
    described = [
        msgspec.structs.replace(it, source=readable(sources[it.name])) for it in found.tokenizers
    ]
    typed = readable(shlex.join(["kugiri", *click.get_current_context().obj]))
    found = msgspec.structs.replace(found, tokenizers=described, command=typed)
    if as_json:
        print(found.to_json().decode())
    elif as_csv:
        sys.stdout.write(found.to_csv())
    else:
        _print(found, is_brief=not options["metrics"])
    sys.stdout.flush()  # pictures take their time, and may fail
    _write(found, html, plots, quiet)
    _end(checked, found)


def _check_places(html: str | None, plots: str | None, inputs: Iterable[str]) -> None:
    """Refuse what could not be written before time is spent on it."""
    if html == STDIN:
        raise click.UsageError("--html writes a file, and - is none; name one, as report.html")
    if html is not None:
        check_file(html)
        check_apart(html, inputs)
    if plots is not None:
        check_writable(Path(plots))
    if html is not None or plots is not None:
        imported("kugiri.measure.html.plots").need("altair", "vl_convert")


def _once(tokenizers: Iterable[tuple[str, str]]) -> dict[str, str]:
    sources: dict[str, str] = {}
    for name, path in tokenizers:
        if name in sources:
            raise click.UsageError(
                f"two tokenizers are called {shown(name)}; name them: -t NAME=FILE"
            )
        sources[name] = path
    return sources


def _checked(
    limits: Iterable[str],
    tokenizers: Sequence[str],
    corpora: Sequence[str],
    options: Mapping[str, Any],
) -> list[Limit]:
    """The limits; a name that there is not is refused before time is spent."""
    parallel = options["parallel"]
    languages = [] if parallel is None else list(languages_of(parallel))
    choose("segmenter", options["segmenter"] or "icu", SEGMENTERS)
    Reading(documents=options["documents"] or "lines")
    as_draws(options["draws"] or 0)
    language = reference_language(options["reference_language"], languages)
    there = Given(corpora, languages, language, options["reference"] is not None)
    known = Measured(there, there.places(options["metrics"] or None), tokenizers)
    return [parse(text, known) for text in limits]


def _write(found: Report, html: str | None, plots: str | None, quiet: bool) -> None:
    with working("drawing …", quiet):
        if html is not None:
            with write_beside(html) as file:
                file.write(found.to_html().encode())
        if plots is not None:
            imported("kugiri.measure.html").save_plots(found, plots)
    for path in filter(None, (html, plots)):
        if not quiet:
            say(f"kugiri: {path}: written")


def _print(found: Report, *, is_brief: bool) -> None:
    from kugiri.measure.table import Tables

    print_without_ends(console(), Tables(found, is_brief))


def _end(limits: Sequence[Limit], found: Report) -> None:
    """Say which limits are broken, and which could not be checked, and fail."""
    broken = [line for limit in limits for line in limit.broken(found)]
    unchecked = [line for limit in limits for line in limit.unchecked(found)]
    for line in broken:
        say(f"kugiri: limit broken: {line}")
    for line in unchecked:
        say(f"kugiri: error: {line}")
    if broken or unchecked:
        click.get_current_context().exit(LIMIT_BROKEN if broken else FAILED)
