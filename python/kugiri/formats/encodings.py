"""The public encodings of tiktoken: which file, which split pattern, which special tokens.

Rule.    A `.tiktoken` file holds ranks and nothing else. The SHA-256 of a known file says which
         encodings it may be; the name of the file chooses among them, or stands in for the sum.
Source.  tiktoken 0.14.0, whose `encoding_for_model` names map to these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import hashlib
else:
    hashlib = lazy_module("hashlib")

END = "<|endoftext|>"
PROMPT_END = "<|endofprompt|>"
FILL_IN = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")

R50K = "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
P50K = "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"
CL100K = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
O200K = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

_FILES = {R50K: "r50k_base", P50K: "p50k_base", CL100K: "cl100k_base", O200K: "o200k_base"}
_URL = "https://openaipublic.blob.core.windows.net/encodings/"


class PublicEncoding(NamedTuple):
    """What a `.tiktoken` file does not say.

    Attributes:
        sha256: of the file.
        pattern: a name in patterns.PATTERNS.
        special_tokens: token → id.
    """

    sha256: str
    pattern: str
    special_tokens: dict[str, int]

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{_FILES[self.sha256]}.tiktoken"

    @property
    def url(self) -> str:
        """Where the file is published."""
        return _URL + self.file

    @property
    def cache_key(self) -> str:
        """The name of the file in a cache of tiktoken: the SHA-1 of its address."""
        return hashlib.sha1(self.url.encode(), usedforsecurity=False).hexdigest()


def _harmony() -> dict[str, int]:
    """The marks of a conversation, and reserved tokens for the ids between and after them.

    The id 200018 has two names, and is decoded to the latter.
    """
    marks = {
        "<|startoftext|>": 199998,
        END: 199999,
        "<|return|>": 200002,
        "<|constrain|>": 200003,
        "<|channel|>": 200005,
        "<|start|>": 200006,
        "<|end|>": 200007,
        "<|message|>": 200008,
        "<|call|>": 200012,
    }
    free = sorted(set(range(200000, 201088)) - set(marks.values()))
    return marks | {f"<|reserved_{id}|>": id for id in free} | {PROMPT_END: 200018}


_END_50K = {END: 50256}
_FILL_IN_50K = dict(zip(FILL_IN, range(50281, 50284), strict=True))
_FILL_IN_100K = dict(zip(FILL_IN, range(100258, 100261), strict=True))

# Of several encodings with one file, the first is meant where no name says otherwise.
ENCODINGS: dict[str, PublicEncoding] = {
    "r50k_base": PublicEncoding(R50K, "gpt2", _END_50K),
    "gpt2": PublicEncoding(R50K, "gpt2", _END_50K),
    "p50k_base": PublicEncoding(P50K, "gpt2", _END_50K),
    "p50k_edit": PublicEncoding(P50K, "gpt2", _END_50K | _FILL_IN_50K),
    "cl100k_base": PublicEncoding(
        CL100K, "cl100k", {END: 100257, **_FILL_IN_100K, PROMPT_END: 100276}
    ),
    "o200k_base": PublicEncoding(O200K, "o200k", {END: 199999, PROMPT_END: 200018}),
    "o200k_harmony": PublicEncoding(O200K, "o200k", _harmony()),
}


def find_encoding(sha256: str, name: str | None) -> PublicEncoding | None:
    """The encoding that a file is, by its content, then by its name; None if by neither."""
    by_content = {key: it for key, it in ENCODINGS.items() if it.sha256 == sha256}
    candidates = by_content or ENCODINGS
    if name in candidates:
        return candidates[name]
    return next(iter(by_content.values()), None)
