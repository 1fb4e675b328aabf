"""From the command to a running server."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

import click
import uvicorn
from msgspec.structs import replace

import kugiri
from kugiri.errors import OptionError
from kugiri.spec import ChatTemplates
from kugiri.web.app import application
from kugiri.web.store import Source, Store

HOST = "127.0.0.1"

_CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""So that there is a chat to be seen; in the manner of ChatML."""


def serve(names: Iterable[str], pattern: str | None, port: int) -> None:
    """Serve the page until Ctrl-C.

    Raises:
        OptionError: the port is taken.
    """
    listening = listen(port)
    at = listening.getsockname()[1]
    store = Store(_named(names, pattern))
    click.echo(f"http://{HOST}:{at}/", err=False)
    server(store, at).run(sockets=[listening])


def listen(port: int) -> socket.socket:
    """A socket of this machine that nobody else reaches.

    Raises:
        OptionError: the port is taken.
    """
    listening = socket.socket()
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise OptionError(
            f"port {port} cannot be had ({error.strerror}); choose another with --port, or 0 for "
            f"a free one"
        ) from error
    return listening


def server(store: Store, port: int) -> uvicorn.Server:
    """The server over these tokenizers."""
    settings = uvicorn.Config(
        application(store, port), log_level="warning", ws="none", lifespan="off",
        server_header=False, limit_concurrency=200, timeout_graceful_shutdown=1,
    )  # fmt: skip
    return uvicorn.Server(settings)


def _named(
    names: Iterable[str], pattern: str | None
) -> Iterator[tuple[str, kugiri.Tokenizer, Source]]:
    given = [(Path(name).name, kugiri.load(name, pattern=pattern)) for name in names]
    for name, tokenizer in given:
        yield name, tokenizer, "given"
    if not given:
        yield from samples()


def samples() -> Iterator[tuple[str, kugiri.Tokenizer, Source]]:
    """Small tokenizers of the bundled sample, so that the page has something to show."""
    folder = files("kugiri").joinpath("sample")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".txt"))
    lines = [
        line for name in names for line in folder.joinpath(name).read_text("utf-8").split("\n")
    ]
    marks = ["<|im_start|>", "<|im_end|>"]
    bpe = kugiri.train(lines, vocab_size=2_000, special_tokens=marks)
    chat = ChatTemplates({"default": _CHAT}, {"eos_token": marks[1]})
    yield "sample BPE", kugiri.Tokenizer(replace(bpe.spec, chat=chat)), "sample"
    unigram = kugiri.train(lines, model="unigram", vocab_size=2_000, character_coverage=1.0)
    yield "sample Unigram", unigram, "sample"
    wordpiece = kugiri.train(lines, model="wordpiece", vocab_size=2_000)
    yield "sample WordPiece", wordpiece, "sample"
