"""Templates, chats and a tokenizer for the tests of chats."""

from __future__ import annotations

from typing import Any

import msgspec

import kugiri
from kugiri.spec import ChatTemplates

MARKS = ["<|im_start|>", "<|im_end|>", "<s>", "<|user|>", "<|end|>"]
TEXT = ["low lower lowest 猫は寝る user assistant system\n" * 3]

CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
TRIMMED = (
    "{{ bos_token }}\n"
    "{%- for message in messages %}\n"
    "    {%- set content = '<|im_start|>' ~ message.role ~ '\n' ~ message.content | trim %}\n"
    "    {{- content ~ '<|im_end|>' }}\n"
    "{%- endfor %}"
)
NAMED = (
    "{% for m in messages %}{{ '<|' + m.role + '|>' }}{{ m.content }}{{ '<|end|>' }}{% endfor %}"
)
TOOLS = (
    "{% if tools %}<|im_start|>{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}<|im_end|>"
    "{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content is string %}"
    "{{ m.content }}{% else %}{{ m.content[0].text }}{% endif %}"
    "{% for call in m.tool_calls %}{{ call.function.name }}{{ call.function.arguments | tojson }}"
    "{% endfor %}<|im_end|>{% endfor %}"
)
GENERATION = (
    "{% for m in messages %}<|im_start|>{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content }}<|im_end|>{% endgeneration %}"
    "{% else %}{{ m.content }}<|im_end|>{% endif %}{% endfor %}"
)


def with_template(tok: kugiri.Tokenizer, *templates: str, **tokens: str) -> kugiri.Tokenizer:
    """The same with chat templates, the first as the usual one."""
    names = ["default", "tool_use", "third"]
    chat = ChatTemplates(dict(zip(names, templates, strict=False)), tokens)
    return kugiri.Tokenizer(msgspec.structs.replace(tok.spec, chat=chat))


def trained(*templates: str, **tokens: str) -> kugiri.Tokenizer:
    """A small tokenizer with control tokens."""
    return with_template(
        kugiri.train(TEXT, vocab_size=285, special_tokens=MARKS), *templates, **tokens
    )


def said(content: Any, role: str = "user") -> dict[str, Any]:
    """A message."""
    return {"role": role, "content": content}


def control_places(chat: kugiri.ChatEncoding) -> list[tuple[int, int]]:
    """Where the special tokens of a chat stand."""
    rows = zip(chat.tokens, chat.spans, strict=True)
    return [span for token, span in rows if token in MARKS]
