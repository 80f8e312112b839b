"""A scratch copy of the tree for each test."""

from pathlib import Path

import pytest

from tests.growth.scratch import Scratch


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path / "lull")
