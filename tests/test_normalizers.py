"""The normalizers of tokenizer.json give the text of tokenizers 0.23.3, and its places."""

from __future__ import annotations

import random
import unicodedata
from typing import Any

import pytest

import kugiri
from kugiri import spec
from kugiri.errors import OptionError
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.normal_forms import normal_forms
from kugiri.reference.normalize import normalize
from kugiri.tables import Tokens
from tools.parity_data import HOW_TO_GET

NFC, NFD, NFKC, NFKD = spec.NFC(), spec.NFD(), spec.NFKC(), spec.NFKD()
NOTHING = spec.BertNormalizer(False, False, False, False)

Place = tuple[str, tuple[int, int]]


def replace(text: str, content: str) -> spec.Replace:
    return spec.Replace(spec.Literally(text), content)


def placed(text: str, normalizer: spec.Normalizer) -> list[Place]:
    """Each character of a normalized text, with the characters it stands for."""
    done = normalize(Aligned.of(text), normalizer)
    places = [character_span(text, *span) for span in done.spans]
    return list(zip(done.text, places, strict=True))


# ── examples ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("normalizer", "text", "expected"),
    [
        (NFC, "xe\u0301y", [("x", (0, 1)), ("é", (1, 2)), ("y", (3, 4))]),
        (NFC, "か\u3099", [("が", (0, 1))]),
        (NFC, "\u1100\u1161\u11a8b", [("각", (0, 1)), ("b", (3, 4))]),
        (NFC, "㋿①", [("㋿", (0, 1)), ("①", (1, 2))]),
        (NFD, "が", [("か", (0, 1)), ("\u3099", (0, 1))]),
        (NFD, "é\u0323", [("e", (0, 1)), ("\u0323", (1, 2)), ("\u0301", (1, 2))]),
        (NFKC, "ｶﾞx", [("ガ", (0, 1)), ("x", (2, 3))]),
        (NFKC, "㍿", [("株", (0, 1)), ("式", (0, 1)), ("会", (0, 1)), ("社", (0, 1))]),
        (NFKC, "㋿", [("㋿", (0, 1))]),  # younger than Unicode 9.0
        (NFKC, "～", [("~", (0, 1))]),
        (NFKD, "ﾊﾟ", [("ハ", (0, 1)), ("\u309a", (1, 2))]),
        (
            spec.Lowercase(),
            "İΑΣ",
            [("i", (0, 1)), ("\u0307", (0, 1)), ("α", (1, 2)), ("σ", (2, 3))],
        ),
        (spec.StripAccents(), "e\u0301x", [("e", (0, 1)), ("x", (2, 3))]),
        (spec.Strip(), "\u3000 a b\n", [("a", (2, 3)), (" ", (3, 4)), ("b", (4, 5))]),
        (spec.Strip(strip_left=False), " a ", [(" ", (0, 1)), ("a", (1, 2))]),
        (spec.Nmt(), "a\u200b\x01\u200d", [("a", (0, 1)), (" ", (1, 2)), (" ", (3, 4))]),
        (spec.Prepend("▁"), "猫", [("▁", (0, 1)), ("猫", (0, 1))]),
        (spec.Prepend("▁"), "", []),
        (replace("b", "XY"), "abc", [("a", (0, 1)), ("X", (1, 2)), ("Y", (1, 2)), ("c", (2, 3))]),
        (replace("bc", "X"), "abcd", [("a", (0, 1)), ("X", (2, 3)), ("d", (3, 4))]),
        (replace(".", ""), "a.b", [("a", (0, 1)), ("b", (2, 3))]),
        (replace("", "-"), "a", [("-", (0, 0)), ("a", (0, 1)), ("-", (0, 1))]),
        (
            spec.BertNormalizer(),
            "É中\x00",
            [("e", (0, 1)), (" ", (1, 2)), ("中", (1, 2)), (" ", (1, 2))],
        ),
        (spec.ByteLevelNormalizer(), "é", [("Ã", (0, 1)), ("©", (0, 1))]),
        (
            spec.Normalizers((spec.Prepend("▁"), replace(" ", "▁"))),
            "a b",
            [("▁", (0, 1)), ("a", (0, 1)), ("▁", (1, 2)), ("b", (2, 3))],
        ),
    ],
)
def test_what_becomes_of_it(normalizer: spec.Normalizer, text: str, expected: list[Place]) -> None:
    assert placed(text, normalizer) == expected


@pytest.mark.parametrize(
    ("normalizer", "named"),
    [
        (spec.Replace(spec.Regex(" {2,}"), " "), "Replace with a regex"),
        (spec.Precompiled(b""), "Precompiled"),
    ],
)
def test_what_is_not_run_is_named(normalizer: spec.Normalizer, named: str) -> None:
    with pytest.raises(OptionError, match=f"normalizer {named} is described but not run"):
        placed("a", normalizer)


def test_a_tokenizer_normalizes_with_its_own() -> None:
    model = spec.CharLevel(Tokens.from_iter([b"a"]), unk_token=None)
    tok = kugiri.Tokenizer(spec.TokenizerSpec(model, normalizer=NFKC))
    assert tok.normalize("ｶﾞ①") == "ガ1"


