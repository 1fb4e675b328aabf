"""Who may import whom, and what `import kugiri` gives.

A module imports from the layers above its own in LAYERS and from its own package, never from a
neighbour: that is how a stage stays readable alone. Imports inside functions count too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import kugiri
from processes import run_python

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / "python"

# A package stands for all that is in it, unless a module of it has a place of its own.
LAYERS = [
    ["lazy", "tokenizing", "training"],
    ["_version", "errors", "presets", "unicode"],
    ["tables", "warned"],
    ["inputs", "patterns"],
    ["padding"],
    ["dictionaries"],
    ["encoding", "spec", "segmenters"],
    # The readable engine: what its stages are made of, the stages, the whole.
    ["reference", "reference.not_run", "reference.alignment", "reference.charsmap",
     "reference.random_numbers", "reference.user_defined"],
    ["reference.byte_alphabet", "reference.character_classes"],
    ["reference.brackets"],
    ["reference.regex_classes", "reference.compile_charsmap", "reference.normal_forms"],
    ["reference.vocab", "reference.rules", "reference.characters", "reference.case_foldings",
     "reference.oniguruma_classes"],
    ["reference.oniguruma", "reference.precompiled"],
    ["reference.dialect"],
    ["reference.normalizers"],
    ["reference.decoder_steps", "reference.piece_joiner"],
    ["reference.decoders"],
    ["reference.special_tokens", "reference.normalize", "reference.pre_tokenize",
     "reference.models", "reference.post_process", "reference.decode"],
    ["reference.pipeline", "reference.train"],
    ["reference.hypotheses", "reference.places", "reference.limits", "reference.stochastok"],
    ["reference.sampling"],
    # Text in.
    ["files"],
    ["corpus"],
    ["worker_processes"],
    ["dictionary_batches"],
    ["named_stages"],
    ["training.options", "training.word_counts"],
    ["training.texts", "training.character_counts"],
    ["training.baselines"],
    ["training.trainers"],
    ["chat"],
    # What a tokenizer is made of, and the tokenizer.
    ["tokenizing.stop_strings", "tokenizing.truncation", "tokenizing.given_texts"],
    ["tokenizing.model_rows"],
    ["tokenizing.canonical", "tokenizing.encode_options", "tokenizing.limits", "tokenizing.merges",
     "tokenizing.model_inputs", "tokenizing.spans", "tokenizing.stream", "tokenizing.token_strings",
     "tokenizing.sampling", "formats"],
    ["tokenizing.engine"],
    ["tokenizing.padding_token"],
    ["tokenizing.encode_files", "tokenizing.make_inputs", "tokenizing.decodes"],
    ["tokenizing.encodes", "tokenizing.ways"],
    ["tokenizing.canonical_ids"],
    ["tokenizing.count_files"],
    ["tokenizer"],
    ["cache"],
    ["sentencepiece"],
    ["train", "load", "edit", "training.tally", "explain", "convert", "random_texts",
     "differences"],
    ["verify", "explain.training", "vocabulary_size.curve"],
    ["training.train_sizes", "training.train_variants", "training.plan_notes", "compat"],
    ["cost"],
    ["plan", "sweep_result"],
    ["sweep"],
    ["measure"],
    ["vocabulary_size"],
    ["check"],
    [""],
    ["web"],
    ["cli"],
    ["__main__"],
]  # fmt: skip
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("reference.decode", "reference.normalize"): "the denormalizer of a .model is a normalizer",
    ("tokenizer", "explain.lineage"): "Tokenizer.lineage asks for it when it is called",
    ("tokenizer", "explain.steps"): "Tokenizer.explain asks for it when it is called",
    ("tokenizer", "explain.why"): "Tokenizer.why asks for it when it is called",
}
"""(module, what it imports from below or beside it): why."""

CORE = {
    "cache",
    "tokenizer",
    "tokenizing.ways",
    "tokenizing.engine",
    "tokenizing.canonical",
    "tokenizing.encode_files",
    "tokenizing.count_files",
    "tokenizing.limits",
    "tokenizing.make_inputs",
    "training.trainers",
    "training.word_counts",
    "formats",
    "sentencepiece",
    "segmenters",
    "measure",
    "dictionary_batches",
}
"""Who calls the Rust core."""

OUTSIDE = {
    "click": {"cli"}, "rich": {"cli", "measure"}, "regex": {"reference"},
    "huggingface_hub": {"formats"}, "selectolax": {"corpus"},
    "jinja2": {"chat"}, "pyarrow": {"corpus", "encoding"}, "zstandard": {"corpus"},
    "sudachipy": {"dictionaries"}, "fugashi": {"dictionaries"},
    "altair": {"measure", "vocabulary_size"}, "vl_convert": {"measure"},
    "torch": {"tokenizing.model_inputs", "compat"}, "genai_prices": {"cost"},
    "starlette": {"web"}, "uvicorn": {"web"}, "h11": {"web"},
}  # fmt: skip
"""Libraries that only some may import: start-up stays short, and the readable engine readable."""


def module_name(path: Path) -> str:
    """The name below kugiri; "" is the package itself."""
    parts = path.relative_to(PYTHON / "kugiri").with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_name(path): path for path in sorted((PYTHON / "kugiri").rglob("*.py"))}


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes that run: those for type checkers are left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for other in node.orelse:
                yield from nodes(other)
            continue
        yield node
        yield from nodes(node)


def imports(path: Path) -> set[str]:
    """The full names of the modules that a file imports."""
    found = set()
    for node in nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            known = {name for name in inside if name.removeprefix("kugiri.") in {*MODULES, "_core"}}
            found |= known or {str(node.module)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "lazy_module":
            found.add(ast.literal_eval(node.args[0]))
    return found


def home(name: str) -> str:
    """The entry of LAYERS that a module belongs to."""
    while name not in LEVELS:
        assert "." in name, f"{name} has no place in LAYERS"
        name = name.rpartition(".")[0]
        assert name != "reference", "each stage has a place of its own in LAYERS"
    return name


def owners(name: str) -> set[str]:
    """The entry of LAYERS that a module belongs to, and its package."""
    return {home(name), name.split(".")[0]}


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_one_way(name: str) -> None:
    inside = {full for full in imports(MODULES[name]) if full.split(".")[0] == "kugiri"}
    for imported in sorted(full.partition(".")[2] for full in inside - {"kugiri._core"}):
        above = LEVELS[home(imported)] < LEVELS[home(name)]
        same = home(imported) == home(name) and name != ""
        assert above or same or (name, imported) in EXCEPTIONS, f"{name} imports {imported}"


def test_exceptions_are_needed() -> None:
    for name, imported in EXCEPTIONS:
        assert f"kugiri.{imported}" in imports(MODULES[name])


@pytest.mark.parametrize("name", MODULES)
def test_who_calls_the_core(name: str) -> None:
    assert "kugiri._core" not in imports(MODULES[name]) or owners(name) & CORE


@pytest.mark.parametrize("name", MODULES)
def test_libraries_from_outside(name: str) -> None:
    found = {full.split(".")[0] for full in imports(MODULES[name])} - sys.stdlib_module_names
    if "reference" in owners(name):
        assert found <= {"kugiri", "regex"}, "the readable engine needs nothing else"
    for library in found & OUTSIDE.keys():
        assert owners(name) & OUTSIDE[library], f"{library} is for {OUTSIDE[library]}"


def test_only_python_rs_knows_python() -> None:
    src = ROOT / "src"
    knows = {
        path.relative_to(src).parts[0].removesuffix(".rs")
        for path in src.rglob("*.rs")
        if re.search(r"\b(pyo3|numpy)\b(::|\s*[;{])", path.read_text(encoding="utf-8"))
    }
    assert knows == {"python"}


# ── the package ───────────────────────────────────────────────────────────────────────────────
def test_the_version_is_that_of_the_crate() -> None:
    cargo = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    versions = re.findall(r'^version = "(.+)"$', cargo, re.MULTILINE)
    assert versions == [kugiri.__version__]


def test_public_names() -> None:
    assert kugiri.__all__ == sorted(kugiri.__all__)
    assert {*kugiri.__all__} == {*kugiri._HOME, "__version__"} == {*dir(kugiri)}
    for name in kugiri._HOME:
        value = getattr(kugiri, name)
        assert value is getattr(import_module(kugiri._HOME[name]), name)
        assert value.__doc__, f"{name} has no docstring"
    # Type checkers see the same names, from the same modules.
    tree = ast.parse(MODULES[""].read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    assert {alias.name: node.module for node in seen for alias in node.names} == kugiri._HOME


def test_import_loads_nothing_heavy() -> None:
    script = """
    import sys
    import kugiri
    dir(kugiri), kugiri.__version__
    heavy = {"numpy", "rich", "click", "msgspec", "regex", "kugiri._core"}
    print(*sorted(heavy & set(sys.modules)))
    """
    assert run_python(script).strip() == ""


@pytest.mark.parametrize("name", ["train", "load", "measure", "convert", "verify", "plan"])
@pytest.mark.parametrize(
    "imports",
    ["import kugiri", "import kugiri.{0}", "import kugiri; import kugiri.{0}",
     "from kugiri.{0} import {0}; import kugiri", "import kugiri; kugiri.{0}; import kugiri.{0}",
     "from kugiri import {0}; import kugiri", "import kugiri.tokenizer, kugiri.{0}"],
)  # fmt: skip
def test_functions_win_over_modules_of_their_name(name: str, imports: str) -> None:
    script = f"{imports.format(name)}\nprint(type(kugiri.{name}).__name__)"
    assert run_python(script).strip() == "function"
