"""One answer whatever runs beside it: threads, forks, other processes, an interpreter that ends.

What could hang runs in a process of its own, under a limit of time.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import kugiri
from kugiri.formats.native import write
from processes import run_python

SAMPLE = Path(kugiri.__file__).parent / "sample"
LINES = [
    line for path in sorted(SAMPLE.glob("*.txt")) for line in path.read_text("utf-8").split("\n")
]
MANY = LINES * 60
"""About 2 MB: more than one part for every call that works on several threads."""

THREADS = [1, 2, 7, None]


@cache
def tokenizer() -> kugiri.Tokenizer:
    return kugiri.train(LINES, vocab_size=800, special_tokens=["<|im_start|>"])


# ── any number of threads ─────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("threads", THREADS)
def test_the_number_of_threads_changes_nothing(threads: int | None) -> None:
    tok = tokenizer()
    expected = [tok.encode(line) for line in LINES] * 60
    batch = tok.encode_batch(MANY, threads=threads)
    assert batch.to_lists() == expected
    assert tok.count_batch(MANY, threads=threads).tolist() == list(map(len, expected))
    assert tok.decode_batch(batch, threads=threads) == MANY


def test_counting_and_training_on_any_number_of_threads() -> None:
    counts = [kugiri.count_words(MANY, threads=threads).digest() for threads in THREADS]
    assert len(set(counts)) == 1
    trained = [
        write(kugiri.train(MANY, vocab_size=500, tie="first-seen", threads=threads).spec)
        for threads in THREADS
    ]
    assert len(set(trained)) == 1


CALLS: list[Callable[[kugiri.Tokenizer, str], Any]] = [
    lambda tok, text: tok.encode(text),
    lambda tok, text: tok.encode(text, allowed_special="all"),
    lambda tok, text: tok.encode_batch([text] * 9).to_lists(),
    lambda tok, text: tok.encode_with_offsets(text).byte_spans,
    lambda tok, text: tok.tokens(text),
    lambda tok, text: tok.decode(tok.encode(text)),
]


def test_many_threads_share_a_tokenizer() -> None:
    work = [(call, line) for line in LINES[:200] for call in CALLS]
    expected = [call(tokenizer(), line) for call, line in work]
    fresh = pickle.loads(
        pickle.dumps(tokenizer())
    )  # whichever thread comes first builds its engine
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda pair: pair[0](fresh, pair[1]), work)) == expected


@pytest.mark.parametrize(
    "call",
    [
        "tok.encode(text)",
        "tok.encode(text * 4)",
        "tok.encode_batch([text] * 8)",
        "tok.decode_bytes(ids)",
        "kugiri.count_words([text] * 40)",
        "kugiri.train(counts, vocab_size=5_000)",
    ],
)
def test_the_gil_is_free_meanwhile(call: str) -> None:
    """Another Python thread goes on meanwhile, however short the call is."""
    text = "\n".join(MANY)
    names = {"kugiri": kugiri, "tok": tokenizer(), "text": text}
    names["ids"] = tokenizer().encode_array(text * 4)
    names["counts"] = kugiri.count_words([text], pre_tokenizer="none")
    assert lets_others_run(lambda: eval(call, names))


def test_others_wait_for_plain_python() -> None:
    """So the test above can fail."""
    assert not lets_others_run(lambda: sum(range(1_000)))


def lets_others_run(call: Callable[[], object], times: int = 300) -> bool:
    """Whether another thread got the GIL while one of some calls ran. Python takes it from nobody
    meanwhile, since the interval at which it does so is made too long; so it was given away."""
    ticks = 0
    started, stopped = threading.Event(), threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stopped.is_set():
            ticks += 1
            started.set()
            time.sleep(0)

    thread = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    thread.start()
    try:
        started.wait()
        sys.setswitchinterval(1_000)
        time.sleep(0.02)  # the other one may still be waiting for the shorter interval
        before = ticks
        return any((call(), ticks > before)[1] for _ in range(times))
    finally:
        sys.setswitchinterval(interval)
        stopped.set()
        thread.join()


# ── forks, other processes, the end ───────────────────────────────────────────────────────────
PREPARE = """
import os, pickle, sys, threading, time, kugiri
texts = ["low lower lowest 猫がいる <|end|> " * 40] * 400
whole = "".join(texts)
tok = kugiri.train(texts[:1], vocab_size=262, special_tokens=["<|end|>"])

