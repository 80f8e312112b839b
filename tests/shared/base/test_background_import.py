"""Imports in the background. The tests write the modules that are imported."""

import sys
from pathlib import Path

import pytest

from shared.base.background_import import finish_import, finish_imports, start_import


def write_module(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.py").write_text(text)
    return name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules can be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


async def test_a_started_import_is_finished_once(folder: Path) -> None:
    count = folder / "count"
    text = f"import time\ntime.sleep(0.1)\nwith open({str(count)!r}, 'a') as file:\n    file.write('x')\n"
    name = write_module(folder, "lull_test_slow", text)
    start_import(name)
    start_import(name)
    await finish_imports()
    assert name in sys.modules
    await finish_import(name)
    assert count.read_text() == "x"


async def test_who_needs_a_module_gets_the_error_of_its_import(folder: Path) -> None:
    name = write_module(folder, "lull_test_broken", "import lull_test_nowhere")
    start_import(name)
    await finish_imports()
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="lull_test_nowhere"):
            await finish_import(name)


async def test_an_import_that_nobody_started_is_made_when_it_is_needed(folder: Path) -> None:
    name = write_module(folder, "lull_test_late", "")
    await finish_import(name)
    assert name in sys.modules
