"""Plots as pictures, with labels that can be read in every script.

Rule.    A character that no font of the system has would be drawn as an empty box: it is looked for
         beforehand, and named in a warning with what to install. A PNG is made of the SVG, which is
         what takes the time to draw.
Cost.    Half a second for the first plot, a tenth for each other, three times that where it has
         Japanese in it.
"""

from __future__ import annotations

import html
import json
import os
import warnings
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kugiri.errors import KugiriError, KugiriWarning, choose
from kugiri.explain.html.elements import plainly
from kugiri.lazy import lazy_module
from kugiri.measure.html.look import FONTS, WESTERN
from kugiri.measure.html.plots import need, plots
from kugiri.measure.report import Report

if TYPE_CHECKING:
    import vl_convert
else:
    vl_convert = lazy_module("vl_convert")

_FORMATS = ("svg", "png")
_SCALE = 2.0
"""Pixels of a PNG for each of the page: pictures are looked at on screens of many."""
_EASTERN = "\u2e80"
"""The first character of those of China, Japan and Korea, and of all that follow."""
_LONGEST = 60
"""Characters of the name of a file; one of Japanese has three bytes."""
_DRAWN = "role-axis-label"
"""What no plot is without."""
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
        KugiriError: altair or vl-convert-python is absent, or cannot draw one.
        OptionError: another format.
    """
    for each in formats:
        choose("format", each, _FORMATS)
    need("altair", "vl_convert")
    drawn = plots(report)
    if "png" in formats:
        _warn_of_characters(report)
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for file, (name, chart) in zip(_file_names(list(drawn)), drawn.items(), strict=True):
        pictures = _pictures(name, chart.to_dict(validate=False), formats)
        written += [_written(into / f"{file}.{each}", data) for each, data in pictures.items()]
    return written


def _pictures(name: str, spec: dict[str, Any], formats: Sequence[str]) -> dict[str, bytes]:
    """A plot in each format."""
    if not any(it >= _EASTERN for it in json.dumps(spec, ensure_ascii=False)):
        spec.setdefault("config", {})["font"] = WESTERN
    try:
        svg: str = vl_convert.vegalite_to_svg(spec)
        if _DRAWN not in svg:
            raise ValueError("it draws nothing")  # it may log what went wrong, and go on
        made = {"svg": svg.encode()}
        if "png" in formats:
            made["png"] = vl_convert.svg_to_png(svg, scale=_SCALE)
    except (ValueError, RuntimeError, OSError) as error:
        why = " ".join(str(error).split("\n")[:2])  # its own places in its scripts follow
        raise KugiriError(
            f"vl-convert cannot draw the plot {plainly(name)!r}: {why}; give tokenizers and "
            f"corpora plainer names (NAME=FILE), or take the plots of the page (--html), which "
            f"the browser draws"
        ) from error
    return {each: made[each] for each in formats}


def write_picture(path: Path, spec: dict[str, Any]) -> Path:
    """Write a chart as what the name of the file says, ".png" or ".svg"."""
    format = path.suffix[1:].lower()
    return _written(path, _pictures(path.stem, spec, [format])[format])


def _written(path: Path, data: bytes) -> Path:
    beside = path.with_name(f"{path.name}.part")
    beside.write_bytes(data)
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
