"""Pre-tokenizers of real tokenizer.json files, and each kind alone, as specs."""

from __future__ import annotations

from typing import get_args

from kugiri import spec
from kugiri.patterns import PATTERNS

BEHAVIORS: tuple[spec.Behavior, ...] = get_args(spec.Behavior)
BYTES = spec.ByteLevel(add_prefix_space=False)
ONLY_BYTES = spec.ByteLevel(add_prefix_space=False, use_regex=False)
FIRST = spec.Metaspace(prepend_scheme="first")


def split(regex: str, behavior: spec.Behavior = "isolated", invert: bool = False) -> spec.Split:
    return spec.Split(spec.Regex(regex), behavior, invert)


def sequence(*steps: spec.PreTokenizer) -> spec.PreTokenizers:
    return spec.PreTokenizers(steps)


CASED = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}@]*[\p{Ll}\p{Lm}\p{Lo}\p{M}@]+%"
CASED += r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}@]+[\p{Ll}\p{Lm}\p{Lo}\p{M}@]*%"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
CONTRACTED = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TEKKEN = rf"[^\r\n\p{{L}}\p{{N}}]?{CASED}|\p{{N}}{REST}".replace("@", "").replace("%", "")
KIMI = rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?{CASED}|\p{{N}}{{1,3}}{REST}"
KIMI = KIMI.replace("@", r"&&[^\p{Han}]").replace("%", f"{CONTRACTED}?").replace("/", "")
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
GPT4 = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
    r"|\s*[\r\n]|\s+(?!\S)|\s+"
)

REAL: dict[str, spec.PreTokenizer] = {
    "GPT-2": BYTES,
    "RoBERTa, ModernBERT with a space": spec.ByteLevel(),
    "BERT": spec.BertPreTokenizer(),
    "T5, XLM-R": spec.Metaspace(),
    "T5 of old": sequence(spec.WhitespaceSplit(), spec.Metaspace()),
    "DeBERTa-v2": sequence(spec.Punctuation(), spec.Metaspace()),
    "Llama 2": spec.Metaspace(prepend_scheme="first", split=False),
    "Llama 3": sequence(split(PATTERNS["llama3"]), ONLY_BYTES),
    "Gemma": spec.Split(spec.Literally(" "), "merged_with_previous"),
    "Qwen": sequence(split(PATTERNS["qwen2"]), ONLY_BYTES),
    "DeepSeek V3": sequence(
        split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK), ONLY_BYTES
    ),
    "DeepSeek Coder": sequence(
        split("[\r\n]"),
        split(r"\s?\p{L}+"),
        split(r"\s?\p{P}+"),
        split("[一-龥ࠀ-一가-퟿]+"),
        spec.Digits(individual_digits=True),
        ONLY_BYTES,
    ),
    "GPT-4 as tiktoken has it": sequence(split(PATTERNS["cl100k"]), ONLY_BYTES),
    "GPT-4 as it is converted": sequence(split(GPT4, "removed", invert=True), ONLY_BYTES),
    "GPT-4o": sequence(split(PATTERNS["o200k"], "removed", invert=True), ONLY_BYTES),
    "GPT-OSS": sequence(split(PATTERNS["o200k"]), ONLY_BYTES),
    "Tekken": sequence(split(TEKKEN), ONLY_BYTES),
    "Falcon": sequence(
        spec.Punctuation("contiguous"), BYTES, spec.Digits(), split("[0-9][0-9][0-9]")
    ),
    "BLOOM": sequence(split(r" ?[^(\s|[.,!?…。，、।۔،])]+"), ONLY_BYTES),
    "StarCoder": sequence(spec.Digits(individual_digits=True), BYTES),
    "CLIP": sequence(split(CLIP, "removed", invert=True), BYTES),
    "Digits from the right": sequence(split(r"\d{1,3}(?=(?:\d{3})*\b)"), ONLY_BYTES),
    "SuperBPE": sequence(split(r"(?=(?:\d{3})+(?!\d))"), spec.Digits(), ONLY_BYTES),
    "Words": spec.Whitespace(),
    "Words within scripts": sequence(spec.Whitespace(), spec.UnicodeScripts()),
    "Scripts, then marks": sequence(spec.UnicodeScripts(), spec.Metaspace()),
    "Bytes twice": sequence(BYTES, spec.ByteLevel()),
    "Parts of characters": sequence(ONLY_BYTES, spec.FixedLength(2), FIRST),
    "Nothing at the end": sequence(BYTES, sequence()),
    "Nested": sequence(sequence(spec.Digits(), sequence(spec.Metaspace())), spec.Punctuation()),
}
ONLY_FAST = {"Kimi-K2": sequence(split(KIMI), ONLY_BYTES)}
"""What names a script, of which the readable engine has no table."""

ALONE: dict[str, spec.PreTokenizer] = {
    **{f"Punctuation {behavior}": spec.Punctuation(behavior) for behavior in BEHAVIORS},
    **{f"Split {behavior}": split(r"\s+|\d", behavior) for behavior in BEHAVIORS},
    **{f"Split {behavior} inverted": split("[a-z]+", behavior, True) for behavior in BEHAVIORS},
    "WhitespaceSplit": spec.WhitespaceSplit(),
    "UnicodeScripts": spec.UnicodeScripts(),
    "Digits": spec.Digits(),
    "Digits one by one": spec.Digits(individual_digits=True),
    "CharDelimiterSplit": spec.CharDelimiterSplit("。"),
    "FixedLength": spec.FixedLength(3),
    "Metaspace first": FIRST,
    "Metaspace never": spec.Metaspace("_", "never"),
}
