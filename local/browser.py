"""The browser for tests of the page: a Chromium that this machine has, or else one that is installed for the tests.

`python -m local.browser` installs a browser if there is none.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

ON_PATH = ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome")
ON_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


class NoBrowser(Exception):
    """No browser was found, and none could be installed. The text says what to do."""


def find_browser(path: str = os.environ.get("PATH", os.defpath)) -> Path | None:
    """Return a Chromium that can be started: one on `path`, or else Playwright's. None if there is neither."""
    return next((place for place in _places(path) if _starts([str(place), "--version"])), None)


def install_browser() -> Path:
    """Install Chromium with Playwright, or with apt if running as root on Debian. Raises NoBrowser."""
    ways: list[list[list[str]]] = [[[sys.executable, "-m", "playwright", "install", "chromium"]]]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        ways.append([["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]])
    for commands in ways:
        if all(_starts(command) for command in commands):
            found = find_browser()
            if found:
                return found
    raise NoBrowser(
        "The page's tests need Chromium, which could not be installed. Install it (Debian: `apt-get install chromium`, "
        "macOS: Google Chrome), then try again."
    )


def _places(path: str) -> Iterator[Path]:
    for name in ON_PATH:
        found = shutil.which(name, path=path)
        if found:
            yield Path(found)
    yield ON_MAC
    with sync_playwright() as playwright:
        yield Path(playwright.chromium.executable_path)


def _starts(command: Iterable[str]) -> bool:
    try:
        return subprocess.run([*command], capture_output=True, timeout=600).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def main() -> int:
    """Install a browser if there is none. Return 1 and print a message if that fails."""
    try:
        if find_browser() is None:
            print("First time: installing a browser for the page's tests ...", flush=True)
            install_browser()
    except NoBrowser as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
