"""The machine that results were made on: what matters for speed, and nothing that names it."""

from __future__ import annotations

import hashlib
import os
import platform
from pathlib import Path
from typing import Any


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def describe() -> dict[str, Any]:
    """CPU model, cores, memory, system and Python, with a short id of the first four."""
    pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    machine = {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gib": round(pages * page / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
    }
    short = hashlib.sha256(repr(sorted(machine.items())).encode()).hexdigest()[:6]
    return {"id": short, **machine, "python": platform.python_version()}