def use():
    ids = tok.encode_batch(texts, allowed_special="all")
    assert tok.decode_batch(ids) == texts
    assert tok.encode(texts[0]) == tok.encode_with_offsets(texts[0]).ids.tolist()
    assert len(tok.encode_array(whole)) == tok.count(whole)  # on all threads, and on one
    again = kugiri.train(texts, vocab_size=262, special_tokens=["<|end|>"])
    assert [merge[:3] for merge in again.merges] == [merge[:3] for merge in tok.merges]

def in_a_child(work):
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)  # whatever was raised
    assert os.waitpid(child, 0)[1] == 0, "the child failed"
"""
# Python 3.12 warns of every fork beside threads; that it works here is what is tested.
NO_FORK_WARNING = {"PYTHONWARNINGS": "ignore::DeprecationWarning"}
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


@forks
def test_a_child_of_a_process_whose_threads_have_worked() -> None:
    script = """
    use()
    in_a_child(use)
    in_a_child(lambda: in_a_child(use))
    use()
    """
    run_python(PREPARE + dedent(script), **NO_FORK_WARNING)


@forks
def test_a_child_before_any_thread_has_worked() -> None:
    run_python(PREPARE + "in_a_child(use)\nuse()", **NO_FORK_WARNING)


@forks
def test_forks_while_another_thread_works() -> None:
    script = """
    done = False

    def work():
        while not done:
            use()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(25):
        in_a_child(use)
    done = True
    for thread in threads:
        thread.join()
    """
    run_python(PREPARE + dedent(script), **NO_FORK_WARNING)


@forks
def test_a_fork_while_another_thread_builds_the_engine() -> None:
    """The vocabulary is large enough that the engine takes some time."""
    script = """
    from kugiri.spec import BPE, TokenizerSpec
    from kugiri.tables import Tokens

    vocab = [bytes([byte]) for byte in range(256)]
    vocab += [b"%d" % number for number in range(10, 200_000)]
    tok = kugiri.Tokenizer(TokenizerSpec(BPE(Tokens.from_iter(vocab), order="rank")))
    expected = pickle.loads(pickle.dumps(tok)).encode("a1234567")

    def compare():
        assert tok.encode("a1234567") == expected

    thread = threading.Thread(target=compare)
    thread.start()
    for _ in range(4):
        time.sleep(0.02)
        in_a_child(compare)
    thread.join()
    """
    run_python(PREPARE + dedent(script), **NO_FORK_WARNING)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads have no names here")
def test_many_callers_share_one_pool() -> None:
    script = """
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    with ThreadPoolExecutor(16) as callers:
        list(callers.map(lambda _: use(), range(32)))
    names = [name.read_text() for name in Path("/proc/self/task").glob("*/comm")]
    assert sum(name.startswith("kugiri-") for name in names) <= len(os.sched_getaffinity(0))
    """
    run_python(PREPARE + dedent(script), **NO_FORK_WARNING)


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_processes_of_multiprocessing(method: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        dedent(
            f"""
            import multiprocessing, kugiri
            if __name__ == "__main__":
                tok = kugiri.train(["low lower lowest"] * 3, vocab_size=260)
                texts = ["low lower"] * 100
                tok.encode_batch(texts)
                with multiprocessing.get_context("{method}").Pool(2) as pool:
                    assert pool.map(tok.encode, texts) == tok.encode_batch(texts).to_lists()
            """
        )
    )
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"{method} is absent from this system")
    run_python(
        f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')", **NO_FORK_WARNING
    )


@pytest.mark.parametrize(
    "call",
    [
        "tok.encode(texts[0])",
        "tok.encode_batch(texts)",
        "tok.encode(texts[0] * 4000)",
        "kugiri.train(texts, vocab_size=262)",
    ],
)
def test_an_interpreter_that_ends_while_a_daemon_works(call: str) -> None:
    script = f"""
    def work():
        while True:
            {call}

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)
    """
    for _ in range(3):
        run_python(PREPARE + dedent(script))


CALLS_OF_THREADS = """
import threading, kugiri
tok = kugiri.train(["low lower"] * 9, vocab_size=258)
text = "low lower lowest " * 100

def work():
    for _ in range(4000):
        tok.count(text)

def size():
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * 4096

sizes = [size() for _ in range(6)]
print(sizes[-1] - sizes[0] < 64 << 20, sizes)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="sizes are read from /proc")
def test_memory_does_not_grow_with_the_calls_of_threads() -> None:
    """One arena, since what many of them keep from the system has nothing to do with us."""
    assert run_python(CALLS_OF_THREADS, MALLOC_ARENA_MAX="1").startswith("True")
