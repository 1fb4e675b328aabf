"""What became of a text, as a page: the text first, then each stage."""

from __future__ import annotations

from kugiri.encoding import Span
from kugiri.explain.glyphs import is_bytes
from kugiri.explain.html.elements import (
    Markup,
    cut,
    element,
    language,
    plainly,
    quoted,
    scrolling,
    table,
    together,
)
from kugiri.explain.html.frame import header, page, quiet, section
from kugiri.explain.html.model_parts import model_parts
from kugiri.explain.html.words import ENGLISH, Words
from kugiri.explain.readings import read, read_tokens
from kugiri.explain.structure import Explanation

_SIZES = ((300, "hero longest"), (60, "hero long"))
"""A longer text is set smaller."""


def text_page(explained: Explanation) -> str:
    """An explanation as HTML."""
    return page(
        "kugiri explain",
        header(_hero(explained), _summary(explained)),
        stages(explained),
        data=explained.to_json(),
    )


def stages(explained: Explanation, say: Words = ENGLISH) -> Markup:
    """What each stage made of the text, in sections."""
    return together(
        _special_tokens(explained, say),
        _normalization(explained, say),
        _pre_tokens(explained, say),
        section(say("Model"), *model_parts(explained, say)),
        _around(explained, say),
        _tokens(explained, say),
    )


def _hero(explained: Explanation) -> Markup:
    """The text, cut into its tokens."""
    tokens = [
        element(
            "li",
            quoted(token),
            element("small", str(id)),
            _part_of(explained, at) if is_bytes(token) else "",
            class_="token special" if special else "token",
            data_token=at,
            tabindex=0,
        )
        for at, (token, id, special) in enumerate(
            zip(read_tokens(explained), explained.ids, explained.special, strict=True)
        )
    ]
    title = element("h1", "The text in its tokens", class_="unseen")
    listed = element("ol", tokens, class_="tokens", aria_label="the tokens of the text")
    size = next((name for most, name in _SIZES if len(explained.text) > most), "hero")
    return title + element("div", listed, class_=size, lang=language(explained.text))


def _part_of(explained: Explanation, at: int) -> Markup:
    """The characters that a token of bytes has a part of."""
    start, end = explained.covering_spans[at]
    return element("small", "part of ", quoted(explained.text[start:end]))


def _summary(explained: Explanation) -> Markup:
    text, decoded = explained.text, explained.decoded
    counts = [
        (len(explained.ids), "tokens"),
        (len(text), "characters"),
        (len(text.encode()), "bytes"),
    ]
    shown = [together(element("b", f"{count:,}"), f" {name} · ") for count, name in counts]
    back = "decodes to the same text" if decoded.is_exact else "decodes to another text"
    return element("p", shown, back, class_="summary")


def _special_tokens(explained: Explanation, say: Words) -> Markup:
    found = [
        element(
            "p",
            say.put(
                "{0} at character {1} was cut out",
                element("code", quoted(token)),
                _shown(span, say),
            ),
        )
        for token, span in explained.special_tokens
    ]
    left = [
        element(
            "p",
            say.put(
                "{0} at character {1} looks like a special token and is text: it was not allowed",
                element("code", quoted(token)),
                _shown(span, say),
            ),
        )
        for token, span in explained.left_as_text
    ]
    none = [quiet(say("None in this text."))]
    return section(say("Special tokens"), *(found + left or none))


def _normalization(explained: Explanation, say: Words) -> Markup:
    normalization = explained.normalization
    if not normalization.changes:
        return section(say("Normalization"), quiet(say("Leaves it as it is.")))
    before, after = [], []
    done = done_after = 0
    for change in normalization.changes:
        start, end = change.span
        start_after, end_after = change.after_span
        before += [quoted(normalization.before[done:start]), element("del", quoted(change.before))]
        same = normalization.after[done_after:start_after]
        after += [quoted(same), element("ins", quoted(change.after))]
        done, done_after = end, end_after
    before.append(quoted(normalization.before[done:]))
    after.append(quoted(normalization.after[done_after:]))
    lang = language(explained.text)
    lines = [
        element("dl", element("dt", name), element("dd", parts, lang=lang), class_="diff")
        for name, parts in ((say("before"), before), (say("after"), after))
    ]
    rows = [
        (
            _shown(change.span, say),
            quoted(change.before),
            quoted(change.after),
            _shown(change.after_span, say),
        )
        for change in normalization.changes
    ]
    columns = say.each("characters", "before", "after", "characters after")
    return section(say("Normalization"), *lines, table(columns, rows))


def _pre_tokens(explained: Explanation, say: Words) -> Markup:
    words = [quoted(read(word, explained.visible_bytes)) for word, _ in explained.pre_tokens]
    row = element("p", cut(words, explained.text))
    if not explained.boundaries:
        return section(say("Pre-tokens"), row, quiet(say("Nothing cuts it.")))
    rows = [
        (_shown(it.span, say), say.rule(it.step), plainly(say.rule(it.rule)))
        for it in explained.boundaries
    ]
    return section(say("Pre-tokens"), row, table(say.each("cut at", "made by", "rule"), rows))


def _around(explained: Explanation, say: Words) -> Markup:
    template, added = explained.post_process.template, explained.post_process.added
    parts: list[Markup] = []
    if len(template) > 1:
        code = element("code", plainly(" ".join(template).replace("$A", "…")))
        can = "{0} can be put around it; that was not asked for"
        parts.append(element("p", say.put("{0} is put around it" if added else can, code)))
    for it in explained.fallbacks:
        became = "became bytes" if it.became == "bytes" else "is unknown"
        phrase = "{0} at character {1} has no token and " + became
        parts.append(element("p", say.put(phrase, quoted(it.text), _shown(it.span, say))))
    nothing = [quiet(say("Nothing is put around it."))]
    return section(say("Post-processing and fallback"), *(parts or nothing))


def _tokens(explained: Explanation, say: Words) -> Markup:
    tokens = read_tokens(explained)
    covers = explained.covering_spans != explained.spans
    rows = [
        element(
            "tr",
            element("td", str(explained.ids[at]), class_="number"),
            element("td", quoted(tokens[at])),
            element("td", element("code", bytes.fromhex(explained.bytes[at]).hex(" "))),
            element("td", _shown(explained.spans[at], say)),
            *([element("td", _shown(explained.covering_spans[at], say))] if covers else []),
            data_token=at,
        )
        for at in range(len(explained.ids))
    ]
    columns = say.each(
        "id", "token", "bytes", "characters", *(["characters touched"] if covers else [])
    )
    head = element("tr", [element("th", name, scope="col") for name in columns])
    whole = element("table", element("thead", head), element("tbody", rows))
    parts = [scrolling(whole, say("the tokens with their bytes and places"))]
    decoded = explained.decoded
    if not decoded.is_exact:
        phrase = "Decoded: {0} other from character {1} on"
        differs = str((decoded.differs_at or 0) + 1)
        parts.append(element("p", say.put(phrase, quoted(decoded.text), differs)))
    return section(say("Tokens"), *parts)


def _shown(span: Span, say: Words) -> str:
    """A place as people count characters, from 1, with the last one; the data count from 0."""
    start, end = span
    if start == end:
        return say.put("after {0}", str(end)) if end else say("before 1")
    return f"{start + 1}–{end}" if end - start > 1 else str(end)
