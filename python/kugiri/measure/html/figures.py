"""The plots on a page: a place for each, a choice where there are several, and Vega to draw them.

Rule.    What a plot shows stands in the tables, too: its place is an image to a screen reader,
         named by what it shows, and says without scripts where the numbers are. Vega runs without
         making code of strings (`ast`), which the policy of the page forbids.
Cost.    The bundle of Vega is nine tenths of a megabyte, and bundled in a second, once a process.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from kugiri.explain.html.elements import Markup, element
from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import vl_convert
else:
    vl_convert = lazy_module("vl_convert")


def figure(name: str, title: str | Markup, shown: Mapping[str, str], words: str | Markup) -> Markup:
    """A place for plots, of which one is shown at a time.

    Args:
        name: of the place.
        title: what they show.
        shown: the names of the plots, and what each is called in the choice.
        words: how to read it.
    """
    drawing = element(
        "div",
        element("p", "Drawn by a script; the numbers are in the tables below.", class_="soft"),
        class_="plot", id=f"plot-{name}", data_plot=next(iter(shown)),
    )  # fmt: skip
    parts: list[Markup] = [element("h3", title)]
    if len(shown) > 1:
        options = [element("option", called, value=plot) for plot, called in shown.items()]
        choice = element("select", options, id=f"choice-{name}", data_for=f"plot-{name}")
        label = element("label", "Show ", for_=f"choice-{name}")
        parts.append(element("p", label, choice, class_="choice"))
    return element("figure", *parts, drawing, element("figcaption", words, class_="soft"))


def specs(charts: Mapping[str, Any]) -> dict[str, Any]:
    """The charts as the script of the page takes them."""
    return {name: chart.to_dict(validate=False) for name, chart in charts.items()}


@cache
def vega() -> str:
    """Vega, Vega-Lite and vega-embed in one script."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script").replace("<!--", "\\x3c!--")
