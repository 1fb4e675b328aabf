"""Which token fills rows up: what a caller asks for, held against the vocabulary.

Rule.    What a caller names must be a token of the vocabulary; what the tokenizer's file names is
         taken as it is, as tokenizers takes it. Where nobody names one, it is the first of USUAL
         that the vocabulary has.
Cost.    A few look-ups.
Source.  tokenizers 0.23.3; the names are those of BERT, Llama and GPT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kugiri.errors import OptionError, described, shown
from kugiri.inputs import as_ids, as_string
from kugiri.spec import Padding

if TYPE_CHECKING:
    from kugiri.tokenizing.token_strings import TokenStrings

USUAL = ("[PAD]", "<pad>", "<|pad|>")
"""What the padding token is called where nobody says it."""


def as_padding(
    padding: Padding | bool | None, of_file: Padding | None, strings: TokenStrings
) -> Padding | None:
    """How rows are filled up; True is what the file says, or else with the usual token.

    Raises:
        OptionError: it is something else, or does not fit the vocabulary.
        VocabularyError: what is filled in is no id.
    """
    if padding is None or padding is False:
        return None
    if padding is True:
        return of_file or _fitting(Padding(), None, strings)
    if not isinstance(padding, Padding):
        raise OptionError(
            f"padding is a kugiri.Padding, or True for the file's; {described(padding)} came"
        )
    as_ids([padding.pad_id or 0, padding.pad_type_id])
    return _fitting(padding, of_file, strings)


def _fitting(padding: Padding, of_file: Padding | None, strings: TokenStrings) -> Padding:
    """The same with the id of its token, and the token of its id.

    Raises:
        OptionError: it names neither and there is no usual one, or what the vocabulary does not
            have, or an id and the token of another.
    """
    id, token = padding.pad_id, padding.pad_token
    if id is None and token is None:
        if of_file is not None:
            id, token = of_file.pad_id, of_file.pad_token
            return replace(padding, pad_id=id, pad_token=token)
        token = next((name for name in USUAL if strings.id_of(name) is not None), None)
        if token is None:
            raise OptionError(
                "neither the call nor the tokenizer's file names the padding token, and this "
                f"vocabulary has none ({', '.join(USUAL)}); give kugiri.Padding(pad_token=...), or "
                "(pad_id=...)"
            )
    found = None if token is None else strings.id_of(as_string("pad_token", token))
    if token is not None and found is None:
        raise OptionError(f"pad_token {shown(token)} is not in the vocabulary; name one that is")
    if id is not None and not strings.has(id):
        raise OptionError(
            f"pad_id is {id}, which no token of this vocabulary has; its ids go to "
            f"{strings.size - 1:,}"
        )
    if id is not None and found is not None and found != id:
        raise OptionError(
            f"pad_token {shown(token)} has the id {found}, and pad_id is {id}; name one"
        )
    id = found if id is None else id
    assert id is not None
    return replace(padding, pad_id=id, pad_token=strings.strings[id] if token is None else token)
