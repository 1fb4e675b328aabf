"""kugiri with a core that can leave techniques out (`src/without.rs`), beside the ordinary one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from benchmarks.texts import CACHE, ROOT

VARIABLE = "KUGIRI_WITHOUT"
PACKAGE = ROOT / "python" / "kugiri"
CORE = "_core.abi3.so"
SOURCE = ROOT / "src" / "without.rs"


def build(profile: str = "release") -> Path:
    """Build the core, and return the folder that Python finds the package with it in."""
    folder = CACHE / "without" / profile
    package = folder / "kugiri"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for path in PACKAGE.iterdir():
        if path.name not in (CORE, "__pycache__"):
            (package / path.name).symlink_to(path)
    shutil.copyfile(_library(profile), package / CORE)
    return folder


def techniques() -> list[str]:
    """All that can be left out."""
    return re.findall(r'^    \w+ = "([a-z-]+)",$', SOURCE.read_text(), re.MULTILINE)


def _library(profile: str) -> Path:
    command = ["cargo", "build", "--profile", profile, "--features", "python,without"]
    done = subprocess.run(
        [*command, "--message-format", "json"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    made = [json.loads(line) for line in done.stdout.splitlines()]
    (files,) = (
        message["filenames"]
        for message in made
        if message["reason"] == "compiler-artifact" and "cdylib" in message["target"]["kind"]
    )
    (library,) = (Path(file) for file in files if not file.endswith(".rlib"))
    return library


def environment(folder: Path, *techniques: str) -> dict[str, str]:
    """What a process needs in its environment to go without techniques."""
    return {"PYTHONPATH": str(folder), VARIABLE: ",".join(techniques)}
