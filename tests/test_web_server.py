"""The server as a process: how it starts and ends, and that it does not grow."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest

import kugiri
from tests.asking import ask, get, names, send
from tests.explained import made
from tests.processes import run_python
from tests.serving import serving

SOON = 5
"""Seconds; on a machine that has nothing else to do it takes a quarter of one."""
SLOW = {"text": "".join(chr(0x4E00 + 7 * at) for at in range(2_500)) * 2, "num_merges": 1_000}
"""Some seconds of work."""


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`kugiri serve` in a process of its own, and its address."""
    command = [sys.executable, "-m", "kugiri", "serve", "--port", "0", *arguments]
    path = os.pathsep.join(sys.path)
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"PYTHONPATH": path},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip().rstrip("/")
    finally:
        process.kill()
        process.communicate()


def run(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "kugiri", "serve", *arguments],
        capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


# ── it starts, it ends ────────────────────────────────────────────────────────────────────────
def test_ctrl_c_ends_it_at_once() -> None:
    with started() as (process, address):
        assert get(address, "/").status == 200
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))):  # idle
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        assert time.monotonic() - began < SOON
        assert (process.returncode, out, err.strip()) == (130, "", "kugiri: stopped")


def test_ctrl_c_ends_it_while_it_works() -> None:
    with started() as (process, address):
        thread = Thread(target=lambda: ask(address, "train", SLOW), daemon=True)
        thread.start()
        time.sleep(0.5)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
        assert time.monotonic() - began < SOON
        assert (process.returncode, err.strip()) == (130, "kugiri: stopped")
        thread.join(10)


def test_tokenizers_are_called_as_their_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made("tokenizer.json").save(tmp_path / name / "tokenizer.json")
    made(".kugiri.json").save(tmp_path / "my.kugiri.json")
    files = ["one/tokenizer.json", "two/tokenizer.json", "my.kugiri.json"]
    arguments = [part for file in files for part in ("-t", str(tmp_path / file))]
    with started(*arguments) as (_, address):
        assert names(address) == ["one", "two", "my"]


def test_it_listens_to_this_machine_alone() -> None:
    with started() as (_, address):
        assert address.startswith("http://127.0.0.1:")
        port = int(address.rpartition(":")[2])
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
        for other in ("127.0.0.2", socket.gethostbyname(socket.gethostname()), "::1"):
            if other != "127.0.0.1":
                with pytest.raises(OSError, match=r"refused|unreachable|timed out|assign|support"):
                    socket.create_connection((other, port), timeout=2)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        code, out, err = run("--port", str(port))
    assert (code, out) == (1, "")
    assert err == (
        f"kugiri: error: port {port} cannot be had: Address already in use; choose another with "
        f"--port, or 0 for one that is free\n"
    )


@pytest.mark.parametrize(("arguments", "code"), [
    (["-t", "nothing.json"], 1), (["--port", "70000"], 2), (["--port", "x"], 2), (["text"], 2),
])  # fmt: skip
def test_wrong_usage(arguments: list[str], code: int) -> None:
    came, out, err = run(*arguments)
    assert (came, out) == (code, "")
    assert "Traceback" not in err


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_without_the_extra(package: str) -> None:
    script = f"""
    import sys
    sys.modules["{package}"] = None
    import kugiri.cli
    sys.stderr = sys.stdout
    kugiri.cli.main(["serve", "--port", "0"])
    """
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(line.strip() for line in script.splitlines())],
        capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 1
    words = f"kugiri: error: serve needs the package {package}; pip install 'kugiri[serve]'"
    assert done.stdout.strip() == words


def test_help_imports_no_server() -> None:
    script = """
    import sys
    import kugiri.cli
    try:
        kugiri.cli.main(["serve", "--help"])
    except SystemExit:
        pass
    print(*sorted({"starlette", "uvicorn", "anyio", "kugiri.web"} & set(sys.modules)))
    """
    assert run_python(script).splitlines()[-1] == ""


# ── how much it takes ─────────────────────────────────────────────────────────────────────────
def test_a_megabyte_of_japanese_is_answered_from_what_is_kept() -> None:
    text = (Path(kugiri.__file__).parent / "sample/japanese.txt").read_text("utf-8") * 60
    question = {"text": text[:340_000], "tokenizers": ["sample BPE", "sample Unigram"]}
    body = json.dumps(question, ensure_ascii=False).encode()
    assert len(body) > 1_000_000
    with serving() as address:
        first = ask(address, "tokens", body)
        times = []
        for _ in range(3):
            began = time.monotonic()
            assert ask(address, "tokens", body).body == first.body
            times.append(time.monotonic() - began)
        assert min(times) < 0.5


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_does_not_grow_with_questions() -> None:
    def asked(number: int) -> None:
        text = f"東京の図書館で low {number:05} newest."
        assert ask(address, "tokens", {"text": text, "tokenizers": there}).status == 200
        assert ask(address, "explain", {"text": text, "tokenizer": there[0]}).status == 200
        assert send(address, "GET", "/static/main.js").status == 200

    with started() as (process, address), ThreadPoolExecutor(4) as pool:
        there = names(address)
        sizes = []
        for block in range(4):  # the first one fills what is kept: the newest 256 encodings
            list(pool.map(asked, range(200 * block, 200 * (block + 1))))
            sizes.append(resident(process.pid))
    # What leaks grows in every block: 256 kB are 0.4 kB of each of its 600 requests.
    assert min(after - before for before, after in pairwise(sizes)) < 256 << 10


def resident(process: int) -> int:
    """Bytes of a process that are in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
