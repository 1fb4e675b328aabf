"""`kugiri fetch`: text from the web."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from kugiri.cli.display import print_json, working
from kugiri.cli.options import FILE, examples, json_option, quiet_option
from kugiri.cli.written import report_left_out, report_written
from kugiri.corpus.http import Patience
from kugiri.corpus.resume import is_begun
from kugiri.corpus.wordpress import FIELDS, fetch
from kugiri.corpus.write import STDOUT
from kugiri.errors import KugiriError


@click.group(
    "fetch",
    epilog=examples("kugiri fetch wordpress https://example.org --field title -o titles.txt"),
)
def command() -> None:
    """Fetch a corpus from the web."""


@command.command(
    "wordpress",
    short_help="Fetch the titles or the text of all posts of a WordPress site.",
    epilog=examples(
        "kugiri fetch wordpress https://example.org --field title -o titles.txt",
        "kugiri fetch wordpress example.org --field content -o posts.jsonl",
    ),
)
@click.argument("url")
@click.option("--field", type=click.Choice(FIELDS), default="title", help="title or content.")
@click.option(
    "-o", "--output", required=True, type=FILE, metavar="FILE", help="Where the posts go."
)
@click.option("--code-out", type=FILE, metavar="FILE", help="Where the blocks of code in them go.")
@click.option("--raw", is_flag=True, help="Keep the HTML as it is.")
@click.option(
    "--timeout", type=float, default=Patience.timeout,
    metavar="SECONDS", help="How long to wait for an answer (30).",
)  # fmt: skip
@click.option(
    "--pause", type=float, default=Patience.pause,
    metavar="SECONDS", help="How long to wait between requests (1).",
)  # fmt: skip
@json_option
@quiet_option
def wordpress(
    url: str,
    field: str,
    output: str,
    code_out: str | None,
    raw: bool,
    timeout: float,
    pause: float,
    as_json: bool,
    quiet: bool,
) -> None:
    """Fetch the titles or the text of all posts of the WordPress site at URL.

    A .jsonl or .csv has id, link and text of each post; any other file has one post a line. If it
    is stopped, the same command goes on where it was.
    """
    if raw and code_out:
        raise click.UsageError("--raw keeps code where it is; leave --code-out or --raw out")
    if STDOUT in (output, code_out):
        raise click.UsageError("a fetch that is stopped can go on from a file only; name one")
    patience = Patience(timeout=timeout, pause=pause)
    folder = Path(output).absolute().parent
    if not folder.is_dir():
        raise KugiriError(f"{output}: there is no folder {folder}; make it first")
    try:
        with working("fetching …", quiet) as say:
            fetched = fetch(
                url,
                output,
                field=field,
                raw=raw,
                code_out=code_out,
                patience=replace(patience, on_retry=say),
                on_page=lambda page: say(f"fetched page {page.number} of {page.of} …"),
            )
    except KeyboardInterrupt:
        if is_begun(output):
            click.echo("kugiri: what has come is kept: the same command goes on", err=True)
        raise
    written = {output: fetched.text} | ({str(code_out): fetched.code} if fetched.code else {})
    if not quiet:
        for path, writer in written.items():
            report_written(path, writer)
        report_left_out(fetched.left_out)
    if as_json:
        files = [{"path": path, **writer.sizes()} for path, writer in written.items()]
        print_json({"url": url, "field": field, "files": files, "code_left_out": fetched.left_out})
    else:
        click.echo(output)
