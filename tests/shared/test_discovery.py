"""The modules of a package are found by their files."""

import sys
from pathlib import Path

import pytest

from shared.discovery import module_names, modules_of


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


def test_names_are_told_without_importing_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "named_here"
    (folder / "deeper").mkdir(parents=True)
    for name, text in {"__init__": "", "two": "", "one": "1 / 0", "deeper/__init__": ""}.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert module_names("named_here") == ("one", "two")
    sys.modules.pop("named_here")
