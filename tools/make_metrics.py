"""Write docs/metrics.md, what every metric is, from their own texts and examples.

Run it when a metric changes; a test compares the file.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from textwrap import dedent, wrap
from types import ModuleType

from kugiri.measure import metrics
from kugiri.measure.metric import Metric
from kugiri.measure.metrics import METRICS

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"

_HEAD = """\
# Metrics

What `kugiri measure` measures ([how to](measure.md)). Written by `tools/make_metrics.py` from the
metrics themselves, one a file in [measure/metrics](../python/kugiri/measure/metrics). The examples
are run by the tests.

Sums go over all documents (micro average) unless a formula says otherwise. T(x) is the tokens of a
document x, without special tokens around them; N all tokens, B all bytes of UTF-8, C all
characters.
"""

_NEEDS = {
    "corpus": "text",
    "reference": "a reference tokenizer",
    "translation": "aligned texts and a reference language",
    "languages": "aligned texts",
    "vocabulary": "the vocabulary alone",
}
_BETTER = {"more": "more", "less": "less", None: "neither"}


def spelled() -> str:
    """The page."""
    modules = [
        import_module(f"{metrics.__name__}.{found.name}")
        for found in iter_modules(metrics.__path__)
    ]
    homes = {each.METRIC.name: each for each in modules if hasattr(each, "METRIC")}
    rows = [
        f"| [`{it.name}`](#{it.name}) | {it.title} | {it.unit} | {_BETTER[it.better]} | "
        f"{_NEEDS[it.over]} |"
        for it in METRICS
    ]
    table = ["| metric | what it is | unit | better | needs |", "|---|---|---|---|---|", *rows]
    sections = [_section(metric, homes.get(metric.name)) for metric in METRICS]
    return "\n".join([_HEAD, *table, "", "\n".join(sections)])


def _section(metric: Metric, home: ModuleType | None) -> str:
    lines = [
        f"## {metric.name}",
        *_filled(metric.definition, f"**{metric.title}**, in {metric.unit}. "),
        "",
        f"- **Formula**: `{metric.formula}`",
        *_item("Needs", _NEEDS[metric.over] + _of_sample(metric)),
        *_item("Misleads", metric.misleads),
        *_item("Evidence", metric.evidence),
        *_item("Source", metric.source),
        "",
    ]
    if home is not None and (example := _example(home)):
        lines += ["```python", example, "```", ""]
    return "\n".join(lines)


def _of_sample(metric: Metric) -> str:
    said = "; looks at a seeded sample" if metric.sampled else ""
    return said + ("" if metric.repeats else "; depends on the machine")


def _item(label: str, text: str) -> list[str]:
    return _filled(text, f"- **{label}**: ")


def _filled(text: str, start: str = "") -> list[str]:
    escaped = text.replace("<", "&lt;").replace("|", "&#124;").replace("*", "\\*")
    lines = wrap(start + escaped, 98, break_long_words=False, break_on_hyphens=False)
    indent = "  " if start.startswith("- ") else ""
    return [lines[0], *(indent + line for line in lines[1:])]


def _example(home: ModuleType) -> str:
    """The example of a module's docstring, so that it runs on a page."""
    _, found, example = inspect.getdoc(home).partition("\nExample:\n")  # type: ignore[union-attr]
    start = f">>> from {home.__name__} import METRIC\n"
    return start + dedent(example).strip("\n") if found else ""


def main() -> None:
    """Write the page."""
    PAGE.write_text(spelled(), encoding="utf-8")


if __name__ == "__main__":
    main()
