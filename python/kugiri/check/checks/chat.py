"""What goes wrong where a chat template meets the tokenizer.

Rule.    A template that writes the begin token, and a tokenizer that puts one before every text,
         make two of them where a program renders first and encodes then; a model has never seen
         that. Special tokens that a template names must be there.
Cost.    A rendering of each template.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject, printable, readable
from kugiri.errors import KugiriError

_MESSAGES = [{"role": "user", "content": "猫"}]


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Double begins, templates that fail, names that are no tokens."""
    chat = subject.spec.chat
    if chat is None:
        return
    tokenizer = subject.tokenizer
    for role, token in chat.tokens.items():
        if token and token not in tokenizer.vocab:
            yield "missing", Case(readable(token), printable(role))
    for name in chat.templates:
        try:
            rendered = tokenizer.encode_chat(_MESSAGES, template=name)
        except KugiriError as error:
            yield "fails", Case(printable(name), printable(str(error)))
            continue
        text = rendered.text
        ids = tokenizer.encode(text, allowed_special="all", add_special_tokens=True)
        if len(ids) > 1 and ids[0] == ids[1] and ids[0] in tokenizer.special_tokens.values():
            yield "doubled", Case(printable(name), subject.names(ids[:4]))


CHECK = Check(
    name="chat",
    question="Do the chat template and the special tokens fit together?",
    kinds={
        "doubled": Kind(
            "warning",
            "a chat that is rendered and then encoded with special tokens begins with two of them",
            "use encode_chat, or encode the rendered text with add_special_tokens=False",
        ),
        "missing": Kind(
            "warning",
            "the settings name a special token that the vocabulary does not have",
            "add the token, or mend tokenizer_config.json",
        ),
        "fails": Kind(
            "note",
            "the template refuses a chat of one user message",
            "nothing, if it is meant for other chats",
        ),
    },
    find=find,
)
