"""The normalizers of tokenizer.json give the text of tokenizers 0.23.3, and its places."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest

import kugiri
from kugiri import spec
from kugiri.encoding import Span
from kugiri.errors import OptionError
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.dialect import in_our_dialect
from kugiri.reference.normal_forms import normal_forms
from kugiri.reference.normalize import normalize
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.rules import charsmap
from kugiri.tables import Tokens
from tools.parity_data import HOW_TO_GET

NFC, NFD, NFKC, NFKD = spec.NFC(), spec.NFD(), spec.NFKC(), spec.NFKD()
NOTHING = spec.BertNormalizer(False, False, False, False)

Place = tuple[str, tuple[int, int]]


def replace(text: str, content: str) -> spec.Replace:
    return spec.Replace(spec.Literally(text), content)


def readable(text: str, normalizer: spec.Normalizer) -> list[Place]:
    """Each character of a normalized text, with the characters that tokenizers names for it."""
    done = normalize(Aligned.of(text), normalizer)
    places = [character_span(text, *place.named) for place in done.places]
    return list(zip(done.text, places, strict=True))


def core(text: str, normalizer: spec.Normalizer) -> list[Place]:
    """The same of the core: every character is unknown, and so a token of its own."""
    encoding = letters(normalizer).encode_with_offsets(text)
    return list(zip(encoding.tokens, encoding.spans, strict=True))


@cache
def letters(
    normalizer: spec.Normalizer, unicode_version: Literal["16.0", "17.0"] = "16.0"
) -> kugiri.Tokenizer:
    model = spec.CharLevel(Tokens.from_iter([b"<unk>"]))
    return kugiri.Tokenizer(
        spec.TokenizerSpec(model, normalizer=normalizer, unicode_version=unicode_version)
    )


Engine = Callable[[str, spec.Normalizer], list[Place]]
both_engines = pytest.mark.parametrize("placed", [readable, core])


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
@both_engines
def test_what_becomes_of_it(
    normalizer: spec.Normalizer, text: str, expected: list[Place], placed: Engine
) -> None:
    assert placed(text, normalizer) == expected


@pytest.mark.parametrize(
    ("normalizer", "text", "expected"),
    [
        (NFC, "か\u3099x", [(0, 6), (6, 7)]),
        (NFD, "é\u0323", [(0, 2), (2, 4), (0, 2)]),
        (spec.Prepend("▁"), "猫", [(0, 0), (0, 3)]),
        (replace("bc", "X"), "abcd", [(0, 1), (1, 3), (3, 4)]),
        (replace("", "-"), "猫", [(0, 0), (0, 3), (3, 3)]),
        (spec.BertNormalizer(), "a中", [(0, 1), (1, 1), (1, 4), (4, 4)]),
        (spec.ByteLevelNormalizer(), "é", [(0, 1), (1, 2)]),
        (spec.Lowercase(), "İ", [(0, 2), (0, 2)]),
        (spec.Normalizers((spec.Strip(), spec.Prepend("_"))), " a", [(1, 1), (1, 2)]),
    ],
)
def test_the_bytes_that_each_character_really_stands_for(
    normalizer: spec.Normalizer, text: str, expected: list[Span]
) -> None:
    assert letters(normalizer).encode_with_offsets(text).byte_spans == expected
    assert list(normalize(Aligned.of(text), normalizer).spans) == expected


@both_engines
def test_an_empty_charsmap_changes_nothing(placed: Engine) -> None:
    assert placed("e\u0301①", spec.Precompiled(b"")) == placed("e\u0301①", spec.Strip())


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
    "Prepend nothing": spec.Prepend(""),
    "Replace everywhere": replace("", "-"),
    "Replace by regex": spec.Replace(spec.Regex(r"(?:\p{L}(?!a)|^| {2,}| *$)"), "<>"),
    "LLM-jp": spec.Normalizers(
        tuple(
            spec.Replace(spec.Regex(regex), content)
            for regex, content in [("^", "▁"), ("\n▁", "\n"), (" ", "▁")]
        )
    ),
    "CLIP": spec.Normalizers((NFC, spec.Replace(spec.Regex(r"\s+"), " "), spec.Lowercase())),
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
        case spec.Replace(spec.Regex(regex), content):
            return theirs.Replace(library.Regex(regex), content)
        case spec.Precompiled(charsmap):
            return theirs.Precompiled(charsmap)
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
CODE_POINTS = "".join(
    map(chr, [*range(0xD800), *range(0xE000, 0x33500), *range(0xE0000, 0xE0200), 0xF0000, 0x10FFFF])
)


ODD = {
    "a": "", "b": "xyz", "ab": "Q", "か\u3099": "が", "か": "KA", "\u3099": "", "e": "é", "é": "",
    "e\u0301": "E", "\r": "", "🇯🇵": "JP", "🇯": "j", "👩": "w", "\u200d": "",
}  # fmt: skip
"""A charsmap that takes out, puts in, and has keys that begin with others."""


@cache
def normalizer_named(name: str) -> spec.Normalizer:
    if name == "Precompiled":
        return spec.Precompiled(charsmap("nmt_nfkc"))
    if name == "Precompiled, odd":
        return spec.Precompiled(compile_charsmap(ODD))
    if name == "XLM-R":
        spaces = spec.Replace(spec.Regex(" {2,}"), "▁")
        return spec.Normalizers((normalizer_named("Precompiled"), spec.Strip(False), spaces))
    return NORMALIZERS[name]


NAMES = [*NORMALIZERS, "Precompiled", "Precompiled, odd", "XLM-R"]
every_normalizer = pytest.mark.parametrize(
    ("name", "placed"), [(name, placed) for name in NAMES for placed in (readable, core)]
)


def in_our_words(normalizer: spec.Normalizer) -> spec.Normalizer:
    """Patterns as the engines take them."""
    model = spec.CharLevel(Tokens.from_iter([b"<unk>"]))
    foreign = spec.TokenizerSpec(model, normalizer=normalizer, origin="tokenizer.json")
    own = in_our_dialect(foreign).normalizer
    assert own is not None
    return own


BY_CHARACTER = {"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "Bert"}
"""What looks at each character; of what else there is, the readable engine does a twentieth."""


@every_normalizer
def test_every_code_point(name: str, placed: Engine) -> None:
    ours, theirs = in_our_words(normalizer_named(name)), oracle(normalizer_named(name))
    step = 1 if placed is core or name in BY_CHARACTER else 20
    for start in range(0, len(CODE_POINTS), 256 * step):
        several = CODE_POINTS[start : start + 256]
        text = "。".join(several)
        if "".join(character for character, _ in placed(text, ours)) != theirs.normalize_str(text):
            for character in several:
                assert placed(character, ours) == their_places(character, theirs), ascii(character)
            raise AssertionError(f"together, the characters from U+{start:04X} on are different")


POOLS = [
    CODE_POINTS,
    [c for c in CODE_POINTS if unicodedata.combining(c)],
    [c for c in CODE_POINTS if unicodedata.decomposition(c)],
    [*"aeiouAEİΣßǅ`` \t\n\r\x01\u200b\u200d\u061cかｶﾊﾟﾞ゛\u3099中ab\u0301🇯🇵👩"],
    [*map(chr, range(0x1100, 0x1200)), *map(chr, range(0xAC00, 0xAD00))],
    [*map(chr, range(0x900, 0xE00))],
]


def random_text(chance: random.Random) -> str:
    """A text of characters that do something, from one pool or all."""
    pools = chance.choice([POOLS, [chance.choice(POOLS)]])
    return "".join(chance.choice(chance.choice(pools)) for _ in range(chance.randrange(12)))


@every_normalizer
def test_random_texts(name: str, placed: Engine) -> None:
    ours, theirs = in_our_words(normalizer_named(name)), oracle(normalizer_named(name))
    chance = random.Random(name)
    for _ in range(1500):
        text = random_text(chance)
        assert placed(text, ours) == their_places(text, theirs), ascii(text)


LAST = {"Prepend nothing", "Replace everywhere", "Replace by regex", "LLM-jp"}
"""Where something at the start is named as nothing, most later steps end tokenizers in a panic."""


@pytest.mark.parametrize("seed", range(60))
def test_random_sequences(seed: int) -> None:
    """Two to four normalizers in a row, sequences among them."""
    chance = random.Random(seed)
    steps = chance.choices(sorted({*NAMES} - LAST), k=chance.randrange(1, 4))
    steps.append(chance.choice(NAMES))
    normalizer = spec.Normalizers(tuple(map(normalizer_named, steps)))
    ours, theirs = in_our_words(normalizer), oracle(normalizer)
    for _ in range(100):
        text = random_text(chance)
        expected = their_places(text, theirs)
        assert core(text, ours) == expected, (steps, ascii(text))
        assert readable(text, ours) == expected, (steps, ascii(text))
        own = list(normalize(Aligned.of(text), ours).spans)
        assert letters(ours).encode_with_offsets(text).byte_spans == own, (steps, ascii(text))


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


NEWER = [
    (NFKC, "㋿\U0001f16c\ua7f2", "令和MRC"),
    (NFC, "\U00011935\U00011930", "\U00011938"),
    (spec.StripAccents(), "a\u1dfb\u0897", "a"),
    (spec.BertNormalizer(), "a\u1dfb\u0890", "a"),
]


@pytest.mark.parametrize(("normalizer", "text", "current"), NEWER)
def test_the_current_unicode_where_it_is_asked_for(
    normalizer: spec.Normalizer, text: str, current: str
) -> None:
    original = letters(normalizer)
    newest = letters(normalizer, "17.0")
    assert newest.normalize(text) == current != original.normalize(text)
    for tok in (original, newest):
        readable = ReferenceTokenizer(tok.spec).normalize(Aligned.of(text))
        assert readable.text == tok.normalize(text)
        readable_all = ReferenceTokenizer(tok.spec).normalize(Aligned.of("。".join(CODE_POINTS)))
        assert readable_all.text == tok.normalize("。".join(CODE_POINTS))


def test_loading_for_the_current_unicode(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    model = spec.WordLevel(Tokens.from_iter([b"<unk>"]))
    kugiri.Tokenizer(spec.TokenizerSpec(model, normalizer=NFKC)).save(path)
    assert kugiri.load(path).normalize("㋿") == "㋿"
    current = kugiri.load(path, unicode="current")
    assert current.normalize("㋿") == "令和"
    current.save(tmp_path / "own.kugiri.json")
    assert kugiri.load(tmp_path / "own.kugiri.json").normalize("㋿") == "令和"
    with pytest.warns(kugiri.KugiriWarning, match="the normalizers' Unicode 17.0"):
        current.save(path)
    with pytest.raises(OptionError, match="unknown unicode 'newest'"):
        kugiri.load(path, unicode="newest")  # type: ignore[arg-type]
