"""The original libraries as oracles: the answers that kugiri must give.

Each function skips the test that calls it, with a line that says how to get what is missing.
tiktoken's own `get_encoding` runs here without a network: its cache is the parity folder.
The results are Any, since types are checked where the original libraries are not installed too.
Real vocabularies are large: only the last one stays loaded, so tests take them one by one
(`parametrize` with `scope="module"` groups the tests of a file by its values).
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tools.parity_data import HOW_TO_GET, TIKTOKEN_CACHE_KEYS, parity_path


def parity_file(path: str) -> Path:
    """The parity file `path`; the test is skipped where it has not been fetched."""
    found = parity_path(path)
    if found is None:
        pytest.skip(f"{path} is absent: {HOW_TO_GET}")
    return found


@lru_cache(maxsize=1)
def oracle_tiktoken(name: str) -> Any:
    """The tiktoken.Encoding r50k_base, p50k_base, cl100k_base or o200k_base."""
    tiktoken = pytest.importorskip("tiktoken", reason=f"tiktoken is absent: {HOW_TO_GET}")
    cached = parity_file(f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[name]}")
    with mock.patch.dict(os.environ, TIKTOKEN_CACHE_DIR=str(cached.parent)):
        return tiktoken.get_encoding(name)


@lru_cache(maxsize=1)
def oracle_hf(name: str) -> Any:
    """The tokenizers.Tokenizer of llama3, qwen3, gptoss, gpt4o, llama2 or gemma3."""
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    return tokenizers.Tokenizer.from_file(str(parity_file(f"npm/{name}/tokenizer.json")))
