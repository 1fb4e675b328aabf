"""A comparison as a page of its own: one file that needs nothing else, to be sent and kept.

Rule.    It has the numbers of the whole text, the cuts of its first MOST_SHOWN characters, and of
         one tokenizer the steps, drawn as `kugiri explain --html` draws them; the data are in it.
Cost.    That of the answers it is drawn from.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from importlib.resources import files
from itertools import chain
from typing import Any

import msgspec

import kugiri
from kugiri.explain.html.elements import (
    Markup,
    element,
    language,
    named,
    plainly,
    quoted,
    table,
    together,
)
from kugiri.explain.html.frame import header, page, section
from kugiri.explain.html.text_page import stages
from kugiri.explain.html.words import WORDS as PHRASES
from kugiri.explain.structure import Explanation
from kugiri.web import columns
from kugiri.web import requests as asked
from kugiri.web.answers import MOST_EXPLAINED, close_look, options
from kugiri.web.share_words import WORDS
from kugiri.web.store import Store

MOST_SHOWN = 10_000
"""Characters whose cuts are drawn."""
_LONG = ((300, "hero longest"), (60, "hero long"))
"""A longer text is set smaller."""
_TYPED = 200
"""Characters of a text that a command repeats."""


def share(store: Store, its: asked.Share) -> str:
    """The page."""
    answer = columns.tokens(
        store,
        asked.Tokens(
            its.text, its.tokenizers, 0, MOST_SHOWN, its.allow_special, its.add_special_tokens
        ),
    )
    explained = None
    if its.explain is not None:
        text = its.text[:MOST_EXPLAINED]
        explained = close_look(store, its.explain, text).explain(text, **options(its))
    return _Sheet(store, its, answer, explained).drawn()


class _Sheet:
    """What is drawn, and in which language."""

    def __init__(
        self, store: Store, its: asked.Share, answer: dict[str, Any], explained: Explanation | None
    ) -> None:
        self.store, self.its, self.answer, self.explained = store, its, answer, explained
        self.words = WORDS[its.language]

    def drawn(self) -> str:
        """The whole page."""
        title = self._title()
        data = {
            "version": kugiri.__version__,
            "text": self.its.text,
            **self.answer,
            "explanation": self.explained,
        }
        return page(
            f"kugiri · {title}",
            header(element("h1", title, class_="unseen"), self._hero(), self._summary()),
            section(self.words["numbers"], element("div", self._numbers(), class_="numbers")),
            section(self.words["cuts"], *self._cuts()),
            *self._steps(),
            section(self.words["made"], *self._made()),
            data=msgspec.json.encode(data).decode(),
            style=files("kugiri.web").joinpath("share.css").read_text("utf-8"),
            language=self.its.language,
        )

    def _title(self) -> str:
        count = len(self.its.tokenizers)
        if count == 1:
            return self.words["title of one"]
        return self.words["title"].format(count)

    def _hero(self) -> Markup:
        text = self.its.text[:MOST_SHOWN]
        size = next((name for most, name in _LONG if len(text) > most), "hero")
        return element("div", element("bdi", text), class_=size, lang=language(text), tabindex=0)

    def _summary(self) -> Markup:
        counts = [(self.answer[name], self.words[name]) for name in ("characters", "bytes")]
        shown = [together(element("b", f"{count:,}"), f" {name}") for count, name in counts]
        return element("p", shown[0], " · ", shown[1], class_="summary")

    def _numbers(self) -> Markup:
        columns = [
            self.words[name] for name in
            ("tokenizer", "vocabulary", "tokens", "per token", "bytes per token", "ratio",
             "unknown", "decodes")
        ]  # fmt: skip
        rows = [
            (named(it["name"]), *self._row(it))
            for it in self.answer["columns"]
        ]  # fmt: skip
        return table(columns, rows, numbers=columns[1:7])

    def _row(self, it: dict[str, Any]) -> Iterator[str]:
        yield f"{self.store.named(it['name']).vocab_size:,}"
        if it["error"] is not None:
            yield from ("–",) * 5
            yield it["error"]
            return
        yield f"{it['count']:,}"
        for name in ("characters_per_token", "bytes_per_token", "more_than_least"):
            yield "–" if it[name] is None else f"{it[name]:.2f}"
        yield f"{it['unknown']:,}"
        yield self.words["same" if it["exact"] else "other"]

    def _cuts(self) -> Iterator[Markup]:
        columns = [it for it in self.answer["columns"] if it["error"] is None]
        if len(columns) > 1:
            yield element("p", self.words["differs"], class_="soft")
        if self.answer["next"] is not None:
            yield element("p", self.words["window"].format(f"{MOST_SHOWN:,}"), class_="soft")
        yield element("div", [self._lane(it) for it in columns], class_="lanes")

    def _lane(self, it: dict[str, Any]) -> Markup:
        count = element("small", f"{it['count']:,} {self.words['tokens']}")
        tokens = [_token(token) for token in it["tokens"]]
        text = element("p", tokens, class_="cut", lang=language(self.its.text))
        return element("div", element("h3", named(it["name"]), count), text)

    def _steps(self) -> Iterator[Markup]:
        if self.explained is None or self.its.explain is None:
            return
        before, after = self.words["steps"].split("{}")
        name = named(self.its.explain)
        yield element("h2", before, name, after, class_="steps")
        if len(self.its.text) > MOST_EXPLAINED:
            some = f"{len(self.explained.text):,}"
            yield element("p", self.words["part"].format(some), class_="soft")
        yield stages(self.explained, PHRASES[self.its.language])

    def _made(self) -> Iterator[Markup]:
        yield element("p", f"kugiri {kugiri.__version__}")
        yield element("p", self.words["again"], class_="soft")
        for command in self._commands():
            yield element("p", element("code", plainly(command), class_="command"))

    def _commands(self) -> Iterator[str]:
        """What shows the same, as far as it came from files that are known by their paths."""
        paths = [it for name in self.its.tokenizers if (it := self.store.get(name).path)]
        yield shlex.join(["kugiri", "serve", *chain.from_iterable(("-t", it) for it in paths)])
        text, name = self.its.text, self.its.explain
        path = None if name is None else self.store.get(name).path
        if path is not None and len(text) <= _TYPED and text.isprintable():
            yield shlex.join(["kugiri", "explain", "-t", path, text])


def _token(token: dict[str, Any]) -> Markup:
    kinds = [name for name in ("differs", "special") if token[name]]
    shown = element("span", quoted(token["text"]), class_=" ".join(kinds) or None)
    return shown + element("span", class_="newline") if "\n" in token["text"] else shown
