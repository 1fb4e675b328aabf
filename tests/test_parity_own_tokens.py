"""Random strings of a vocabulary's own tokens, on every number of threads, against the originals.

No other texts find as many differences: tokens side by side that no writer would put there. Many
are encoded together, as a batch, and all of them as one text, which is cut for the threads.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import deepcopy
from functools import cache

import pytest

import kugiri
from kugiri.random_texts import random_texts
from tests.oracles import oracle_hf, oracle_tiktoken, parity_file

ENCODINGS = ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"]
FILES = ["llama3", "qwen3", "gptoss", "gpt4o", "llama2", "gemma3"]
MODELS = ["botchan_en_bpe_1000", "botchan_en_unigram_1000", "kyoto_ja_unigram_8000"]
SOURCES = [
    *(f"tiktoken/{name}.tiktoken" for name in ENCODINGS),
    *(f"npm/{name}/tokenizer.json" for name in FILES),
    *(f"spm/{name}.model" for name in MODELS),
]
THREADS = [1, 2, 3, 7, None]
NUMBER = 600


@cache
def ours(source: str) -> kugiri.Tokenizer:
    path = parity_file(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return kugiri.load(path)


def original(source: str) -> Callable[[str], list[int]]:
    """How the library that the file is for encodes a text."""
    folder, _, name = source.partition("/")
    if folder == "tiktoken":
        encoding = oracle_tiktoken(name.partition(".")[0])
        return lambda text: encoding.encode(text, disallowed_special=())
    if folder == "npm":
        tokenizer = deepcopy(oracle_hf(name.partition("/")[0]))
        tokenizer.encode_special_tokens = True
        return lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    library = pytest.importorskip("sentencepiece")
    processor = library.SentencePieceProcessor(model_file=str(parity_file(source)))
    return lambda text: processor.encode(text)


@pytest.mark.parametrize("source", SOURCES)
def test_own_tokens_on_every_number_of_threads(source: str) -> None:
    tok, encode = ours(source), original(source)
    texts = [text for text in random_texts(17, NUMBER, (tok,))]
    expected = [encode(text) for text in texts]
    whole = "\n".join(texts)
    expected_whole = encode(whole)
    for threads in THREADS:
        assert tok.encode_batch(texts, threads=threads).to_lists() == expected, threads
        assert tok.encode_batch([whole] * 2, threads=threads).to_lists() == [expected_whole] * 2
    assert tok.encode(whole) == expected_whole
