"""Which public encoding a model has: facts, as tiktoken 0.14.0 has them.

Rule.    A model is known by its name; otherwise by what its name begins with, in this order.
"""

MODELS = {
    "o200k_base": ["o1", "o3", "o4-mini", "gpt-5", "gpt-4.1", "gpt-4o"],
    "cl100k_base": [
        "gpt-4", "gpt-3.5-turbo", "gpt-3.5", "gpt-35-turbo", "davinci-002", "babbage-002",
        "text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large",
    ],
    "p50k_base": [
        "text-davinci-003", "text-davinci-002", "code-davinci-002", "code-davinci-001",
        "code-cushman-002", "code-cushman-001", "davinci-codex", "cushman-codex",
    ],
    "r50k_base": [
        "text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001",
        "davinci", "curie", "babbage", "ada",
        "text-similarity-davinci-001", "text-similarity-curie-001",
        "text-similarity-babbage-001", "text-similarity-ada-001",
        "text-search-davinci-doc-001", "text-search-curie-doc-001",
        "text-search-babbage-doc-001", "text-search-ada-doc-001",
        "code-search-babbage-code-001", "code-search-ada-code-001",
    ],
    "p50k_edit": ["text-davinci-edit-001", "code-davinci-edit-001"],
    "gpt2": ["gpt2", "gpt-2"],
}  # fmt: skip

PREFIXES = {
    **dict.fromkeys(["o1-", "o3-", "o4-mini-"], "o200k_base"),
    **dict.fromkeys(["gpt-5", "gpt-4.5-", "gpt-4.1-", "chatgpt-4o-", "gpt-4o-"], "o200k_base"),
    **dict.fromkeys(["gpt-4-", "gpt-3.5-turbo-", "gpt-35-turbo-"], "cl100k_base"),
    "gpt-oss-": "o200k_harmony",
    "ft:gpt-4o": "o200k_base",
    **dict.fromkeys(["ft:gpt-4", "ft:gpt-3.5-turbo"], "cl100k_base"),
    **dict.fromkeys(["ft:davinci-002", "ft:babbage-002"], "cl100k_base"),
}


def encoding_of(model: str) -> str | None:
    """The encoding of a model; None if it is not known.

    Example:
        >>> encoding_of("gpt-4"), encoding_of("gpt-4o-2024-05-13"), encoding_of("my-model")
        ('cl100k_base', 'o200k_base', None)
    """
    found = beginning_of(model)
    return None if found is None else found[0]


def beginning_of(model: str) -> tuple[str, str] | None:
    """The encoding of a model, and the part of its name by which it is known; None if it is not.

    Example:
        >>> beginning_of("gpt-4o"), beginning_of("gpt-4o-2024-05-13")
        (('o200k_base', 'gpt-4o'), ('o200k_base', 'gpt-4o-'))
    """
    for encoding, models in MODELS.items():
        if model in models:
            return encoding, model
    return next(((its, start) for start, its in PREFIXES.items() if model.startswith(start)), None)
