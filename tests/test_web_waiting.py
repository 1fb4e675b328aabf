"""Who waits for an answer, who gets none, and which encodings are kept."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from kugiri.web import columns, samples, trainings
from kugiri.web.desk import WAITING, WORKERS
from kugiri.web.encodings import Encoded, Encodings
from tests.asking import Answer, ask, get
from tests.explained import made
from tests.serving import serving


# ── who waits ─────────────────────────────────────────────────────────────────────────────────
def test_too_many_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, working = Event(), []

    def wait(*_: Any) -> dict[str, Any]:
        working.append(1)
        opened.wait(30)
        return {}

    monkeypatch.setattr(columns, "tokens", wait)  # before the routes are made
    question = {"text": "", "tokenizers": ["bytes"]}
    with serving({"bytes": made(".kugiri.json")}) as address:
        with ThreadPoolExecutor(WORKERS + WAITING) as pool:
            asked = [
                pool.submit(ask, address, "tokens", question) for _ in range(WORKERS + WAITING)
            ]
            refused: Answer | None = None
            for _ in range(500):
                time.sleep(0.01)
                if len(working) == WORKERS:
                    sent = if_answered_soon(address, question)
                    if sent is not None:
                        refused = sent
                        break
            assert get(address, "/api/state").status == 200  # what needs no thread is answered
            opened.set()
            statuses = {it.result().status for it in asked}
        assert refused is not None
        assert refused.error == (503, "32 requests wait already; ask again in a moment")
        assert len(working) <= WORKERS + WAITING + 1
        assert statuses <= {200, 503}
        monkeypatch.undo()
        assert ask(address, "explain", {"text": "low", "tokenizer": "bytes"}).status == 200


def test_trainings_and_samples_hold_no_quick_question(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, begun, working = Event(), Event(), []

    def wait(_: object, its: Any) -> dict[str, Any]:
        working.append(type(its).__name__)
        begun.set()
        opened.wait(30)
        return {}

    monkeypatch.setattr(trainings, "train", wait)
    monkeypatch.setattr(samples, "sample", wait)
    with serving({"bytes": made(".kugiri.json")}) as address, ThreadPoolExecutor(8) as pool:
        try:
            long = [pool.submit(ask, address, "train", {"text": "low"})]
            assert begun.wait(30)
            long += [
                pool.submit(ask, address, "train", {"text": "low"}),
                pool.submit(ask, address, "sample", {"text": "low", "tokenizer": "bytes"}),
            ]
            question = {"text": "low", "tokenizers": ["bytes"]}
            quick = [pool.submit(ask, address, "tokens", question) for _ in range(4)]
            assert [it.result(20).status for it in quick[:1]] == [200]
            assert working == ["Train"]
        finally:
            opened.set()
        assert {it.result(30).status for it in long + quick} == {200}
    assert sorted(working) == ["Sample", "Train", "Train"]


def if_answered_soon(address: str, question: object) -> Answer | None:
    """One request more, if it is answered soon: it is not, while there is room to wait."""
    found: list[Answer] = []
    thread = Thread(target=lambda: found.append(ask(address, "tokens", question)), daemon=True)
    thread.start()
    thread.join(0.5)
    return found[0] if found else None


def test_who_has_gone_is_not_worked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, working = Event(), []

    def wait(_: object, its: Any) -> dict[str, Any]:
        working.append(its.text)
        opened.wait(30)
        return {}

    monkeypatch.setattr(columns, "tokens", wait)
    with serving({"bytes": made(".kugiri.json")}) as address:
        with ThreadPoolExecutor(WORKERS) as pool:
            for _ in range(WORKERS):
                pool.submit(ask, address, "tokens", {"text": "stays", "tokenizers": ["bytes"]})
            while len(working) < WORKERS:
                time.sleep(0.01)
            body = b'{"text": "gone", "tokenizers": ["bytes"]}'
            place = address.removeprefix("http://")
            head = (
                f"POST /api/tokens HTTP/1.1\r\nHost: {place}\r\nContent-Length: {len(body)}\r\n"
                f"Content-Type: application/json\r\n\r\n"
            )
            host, _, port = place.partition(":")
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(head.encode() + body)
                time.sleep(0.3)
            time.sleep(0.3)
            opened.set()
        assert ask(address, "tokens", {"text": "last", "tokenizers": ["bytes"]}).status == 200
        assert working == ["stays"] * WORKERS + ["last"]


def test_a_mistake_of_ours_is_told_without_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for error in (ZeroDivisionError("secret"), RecursionError(), StopIteration(), SystemExit(3)):

        def broken(*_: Any, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(columns, "tokens", broken)
        with serving({"bytes": made(".kugiri.json")}) as address:
            answer = ask(address, "tokens", {"text": "", "tokenizers": ["bytes"]})
            words = "something went wrong here; what, stands where the server was started"
            assert answer.error == (500, words)
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert get(address, "/api/state").status == 200
        assert type(error).__name__ in capfd.readouterr().err


# ── what it keeps ─────────────────────────────────────────────────────────────────────────────
def encoded(tokens: int) -> Encoded:
    rows = np.zeros(tokens, np.int32)
    return Encoded(rows.astype(np.uint32), rows > 0, rows, rows, rows, rows, [], True)


def test_the_newest_encodings_are_kept() -> None:
    kept = Encodings(most=10_000)
    makes: list[int] = []

    def of(number: int, text: str, tokens: int = 50) -> None:
        kept.get((number, text, False, False), lambda: makes.append(1) or encoded(tokens))  # type: ignore[func-returns-value]

    for _ in range(3):
        of(0, "a")
    assert (len(makes), kept.nbytes) == (1, 50 * 21 + 4)
    for number in range(1, 9):
        of(number, "b")
        of(0, "a")  # it is asked for again and again
    assert (len(makes), kept.nbytes) == (9, 9 * 1_054)
    of(9, "c")
    of(0, "a")
    assert (len(makes), kept.nbytes) == (10, 9 * 1_054)  # that of number 1 is gone
    of(1, "b")
    assert len(makes) == 11
    of(0, "d", 1_000)
    of(0, "d", 1_000)
    assert len(makes) == 13  # it is too large to be kept
    kept.forget(0)
    assert kept.nbytes == 8 * 1_054
    for number in range(10):
        kept.forget(number)
    assert kept.nbytes == 0
    for number in range(300):
        of(number, "e", 0)
    assert kept.nbytes == 256 * 4
