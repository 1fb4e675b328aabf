"""Models that the tests have sentencepiece itself train, and texts that find their edges."""

from __future__ import annotations

import io
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kugiri.formats import sentencepiece
from kugiri.reference.alignment import Aligned
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import sentencepiece_spans
from kugiri.reference.vocab import show
from kugiri.tokenizer import Tokenizer
from tests.conftest import shared_text, slice_of
from tests.oracles import parity_file
from tools.parity_data import HOW_TO_GET

SYMBOLS = ["<sep>", "<sep>2", "猫である", "▁▁", "the", "he", "日", "a b"]
"""User-defined symbols: nested, across words, of Japanese, of spaces."""

RULES = "41 42\tD\n61\t62 63\n3042 3044\t3046\n30AB\t\n2E\t20\nFB01\t66 69\n"
"""A table of our own: longest match, one to many, many to one, one to nothing, to a space."""

BACK = "44\t41 42\n3046\t3042 3044\n62 63\t61\n"

EN, JA = "botchan.txt", "neko.txt"

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "bpe": {"text": EN, "model_type": "bpe", "vocab_size": 500},
    "bpe bytes": {
        "text": JA,
        "model_type": "bpe",
        "vocab_size": 2200,
        "byte_fallback": True,
        "character_coverage": 0.98,
    },
    "bpe symbols": {
        "text": EN,
        "model_type": "bpe",
        "vocab_size": 400,
        "user_defined_symbols": SYMBOLS,
        "control_symbols": ["<cls>", "<mask>"],
        "pad_id": 3,
        "split_digits": True,
    },
    "bpe suffix": {
        "text": EN,
        "model_type": "bpe",
        "vocab_size": 400,
        "treat_whitespace_as_suffix": True,
        "normalization_rule_name": "nfkc",
        "unk_surface": "☒",
    },
    "bpe spaces": {
        "text": EN,
        "model_type": "bpe",
        "vocab_size": 400,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "allow_whitespace_only_pieces": True,
        "split_by_whitespace": False,
    },
    "unigram": {"text": EN, "model_type": "unigram", "vocab_size": 500},
    "unigram japanese": {
        "text": JA,
        "model_type": "unigram",
        "vocab_size": 2600,
        "normalization_rule_name": "nfkc",
    },
    "unigram bytes": {
        "text": JA,
        "model_type": "unigram",
        "vocab_size": 2200,
        "byte_fallback": True,
        "character_coverage": 0.98,
        "unk_id": -1,
        "bos_id": 0,
        "eos_id": 1,
    },
    "unigram symbols": {
        "text": EN,
        "model_type": "unigram",
        "vocab_size": 400,
        "user_defined_symbols": SYMBOLS,
        "bos_id": -1,
        "eos_piece": "<end>",
        "unk_piece": "[UNK]",
    },
    "unigram as it is": {
        "text": EN,
        "model_type": "unigram",
        "vocab_size": 400,
        "normalization_rule_name": "identity",
        "add_dummy_prefix": False,
        "remove_extra_whitespaces": False,
    },
    "unigram folded suffix": {
        "text": EN,
        "model_type": "unigram",
        "vocab_size": 400,
        "normalization_rule_name": "nmt_nfkc_cf",
        "treat_whitespace_as_suffix": True,
        "add_dummy_prefix": False,
    },
    "unigram rules": {
        "text": EN,
        "model_type": "unigram",
        "vocab_size": 400,
        "normalization_rule_tsv": RULES,
        "denormalization_rule_tsv": BACK,
    },
    "word": {"text": EN, "model_type": "word", "vocab_size": 1500},
    "word symbols": {
        "text": EN,
        "model_type": "word",
        "vocab_size": 1000,
        "user_defined_symbols": SYMBOLS,
        "byte_fallback": True,
    },
    "char": {"text": JA, "model_type": "char", "vocab_size": 1500, "unk_surface": ""},
    "char symbols": {
        "text": JA,
        "model_type": "char",
        "vocab_size": 1200,
        "user_defined_symbols": SYMBOLS,
        "byte_fallback": True,
    },
}


def oracle_sentencepiece() -> Any:
    """The module sentencepiece."""
    return pytest.importorskip("sentencepiece", reason=f"sentencepiece is absent: {HOW_TO_GET}")


@cache
def trained(name: str) -> bytes:
    """The .model that sentencepiece makes of a configuration."""
    options = dict(CONFIGURATIONS[name])
    lines = slice_of(shared_text(options.pop("text")), 0.12).splitlines()
    writer = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        for option in options.keys() & {"normalization_rule_tsv", "denormalization_rule_tsv"}:
            path = Path(folder, option)
            path.write_text(options[option], encoding="utf-8")
            options[option] = str(path)
        oracle_sentencepiece().SentencePieceTrainer.train(
            sentence_iterator=iter(line for line in lines if line),
            model_writer=writer,
            minloglevel=2,
            hard_vocab_limit=False,
            num_threads=1,
            **options,
        )
    return writer.getvalue()


