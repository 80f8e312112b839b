"""In no order of steps does a chat miss the description of a file, or is the file described twice."""

import pytest

from tests.protocol.files import BREAKS, search


@pytest.mark.parametrize("crashes", [0, 1, 2])
def test_everybody_hears_what_a_file_shows_and_it_is_described_once(crashes: int) -> None:
    assert search(crashes) == ""


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_rule_is_seen(broken: str) -> None:
    assert (search(0, broken) or search(1, broken)) != ""
