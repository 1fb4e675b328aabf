"""`kugiri serve`: the page, on this machine."""

from __future__ import annotations

import click

from kugiri.cli.options import FILE, examples, pattern_option

PORT = 8009


@click.command(
    "serve",
    epilog=examples("kugiri serve", "kugiri serve -t tokenizer.json -t my.model"),
)
@click.option("-t", "--tokenizer", "tokenizers", multiple=True, type=FILE, help="A tokenizer.")
@pattern_option
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True,
    help="The port; 0 takes a free one.",
)  # fmt: skip
def command(tokenizers: tuple[str, ...], pattern: str | None, port: int) -> None:
    """Open a page, on this machine only, that shows how text is cut, and why."""
    from kugiri.web.serving import serve

    serve(tokenizers, pattern, port)
