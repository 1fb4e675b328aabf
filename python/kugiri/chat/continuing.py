"""A chat that ends inside its last message, which a model is to go on with.

Rule.    A mark is put behind the text of the message before the template is run; the chat ends
         where the mark comes out. Where the template has trimmed the message, so is that end.
Cost.    One search of the chat.
Source.  `continue_final_message` of transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kugiri.chat.traced import Traced, plain
from kugiri.errors import EncodingError, OptionError, choose, described
from kugiri.inputs import is_list

_MARK = "WHERE_THE_LAST_MESSAGE_ENDS "
"""Upper case, no signs, and a space: nothing that templates look for, and trimming shows."""


def field_to_continue(continued: Any, add_generation_prompt: Any) -> str | None:
    """The field of the last message that is to be gone on with; None for none.

    Raises:
        OptionError: it is no flag and no name, or a new answer is to begin as well.
    """
    if continued is False:
        return None
    if continued is not True and not (isinstance(continued, str) and continued):
        raise OptionError(
            "continue_final_message is True, False or the name of a field; "
            f"{described(continued)} came"
        )
    if add_generation_prompt:
        raise OptionError(
            "continue_final_message goes on with the last message, and add_generation_prompt "
            "begins an answer; give one of them"
        )
    return "content" if continued is True else str(continued)


def marked(messages: list[Mapping[str, Any]], field: str) -> tuple[list[Mapping[str, Any]], str]:
    """The messages with a mark at the end of the last one, and the text before it.

    Raises:
        OptionError: the last message has no text there.
    """
    last = dict(messages[-1])
    text: Any = last.get(field)
    if is_list(text):
        parts = [dict(part) if isinstance(part, Mapping) else part for part in text]
        place = next((part for part in reversed(parts) if _has_text(part)), None)
        if place is not None:
            text = place["text"]
            place["text"] = text + _MARK
            last[field] = parts
    elif isinstance(text, str):
        last[field] = text + _MARK
    if not isinstance(text, str):
        choose("field of the last message", field, last)
        raise OptionError(f"the {field} of the last message is {described(text)}; a text goes on")
    return [*messages[:-1], last], text


def _has_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def ended(rendered: Traced, text: str) -> Traced:
    """A chat up to the mark.

    Raises:
        EncodingError: the template does not write the last message as it is.
    """
    written = plain(rendered)
    end = written.rfind(_MARK.strip())
    if end < 0 or text.strip() not in written:
        raise EncodingError(
            "the chat template does not write the last message as it is, so it cannot be gone on "
            "with; leave continue_final_message out, or give another template"
        )
    is_trimmed = not written.startswith(_MARK, end)
    return rendered[: len(written[:end].rstrip()) if is_trimmed else end]
