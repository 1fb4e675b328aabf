"""Write the pinned table of scripts: which writing system each character belongs to.

Why a pinned table, and why so old a one: SentencePiece decides by the Script property of Unicode
9.0 which characters may stand in one piece, in every release up to 0.2.3, so the pieces that it
learns depend on it. All 128,237 entries of its table agree with this one; what Unicode 9.0 had not
assigned yet it takes for Common, so Common and Unknown are what the file leaves out.
The data come with the npm package @unicode/unicode-9.0.0, which node reads.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "@unicode/unicode-9.0.0@2.0.7"
VERSION = "9.0"
TARGET = Path(__file__).parents[1] / "python/kugiri/unicode" / f"scripts-{VERSION}.txt"
LEFT_OUT = ("Common", "Unknown")

READ_RUNS = """
import fs from "node:fs";
const runs = [];
for (const script of fs.readdirSync("package/Script")) {
  const ranges = await import(`${process.cwd()}/package/Script/${script}/ranges.mjs`);
  for (const { begin, end } of ranges.default) runs.push([begin, end - 1, script]);
}
console.log(JSON.stringify(runs));
"""


def runs() -> list[tuple[int, int, str]]:
    """Each run of code points of one script, `(first, last, script)`, ascending."""
    with tempfile.TemporaryDirectory() as folder:
        pack = ["npm", "pack", "--silent", PACKAGE]
        subprocess.run(pack, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        node = ["node", "--input-type=module", "--eval", READ_RUNS]
        done = subprocess.run(node, cwd=folder, check=True, capture_output=True)
    found = [(first, last, script) for first, last, script in json.loads(done.stdout)]
    return sorted(run for run in found if run[2] not in LEFT_OUT)


def main() -> None:
    """Write the table."""
    header = f"# Unicode {VERSION} scripts but Common; written by tools/make_scripts.py"
    rows = [f"{first:X} {last:X} {script}" for first, last, script in runs()]
    TARGET.write_text("\n".join([header, *rows]) + "\n", encoding="ascii")
    print(f"wrote {TARGET.name}")


if __name__ == "__main__":
    main()
