"""Files that come by the page: a tokenizer, or a chat template for one that is there.

Rule.    What a file is, its content says; its name, without its endings, is a label, and a refusal
         names it; that all models have a file of this name is told. A tokenizer that is there
         already is not kept twice: the answer is the one that is there. A .tiktoken file that does
         not say how it splits needs the name of a pattern; one that is well-formed is answered with
         422, so that the page can ask for it. Control tokens that a template writes and the
         tokenizer does not have are warned of.
Cost.    That of reading it, and a comparison with each tokenizer that is there.
"""

from __future__ import annotations

import kugiri
from kugiri.check.checks.chat import controls_in
from kugiri.errors import FormatError, KugiriError, choose
from kugiri.formats import lacks_pattern
from kugiri.formats.chat_templates import chat_of
from kugiri.formats.recognise import is_whole
from kugiri.formats.source import Source
from kugiri.measure.named import says_nothing, without_endings
from kugiri.patterns import PATTERNS
from kugiri.spec import ChatTemplates
from kugiri.tokenizer import Tokenizer
from kugiri.warned import listening, warn
from kugiri.web.failures import Failure, of_library, warnings_as_data
from kugiri.web.store import Store, label

_NAMED = 5
"""Control tokens that a warning names."""
_LONGEST = 40
"""Characters of one."""


def add(store: Store, name: str, data: bytes, pattern: str | None) -> dict[str, object]:
    """Keep the tokenizer of a file under a name like this, or find that it is there.

    Raises:
        Failure: it is no tokenizer, needs the name of a pattern, or there are as many as can be
            kept.
    """
    try:
        with listening() as heard:
            tokenizer = _loaded(data, pattern)
    except KugiriError as error:
        raise _refused(label(name), data, error) from error
    called = without_endings(label(name))
    before = store.twin(tokenizer)
    kept = before or store.add(called, tokenizer, "dropped")
    told = {"nameless": before is None and says_nothing(called)}
    return {**kept.described(), **told, "warnings": warnings_as_data(heard)}


def _loaded(data: bytes, pattern: str | None) -> Tokenizer:
    if pattern is not None:
        choose("pattern", pattern, PATTERNS)
    try:
        return kugiri.load(data, pattern=pattern)
    except FormatError as error:
        if pattern is not None or not lacks_pattern(Source(data)):
            raise
        kugiri.load(data, pattern=next(iter(PATTERNS)))  # which refuses what is malformed besides
        raise Failure(422, str(error)) from error


def _refused(name: str, data: bytes, error: KugiriError) -> Failure:
    """What is said of a file that cannot be read: a kind, else that it is damaged, else why."""
    words = f"{name}: {error}"
    if kind := getattr(error, "kind", ""):
        return Failure(400, words, kind, name=name, **getattr(error, "values", {}))
    if not is_whole(data):
        at = getattr(error, "offset", None) or 0
        return Failure(400, words, "damaged file", name=name, at=at)
    return Failure(400, words, "file", name=name, words=str(error))


def give_chat(store: Store, name: str, data: bytes) -> dict[str, object]:
    """Give a tokenizer the chat template of a file."""
    try:
        chat = chat_of(data)
    except KugiriError as error:
        raise of_library(error, "template file") from error
    kept = store.give_chat(name, chat)
    with listening() as heard:
        warn_of_lacking(kept.tokenizer, chat)
    return {**kept.described(), "warnings": warnings_as_data(heard)}


def warn_of_lacking(tokenizer: Tokenizer, chat: ChatTemplates) -> None:
    """Warn of control tokens that templates write and that are none to the tokenizer."""
    lacking = [it for it in controls_in(chat) if it not in tokenizer.special_tokens]
    if lacking:
        words = f"the chat template writes {', '.join(lacking)}, which are no special tokens here"
        tokens = [it[:_LONGEST] for it in lacking[:_NAMED]]
        warn(words, stacklevel=2, kind="no control", tokens=tokens, n=len(lacking))
