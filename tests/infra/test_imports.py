from pathlib import Path

import pytest

from infra.bundle import ROOT, function_names
from infra.functions import declared_functions
from infra.imports import imported_files


def write(root: Path, **files: str) -> Path:
    """Write a tree with these modules of `shared` (`a__b` is a/b) and a main that imports the first."""
    (root / "shared").mkdir()
    (root / "shared" / "__init__.py").touch()
    for name, text in files.items():
        file = root / "shared" / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        for folder in (file.parent, file.parent.parent):
            if folder.is_relative_to(root / "shared"):
                (folder / "__init__.py").touch()
        file.write_text(text)
    main = root / "main.py"
    main.write_text(f"from shared.{next(iter(files)).replace('__', '.')} import anything\n")
    return main


def names(found: frozenset[Path], root: Path) -> set[str]:
    return {file.relative_to(root / "shared").as_posix() for file in found} - {"__init__.py"}


def test_imports_are_followed_through_modules_and_into_functions(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        one="import shared.deep.two\n",
        deep__two="def late():\n    from shared.deep import three\n",
        deep__three="import json\n",
        other="",
    )
    found = names(imported_files(main, tmp_path), tmp_path)
    assert found == {"one.py", "deep/__init__.py", "deep/two.py", "deep/three.py"}


def test_what_only_a_type_checker_reads_is_left_out(tmp_path: Path) -> None:
    text = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import shared.types\nelse:\n    import shared.real\n"
    )
    main = write(tmp_path, one=text, types="", real="")
    assert names(imported_files(main, tmp_path), tmp_path) == {"one.py", "real.py"}


def test_folders_that_are_searched_for_their_modules_count_whole(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        one="from shared.base.discovery import modules_of\nALL = modules_of('kinds')\n",
        base__discovery="",
        kinds__a="import shared.late",
        kinds__b="",
        plants__kinds__c="",
        animals__kinds="",
        late="",
        other="",
    )
    found = names(imported_files(main, tmp_path), tmp_path)
    kinds = {"kinds/__init__.py", "kinds/a.py", "kinds/b.py", "plants/__init__.py", "plants/kinds/__init__.py"}
    more = {"plants/kinds/c.py", "animals/__init__.py", "animals/kinds.py"}
    assert found == {"one.py", "base/__init__.py", "base/discovery.py", "late.py"} | kinds | more


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    main = write(tmp_path, one="import shared.two\n", two="from shared.one import x\n")
    assert names(imported_files(main, tmp_path), tmp_path) == {"one.py", "two.py"}


def test_a_module_that_there_is_not_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImportError, match=r"there is no module shared\.missing\.part"):
        imported_files(write(tmp_path, one="import shared.missing.part\n"), tmp_path)


def test_a_relative_import_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportError, match="relative import in line 1"):
        imported_files(write(tmp_path, one="from . import two\n", two=""), tmp_path)


def test_the_webhook_carries_nothing_of_planning() -> None:
    carried = names(imported_files(ROOT / "functions" / "webhook" / "main.py", ROOT), ROOT)
    folders = {name.split("/")[0] for name in carried}
    assert not folders & {"commands", "llm", "memory", "recall", "reminders", "tasks", "tools", "turn"}
    assert {name for name in carried if name.startswith("planning/")} == {
        "planning/__init__.py",
        "planning/personas/__init__.py",
        "planning/personas/files.py",
    }
    assert {"chat/store/inbox.py", "chat/jobs/receive.py", "wiring/settings/environment.py"} <= carried
    # it starts without the models that the module of those settings imports
    assert "wiring/settings/model_functions.py" not in carried


@pytest.mark.parametrize("function", function_names())
def test_every_function_carries_its_own_parts(function: str) -> None:
    carried = names(imported_files(ROOT / "functions" / function / "main.py", ROOT), ROOT)
    own = {"__init__.py", f"{function}.py", *(f"{name}.py" for name in declared_functions()[function].wiring)}
    parts = {name.removeprefix("wiring/") for name in carried if name.startswith("wiring/")}
    assert f"{function}.py" in parts
    assert {name for name in parts if "/" not in name} == own
