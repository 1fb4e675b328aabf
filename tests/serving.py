"""A real server of the page, in a thread, for the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import pytest

import kugiri

pytest.importorskip("uvicorn", reason="starlette and uvicorn are absent: pip install '.[serve]'")

from kugiri.web.sample import samples
from kugiri.web.serving import HOST, listen, server
from kugiri.web.store import Given, Store


@contextmanager
def serving(tokenizers: Mapping[str, kugiri.Tokenizer] | None = None) -> Iterator[str]:
    """Serve these tokenizers, or the sample's, and give the address, without its last slash."""
    given: list[Given] = [(name, it, "given") for name, it in (tokenizers or {}).items()]
    with serving_store(
        Store(given or _samples(), {name: f"models/{name}" for name in tokenizers or {}})
    ) as address:
        yield address


@contextmanager
def serving_store(store: Store) -> Iterator[str]:
    """Serve what is in a store."""
    with listen(0) as listening:
        port = listening.getsockname()[1]
        running = server(store, port)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not running.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        try:
            yield f"http://{HOST}:{port}"
        finally:
            running.should_exit = True
            thread.join(5)
            assert not thread.is_alive(), "the server did not end"


@cache
def _samples() -> list[Given]:
    return list(samples())
