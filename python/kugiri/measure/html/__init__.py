"""The report as one page of HTML, and its plots as pictures.

Who leads, and whether beyond the noise, says measure/standing.py; summary.py says it in words,
figures.py and tables.py show it, plots.py draws it.
"""

from __future__ import annotations

from kugiri.measure.html.plots import plots
from kugiri.measure.html.report_page import page
from kugiri.measure.html.save import save_plots

__all__ = ["page", "plots", "save_plots"]
