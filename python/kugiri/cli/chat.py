"""What a chat costs, for `kugiri count --chat`."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from kugiri.chat.encoding import ChatEncoding
from kugiri.chat.render import as_messages, as_tools
from kugiri.cli.cost import Bill, Sized, money_parts
from kugiri.cli.display import in_percent, print_table, shortened
from kugiri.cli.legend import print_legend
from kugiri.corpus import STDIN
from kugiri.errors import CorpusError, KugiriWarning, OptionError, choose, shown
from kugiri.explain.glyphs import visible
from kugiri.tokenizer import Tokenizer

_CONTENT = "{% for m in messages %}{{ m.content }}{% endfor %}"
_KEYS = ("messages", "tools")
_OWN_OPTIONS = ("self", "template", "add_generation_prompt", *_KEYS)
"""What a template reads that is no variable of --set."""


def encode_chat_file(
    tok: Tokenizer,
    path: str,
    generation_prompt: bool,
    template: str | None,
    given: Sequence[str],
    model: str | None = None,
) -> ChatEncoding:
    """Encode the chat of a file: a list of messages, or a request with messages and tools.

    Args:
        tok: what encodes it.
        path: the file.
        generation_prompt: whether the head of the answer is wanted.
        template: the name of a template, or a file with one.
        given: variables of the template, as NAME=VALUE.
        model: as it is sold, whose tokenizer it is.

    Raises:
        CorpusError: it cannot be read, or is none.
        EncodingError: the template refuses it.
        OptionError: there is no template or variable.
        UsageError: a variable is not written as one.
    """
    chat = _read(path)
    if model is not None and template is None and not (tok.spec.chat and tok.spec.chat.templates):
        raise OptionError(
            f"of {model} no chat template is published, so nobody can say what it puts around "
            f"messages; give one with --template, or count their content alone: --template with a "
            f"file of {_CONTENT}"
        )
    return tok.encode_chat(
        chat["messages"],
        tools=chat.get("tools"),
        add_generation_prompt=generation_prompt,
        template=None if template is None else _template(tok, template),
        **dict(map(_variable, given)),
    )


def _read(path: str) -> dict[str, Any]:
    """The chat of a file; a request has more than that, of which only the names are said."""
    data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    name = "<stdin>" if path == STDIN else path
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{name} is no JSON: {error}", name) from error
    chat = {"messages": document} if isinstance(document, list) else document
    if not isinstance(chat, dict) or "messages" not in chat:
        fields = f"; its fields are {_listed(chat)}" if chat and isinstance(chat, dict) else ""
        raise CorpusError(
            f"{name} is no chat; a chat is a list of messages, or an object with "
            f"{' and '.join(_KEYS)}{fields}",
            name,
        )
    try:
        as_messages(chat["messages"])
        as_tools(chat["tools"]) if chat.get("tools") is not None else None
    except OptionError as error:
        raise CorpusError(f"{name}: {error}", name) from error
    if others := chat.keys() - {*_KEYS}:
        warnings.warn(
            f"of {name}, only messages and tools are counted; left out: {_listed(sorted(others))}",
            KugiriWarning,
            stacklevel=2,
        )
    return chat


def _listed(names: Iterable[str]) -> str:
    return shown(", ".join(names), 200)[1:-1]


def _template(tok: Tokenizer, name: str) -> str:
    """The name of a template that the tokenizer has, or what a file holds."""
    named = tok.spec.chat.templates if tok.spec.chat else {}
    if name in named or not Path(name).is_file():
        return choose("chat template", name, named)
    try:
        return Path(name).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(f"{name} is no UTF-8 at byte {error.start}", name) from error


def _variable(given: str) -> tuple[str, Any]:
    """A variable by its name; a value that is no JSON is a text."""
    name, sign, value = given.partition("=")
    if not sign or not name.isidentifier() or name in _OWN_OPTIONS:
        raise click.UsageError(
            f"--set is NAME=VALUE with a variable of the template, as enable_thinking=false; "
            f"{given!r} came"
        )
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


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
    filled = _filled(bill, cells)
    columns = [bill.columns()[at] for at in filled]
    print_table(
        ["message", "role", "content", "overhead", "tokens", *columns],
        [
            [name, role, f"{content:,}", f"{overhead:,}", f"{content + overhead:,}"]
            + [more[at] for at in filled]
            for (name, role, content, overhead), more in zip([*rows, total], cells, strict=True)
        ],
        text=("message", "role"),
    )
    print_legend(columns, cells)


def print_chats(paths: Sequence[str], chats: Sequence[ChatEncoding], bill: Bill) -> None:
    """A line for each chat; of two, by how much the second is more."""
    sizes = [_sizes(chat) for chat in chats]
    cells = [bill.cells(Sized(None, len(chat))) for chat in chats]
    rows = [[path, *(f"{it:,}" for it in its)] for path, its in zip(paths, sizes, strict=True)]
    if len(chats) == 2:
        before, after = (bill.cost(Sized(None, len(chat))) for chat in chats)
        more = after - before if before and after else None
        cells.append(bill.several_cells(more, sign="+"))
        rows.append(["difference", *(f"{b - a:+,}" for a, b in zip(*sizes, strict=True))])
        none = ["–"] * len(bill.columns())
        cells.append(bill.percent_cells(before, after) if before and after else none)
        rows.append(["in percent", *(in_percent(a, b) for a, b in zip(*sizes, strict=True))])
    filled = _filled(bill, cells)
    columns = [bill.columns()[at] for at in filled]
    lines = [row + [more[at] for at in filled] for row, more in zip(rows, cells, strict=True)]
    heads = ["chat", "messages", "content", "overhead", "tokens"]
    print_table([*heads, *columns], lines, text="chat")
    print_legend(columns, cells)


def _sizes(chat: ChatEncoding) -> tuple[int, int, int, int]:
    """Messages, and tokens of their content, around it, and in all."""
    content = sum(its.content for its in chat.messages) + chat.other
    return len(chat.messages), content, len(chat) - content, len(chat)


def _filled(bill: Bill, cells: Sequence[Sequence[str]]) -> list[int]:
    """The columns that have any value."""
    return [at for at in range(len(bill.columns())) if any(row[at] != "–" for row in cells)]
