"""The JSON of explain, and the schemas that describe it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.explained import MADE, made
from tests.test_explain_examples import SNAPSHOTS
from tools.make_schemas import FOLDER, KINDS, spelled

jsonschema = pytest.importorskip(
    "jsonschema", reason="jsonschema is absent: install requirements/dev.txt (make build)"
)


def validator(name: str) -> Any:
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", KINDS)
def test_the_files_are_those_of_the_classes(name: str) -> None:
    path = Path(FOLDER, f"{name}.json")
    assert path.read_text(encoding="utf-8") == spelled(name), "run tools/make_schemas.py"


@pytest.mark.parametrize("path", sorted(SNAPSHOTS.iterdir()), ids=lambda path: path.stem)
def test_every_snapshot_is_valid(path: Path) -> None:
    kind = "training" if path.stem.startswith("training") else "explain"
    validator(kind).validate(json.loads(path.read_text(encoding="utf-8")))


def test_every_format_is_valid() -> None:
    check, check_why = validator("explain"), validator("why")
    for name in MADE:
        check.validate(json.loads(made(name).explain("東京 low🎉<|endoftext|>").to_json()))
        check_why.validate(json.loads(made(name).why("東京 low", "京 l").to_json()))


def test_what_is_not_so_is_refused() -> None:
    right = json.loads((SNAPSHOTS / "tokyo.json").read_text(encoding="utf-8"))
    check = validator("explain")
    for change in (
        lambda it: it.pop("ids"),
        lambda it: it.update(schema=2),
        lambda it: it["spans"].append([1]),
        lambda it: it["model"].update(type="Trigram"),
        lambda it: it["normalization"].update(changes=None),
    ):
        wrong = copy.deepcopy(right)
        change(wrong)
        assert not check.is_valid(wrong)


def test_every_class_and_field_is_described() -> None:
    for name in KINDS:
        schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        for title, its in schema["$defs"].items():
            assert its["description"], title
