"""The frame of a page: its style and script inside it, and the promise to ask for nothing.

Rule.    A policy in the page forbids every request, and every script but those whose digests it
         names: even text that got past escaping could not run. Without scripts all is there to
         read; they only make steps into slides, link what belongs together, and draw plots.
Cost.    The style and the script, some kilobytes a page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from kugiri.explain.html.elements import Markup, element


def page(
    title: str,
    *content: Markup,
    data: str,
    style: str = "",
    scripts: Sequence[str] | None = None,
    language: str = "en",
) -> str:
    """A whole page with the data that it was drawn from.

    Args:
        title: of the window.
        content: what stands in it.
        data: JSON, for the scripts and for who wants to read it.
        style: what a page of its kind has beside the common style.
        scripts: what runs instead of the script that makes slides.
        language: of its words.
    """
    scripts = [_asset("page.js")] if scripts is None else scripts
    digests = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {digests}"
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(_asset("page.css") + style)),
    ]
    # Inside a script nothing is escaped but what could end it.
    json = Markup(data.replace("<", "\\u003c"))
    body = [
        element("main", *content),
        element("script", json, type="application/json", id="data"),
        *(element("script", Markup(script)) for script in scripts),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang=language)
    return f"<!doctype html>\n{whole}\n"


def header(*content: Markup) -> Markup:
    """The head of a page, under the name of the program."""
    return element("header", element("p", "区切り kugiri", class_="brand"), *content)


def section(title: str, *content: str | Markup, id: str | None = None) -> Markup:
    """A part of a page, its name beside it; with an id it can be linked to."""
    return element("section", element("h2", title, id=id), element("div", *content))


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


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return files("kugiri.explain.html").joinpath(name).read_text("utf-8")
