"""Chats, as a tokenizer of transformers is asked for them.

Rule.    As `Tokenizer.encode_chat`: content never makes a control token, as there with
         `sanitize_control_tokens=True`. Roles of the tokenizer are what a template may name.
Cost.    That of `encode_chat` for each chat.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kugiri import chat as chats
from kugiri.chat.encoding import ChatEncoding
from kugiri.compat.batch_encoding import BatchEncoding, as_tensors
from kugiri.compat.call_options import CallOptions
from kugiri.compat.calls import Calls
from kugiri.compat.fill_up import filled_up
from kugiri.compat.length_options import as_lengths
from kugiri.errors import OptionError, choose, described
from kugiri.inputs import is_list
from kugiri.spec import ChatTemplates

MASK = "assistant_masks"


class Chats(Calls):
    """A tokenizer that writes chats.

    Attributes:
        chat_template: the usual template, or all of them by their names; None for none.
    """

    def get_chat_template(self, chat_template: str | None = None, tools: Any = None) -> str:
        """Return the template that a chat is written by.

        Raises:
            OptionError: there is none.
        """
        named = self._templates()
        if chat_template is not None:
            return named.get(chat_template, chat_template)
        if not named:
            raise OptionError("there is no chat template; set tokenizer.chat_template")
        usual = "tool_use" if tools and "tool_use" in named else "default"
        return named[choose("chat template", usual, named)]

    def apply_chat_template(
        self,
        conversation: Any,
        tools: Any = None,
        documents: Any = None,
        chat_template: str | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        tokenize: bool = True,
        sanitize_control_tokens: bool = False,
        padding: bool | str = False,
        truncation: bool | str = False,
        max_length: int | None = None,
        return_tensors: str | None = None,
        return_dict: bool = True,
        return_assistant_tokens_mask: bool = False,
        tokenizer_kwargs: Mapping[str, Any] | None = None,
        **variables: Any,
    ) -> Any:
        """Return a chat, or several, as a model is given them; or their text.

        Args:
            conversation: a list of messages, or a list of such lists.
            tools: schemas of what the model may call.
            documents: for templates that read them.
            chat_template: the name of a template, or one itself.
            add_generation_prompt: end with the head of an answer.
            continue_final_message: end inside the last message.
            tokenize: False for the text.
            sanitize_control_tokens: content makes no control tokens here in any case.
            padding: as in a call.
            truncation: as in a call.
            max_length: as in a call.
            return_tensors: as in a call.
            return_dict: False for the ids alone.
            return_assistant_tokens_mask: with `{% generation %}`, what the assistant says.
            tokenizer_kwargs: none may be given here.
            **variables: further ones that the template reads.

        Raises:
            EncodingError: the template refuses the messages, or goes wrong.
            OptionError: there is no template or no such variable; or an argument is wrong.
        """
        if tokenizer_kwargs:
            raise OptionError(
                f"tokenizer_kwargs are not here ({', '.join(tokenizer_kwargs)}); padding, "
                "truncation, max_length and return_tensors are arguments themselves"
            )
        if return_assistant_tokens_mask and not (return_dict and tokenize):
            raise OptionError(
                "return_assistant_tokens_mask=True needs return_dict=True and tokenize=True"
            )
        is_batch = is_list(conversation) and any(map(is_list, conversation))
        if documents is not None:
            variables["documents"] = documents
        templates = ChatTemplates(self._templates(), self.special_tokens_map)
        written = [
            chats.encode(
                self.tokenizer,
                messages,
                tools,
                add_generation_prompt,
                chat_template,
                variables,
                continue_final_message,
                templates,
            )
            for messages in (conversation if is_batch else [conversation])
        ]
        if not tokenize:
            texts = [its.text for its in written]
            return texts if is_batch else texts[0]
        call = CallOptions(padding=padding, truncation=truncation, max_length=max_length)
        values = self._as_rows(written, call, return_assistant_tokens_mask)
        if return_tensors is not None:
            values = as_tensors(values, return_tensors)
        elif not is_batch:
            values = {name: rows[0] for name, rows in values.items()}
        return BatchEncoding(values) if return_dict else values["input_ids"]

    def _as_rows(
        self, written: list[ChatEncoding], call: CallOptions, with_mask: bool
    ) -> dict[str, Any]:
        """Chats as rows by name, cut and filled up."""
        padding, truncation = as_lengths(self._defaults(), call)
        most = None if truncation is None else truncation.max_length
        kept = slice(most) if self.truncation_side == "right" else slice(-most if most else 0, None)
        rows: dict[str, Any] = {"input_ids": [its.ids.tolist()[kept] for its in written]}
        wanted = self._wanted(token_type_ids=None, attention_mask=None)
        if "token_type_ids" in wanted:
            rows["token_type_ids"] = [[0] * len(row) for row in rows["input_ids"]]
        values, _ = filled_up(rows, "input_ids", padding, "attention_mask" in wanted)
        if with_mask:
            values[MASK] = [
                _widened([*map(int, its.generated)][kept], len(row), self.padding_side)
                for its, row in zip(written, values["input_ids"], strict=True)
            ]
        return values

    def _templates(self) -> dict[str, str]:
        """The templates by their names, the usual one as "default"."""
        given: Any = self.chat_template
        if is_list(given):  # as they stand in a tokenizer_config.json
            given = {its["name"]: its["template"] for its in given}
        named = {"default": given} if isinstance(given, str) else given or {}
        texts = [*named.values()] if isinstance(named, Mapping) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise OptionError(
                "tokenizer.chat_template is a template, or several by their names; "
                f"{described(given)} came"
            )
        return dict(named)


def _widened(mask: list[int], width: int, side: str) -> list[int]:
    filling = [0] * (width - len(mask))
    return filling + mask if side == "left" else mask + filling