WHOLE = [
    "",
    " ",
    "  ",
    "▁",
    "▁▁ ",
    "\u3000",
    "\n",
    "\x00",
    "a",
    " a",
    "a ",
    "  a  b ",
    "\x01",
    "\x01 a",
]
PARTS = [
    *[" ", "  ", "   ", "▁", "\u3000", "\t", "\n", "\r\n", "\u00a0", "\u200b", "\u200d", "\ufeff"],
    *["the", "cat", "he ", "1234", "１２", "AB", "ab", "a b", "!?", "...", "—", "ﬁ", "ﷺ", "①", "½"],
    *[
        "猫である",
        "猫",
        "日本語",
        "は",
        "ます。",
        "ｶﾞ",
        "か\u3099",
        "が",
        "カ",
        "あい",
        "\u1100\u1161",
    ],
    *["<sep>", "<sep>2", "<unk>", "<s>", "</s>", "<mask>", "<0x41>", "⁇", "\ufffd", "\x00", "\x7f"],
    *[
        "👩\u200d🔧",
        "🇯🇵",
        "e\u0301",
        "\u0301",
        "İ",
        "ẞ",
        "ǅ",
        "\U000e0061",
        "\U0010ffff",
        "\u2581 ",
    ],
]


def texts(name: str, count: int) -> list[str]:
    """Lines of the text that a model was trained on, and random ones, always the same."""
    source = random.Random(name)
    is_japanese = "ja" in name or CONFIGURATIONS.get(name, {}).get("text") == JA
    lines = shared_text(JA if is_japanese else EN).splitlines()
    from_text = [source.choice(lines)[:160] for _ in range(count // 8)]
    return [*WHOLE, *from_text, *(random_text(source) for _ in range(count))]


def random_text(source: random.Random) -> str:
    """A short text of edges and of any characters."""
    return "".join(
        source.choice(PARTS) if source.random() < 0.7 else _any_character(source)
        for _ in range(source.randrange(1, 14))
    )


def _any_character(source: random.Random) -> str:
    """Of the first planes, ASCII, kana or kanji, each as likely."""
    first, last = source.choice([(0x20, 0x7E), (0x3041, 0x30FF), (0x4E00, 0x9FFF), (0, 0x2FFFF)])
    code = source.randint(first, last)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)


# ── ours and theirs ───────────────────────────────────────────────────────────────────────────
SHIPPED = ["botchan_en_bpe_1000", "botchan_en_unigram_1000", "kyoto_ja_unigram_8000"]
ALL = [*CONFIGURATIONS, *SHIPPED]


def model_file(name: str) -> bytes:
    """A `.model` that sentencepiece wrote: of the tests' own, or one that it is tested with."""
    if name in CONFIGURATIONS:
        return trained(name)
    return parity_file(f"spm/{name}.model").read_bytes()


def theirs_of(data: bytes) -> Any:
    """A model as sentencepiece runs it."""
    return oracle_sentencepiece().SentencePieceProcessor(model_proto=data)


@cache
def pair(name: str) -> tuple[ReferenceTokenizer, Any]:
    """Ours and theirs of one model."""
    data = model_file(name)
    return ReferenceTokenizer(sentencepiece.read(data)), theirs_of(data)


@cache
def core_of(ours: ReferenceTokenizer) -> Tokenizer:
    """The same model on the core."""
    return Tokenizer(ours.spec)


def compare(ours: ReferenceTokenizer, theirs: Any, text: str) -> None:
    """Everything that both engines and the original say about a text."""
    tokens = ours.encode(text)
    expected = theirs.encode(text, return_type="offset_mapping")
    ids = [token.id for token in tokens if token.id is not None]
    assert ids == expected["ids"], text
    assert [show(token.text) for token in tokens] == expected["pieces"], text
    assert sentencepiece_spans(ours, text) == expected["offsets"], text
    assert ours.normalize(Aligned.of(text)).text == theirs.normalize(text), text
    decoded = theirs.decode(ids)
    assert ours.decode(ids) == decoded, text
    core = core_of(ours)
    encoding = core.encode_with_offsets(text)
    assert core.encode(text) == encoding.ids.tolist() == ids, text
    assert core.count(text) == len(ids), text
    assert core.normalize(text) == theirs.normalize(text), text
    assert encoding.tokens == expected["pieces"], text
    assert encoding.spans == expected["offsets"], text
    assert encoding.byte_spans == [(token.start, token.end) for token in tokens], text
    assert core.decode(ids) == decoded, text
