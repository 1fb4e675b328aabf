"""What is timed: each task makes one call of an engine ready, from a job."""

from __future__ import annotations

import atexit
import hashlib
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.engines import Ids, Unsupported
from benchmarks.texts import real_texts, write_sized

SENTENCES = 500
DECODED_IDS = 10_000_000
SENTENCE_CHARACTERS = range(60, 101)
FIRST_SENTENCE = "吾輩は猫である。名前はまだ無い。It's 3.14, isn't it?\n"


@dataclass(frozen=True)
class Work:
    """A call to time, how much it does (bytes, ids, sentences, or 1), how to tell its result."""

    call: Callable[[], Any]
    amount: int
    digest: Callable[[Any], str]


def _ids_digest(ids: Ids) -> str:
    digest = hashlib.sha256(np.ascontiguousarray(ids, "<u4").data)
    return f"{len(ids):,} ids {digest.hexdigest()[:16]}"


def encode_string(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The whole text as one string."""
    encoder, text = engine.load(job["tokenizer"]), _read(job)
    size = len(text.encode())
    encoder.encode_string(FIRST_SENTENCE)
    return Work(lambda: encoder.encode_string(text), size, lambda r: _ids_digest(encoder.ids(r)))


def encode_lines(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The lines of the text, without their newlines, in one batch."""
    encoder, lines = engine.load(job["tokenizer"]), _read(job).split("\n")
    size = sum(len(line.encode()) for line in lines)
    encoder.encode_lines([FIRST_SENTENCE])
    return Work(lambda: encoder.encode_lines(lines), size, lambda r: _ids_digest(encoder.ids(r)))


def encode_lines_alone(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The same on one thread: what a core does."""
    encoder, lines = engine.load(job["tokenizer"]), _read(job).split("\n")
    size = sum(len(line.encode()) for line in lines)
    call = encoder.encode_lines_alone
    call([FIRST_SENTENCE])
    return Work(lambda: call(lines), size, lambda r: _ids_digest(encoder.ids(r)))


def encode_file(engine: ModuleType, job: dict[str, Any]) -> Work:
    """A file as one text, from its path to its ids: the one task in which reading is timed."""
    encoder, path = engine.load(job["tokenizer"]), Path(job["text"])
    call = getattr(encoder, "encode_file", lambda path: encoder.encode_string(_text(path)))
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as sentence:
        sentence.write(FIRST_SENTENCE)
        sentence.flush()
        call(Path(sentence.name))
    return Work(lambda: call(path), path.stat().st_size, lambda r: _ids_digest(encoder.ids(r)))


def encode_to_file(engine: ModuleType, job: dict[str, Any]) -> Work:
    """A file of so many megabytes, made of a text, to a file of ids; both in a folder that goes."""
    encoder, folder = engine.load(job["tokenizer"]), tempfile.TemporaryDirectory("-kugiri-bench")
    atexit.register(folder.cleanup)
    path, out = Path(folder.name, "text.txt"), Path(folder.name, "ids.npy")
    path.write_text(FIRST_SENTENCE, encoding="utf-8")
    encoder.encode_to_file(path, out)
    write_sized(Path(job["text"]), job["megabytes"] << 20, path)
    call = partial(encoder.encode_to_file, path, out)
    return Work(call, path.stat().st_size, lambda r: _ids_digest(encoder.ids(r)))


def encode_alone(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The whole text as one string on one thread."""
    encoder, text = engine.load(job["tokenizer"]), _read(job)
    encoder.encode_lines_alone([FIRST_SENTENCE])
    call = partial(encoder.encode_lines_alone, [text])
    return Work(call, len(text.encode()), lambda r: _ids_digest(encoder.ids(r)))


def count(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The number of tokens of the whole text as one string."""
    encoder, text = engine.load(job["tokenizer"]), _read(job)
    encoder.count(FIRST_SENTENCE)
    return Work(lambda: encoder.count(text), len(text.encode()), lambda number: f"{number:,} ids")


def decode(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The ids of a text, by the same engine, as often as makes DECODED_IDS or more."""
    encoder = engine.load(job["tokenizer"])
    once = encoder.ids(encoder.encode_string(_read(job)))
    array = np.tile(once, -(-DECODED_IDS // len(once)))
    ids = array if hasattr(encoder, "DECODES_ARRAYS") else array.tolist()
    encoder.decode(encoder.encode_sentence(FIRST_SENTENCE))

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    return Work(lambda: encoder.decode(ids), len(ids), digest)


def sentence(engine: ModuleType, job: dict[str, Any]) -> Work:
    """Sentences of 60 to 100 characters, a call each: what one short text costs from Python."""
    encoder = engine.load(job["tokenizer"])
    lines = [line for line in _read(job).split("\n") if len(line) in SENTENCE_CHARACTERS]
    lines = lines[:SENTENCES]
    if not lines:
        raise Unsupported(f"no line of 60 to 100 characters in {Path(job['text']).name}")

    def digest(result: list[list[int]]) -> str:
        return hashlib.sha256(json.dumps(result).encode()).hexdigest()[:16]

    encoder.encode_sentence(FIRST_SENTENCE)
    return Work(lambda: [encoder.encode_sentence(line) for line in lines], len(lines), digest)


def load(engine: ModuleType, job: dict[str, Any]) -> Work:
    """A tokenizer from its file to the ids of a first sentence, so that nothing is put off."""

    def digest(ids: list[int]) -> str:
        return f"{len(ids):,} ids {hashlib.sha256(json.dumps(ids).encode()).hexdigest()[:16]}"

    return Work(lambda: engine.load(job["tokenizer"]).encode_sentence(FIRST_SENTENCE), 1, digest)


def load_cached(engine: ModuleType, job: dict[str, Any]) -> Work:
    """The same, after a process before this one has kept what it could."""
    if hasattr(engine, "keep"):
        engine.keep(job["tokenizer"])
    return load(engine, job)


def train(engine: ModuleType, job: dict[str, Any]) -> Work:
    """Byte-level BPE with GPT-2's pattern, from a file to a model."""

    def digest(model: Any) -> str:
        if hasattr(engine, "MERGES_DIFFER"):
            return ""
        merges = engine.merges(model)
        lines = "".join(f"{left.hex()} {right.hex()}\n" for left, right in merges)
        return f"{len(merges):,} merges {hashlib.sha256(lines.encode()).hexdigest()[:16]}"

    return Work(engine.trainer(Path(job["text"]), job["vocab_size"]), 1, digest)


def report(engine: ModuleType, job: dict[str, Any]) -> Work:
    """What several tokenizers do to so many megabytes of a real text, as a page of HTML."""
    if Path(job["text"]).stem.partition("-")[0] not in real_texts():
        raise Unsupported("a report is measured on real text only: ../shared/data has none here")
    folder = tempfile.TemporaryDirectory("-kugiri-bench")
    atexit.register(folder.cleanup)
    text, page = Path(folder.name, "text.txt"), Path(folder.name, "report.html")
    write_sized(Path(job["text"]), job["megabytes"] << 20, text)
    # The speed stands in it, so that no two pages are alike.
    return Work(engine.reporter(job["tokenizer"].split("+"), text, page), 1, lambda _: "a page")


TASKS = {
    task.__name__: task
    for task in (
        encode_string,
        encode_lines,
        encode_lines_alone,
        encode_file,
        encode_to_file,
        encode_alone,
        count,
        decode,
        sentence,
        load,
        load_cached,
        train,
        report,
    )
}


def _read(job: dict[str, Any]) -> str:
    return _text(Path(job["text"]))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
