"""Named training set-ups: each the options that make the tokenizer people know by that name."""

from __future__ import annotations

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    # Sennrich et al. 2016: characters of words between spaces, a mark at the end of each.
    "sennrich": {
        "unit": "char",
        "pre_tokenizer": "whitespace",
        "end_of_word": "</w>",
        "tie": "first-seen",
    },
    # GPT-2 as tokenizers 0.23.3 trains it: the same merges, in the same order.
    "gpt2": {
        "pre_tokenizer": "gpt2",
        "byte_order": "gpt2",
        "keep_newlines": True,
        "compatibility": "tokenizers",
    },
    "gpt4": {"pre_tokenizer": "cl100k"},
    "gpt4o": {"pre_tokenizer": "o200k"},
    "llama3": {"pre_tokenizer": "llama3"},
    # GPT-4o's pattern, which leaves Japanese words whole, and no piece of a character ever joined
    # to another character.
    "japanese": {"pre_tokenizer": "o200k", "keep_characters": True},
}
