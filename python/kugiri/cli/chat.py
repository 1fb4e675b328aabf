"""What a chat costs, for `kugiri count --chat`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from kugiri.chat.encoding import ChatEncoding
from kugiri.cli.cost import Bill, Sized, money_parts
from kugiri.cli.display import print_table, shortened
from kugiri.corpus import STDIN
from kugiri.errors import CorpusError
from kugiri.explain.glyphs import visible
from kugiri.tokenizer import Tokenizer

_KEYS = ("messages", "tools")


def encode_chat_file(tok: Tokenizer, path: str, generation_prompt: bool) -> ChatEncoding:
    """Encode the chat of a file: a list of messages, or an object with messages and tools.

    Raises:
        CorpusError: it cannot be read, or is none.
        EncodingError: the template refuses it.
        OptionError: there is no template, or a message is none.
    """
    data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    name = "<stdin>" if path == STDIN else path
    try:
        document = msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{name} is no JSON: {error}", name) from error
    chat = {"messages": document} if isinstance(document, list) else document
    if not isinstance(chat, dict) or "messages" not in chat or not chat.keys() <= {*_KEYS}:
        raise CorpusError(
            f"{name} is no chat; a chat is a list of messages, or an object with "
            f"{' and '.join(_KEYS)}",
            name,
        )
    return tok.encode_chat(
        chat["messages"], tools=chat.get("tools"), add_generation_prompt=generation_prompt
    )


def as_json(path: str, chat: ChatEncoding, bill: Bill) -> dict[str, Any]:
    """What `--json` prints."""
    messages = [
        {
            "role": its.role,
            "content": its.content,
            "overhead": its.overhead,
            "tokens": its.tokens,
            **({"cost": money_parts(cost)} if (cost := bill.share(its.tokens, len(chat))) else {}),
        }
        for its in chat.messages
    ]
    return {
        "path": "<stdin>" if path == STDIN else path,
        "messages": messages,
        "other": chat.other,
        "frame": chat.frame,
        "tokens": len(chat),
        **bill.parts(Sized(None, len(chat))),
    }


def print_chat(chat: ChatEncoding, bill: Bill) -> None:
    """A line for each message, for what is of none, and for all, which is one request."""
    rows = [
        (str(number), shortened(visible(its.role), 30), its.content, its.overhead)
        for number, its in enumerate(chat.messages)
    ]
    if chat.other:
        rows.append(("other", "", chat.other, 0))
    if chat.frame:
        rows.append(("frame", "", 0, chat.frame))
    total = ("total", "", sum(row[2] for row in rows), sum(row[3] for row in rows))
    cells = [bill.share_cells(row[2] + row[3], len(chat)) for row in rows]
    cells.append(bill.cells(Sized(None, len(chat))))
    print_table(
        ["message", "role", "content", "overhead", "tokens", *bill.columns()],
        [
            (name, role, f"{content:,}", f"{overhead:,}", f"{content + overhead:,}", *more)
            for (name, role, content, overhead), more in zip([*rows, total], cells, strict=True)
        ],
        text=("message", "role"),
    )
