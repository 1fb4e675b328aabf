"""Plots as pictures, with labels that can be read in every script.

Rule.    A character that no font of the system has would be drawn as an empty box: it is looked for
         beforehand, and named in a warning with what to install.
Cost.    Half a second for the first picture, less for each other; a small one a character.
"""

from __future__ import annotations

import html
import os
import warnings
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kugiri.errors import KugiriWarning, choose
from kugiri.lazy import lazy_module
from kugiri.measure.html.look import FONTS
from kugiri.measure.html.plots import need, plots
from kugiri.measure.report import Report

if TYPE_CHECKING:
    import vl_convert
else:
    vl_convert = lazy_module("vl_convert")

_FORMATS = ("svg", "png")
_SCALE = 2.0
"""Pixels of a PNG for each of the page: pictures are looked at on screens of many."""
_LONGEST = 60
"""Characters of the name of a file; one of Japanese has three bytes."""
_NOWHERE = "\U0010fffd"
"""A character that no font has."""


def save_plots(
    report: Report, folder: str | os.PathLike[str], formats: Sequence[str] = _FORMATS
) -> list[Path]:
    """Write every plot of a report as pictures.

    Args:
        report: what is drawn.
        folder: where they are written; it is made if it is not there.
        formats: "svg", "png".

    Returns:
        The files, one a plot and format, under the name of the plot.

    Raises:
        KugiriError: altair or vl-convert-python is absent.
        OptionError: another format.
    """
    for each in formats:
        choose("format", each, _FORMATS)
    need("altair", "vl_convert")
    drawn = {name: chart.to_dict(validate=False) for name, chart in plots(report).items()}
    if "png" in formats:
        _warn_of_characters(report)
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    return [
        write_picture(into / f"{file}.{each}", spec)
        for file, spec in zip(_file_names(list(drawn)), drawn.values(), strict=True)
        for each in formats
    ]


def write_picture(path: Path, spec: dict[str, Any]) -> Path:
    """Write a chart as what the name of the file says, ".png" or ".svg"."""
    if path.suffix == ".png":
        drawn = vl_convert.vegalite_to_png(spec, scale=_SCALE)
    else:
        drawn = vl_convert.vegalite_to_svg(spec).encode()
    beside = path.with_name(f"{path.name}.part")
    beside.write_bytes(drawn)
    beside.replace(path)
    return path


def _file_names(names: list[str]) -> list[str]:
    """Names that every file system takes, all different: corpora may be called anything."""
    found: list[str] = []
    taken = set()
    for name in names:
        plain = "".join(it if it.isalnum() or it in "-_" else "_" for it in name)[:_LONGEST]
        others = (f"{plain}-{number}" for number in count(2))
        found.append(next(it for it in chain([plain], others) if it.casefold() not in taken))
        taken.add(found[-1].casefold())
    return found


# ── fonts ─────────────────────────────────────────────────────────────────────────────────────
def _warn_of_characters(report: Report) -> None:
    labels = [it.name for it in report.tokenizers] + [it.name for it in report.corpora]
    used = sorted({it for label in labels for it in label if not it.isascii() and it.isalnum()})
    nothing = _picture(_NOWHERE) if used else b""
    if absent := [it for it in used if _picture(it) == nothing]:
        warnings.warn(
            f"no font of this system has {', '.join(absent[:10])}, which the PNG show as boxes; "
            "install one, as Noto Sans CJK (fonts-noto-cjk of Debian) for Chinese, Japanese and "
            "Korean, or use the SVG where such a font is",
            KugiriWarning,
            stacklevel=3,
        )


def _picture(character: str) -> bytes:
    text = (
        f'<text x="5" y="30" font-family="{html.escape(FONTS)}" font-size="24">{character}</text>'
    )
    drawn: bytes = vl_convert.svg_to_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{text}</svg>'
    )
    return drawn
