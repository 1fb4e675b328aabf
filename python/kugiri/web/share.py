"""A comparison as a page of its own: one file that needs nothing else, to be sent and kept.

Rule.    It has the numbers of the whole text, the cuts of its beginning (MOST_SHOWN characters, or
         what makes MOST_TOKENS tokens), and of one tokenizer the steps, drawn as `kugiri explain
         --html` draws them. Those of a long text are of its beginning, which ends where the
         tokenizer has a cut; where it cuts that otherwise than in the whole text, this is said, as
         is why there are no steps. The data of what is drawn are in it.
Cost.    That of the answers it is drawn from; the file has about 3 MB at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

import kugiri
from kugiri.errors import KugiriError
from kugiri.explain.html.elements import Markup, element, language, named, plainly, together
from kugiri.explain.html.frame import header, page, section
from kugiri.explain.html.text_page import stages
from kugiri.explain.html.words import WORDS as PHRASES
from kugiri.explain.structure import Explanation
from kugiri.web import columns
from kugiri.web import requests as asked
from kugiri.web.answers import MOST_EXPLAINED, close_look, options
from kugiri.web.failures import Failure, of_library
from kugiri.web.score import Part, cuts_of, score
from kugiri.web.share_commands import commands
from kugiri.web.share_numbers import lead, numbers, ranked
from kugiri.web.share_words import WORDS
from kugiri.web.store import Store

MOST_SHOWN = 10_000
"""Characters whose cuts are drawn,"""
MOST_TOKENS = 20_000
"""and tokens, those of all tokenizers together."""
MOST_STEPS = 400
"""Characters whose steps are drawn, as on the page."""
_LONG = ((300, "hero longest"), (60, "hero long"))
"""A longer text is set smaller."""


def share(store: Store, its: asked.Share) -> str:
    """The page."""
    answer = _columns(store, its, MOST_SHOWN)
    starts = sorted(token["start"] for it in answer["columns"] for token in it["tokens"])
    if len(starts) > MOST_TOKENS:
        answer = _columns(store, its, max(1, starts[MOST_TOKENS]))
    steps = None if its.explain is None else _steps_of(store, its, its.explain)
    return _Sheet(store, its, answer, steps).drawn()


def saved(store: Store, its: asked.Share) -> tuple[str, str]:
    """What the file is called today, and the page."""
    return file_name(its, date.today()), share(store, its)


def file_name(its: asked.Share, day: date) -> str:
    """What the file is called when it is saved.

    Example:
        >>> file_name(asked.Share("a", ["one", "other"]), date(2026, 11, 30))
        'kugiri-2-tokenizers-2026-11-30.html'
    """
    count = len(its.tokenizers)
    return f"kugiri-{count}-tokenizer{'s' if count > 1 else ''}-{day}.html"


def _columns(store: Store, its: asked.Share, most: int) -> dict[str, Any]:
    question = asked.Tokens(
        its.text, its.tokenizers, 0, most, its.allow_special, its.add_special_tokens
    )
    return columns.tokens(store, question)


class _Steps(NamedTuple):
    """What became of a text, and whether its tokens are others in the whole text."""

    explained: Explanation
    differ: bool


def _steps_of(store: Store, its: asked.Share, name: str) -> _Steps | Failure:
    """The steps of one tokenizer, or why there are none.

    Raises:
        Failure: there is no such tokenizer.
    """
    store.get(name)
    try:
        if len(its.text) <= MOST_STEPS:
            tokenizer = close_look(store, name, its.text)
            return _Steps(tokenizer.explain(its.text, **options(its)), False)
        return _steps_of_beginning(store, its, name)
    except Failure as failure:
        return failure
    except KugiriError as error:
        return of_library(error)


def _steps_of_beginning(store: Store, its: asked.Share, name: str) -> _Steps:
    whole = asked.Tokens(its.text, [name], 0, MOST_EXPLAINED, its.allow_special)
    (column,) = columns.tokens(store, whole)["columns"]
    if column["error"] is not None:
        raise Failure(400, column["error"])
    cuts = sorted(cuts_of(column["tokens"]) - {0})
    end = max((it for it in cuts if it <= MOST_STEPS), default=cuts[0] if cuts else MOST_STEPS)
    text = its.text[:end]
    part = msgspec.structs.replace(whole, text=text)
    explained = close_look(store, name, text).explain(text, **options(part))
    ids = [it["id"] for it in column["tokens"] if it["end"] <= end]
    return _Steps(explained, explained.ids != ids)


class _Sheet:
    """What is drawn, and in which language."""

    def __init__(
        self,
        store: Store,
        its: asked.Share,
        answer: dict[str, Any],
        steps: _Steps | Failure | None,
    ) -> None:
        self.store, self.its, self.answer, self.steps = store, its, answer, steps
        self.words = WORDS[its.language]
        self.columns = ranked(answer["columns"])
        self.shown = its.text[: answer["next"]]

    def drawn(self) -> str:
        """The whole page."""
        return page(
            f"kugiri · {self._title()}",
            header(
                element("h1", lead(self.columns, self.words), class_="lead"),
                self._hero(),
                self._summary(),
            ),
            section(self.words["numbers"], element("div", *self._numbers(), class_="numbers")),
            self._cuts(),
            *self._folded(),
            section(self.words["made"], *self._made()),
            data=msgspec.json.encode(self._data()).decode(),
            style=files("kugiri.web").joinpath("share.css").read_text("utf-8"),
            language=self.its.language,
        )

    def _data(self) -> dict[str, Any]:
        """What the page is drawn from; `text` is the part of it that is shown."""
        lists = {"ids": "id", "tokens": "text", "starts": "start", "ends": "end"}
        return {
            "version": kugiri.__version__,
            **self.answer,
            "text": self.shown,
            "columns": [
                it | {name: [token[key] for token in it["tokens"]] for name, key in lists.items()}
                for it in self.answer["columns"]
            ],
            "explanation": self.steps.explained if isinstance(self.steps, _Steps) else None,
        }

    def _title(self) -> str:
        count = len(self.its.tokenizers)
        if count == 1:
            return self.words["title of one"]
        return self.words["title"].format(count)

    def _hero(self) -> Markup:
        size = next((name for most, name in _LONG if len(self.shown) > most), "hero")
        text = element("bdi", self.shown.replace("\0", "␀"))  # which HTML cannot hold
        return element("div", text, class_=size, lang=language(self.shown), tabindex=0)

    def _summary(self) -> Markup:
        counts = [(self.answer[name], self.words[name]) for name in ("characters", "bytes")]
        shown = [together(element("b", f"{count:,}"), f" {name}") for count, name in counts]
        return element("p", shown[0], " · ", shown[1], class_="summary")

    def _numbers(self) -> Iterator[Markup]:
        sizes = {it["name"]: self.store.named(it["name"]).vocab_size for it in self.columns}
        yield numbers(self.columns, sizes, self.words)
        if any(it["unknown"] for it in self.columns):
            yield element("p", self.words["not compared"], class_="soft")

    def _cuts(self) -> Markup:
        parts = [
            Part(nth, it["name"], type(self.store.named(it["name"]).spec.model).__name__,
                 it["tokens"])
            for nth, it in enumerate(self.columns, 1) if it["error"] is None
        ]  # fmt: skip
        told = []
        if len(parts) > 1:
            told = [self._places(parts), self.words["score"]]
        if self.answer["next"] is not None:
            told.append(self.words["window"].format(f"{len(self.shown):,}"))
        return element(
            "section",
            element("h2", self.words["cuts"]),
            element("div", [element("p", it, class_="soft") for it in told]),
            score(parts, self.shown),
            class_="cuts",
        )

    def _places(self, parts: list[Part]) -> str:
        """How many of the cuts within the text are those of all."""
        ends = {0, len(self.shown)}
        each = [cuts_of(it.tokens) - ends for it in parts]
        every, common = set.union(*each), set.intersection(*each)
        return self.words["places"].format(f"{len(every):,}", f"{len(common):,}")

    def _folded(self) -> Iterator[Markup]:
        """The steps, to be opened: they are longer than all else, and not what was asked."""
        its = list(self._steps())
        if its:
            yield element("details", element("summary", its[0]), *its[1:])

    def _steps(self) -> Iterator[Markup]:
        if self.steps is None or self.its.explain is None:
            return
        before, after = self.words["steps"].split("{}")
        yield element("h2", before, named(self.its.explain), after, class_="steps")
        if isinstance(self.steps, Failure):
            yield element("p", self.steps.words, lang="en")
            return
        explained, differ = self.steps
        if len(explained.text) < len(self.its.text):
            some = self.words["part"].format(f"{len(explained.text):,}")
            yield element("p", some, self.words["edges"] if differ else "", class_="soft")
        yield stages(explained, PHRASES[self.its.language])

    def _made(self) -> Iterator[Markup]:
        yield element("p", f"kugiri {kugiri.__version__}")
        yield element("p", self.words["again"], class_="soft")
        for command in commands(self.store, self.its):
            yield element("p", element("code", plainly(command), class_="command"))
