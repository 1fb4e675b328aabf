"""What the normalizer does to Japanese.

Rule.    Some texts that Japanese needs, each with what may be lost of it. What is looked at is the
         normalizer's output, since a model never sees more: not whether it is changed, but whether
         what the finding speaks of is gone.
Cost.    A few dozen short texts.
Source.  Unicode Standard Annex #15: compatibility and canonical decompositions. Which of them
         change what Japanese text says is our own choice, with the reason beside each.
"""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import normalize

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject, readable
from kugiri.check.unseen import class_of
from kugiri.unicode import NEWEST, category
from kugiri.unicode.scripts import script

_TEXTS: dict[str, tuple[str, ...]] = {
    "voicing": ("が", "ぱ", "ヴ", "プログラム"),
    "kana": ("かな", "カナ", "きって", "キャ", "ゐ"),
    "decomposed": ("が", "ぱ", "é", "가"),
    "ideographs": ("\ufa19", "\ufa1b", "\uf9d0", "\ufa11"),  # 神 福 類 﨑
    "radicals": ("\u2f00", "\u2f08", "\u2ee8"),
    "signs": ("①", "㈱", "㍻", "½", "℡", "㎏", "…", "Ⅲ"),
    "width": ("ＡＢＣ１２３", "ｶﾞｷﾞ", "！？", "東京\u3000駅"),
    "dashes": ("〜", "～", "ー", "ｰ", "―", "－"),
    "marks": ("か\u3099", "は\u309a"),
    "case": ("Tokyo", "Ärger"),
    "breaks": ("一行\n二行", "a\tb", "a  b"),
}  # fmt: skip


_LETTERS: dict[str, Callable[[str], bool]] = {
    "kana": lambda it: script(it) in ("Hiragana", "Katakana") or it in "ーｰ",
    "kanji": lambda it: script(it) == "Han" and category(it, NEWEST)[0] in "LN",
    "letters and digits": lambda it: (
        category(it, NEWEST)[0] == "N"
        or (category(it, NEWEST)[0] == "L" and script(it) not in ("Common", "Inherited"))
    ),
    "signs": lambda it: it in _SIGNS,
}
"""What may not vanish: each belongs to the first of these that has it."""
_SIGNS = "、。「」・！？…‥―〜～−￥ゝヽ〇〃①㈱㍻℡㎏"


def find(subject: Subject) -> Found:
    """What vanishes, and each text of which what matters is lost."""
    vanishing = _vanishing(subject)
    for name, some in vanishing.items():
        more = f", as do {len(some) - 1:,} other {name}" if len(some) > 1 else ""
        yield "gone", Case(readable(some[0]), f"nothing{more}")
    gone = {it for some in vanishing.values() for it in some}
    for kind, texts in _TEXTS.items():
        left = [
            (text, after)
            for text in texts
            if gone.isdisjoint(text) and (after := subject.normalize(text)).strip()
        ]
        if not left:
            yield kind, "each text made for it has a character of which the normalizer leaves none"
        for text, after in left:
            if _LOST[kind](text, after):
                yield kind, Case(readable(text), readable(after))


def _vanishing(subject: Subject) -> dict[str, list[str]]:
    """Letters and signs of which the normalizer leaves nothing, by what they are."""
    gone = [
        it
        for it, after in subject.changed.items()
        if not after.strip() and class_of(it) is None and _plain(it).strip()
    ]
    found: dict[str, list[str]] = {name: [] for name in _LETTERS}
    for it in gone:
        if name := next((name for name, has in _LETTERS.items() if has(it)), None):
            found[name].append(it)
    return {name: some for name, some in found.items() if some}


def _nfc(text: str) -> str:
    return normalize("NFC", text)


def _voices(text: str) -> int:
    """Marks of voice, those of composed kana and narrow ones among them."""
    return sum(normalize("NFKD", text).count(mark) for mark in "\u3099\u309a")


def _capitals(text: str) -> int:
    return sum(it.isupper() for it in _nfc(text))


def _plain(text: str) -> str:
    """The letters of a text without their marks and case."""
    return "".join(it for it in normalize("NFKD", text.lower()) if category(it, NEWEST) != "Mn")


def _gone(text: str, after: str) -> bool:
    return text not in after


def _even(text: str) -> str:
    """A text without the differences of case and added spaces."""
    return text.lower().replace(" ", "")


def _other(text: str, after: str) -> bool:
    return _even(text) not in _even(after)


_LOST: dict[str, Callable[[str, str], bool]] = {
    "voicing": lambda text, after: _voices(after) < _voices(text),
    "kana": lambda text, after: _nfc(text) not in _nfc(after),
    "decomposed": lambda text, after: text not in after and text in _nfc(after),
    "ideographs": _gone,
    "radicals": _gone,
    "signs": _other,
    "width": _other,
    "dashes": _gone,
    "marks": lambda text, after: _nfc(text) not in _nfc(after),
    "case": lambda text, after: (
        _capitals(after) < _capitals(text) and _plain(text) in _plain(after)
    ),
    "breaks": _gone,
}
"""Whether the text has lost what the kind speaks of, whatever else is done to it."""

CHECK = Check(
    name="normalizer",
    question="What does the normalizer change in Japanese text?",
    kinds={
        "gone": Kind(
            "error",
            "vanishes: the normalizer leaves nothing of it, and a model never sees it",
            "take out of the normalizer what removes it (a Replace by nothing; ascii alone)",
        ),
        "voicing": Kind(
            "error",
            "loses the mark of voice: が and か, ば and は are different words",
            "do not strip accents (strip_accents, StripAccents behind NFD) for Japanese",
        ),
        "kana": Kind(
            "warning",
            "becomes other kana: hiragana and katakana, small and large ones are different words",
            "take out of the normalizer what makes them one (a Replace of single kana)",
        ),
        "marks": Kind(
            "warning",
            "kana with a combining mark becomes something else than the composed kana",
            "normalize with NFC or NFKC, so that both spellings of が are one (some kanji of "
            "names become others then: see `ideographs`), or compose the marks of kana alone",
        ),
        "decomposed": Kind(
            "note",
            "a letter comes apart into a letter and a mark: more tokens, and decoding leaves it so",
            "normalize with NFC or NFKC",
        ),
        "ideographs": Kind(
            "warning",
            "a kanji of a name becomes another one, and decoding does not bring it back",
            "even NFC does this; if names matter, do not normalize",
        ),
        "radicals": Kind(
            "note",
            "a sign for a radical becomes the kanji that looks like it",
            "nothing: it mends text out of PDF files",
        ),
        "signs": Kind(
            "note",
            "a sign becomes letters or digits that say it, and decoding does not bring it back",
            "leave out NFKC where ①, ㈱ or ½ have to come back as they were",
        ),
        "width": Kind(
            "note",
            "wide and narrow forms become one, and decoding does not bring back which it was",
            "leave out NFKC where the width has to come back",
        ),
        "dashes": Kind(
            "note",
            "a dash or wave becomes another one",
            "leave out NFKC, or accept that ～ comes back as ~",
        ),
        "case": Kind(
            "note",
            "capitals become small letters, and decoding does not bring them back",
            "leave out lower-casing if text is generated",
        ),
        "breaks": Kind(
            "note",
            "line breaks, tabs or repeated spaces are changed",
            "for code and poems keep them: remove_extra_whitespaces=False, no Nmt normalizer",
        ),
    },
    find=find,
)
