from pathlib import Path

import pytest

from local.browser import ON_MAC, find_browser, main


def browser(folder: Path, name: str, exit_code: int = 0) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\nexit {exit_code}\n")
    file.chmod(0o755)
    return file


def test_the_one_on_the_path_is_taken(tmp_path: Path) -> None:
    chrome = browser(tmp_path, "google-chrome")
    assert find_browser(str(tmp_path)) == chrome
    chromium = browser(tmp_path, "chromium")
    assert find_browser(str(tmp_path)) == chromium


def test_one_that_does_not_start_is_passed_over(tmp_path: Path) -> None:
    """Ubuntu's `chromium-browser` only asks to install a snap."""
    stub = browser(tmp_path, "chromium-browser", exit_code=1)
    assert find_browser(str(tmp_path)) != stub


@pytest.mark.skipif(ON_MAC.exists(), reason="this Mac has Chrome")
def test_none_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert find_browser(str(tmp_path)) is None


def test_where_there_is_one_the_command_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    if find_browser() is None:
        pytest.skip("there is no browser here, and a test installs none")
    assert main() == 0
    assert capsys.readouterr().out == ""
