"""What the normalizer does to Japanese.

Rule.    Some texts that Japanese needs, each with what is lost if it is changed. What is compared
         is the normalizer's output, since a model never sees more.
Cost.    A few dozen short texts.
Source.  Unicode Standard Annex #15: compatibility and canonical decompositions. Which of them
         change what Japanese text says is our own choice, with the reason beside each.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.check.finding import Case, Check, Kind
from kugiri.check.subject import Subject, readable

_TEXTS: dict[str, tuple[str, ...]] = {
    "voicing": ("が", "ぱ", "ヴ", "プログラム"),
    "ideographs": ("\ufa19", "\ufa1b", "\uf9d0", "\ufa11"),  # 神 福 類 﨑
    "radicals": ("\u2f00", "\u2f08", "\u2ee8"),
    "signs": ("①", "㈱", "㍻", "½", "℡", "㎏", "…", "Ⅲ"),
    "width": ("ＡＢＣ１２３", "ｶﾞｷﾞ", "！？", "東京\u3000駅"),
    "dashes": ("〜", "～", "ー", "ｰ", "―", "－"),
    "marks": ("か\u3099", "は\u309a"),
    "case": ("Tokyo", "Ärger"),
    "breaks": ("一行\n二行", "a\tb", "a  b"),
}  # fmt: skip


def find(subject: Subject) -> Iterator[tuple[str, Case]]:
    """Each text that is not left as it is."""
    for kind, texts in _TEXTS.items():
        for text in texts:
            after = subject.normalize(text)
            if after not in (text, _COMPOSED.get(text)):
                yield kind, Case(readable(text), readable(after))


_COMPOSED = {"か\u3099": "が", "は\u309a": "ぱ"}
"""What one wants instead; a normalizer that changes nothing leaves the marks."""

CHECK = Check(
    name="normalizer",
    question="What does the normalizer change in Japanese text?",
    kinds={
        "voicing": Kind(
            "error",
            "loses the mark of voice: が and か, ば and は are different words",
            "do not strip accents (strip_accents, StripAccents behind NFD) for Japanese",
        ),
        "marks": Kind(
            "warning",
            "kana with a combining mark becomes something else than the composed kana",
            "normalize with NFC or NFKC, so that both spellings of が are one",
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
            "one sign becomes several characters, and decoding does not bring it back",
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
