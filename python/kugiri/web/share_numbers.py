"""The numbers of a comparison that is shared: the answer in a sentence, and a table.

Rule.    Rows are in the order of their counts. The fewest are compared with those that know all of
         the text; a tokenizer that does not, or that refused it, has no place among them, comes
         last, and the reason stands in its row.
Cost.    That of the answer they are drawn from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from kugiri.explain.html.elements import Markup, bar, element, named, table, together
from kugiri.web.columns import more

Columns = Sequence[Mapping[str, Any]]


def ranked(columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those with the fewest tokens first, ties as they came; last those that are not compared."""
    return sorted(columns, key=lambda it: it["more_than_least"] or inf)


def lead(columns: Columns, words: Mapping[str, str]) -> Markup:
    """Who needs the fewest tokens, and who the most."""
    compared = [it for it in columns if it["more_than_least"] is not None]
    if len(columns) == 1 and columns[0]["error"] is None:
        return _put(words["of one"], _names(columns, words), _number(columns[0]["count"]))
    if not compared:
        return _put("" if all(it["error"] for it in columns) else words["none"])
    few, many = (choose(it["count"] for it in compared) for choose in (min, max))
    fewest, most = (
        _names([it for it in compared if it["count"] == count], words) for count in (few, many)
    )
    rest = words["rest"] if len(compared) < len(columns) else ""
    if few == many:
        alike = "alike" if len(compared) > 1 else "only"
        return _put(words[alike], fewest, _number(few)) + rest
    told = element("em", _more(more(many, few)))
    several = sum(it["count"] == few for it in compared) > 1
    which = "several and many" if several else "few and many"
    return _put(words[which], fewest, _number(few), most, _number(many), told) + rest


def numbers(columns: Columns, sizes: Mapping[str, int], words: Mapping[str, str]) -> Markup:
    """The table: the counts first, as bars too; of what is unknown only if there is some."""
    names = ["tokenizer", "tokens", "", "more", "per token", "bytes per token", "vocabulary"]
    unknown = ["unknown"] if any(it["unknown"] for it in columns) else []
    heads = [words[it] for it in (*names, *unknown, "decodes")]
    most = max((it["count"] or 0 for it in columns), default=0) or 1
    rows = [
        (
            together(element("small", str(nth), class_="nth"), named(it["name"])),
            *_row(it, most, sizes[it["name"]], words),
            *([f"{it['unknown']:,}"] if unknown else []),
            _decoded(it, words),
        )
        for nth, it in enumerate(columns, 1)
    ]
    return table(heads, rows, numbers=[heads[1], *heads[3:-1]])


def _row(it: Mapping[str, Any], most: int, size: int, words: Mapping[str, str]) -> Iterator[str]:
    times = it["more_than_least"]
    yield "–" if it["count"] is None else _number(it["count"])
    yield bar((it["count"] or 0) / most, "" if times == 1 else "rival")
    if times is None:
        yield "–"
    else:
        yield _more(it["more"]) if it["more"] else words["fewest"]
    for name in ("characters_per_token", "bytes_per_token"):
        yield "–" if it[name] is None else f"{it[name]:.2f}"
    yield f"{size:,}"


def _decoded(it: Mapping[str, Any], words: Mapping[str, str]) -> str:
    if it["error"] is not None:
        return element("span", it["error"], lang="en")
    return words["same" if it["exact"] else "other"]


def _more(its: Mapping[str, str]) -> str:
    """How many more than the fewest, as the page says it."""
    if "times" in its:
        return f"× {its['times']}"
    return f"{'' if its['percent'].startswith('<') else '+'}{its['percent']} %"


def _names(columns: Columns, words: Mapping[str, str]) -> Markup:
    names = [named(it["name"]) for it in columns]
    return together([together(words["comma"] if at else "", it) for at, it in enumerate(names)])


def _number(count: int) -> Markup:
    return element("b", f"{count:,}")


def _put(sentence: str, *values: Markup) -> Markup:
    """A sentence with its values where {} stands."""
    first, *others = sentence.split("{}")
    return together(first, [together(*it) for it in zip(values, others, strict=True)])
