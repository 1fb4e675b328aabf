"""Commands on a terminal of some width, and what of their output is colour."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

SGR = re.compile(r"\x1b\[([0-9;]*)m")


def on_terminal(width: int, *arguments: str, **environment: str) -> str:
    """What a command prints on a terminal of sixteen colours."""
    import fcntl
    import pty
    import termios

    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    env = {name: its for name, its in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    env |= {"TERM": "xterm", "PAGER": "cat", "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "kugiri", *arguments],
        stdin=subprocess.DEVNULL, stdout=inner, stderr=inner, env=env | environment,
        cwd=Path(__file__).parents[1],
    )  # fmt: skip
    os.close(inner)
    data = b""
    while True:
        try:
            read = os.read(outer, 65_536)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        data += read
    os.close(outer)
    assert process.wait() == 0, data.decode(errors="replace")
    return data.decode().replace("\r\n", "\n")


def plain(output: str) -> str:
    """The output without its colours."""
    return SGR.sub("", output)


def codes(output: str) -> set[str]:
    """The parts of its colours."""
    return {code for match in SGR.finditer(output) for code in match[1].split(";")}
