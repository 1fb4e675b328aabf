"""The frame of a page: its style and script inside it, and the promise to ask for nothing.

Rule.    A policy in the page forbids every request, and every script but the one whose digest it
         names: even text that got past escaping could not run. Without scripts all is there to
         read; the script only makes steps into slides and links what belongs together.
Cost.    The style and the script, some kilobytes a page.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from kugiri.explain.html.elements import Markup, element


def page(title: str, *content: Markup, data: str) -> str:
    """A whole page with the data that it was drawn from."""
    style, script = _asset("page.css"), _asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(style)),
    ]
    # Inside a script nothing is escaped but what could end it.
    json = Markup(data.replace("<", "\\u003c"))
    body = [
        element("main", *content),
        element("script", json, type="application/json", id="data"),
        element("script", Markup(script)),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{whole}\n"


def header(*content: Markup) -> Markup:
    """The head of a page, under the name of the program."""
    return element("header", element("p", "区切り kugiri", class_="brand"), *content)


def section(title: str, *content: str | Markup) -> Markup:
    """A part of a page, its name beside it."""
    return element("section", element("h2", title), element("div", *content))


def quiet(words: str) -> Markup:
    """A line that says that there is nothing to say."""
    return element("p", words, class_="soft")


def stepper(steps: list[Markup], name: str, first: int = 0) -> Markup:
    """Steps, one under the other; the script shows one at a time, with a slider.

    Args:
        steps: what is shown, step by step.
        name: what they are.
        first: the number of the first.
    """
    return element(
        "div",
        element("ol", [element("li", step) for step in steps], class_="slides"),
        class_="stepper",
        data_name=name,
        data_first=first,
    )


@cache
def _asset(name: str) -> str:
    return files("kugiri.explain.html").joinpath(name).read_text("utf-8")
