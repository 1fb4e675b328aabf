"""A real server of the page, in a thread, for the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import kugiri
from kugiri.web.serving import HOST, listen, samples, server
from kugiri.web.store import Store


@contextmanager
def serving(tokenizers: Mapping[str, kugiri.Tokenizer] | None = None) -> Iterator[str]:
    """Serve these tokenizers, or the sample's, and give the address, without its last slash."""
    given = [(name, tok, "given") for name, tok in tokenizers.items()] if tokenizers else samples()
    listening = listen(0)
    port = listening.getsockname()[1]
    running = server(Store(given), port)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    try:
        yield f"http://{HOST}:{port}"
    finally:
        running.should_exit = True
        thread.join(5)
        listening.close()
