"""The encodings of models, under tiktoken's own name for the place where they are."""

from __future__ import annotations

from kugiri.compat.tiktoken.registry import get_encoding
from kugiri.compat.tiktoken_encoding import Encoding
from kugiri.compat.tiktoken_errors import UnknownError
from kugiri.compat.tiktoken_models import MODELS, PREFIXES, encoding_of
from kugiri.errors import shown

MODEL_TO_ENCODING = {model: encoding for encoding, models in MODELS.items() for model in models}
MODEL_PREFIX_TO_ENCODING = PREFIXES


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of the encoding that a model has.

    Raises:
        UnknownError: the model is not known; a KeyError.
    """
    encoding = encoding_of(model_name)
    if encoding is None:
        raise UnknownError(
            f"which encoding {shown(model_name)} has is not known; ask get_encoding for one by name"
        )
    return encoding


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding that a model has.

    Raises:
        UnknownError: the model is not known; a KeyError.
    """
    return get_encoding(encoding_name_for_model(model_name))
