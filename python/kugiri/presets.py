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
    # BERT's stages and special tokens, which come first.
    "bert": {
        "normalizer": "bert",
        "pre_tokenizer": "bert",
        "special_tokens": ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        "compatibility": "tokenizers",
    },
    # As the first BERT for Japanese of Tohoku University: words of MeCab.
    "bert-japanese": {
        "normalizer": "nfkc",
        "pre_tokenizer": "mecab-ipadic",
        "vocab_size": 32_000,
        "special_tokens": ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        "compatibility": "tokenizers",
    },
}

WORD_PIECE_PRESETS = ("bert", "bert-japanese")
"""Those for model="wordpiece"; all others are for the models that follow it in `train`."""

SENTENCEPIECE_PRESETS: dict[str, dict[str, Any]] = {
    # spm_train as it is, which leaves out lines of more than 4,192 bytes.
    "sentencepiece": {"max_sentence_length": 4192},
    # As Llama 2: bytes for rare characters, digits alone, pieces of spaces, nothing rewritten.
    "llama2": {
        "model_type": "bpe",
        "vocab_size": 32_000,
        "character_coverage": 0.99995,
        "byte_fallback": True,
        "split_digits": True,
        "allow_whitespace_only_pieces": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
    },
    # The ids of T5; its 100 sentinels are added later, behind the vocabulary.
    "t5": {
        "model_type": "unigram",
        "vocab_size": 32_000,
        "pad_id": 0,
        "eos_id": 1,
        "unk_id": 2,
        "bos_id": -1,
    },
    # Text without spaces between words: none is put before it, so that a word at the beginning is
    # the same piece as elsewhere. Nothing is rewritten, no character is unknown, and a space has a
    # piece even where the corpus has none, so that texts come back as they were.
    "japanese": {
        "model_type": "unigram",
        "normalization_rule_name": "identity",
        "add_dummy_prefix": False,
        "remove_extra_whitespaces": False,
        "byte_fallback": True,
        "required_chars": "▁",
    },
}
"""The same for the options of spm_train. "japanese" is in both: this one is for model="unigram"."""
