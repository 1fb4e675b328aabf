"""Specs written by hand, and files, whose parts hold what they may not: refused before they run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kugiri
from kugiri import spec
from kugiri.errors import FormatError
from vector_rows import encode_spec

BYTES = encode_spec({})
MODEL = BYTES.model
TEMPLATE = spec.TemplateProcessing(single=(spec.SpecialPiece("<s>"), spec.SequencePiece("A")))
TWO_IDS = spec.TemplateToken("<s>", (1, 2), ("<s>",))
UNEVEN = spec.TemplateProcessing(special_tokens={"<s>": TWO_IDS})
BEHAVIORS = "allowed: removed, isolated, merged_with_previous, merged_with_next, contiguous"


MANY = spec.TemplateProcessing(
    single=(spec.SpecialPiece("<s>"), spec.SequencePiece("A")) * 600,
    special_tokens={"<s>": spec.TemplateToken("<s>", (1, 2), ("<s>", "<s>"))},
)


def nested(depth: int, part: Any) -> Any:
    for _ in range(depth):
        part = spec.PreTokenizers((part,))
    return part


def split(behavior: Any) -> spec.Split:
    return spec.Split(spec.Regex("a"), behavior=behavior)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pre_tokenizer": split("foo")}, f"spec.pre_tokenizer.behavior is 'foo'; {BEHAVIORS}"),
        ({"pre_tokenizer": spec.PreTokenizers((spec.Digits(), split("Isolated")))},
         f"spec.pre_tokenizer.pre_tokenizers[1].behavior is 'Isolated'; {BEHAVIORS}"),
        ({"pre_tokenizer": spec.Metaspace(prepend_scheme="no")},
         "spec.pre_tokenizer.prepend_scheme is 'no'; allowed: always, first, never"),
        ({"pre_tokenizer": spec.Digits(individual_digits="yes")},
         "spec.pre_tokenizer.individual_digits: Expected `bool`, got `str`"),
        ({"pre_tokenizer": "gpt2"}, "spec.pre_tokenizer: Expected `object | null`, got `str`"),
        ({"model": msgspec.structs.replace(MODEL, order="foo")},
         "spec.model.order is 'foo'; allowed: list, rank, score"),
        ({"model": msgspec.structs.replace(MODEL, unit="bytes")},
         "spec.model.unit is 'bytes'; allowed: byte, char"),
        ({"model": None}, "spec.model: Expected `object`, got `null`"),
        ({"origin": "here"}, "spec.origin is 'here'; allowed: kugiri, tokenizer.json, tiktoken"),
        ({"added_tokens": (spec.AddedToken("300", "<s>"),)},
         "spec.added_tokens[0].id: Expected `int`, got `str`"),
        ({"padding": spec.Padding(direction="up")},
         "spec.padding.direction is 'up'; allowed: left, right"),
        ({"padding": spec.Padding(pad_token="a")}, "spec.padding has no pad_id or no pad_token"),
        ({"normalizer": spec.NFC}, "spec holds what no tokenizer has: a StructMeta is no"),
        ({"post_processor": TEMPLATE},
         "names the token '<s>', which its special_tokens do not describe (none); describe it"),
        ({"post_processor": spec.PostProcessors((TEMPLATE,))}, "names the token '<s>'"),
        ({"post_processor": MANY},
         "the post-processor makes 1,800 tokens and texts of one text or a pair; at most 1,000"),
        ({"pre_tokenizer": nested(60, split("isolated"))},
         "spec is nested too deeply: more than 100 arrays and objects stand in one another"),
        ({"normalizer": spec.Normalizers((spec.Replace(spec.Literally("a"), "a" * 32),) * 12)},
         "the normalizer can make 32,768 characters of one; at most 10,000 may come of it"),
        ({"normalizer": spec.Normalizers((spec.Prepend("a" * 6_000),) * 2)},
         "the normalizer can make 12,001 characters of one"),
        ({"decoder": spec.Decoders((spec.Fuse(), spec.Replace(spec.Regex("a*"), "a" * 5_000)))},
         "the decoder can make 10,001 characters of one"),
        ({"normalizer": spec.Normalizers((spec.ByteLevelNormalizer(),) * 12)},
         "the normalizer can make 16,384 characters of one"),
        ({"chat": spec.ChatTemplates({"default": "{{ '\ud800' }}"})},
         "spec has a lone surrogate, which no file can hold: "),
        ({"added_tokens": (spec.AddedToken(0, "\udc00"),)}, "spec has a lone surrogate"),
        ({"post_processor": UNEVEN}, "the token '<s>' of the post-processor's template has 2 ids"),
    ],
)  # fmt: skip
def test_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(FormatError) as raised:
        kugiri.Tokenizer(msgspec.structs.replace(BYTES, **changes))
    assert says in str(raised.value)


@pytest.mark.parametrize(
    "steps",
    [
        [spec.Replace(spec.Literally(number), "(12)") for number in "①②③④⑤⑥⑦⑧⑨"],
        [spec.Replace(spec.Regex(quotes), '"') for quotes in ["[“”]", " {2,}", r"\s+"] * 9],
    ],
)
def test_many_steps_that_do_not_build_on_one_another(steps: list[spec.Normalizer]) -> None:
    normalizer = spec.Normalizers(tuple(steps))
    tok = kugiri.Tokenizer(msgspec.structs.replace(BYTES, normalizer=normalizer))
    assert len(tok.normalize("①”  ②")) <= 11


def test_a_template_of_a_file_that_names_no_token(tmp_path: Path) -> None:
    """tokenizers 0.23.3 loads such a file, and panics when it encodes."""
    path = tmp_path / "tokenizer.json"
    kugiri.train(["low low"], preset="gpt2", vocab_size=258).save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    special = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    document["post_processor"] = {
        "type": "TemplateProcessing", "single": [special], "pair": [special], "special_tokens": {},
    }  # fmt: skip
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(FormatError, match=r"tokenizer\.json: .* names the token '<s>'") as raised:
        kugiri.load(path)
    assert raised.value.path == str(path)


def test_what_is_allowed_is_kept() -> None:
    described = msgspec.structs.replace(BYTES, pre_tokenizer=split("contiguous"))
    assert kugiri.Tokenizer(described).spec is described


KEYS = {
    "normalizer": ("normalizers", {"type": "NFC"}),
    "pre_tokenizer": ("pretokenizers", {"type": "WhitespaceSplit"}),
    "post_processor": ("processors", {"type": "ByteLevel"}),
    "decoder": ("decoders", {"type": "Fuse"}),
}


@pytest.mark.parametrize("family", KEYS)
def test_parts_in_parts_without_end(family: str, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    kugiri.train(["a"], vocab_size=256).save(path)
    key, part = KEYS[family]
    document = json.loads(path.read_bytes()) | {family: "HERE"}
    for depth in (40, 60, 100, 150, 200, 2_000, 100_000):
        inner = f'{{"type":"Sequence","{key}":[' * depth + json.dumps(part) + "]}" * depth
        file = json.dumps(document).replace('"HERE"', inner).encode()
        if depth > 40:
            with pytest.raises(FormatError, match="nested too deeply"):
                kugiri.load(file)
        elif family == "pre_tokenizer":
            tok = kugiri.load(file)
            tok.save(tmp_path / "a.kugiri.json")
            assert kugiri.load(tmp_path / "a.kugiri.json") == tok
            assert (tok.encode("ab"), tok.pre_tokenize("a b")[1:]) == ([97, 98], [("b", (2, 3))])


def test_parts_in_parts_without_end_in_our_own_format(tmp_path: Path) -> None:
    path = tmp_path / "a.kugiri.json"
    kugiri.train(["a"], vocab_size=256, pre_tokenizer="gpt2").save(path)
    document = json.loads(path.read_bytes())
    for depth in (60, 150, 2_000, 100_000):
        document["spec"]["pre_tokenizer"] = "HERE"
        inner = '{"type":"Sequence","pre_tokenizers":[' * depth + "]}" * depth
        with pytest.raises(FormatError, match="nested too deeply"):
            kugiri.load(json.dumps(document).replace('"HERE"', inner).encode())
