"""The page that is shared, of whatever text: it is text, and nothing of it is run or asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.asking import ask
from tests.served_pages import axe
from tests.test_explain_html import ELEMENTS, check, english_in
from tests.test_web_share import NAMES, address, data_of

__all__ = ["address", "axe"]

NASTY = {
    "markup": "</script><script>alert(1)</script><!-- ]]> <style>*{display:none}</style>",
    "turned": "\u202eabc\u2066 שלום עולם\u202c\u2069 x",
    "controls": "".join(map(chr, range(32))) + "\x7f\x85\ufeff\u2028\u2029\ufffe\U000e0041",
    "one line": "x" * 1_000,
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", NASTY)
def test_whatever_the_text_it_is_text(
    opened: Any, axe: str, address: str, name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kugiri.web.share.MOST_SHOWN", 500)  # axe looks at every element
    text = NASTY[name]
    question = {"text": text, "tokenizers": NAMES, "explain": "bytes", "language": language}
    html = ask(address, "share", question).body.decode()
    check(html, ELEMENTS | {"br", "em", "details", "summary"})
    assert data_of(html)["text"] == text[:500]
    assert english_in(html.split("</head>")[1]) == set() or language == "en"
    page, heard = opened(html, viewport={"width": 375, "height": 900}, offline=True)
    assert json.loads(page.text_content("#data")) == data_of(html)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(it["id"], it["nodes"][0]["html"]) for it in found["violations"]] == []
    assert heard == []


@pytest.mark.parametrize(("more", "status"), [
    ({"language": "de"}, 422), ({"explain": "nobody"}, 404), ({"tokenizers": ["nobody"]}, 404),
    ({"html": "<b>"}, 422), ({"text": "half a pair: \ud800"}, 422),
])  # fmt: skip
def test_what_is_refused(address: str, more: dict[str, Any], status: int) -> None:
    question = {"text": "猫", "tokenizers": NAMES, **more}
    assert ask(address, "share", question).error[0] == status
