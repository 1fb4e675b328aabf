"""Files are written beside and renamed: nothing half-written is left, whenever Ctrl-C comes."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from kugiri.errors import FormatError
from kugiri.files import write_beside


def test_a_new_file_and_one_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for text in (b"first", b"second"):
        with write_beside(path) as file:
            file.write(text)
        assert path.read_bytes() == text
        assert stat.S_IMODE(path.stat().st_mode) == (
            0o666 & ~_mask() if text == b"first" else 0o640
        )
        path.chmod(0o640)
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError])
def test_what_goes_wrong_meanwhile_leaves_what_was(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"first")

    def write() -> None:
        with write_beside(path) as file:
            file.write(b"second")
            raise error

    with pytest.raises(FormatError if error is OSError else error):
        write()
    assert path.read_bytes() == b"first"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_ctrl_c_behind_the_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = os.open

    def interrupted(*arguments: Any) -> int:
        os.close(plain(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt), write_beside(tmp_path / "a"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no folder"):
        write_beside(tmp_path / "none" / "a").__enter__()
