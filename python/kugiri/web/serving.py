"""From tokenizers to a running server.

Rule.    It listens at a port of this machine only. Ctrl-C ends it at once, whatever it works on.
Cost.    None.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import uvicorn

from kugiri.errors import KugiriError
from kugiri.web.app import application
from kugiri.web.connections import Connection
from kugiri.web.sample import samples
from kugiri.web.store import Given, Store

HOST: Final = "127.0.0.1"


def serve(
    given: Iterable[Given], port: int, tell: Callable[[str], None], paths: Mapping[str, str]
) -> None:
    """Serve the page until Ctrl-C; where no tokenizers are given, those of the sample.

    Args:
        given: tokenizers with their names.
        port: 0 takes a free one.
        tell: is called with the address, once it can be opened.
        paths: what was typed for each name.

    Raises:
        KugiriError: the port cannot be had.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    with listen(port) as listening:
        at = listening.getsockname()[1]
        store = Store(list(given) or samples(), paths)
        tell(f"http://{HOST}:{at}/")
        server(store, at).run(sockets=[listening])


def listen(port: int) -> socket.socket:
    """A socket that only this machine reaches.

    It names TCP: asyncio sends at once (TCP_NODELAY) only where that is named.

    Raises:
        KugiriError: the port cannot be had.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name != "nt":  # there it would share the port with another program
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise KugiriError(
            f"port {port} cannot be had: {error.strerror}; choose another with port=, or 0 for one "
            f"that is free"
        ) from error
    return listening


def server(store: Store, port: int) -> uvicorn.Server:
    """The server over these tokenizers."""
    settings = uvicorn.Config(
        application(store, port), log_level="critical", http=Connection, loop="asyncio", ws="none",
        lifespan="off", proxy_headers=False, server_header=False, access_log=False,
        timeout_graceful_shutdown=0,
    )  # fmt: skip
    return uvicorn.Server(settings)
