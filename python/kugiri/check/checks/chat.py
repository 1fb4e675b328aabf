"""What goes wrong where a chat template meets the tokenizer.

Rule.    A template that writes the begin token, wherever, and a tokenizer that puts one before
         every text, make one too many where a program renders first and encodes then; the same
         goes for the token at the end, and for a template that writes a special token twice side by
         side. A model has never seen that. A begin token inside a chat may be meant. Special tokens
         that the settings name, or a template writes, must be there: looked for in some chats, with
         and without the head of an answer, a system message, tools. A token is what is written as
         one: <|…|>, <｜…｜> or <…_of_…>; [INST] is text to some models. What a user writes must be
         in the chat as it was. A template that refuses a chat may be meant for others; one that
         goes wrong is broken.
Cost.    A rendering of some chats by each template.
"""

from __future__ import annotations

import itertools
import re
from importlib.util import find_spec
from typing import Any, TypeAlias

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject, printable, readable
from kugiri.errors import KugiriError
from kugiri.spec import ChatTemplates

Message: TypeAlias = dict[str, Any]
_SHORT: list[Message] = [{"role": "user", "content": "猫"}]
_LONG: list[Message] = [
    *_SHORT,
    {"role": "assistant", "content": "犬"},
    {"role": "user", "content": "鳥"},
]
_CALL: Message = {"type": "function", "function": {"name": "meow", "arguments": {"times": 1}}}
_TOOL: Message = {
    "type": "function",
    "function": {
        "name": "meow", "description": "meows",
        "parameters": {"type": "object", "properties": {"times": {"type": "integer"}}},
    },
}  # fmt: skip
_SYSTEM: Message = {"role": "system", "content": "魚"}
_CALLING: list[Message] = [
    *_SHORT, {"role": "assistant", "content": "犬", "tool_calls": [_CALL]},
    {"role": "tool", "name": "meow", "content": "鳥"},
]  # fmt: skip
_CHATS: tuple[tuple[list[Message], dict[str, Any]], ...] = (
    (_SHORT, {"add_generation_prompt": True}), (_LONG, {}), ([_SYSTEM, *_SHORT], {}),
    (_SHORT, {"tools": [_TOOL]}), (_CALLING, {"tools": [_TOOL]}),
)  # fmt: skip
"""Besides the shortest: what templates write special tokens for."""
_WRITTEN = "Neko 猫"
_CONTROL = re.compile(r"<\|[^<>|\s]+\|>|<｜[^<>｜\s]+｜>|<[a-z]+_of_[a-z]+>")
"""What a template writes for a special token and for nothing else."""


def controls_in(chat: ChatTemplates) -> list[str]:
    """The control tokens that stand in the templates, each once."""
    found = (_CONTROL.findall(source) for source in chat.templates.values())
    return list(dict.fromkeys(itertools.chain.from_iterable(found)))


def cannot(subject: Subject) -> dict[str, str]:
    """Without a template there are at most the tokens that settings name."""
    chat = subject.spec.chat
    if chat is None:
        return dict.fromkeys(CHECK.kinds, _NO_TEMPLATE)
    if not chat.templates:
        return dict.fromkeys(_RENDERED, _NO_TEMPLATE)
    return {} if _can_render() else dict.fromkeys(_RENDERED, _NO_RENDERER)


_RENDERED = ("doubled", "middle", "broken", "loses", "date", "fails")
_NO_TEMPLATE = "no chat template lies beside the file"
_NO_RENDERER = "needs the package jinja2; pip install 'kugiri[chat]'"


def _can_render() -> bool:
    return find_spec("jinja2") is not None


def find(subject: Subject) -> Found:
    """Tokens that come twice, templates that fail, names that are no tokens."""
    chat = subject.spec.chat or ChatTemplates()
    named = [*chat.tokens.items(), *(("special tokens", token) for token in chat.special)]
    yield from _missing(subject, [(token, printable(role)) for role, token in named])
    if chat.templates and not _can_render():
        yield "missing", f"of the templates: {_NO_RENDERER}"
        return
    yield from _of_templates(subject, chat)


def _of_templates(subject: Subject, chat: ChatTemplates) -> Found:
    """What two chats show of each template; what no template shows was not looked for."""
    begin = subject.tokenizer.vocab.get(chat.tokens.get("bos_token", ""))
    some = several = 0
    for name, source in chat.templates.items():
        if "strftime_now" in source:
            yield "date", Case(printable(name), "strftime_now")
        text = _rendered(subject, name, _SHORT)
        if isinstance(text, KugiriError):
            kind = "fails" if _is_refusal(text) else "broken"
            yield kind, Case(printable(name), printable(str(text)))
            continue
        some += 1
        texts = [text, *(_rendered(subject, name, its, **given) for its, given in _CHATS)]
        found = (_CONTROL.findall(its) for its in texts if isinstance(its, str))
        written = dict.fromkeys(itertools.chain.from_iterable(found))
        yield from _missing(subject, [(it, f"the template {printable(name)}") for it in written])
        yield from _lost(subject, name)
        if tokens := _doubled(subject, text):
            yield "doubled", Case(printable(name), subject.names(tokens))
        again = None if begin is None else _again(subject, name, begin)
        several += again is not None
        if again:
            yield "middle", Case(printable(name), subject.names(again))
    if begin is None:
        yield "middle", "the settings name no begin token (bos_token) that is in the vocabulary"
    elif not several:
        yield "middle", "no template renders a chat of three messages"
    if chat.templates and not some:
        refused = "no template renders a chat of one user message"
        yield from (("doubled", refused), ("loses", refused))
        yield "missing", f"of the templates: {refused}"


