"""Files that come by the page: a tokenizer, or a chat template for one that is there.

Rule.    What a file is, its content says; its name is a label. A refusal names the file.
Cost.    That of reading it.
"""

from __future__ import annotations

import kugiri
from kugiri.errors import KugiriError
from kugiri.formats.chat_templates import chat_of
from kugiri.warned import listening
from kugiri.web.failures import Failure, of_library, warnings_as_data
from kugiri.web.store import Store, label


def add(store: Store, name: str, data: bytes) -> dict[str, object]:
    """Keep the tokenizer of a file."""
    try:
        with listening() as heard:
            tokenizer = kugiri.load(data)
    except KugiriError as error:
        words = f"{label(name)}: {error}"
        raise Failure(400, words, "file", name=label(name), words=str(error)) from error
    kept = store.add(name, tokenizer, "dropped")
    return {**kept.described(), "warnings": warnings_as_data(heard)}


def give_chat(store: Store, name: str, data: bytes) -> dict[str, object]:
    """Give a tokenizer the chat template of a file."""
    try:
        chat = chat_of(data)
    except KugiriError as error:
        raise of_library(error, "template file") from error
    return store.give_chat(name, chat).described()
