"""Traced texts: each method gives what str gives, and nothing of content becomes the template's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.chat.runs import Origin
from kugiri.chat.traced import Traced, joined, plain

OWN, FIRST, SECOND = Origin(template=True), Origin(0), Origin(1)
# The template writes in these letters, and content in those.
PARTS = st.one_of(
    st.tuples(st.text("aB <|\n", max_size=4), st.just(OWN)),
    st.tuples(st.text("xY 猫ßΣ\r\n", max_size=4), st.sampled_from([FIRST, SECOND])),
)
TEXTS = st.lists(PARTS, max_size=5).map(
    lambda parts: joined(Traced.of(text, origin) for text, origin in parts)
)
SHORT = st.text("aBxY <|\n", max_size=2)

CALLS: dict[str, Callable[[Any, str, int], Any]] = {
    "add": lambda text, other, n: text + other,
    "radd": lambda text, other, n: other + text,
    "mul": lambda text, other, n: text * n,
    "rmul": lambda text, other, n: n * text,
    "item": lambda text, other, n: text[n] if len(text) > n else "",
    "slice": lambda text, other, n: text[n:-1],
    "from behind": lambda text, other, n: text[::-1],
    "step": lambda text, other, n: text[1 :: n + 1],
    "list": lambda text, other, n: list(text),
    "strip": lambda text, other, n: text.strip(),
    "strip these": lambda text, other, n: text.strip(other),
    "lstrip": lambda text, other, n: text.lstrip(other),
    "rstrip": lambda text, other, n: text.rstrip(),
    "split": lambda text, other, n: text.split(),
    "split by": lambda text, other, n: text.split(other or "a", n - 1),
    "split some": lambda text, other, n: text.split(None, n - 1),
    "rsplit": lambda text, other, n: text.rsplit(None, n - 1),
    "rsplit by": lambda text, other, n: text.rsplit(other or "a", n - 1),
    "splitlines": lambda text, other, n: text.splitlines(),
    "splitlines with ends": lambda text, other, n: text.splitlines(True),
    "partition": lambda text, other, n: text.partition(other or "a"),
    "rpartition": lambda text, other, n: text.rpartition(other or "a"),
    "removeprefix": lambda text, other, n: text.removeprefix(other),
    "removesuffix": lambda text, other, n: text.removesuffix(other),
    "replace": lambda text, other, n: text.replace(other, "ab"),
    "replace some": lambda text, other, n: text.replace(other or "a", "x", n - 1),
    "join": lambda text, other, n: text.join([other, text, "x"]),
    "lower": lambda text, other, n: text.lower(),
    "upper": lambda text, other, n: text.upper(),
    "title": lambda text, other, n: text.title(),
    "capitalize": lambda text, other, n: text.capitalize(),
}


def characters(result: Any) -> list[tuple[str, Origin]]:
    """Each character of a result with its origin."""
    texts = [result] if isinstance(result, str) else result
    assert all(isinstance(text, Traced) or text == "" for text in texts)
    found = []
    for text in map(joined, ([text] for text in texts)):
        assert sum(length for length, _ in text._runs) == len(text)
        assert all(length for length, _ in text._runs)
        origins = [origin for length, origin in text._runs for _ in range(length)]
        found += zip(plain(text), origins, strict=True)
    return found


@pytest.mark.parametrize("name", CALLS)
@given(text=TEXTS, other=SHORT, n=st.integers(0, 3))
def test_methods(name: str, text: Traced, other: str, n: int) -> None:
    result = CALLS[name](text, other, n)
    assert result == CALLS[name](plain(text), other, n)
    assert all(
        origin != OWN or character.lower() in "ab <|\n" for character, origin in characters(result)
    )
    assert {origin for _, origin in characters(result)} <= {OWN, FIRST, SECOND, Origin()}


def test_every_method_that_gives_text_is_tried() -> None:
    pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")
    from kugiri.chat.engine import METHODS

    answers = {"count", "endswith", "find", "index", "rfind", "rindex", "startswith"}
    tried = {name.split()[0] for name in CALLS}
    assert {name for name in METHODS - answers if not name.startswith("is")} <= tried


@pytest.mark.parametrize(
    ("result", "runs"),
    [
        (Traced.of("<a>", OWN).replace("a", Traced.of("bb", FIRST)),
         [(1, OWN), (2, FIRST), (1, OWN)]),
        (Traced.of("xax", FIRST).replace("a", Traced.of("<s>", OWN)), [(5, FIRST)]),
        (Traced.of(" x ", FIRST).strip(), [(1, FIRST)]),
        (Traced.of("a", OWN) + "x", [(1, OWN), (1, Origin())]),
        ("x" + Traced.of("a", OWN), [(1, Origin()), (1, OWN)]),
        (Traced.of(",", OWN).join(["x", Traced.of("y", SECOND)]),
         [(1, Origin()), (1, OWN), (1, SECOND)]),
        (Traced("".join([Traced.of("a", OWN)])), [(1, Origin())]),
        (Traced.of("ß", FIRST).upper(), [(2, FIRST)]),
        (Traced.of("<a>", OWN).replace("", ""), [(3, OWN)]),
        ((Traced.of("aΣ", FIRST) + Traced.of("<A>", OWN)).lower(), [(2, FIRST), (3, OWN)]),
        ((Traced.of("aΣ", FIRST) + Traced.of("<a>", OWN)).capitalize(), [(2, FIRST), (3, OWN)]),
    ],
)  # fmt: skip
def test_origins(result: Traced, runs: list[tuple[int, Origin]]) -> None:
    assert list(result._runs) == runs
