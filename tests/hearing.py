"""What a page of `kugiri serve` complains of, and what it asks of others.

Rule.    A refusal of the server's answers (/api/) is no complaint: the page says it. All else is,
         a file of its own that is not there among it.
"""

from __future__ import annotations

from typing import Any

REFUSED = "Failed to load resource: the server responded with a status of 4"


def listen(page: Any, url: str, heard: list[str]) -> None:
    """Write down what should not be."""

    def console(message: Any) -> None:
        asked = message.location.get("url", "")
        if not (message.text.startswith(REFUSED) and asked.startswith(f"{url}/api/")):
            heard.append(f"console: {message.text} ({asked})")

    def request(it: Any) -> None:
        if not it.url.startswith((f"{url}/", f"blob:{url}/")):
            heard.append(f"request: {it.url}")

    page.on("console", console)
    page.on("request", request)
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("dialog", lambda dialog: heard.append(f"dialog: {dialog.message}"))
