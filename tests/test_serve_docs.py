"""docs/serve.md and the README tell of all that `kugiri serve` has: its options, its routes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kugiri.cli import COMMANDS

pytest.importorskip("starlette", reason="starlette is absent: pip install '.[serve]'")

from kugiri.cli.serve import command
from kugiri.web.app import application
from kugiri.web.store import Store

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/serve.md").read_text(encoding="utf-8")


def test_the_readme_lists_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [listed] = re.findall(r"- \*\*The command line\*\*:(.*?)\(\[cli\]", readme, re.DOTALL)
    assert {*re.findall(r"`(?:kugiri )?(\w+)`", listed)} == COMMANDS.keys()


def test_every_option_is_told() -> None:
    options = {flag for it in command.params for flag in it.opts} - {"--tokenizer", "--help", "-h"}
    assert options
    for option in options:
        assert re.search(rf"[`\s]{option}\b", PAGE), option


def test_every_route_is_told() -> None:
    routes = [getattr(it, "path", "") for it in application(Store([]), 0).routes]
    asked = [it for it in routes if it.startswith("/api/")]
    assert len(asked) > 10
    for path in asked:
        name = path.removeprefix("/api/")
        assert f"{path}`" in PAGE or f"{path}?" in PAGE or f"`{name}`" in PAGE, path
