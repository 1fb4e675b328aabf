"""What is made or imported at its first use is there for a child of a fork that comes meanwhile."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

import kugiri
from processes import run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")

PREPARE = """
import os, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads

def forks_meanwhile(work, forks):
    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(forks):
        time.sleep(0.002)
        child = os.fork()
        if child == 0:
            work()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0, "the child failed"
    thread.join()
"""


def test_a_fork_while_another_thread_imports(tmp_path: Path) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.5)\nvalue = 1\n")
    script = f"""
    import sys
    from kugiri.lazy import lazy_module

    sys.path.append({str(tmp_path)!r})
    module = lazy_module("slow_to_import")
    forks_meanwhile(lambda: module.value, 3)
    """
    run_python(PREPARE + dedent(script))


@pytest.mark.parametrize("normalizer", ["NFKC", "BertNormalizer"])
def test_a_fork_while_another_thread_makes_tables(normalizer: str, tmp_path: Path) -> None:
    script = f"""
    import json, kugiri

    options = dict(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    tok = kugiri.load(json.dumps({{
        "version": "1.0", "added_tokens": [], "normalizer": dict(type={normalizer!r}, **options),
        "pre_tokenizer": None, "post_processor": None, "decoder": None,
        "model": {{"type": "WordLevel", "vocab": {{"a": 0}}, "unk_token": "a"}},
    }}).encode())
    forks_meanwhile(lambda: tok.normalize("É漢 " * 1000), 20)
    """
    run_python(PREPARE + dedent(script))


def test_ctrl_c_while_msgspec_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "a.kugiri.json"
    kugiri.train(["a b a b"], vocab_size=257, pre_tokenizer="none").save(path)
    script = f"""
    import signal, sys

    class Interrupting:
        def find_spec(self, name, path=None, target=None):
            if name == "datetime":
                sys.meta_path.remove(self)
                signal.raise_signal(signal.SIGINT)

    sys.modules.pop("datetime", None)
    sys.meta_path.insert(0, Interrupting())
    try:
        import kugiri
        kugiri.load({str(path)!r}).save({str(path)!r})
    except KeyboardInterrupt:
        print("stopped")
    """
    assert run_python(script) == "stopped\n"


def test_ctrl_c_while_the_first_array_imports_numpy(tmp_path: Path) -> None:
    path = tmp_path / "a.kugiri.json"
    kugiri.train(["a b a b"], vocab_size=257, pre_tokenizer="none").save(path)
    script = f"""
    import signal, sys
    import kugiri

    class Interrupting:
        def find_spec(self, name, path=None, target=None):
            if name == "numpy":
                sys.meta_path.remove(self)
                signal.raise_signal(signal.SIGINT)

    tok = kugiri.load({str(path)!r})
    tok.encode("a")
    sys.meta_path.insert(0, Interrupting())
    try:
        tok.encode_array("a")
    except KeyboardInterrupt:
        print("stopped")
    print(tok.encode_array("a"))
    """
    assert run_python(script) == "stopped\n[97]\n"
