"""The plots on a page: a place for each, a choice where there are several, and Vega to draw them.

Rule.    What a plot shows stands in the tables, too: its place is an image to a screen reader,
         named by what it shows, and says without scripts where the numbers are. Vega runs without
         making code of strings (`ast`), which the policy of the page forbids. A plot is known to
         the page by its number, since names are the user's.
Cost.    The bundle of Vega is nine tenths of a megabyte, and bundled in a second, once a process.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from kugiri.explain.html.elements import Markup, element
from kugiri.explain.html.frame import section
from kugiri.lazy import lazy_module
from kugiri.measure.answer import ALL
from kugiri.measure.apart import headline
from kugiri.measure.html.curves import curves
from kugiri.measure.html.look import short
from kugiri.measure.html.plots import is_grid
from kugiri.measure.report import Report
from kugiri.measure.standing import Standings

if TYPE_CHECKING:
    import vl_convert
else:
    vl_convert = lazy_module("vl_convert")


def figures(report: Report, standings: Standings, drawn: list[str]) -> Markup:
    """The part of a page that has the plots of values; the metric of the answer first.

    Args:
        report: what they are of.
        standings: of it.
        drawn: the names of the plots, in the order of their numbers.
    """
    if not drawn:
        return Markup("")
    number = {name: str(at) for at, name in enumerate(drawn)}
    notes = {note.name: note for note in report.metrics}
    first = headline(report, standings)
    order = dict.fromkeys(([first.name] if first else []) + list(notes))
    titles = {name: notes[name].title for name in order if name in number}
    grids = {number[it]: titles[it] for it in titles if is_grid(report, notes[it])}
    dots = {number[it]: titles[it] for it in titles if number[it] not in grids}
    parts = []
    if dots:
        words = (
            "A dot is the value, its whisker the interval; each corpus has its own scale. In the "
            "accent colour is the best, where it is by more than the noise: tokenizers are "
            "compared document by document, so their intervals may overlap all the same."
        )
        if standings.losing():
            words += " A lossy one loses text of at least one of the corpora."
        words += " A triangle points to a value that is too far from all others to be drawn there."
        parts.append(_figure("Values with their intervals", dots, words))
    if grids:
        words = "A row for each text, the largest value first; the stronger the colour, the larger."
        title = "Text by text" if len(grids) > 1 else next(iter(grids.values()))
        parts.append(_figure(title, grids, words))
    return section("Values", *parts, id="plots")


def curves_of(report: Report, metric: str, drawn: list[str]) -> list[Markup]:
    """The curves behind the values of a metric."""
    number = {name: str(at) for at, name in enumerate(drawn)}
    its = [each for each in curves(report) if each.metric == metric]
    shown = {number[each.name]: ALL if each.corpus is None else short(each.corpus) for each in its}
    if not its:
        return []
    words = (
        f"To the right {its[0].x}, upwards {its[0].y}. Each row is a tokenizer; the others stand "
        f"behind it in grey."
    )
    return [_figure(its[0].title, shown, words)]


def _figure(title: str, shown: Mapping[str, str], words: str) -> Markup:
    """A place for plots, of which one is shown at a time.

    Args:
        title: what they show.
        shown: the numbers of the plots, and what each is called in the choice.
        words: how to read it.
    """
    first = next(iter(shown))
    drawing = element(
        "div",
        element("p", "Drawn by a script; the numbers are in the tables below.", class_="soft"),
        class_="plot", id=f"plot-{first}", data_plot=first,
    )  # fmt: skip
    parts: list[Markup] = [element("h3", title)]
    if len(shown) > 1:
        options = [element("option", called, value=plot) for plot, called in shown.items()]
        choice = element("select", options, id=f"choice-{first}", data_for=f"plot-{first}")
        of = element("span", f"of {title} ", class_="unseen")
        label = element("label", "Show ", of, for_=f"choice-{first}")
        parts.append(element("p", label, choice, class_="choice"))
    return element("figure", *parts, drawing, element("figcaption", words, class_="soft"))


def specs(charts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The charts as the script of the page takes them, each at its number."""
    return [chart.to_dict(validate=False) for chart in charts.values()]


@cache
def vega() -> str:
    """Vega, Vega-Lite and vega-embed in one script."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script").replace("<!--", "\\x3c!--")
