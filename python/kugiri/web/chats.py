"""A chat as its template writes it: what is content, what is frame, and what each message costs.

Rule.    It is encoded as `Tokenizer.encode_chat` does; what the template refuses is said in its
         words. A piece is a token with what it is part of.
Cost.    That of the template and of encoding.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kugiri.errors import EncodingError
from kugiri.warned import listening
from kugiri.web import requests as asked
from kugiri.web.failures import Failure, of_library, warnings_as_data
from kugiri.web.kept import MOST_NORMALIZED
from kugiri.web.store import Store

MOST_BYTES = 200_000
"""Of messages and tools, as JSON."""


def chat(store: Store, its: asked.Chat) -> dict[str, Any]:
    """The tokens of a chat."""
    size = len(msgspec.json.encode((its.messages, its.tools)))
    if size > MOST_BYTES:
        raise Failure(
            413,
            f"the chat has {size:,} bytes; {MOST_BYTES:,} are the most here",
            "long chat",
            size=size,
            most=MOST_BYTES,
        )
    kept = store.get(its.tokenizer)
    kept.refuse_growth(size, MOST_NORMALIZED)
    tokenizer = kept.tokenizer
    if tokenizer.spec.chat is None:
        raise Failure(
            400,
            f"{its.tokenizer} has no chat template; bring the tokenizer_config.json or the "
            f"chat_template.jinja that lies beside its file",
            "no template",
            name=its.tokenizer,
        )
    try:
        with listening() as heard:
            encoded = tokenizer.encode_chat(
                its.messages, tools=its.tools, add_generation_prompt=its.add_generation_prompt
            )
    except EncodingError as error:
        raise of_library(error, "template") from error
    rows = zip(
        encoded.tokens, encoded.ids.tolist(), encoded.spans, encoded.content, encoded.numbers,
        strict=True,
    )  # fmt: skip
    return {
        "text": encoded.text,
        "warnings": warnings_as_data(heard),
        "tokens": len(encoded),
        "frame": encoded.frame,
        "other": encoded.other,
        "messages": [
            {
                "role": message.role,
                "tokens": message.tokens,
                "content": message.content,
                "overhead": message.overhead,
            }
            for message in encoded.messages
        ],
        "pieces": [
            {
                "text": kept.facts.read(id, token),
                "id": id,
                "start": span[0],
                "end": span[1],
                "content": content,
                "message": message,
                "special": id in kept.facts.special,
            }
            for token, id, span, content, message in rows
        ],
    }
