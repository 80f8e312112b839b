"""The scratch copy counts changed files, without those that runs leave behind."""

from pathlib import Path

import pytest

from tests.growth.scratch import Scratch

LINE = "LONGEST_FILE = 400"
#: the parts of the tree that these tests need
SOME = ("shared", "tests/test_architecture.py", ".importlinter", "README.md")


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path / "lull", SOME)


def test_what_is_new_or_other_is_counted_once(scratch: Scratch) -> None:
    assert scratch.changed() == []
    scratch.adds("shared/tasks/new.py", "")
    scratch.edits("tests/test_architecture.py", LINE, f"{LINE}  # lines")
    scratch.edits("tests/test_architecture.py", "  # lines", "")
    assert scratch.changed() == ["shared/tasks/new.py"]
    (scratch.root / "README.md").unlink()
    assert scratch.changed() == ["README.md", "shared/tasks/new.py"]


def test_what_stands_there_already_is_not_added_and_what_does_not_is_not_edited(scratch: Scratch) -> None:
    with pytest.raises(AssertionError, match="is there already"):
        scratch.adds("README.md", "")
    with pytest.raises(AssertionError, match="has 0 of"):
        scratch.edits("README.md", "nothing of the kind", "")


def test_an_import_that_goes_up_is_found(scratch: Scratch) -> None:
    scratch.adds("shared/values/upward.py", "import shared.turn.rounds")
    with pytest.raises(AssertionError, match=r"shared\.values\.upward"):
        scratch.checks_imports()