# ── as in tokenizers ──────────────────────────────────────────────────────────────────────────
def bert(**changed: bool) -> spec.BertNormalizer:
    return spec.BertNormalizer(**{name: False for name in NOTHING.__struct_fields__} | changed)


NORMALIZERS: dict[str, spec.Normalizer] = {
    **{type(form).__name__: form for form in (NFC, NFD, NFKC, NFKD)},
    "Lowercase": spec.Lowercase(),
    "StripAccents": spec.StripAccents(),
    "Strip": spec.Strip(),
    "Strip right": spec.Strip(strip_left=False),
    "Nmt": spec.Nmt(),
    "ByteLevel": spec.ByteLevelNormalizer(),
    "Prepend": spec.Prepend("▁x"),
    "Replace": replace("a", "XYZ"),
    "Replace two": replace("ｶﾞ", "g"),
    "Replace by nothing": replace(" ", ""),
    "Bert": spec.BertNormalizer(),
    "Bert cleans": bert(clean_text=True),
    "Bert parts": bert(handle_chinese_chars=True),
    "Bert strips": bert(strip_accents=True),
    "Bert lower-cases": bert(lowercase=True),
    "ALBERT": spec.Normalizers((replace("``", '"'), NFKD, spec.StripAccents(), spec.Lowercase())),
    "XLNet turned round": spec.Normalizers(
        (spec.Lowercase(), NFC, spec.Strip(), spec.Prepend("▁"))
    ),
}


def oracle(normalizer: spec.Normalizer) -> Any:
    """The same normalizer of the library."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    theirs = library.normalizers
    match normalizer:
        case spec.Normalizers(steps):
            return theirs.Sequence([oracle(step) for step in steps])
        case spec.Replace(spec.Literally(text), content):
            return theirs.Replace(text, content)
        case spec.ByteLevelNormalizer():
            return theirs.ByteLevel()
        case _:
            options = {name: getattr(normalizer, name) for name in normalizer.__struct_fields__}
            if isinstance(normalizer, spec.Strip):
                options = {name.removeprefix("strip_"): value for name, value in options.items()}
            return getattr(theirs, type(normalizer).__name__)(**options)


def their_places(text: str, theirs: Any) -> list[Place]:
    """What the library makes of a text, character by character."""
    library = pytest.importorskip("tokenizers")
    pre_tokenized = library.PreTokenizedString(text)
    pre_tokenized.normalize(theirs.normalize)
    pre_tokenized.split(lambda _, part: [part[i : i + 1] for i in range(len(part.normalized))])
    splits = pre_tokenized.get_splits(offset_referential="original", offset_type="char")
    return [(character, span) for character, span, _ in splits]


# What Unicode assigns lies here; in the planes between is nothing.
CODE_POINTS = [
    chr(code)
    for code in (
        *range(0xD800),
        *range(0xE000, 0x33500),
        *range(0xE0000, 0xE0200),
        0xF0000,
        0x10FFFF,
    )
]


@pytest.mark.parametrize("name", NORMALIZERS)
def test_every_code_point(name: str) -> None:
    ours, theirs = NORMALIZERS[name], oracle(NORMALIZERS[name])
    for start in range(0, len(CODE_POINTS), 256):
        several = CODE_POINTS[start : start + 256]
        text = "。".join(several)
        if normalize(Aligned.of(text), ours).text != theirs.normalize_str(text):
            for character in several:
                assert placed(character, ours) == their_places(character, theirs), ascii(character)
            raise AssertionError(f"together, the characters from U+{start:04X} on are different")


@pytest.mark.parametrize("name", NORMALIZERS)
def test_random_texts(name: str) -> None:
    ours, theirs = NORMALIZERS[name], oracle(NORMALIZERS[name])
    chance = random.Random(name)
    pools = [
        CODE_POINTS,
        [c for c in CODE_POINTS if unicodedata.combining(c)],
        [c for c in CODE_POINTS if unicodedata.decomposition(c)],
        [*"aeiouAEİΣßǅ`` \t\n\x01\u200b\u200d\u061cかｶﾊﾟﾞ゛中"],
        [*map(chr, range(0x1100, 0x1200)), *map(chr, range(0xAC00, 0xAD00))],
    ]
    for _ in range(1500):
        text = "".join(chance.choice(chance.choice(pools)) for _ in range(chance.randrange(10)))
        assert placed(text, ours) == their_places(text, theirs), ascii(text)


# ── as in Unicode ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normal_forms_of_the_newest_version(form: Any) -> None:
    known = [c for c in CODE_POINTS if unicodedata.category(c) != "Cn"]
    chance = random.Random(form)
    marks = [c for c in known if unicodedata.combining(c)]
    for start in range(0, len(known), 64):
        text = "".join(
            character + "".join(chance.choices(marks, k=chance.randrange(3)))
            for character in known[start : start + 64]
        )
        assert normal_forms().text(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("version", ["9.0", "17.0"])
def test_normal_forms_stay_as_they_are(version: str) -> None:
    forms = normal_forms(version)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        text = forms.text(form, "ǅế각ｶﾞ㍿ﷺ\u0344\u212b\U0001d160")
        assert forms.text(form, text) == text
