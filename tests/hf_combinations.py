"""Tokenizers of Hugging Face tokenizers, trained here: one for each way to put components together.

The parts are written as they stand in a tokenizer.json. The real ones that each row is like are in
its name; the rest are components on their own and in company that no published file has.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kugiri
from tools.parity_data import HOW_TO_GET

Part = dict[str, Any]

SAMPLE = Path(__file__).parent.parent / "python" / "kugiri" / "sample"


def part(type: str, **fields: Any) -> Part:
    return {"type": type, **fields}


def sequence(key: str, *parts: Part) -> Part:
    return {"type": "Sequence", key: list(parts)}


def split(regex: str, behavior: str = "Isolated", invert: bool = False) -> Part:
    return part("Split", pattern={"Regex": regex}, behavior=behavior, invert=invert)


def replace(pattern: str, content: str, regex: bool = False) -> Part:
    key = "Regex" if regex else "String"
    return part("Replace", pattern={key: pattern}, content=content)


def byte_level(prefix: bool = False, regex: bool = True, trim: bool = True) -> Part:
    return part("ByteLevel", add_prefix_space=prefix, trim_offsets=trim, use_regex=regex)


def metaspace(scheme: str = "always", split: bool = True) -> Part:
    return part("Metaspace", replacement="▁", prepend_scheme=scheme, split=split)


def template(single: list[str], pair: list[str]) -> Part:
    """Words in capitals A and B are the texts, all others are special tokens."""

    def piece(word: str, of_second: int) -> Part:
        if word in "AB":
            return {"Sequence": {"id": word, "type_id": of_second}}
        return {"SpecialToken": {"id": word, "type_id": of_second}}

    seen_b = pair.index("B")
    names = sorted({word for word in [*single, *pair] if word not in "AB"})
    return part(
        "TemplateProcessing",
        single=[piece(word, 0) for word in single],
        pair=[piece(word, int(place >= seen_b)) for place, word in enumerate(pair)],
        special_tokens={
            name: {"id": name, "ids": [SPECIAL.index(name)], "tokens": [name]} for name in names
        },
    )


SPECIAL = ["<unk>", "<s>", "</s>", "[CLS]", "[SEP]", "<mask>", "<pad>"]
"""The first tokens of every vocabulary, so that their ids are known."""

NFC, NFD, NFKC, NFKD = (part(name) for name in ("NFC", "NFD", "NFKC", "NFKD"))
LOWER, ACCENTS, NMT = part("Lowercase"), part("StripAccents"), part("Nmt")
STRIP = part("Strip", strip_left=True, strip_right=True)
WHITESPACE, WHITESPACE_SPLIT = part("Whitespace"), part("WhitespaceSplit")
SCRIPTS, BERT_SPLIT = part("UnicodeScripts"), part("BertPreTokenizer")
BYTES = byte_level()
BYTE_DECODER = byte_level(prefix=True)
FUSE, FALLBACK = part("Fuse"), part("ByteFallback")
WORDPIECE_DECODER = part("WordPiece", prefix="##", cleanup=True)
CLIP_SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
LLAMA3_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def bert(**changes: Any) -> Part:
    fields = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None}
    return part("BertNormalizer", **{**fields, "lowercase": True, **changes})


CLS = template(["[CLS]", "A", "[SEP]"], ["[CLS]", "A", "[SEP]", "B", "[SEP]"])
BOS = template(["<s>", "A"], ["<s>", "A", "<s>", "B"])
EOS = template(["A", "</s>"], ["A", "</s>", "B", "</s>"])
BERT_PROCESSING = part("BertProcessing", sep=["[SEP]", 4], cls=["[CLS]", 3])
ROBERTA = part(
    "RobertaProcessing", sep=["</s>", 2], cls=["<s>", 1], trim_offsets=True, add_prefix_space=False
)
LLAMA_DECODER = sequence(
    "decoders", replace("▁", " "), FALLBACK, FUSE, part("Strip", content=" ", start=1, stop=0)
)

N, P = "normalizer", "pre_tokenizer"
COMBINATIONS: dict[str, tuple[str, Part]] = {
    # ── byte-level BPE ──
    "GPT-2": ("BPE", {P: BYTES, "post_processor": BYTES, "decoder": BYTE_DECODER}),
    "GPT-2 with a prefix space": (
        "BPE",
        {P: byte_level(prefix=True), "post_processor": byte_level(prefix=True), "decoder": BYTES},
    ),
    "RoBERTa": ("BPE", {P: byte_level(), "post_processor": ROBERTA, "decoder": BYTE_DECODER}),
    "GPT-NeoX": ("BPE", {N: NFC, P: BYTES, "post_processor": byte_level(trim=False)}),
    "ModernBERT": ("BPE", {N: NFC, P: BYTES, "post_processor": CLS, "decoder": BYTE_DECODER}),
    "Llama 3": (
        "BPE",
        {
            P: sequence("pretokenizers", split(LLAMA3_SPLIT), byte_level(regex=False)),
            "post_processor": sequence("processors", byte_level(trim=False), BOS),
            "decoder": BYTE_DECODER,
        },
    ),
    "GPT-4o": (
        "BPE",
        {
            P: sequence(
                "pretokenizers",
                split(LLAMA3_SPLIT, "Removed", invert=True),
                byte_level(regex=False),
            ),
            "decoder": BYTE_DECODER,
        },
    ),
    "DeepSeek": (
        "BPE",
        {
            N: sequence("normalizers"),
            P: sequence(
                "pretokenizers",
                split(r"\p{N}{1,3}"),
                split(r"[一-龥぀-ゟ゠-ヿ]+"),
                split(r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
                      r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
                byte_level(regex=False),
            ),
            "decoder": BYTE_DECODER,
        },
    ),
    "Falcon": (
        "BPE",
        {
            P: sequence(
                "pretokenizers",
                part("Punctuation", behavior="Contiguous"),
                BYTES,
                part("Digits", individual_digits=False),
                split("[0-9][0-9][0-9]"),
            ),
            "decoder": BYTE_DECODER,
        },
    ),
    "BLOOM": (
        "BPE",
        {
            P: sequence(
                "pretokenizers",
                split(r" ?[^(\s|[.,!?…。，、।۔،])]+"),
                byte_level(regex=False),
            ),
            "decoder": BYTE_DECODER,
        },
    ),
    "StarCoder": (
        "BPE",
        {
            P: sequence("pretokenizers", part("Digits", individual_digits=True), BYTES),
            "decoder": BYTE_DECODER,
        },
    ),
    "CLIP": (
        "BPE suffix",
        {
            N: sequence("normalizers", NFC, replace(r"\s+", " ", regex=True), LOWER),
            P: sequence(
                "pretokenizers",
                split(CLIP_SPLIT, "Removed", invert=True),
                byte_level(regex=False),
            ),
            "post_processor": ROBERTA,
            "decoder": BYTE_DECODER,
        },
    ),
    "ByteLevel as a normalizer": ("BPE", {N: part("ByteLevel"), P: split("Ġ", "MergedWithNext")}),
    "prefix spaces behind digits": (
        "BPE",
        {P: sequence("pretokenizers", part("Digits", individual_digits=True), byte_level(True))},
    ),
    # ── BPE on characters ──
    "Llama 2": (
        "BPE bytes",
        {
            N: sequence("normalizers", part("Prepend", prepend="▁"), replace(" ", "▁")),
            "post_processor": BOS,
            "decoder": LLAMA_DECODER,
        },
    ),
    "Gemma": (
        "BPE bytes",
        {
            N: replace(" ", "▁"),
            P: part("Split", pattern={"String": " "}, behavior="MergedWithPrevious", invert=False),
            "post_processor": BOS,
            "decoder": sequence("decoders", replace("▁", " "), FALLBACK, FUSE),
        },
    ),
    "Mistral with Metaspace": (
        "BPE bytes",
        {P: metaspace("first", split=False), "post_processor": BOS, "decoder": LLAMA_DECODER},
    ),
    "sennrich": ("BPE suffix", {P: WHITESPACE, "decoder": part("BPEDecoder", suffix="</w>")}),
    "openai-gpt": (
        "BPE suffix",
        {N: bert(), P: BERT_SPLIT, "decoder": part("BPEDecoder", suffix="</w>")},
    ),
    "prefixes": ("BPE prefix", {P: WHITESPACE_SPLIT, "decoder": WORDPIECE_DECODER}),
    "unknown characters one by one": ("BPE unknown", {P: WHITESPACE_SPLIT, "decoder": FUSE}),
    "unknown characters fused": ("BPE fused", {P: SCRIPTS, "decoder": FUSE}),
    "delimiter": ("BPE fused", {P: part("CharDelimiterSplit", delimiter="。")}),
    "fixed length": ("BPE fused", {P: part("FixedLength", length=5), "decoder": FUSE}),
    "punctuation merged with what is before": (
        "BPE fused",
        {P: part("Punctuation", behavior="MergedWithPrevious")},
    ),
    "punctuation merged with what is after": (
        "BPE fused",
        {P: part("Punctuation", behavior="MergedWithNext"), "post_processor": EOS},
    ),
    # ── WordPiece ──
    "BERT uncased": (
        "WordPiece",
        {N: bert(), P: BERT_SPLIT, "post_processor": CLS, "decoder": WORDPIECE_DECODER},
    ),
    "BERT cased": (
        "WordPiece",
        {
            N: bert(lowercase=False),
            P: BERT_SPLIT,
            "post_processor": BERT_PROCESSING,
            "decoder": WORDPIECE_DECODER,
        },
    ),
    "BERT with accents": (
        "WordPiece",
        {N: bert(strip_accents=False), P: BERT_SPLIT, "decoder": part("WordPiece", prefix="##",
                                                                      cleanup=False)},
    ),
    "BERT without its normalizer": (
        "WordPiece",
        {N: sequence("normalizers", NFKC, LOWER, STRIP), P: WHITESPACE, "post_processor": CLS},
    ),
    "WordPiece behind scripts": ("WordPiece", {N: NMT, P: SCRIPTS, "decoder": WORDPIECE_DECODER}),
    # ── Unigram ──
    "T5": (
        "Unigram",
        {N: NFKC, P: metaspace(), "post_processor": EOS, "decoder": metaspace()},
    ),
    "XLM-R": (
        "Unigram",
        {
            N: sequence("normalizers", NMT, NFKC, replace(" {2,}", " ", regex=True)),
            P: sequence("pretokenizers", WHITESPACE_SPLIT, metaspace()),
            "post_processor": template(
                ["<s>", "A", "</s>"], ["<s>", "A", "</s>", "</s>", "B", "</s>"]
            ),
            "decoder": metaspace(),
        },
    ),
    "ALBERT": (
        "Unigram",
        {
            N: sequence(
                "normalizers", replace("``", '"'), replace("''", '"'), NFKD, ACCENTS, LOWER,
                replace(" {2,}", " ", regex=True),
            ),
            P: metaspace(),
            "post_processor": CLS,
            "decoder": metaspace(),
        },
    ),
    "LLM-jp": (
        "Unigram",
        {
            N: sequence(
                "normalizers",
                replace("^", "▁", regex=True),
                replace("\n▁", "\n", regex=True),
                replace(" ", "▁", regex=True),
            ),
            "post_processor": EOS,
            "decoder": sequence(
                "decoders", replace("▁", " "), FUSE, replace("\n", "\n ", regex=True),
                replace("^ ", "", regex=True),
            ),
        },
    ),
    "Unigram behind scripts": ("Unigram", {N: NFD, P: SCRIPTS, "decoder": FUSE}),
    "Unigram in bytes": ("Unigram", {P: BYTES, "decoder": BYTE_DECODER}),
    "marks before the first text alone": (
        "Unigram",
        {P: metaspace("first"), "decoder": metaspace("first")},
    ),
    "marks nowhere": ("Unigram", {P: metaspace("never"), "decoder": metaspace("never")}),
    # ── WordLevel ──
    "words": ("WordLevel", {N: LOWER, P: WHITESPACE}),
    "words and signs": (
        "WordLevel",
        {P: sequence("pretokenizers", WHITESPACE_SPLIT, part("Punctuation", behavior="Isolated"))},
    ),
    "wav2vec": (
        "WordLevel",
        {
            P: split("", "Isolated"),
            "decoder": part("CTC", pad_token="<pad>", word_delimiter_token="|", cleanup=True),
        },
    ),
    "numbers": (
        "WordLevel",
        {
            N: sequence("normalizers", NFKC, sequence("normalizers", NMT, STRIP)),
            P: sequence(
                "pretokenizers",
                sequence("pretokenizers", WHITESPACE, part("Digits", individual_digits=False)),
                part("Punctuation", behavior="Removed"),
            ),
        },
    ),
}  # fmt: skip

ADDED: tuple[Part, ...] = (
    {"content": "<mask>", "lstrip": True, "special": True},
    {"content": "日本", "normalized": True, "special": False},
    {"content": "Tokyo", "normalized": True, "special": False, "single_word": True},
    {"content": "  ", "normalized": False, "special": False},
    {"content": "<|end|>", "rstrip": True, "special": True, "normalized": False},
)
"""Added to every second combination."""

_MODELS: dict[str, Part] = {
    "BPE": {},
    "BPE suffix": {"end_of_word_suffix": "</w>", "unk_token": "<unk>"},
    "BPE prefix": {"continuing_subword_prefix": "##", "unk_token": "<unk>"},
    "BPE bytes": {"byte_fallback": True, "fuse_unk": True, "unk_token": "<unk>"},
    "BPE unknown": {"unk_token": "<unk>"},
    "BPE fused": {"unk_token": "<unk>", "fuse_unk": True},
    "WordPiece": {"unk_token": "<unk>"},
    "WordLevel": {"unk_token": "<unk>"},
    "Unigram": {},
}
_ABOUT_TRAINING = ("end_of_word_suffix", "continuing_subword_prefix")


@cache
def trained(name: str) -> Any:
    """The tokenizer of a combination, trained on the sample corpus."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    kind, parts = COMBINATIONS[name]
    family = kind.split()[0]
    options = _MODELS[kind]
    trainer_options = {key: options[key] for key in _ABOUT_TRAINING if key in options}
    special = list(SPECIAL)
    if kind == "BPE bytes":
        special += [f"<0x{byte:02X}>" for byte in range(256)]
    if family == "Unigram":
        trainer_options |= {"unk_token": "<unk>"}
    model = getattr(library.models, family)(**options)
    tokenizer = library.Tokenizer(model)
    text = json.loads(tokenizer.to_str()) | parts
    tokenizer = library.Tokenizer.from_str(json.dumps(text))
    trainer = getattr(library.trainers, f"{family.replace('BPE', 'Bpe')}Trainer")(
        **{"vocab_size": 1500, "special_tokens": special, "show_progress": False} | trainer_options
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    if list(COMBINATIONS).index(name) % 2:
        tokens = [library.AddedToken(**added) for added in ADDED]
        tokenizer.add_special_tokens([token for token in tokens if token.special])
        tokenizer.add_tokens([token for token in tokens if not token.special])
    return tokenizer


@cache
def corpus() -> list[str]:
    """The lines of the sample corpus."""
    files = sorted(path for path in SAMPLE.rglob("*") if path.suffix in {".txt", ".py", ".jsonl"})
    return [line for path in files for line in path.read_text("utf-8").splitlines()]


def compare(ours: kugiri.Tokenizer, theirs: Any, text: str, add_special_tokens: bool) -> int:
    """Ids, tokens, places and decoded text of one text; special tokens are found in it.

    Returns:
        the number of ids.
    """
    found = ours.encode_with_offsets(
        text, allowed_special="all", add_special_tokens=add_special_tokens
    )
    expected = theirs.encode(text, add_special_tokens=add_special_tokens)
    ids: list[int] = found.ids.tolist()
    again = ours.encode(text, allowed_special="all", add_special_tokens=add_special_tokens)
    assert ids == again == expected.ids, f"ids of {text!r}"
    # An unknown token is shown by its own text here, and by its name there.
    unknown = theirs.token_to_id("<unk>")
    for id, token, its in zip(ids, found.tokens, expected.tokens, strict=True):
        assert token == its or id == unknown, f"tokens of {text!r}"
    assert found.spans == expected.offsets, f"spans of {text!r}"
    for skip in (False, True):
        decoded = theirs.decode(ids, skip_special_tokens=skip)
        assert ours.decode(ids, skip_special_tokens=skip) == decoded, f"decoding {text!r}"
    return len(ids)
