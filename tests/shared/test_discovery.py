"""The modules of a package are found by their files."""

import sys
from pathlib import Path

import pytest

from shared.base.discovery import modules_of


def write_package(root: Path, *files: str) -> None:
    """Write empty modules below `root`, each folder a package."""
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        for folder in (path.parent, *path.parent.parents):
            if folder == root:
                break
            (folder / "__init__.py").touch()


def test_finds_the_modules_of_a_folder_in_every_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(
        tmp_path,
        "found_here/kinds/two.py",
        "found_here/kinds/_three.py",
        "found_here/kinds/deeper/four.py",
        "found_here/plants/kinds/one.py",
        "found_here/animals/kinds.py",
        "found_here/animals/other.py",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    found = [module.__name__ for module in modules_of("kinds", "found_here")]
    assert found == ["found_here.animals.kinds", "found_here.plants.kinds.one", "found_here.kinds.two"]
    for name in [name for name in sys.modules if name.split(".")[0] == "found_here"]:
        del sys.modules[name]


def test_a_folder_that_there_is_not_is_an_error() -> None:
    with pytest.raises(ImportError, match="no folder or module 'nothing_here' in shared"):
        modules_of("nothing_here")
