"""Much text with a dictionary: what processes give is what one gives, and so are its errors."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

import kugiri
from kugiri import dictionaries, dictionary_batches, worker_processes
from kugiri.errors import CorpusError, EncodingError, OptionError
from kugiri.worker_processes import WorkError
from processes import run_python

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "python/kugiri/sample/japanese.txt"
LINES = SAMPLE.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give even small batches to two processes; the list has a number for each call they did."""
    calls: list[int] = []
    real = worker_processes.each

    def each(work, arguments, count):  # type: ignore[no-untyped-def]
        arguments = list(arguments)
        results = real(work, arguments, count)
        calls.append(len(arguments))
        return results

    monkeypatch.setattr(worker_processes, "each", each)
    monkeypatch.setattr(worker_processes, "available", lambda: 2)
    for name, size in {"LARGE": 100, "_GROUP": 300, "_GROUP_BYTES": 900}.items():
        monkeypatch.setattr(dictionary_batches, name, size)
    return calls


def trained(model: str = "wordpiece", special: str = "[UNK]") -> kugiri.Tokenizer:
    try:
        dictionaries.installed("mecab-ipadic")
    except OptionError as error:
        pytest.skip(str(error))
    more = {"num_merges": 50} if model == "wordpiece" else {}
    return kugiri.train(
        LINES, model=model, pre_tokenizer="mecab-ipadic", special_tokens=[special], **more
    )


def test_batches(small_is_large: list[int]) -> None:
    tok = trained()
    small_is_large.clear()
    given = ["", *LINES[:80], "[UNK]猫"]
    rows = [tok.encode(text, allowed_special="all") for text in given]
    assert tok.encode_batch(given, allowed_special="all").to_lists() == rows
    assert tok.count_batch(given, allowed_special="all").tolist() == [len(row) for row in rows]
    assert tok.model_inputs(given).to_lists("input_ids")["input_ids"][:-1] == rows[:-1]
    assert len(small_is_large) == 3
    assert min(small_is_large) > 2
    assert tok.encode_batch(given, threads=1, allowed_special="all").to_lists() == rows
    assert len(small_is_large) == 3


def test_counted_words(small_is_large: list[int], tmp_path: Path) -> None:
    trained()
    files = {
        "lines.txt": "\n".join(LINES).encode(),
        "ends.txt": "\r\n".join(["", *LINES[:50], "", "猫"]).encode(),
        "broken.txt": "\n".join(LINES[:60]).encode() + b"\n\xe7\x8c\n\xff\n" + "猫".encode(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    for corpus in (LINES, *(tmp_path / name for name in files)):
        for keep in (False, True):
            found = [
                kugiri.count_words(
                    corpus, pre_tokenizer="mecab-ipadic", threads=threads, errors="replace",
                    keep_newlines=keep,
                )
                for threads in (1, 2)
            ]  # fmt: skip
            one, two = found
            assert list(one.items()) == list(two.items())
            assert one.replaced == two.replaced == (2 if "broken" in str(corpus) else 0)
    assert sum(small_is_large) > 20
    with pytest.raises(CorpusError, match="line 61"):
        kugiri.count_words(tmp_path / "broken.txt", pre_tokenizer="mecab-ipadic")


def test_errors_are_those_of_one_process(small_is_large: list[int]) -> None:
    tok = trained("char", "<s>")
    given = [*LINES[:40], "龘", *LINES[:40]]
    with pytest.raises(EncodingError, match="text 40: '龘' at character 0"):
        tok.encode_batch(given)
    with pytest.raises(EncodingError, match="text 1 has a lone surrogate"):
        tok.encode_batch([*LINES[:1], "\ud800", *LINES])
    with pytest.raises(OptionError, match="text 1 is an int"):
        tok.encode_batch([LINES[0], 3, *LINES])  # type: ignore[list-item]
    assert small_is_large


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_process_that_ends_early_is_made_good(small_is_large: list[int]) -> None:
    tok = trained()
    rows = [tok.encode(text) for text in LINES]
    assert tok.encode_batch(LINES).to_lists() == rows
    waiting = worker_processes._free[os.getpid()]
    assert waiting
    for process in waiting:
        os.kill(process._process.pid, signal.SIGKILL)
        process._process.wait()
    assert tok.encode_batch(LINES).to_lists() == rows
    assert tok.encode_batch(LINES).to_lists() == rows


def test_what_goes_wrong_there_is_told() -> None:
    assert worker_processes.each(divmod, [(7, 2), (9, 4)], 2) == [(3, 1), (2, 1)]
    with pytest.raises(WorkError, match="ZeroDivisionError"):
        worker_processes.each(divmod, [(7, 2), (9, 0)], 2)
    assert worker_processes.each(divmod, [(7, 2)], 1) == [(3, 1)]
    with pytest.raises(WorkError):
        worker_processes.each(os._exit, [(3,)], 1)


def test_nothing_is_left_behind_and_a_fork_has_its_own() -> None:
    out = run_python("""
        import os
        from kugiri import worker_processes
        def pids():
            return {each._process.pid for each in worker_processes._free.get(os.getpid(), [])}
        worker_processes.each(abs, [(-1,)] * 4, 2)
        mine = pids()
        if hasattr(os, "fork"):
            child = os.fork()
            if child == 0:
                worker_processes.each(abs, [(-1,)], 1)
                wrong = pids() & mine or not pids()
                worker_processes._end()
                os._exit(bool(wrong))
            assert os.waitpid(child, 0)[1] == 0
        print(*mine)
    """)
    if sys.platform != "win32":
        for pid in map(int, out.split()):
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


def test_samples_of_a_batch_are_those_one_by_one() -> None:
    tok = trained()
    texts = ["吾輩は猫である。", "図書館で本を読む"] * 3
    drawn = tok.sample_batch(texts, alpha=0.3, seed=5, threads=2).to_lists()
    assert drawn == [tok.sample(text, alpha=0.3, seed=5 + at) for at, text in enumerate(texts)]
