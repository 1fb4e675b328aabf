"""The tokens of a tokenizer, as transformers' callers ask for them: by id, by string, by role.

Rule.    A role (`pad_token`) and its id (`pad_token_id`) are one thing, whichever is set; a model
         may have roles of its own (`image_token`). A token that a role names must be in the
         vocabulary already.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kugiri.compat.not_here import instead_of
from kugiri.compat.pretrained import SETTINGS
from kugiri.errors import OptionError, VocabularyError, choose, described, shown
from kugiri.formats.named_tokens import EXTRA, OLD_EXTRA, USUAL_ROLES
from kugiri.inputs import as_ids, is_list
from kugiri.lazy import lazy_property
from kugiri.spec import AddedToken
from kugiri.tokenizer import Tokenizer


class Vocabulary:
    """A tokenizer with its settings; what is asked of its tokens alone.

    Attributes:
        tokenizer: what does the work.
        extra_special_tokens: special tokens that have no role.
    """

    tokenizer: Tokenizer
    extra_special_tokens: list[str]
    chat_template: Any
    is_fast = True
    pad_token_type_id = 0

    def __init__(self, tokenizer: Tokenizer, **settings: Any) -> None:
        """Take a tokenizer, and settings as they stand in tokenizer_config.json.

        Raises:
            OptionError: there is no such setting, or a role has no token of the vocabulary.
        """
        if not isinstance(tokenizer, Tokenizer):
            raise OptionError(f"a kugiri.Tokenizer is needed; {described(tokenizer)} came")
        extra = settings.pop(OLD_EXTRA, None)
        extra = settings.pop(EXTRA, None) or extra or []
        named = {role: token for role, token in settings.items() if role.endswith("_token")}
        if isinstance(extra, Mapping):
            named, extra = {**named, **extra}, []
        for name in settings.keys() - named.keys():
            choose("setting", name, [*USUAL_ROLES, *SETTINGS, EXTRA])
        self.__dict__.update(tokenizer=tokenizer, _roles=dict.fromkeys([*USUAL_ROLES, *named]))
        for name, value in {**SETTINGS, **settings, **named, EXTRA: extra}.items():
            setattr(self, name, value)
        if self.chat_template is None and (chat := tokenizer.spec.chat) is not None:
            only = list(chat.templates) == ["default"]
            self.chat_template = chat.templates["default"] if only else dict(chat.templates)

    # ── roles ─────────────────────────────────────────────────────────────────────────────────
    def __setattr__(self, name: str, value: Any) -> None:
        """Set a default, or a role by its token or its id.

        Raises:
            OptionError: there is no such token.
        """
        role = name.removesuffix("_id")
        if role in self._roles:
            token = None if value is None else self._token(name, value, role != name)
            self.__dict__["_roles"] = {**self._roles, role: token}
        elif name in (EXTRA, f"{EXTRA}_ids"):
            if value is not None and not is_list(value):
                raise OptionError(f"{name} is a list of tokens; {described(value)} came")
            tokens = [self._token(name, its, name != EXTRA) for its in value or ()]
            self.__dict__[EXTRA] = tokens
        else:
            super().__setattr__(name, value)

    def _token(self, name: str, value: Any, is_id: bool) -> str:
        """A token of the vocabulary, given by itself or by its id."""
        token = self._named(value) if is_id else getattr(value, "content", value)
        if not isinstance(token, str) or token not in self.tokenizer.vocab:
            has_none = "is no id" if is_id else "has no id"
            raise OptionError(
                f"{name} is {shown(value)}, which {has_none}; name a token of the vocabulary"
            )
        return token

    def __getattr__(self, name: str) -> Any:
        """The token of a role, or its id."""
        roles = self.__dict__.get("_roles", {})
        role = name.removesuffix("_id")
        if name == f"{EXTRA}_ids":
            return self.convert_tokens_to_ids(self.extra_special_tokens)
        if role not in roles:
            raise AttributeError(f"a tokenizer has no {name!r}{instead_of(name)}")
        token = roles[role]
        return token if role == name or token is None else self.tokenizer.vocab[token]

    @property
    def special_tokens_map(self) -> dict[str, str]:
        """Roles with their tokens."""
        return {role: token for role, token in self._roles.items() if token is not None}

    @property
    def all_special_tokens(self) -> list[str]:
        """The tokens that have a role, and the extra ones."""
        return list(dict.fromkeys([*self.special_tokens_map.values(), *self.extra_special_tokens]))

    @property
    def all_special_ids(self) -> list[int]:
        """Their ids."""
        return [self.tokenizer.vocab[token] for token in self.all_special_tokens]

    def get_special_tokens_mask(
        self,
        token_ids_0: Any,
        token_ids_1: Any = None,
        already_has_special_tokens: bool = False,
    ) -> list[int]:
        """Return 1 for each id of a row whose token has a role, 0 for others.

        Raises:
            OptionError: the ids are not those of a row that is complete.
        """
        if not already_has_special_tokens or token_ids_1 is not None:
            raise OptionError(
                "get_special_tokens_mask takes the ids of one row with its special tokens, and "
                "already_has_special_tokens=True; a call has return_special_tokens_mask=True"
            )
        special = set(self.all_special_ids)
        return [int(id in special) for id in as_ids(as_python(token_ids_0)).tolist()]

    # ── tokens and ids ────────────────────────────────────────────────────────────────────────
    def convert_tokens_to_ids(self, tokens: str | Iterable[str]) -> Any:
        """Return the id of a token, or of each; that of `unk_token` where there is none."""
        if isinstance(tokens, str):
            return self.tokenizer.vocab.get(tokens, self.unk_token_id)
        if not is_list(tokens):
            raise OptionError(f"tokens are a str or a list of str; {described(tokens)} came")
        return [self.convert_tokens_to_ids(token) for token in tokens]

    def convert_ids_to_tokens(self, ids: Any, skip_special_tokens: bool = False) -> Any:
        """Return the string of an id, or of each; None where there is none."""
        ids = as_python(ids)
        if isinstance(ids, int):
            return self._names.get(ids)
        skipped = set(self.all_special_ids) if skip_special_tokens else set()
        return [self._names.get(id) for id in as_ids(ids).tolist() if id not in skipped]

    def convert_tokens_to_string(self, tokens: Iterable[str]) -> str:
        """Return the text of tokens.

        Raises:
            VocabularyError: one has no id.
        """
        if not is_list(tokens):
            raise OptionError(f"tokens are a list of str; {described(tokens)} came")
        listed, vocab = list(tokens), self.tokenizer.vocab
        for token in listed:
            if token not in vocab:
                raise VocabularyError(f"{shown(token)} is no token; see tokenizer.get_vocab()")
        return self.tokenizer.decode([vocab[token] for token in listed])

    @lazy_property
    def _names(self) -> Mapping[int, str]:
        return {id: token for token, id in self.tokenizer.vocab.items()}

    def _named(self, id: Any) -> str | None:
        number = as_python(id)
        return self._names.get(number) if isinstance(number, int) else None

    # ── all of them ───────────────────────────────────────────────────────────────────────────
    def get_vocab(self) -> dict[str, int]:
        """Return every token with its id."""
        return dict(self.tokenizer.vocab)

    @property
    def vocab(self) -> dict[str, int]:
        """Every token with its id."""
        return self.get_vocab()

    @property
    def vocab_size(self) -> int:
        """The number of tokens of the model, without added ones."""
        return len(self.tokenizer.spec.model.vocab)

    def __len__(self) -> int:
        """The number of tokens, added ones included."""
        return len(self.tokenizer.vocab)

    def __bool__(self) -> bool:
        """Always true, as there."""
        return True

    @property
    def added_tokens_decoder(self) -> dict[int, AddedToken]:
        """The added tokens by their ids, in order."""
        added = sorted(self.tokenizer.spec.added_tokens, key=lambda token: token.id)
        return {token.id: token for token in added}

    @property
    def added_tokens_encoder(self) -> dict[str, int]:
        """The ids of the added tokens."""
        return {token.content: id for id, token in self.added_tokens_decoder.items()}

    def get_added_vocab(self) -> dict[str, int]:
        """Return the ids of the added tokens."""
        return self.added_tokens_encoder


def as_python(value: Any) -> Any:
    """Arrays, tensors and their numbers as lists and numbers of Python, inside lists too."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [as_python(item) for item in value] if isinstance(value, (list, tuple)) else value
