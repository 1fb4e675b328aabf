"""`kugiri serve`: the page, on this machine."""

from __future__ import annotations

import sys
import webbrowser

import click

import kugiri
from kugiri.cli.options import FILE, Whole, examples, load_lacking, pattern_option

PORT = 8009
_EXTRA = {"starlette", "uvicorn", "anyio", "h11"}


@click.command(
    "serve",
    epilog=examples("kugiri serve", "kugiri serve -t tokenizer.json -t my.model --open"),
)
@click.option(
    "-t", "--tokenizer", "tokenizers", multiple=True, type=FILE, metavar="FILE",
    help="A file, folder or name. Repeatable.",
)  # fmt: skip
@pattern_option
@click.option(
    "--port", type=Whole(0, 65_535), default=PORT, metavar="N",
    help=f"0 takes a free one. [{PORT}]",
)  # fmt: skip
@click.option("--open/--no-open", "opens", default=False, help="Open it in the browser. [no]")
def command(tokenizers: tuple[str, ...], pattern: str | None, port: int, opens: bool) -> None:
    """Serve a page, to this machine only, that shows how text is cut, and why.

    It prints its address, and ends with Ctrl-C. What you type stays on this machine.
    """
    try:
        from kugiri.web.serving import serve
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRA:
            raise
        raise kugiri.KugiriError(
            f"serve needs the package {package}; pip install 'kugiri[serve]'"
        ) from error
    from kugiri.measure.named import names_of

    def tell(address: str) -> None:
        click.echo(address)
        if sys.stderr.isatty():
            click.echo("Ctrl-C ends it.", err=True)
        if opens and not webbrowser.open(address):
            click.echo("No browser can be opened from here; open this address in one.", err=True)

    loaded = load_lacking(tokenizers, pattern)
    names = names_of(tokenizers)
    given = zip(names, loaded, strict=True)
    paths = dict(zip(names, tokenizers, strict=True))
    serve([(name, tokenizer, "given") for name, tokenizer in given], port, tell, paths)
