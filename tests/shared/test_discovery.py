"""The modules of a package are found by their files."""

import sys
from pathlib import Path

import pytest

from shared.discovery import modules_of


def test_every_module_of_a_package_is_found_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "found_here"
    (folder / "deeper").mkdir(parents=True)
    for name in ("__init__", "two", "one", "deeper/__init__"):
        (folder / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [module.__name__ for module in modules_of("found_here")] == ["found_here.one", "found_here.two"]
    for name in ("found_here", "found_here.one", "found_here.two"):
        sys.modules.pop(name)


def test_a_package_that_there_is_not_is_an_error() -> None:
    with pytest.raises(ImportError):
        modules_of("shared.nothing_here")
