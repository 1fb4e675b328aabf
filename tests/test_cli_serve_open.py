"""`kugiri serve --open` where a browser can be opened, and where none can."""

from __future__ import annotations

import webbrowser

import pytest
from click.testing import CliRunner

from kugiri.cli.serve import command
from kugiri.web import serving


@pytest.mark.parametrize("opens", [True, False])
def test_that_no_browser_can_be_opened_is_said(
    monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: opens)
    monkeypatch.setattr(serving, "serve", lambda _given, _port, tell, _paths: tell("http://x/"))
    result = CliRunner().invoke(command, ["--open"])
    assert result.exit_code == 0
    assert result.stdout == "http://x/\n"
    assert ("No browser can be opened from here" in result.stderr) is not opens
