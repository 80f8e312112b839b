"""The browser of the page's tests: found on this machine, else installed.

`python -m local.browser` makes sure that there is one.
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
    """A Chromium that starts: one on the path, else Playwright's own; None if there is neither."""
    return next((place for place in _places(path) if _starts([str(place), "--version"])), None)


def install_browser() -> Path:
    """Have Playwright fetch its Chromium, or as root on Debian apt. Raises NoBrowser."""
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
    """The command line; 1 with a sentence when there is no browser."""
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
