"""What flows out of a tokenizer, as other libraries take it."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest

from kugiri import Batch
from kugiri.errors import OptionError
from tests.oracles import HOW_TO_GET


def test_a_batch_as_an_arrow_array() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason=f"pyarrow is absent: {HOW_TO_GET}")
    rows = [[1, 2], [], [2**32 - 1]]
    batch = Batch.from_lists(rows)
    column = batch.to_arrow()
    assert column.type == pyarrow.large_list(pyarrow.uint32())
    assert column.to_pylist() == rows
    assert np.shares_memory(column.values.to_numpy(), batch.ids)
    assert Batch.from_lists([]).to_arrow().to_pylist() == []
    assert pyarrow.table({"ids": column}).num_rows == 3


def test_arrow_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without_pyarrow(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "pyarrow":
            raise ImportError(name)
        return original(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(OptionError, match=r"needs the package pyarrow; pip install 'kugiri\[arrow"):
        Batch.from_lists([[1]]).to_arrow()
