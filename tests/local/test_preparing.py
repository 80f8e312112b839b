import io
from pathlib import Path

import pytest
from rich.console import Console

from local.options import CannotStart, options_from
from local.preparing import prepare


def test_nothing_in_the_way_means_no_words_and_no_bots(tmp_path: Path) -> None:
    screen = io.StringIO()
    assert prepare(options_from({"LULL_DATA": str(tmp_path)}), Console(file=screen)) == []
    assert screen.getvalue() == ""


def test_what_cannot_be_asked_is_a_warning_and_no_obstacle(tmp_path: Path) -> None:
    screen = io.StringIO()
    env = {"LULL_DATA": str(tmp_path), "GEMINI_API_KEY": "a-key", "GEMINI_BASE_URL": "http://127.0.0.1:1"}
    assert prepare(options_from(env), Console(file=screen, width=200)) == []
    assert "Gemini cannot be reached" in screen.getvalue()
    assert "a-key" not in screen.getvalue()


def test_an_obstacle_ends_it(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="this folder has no agent"):
        prepare(options_from({"LULL_DATA": str(tmp_path), "LULL_AGENTS_PATH": str(tmp_path)}), Console())