def _rendered(
    subject: Subject, template: str, messages: list[Message], **given: Any
) -> str | KugiriError:
    """The text of a chat, or why there is none: many a template takes one kind of chat alone."""
    try:
        return subject.tokenizer.encode_chat(messages, template=template, **given).text
    except KugiriError as error:
        return error


def _is_refusal(error: KugiriError) -> bool:
    """Whether a template says that it is for other chats, or misses what these have (tools)."""
    return type(error.__cause__).__name__ in ("TemplateError", "UndefinedError", "TypeError")


def _lost(subject: Subject, template: str) -> Found:
    """What was written and is not in the chat, or is otherwise."""
    text = _rendered(subject, template, [{"role": "user", "content": _WRITTEN}])
    if isinstance(text, str) and _WRITTEN not in text:
        is_gone = _WRITTEN.split()[1] not in text
        yield "loses", Case(f"{printable(template)}: {_WRITTEN}", "nothing" if is_gone else text)


def _missing(subject: Subject, named: list[tuple[str, str]]) -> Found:
    """Tokens that the vocabulary lacks, and where they are named."""
    for token, where in named:
        if token not in subject.tokenizer.vocab:
            yield "missing", Case(readable(token), where)


def _doubled(subject: Subject, text: str) -> list[int]:
    """The tokens from the first of two that should be one to the second; none if there are none."""
    tokenizer = subject.tokenizer
    special = set(tokenizer.special_tokens.values())
    own = tokenizer.encode(text, allowed_special="all")
    ids = tokenizer.encode(text, allowed_special="all", add_special_tokens=True)
    starts = range(len(ids) - len(own) + 1)
    at = next((at for at in starts if ids[at : at + len(own)] == own), 0)
    for begin in sorted(special & set(ids[:at]) & set(own)):
        return ids[ids.index(begin) : at + own.index(begin) + 1]
    end = next((id for id in reversed(own) if id in special), None)
    if end in ids[at + len(own) :]:
        last = at + len(own) - 1 - own[::-1].index(end)
        return ids[last : ids.index(end, last + 1) + 1]
    for pair in itertools.pairwise(own):
        if pair[0] == pair[1] and pair[0] in special:
            return list(pair)
    return []


def _again(subject: Subject, template: str, begin: int) -> list[int] | None:
    """A begin token inside the longer chat, with what stands beside it; None: that is refused."""
    text = _rendered(subject, template, _LONG)
    if not isinstance(text, str):
        return None
    own = subject.tokenizer.encode(text, allowed_special="all")
    again = next((at for at in range(1, len(own)) if own[at] == begin), None)
    return [] if again is None else own[again - 1 : again + 2]


CHECK = Check(
    name="chat",
    question="Do the chat template and the special tokens fit together?",
    kinds={
        "doubled": Kind(
            "warning",
            "a chat that is rendered and then encoded with special tokens has one of them twice",
            "use encode_chat, or encode the rendered text with add_special_tokens=False; where the "
            "template itself writes it twice, mend the template",
        ),
        "missing": Kind(
            "warning",
            "the settings or a template name a special token that the vocabulary does not have",
            "add the token, or mend tokenizer_config.json or the template: as it is, the text of "
            "the token is cut like other text",
        ),
        "broken": Kind(
            "warning",
            "the template goes wrong: it is no Jinja, takes too many steps, or asks for what "
            "chat templates may not do",
            "mend the template (chat_template of tokenizer_config.json, or chat_template.jinja)",
        ),
        "loses": Kind(
            "warning",
            "what a user writes is not in the chat as it was written",
            "mend the template, so that it puts the content of each message into the text",
        ),
        "date": Kind(
            "note",
            "the template asks for the date: the same chat has other ids on another day",
            "give the date as a variable, if the template takes one (date_string)",
        ),
        "middle": Kind(
            "note",
            "the begin token comes again inside a chat",
            "nothing, if the model was trained so, each turn or system text beginning anew; else "
            "mend the template",
        ),
        "fails": Kind(
            "note",
            "the template refuses a chat of one user message",
            "nothing, if it is meant for other chats",
        ),
    },
    find=find,
    cannot=cannot,
)
